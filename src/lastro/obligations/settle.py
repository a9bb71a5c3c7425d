"""Settle a company's targets: a position for every material group in question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lastro.errors import InputMissing, NotInForce, TextMissing
from lastro.facts import Basis, CompanyFacts, TargetRow
from lastro.lawkit import Law, Obliged, Regulation, Settled, Step, listening
from lastro.lawkit.glossary import capital, label
from lastro.lawkit.tables import known_by
from lastro.lawkit.trace import quietly, silence
from lastro.obligations.positions import Position
from lastro.units import ZERO, Mass


@dataclass(frozen=True)
class _Owed:
    """What a group owes, or why it cannot be told, with the explanation so far."""

    step: Step
    obliged: Obliged | None
    code: str = ""
    message: str = ""


def settle(
    regulation: Regulation,
    company: CompanyFacts,
    *,
    year: int,
    targets: Sequence[TargetRow],
    as_of: date,
    basis: Basis = Basis.OFFICIAL,
    explain: bool = True,
) -> tuple[Position, ...]:
    """The positions of one company under a norm for the year of a target, in the norm's order of materials.

    Parameters are read on 31 December of that year (decision 15); rows of targets count when loaded by
    `as_of`. `basis` is that of the facts themselves. A value that is not in force or not loaded is T01 on its
    own position, a fact not given is T02; neither is ever taken for zero. Without `explain` the same
    positions come with an empty trace, for when there are very many; any is explained by asking again.
    """
    if not explain:
        with quietly():
            return settle(regulation, company, year=year, targets=targets, as_of=as_of, basis=basis)
    assert regulation.obliges, "the norm sets no obligations"
    assert regulation.settles, "the norm settles no targets"
    law = regulation.law(date(year, 12, 31), targets=known_by(targets, as_of=as_of))
    owed = {
        group: _owed(regulation, law, company, year, group)
        for group in _in_question(regulation, company, year)
    }
    known = {group: one.obliged for group, one in owed.items()}
    positions = []
    for group, one in owed.items():
        settled = _settled(regulation, law, company, year, group, known, one)
        positions.append(_position(law, company, year, group, one, settled, basis))
    return tuple(positions) + _ungrouped(regulation, law, company, year, basis)


def undeclared(regulation: Regulation, company: CompanyFacts, *, year: int) -> tuple[str, ...]:
    """The groups of a norm of which nothing was declared or proved: not zero, just not in question."""
    asked = _in_question(regulation, company, year)
    return tuple(g for g in regulation.groups if g not in asked)


def _in_question(regulation: Regulation, company: CompanyFacts, year: int) -> tuple[str, ...]:
    """Groups of which the company declared or proved anything; all of them when it declared nothing."""
    declared = {regulation.group(p.material) for p in company.placed if p.year < year}
    proved = {regulation.group(r.material) for r in company.retired if r.year == year}
    return tuple(g for g in regulation.groups if g in declared | proved or not declared)


def _owed(regulation: Regulation, law: Law, company: CompanyFacts, year: int, group: str) -> _Owed:
    assert regulation.obliges
    norm = law.norm.short_title
    with listening(f"{capital(label(group))}, {law.norm.jurisdiction}, {year}", article=norm) as step:
        with listening("Massa devida", article=norm) as part:
            try:
                obliged = regulation.obliges(law, company, year=year, group=group)
            except (TextMissing, NotInForce) as wrong:
                return _Owed(step, None, "T01", str(wrong))
            except InputMissing as wrong:
                return _Owed(step, None, "T02", str(wrong))
            part.value = obliged.mass
        return _Owed(step, obliged)


def _settled(
    regulation: Regulation,
    law: Law,
    company: CompanyFacts,
    year: int,
    group: str,
    known: dict[str, Obliged | None],
    one: _Owed,
) -> Settled:
    assert regulation.settles
    with silence(), listening("Massa comprovada e resultado", article=law.norm.short_title) as part:
        try:
            settled = regulation.settles(law, company, year=year, group=group, owed=known)
        except (TextMissing, NotInForce):
            assert one.code, "a norm that can oblige on a day can settle on it"
            settled = Settled(ZERO, None)
        part.value = settled.achieved
    one.step.children.append(part)
    return settled


def _position(
    law: Law, company: CompanyFacts, year: int, group: str, one: _Owed, settled: Settled, basis: Basis
) -> Position:
    one.step.value = _result(settled.met)
    obliged = one.obliged
    notes = (*(obliged.notes if obliged else ()), *settled.notes)
    doubt = next((n for n in settled.notes if n.code == "T01"), None) if settled.met is None else None
    return Position(
        company=company.cnpj,
        material=group,
        scope=law.norm.jurisdiction,
        year=year,
        base=obliged.base if obliged else None,
        target=obliged.target if obliged else None,
        obligation=obliged.mass if obliged else None,
        achieved=settled.achieved,
        met=settled.met,
        code=one.code or (doubt.code if doubt else ""),
        message=one.message or (doubt.text if doubt else ""),
        notes=notes,
        basis=basis.worst(one.step.worst_basis),
        trace=one.step,
    )


def _result(met: bool | None) -> str:
    return {True: "cumprida", False: "não cumprida", None: "não apurável"}[met]


def _ungrouped(
    regulation: Regulation, law: Law, company: CompanyFacts, year: int, basis: Basis
) -> tuple[Position, ...]:
    """Materials that were declared or proved and that the norm has no group for: said, not dropped (T03)."""
    rows = [p.material for p in company.placed if p.year < year] + [
        r.material for r in company.retired if r.year == year
    ]
    text = f"material sem grupo em {law.norm.short_title}; as suas linhas não foram usadas."
    return tuple(
        Position(
            company=company.cnpj, material=material.value, scope=law.norm.jurisdiction, year=year, base=None,
            target=None, obligation=None, achieved=Mass(0), met=None, code="T03", message=text, notes=(),
            basis=basis, trace=Step(capital(label(material.value)), "não apurável"),
        )
        for material in dict.fromkeys(rows)
        if regulation.group(material) is None
    )  # fmt: skip
