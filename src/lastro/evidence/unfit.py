"""What stops the reading of a file: it is told as a finding on that file."""

from __future__ import annotations

from lastro.facts import Finding


class Unfit(Exception):
    """The bytes hold no document that is read here; carries the finding that says why."""

    def __init__(self, seen: Finding) -> None:
        super().__init__(seen.code)
        self.finding = seen
