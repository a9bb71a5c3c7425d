"""What one document says of other notes: that they are cancelled, corrected, returned, or share a key.

The same answer serves a run that only reads (`together`) and a store that remembers (custody).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lastro import tables
from lastro.evidence.authenticate import stands
from lastro.facts import Document, Invoice, Kind, Signature

_CANCELS = {"110111", "110112"}
_CORRECTS = "110110"
_SIGNED = {Signature.VALID, Signature.REFORMATTED}


@dataclass(frozen=True)
class Bearing:
    """What a document does to the note of another key: `code` is N10, N11 or N16, with what was seen.

    A return (N16) counts against a note of the same two parties only: `parties` names them, in order.
    """

    access_key: str
    code: str
    found: str
    parties: tuple[str, ...] = ()


def authentic(document: Document) -> bool:
    """Whether the document is signed by whom it should be, and nothing on its identity speaks against it."""
    return stands(document) and document.signature in _SIGNED


def trusted(document: Document) -> bool:
    """Whether its signer hangs on a trusted root: else anyone could have made it."""
    return all(f.code != "S05" for f in document.findings)


def bearings(document: Document) -> Iterator[Bearing]:
    """What an authentic event or note says of other notes."""
    if not authentic(document):
        return
    event, invoice = document.event, document.invoice
    if event is not None and event.access_key:
        if event.type in _CANCELS:
            yield Bearing(event.access_key, "N10", f"evento {event.type}, situação {event.status}")
        elif event.type == _CORRECTS and event.corrects_goods:
            yield Bearing(event.access_key, "N11", f"carta de correção {event.sequence:02d}")
    elif document.kind is Kind.NFE and invoice is not None and _undoes(invoice):
        for key in invoice.references:
            yield Bearing(key, "N16", document.access_key, pair(invoice))


def pair(invoice: Invoice) -> tuple[str, ...]:
    """The two parties of a note, whichever of them wrote it."""
    return tuple(sorted((invoice.issuer, invoice.recipient)))


def _undoes(invoice: Invoice) -> bool:
    """Whether a note returns or annuls the notes it refers to."""
    returns = any(tables.operation_of(line.cfop).kind == "return" for line in invoice.lines)
    return bool(invoice.references) and (invoice.purpose == "4" or returns)
