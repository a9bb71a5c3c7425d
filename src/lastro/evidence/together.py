"""What only the files of one run tell about each other: cancellations, corrections, two contents of one key.

Two steps: `note` every document, in any order; then `apply` to each what the others said. So the order in
which note and event arrive changes nothing. A paper whose signer is not trusted (S05) weighs only on papers
that are no better: else anyone could cancel a good note with a certificate of his own making.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from lastro.evidence.bearing import Bearing, authentic, bearings, pair, trusted
from lastro.evidence.repeats import Repeats
from lastro.facts import Document, Finding, Kind, Status
from lastro.findings import finding


@dataclass(frozen=True)
class Gist:
    """All that one document means to the others of a run.

    `key` and `digest` name its content where it is an authentic note; `weighs`: its signer is trusted.
    """

    sha256: str
    file: str
    member: str | None
    key: str = ""
    digest: str = ""
    weighs: bool = False
    bearings: tuple[Bearing, ...] = ()


def gist_of(document: Document) -> Gist:
    """What a document, judged by itself, means to the others."""
    if not authentic(document):
        return Gist(document.sha256, document.file, document.member)
    told = document.kind is Kind.NFE and document.invoice is not None
    return Gist(
        document.sha256,
        document.file,
        document.member,
        document.access_key if told else "",
        document.content_digest if told else "",
        trusted(document),
        tuple(bearings(document)),
    )


class Together:
    """The files of one run, as they bear on each other; however many, what is held at hand stays small."""

    def __init__(self) -> None:
        self._said: defaultdict[str, set[tuple[Bearing, bool]]] = defaultdict(set)
        self._files, self._notes = Repeats(), Repeats()
        self._first: dict[str, tuple[str, str | None]] | None = None
        self._contents: dict[str, set[tuple[str, bool]]] = {}

    def note(self, document: Document) -> None:
        """Remember what one document says of others."""
        self.hear(gist_of(document))

    def hear(self, gist: Gist) -> None:
        """Remember what a document means to the others."""
        self._first = None
        if gist.sha256:
            place = gist.file if gist.member is None else f"{gist.file}\0{gist.member}"
            self._files.add(bytes.fromhex(gist.sha256), place.encode("utf-8", "surrogatepass"))
        for bearing in gist.bearings:
            self._said[bearing.access_key].add((bearing, gist.weighs))
        if gist.key or gist.digest:
            self._notes.add(gist.key.encode(), f"{int(gist.weighs)}{gist.digest}".encode())

    def close(self) -> None:
        """Let go of what was put on disk."""
        self._files.close()
        self._notes.close()

    def _settle(self) -> dict[str, tuple[str, str | None]]:
        """Gather what came more than once: first places of equal files, contents of equal keys."""
        self._contents = {
            key.decode(): {(s[1:].decode(), s[:1] == b"1") for s in said} for key, said in self._notes.again()
        }
        return {sha.hex(): min(map(_place, said), key=_order) for sha, said in self._files.again()}

    def apply(self, document: Document, *, mask: frozenset[str] = frozenset()) -> Document:
        """The document with what the other files say of it: F11, N10, N11, N15, N16; itself where nothing."""
        if self._first is None:
            self._first = self._settle()
        about = self._about(document, self._first)
        if not about:
            return document
        known = {f.code for f in document.findings}
        found = [f for f in about if f.code not in known and f.code not in mask]
        cancelled = any(f.code == "N10" for f in found)
        status = Status.CANCELLED if cancelled else document.status
        return replace(document, findings=(*document.findings, *found), status=status)

    def _about(self, document: Document, places: dict[str, tuple[str, str | None]]) -> list[Finding]:
        found = []
        first = places.get(document.sha256)
        if first is not None and first != (document.file, document.member):
            found.append(finding("F11", found=first[0] if first[1] is None else f"{first[0]}: {first[1]}"))
        if document.kind is Kind.NFE:
            found += [*self._events(document), *self._other_contents(document)]
        return found

    def _events(self, document: Document) -> list[Finding]:
        """N10, N11 and N16, each once, in the words of the paper that comes first in order."""
        if document.access_key not in self._said:
            return []
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
        if document.access_key not in self._contents:
            return []
        contents = {
            digest
            for digest, weighs in self._contents.get(document.access_key, ())
            if weighs or not trusted(document)
        }
        if len(contents) < 2 or document.content_digest not in contents:
            return []
        return [finding("N15", where="/NFe/infNFe", found=f"{len(contents)} conteúdos", expected="1")]


def _place(written: bytes) -> tuple[str, str | None]:
    file, mark, member = written.decode("utf-8", "surrogatepass").partition("\0")
    return file, member if mark else None


def _order(place: tuple[str, str | None]) -> tuple[str, str]:
    return place[0], place[1] or ""
