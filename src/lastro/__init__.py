"""Lastro: every certified kilogram is backed by one invoice line, once."""

__version__ = "0.1.0"
