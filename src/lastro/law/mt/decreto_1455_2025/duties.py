"""Who answers for what under the decree, and what releases them (arts. 6º to 15)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from lastro.lawkit import Law, rule
from lastro.units import ZERO, Mass, Share

CHAIN = ("manufacturer", "importer", "distributor", "merchant")
SMALL_FIRMS_MAY = "II-"
OVERLAPS = frozenset({frozenset({"I-c", "I-k"})})

TERM_MOVES = {
    ("draft", "in_force"): "agency",
    ("in_force", "revised"): "agency",
    ("revised", "in_force"): "agency",
    ("in_force", "rescinded"): "agency",
    ("in_force", "expired"): "time",
}


@cache
def catalogue() -> Mapping[str, str]:
    """The classes of products and packaging of art. 6º, by code."""
    return tomllib.loads(files(__package__).joinpath("catalogue.toml").read_text("utf-8"))


@rule(provisions=("pre5-pu",), label="Cumprimento provado")
def compliance_proved(law: Law, *, documents: int, reports: int, certificates: int) -> bool:
    """Compliance is proved by documents, reports or certificates; without any it is not proved."""
    return documents + reports + certificates > 0


@rule(provisions=("art6",), label="Obrigada à logística reversa")
def obliged(law: Law, *, roles: tuple[str, ...], listed: bool) -> bool:
    """Whoever makes, imports, distributes or sells a listed product runs a system of its own."""
    return listed and any(role in CHAIN for role in roles)


@rule(
    provisions=("art6-p1-I", "art6-p1-II", "art6-p1-II-f", "art6-p1-III"),
    label="Classe da relação de produtos",
)
def class_listed(law: Law, *, code: str, act_in_force: bool) -> bool:
    """The classes of the decree stand; what else enters II-f, an act of the agency says."""
    return code in catalogue() or (code.startswith("II-f-") and act_in_force)


@rule(
    provisions=("art6-p1-I-f",),
    label="Classe do produto com bateria que não se retira",
    reading="uma-classe-por-massa",
)
def battery_class(law: Law, *, built_in_battery: bool, code: str) -> str:
    """A product whose battery can't be taken out is of the batteries' class, and counts once."""
    return "I-f" if built_in_battery else code


@rule(
    provisions=("art6-p1-I-ck",),
    label="Massa ainda não declarada em classe que se sobrepõe",
    reading="uma-classe-por-massa",
)
def class_free(law: Law, *, code: str, declared: tuple[str, ...]) -> bool:
    """Edible oil and vegetable oil residues overlap: one mass is declared in one of them."""
    return code not in declared and not any(frozenset({code, other}) in OVERLAPS for other in declared)


@rule(provisions=("art6-p2",), label="Em prazo de adequação")
def in_adaptation(law: Law, *, on: date, added_on: date, days: int) -> bool:
    """When the agency adds a product, it sets a period to adapt; until its last day nobody is in default."""
    return added_on <= on <= added_on + timedelta(days=days)


@rule(provisions=("art7",), label="Passo do termo de compromisso")
def term_step(law: Law, *, before: str, after: str, by: str) -> bool:
    """The agency signs, revises and rescinds terms; they expire by themselves."""
    return TERM_MOVES.get((before, after)) == by


@rule(provisions=("art7-p1",), label="Termo abaixo do acordo federal")
def below_federal(law: Law, *, term: Share, federal: Share) -> bool:
    """A federal agreement asks for every term to be revised, and for none to be weaker."""
    return term < federal


@rule(
    provisions=("art7-p4", "art15-IV"),
    label="Meta de quem está fora de termos",
    reading="termo-semelhante-nomeado",
)
def outsider_target(law: Law, *, own: Share | None, similar: Share | None) -> Share | None:
    """Who has no term is held to that of makers of equal or similar products; None: no such term is known."""
    return own if own is not None else similar


@rule(provisions=("art11-p1",), label="Comprovação do detentor da marca completa")
def route_complete(law: Law, *, statement: bool, in_plan: bool, report_delivered: bool) -> bool:
    """A brand owner shows compliance by statement, or by a plan with its annual report delivered."""
    return statement or (in_plan and report_delivered)


@rule(provisions=("art11-p2",), label="Coberta pelo plano da detentora")
def covered_by_owner(law: Law, *, on: date, adhered_from: date | None, adhered_to: date | None) -> bool:
    """Who does not own the brand is covered on the days on which its owner is in a plan."""
    if adhered_from is None or on < adhered_from:
        return False
    return adhered_to is None or on <= adhered_to


@rule(provisions=("art11-p3",), label="Cobertura a conferir antes de declarar")
def coverage_needed(law: Law, *, maker_licensed: bool, owner_licensed: bool, covered: bool) -> bool:
    """A licensed maker for an unlicensed owner sees to it that the product is in a registered plan."""
    return maker_licensed and not owner_licensed and not covered


@rule(
    provisions=("art11-p4", "art11-p4-I", "art11-p4-II", "art11-p4-III", "art11-p4-IV"),
    label="Declaração da detentora completa",
)  # fmt: skip
def statement_complete(
    law: Law, *, named: bool, cnpj_valid: bool, system_registered: bool, period: bool, declared: bool
) -> bool:
    """The owner's statement has its name and CNPJ, its system, the period, and says that it covers."""
    return named and cnpj_valid and system_registered and period and declared


@rule(provisions=("art11-p4-III",), label="Dias do ano sem cobertura")
def uncovered_days(law: Law, *, year: int, covered_from: date, covered_to: date) -> int:
    """The days of a year that the statement does not cover."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    begins, ends = max(first, covered_from), min(last, covered_to)
    covered = max(0, (ends - begins).days + 1)
    return (last - first).days + 1 - covered


@rule(provisions=("art11-p5",), label="Quem responde pelo produto", reading="dever-muda-por-data")
def answers(law: Law, *, statement: bool, owner_performs: bool) -> str:
    """The brand's owner answers; without its statement, or if it does nothing, the maker does."""
    return "owner" if statement and owner_performs else "maker"


@rule(provisions=("art12", "art12-pu", "art12-d"), label="Massa pela qual a montadora responde")
def car_maker_mass(
    law: Law, *, vehicles: int, each: Mass, lubricant: bool, own_or_imported: bool, covered: bool
) -> Mass:
    """A car maker answers for the parts of its cars, for lubricants only if its own or imported.

    What is in a system of the parts' own importers or makers releases it.
    """
    if covered or (lubricant and not own_or_imported):
        return ZERO
    return Mass(vehicles * each.mg)


@rule(provisions=("art13",), label="Posto de combustíveis em ordem")
def fuel_station_in_order(law: Law, *, movements_registered: bool) -> bool:
    """A fuel station presents no plan and no report, and registers the movement of its waste."""
    return movements_registered


@rule(provisions=("art14-p1", "art14-p1-d"), label="Produto que a dispensa do porte alcança")
def small_firm_product(law: Law, *, code: str, professional: bool, federal_agreement: bool) -> bool:
    """The exemption reaches packaging alone; professional cleaning products only under the agreement."""
    if code == "II-d" and professional:
        return federal_agreement
    return code.startswith(SMALL_FIRMS_MAY)


@rule(provisions=("art14-II-a", "art14-p2"), label="Declaração exigida no pedido de licença")
def declared_at_licence(law: Law, *, new_enterprise: bool) -> bool:
    """The declaration is asked for with the operating licence, save from a new enterprise."""
    return not new_enterprise


@rule(provisions=("art14-II-b",), label="Entrega da declaração anual")
def declaration_due(law: Law, *, year: int) -> date:
    """The declaration on a year is delivered by 30 July of the next."""
    due: date = law.declaration.due.of(year + 1)
    return due


@rule(provisions=("art14-p2",), label="Primeira declaração de empreendimento novo")
def first_declaration(law: Law, *, licensed_on: date) -> date:
    """A new enterprise declares for the first time by 30 July of the year after its licence."""
    due: date = law.declaration.due.of(licensed_on.year + 1)
    return due


@rule(provisions=("art15-I", "art15-II"), label="Em plano na data da licença")
def in_plan_on(law: Law, *, on: date, since: date | None, until: date | None) -> bool:
    """Whoever is licensed is in a plan on the day the licence is asked for or renewed."""
    return since is not None and since <= on and (until is None or on <= until)


@rule(provisions=("art15-III",), label="Tida por adimplente")
def deemed_compliant(law: Law, *, term_in_force: bool, open_breaches: int) -> bool:
    """An adherent of a term in force is deemed compliant while everything in it is being met."""
    return term_in_force and open_breaches == 0


def in_days(day: date, days: int) -> date:
    """The day that many days later; the first is not counted."""
    return day + timedelta(days=days)
