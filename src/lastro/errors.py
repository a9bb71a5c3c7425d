"""What a person can act on when the set-up is wrong."""

from __future__ import annotations


class LastroError(Exception):
    """The set-up is wrong; the message says what to do, in Portuguese."""


class NotInForce(LastroError):
    """The law had no value for this on the day asked: before its first date, or revoked (T01)."""


class TextMissing(LastroError):
    """The law sets this value, but the text or table at hand does not show it (T01)."""


class InputMissing(LastroError):
    """A fact that the question needs was not given (T02); it is never taken for zero."""
