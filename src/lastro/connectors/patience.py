"""Asking again, later and later, and never for ever. Time is handed in: nothing here looks at a clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from lastro.connectors.faults import Unanswered
from lastro.connectors.transport import Answer

Told = TypeVar("Told")
_LONGEST = 60


@dataclass(frozen=True)
class Clock:
    """The moment, a way to wait so many seconds, and a share between 0 and 1 by which waits are spread."""

    now: Callable[[], datetime]
    sleep: Callable[[float], None]
    jitter: Callable[[], float]


def patiently(ask: Callable[[], Told], *, clock: Clock, tries: int = 4) -> Told:
    """The answer to a question that does no harm when asked twice. Raises the last Unanswered.

    Waits 1, 2, 4 … seconds, at least half of each and the rest by the jitter, so that many who were cut off
    together do not come back together; or as long as the server asked for, up to a minute.
    """
    for attempt in range(tries):
        try:
            return ask()
        except Unanswered as wrong:
            if not wrong.again or attempt == tries - 1:
                raise
            seconds = 2**attempt * (1 + clock.jitter()) / 2
            clock.sleep(min(_LONGEST, max(seconds, wrong.after or 0)))
    raise AssertionError("the last try answers or raises")


def expect_ok(answer: Answer, host: str) -> Answer:
    """The answer, if the server says it is one (2xx). Raises Unanswered, worth repeating for 5xx and 429."""
    if 200 <= answer.status < 300:
        return answer
    again = answer.status >= 500 or answer.status == 429
    after = int(answer.retry_after) if answer.retry_after.isascii() and answer.retry_after.isdigit() else None
    raise Unanswered(f"{host}: o servidor respondeu {answer.status}.", again=again, after=after)
