"""What addresses of operators and cooperatives name, for the matrix of who may open what."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import TODAY, World

NORM = "mt/decreto_1455_2025"


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
    numbered = ("operator-parcel", "operator-parcel-progress", "parcel", "parcel-take", "parcel-return")
    return {
        "operator-note": {"key": readings.notes(operator)[0].key},
        "operator-paper": {"entity": entity, "paper": "licence"},
        **dict.fromkeys(numbered, {"number": parcel.id}),
        "parcel-file": {"number": parcel.id, "name": "nota.xml"},
    }
