"""What the decree asks of a company: the mass to recover of each material."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from lastro.errors import InputMissing
from lastro.facts import Basis, CompanyFacts, Placement
from lastro.ids import Material
from lastro.lawkit import Law, Note, Obliged
from lastro.lawkit.glossary import label
from lastro.lawkit.trace import note_value, silence
from lastro.units import ExactMass, Mass, Share

from . import rules

GROUPS = ("glass", "paper", "plastic", "metals")
GROUPING = {
    Material.GLASS: "glass",
    Material.PAPER: "paper",
    Material.CARTON: "paper",  # leitura: cartonada-com-papel
    Material.PLASTIC: "plastic",
    Material.STEEL: "metals",
    Material.ALUMINIUM: "metals",
    Material.OTHER_METAL: "metals",
}
NOTHING = ExactMass(Fraction(0))


@dataclass(frozen=True)
class _Placed:
    """Packaging placed on the market of Mato Grosso: all of it, and the parts the law sets apart."""

    all: ExactMass
    returnable: ExactMass
    aerosol: ExactMass
    proxy: bool = False
    unused: bool = False

    def __add__(self, other: _Placed) -> _Placed:
        return _Placed(
            self.all + other.all,
            self.returnable + other.returnable,
            self.aerosol + other.aerosol,
            self.proxy or other.proxy,
            self.unused or other.unused,
        )


def obliges(law: Law, company: CompanyFacts, *, year: int, group: str) -> Obliged:
    """The mass a company must recover of one group in a year: target less discount, on its one-way mass.

    Raises InputMissing where the base year was not declared, TextMissing where the target is not loaded.
    A declared zero is a zero: no target is asked for, and nothing is owed.
    """
    before = rules.base_year(law, year=year)
    placed = _placed_of(law, company, before, [m for m, g in GROUPING.items() if g == group])
    if placed is None:
        raise InputMissing(
            f"massa colocada no mercado de Mato Grosso em {before} não declarada: {label(group)}. "
            "Ausência não é zero: declare a massa, ou zero se nada foi colocado."
        )
    notes = _beside(law, company, placed)
    base = _base(law, placed)
    if base == NOTHING:
        return Obliged(
            NOTHING, NOTHING, None, (*notes, Note(f"Nada descartável em {before}: sem obrigação."))
        )
    target = _target(law, company, year, group)
    target, more = _less_returnables(law, company, before, target)
    return Obliged(rules.target_mass(law, target=target, placed=base), base, target, (*notes, *more))


def _beside(law: Law, company: CompanyFacts, placed: _Placed) -> list[Note]:
    """What has to be said beside an obligation: how the mass is known, what the firm's size spares."""
    notes = []
    if placed.proxy:
        notes.append(Note("Massa de Mato Grosso estimada pela participação no ICMS (art. 72)."))
    if placed.unused:
        notes.append(Note("Massa do país não usada: há declaração do estado (art. 72)."))
    with silence():
        exempt = rules.exempt_from_plan(law, size=company.size, declared=True)
    if exempt:
        notes.append(Note("Porte sem plano nem relatório enquanto entregar a declaração anual (art. 14, I)."))
    return notes


def _target(law: Law, company: CompanyFacts, year: int, group: str) -> Share:
    """The target in force: a justified term's own, else the strictest of the sources loaded and the term."""
    term = next(
        (t for t in company.extra.get("term_targets", ()) if (t["material"], t["year"]) == (group, year)),
        None,
    )
    if term is not None:
        own = Share.parse(term["share"])
        note_value("Meta do termo", own, article=f"fonte: {term['source']}", basis=Basis(term["basis"]))
        if term["justified"]:
            return rules.term_target(law, target=own, term=own, justified=True)
    shares = law.targets.shares(sector=company.sector, material=group, year=year)
    target: Share = rules.strictest(law, targets=shares) if len(shares) > 1 else shares[0]
    return rules.term_target(law, target=target, term=own, justified=False) if term is not None else target


def _base(law: Law, placed: _Placed) -> ExactMass:
    base = placed.all
    if placed.returnable != NOTHING:
        base = rules.one_way_mass(law, placed=base, returnable=placed.returnable)
    if placed.aerosol != NOTHING:
        base = rules.without_aerosols(law, mass=base, aerosol=placed.aerosol)
    return base


def _less_returnables(
    law: Law, company: CompanyFacts, year: int, target: Share
) -> tuple[Share, tuple[Note, ...]]:
    here = [p for p in company.placed if p.year == year and (p.national or p.uf == law.norm.jurisdiction)]
    if not any(p.returnable for p in here):
        return target, ()
    if not rules.returnables_allowed(law, scheme=company.scheme, sector=company.sector):
        why = "arts. 49 e 50" if company.scheme else "o sistema da empresa não é conhecido (arts. 49 e 50)"
        return target, (Note(f"Sem desconto por retornáveis: {why}."),)
    if company.extra.get("returnables_report") is False:
        return target, (Note("Sem desconto por retornáveis: falta o relatório do art. 46, § 3º."),)
    with silence():
        whole = _placed_of(law, company, year, [*GROUPING, Material.OTHER])
    if whole is None or whole.returnable == NOTHING:
        return target, ()
    discount = rules.returnables_discount(law, target=target, returnable=whole.returnable, placed=whole.all)
    notes = [] if "returnables_report" in company.extra else [
        Note("Desconto por retornáveis sujeito ao relatório específico (art. 46, § 3º), não conferido aqui.")
    ]  # fmt: skip
    with silence():
        points = rules.returnable_points(law, returnable=whole.returnable, placed=whole.all)
    if discount < points:
        notes.append(Note("O desconto por retornáveis parou no teto (art. 46, § 2º).", "T08"))
    return target - discount, tuple(notes)


def _placed_of(law: Law, company: CompanyFacts, year: int, materials: Iterable[Material]) -> _Placed | None:
    """What was placed of some materials in a year; None when nothing at all was declared of them."""
    found: _Placed | None = None
    for material in materials:
        rows = [p for p in company.placed if p.material is material and p.year == year]
        here = [p for p in rows if p.uf == law.norm.jurisdiction and not p.national]
        country = [p for p in rows if p.national]
        for row in here or country:
            one = _apportioned(law, company, row) if row.national else _as_declared(row)
            one = replace(one, unused=bool(here and country))
            found = one if found is None else found + one
    return found


def _as_declared(row: Placement) -> _Placed:
    return _Placed(row.mass.exact, row.returnable.exact, row.aerosol.exact)


def _apportioned(law: Law, company: CompanyFacts, row: Placement) -> _Placed:
    share = _icms_share(law, company, row.year)

    def here(national: Mass) -> ExactMass:
        return rules.icms_proxy(law, national=national, icms_share=share)

    mass = here(row.mass)
    with silence():
        return _Placed(mass, here(row.returnable), here(row.aerosol), proxy=True)


def _icms_share(law: Law, company: CompanyFacts, year: int) -> Share:
    """The state's part of the ICMS revenue of a year, given with its source: the decree does not fix it."""
    for row in company.extra.get("icms", ()):
        if row["year"] == year:
            value = Share.parse(row["share"])
            article = f"{law.norm.cite(rules.icms_proxy.provisions)}; fonte: {row['source']}"
            basis = Basis(row.get("basis", "official"))
            note_value(f"Participação de Mato Grosso no ICMS, {year}", value, article=article, basis=basis)
            return value
    unknown: Share = law.icms.share
    return unknown
