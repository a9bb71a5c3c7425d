"""What went wrong elsewhere, in public reports, tried here: each by its number in docs/faults.md."""
