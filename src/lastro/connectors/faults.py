"""What may go wrong between here and a service, in words a person can act on."""

from __future__ import annotations

from datetime import datetime

from lastro.errors import LastroError


class Unanswered(LastroError):
    """No usable answer came. `again` says whether asking again may help; `after` in how many seconds."""

    def __init__(self, message: str, *, again: bool, after: int | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.after = after


class Expired(Unanswered):
    """The service no longer takes the token; a new one may do."""

    def __init__(self, message: str) -> None:
        super().__init__(message, again=False)


class Wait(LastroError):
    """The service must not be asked before a moment: it counts excessive use, and locks out who insists."""

    def __init__(self, message: str, *, until: datetime) -> None:
        super().__init__(message)
        self.until = until
