"""How numbers and days are written where a page says nothing else."""
