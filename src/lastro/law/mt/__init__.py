"""Norms of the State of Mato Grosso."""
