"""What the first entity has on its own pages, for the matrix of access: papers, members, objections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.web.conftest import NORM, YEAR, World

EL = "br/decreto_10240_2020"
NOBODYS_PAPER = frozenset({"paper-fill"})
"""A document to fill in is any entity's: it names a norm's kind, and nobody's row."""


def of_entities(world: World) -> dict[str, dict[str, Any]]:
    """The parts of each address of the entity's desk that name something of the first entity."""
    from lastro.custody.port import For
    from lastro.web import office
    from lastro.web.readings import documents, members, operators

    first = world.entities[0]
    whom = For(first, NORM, YEAR)
    row = documents.rows(whom)[0]
    stay = members.members(first)[0].membership
    note = {"sha256": row.sha256, "ordinal": row.ordinal}
    theirs = {one.cnpj for other in world.entities[1:] for one in operators.operators(For(other, NORM, YEAR))}
    number = _paper(first)
    asked = _objection(first, note)
    assert office.registry().is_member(stay.establishment, first, stay.period.start)
    return {
        "document-withdraw": note,
        "document-object": note,
        "member-leave": {"establishment": stay.establishment, "since": stay.period.start.isoformat()},
        "operator-papers": {
            "who": next(one.cnpj for one in operators.operators(whom) if one.cnpj not in theirs)
        },
        "paper": {"number": number},
        "paper-file": {"number": number, "kind": "fatos"},
        "paper-sign": {"number": number},
        "paper-withdraw": {"number": number},
        "paper-fill": {"place": "br", "name": "decreto_10240_2020", "kind": "instrument"},
        "entity-file": {"number": number, "name": "contrato.pdf"},
        "objection": {"number": asked},
        "objection-file": {"number": asked, "name": "prova.pdf"},
    }


INSTRUMENT: Mapping[str, str] = {
    "instrument.0.counterpart": "supplier", "instrument.0.cnpj": "ZZ00RPT1000106",
    "instrument.0.name": "Transportes Exemplo", "instrument.0.object": "transporte",
    "instrument.0.signed_on": "2026-01-10", "instrument.0.from": "2026-02-01",
    "instrument.0.to": "2027-06-30", "instrument.0.document": "instrumento 1/2026",
}  # fmt: skip


def _paper(entity: str) -> int:
    """A contract of the entity with a file beside it, filed once."""
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office
    from lastro.web.readings import paper_form, papers

    found = papers.offer(EL, "instrument", YEAR)
    assert found is not None
    told, wrong = paper_form.document_of(found, INSTRUMENT, entity=entity, year=YEAR)
    assert not wrong
    filings = Filings(office.store(), sees=entity)
    subject = Subject(Kind.CONTRACT, entity, EL, name="instrument/ensaio")
    latest = filings.latest(subject)
    if latest is None:
        latest = filings.add(
            subject, {"kind": "instrument", "document": told}, by="x@exemplo.org", on=office.today(),
            files=[("contrato.pdf", b"%PDF-1.7")],
        )  # fmt: skip
    return latest.id


def _objection(entity: str, note: Mapping[str, Any]) -> int:
    """An objection of the entity to a finding, which its verifier may answer."""
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    filings = Filings(office.store(), sees=entity)
    (verifier,) = office.registry().verifier_for(entity, office.today())[:1]
    subject = Subject(Kind.OBJECTION, entity, NORM, period=str(YEAR), name=f"{note['sha256']}/0/P03")
    latest = filings.latest(subject)
    if latest is None:
        body = {
            **note,
            "code": "P03",
            "reason": "estava homologado",
            "file": "n.xml",
            "key": "",
            "year": YEAR,
        }
        latest = filings.add(
            subject, body, by="x@exemplo.org", on=office.today(), addressee=verifier,
            files=[("prova.pdf", b"%PDF-1.7")],
        )  # fmt: skip
    return latest.id
