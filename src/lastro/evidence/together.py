"""What only the files of one run tell about each other: cancellations, corrections, two contents of one key.

Two steps: `note` every document, in any order; then `apply` to each what the others said. So the order in
which note and event arrive changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from lastro import tables
from lastro.evidence.authenticate import stands
from lastro.facts import Document, Finding, Kind, Signature, Status
from lastro.findings import finding

_CANCELS = {"110111", "110112"}
_CORRECTS = "110110"
_SIGNED = {Signature.VALID, Signature.REFORMATTED}


class Together:
    """The files of one run, as they bear on each other."""

    def __init__(self) -> None:
        self._cancelled: dict[str, str] = {}
        self._corrected: dict[str, str] = {}
        self._contents: defaultdict[str, set[str]] = defaultdict(set)
        self._undone: dict[tuple[str, frozenset[str]], str] = {}
        self._first: dict[str, tuple[str, str | None]] = {}

    def note(self, document: Document) -> None:
        """Remember what one document says of others."""
        if document.sha256:
            place = document.file, document.member
            self._first[document.sha256] = min(self._first.get(document.sha256, place), place, key=_order)
        if not stands(document) or document.signature not in _SIGNED:
            return
        if document.event is not None and document.event.access_key:
            self._note_event(document)
        elif document.kind is Kind.NFE and document.invoice is not None:
            self._contents[document.access_key].add(document.content_digest)
            if _undoes(document):
                for key in document.invoice.references:
                    self._undone[key, _pair(document)] = document.access_key

    def _note_event(self, document: Document) -> None:
        event = document.event
        assert event is not None, "asked only of events"
        if event.type in _CANCELS:
            said = f"evento {event.type}, situação {event.status}"
            self._cancelled[event.access_key] = min(self._cancelled.get(event.access_key, said), said)
        elif event.type == _CORRECTS and event.corrects_goods:
            said = f"carta de correção {event.sequence:02d}"
            self._corrected[event.access_key] = max(self._corrected.get(event.access_key, said), said)

    def apply(self, document: Document, *, mask: frozenset[str] = frozenset()) -> Document:
        """The document with what the other files say of it: F11, N10, N11, N15, N16."""
        known = {f.code for f in document.findings}
        found = [f for f in self._said_of(document) if f.code not in known and f.code not in mask]
        status = document.status
        if any(f.code == "N10" for f in found):
            status = Status.CANCELLED
        return replace(document, findings=(*document.findings, *found), status=status)

    def _said_of(self, document: Document) -> list[Finding]:
        found = []
        first = self._first.get(document.sha256)
        if first is not None and first != (document.file, document.member):
            found.append(finding("F11", found=first[0] if first[1] is None else f"{first[0]}: {first[1]}"))
        if document.kind is not Kind.NFE:
            return found
        key = document.access_key
        by = {
            "N10": self._cancelled.get(key),
            "N11": self._corrected.get(key),
            "N16": self._undone.get((key, _pair(document))),
        }
        found += [finding(code, where="/NFe/infNFe/@Id", found=said) for code, said in by.items() if said]
        contents = self._contents.get(key, set())
        if len(contents) > 1 and document.content_digest in contents:
            found.append(
                finding("N15", where="/NFe/infNFe", found=f"{len(contents)} conteúdos", expected="1")
            )
        return found


def _order(place: tuple[str, str | None]) -> tuple[str, str]:
    return place[0], place[1] or ""


def _pair(document: Document) -> frozenset[str]:
    """The two parties of a note: a return counts against the note of the same two only."""
    invoice = document.invoice
    return frozenset((invoice.issuer, invoice.recipient)) if invoice else frozenset()


def _undoes(document: Document) -> bool:
    """Whether a note returns or annuls the notes it refers to."""
    invoice = document.invoice
    if invoice is None or not invoice.references:
        return False
    returns = any(tables.operation_of(line.cfop).kind == "return" for line in invoice.lines)
    return invoice.purpose == "4" or returns
