"""What only the files of one run tell about each other: cancellations, corrections, two contents of one key,
two notes of one mass.

Two steps: `note` every document, in any order; then `apply` to each what the others said. So the order in
which note and event arrive changes nothing. A paper whose signer is not trusted (S05) weighs only on papers
that are no better: else anyone could cancel a good note with a certificate of his own making.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lastro.evidence.bearing import Bearing, authentic, bearings, pair, trusted
from lastro.evidence.classify import sells
from lastro.evidence.kin import Told, about, both_sides, pairs, sale_of, spelled, summed, told
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
        self._mixed: dict[str, tuple[Told, list[Told]]] = {}
        self._parts: dict[str, Told] = {}

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
        """Gather what came more than once: first places of equal files, contents of equal keys, twins, and
        what notes that are told anew by several, or by the other party's, weigh.
        """
        self._twins, self._mixed, self._parts = {}, {}, {}
        retold = {key for first, by in self._told_anew() for key in (first, *by)} if self._said else set()
        for _, said in self._sales.again():
            if every := both_sides(said):
                for own, entry in pairs(said):
                    self._twins.setdefault(own.access_key, []).append(entry)
                    self._twins.setdefault(entry.access_key, []).append(own)
            self._mixed.update((one.access_key, (one, every)) for one in every)
            if retold:
                parts = (told(one) for one in said if one[:44].decode() in retold)
                self._parts.update((one.access_key, one) for one in parts)
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
        named = key in self._said or key in self._contents or key in self._twins or key in self._mixed
        return not (named or document.sha256 in places or (invoice is not None and invoice.references))

    def _about(self, document: Document, places: dict[str, tuple[str, str | None]]) -> list[Finding]:
        found = []
        first = places.get(document.sha256)
        if first is not None and first != (document.file, document.member):
            found.append(finding("F11", found=first[0] if first[1] is None else f"{first[0]}: {first[1]}"))
        if document.kind is Kind.NFE:
            found += [*self._papers(document), *self._other_contents(document), *self._entry_twins(document)]
            found += [*self._too_much(document), *self._in_parts(document)]
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
            if (own.weighs or not good) and self._stands(own):
                found = f"{own.access_key}: nota do vendedor, mesmas partes, material e massa"
                return [finding("M15", where="/NFe/infNFe/@Id", found=found, expected="uma nota por carga")]
        return []

    def _told_anew(self) -> Iterator[tuple[str, set[str]]]:
        """The notes that several others tell anew, each with those."""
        for key, said in self._said.items():
            by = {bearing.by for bearing, _ in said if bearing.code == "M15" and bearing.by}
            if len(by) > 1:
                yield key, by

    def _too_much(self, document: Document) -> list[Finding]:
        """M15 where several notes tell one anew, each a part of it, and together more than it weighs."""
        own = self._parts.get(document.access_key)
        for bearing in bearings(document) if own is not None else ():
            first = self._parts.get(bearing.access_key)
            if bearing.code != "M15" or first is None or first.sale.seller != bearing.seller:
                continue
            rest = self._rest(bearing, good=trusted(document))
            sums: Counter[str] = Counter()
            for one in (own, *rest):
                sums.update(one.sale.masses if one else {})
            if rest and any(mg > first.sale.masses.get(material, 0) for material, mg in sums.items()):
                beside = ", ".join(one.access_key for one in rest)
                found = f"{beside}: com esta contam mais massa do que a nota {first.access_key}"
                return [finding("M15", where="/NFe/infNFe/@Id", found=found, expected="uma nota por carga")]
        return []

    def _rest(self, own: Bearing, *, good: bool) -> list[Told]:
        """The other notes that tell a note anew, and stand."""
        said = self._weighing(own.access_key, own.parties, trusted=good)
        by = sorted({one.by for one in said if (one.code, one.seller) == ("M15", own.seller)} - {own.by})
        return [part for key in by if (part := self._parts.get(key)) is not None and self._stands(part)]

    def _stands(self, one: Told) -> bool:
        """Whether no paper stops a note."""
        parties = tuple(sorted((one.sale.seller, one.sale.buyer)))
        said = self._weighing(one.access_key, parties, trusted=one.weighs)
        return not any(bearing.seller in ("", one.sale.seller) for bearing in said)

    def _in_parts(self, document: Document) -> list[Finding]:
        """M15 on the buyer's note that the seller's add up to, and on those that add up to a seller's."""
        if document.invoice is None or not document.invoice.self_issued:
            return []
        for mine, theirs in self._sums(document):
            keys, rest = (", ".join(one.access_key for one in side) for side in (theirs, mine))
            said = (
                f"nota do vendedor da massa que esta e {rest} somam"
                if rest
                else "notas do vendedor que somam esta"
            )
            found = f"{keys}: {said}, mesmas partes e material"
            return [finding("M15", where="/NFe/infNFe/@Id", found=found, expected="uma nota por carga")]
        return []

    def _sums(self, document: Document) -> Iterator[tuple[list[Told], tuple[Told, ...]]]:
        """Where one note tells what several of the other party do together: the rest of its side, theirs."""
        if document.access_key not in self._mixed:
            return
        own, every = self._mixed[document.access_key]
        good = trusted(document)
        near = [one for one in about(own.sale, every) if (one.weighs or not good) and self._stands(one)]
        if theirs := summed(own, [one for one in near if not self._linked(own, one)]):
            yield [], theirs
        for other in near:
            if other.sale.written_by_buyer is not own.sale.written_by_buyer and not self._linked(own, other):
                side = [one for one in about(other.sale, every) if one == own or self._stands(one)]
                mine = summed(other, [one for one in side if not self._linked(one, other)])
                if own in mine:
                    yield [one for one in mine if one != own], (other,)

    def _linked(self, one: Told, other: Told) -> bool:
        """Whether one of two refers to the other: then nothing is left to guess."""
        keys = {one.access_key, other.access_key}
        return any(bearing.by in keys for key in keys for bearing, _ in self._said.get(key, ()))

    def _twins_of(self, document: Document) -> list[Told]:
        """The twins by key, but for those that one of the two refers to: there nothing is left to guess."""
        named = {bearing.by for bearing, _ in self._said.get(document.access_key, ())}
        named |= set(document.invoice.references) if document.invoice else set()
        return [one for one in self._twins.get(document.access_key, ()) if one.access_key not in named]

    def _family(self, document: Document) -> tuple[Kin, ...]:
        """The other notes of the same mass: those it refers to, those that refer to it, and its twins."""
        invoice, key = document.invoice, document.access_key
        known = key in self._said or key in self._twins or key in self._mixed
        if invoice is None or not (invoice.references or known):
            return ()
        own = {bearing.access_key: bearing.code for bearing in bearings(document)}
        said = self._said.get(key, ())
        parties = pair(invoice)
        kin = {Kin(key, "refers_to", own.get(key, "")) for key in invoice.references}
        kin |= {Kin(b.by, "referred_by", b.code) for b, _ in said if b.by and b.parties == parties}
        kin |= {Kin(twin.access_key, "twin", "M15") for twin in self._twins_of(document)}
        kin |= {Kin(o.access_key, "twin", "M15") for _, theirs in self._sums(document) for o in theirs}
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
