"""What a company proved under the decree, and whether it is enough."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from lastro.facts import CompanyFacts, Retired
from lastro.ids import Origin
from lastro.lawkit import Law, Note, Obliged, Settled, listening
from lastro.lawkit.glossary import label
from lastro.lawkit.regulation import Option
from lastro.lawkit.trace import silence
from lastro.units import ZERO, ExactMass, Mass, total

from . import rules
from .geographic import geographic
from .obliges import GROUPING, NOTHING

OPTIONS = {"art43": Option(), "municipalities": Option({"codes": "towns"})}


def settles(
    law: Law, company: CompanyFacts, *, year: int, group: str, owed: Mapping[str, Obliged | None]
) -> Settled:
    """Judge one material group: by its own material, or by the halves of a structuring system."""
    achieved, notes = _achieved(law, company, year, group)
    mine = owed.get(group)
    if mine is None:
        return Settled(achieved, None, notes)
    if mine.target is not None:
        mine_alone = [m for m, g in GROUPING.items() if g == group]
        notes += geographic(law, company, year=year, materials=mine_alone, target=mine.target)
    if mine.mass == NOTHING or rules.met_by_material(law, owed=mine.mass, achieved=achieved):
        return Settled(achieved, True, notes)
    if company.scheme != "structuring":
        return Settled(achieved, False, (*notes, *_not_chosen(company)))
    met, more = _structuring(law, company, year, group, owed)
    return Settled(achieved, met, (*notes, *more))


def _structuring(
    law: Law, company: CompanyFacts, year: int, group: str, owed: Mapping[str, Obliged | None]
) -> tuple[bool | None, tuple[Note, ...]]:
    """A structuring system short in its own material may still meet the target by what knows no material."""
    partners = company.extra.get("formal_partnerships")
    if partners is False:
        return False, (
            Note("Sem parcerias formais, não há metade livre (art. 44, I)."),
            *_not_chosen(company),
        )
    mine = owed[group]
    assert mine is not None, "judged only where the own obligation is known"
    known = {g: o.mass for g, o in owed.items() if o is not None}
    with silence():
        proved = {g: _achieved(law, company, year, g)[0] for g in owed}
    every = _asks_every(company) and partners is True
    if not every and not rules.material_half_met(law, owed=mine.mass, achieved=proved[group]):
        return False, _not_chosen(company)
    if len(known) < len(owed):
        missing = ", ".join(label(g) for g in owed if g not in known)
        unknown = Note(f"A apuração conjunta depende de obrigação não conhecida: {missing}.", "T01")
        return None, (unknown, *_not_chosen(company))
    notes = () if partners else (Note("Metade livre sujeita às parcerias formais (arts. 44, I, e 45)."),)
    judge = rules.met_regardless_of_material if every else rules.free_half_met
    return judge(law, owed=known, achieved=proved), (*notes, *_not_chosen(company))


def _asks_every(company: CompanyFacts) -> bool:
    return any(one.get("option") == "art43" for one in company.elections)


def _not_chosen(company: CompanyFacts) -> tuple[Note, ...]:
    """Why the option of art. 43, where the company asks for it, is not applied."""
    partners = company.extra.get("formal_partnerships")
    if company.scheme != "structuring":
        why = "só o sistema estruturante a tem"
    elif partners is None:
        why = "falta dizer em “formal_partnerships”, true ou false, se há parcerias formais"
    elif partners is False:
        why = "não há parcerias formais"
    else:
        return ()
    return (Note(f"Opção do art. 43 não aplicada: {why}."),) if _asks_every(company) else ()


def _achieved(law: Law, company: CompanyFacts, year: int, group: str) -> tuple[Mass, tuple[Note, ...]]:
    """The mass that counts for a group in a year, by origin, and what was left out."""
    cite = law.norm.cite(("art57", "art70"))
    rows = [r for r in company.retired if r.year == year and GROUPING.get(r.material) == group]
    here = [r for r in rows if r.uf == law.norm.jurisdiction]
    notes = _left_out(rows, here, law.norm.jurisdiction)
    counted = ExactMass(Fraction(0))
    with listening(f"Massa comprovada em {year}: {label(group)}", article=cite) as step:
        for origin in (*Origin, None):
            mine = [r for r in here if r.origin is origin]
            if mine:
                mass, more = _of_origin(law, company.scheme, origin, mine)
                counted, notes = counted + mass, (*notes, *more)
        step.value = counted.floor
    return counted.floor, notes


def _left_out(rows: list[Retired], here: list[Retired], uf: str) -> tuple[Note, ...]:
    nowhere = total(r.mass for r in rows if not r.uf)
    away = total(r.mass for r in rows) - total(r.mass for r in here) - nowhere
    notes = []
    if away:
        notes.append(Note(f"{away} coletados fora de {uf} não contam aqui.", "T03"))
    if nowhere:
        notes.append(Note(f"{nowhere} sem lugar de coleta conhecido não contam aqui.", "T03"))
    return tuple(notes)


def _not_counted(origin: Origin, name: str, mass: Mass) -> Note:
    if origin is Origin.PRIVATE_RECYCLER:
        return Note(f"{mass} de {name} só contam em sistema com certificados (art. 28).", "T03")
    return Note(f"{mass} de {name}: origem que os arts. 27 e 28 não listam; não contam.", "T03")


def _of_origin(
    law: Law, scheme: str, origin: Origin | None, rows: list[Retired]
) -> tuple[ExactMass, tuple[Note, ...]]:
    whole, aerosol = total(r.mass for r in rows), total(r.aerosol for r in rows)
    notes: tuple[Note, ...] = ()
    name = label(origin.value) if origin else "origem não informada"
    with listening(f"De {name}", article=law.norm.cite(("art27", "art28"))) as step:
        if origin is None:
            notes = (Note(f"{whole} sem origem informada (arts. 27 e 28)."),)
        elif not rules.origin_counts_in_scheme(law, origin=origin, scheme=scheme):
            step.value = ZERO
            return NOTHING, (_not_counted(origin, name, whole),)
        mass = whole.exact
        if origin is Origin.PRIVATE_RECYCLER:
            upstream = total(r.upstream_counted for r in rows)
            mass = rules.recycler_mass(law, mass=whole, upstream_counted=upstream).exact
        if aerosol:
            mass = rules.without_aerosols(law, mass=mass, aerosol=aerosol.exact)
        step.value = mass
    return mass, notes
