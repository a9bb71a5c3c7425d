"""What only the files of one run tell about each other: cancellations, corrections, two contents of one key,
two notes of one mass.

Two steps: `note` every document, in any order; then `apply` to each what the others said. So the order in
which note and event arrive changes nothing. A paper whose signer is not trusted (S05) weighs only on papers
that are no better: else anyone could cancel a good note with a certificate of his own making.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from lastro.evidence.bearing import Bearing, authentic, bearings, pair, trusted
from lastro.evidence.classify import sells
from lastro.evidence.kin import Told, pairs, sale_of, spelled
from lastro.evidence.repeats import Repeats
from lastro.facts import Document, Finding, Kin, Kind, Status, Verdict
from lastro.findings import finding


@dataclass(frozen=True)
class Gist:
    """All that one document means to the others of a run.

    `key` and `digest` name its content where it is an authentic note; `weighs`: its signer is trusted; `sale`
    is what a twin would know it by, as `kin.spelled` writes it.
    """

    sha256: str
    file: str
    member: str | None
    key: str = ""
    digest: str = ""
    weighs: bool = False
    bearings: tuple[Bearing, ...] = ()
    sale: tuple[bytes, bytes] | None = None


def gist_of(document: Document, verdict: Verdict | None = None) -> Gist:
    """What a document, judged by itself, means to the others; its twins are known by the verdict's masses."""
    if not authentic(document):
        return Gist(document.sha256, document.file, document.member)
    told = document.kind is Kind.NFE and document.invoice is not None
    sale = sale_of(document.invoice, verdict) if told and document.invoice and verdict else None
    return Gist(
        document.sha256,
        document.file,
        document.member,
        document.access_key if told else "",
        document.content_digest if told else "",
        trusted(document),
        tuple(bearings(document)),
        spelled(document.access_key, sale, weighs=trusted(document)) if sale else None,
    )


class Together:
    """The files of one run, as they bear on each other; however many, what is held at hand stays small."""

    def __init__(self) -> None:
        self._said: defaultdict[str, set[tuple[Bearing, bool]]] = defaultdict(set)
        self._files, self._notes, self._sales = Repeats(), Repeats(), Repeats()
        self._first: dict[str, tuple[str, str | None]] | None = None
        self._contents: dict[str, set[tuple[str, bool]]] = {}
        self._twins: dict[str, list[Told]] = {}

    def note(self, document: Document, verdict: Verdict | None = None) -> None:
        """Remember what one document says of others."""
        self.hear(gist_of(document, verdict))

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
        if gist.sale:
            self._sales.add(*gist.sale)

    def close(self) -> None:
        """Let go of what was put on disk."""
        self._files.close()
        self._notes.close()
        self._sales.close()

    def _settle(self) -> dict[str, tuple[str, str | None]]:
        """Gather what came more than once: first places of equal files, contents of equal keys, twins."""
        self._twins = {}
        for _, said in self._sales.again():
            for own, entry in pairs(said):
                self._twins.setdefault(own.access_key, []).append(entry)
                self._twins.setdefault(entry.access_key, []).append(own)
        self._contents = {
            key.decode(): {(s[1:].decode(), s[:1] == b"1") for s in said} for key, said in self._notes.again()
        }
        return {sha.hex(): min(map(_place, said), key=_order) for sha, said in self._files.again()}

    def apply(self, document: Document, *, mask: frozenset[str] = frozenset()) -> Document:
        """The document with what the other files say of it; itself where nothing.

        Codes: F11, N10, N11, N15, N16, M15. Its family is what the files say of the same mass.
        """
        if self._first is None:
            self._first = self._settle()
        if self._alone(document, self._first):
            return document
        about = self._about(document, self._first)
        family = self._family(document) if document.kind is Kind.NFE else ()
        if not about and not family:
            return document
        known = {f.code for f in document.findings}
        found = [f for f in about if f.code not in known and f.code not in mask]
        cancelled = any(f.code == "N10" for f in found)
        status = Status.CANCELLED if cancelled else document.status
        return replace(document, findings=(*document.findings, *found), status=status, family=family)

    def _alone(self, document: Document, places: dict[str, tuple[str, str | None]]) -> bool:
        """Whether no other file says anything of a document, nor it of others: so it is with nearly all."""
        key, invoice = document.access_key, document.invoice
        named = key in self._said or key in self._contents or key in self._twins
        return not (named or document.sha256 in places or (invoice is not None and invoice.references))

    def _about(self, document: Document, places: dict[str, tuple[str, str | None]]) -> list[Finding]:
        found = []
        first = places.get(document.sha256)
        if first is not None and first != (document.file, document.member):
            found.append(finding("F11", found=first[0] if first[1] is None else f"{first[0]}: {first[1]}"))
        if document.kind is Kind.NFE:
            found += [*self._papers(document), *self._other_contents(document), *self._entry_twins(document)]
        return found

    def _papers(self, document: Document) -> list[Finding]:
        """N10, N11, N16 and M15, each once, in the words of the paper that comes first in order."""
        if document.access_key not in self._said:
            return []
        invoice = document.invoice
        parties = pair(invoice) if invoice else ()
        weighing = sorted(
            (bearing.code, bearing.found)
            for bearing in self._weighing(document.access_key, parties, trusted=trusted(document))
            if bearing.code != "M15" or (invoice and sells(invoice) and bearing.seller == invoice.seller)
        )
        return [
            finding(code, where="/NFe/infNFe/@Id", found=said)
            for code, said in dict(reversed(weighing)).items()
        ]

    def _weighing(self, key: str, parties: tuple[str, ...], *, trusted: bool) -> list[Bearing]:
        """What is said of a note that holds: by a paper good enough, of its parties, not cancelled itself."""
        return [
            bearing
            for bearing, weighs in self._said.get(key, ())
            if (weighs or not trusted)
            and bearing.parties in ((), parties)
            and not (bearing.by and self._cancelled(bearing.by, trusted=weighs))
        ]

    def _cancelled(self, key: str, *, trusted: bool) -> bool:
        said = self._said.get(key, ())
        return any(bearing.code == "N10" and (weighs or not trusted) for bearing, weighs in said)

    def _entry_twins(self, document: Document) -> list[Finding]:
        """M15 on the buyer's note of a load of which the seller's own note is there too and stands."""
        if document.invoice is None or not document.invoice.self_issued:
            return []
        good = trusted(document)
        for own in self._twins_of(document):
            parties = tuple(sorted((own.sale.seller, own.sale.buyer)))
            said = self._weighing(own.access_key, parties, trusted=own.weighs)
            stopped = any(bearing.seller in ("", own.sale.seller) for bearing in said)
            if (own.weighs or not good) and not stopped:
                found = f"{own.access_key}: nota do vendedor, mesmas partes, material e massa"
                return [finding("M15", where="/NFe/infNFe/@Id", found=found, expected="uma nota por carga")]
        return []

    def _twins_of(self, document: Document) -> list[Told]:
        """The twins by key, but for those that one of the two refers to: there nothing is left to guess."""
        named = {bearing.by for bearing, _ in self._said.get(document.access_key, ())}
        named |= set(document.invoice.references) if document.invoice else set()
        return [one for one in self._twins.get(document.access_key, ()) if one.access_key not in named]

    def _family(self, document: Document) -> tuple[Kin, ...]:
        """The other notes of the same mass: those it refers to, those that refer to it, and its twins."""
        invoice, key = document.invoice, document.access_key
        if invoice is None or not (invoice.references or key in self._said or key in self._twins):
            return ()
        own = {bearing.access_key: bearing.code for bearing in bearings(document)}
        said = self._said.get(key, ())
        parties = pair(invoice)
        kin = {Kin(key, "refers_to", own.get(key, "")) for key in invoice.references}
        kin |= {Kin(b.by, "referred_by", b.code) for b, _ in said if b.by and b.parties == parties}
        kin |= {Kin(twin.access_key, "twin", "M15") for twin in self._twins_of(document)}
        return tuple(sorted(kin, key=lambda one: (one.relation, one.access_key, one.code)))

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
