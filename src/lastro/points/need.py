"""Required, installed and missing points, municipality by municipality and for the whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from lastro.ids import Material, uf_of
from lastro.lawkit.sites import SiteTerms
from lastro.tables.populations import Place

RECEIVING, CONSOLIDATION = "receiving", "consolidation"


@dataclass(frozen=True)
class Point:
    """A collection point: where, of what kind, and the days on which it worked (None: it still does).

    What people need who bring something (name, address, hours, materials) may be empty: it is then not known.
    """

    municipality: str
    kind: str
    since: date
    until: date | None = None
    latitude: Fraction | None = None
    longitude: Fraction | None = None
    name: str = ""
    address: str = ""
    hours: str = ""
    materials: tuple[Material, ...] = ()

    def works_on(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)


@dataclass(frozen=True)
class Need:
    """One municipality: `required` None where its people are not known, which is not zero."""

    code: str
    population: int | None
    required: int | None
    installed: int

    @property
    def missing(self) -> int | None:
        return None if self.required is None else max(0, self.required - self.installed)


@dataclass(frozen=True)
class Whole:
    """All municipalities in question together, and the states that lack a consolidation point."""

    required: int
    due: int
    installed: int
    unknown: int
    states_short: tuple[str, ...]

    @property
    def met(self) -> bool:
        """Whether what is due stands; what is not known keeps nobody from it, and is told."""
        return self.installed >= self.due and not self.states_short


def needs(terms: SiteTerms, towns: Iterable[Place], points: Sequence[Point], *, on: date) -> tuple[Need, ...]:
    """What each municipality has on a day against what the norm asks of it."""
    standing: dict[str, int] = {}
    for point in points:
        if point.kind == RECEIVING and point.works_on(on):
            standing[point.municipality] = standing.get(point.municipality, 0) + 1
    return tuple(
        Need(
            town.code,
            town.population,
            None if town.population is None else terms.required(town.population),
            standing.get(town.code, 0),
        )
        for town in towns
    )


def years_ended(began: date, *, on: date) -> int:
    """How many whole years of a phase have ended by a day: each ends on the eve of its anniversary."""
    after = on + timedelta(days=1)
    ended = after.year - began.year - ((after.month, after.day) < (began.month, began.day))
    return max(0, ended)


def scheduled(schedule: Iterable[tuple[str, int, int]], *, year: int) -> int:
    """How many points a schedule of (municipality, year, points) asks for by a year: each latest line."""
    latest: dict[str, tuple[int, int]] = {}
    for town, due, points in schedule:
        if due <= year and (due, points) > latest.get(town, (0, 0)):
            latest[town] = (due, points)
    return sum(points for _, points in latest.values())


def whole(
    terms: SiteTerms,
    found: Sequence[Need],
    points: Sequence[Point],
    *,
    on: date,
    year_of_phase: int | None,
    by_schedule: int | None = None,
) -> Whole:
    """The sum, each municipality counting at most what it needs, and what is due of it.

    `year_of_phase` says how many years of the phase have ended: before the first, nothing is late (None: the
    norm has no phase, or its beginning is not known, and everything is due).
    """
    known = [(one.required, one.installed) for one in found if one.required is not None]
    required = sum(need for need, _ in known)
    due = required
    if by_schedule is not None:
        due = by_schedule
    elif terms.by_year is not None and year_of_phase is not None:
        due = terms.by_year(required, year_of_phase)
    early = terms.by_year is not None and year_of_phase == 0
    states = set() if early else {uf_of(one.code) or "" for one in found}
    consolidating: dict[str, int] = {}
    for point in points:
        if point.kind == CONSOLIDATION and point.works_on(on):
            uf = uf_of(point.municipality) or ""
            consolidating[uf] = consolidating.get(uf, 0) + 1
    short = tuple(sorted(uf for uf in states if consolidating.get(uf, 0) < terms.consolidation))
    return Whole(
        required, due, sum(min(need, have) for need, have in known),
        sum(one.required is None for one in found), short,
    )  # fmt: skip
