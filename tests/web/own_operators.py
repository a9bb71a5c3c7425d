"""What addresses of operators and cooperatives name, for the matrix of who may open what."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import TODAY, World

NORM = "mt/decreto_1455_2025"

NOBODYS_QUARTER = ("bolsa-quarter", "bolsa-facts", "bolsa-measures", "bolsa-sale", "bolsa-transfer")
"""Addresses whose parts name a quarter: every organisation sees its own there."""

_SALE = {
    "material": "glass", "mass_kg": "1", "value_brl": "1.00", "invoice": True, "sold_on": "2026-12-01",
    "proof": "1",
}  # fmt: skip


def of_operators(world: World) -> dict[str, dict[str, Any]]:
    """A sale of the first operator of the first entity, and a parcel that it sent there."""
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office
    from lastro.web.readings import operator as readings

    entity = world.entities[0]
    operator = world.operators(entity)[0]
    filings = Filings(office.store(), sees=operator)
    subject = Subject(Kind.PARCEL, operator, NORM, name="um")
    parcel = filings.latest(subject) or filings.add(
        subject, {"keys": []}, by="x", on=TODAY, addressee=entity, files=[("nota.xml", b"<a/>")]
    )
    incentive = Subject(Kind.SALE, operator, "mg/decreto_45975_2012", "2026-T4", "nota fiscal 1: glass")
    sale = _filed(operator, incentive, _SALE, addressee="bolsa")
    opened = Subject(Kind.QUARTER, "committee", "mg/decreto_45975_2012", "2026-T4")
    _filed("committee", opened, {"annual_brl": "4.00", "budget_brl": "1.00", "step": "open"}, public=True)
    quarter = {"year": 2026, "quarter": 4}
    numbered = ("operator-parcel", "operator-parcel-progress", "parcel", "parcel-take", "parcel-return")
    return {
        "operator-note": {"key": readings.notes(operator)[0].key},
        "my-paper": {"entity": entity, "paper": "licence"},
        **{name: {"number": parcel.id} for name in numbered},
        "parcel-file": {"number": parcel.id, "name": "nota.xml"},
        **dict.fromkeys((*NOBODYS_QUARTER, "bolsa-public-quarter"), quarter),
        "bolsa-withdraw": {**quarter, "number": sale.id},
    }


def pages(world: World) -> dict[str, list[str]]:
    """Pages that operators and cooperatives look at, and the entity that hears from them."""
    own = of_operators(world)
    parcel, entity = own["parcel"]["number"], own["my-paper"]["entity"]
    key = own["operator-note"]["key"]
    return {
        "operator": [
            *("/operador/", "/operador/notas/", f"/operador/notas/{key}/"),
            *("/operador/enviar/", f"/operador/enviar/?nota={key}", "/operador/envios/"),
            *(f"/operador/envios/{parcel}/", "/operador/papeis/", f"/operador/papeis/{entity}/permit/"),
            *("/bolsa/", "/bolsa/cadastro/", "/bolsa/2026/4/", "/bolsa/2026/4/producao/"),
            *("/bolsa/2026/4/venda/", "/bolsa/2026/4/repasse/"),
            *("/bolsa-reciclagem/", "/bolsa-reciclagem/2026/4/"),
        ],
        "third_preparer": ["/entidade/recebidos/", f"/entidade/recebidos/{parcel}/"],
    }


def _filed(party: str, subject: Any, body: dict[str, Any], **more: Any) -> Any:
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    filings = Filings(office.store(), sees=party)
    return filings.latest(subject) or filings.add(subject, body, by="x", on=TODAY, **more)
