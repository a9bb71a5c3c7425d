"""Norms of the State of Minas Gerais."""
