"""How products move, and what each place and paper has to show (arts. 3º, 6º, 9º to 14, 36 and 60)."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law, rule

STAGES = {
    "": ("disposed",),
    "disposed": ("stored",),
    "stored": ("transported", "destined"),
    "transported": ("destined",),
}


@rule(provisions=("art3-I", "art3-III"), label="Tipo do item")
def item_type(law: Law, *, fixed_part: bool, helps_use: bool) -> str:
    """A fixed part is a component; what helps use and is no part of the product is an accessory."""
    return "component" if fixed_part else "accessory" if helps_use else "product"


@rule(provisions=("art3-XI", "art10"), label="Pode receber itens do sistema")
def may_receive(law: Law, *, on: date, contract_from: date | None, contract_to: date | None) -> bool:
    """Items pass only to participants, on the days of their contract; to nobody else, sold or given."""
    if contract_from is None or on < contract_from:
        return False
    return contract_to is None or on <= contract_to


@rule(provisions=("art3-V", "art9-I"), label="Descarte registrável")
def disposal_recorded(law: Law, *, point: str, product_type: bool, quantity: bool) -> bool:
    """A household user delivers at a receiving point; the record says what, and how much."""
    return point == "receiving" and product_type and quantity


@rule(provisions=("art3-XII",), label="Ato permitido na consolidação")
def consolidation_may(law: Law, *, act: str) -> bool:
    """A consolidation point receives, controls and stores; it takes nothing apart."""
    return act in ("receive", "control", "store", "send")


@rule(provisions=("art3-XIII",), label="Ponto de recebimento descrito")
def point_described(law: Law, *, mobile: bool, address: bool, schedule: bool) -> bool:
    """A fixed point has an address, a mobile one the days and places of its route."""
    return schedule if mobile else address


@rule(provisions=("art3-XV", "art3-XVI", "art49-p4"), label="Alguém responde pelo custo do item")
def maker_charged(law: Law, *, grey: bool, orphan: bool) -> bool:
    """Grey and orphan products are received and destined like all others, and charged to no company."""
    return not grey and not orphan


@rule(provisions=("art6",), label="Livro em que a massa entra")
def ledger(law: Law, *, household: bool) -> str:
    """What is not household goes by contract, in a ledger of its own, and into no target."""
    return "household" if household else "contract"


@rule(provisions=("art9", "art9-II", "art9-III"), label="Passo do lote")
def stage_follows(law: Law, *, before: str, after: str) -> bool:
    """Disposal, storage, transport where it is needed, destination: none is skipped but transport."""
    return after in STAGES.get(before, ())


@rule(provisions=("art9-IV",), label="Destinação provada")
def destination_proved(law: Law, *, recycler_accepted: bool, proof: bool) -> bool:
    """The last stage needs a recycler that may receive, and its proof."""
    return recycler_accepted and proof


@rule(provisions=("art12",), label="Documento de transporte pendente")
def transport_pending(law: Law, *, rule_loaded: bool, asked: bool, document: bool) -> bool:
    """Transport carries what the rule of Ibama asks for, where one is loaded and asks."""
    return rule_loaded and asked and not document


@rule(provisions=("art13-III",), label="Normas técnicas do reciclador")
def standards_met(law: Law, *, met: tuple[bool, ...], not_applicable: tuple[bool, ...]) -> bool:
    """Each technical standard is met, or said not to apply."""
    return len(met) == len(not_applicable) and all(a or b for a, b in zip(met, not_applicable, strict=False))


@rule(provisions=("art14",), label="Rejeito aceito")
def reject_accepted(law: Law, *, provider_enabled: bool, landfill_licensed: bool) -> bool:
    """Rejects go to enabled providers, and to a licensed landfill."""
    return provider_enabled and landfill_licensed


@rule(provisions=("art36-II",), label="Devolução do comerciante ao fabricante aceita")
def handover_accepted(law: Law, *, instrument: bool, manual_version: bool) -> bool:
    """A merchant hands back under a formal instrument, by the manual in force."""
    return instrument and manual_version


@rule(provisions=("art60",), label="Embalagem recebida no ponto")
def packaging_received(law: Law, *, of_electronics: bool, instrument: bool) -> bool:
    """Packaging of electronics comes through the same points; other packaging under an instrument."""
    return of_electronics or instrument
