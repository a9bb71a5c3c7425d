"""What one document says of other notes: that they are cancelled, corrected, returned, or told anew.

The same answer serves a run that only reads (`together`) and a store that remembers (custody).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lastro import tables
from lastro.evidence.authenticate import stands
from lastro.evidence.classify import annuls, sells
from lastro.evidence.events import CANCELS, CORRECTS, UNDOES
from lastro.evidence.series import owner_named
from lastro.facts import Document, Event, Invoice, Kind, Signature
from lastro.ids import AccessKey

_SIGNED = {Signature.VALID, Signature.REFORMATTED}


@dataclass(frozen=True)
class Bearing:
    """What a document does to the note of another key: `code` is N10, N11, N16 or M15, with what was seen.

    M15: a later sale between the same two parties refers to it, so both tell one mass; the one that refers
    counts, since it is the later word (the buyer weighed, or the first note was wrong). `by` is the key of
    the note that says so, empty for an event; `seller` must be the seller of the other too: what was bought
    and sold back is another sale.

    A return (N16), and what a recipient declares, counts against a note of the same two parties only:
    `parties` names them, in order.
    """

    access_key: str
    code: str
    found: str
    parties: tuple[str, ...] = ()
    by: str = ""
    seller: str = ""


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
        yield from _of_event(document, event)
    elif document.kind is Kind.NFE and invoice is not None:
        code = "N16" if _undoes(invoice) else "M15" if sells(invoice) else ""
        seller = invoice.seller if code == "M15" else ""
        for key in invoice.references if code else ():
            if key != document.access_key:
                yield Bearing(key, code, document.access_key, pair(invoice), document.access_key, seller)


def _of_event(document: Document, event: Event) -> Iterator[Bearing]:
    if event.type in CANCELS:
        # In series of the tax office's site another's signature is a doubt (S07): then so is what it says.
        code = "N16" if any(f.code == "S07" for f in document.findings) else "N10"
        yield Bearing(event.access_key, code, f"evento {event.type}, situação {event.status}")
    elif event.type == CORRECTS and event.corrects_goods:
        yield Bearing(event.access_key, "N11", f"carta de correção {event.sequence:02d}")
    elif event.type in UNDOES:
        issuer = owner_named(AccessKey.parse(event.access_key))
        parties = tuple(sorted((issuer, event.author))) if event.type[:2] == "21" else ()
        yield Bearing(event.access_key, "N16", f"evento {event.type}: {UNDOES[event.type]}", parties)


def pair(invoice: Invoice) -> tuple[str, ...]:
    """The two parties of a note, whichever of them wrote it."""
    return tuple(sorted((invoice.issuer, invoice.recipient)))


_REFUSED = {"03", "06"}
"""A credit note for goods that were refused and came back, whole or in part (tpNFCredito, NT 2025.002)."""


def _undoes(invoice: Invoice) -> bool:
    """Whether a note returns or annuls the notes it refers to.

    Complementary, adjustment, credit and debit notes (finNFe 2, 3, 5, 6) refer to notes without undoing them,
    but for the credit note of goods that came back.
    """
    if invoice.purpose in ("2", "3", "6"):
        return False
    if invoice.purpose == "5":
        return invoice.credit in _REFUSED
    returns = any(tables.operation_of(line.cfop).kind == "return" for line in invoice.lines)
    return invoice.purpose == "4" or returns or annuls(invoice)
