"""What would change: the same companies settled twice, as they are and as they are supposed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from lastro import jsonfile
from lastro.facts import CompanyFacts, TargetRow
from lastro.jsonfile import Node, once_each
from lastro.lawkit import Regulation
from lastro.obligations.facts_file import Facts, company_row, target_row
from lastro.obligations.options_file import Options, election
from lastro.obligations.positions import Position
from lastro.obligations.settle import settle

EVERYBODY = "*"


@dataclass(frozen=True)
class Change:
    """What is supposed: targets in place of those loaded, choices in place of a company's, companies anew.

    Choices under "*" are everybody's. A target takes the place of those of its sector, material and year.
    """

    targets: tuple[TargetRow, ...] = ()
    elections: tuple[tuple[str, dict[str, Any]], ...] = ()
    companies: tuple[CompanyFacts, ...] = ()


@dataclass(frozen=True)
class Row:
    """One company's material, before and after; None where there is no such position."""

    company: str
    material: str
    before: Position | None
    after: Position | None


@dataclass(frozen=True)
class Totals:
    """How many positions are met, not met, or can't be told, and the mass owed where it can."""

    met: int
    unmet: int
    unknown: int
    owed_mg: Fraction


def parse_change(
    text: str, *, options: Options | None = None, companies: Sequence[str] | None = None
) -> Change:
    """Read what is supposed. Raises JsonRefused naming every place that has to be mended.

    `options` are those of the norm and `companies` those of the facts; what is neither is refused (None: not
    looked at).
    """
    return jsonfile.read_document(text, lambda top: _change(top, options, companies))


def _change(top: Node, options: Options | None, known: Sequence[str] | None) -> Change:
    made = Change(
        targets=top.each("targets", target_row),
        elections=top.each("elections", lambda row: _election(row, options)),
        companies=top.each("companies", lambda row: company_row(row, (), options=options)),
    )
    top.close()
    once_each(top, "targets", [(t.sector, t.material, t.year) for t in made.targets])
    once_each(top, "companies", [one.cnpj for one in made.companies])
    once_each(top, "elections", [(who, tuple(sorted(map(str, one.items())))) for who, one in made.elections])
    if known is not None:
        there = {EVERYBODY, "", *known, *(one.cnpj for one in made.companies)}
        for i, (who, _) in enumerate(made.elections):
            if who not in there:
                top.wrong(f"elections[{i}].company", who, "uma empresa dos fatos ou de companies, ou “*”")
    if not (made.targets or made.elections or made.companies):
        top.wrong("targets", None, "ao menos uma mudança em targets, elections ou companies")
    return made


def _election(row: Node, options: Options | None) -> tuple[str, dict[str, Any]]:
    who = row.need("company", _who, "", "o CNPJ da empresa como nos fatos, ou “*” para todas")
    chosen = election(row, options)
    return who, {key: value for key, value in chosen.items() if key != "company"}


def _who(value: Any) -> str:
    return EVERYBODY if value == EVERYBODY else jsonfile.cnpj(value)


def changed(facts: Facts, change: Change) -> Facts:
    """The facts with what is supposed in place of what is."""
    replaced = {(t.sector, t.material, t.year) for t in change.targets}
    kept = [t for t in facts.targets if (t.sector, t.material, t.year) not in replaced]
    anew = {one.cnpj: one for one in change.companies}
    companies = [_choosing(anew.pop(one.cnpj, one), change) for one in facts.companies]
    companies += [_choosing(one, change) for one in anew.values()]
    return replace(facts, targets=(*kept, *change.targets), companies=tuple(companies))


def _choosing(company: CompanyFacts, change: Change) -> CompanyFacts:
    mine = tuple(choice for who, choice in change.elections if who in (EVERYBODY, company.cnpj))
    return replace(company, elections=mine) if mine else company


def simulate(regulation: Regulation, facts: Facts, change: Change, *, as_of: date) -> tuple[Row, ...]:
    """Every position of either world, by company and material. Nothing is kept and nothing is loaded."""
    before = _positions(regulation, facts, as_of)
    after = _positions(regulation, changed(facts, change), as_of)
    return tuple(Row(*key, before.get(key), after.get(key)) for key in sorted({*before, *after}))


def _positions(regulation: Regulation, facts: Facts, as_of: date) -> dict[tuple[str, str], Position]:
    made = {}
    for company in facts.companies:
        settled = settle(
            regulation, company, year=facts.year, targets=facts.targets, as_of=as_of, explain=False
        )
        made.update({(one.company, one.material): one for one in settled})
    return made


def totals(positions: Iterable[Position | None]) -> Totals:
    """The positions of one world, counted and added up."""
    known: Sequence[Position] = [one for one in positions if one is not None]
    owed = sum((one.obligation.mg for one in known if one.obligation is not None), Fraction(0))
    return Totals(
        met=sum(one.met is True for one in known),
        unmet=sum(one.met is False for one in known),
        unknown=sum(one.met is None for one in known),
        owed_mg=owed,
    )
