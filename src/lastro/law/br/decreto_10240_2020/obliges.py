"""What the decree asks of a company or of the members of a system, and whether what was proved is enough."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from lastro.errors import InputMissing, TextMissing
from lastro.facts import CompanyFacts
from lastro.ids import Material
from lastro.lawkit import Law, Note, Obliged, Settled
from lastro.lawkit.regulation import Option
from lastro.units import ExactMass, Mass, Share, total

from . import rules

GROUP = "electronics"
GROUPS = (GROUP,)
GROUPING = {Material.ELECTRONICS: GROUP}
SECTOR = "eletroeletronicos"
COUNTRY = "BR"
CREDITS = ("phase1", "surplus")
OPTIONS = {
    "base_year": Option({"year": "year", "grounds": "flag"}),
    "phase1": Option({"mass_kg": "mass"}),
    "surplus": Option({"year": "year", "mass_kg": "mass"}, by=("year",)),
}


def obliges(law: Law, company: CompanyFacts, *, year: int, group: str) -> Obliged:
    """The year's share of the weight sold in the base year. Raises InputMissing or TextMissing."""
    other = next((e for e in company.elections if e.get("option") == "base_year"), None)
    base_year = rules.base_year(
        law,
        other=None if other is None else _year_of(other),
        grounds=other is not None and other.get("grounds") is True,
    )
    if company.sector != SECTOR:
        raise InputMissing(
            f"o setor informado é “{company.sector}”, e as metas deste decreto são do setor “{SECTOR}”: "
            f'escreva "sector": "{SECTOR}" (art. 1º).'
        )
    rows = [p for p in company.placed if p.year == base_year and p.material is Material.ELECTRONICS]
    if not rows:
        raise InputMissing(
            f"peso vendido em {base_year}, o ano-base, não declarado; ausência não é zero (arts. 51 e 52)."
        )
    states = sorted({p.uf for p in rows if p.uf != COUNTRY and not p.national})
    if states:
        raise InputMissing(
            f"peso de {base_year} informado por estado ({', '.join(states)}); o ano-base é o peso vendido no "
            "país: informe uma linha só, com uf “BR” (arts. 51 e 52)."
        )
    base = ExactMass(Fraction(sum(p.mass.mg for p in rows)))
    if base == rules.NOTHING:
        return Obliged(base, base, None, (Note("Nada vendido no ano-base: nada se deve (art. 49, § 2º)."),))
    target, notes = _target(law, company, year)
    return Obliged(rules.target_mass(law, target=target, base=base), base, target, notes)


def _target(law: Law, company: CompanyFacts, year: int) -> tuple[Share, tuple[Note, ...]]:
    """The fifth year's from the decree, the others' from what was loaded.

    After the fifth nothing is implied.
    """
    known = rules.fifth_year_target(law, year=year)
    if known is not None:
        return known, _unused(law, company, year, known)
    try:
        return max(law.targets.shares(sector=company.sector, material=GROUP, year=year)), ()
    except TextMissing as wrong:
        last = law.fifth_year.year
        if year > last:
            raise TextMissing(
                f"a meta de {last} ({law.fifth_year.target}) está vencida e não se aplica a {year}; {wrong}"
            ) from wrong
        raise


def _unused(law: Law, company: CompanyFacts, year: int, known: Share) -> tuple[Note, ...]:
    """A target loaded for the year that the decree itself fixes is told, and not used."""
    try:
        loaded = law.targets.shares(sector=company.sector, material=GROUP, year=year)
    except TextMissing:
        return ()
    said = ", ".join(str(one) for one in loaded)
    return (Note(f"Meta carregada para {year} ({said}) não usada: o decreto fixa {known} (art. 49, § 1º)."),)


def settles(
    law: Law, company: CompanyFacts, *, year: int, group: str, owed: Mapping[str, Obliged | None]
) -> Settled:
    """What was destined with proof in the year, anywhere, and the credits that cover a shortfall."""
    rows = [r for r in company.retired if r.year == year and r.material is Material.ELECTRONICS]
    proved = total(r.mass for r in rows)
    achieved = rules.counted(law, checked=proved, proved=proved)
    mine = owed.get(group)
    if mine is None:
        return Settled(achieved, None)
    short = mine.mass - achieved
    if short <= rules.NOTHING:
        extra = rules.surplus(law, attained=achieved.exact, target=mine.mass)
        note = (
            (Note(f"Sobra de {extra}, que pode cobrir anos seguintes (art. 50, § 2º)."),) if extra.mg else ()
        )
        return Settled(achieved, True, note)
    credits, notes = _credits(law, company, year)
    used = rules.credit_used(law, shortfall=short, credits=credits)
    if used == rules.NOTHING:
        return Settled(achieved, False, notes)
    told = Note(f"Crédito de {used} usado na falta (art. 50, §§ 1º e 2º).")
    return Settled(achieved, used >= short, (*notes, told))


def _credits(law: Law, company: CompanyFacts, year: int) -> tuple[tuple[Mass, ...], tuple[Note, ...]]:
    """The credits that the facts declare, oldest first: Phase 1, then the surplus of each earlier year.

    A surplus covers later years alone, and only Phase 2 has any: another is told, and covers nothing.
    """
    found = [e for e in company.elections if e.get("option") in CREDITS]
    found.sort(key=lambda e: (e["option"] != "phase1", 0 if e["option"] == "phase1" else _year_of(e)))
    first = date.fromisoformat(law.phase.second_begins).year
    fit, notes = [], []
    for one in found:
        if one["option"] == "phase1" or first <= _year_of(one) < year:
            fit.append(_mass_of(one))
        else:
            notes.append(
                Note(
                    f"Sobra de {_year_of(one)} não usada: só a de ano da Fase 2 (desde {first}) e anterior a "
                    f"{year} cobre a meta de {year} (art. 50, § 2º)."
                )
            )
    return tuple(fit), tuple(notes)


def _year_of(election: Mapping[str, object]) -> int:
    year = election.get("year")
    if type(year) is not int:
        raise InputMissing(f"elections, opção {election['option']}: falta “year”, um ano como 2024.")
    return year


def _mass_of(election: Mapping[str, object]) -> Mass:
    try:
        mass = Mass.kg(str(election["mass_kg"]))
    except (KeyError, ValueError):
        mass = Mass(-1)
    if mass.mg < 0:
        raise InputMissing(
            f'elections, opção {election["option"]}: falta “mass_kg”, como "2000" quilogramas.'
        )
    return mass
