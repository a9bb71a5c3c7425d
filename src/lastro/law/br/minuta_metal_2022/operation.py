"""How packaging moves, where and by whom, in the draft (arts. 5º, 7º, 10, 11, 34 to 42 and 63)."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law, rule
from lastro.units import ExactMass, Mass

STAGES = {
    "": ("returned",),
    "returned": ("stored",),
    "stored": ("to_consolidation", "processed"),
    "to_consolidation": ("consolidated",),
    "consolidated": ("processed", "to_recycling"),
    "processed": ("to_recycling",),
    "to_recycling": ("destined",),
}
"""What may follow what; from a receiving point the way goes by consolidation, or straight to processing."""


@rule(
    provisions=("art7", "art7-I", "art7-II", "art7-III", "art7-IV", "art7-VI", "art36-V", "art36-VI"),
    label="Passo do lote",
)  # fmt: skip
def stage_follows(law: Law, *, before: str, after: str) -> bool:
    """Return, storage, transport, consolidation, processing, transport, destination, by one of two ways."""
    return after in STAGES.get(before, ())


@rule(provisions=("art7-V",), label="Impurezas do beneficiamento")
def impurity(law: Law, *, entered: Mass, left: Mass) -> ExactMass:
    """What processing takes out; more out than in is a mistake, and shows as less than nothing."""
    return entered.exact - left.exact


@rule(provisions=("art36-III",), label="Transporte sem desvio")
def transport_even(law: Law, *, sent: Mass, arrived: Mass) -> bool:
    """What was sent to consolidation arrives there, to the milligram that was written."""
    return sent == arrived


@rule(provisions=("art7-VII-b",), label="Recicladora do metal do lote")
def recycles_metal(law: Law, *, lot: str, makes: tuple[str, ...]) -> bool:
    """A metal's maker recycles what comes back of the metals that it makes."""
    return lot in makes


@rule(provisions=("art10",), label="Recicladora licenciada no dia")
def recycler_licensed(law: Law, *, on: date, licence_to: date | None) -> bool:
    """Only licensed recyclers take part."""
    return licence_to is not None and on <= licence_to


@rule(provisions=("art11",), label="Rejeito destinado")
def reject_destined(law: Law, *, landfill_licensed: bool) -> bool:
    """Rejects of recycling go to a licensed place."""
    return landfill_licensed


@rule(provisions=("art34-III", "art35-VII"), label="Entrega a quem fabrica ou importa aceita")
def handover_accepted(law: Law, *, instrument: bool) -> bool:
    """Merchants and distributors hand packaging over under a formal instrument."""
    return instrument


@rule(
    provisions=("art34-II", "art35-V", "art36-VII"),
    label="Ponto confirmado em dia",
    reading="pontos-confirmados",
)
def point_fresh(law: Law, *, confirmed_on: date, on: date) -> bool:
    """The registry of points is kept up to date: a point not confirmed for too long is told as stale."""
    months = (on.year - confirmed_on.year) * 12 + on.month - confirmed_on.month - (on.day < confirmed_on.day)
    return months < int(law.points.confirmed_months)


@rule(provisions=("art35-VI",), label="Espaço que o distribuidor dá")
def distributor_space(law: Law, *, point: str) -> bool:
    """Distributors give or pay for space of receiving points."""
    return point == "receiving"


@rule(provisions=("art36-IV",), label="Consolidação com responsável")
def consolidation_has_owner(law: Law, *, responsible: str) -> bool:
    """Makers and importers of products install and manage consolidation points."""
    return responsible in ("product_manufacturer", "product_importer")


@rule(provisions=("art37-I", "art39-I"), label="Importador em conformidade no dia")
def importer_conforms(law: Law, *, on: date, since: date | None, until: date | None) -> bool:
    """Importers of products and of packaging are in a system on the day they import."""
    return since is not None and since <= on and (until is None or on <= until)


@rule(provisions=("art37-II", "art39-II"), label="Sistema do importador informado")
def system_told(law: Law, *, responsible: bool, told_on: date | None) -> bool:
    """Importers tell the ministry who runs their system."""
    return responsible and told_on is not None


@rule(provisions=("art42",), label="Acordo municipal completo")
def agreement_complete(law: Law, *, points: bool, logistics: bool, price: bool) -> bool:
    """An agreement with a municipality says the points used, the logistics, and what is paid."""
    return points and logistics and price


@rule(
    provisions=("art63", "art63-p1-I", "art63-p1-II", "art63-p1-III", "art63-p2"),
    label="Ficha da embalagem completa",
)
def sheet_complete(law: Law, *, mass_and_volume: bool, reusable: bool, recyclable: bool, study: bool) -> bool:
    """Packaging is reusable, else recyclable; else a study says why neither is viable."""
    return mass_and_volume and (reusable or recyclable or study)
