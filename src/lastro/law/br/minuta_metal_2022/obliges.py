"""What the draft would ask of a company for a metal, and whether it would be met. A simulation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from lastro.errors import InputMissing, TextMissing
from lastro.facts import CompanyFacts
from lastro.ids import Material
from lastro.lawkit import Law, Note, Obliged, Settled
from lastro.lawkit.elections import Choice, Judged, Options, Regional
from lastro.lawkit.regulation import Option
from lastro.units import ExactMass, Mass, Share, total

from . import elects, targets

GROUPS = ("aluminium", "steel_other")
GROUPING = {
    Material.ALUMINIUM: "aluminium",
    Material.STEEL: "steel_other",
    Material.OTHER_METAL: "steel_other",
}
REGIONS = {
    "N": ("AC", "AP", "AM", "PA", "RO", "RR", "TO"),
    "NE": ("AL", "BA", "CE", "MA", "PB", "PE", "PI", "RN", "SE"),
    "CO": ("DF", "GO", "MT", "MS"),
    "SE": ("ES", "MG", "RJ", "SP"),
    "S": ("PR", "RS", "SC"),
}
METALS = ("aluminium", "steel")
REGION_OF = {uf: region for region, states in REGIONS.items() for uf in states}
OPTIONS = {
    "art51_III": Option(
        {"material": GROUPS, "from": tuple(REGIONS), "to": tuple(REGIONS), "mass_kg": "mass"},
        by=("material", "from", "to"),
    ),
    "art51_IV": Option(
        {"material": GROUPS, "from": tuple(REGIONS), "to": tuple(REGIONS)}, by=("material", "from")
    ),
    "first_year": Option({"phase2_start": "day"}),
    "surplus": Option({"material": GROUPS, "year": "year", "mass_kg": "mass"}, by=("material", "year")),
    "content": Option({"material": METALS, "recycled_kg": "mass", "total_kg": "mass"}, by=("material",)),
}
NATIONAL = "nacional"
CONTENT = "conteudo"
NOWHERE = ""
NOTHING = ExactMass(Fraction(0))


def obliges(law: Law, company: CompanyFacts, *, year: int, group: str) -> Obliged:
    """The national mass that a metal would owe. Raises InputMissing or TextMissing, never zero."""
    placed = _placed(law, company, year, group)
    base = ExactMass(sum((one.mg for one in placed.values()), Fraction(0)))
    if base == NOTHING:
        return Obliged(base, base, None)
    share = _national(law, company, year, group)
    if _months(law, company, year) == 0:
        return Obliged(NOTHING, base, None, (Note("Sem mês cheio no primeiro ano: nenhuma meta (art. 53)."),))
    whole = targets.target_mass(law, index=share, placed=base)
    return Obliged(max(NOTHING, whole - _deducted(law, company, year, group, whole)), base, share)


def settles(
    law: Law, company: CompanyFacts, *, year: int, group: str, owed: Mapping[str, Obliged | None]
) -> Settled:
    """Whether the whole, every region and the recycled content would be met, with the choices declared."""
    rows = [r for r in company.retired if r.year == year and GROUPING.get(r.material) == group]
    achieved = total(r.mass for r in rows)
    mine = owed.get(group)
    if mine is None:
        return Settled(achieved, None)
    if mine.mass == NOTHING and mine.target is None:
        return Settled(
            achieved, None if mine.base.mg else True
        )  # a year without a target is not a target met
    try:
        case = regional(law, company, year=year, group=group)
    except TextMissing as wrong:
        short = achieved.exact < mine.mass
        return Settled(achieved, False if short else None, (Note(str(wrong), "T01"),))
    judged = elects.judge(law, case, choice(company, group))
    notes = list(_uneven(law, year, group))
    notes += [Note(f"Escolha não permitida: {why}.") for why in judged.refused]
    notes += [
        Note(f"Região {r}: meta de {judged.targets[r]} não alcançada.")
        for r, met in sorted(judged.met.items())
        if not met
    ]
    content, more = _content(law, company, year, group)
    if content is None and more:
        return Settled(achieved, False if not judged.all_met else None, (*notes, *more))
    met = targets.all_met(law, recycling=judged.all_met, content=content)
    return Settled(achieved, met, (*notes, *more))


def regional(law: Law, company: CompanyFacts, *, year: int, group: str) -> Regional:
    """The case of one metal and year by region, as far as indices are loaded. Raises TextMissing."""
    months = _months(law, company, year)
    index = {}
    for region in REGIONS:
        annual = _loaded(law, region, group, year)
        index[region] = (
            annual if months is None else targets.first_year_region(law, annual=annual, months=months)
        )
    achieved: dict[str, ExactMass] = {}
    for row in company.retired:
        if row.year == year and GROUPING.get(row.material) == group:
            region = REGION_OF.get(row.uf, NOWHERE)  # of no region known: it counts for the whole alone
            achieved[region] = achieved.get(region, NOTHING) + row.mass
    placed = _placed(law, company, year, group)
    national = _national(law, company, year, group)
    base = ExactMass(sum((one.mg for one in placed.values()), Fraction(0)))
    whole = targets.target_mass(law, index=national, placed=base)
    return Regional(index, national, placed, achieved, _deducted(law, company, year, group, whole))


def _uneven(law: Law, year: int, group: str) -> tuple[Note, ...]:
    """The regional targets add up to the national one; tables that do not are told, and both are used."""
    regions = sum((_loaded(law, region, group, year).of_one for region in REGIONS), Fraction(0))
    whole = _loaded(law, NATIONAL, group, year)
    if regions == whole.of_one:
        return ()
    return (
        Note(
            f"As metas regionais carregadas somam {Share(regions)} e a nacional é {whole}: confira "
            "as tabelas; cada uma vale pelo que diz (art. 51, § 2º, I).",
            "T06",
        ),
    )


def choice(company: CompanyFacts, group: str) -> Choice:
    """The choices that the facts declare for a metal (options art51_III and art51_IV)."""
    moved: dict[str, ExactMass] = {}
    switched: dict[str, str] = {}
    for one in company.elections:
        if one.get("material") != group:
            continue
        if one.get("option") == "art51_III":
            to = _text(one, "to")
            moved[to] = moved.get(to, NOTHING) + _mass(one, "mass_kg")
        elif one.get("option") == "art51_IV":
            switched[_text(one, "from")] = _text(one, "to")
    return Choice(moved, switched)


def _placed(law: Law, company: CompanyFacts, year: int, group: str) -> dict[str, ExactMass]:
    before = targets.base_year(law, year=year)
    rows = [p for p in company.placed if p.year == before and GROUPING.get(p.material) == group]
    if not rows:
        raise InputMissing(f"massa colocada em {before} não declarada; ausência não é zero (art. 51, § 1º).")
    placed: dict[str, ExactMass] = {}
    for row in rows:
        if row.uf not in REGION_OF:
            raise InputMissing(f"massa de {before} sem estado: as metas são por região (art. 51, § 2º, III).")
        mass = targets.subject_mass(
            law, placed=row.mass.exact, returnable=row.returnable.exact, excluded=NOTHING
        )
        placed[REGION_OF[row.uf]] = placed.get(REGION_OF[row.uf], NOTHING) + mass
    return placed


def _national(law: Law, company: CompanyFacts, year: int, group: str) -> Share:
    annual = _loaded(law, NATIONAL, group, year)
    months = _months(law, company, year)
    if months is None:
        return annual
    metal = "aluminium" if group == "aluminium" else "steel"
    return targets.first_year_share(law, annual=annual, metal=metal, index="recycling", months=months)


def _months(law: Law, company: CompanyFacts, year: int) -> int | None:
    """The whole months of the first year, where the facts say that Phase 2 begins in it."""
    for one in company.elections:
        if one.get("option") == "first_year":
            start = date.fromisoformat(_text(one, "phase2_start"))
            return targets.full_months(law, start=start) if start.year == year else None
    return None


def _deducted(law: Law, company: CompanyFacts, year: int, group: str, whole: ExactMass) -> ExactMass:
    """The part of a target that the declared surplus of earlier years takes away."""
    left = whole
    for one in company.elections:
        if one.get("option") == "surplus" and one.get("material") == group:
            since = year - int(_text(one, "year"))
            left = targets.after_surplus(law, target=left, left_over=_mass(one, "mass_kg"), years_since=since)
    return whole - left


def _content(law: Law, company: CompanyFacts, year: int, group: str) -> tuple[bool | None, tuple[Note, ...]]:
    """Whether the recycled content is enough; None, with a note, where it cannot be told."""
    metal = "aluminium" if group == "aluminium" else "steel"
    declared = next(
        (e for e in company.elections if e.get("option") == "content" and e.get("material") == metal), None
    )
    if declared is None:
        return None, (
            Note("Conteúdo reciclado não informado: a meta conjunta não se pode dizer (art. 58).", "T02"),
        )
    recycled, whole = _mass(declared, "recycled_kg"), _mass(declared, "total_kg")
    if recycled > whole:
        raise InputMissing(
            f"elections, opção content: {recycled} de material reciclado em {whole} ao todo; a parte "
            "reciclada cabe no todo (art. 3º, V)."
        )
    index = targets.content_index(law, recycled=recycled.floor, whole=whole.floor)
    try:
        asked = _loaded(law, CONTENT, metal, year)
    except TextMissing as wrong:
        return None, (Note(str(wrong), "T01"),)
    months = _months(law, company, year)
    if months is not None:
        asked = targets.first_year_share(law, annual=asked, metal=metal, index="content", months=months)
    if index is None:
        return None, (Note("Sem massa, não há índice de conteúdo reciclado (art. 3º, V).", "T02"),)
    return index >= asked, (Note(f"Conteúdo reciclado: {index} de {asked} (arts. 52 e 58)."),)


def _loaded(law: Law, sector: str, group: str, year: int) -> Share:
    found: tuple[Share, ...] = law.targets.shares(sector=sector, material=group, year=year)
    return max(found)


def _text(election: Mapping[str, object], key: str) -> str:
    value = election.get(key)
    if value is None or isinstance(value, (bool, dict, list)):
        raise InputMissing(f"elections, opção {election['option']}: falta “{key}”.")
    return str(value)


def _mass(election: Mapping[str, object], key: str) -> ExactMass:
    try:
        mass = Mass.kg(_text(election, key))
    except ValueError:
        mass = Mass(-1)
    if mass.mg < 0:
        raise InputMissing(
            f'elections, opção {election["option"]}: “{key}” é um número de quilogramas, como "35000".'
        )
    return mass.exact


class Metal:
    """The draft's office of elections: a company's case, what it may choose, how a choice is judged."""

    def regional(self, law: Law, company: CompanyFacts, *, year: int, group: str) -> Regional:
        return regional(law, company, year=year, group=group)

    def options(self, law: Law, case: Regional) -> Options:
        return elects.options(law, case)

    def judge(self, law: Law, case: Regional, choice: Choice) -> Judged:
        return elects.judge(law, case, choice)


METAL = Metal()
