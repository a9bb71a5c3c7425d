"""What only the files of one run tell about each other: cancellations, corrections, two contents of one key.

Two steps: `note` every document, in any order; then `apply` to each what the others said. So the order in
which note and event arrive changes nothing. A paper whose signer is not trusted (S05) weighs only on papers
that are no better: else anyone could cancel a good note with a certificate of his own making.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from lastro.evidence.bearing import Bearing, authentic, bearings, pair, trusted
from lastro.facts import Document, Finding, Kind, Status
from lastro.findings import finding


class Together:
    """The files of one run, as they bear on each other."""

    def __init__(self) -> None:
        self._said: defaultdict[str, set[tuple[Bearing, bool]]] = defaultdict(set)
        self._contents: defaultdict[str, set[tuple[str, bool]]] = defaultdict(set)
        self._first: dict[str, tuple[str, str | None]] = {}

    def note(self, document: Document) -> None:
        """Remember what one document says of others."""
        if document.sha256:
            place = document.file, document.member
            self._first[document.sha256] = min(self._first.get(document.sha256, place), place, key=_order)
        if not authentic(document):
            return
        for bearing in bearings(document):
            self._said[bearing.access_key].add((bearing, trusted(document)))
        if document.kind is Kind.NFE and document.invoice is not None:
            self._contents[document.access_key].add((document.content_digest, trusted(document)))

    def apply(self, document: Document, *, mask: frozenset[str] = frozenset()) -> Document:
        """The document with what the other files say of it: F11, N10, N11, N15, N16."""
        known = {f.code for f in document.findings}
        found = [f for f in self._about(document) if f.code not in known and f.code not in mask]
        cancelled = any(f.code == "N10" for f in found)
        status = Status.CANCELLED if cancelled else document.status
        return replace(document, findings=(*document.findings, *found), status=status)

    def _about(self, document: Document) -> list[Finding]:
        found = []
        first = self._first.get(document.sha256)
        if first is not None and first != (document.file, document.member):
            found.append(finding("F11", found=first[0] if first[1] is None else f"{first[0]}: {first[1]}"))
        if document.kind is Kind.NFE:
            found += [*self._events(document), *self._other_contents(document)]
        return found

    def _events(self, document: Document) -> list[Finding]:
        """N10, N11 and N16, each once, in the words of the paper that comes first in order."""
        parties = pair(document.invoice) if document.invoice else ()
        weighing = sorted(
            (bearing.code, bearing.found)
            for bearing, weighs in self._said.get(document.access_key, ())
            if (weighs or not trusted(document)) and bearing.parties in ((), parties)
        )
        return [
            finding(code, where="/NFe/infNFe/@Id", found=said)
            for code, said in dict(reversed(weighing)).items()
        ]

    def _other_contents(self, document: Document) -> list[Finding]:
        contents = {
            digest
            for digest, weighs in self._contents.get(document.access_key, ())
            if weighs or not trusted(document)
        }
        if len(contents) < 2 or document.content_digest not in contents:
            return []
        return [finding("N15", where="/NFe/infNFe", found=f"{len(contents)} conteúdos", expected="1")]


def _order(place: tuple[str, str | None]) -> tuple[str, str]:
    return place[0], place[1] or ""
