"""Norms of the Union."""
