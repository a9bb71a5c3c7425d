"""Who takes part and how: roles, admission, delegation, secrecy, studies (arts. 3º, 20 to 39, 48, 52, 68)."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law, rule
from lastro.units import Mass

ROLES = ("manufacturer", "importer", "merchant", "distributor")
ADMISSION_MOVES = {
    ("submitted", "under_review"): "ministry",
    ("under_review", "accepted"): "ministry",
    ("under_review", "refused"): "ministry",
    ("refused", "submitted"): "entity",
}
STUDY = (
    "households_with_power", "products_sold", "products_disposed", "financing", "distribution_of_use",
    "demography", "economic_activities", "distance", "infrastructure",
)  # fmt: skip


@rule(provisions=("art3-VI",), label="É empresa deste decreto")
def is_company(law: Law, *, roles: tuple[str, ...]) -> bool:
    """A company makes, imports, sells or distributes; to own a brand alone is not one of these."""
    return any(role in ROLES for role in roles)


@rule(provisions=("art3-VII", "art24"), label="Entidade gestora bem formada")
def entity_formed(law: Law, *, founders: tuple[str, ...], non_profit: bool) -> bool:
    """Makers' and importers' companies or associations set an entity up, and it seeks no profit."""
    return non_profit and any(one in ("manufacturer", "importer", "association") for one in founders)


@rule(provisions=("art26-I", "art26-II", "art26-III"), label="Documentos de admissão completos")
def admission_complete(
    law: Law, *, represents: bool, cade_told: bool, plan: bool, suppliers: tuple[str, ...]
) -> bool:
    """Representativeness, notice to the competition authority, a plan, suppliers of each kind."""
    return represents and cade_told and plan and {"transport", "storage", "destination"} <= set(suppliers)


@rule(provisions=("art26-pu",), label="Passo da admissão")
def admission_step(law: Law, *, before: str, after: str, by: str) -> bool:
    """The ministry, or whom it names, takes its position and tells it."""
    return ADMISSION_MOVES.get((before, after)) == by


@rule(provisions=("art33-pu", "art35-pu", "art36-p3"), label="Quem cumpre o dever no modelo coletivo")
def duty_holder(law: Law, *, role: str, delegated: bool) -> str:
    """The entity fulfils makers' and importers' duties, and the others' where they delegate them."""
    if role in ("manufacturer", "importer"):
        return "managing_entity"
    return "managing_entity" if delegated else role


@rule(provisions=("art34-I",), label="Importador em conformidade no dia")
def importer_conforms(law: Law, *, on: date, since: date | None, until: date | None) -> bool:
    """An importer is in a system on the day it imports."""
    return since is not None and since <= on and (until is None or on <= until)


@rule(provisions=("art34-II",), label="Declaração de importação completa")
def import_statement(law: Law, *, system_named: bool) -> bool:
    """The import says who runs the importer's system."""
    return system_named


@rule(provisions=("art35-III",), label="Espaço que o distribuidor dá")
def distributor_space(law: Law, *, point: str) -> bool:
    """Distributors give or pay for space of consolidation points."""
    return point == "consolidation"


@rule(provisions=("art37-I",), label="Cooperativa aceita")
def cooperative_accepted(law: Law, *, constituted: bool, enabled: bool) -> bool:
    """A cooperative that takes part is legally constituted and enabled."""
    return constituted and enabled


@rule(provisions=("art39",), label="Serviço público coberto por acordo")
def municipal_service(law: Law, *, agreed_on: date | None, served_on: date) -> bool:
    """Public services act for companies only under a prior agreement."""
    return agreed_on is not None and agreed_on <= served_on


@rule(provisions=("art27-III", "art33-IV", "art68"), label="Sigilo bem marcado")
def secrecy_marked(law: Law, *, asked: bool, ground: bool) -> bool:
    """What is kept from others is marked expressly and with its ground."""
    return asked and ground


@rule(provisions=("art52-pu", "art68"), label="Pode ver o dado")
def may_see(law: Law, *, reader: str, owner: bool, secret: bool) -> bool:
    """The owner and the public authority see what is marked; the group and the public do not."""
    return owner or not secret or reader == "authority"


@rule(provisions=("art33-II-b",), label="Peso médio do ano")
def unit_mass_of(law: Law, *, known: tuple[Mass, ...]) -> Mass | None:
    """Means of units are brought up to date for other years, each year's kept; the last one stands."""
    return known[-1] if known else None


@rule(
    provisions=(
        "art48", "art48-I", "art48-II", "art48-III", "art48-IV", "art48-V", "art48-VI", "art48-VII",
        "art48-VIII", "art48-IX",
    ),
    label="O que falta no estudo de pontos",
)  # fmt: skip
def study_lacks(law: Law, *, filled: tuple[str, ...]) -> tuple[str, ...]:
    """Nine parameters are considered for how many points there are, and where."""
    return tuple(one for one in STUDY if one not in filled)
