"""Days on which nobody pays or delivers: of the country, of a state, of the banks, of a municipality.

A table of facts with the legal basis of each; days that move are told by their distance from Easter. Days
that a government declares off year by year (pontos facultativos) are not here: who asks adds them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class DayOff:
    """One day off of a year, with its name and the act that makes it one."""

    on: date
    scope: str
    name: str
    basis: str


def days_off(years: Iterable[int], *, scopes: Iterable[str]) -> tuple[DayOff, ...]:
    """The days off of some years, in order; a scope is BR, a state, "bank", or a municipality's IBGE code."""
    wanted = set(scopes)
    found = [
        made
        for year in years
        for row in _rows()
        if row["scope"] in wanted and (made := _in_year(row, year)) is not None
    ]
    return tuple(sorted(found, key=lambda one: (one.on, one.scope)))


def closed_days(years: Iterable[int], *, scopes: Iterable[str]) -> tuple[date, ...]:
    """The same days, as dates alone, each once."""
    return tuple(sorted({one.on for one in days_off(years, scopes=scopes)}))


@cache
def easter(year: int) -> date:
    """Easter Sunday: the first one after the full moon of the Gregorian reckoning."""
    golden, century = year % 19, year // 100
    skipped = century - century // 4 - (8 * century + 13) // 25
    moon = (19 * golden + skipped + 15) % 30
    moon -= moon // 28 * (1 - moon // 28 * (29 // (moon + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    return date(year, 3, 28) + timedelta(days=moon - weekday)


@cache
def _rows() -> tuple[Mapping[str, str], ...]:
    text = files("lastro.tables").joinpath("days_off.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def _in_year(row: Mapping[str, str], year: int) -> DayOff | None:
    if year < int(row["since"]) or (row["until"] and year > int(row["until"])):
        return None
    if row["day"]:
        month, day = map(int, row["day"].split("-"))
        on = date(year, month, day)
    else:
        on = easter(year) + timedelta(days=int(row["easter"]))
    return DayOff(on, row["scope"], row["name"], row["basis"])
