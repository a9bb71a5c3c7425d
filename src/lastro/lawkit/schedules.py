"""The nouns of deadlines: a duty that a norm sets, what starts its clock, and how its day is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastro.lawkit.parameters import Law

YEARLY = "year"
QUARTERLY = "quarter"


class Moves(StrEnum):
    """What a day that is no business day does to a deadline."""

    BUSINESS = "business"  # to deliver or to pay: on time until the next business day
    NEVER = "never"  # a validity, a phase, a keeping: the day stands as it falls


@dataclass(frozen=True)
class Moment:
    """What a duty's day is found from: a year told about, one of its quarters, or the day of an event."""

    year: int
    quarter: int
    on: date
    closed: tuple[date, ...]


@dataclass(frozen=True)
class Duty:
    """Something to be done by a day. `starts` is YEARLY, QUARTERLY or the name of an event.

    `due` finds the day from a moment (None: nothing is due); yearly duties are asked about the year that they
    report on. `late_after` finds the last day before a breach, where that is another. `recommended`: to be
    reminded of, and never late. `begins` names the event from whose day on the duty binds; none told,
    it binds.
    """

    key: str
    title: str
    who: tuple[str, ...]
    starts: str
    due: Callable[[Law, Moment], date | None]
    provisions: tuple[str, ...]
    clears: str
    moves: Moves = Moves.BUSINESS
    late_after: Callable[[Law, Moment], date] | None = None
    recommended: bool = False
    begins: str = ""
