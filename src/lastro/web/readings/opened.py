"""What an office sees of a company or entity once it opened their data: positions, mass in lots, papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lastro.filings import LABELS, Filing, Kind
from lastro.stores.postgres.filings import Filings
from lastro.stores.postgres.view import Pool
from lastro.web import office
from lastro.web.readings import company, requests

_PAPERS = (Kind.DOCUMENT, Kind.CONTRACT, Kind.POINTS, Kind.AUDIT)
"""Papers about the system itself; what offices and others wrote to each other is none of them."""


@dataclass(frozen=True)
class Interest:
    """The data that one opening opens, on its day."""

    opening: Filing
    whose: str
    years: tuple[company.Year, ...]
    pools: tuple[Pool, ...]
    papers: tuple[tuple[str, Filing], ...]


def opening(who: str, number: str) -> Filing | None:
    """An opening of an office, by its number."""
    found = Filings(office.store(), sees=who).standing(Kind.OPENING, party=who, name=number)
    return next(iter(found), None)


def interest(one: Filing) -> Interest | None:
    """What an opening shows; nothing after its day. A new one then says anew who looks, and why."""
    if one.on != office.today():
        return None
    whose, this = one.addressee, office.today().year
    norms = company.norms()
    years = () if requests.is_entity(whose) else tuple(
        found
        for year in (this, this - 1)
        for found in [company.under_any(whose, norms, year)]
        if found.positions
    )  # fmt: skip
    pools: Sequence[Pool] = office.store().pools(entity=whose)
    mine = Filings(office.store(), sees=whose)
    papers = [(LABELS[kind], paper) for kind in _PAPERS for paper in mine.standing(kind, party=whose)]
    return Interest(one, whose, years, tuple(pools), tuple(papers))
