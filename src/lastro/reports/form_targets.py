"""How a year's targets stand, for all the companies of a document together: sums of exact obligations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lastro.obligations import Position
from lastro.reports.cells import Cell, Row, Section, Source, digest_of
from lastro.units import ExactMass, Share, total

COLUMNS = ("material", "base", "target", "owed", "achieved", "balance", "met", "companies_short")


def targets(positions: Sequence[Position], *, article: str, place: tuple[Source, ...]) -> Section:
    """A line for each material group; where one company's cannot be told, neither can the sum."""
    groups = list(dict.fromkeys(one.material for one in positions))
    rows = [_row(name, [p for p in positions if p.material == name], article, place) for name in groups]
    companies = {one.company for one in positions}
    # What is said of one company alone would tell its masses to whoever reads the sum of several.
    alone = len(companies) == 1
    notes = list(dict.fromkeys(note.text for one in positions for note in one.notes)) if alone else []
    if positions:
        notes.append(f"{len(companies)} empresa(s); só as somas aparecem aqui.")
    return Section("targets", COLUMNS, tuple(rows), article, tuple(notes))


def _row(name: str, mine: Sequence[Position], article: str, place: tuple[Source, ...]) -> Row:
    digest = digest_of([one.trace.json() for one in mine])
    source = (*place, Source("rule", article=article, count=len(mine), digest=digest))
    code = next((one.code for one in mine if one.code), "")
    owed = _sum([one.obligation for one in mine])
    achieved = total(one.achieved for one in mine)
    met = [one.met for one in mine]
    cells = {
        "material": Cell(name, "material", source),
        "base": _cell(_sum([one.base for one in mine]), source, code),
        "target": _share([one.target for one in mine], source, code),
        "owed": _cell(owed, source, code),
        "achieved": Cell(achieved, "kg", source),
        "balance": _cell(None if owed is None else achieved.exact - owed, source, code),
        "met": Cell(_all(met), "flag", source, code if _all(met) is None else ""),
        "companies_short": Cell(met.count(False), "count", source),
    }
    return Row(name, cells)


def _all(met: Sequence[bool | None]) -> bool | None:
    """All comply; one that falls short is enough for no, and one unknown for not known."""
    return False if False in met else None if None in met else True


def _sum(parts: Sequence[ExactMass | None]) -> ExactMass | None:
    known = [one for one in parts if one is not None]
    if len(known) < len(parts):
        return None
    return ExactMass(sum((one.mg for one in known), Fraction(0)))


def _cell(value: ExactMass | None, source: tuple[Source, ...], code: str) -> Cell:
    return Cell(value, "kg", source, "" if value is not None else code or "T02")


def _share(shares: Sequence[Share | None], source: tuple[Source, ...], code: str) -> Cell:
    """The target that all have; where they differ there is none of the whole."""
    same = set(shares)
    value = shares[0] if len(same) == 1 else None
    return Cell(value, "share", source, "" if value is not None else code)
