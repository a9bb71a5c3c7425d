"""An entity's collection points under a norm: the list, what each municipality lacks, the next places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro import points
from lastro.errors import LastroError
from lastro.filings import Filing
from lastro.lawkit import Regulation, library
from lastro.points import Need, Proposal, Whole
from lastro.stores.postgres.filings import Filings
from lastro.tables.populations import places
from lastro.web import office
from lastro.web.readings import points as public


@dataclass(frozen=True)
class Row:
    """One point of the list, by its place in it."""

    number: int
    body: Mapping[str, Any]
    works: bool

    @property
    def kind(self) -> str:
        return public.KINDS[str(self.body["kind"])]

    @property
    def town(self) -> str:
        return places()[str(self.body["municipality"])].name


@dataclass(frozen=True)
class Shown:
    """The list that stands, what the norm asks of it at the end of a year, and how far it goes."""

    regulation: Regulation
    filing: Filing | None
    rows: tuple[Row, ...]
    article: str = ""
    needs: tuple[Need, ...] = ()
    whole: Whole | None = None
    proposal: Proposal | None = None
    problem: str = ""

    @property
    def short(self) -> list[Need]:
        """The municipalities that lack points, those that lack most first."""
        return sorted((n for n in self.needs if n.missing), key=lambda n: (-(n.missing or 0), n.code))


def regulations() -> list[Regulation]:
    """The norms that ask for points by inhabitants."""
    return [one for one in library.every() if one.sites is not None]


def standing(entity: str, norm: str) -> Filing | None:
    """The list that stands, or the latest where it was taken out."""
    return Filings(office.store(), sees=entity).latest(public.subject(entity, norm))


def shown(entity: str, regulation: Regulation, *, year: int, number: int) -> Shown:
    """The list of an entity under a norm, judged on the last day of a year; `number` places are proposed."""
    filing = standing(entity, regulation.norm.path)
    if filing is None:
        return Shown(regulation, None, ())
    told = filing.body["points"]
    today = office.today().isoformat()
    rows = tuple(
        Row(n, row, row["since"] <= today and (not row["until"] or today <= row["until"]))
        for n, row in enumerate(told)
    )
    try:
        return _judged(regulation, filing, rows, year=year, number=number)
    except LastroError as wrong:
        return Shown(regulation, filing, rows, problem=str(wrong))


def _judged(
    regulation: Regulation, filing: Filing, rows: tuple[Row, ...], *, year: int, number: int
) -> Shown:
    """As `lastro points` judges the same file."""
    assert regulation.sites is not None
    on = date(year, 12, 31)
    terms = regulation.sites(regulation.law(on))
    from lastro.web.readings.papers import text_of

    asked = points.parse(text_of(filing.body["file"]), coordinates=terms.coordinates)
    found = points.needs(terms, asked.towns, asked.points, on=on)
    phase = None if asked.phase_began is None else points.years_ended(asked.phase_began, on=on)
    lines = [(one.municipality, one.year, one.points) for one in asked.schedule]
    whole = points.whole(
        terms, found, asked.points, on=on, year_of_phase=phase,
        by_schedule=points.scheduled(lines, year=year) if lines else None,
    )  # fmt: skip
    proposal, problem = None, ""
    if number:
        open_in = sorted({p.municipality for p in asked.points if p.kind == "receiving" and p.works_on(on)})
        try:
            proposal = points.propose(asked.towns, open_in, number=number)
        except LastroError as wrong:
            problem = str(wrong)
    return Shown(regulation, filing, rows, terms.article, found, whole, proposal, problem)
