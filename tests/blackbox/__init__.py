"""Sealed declarations, their totals, and what published sums may not tell."""
