"""The thread: files are judged, counted once, retired and settled. Stores and engines are handed in.

sources ─▶ judge ─▶ admit ─▶ hand_in (custody, ledger) ─▶ answers
declarations + retired mass + registry ─▶ company_facts ─▶ obligations.settle
"""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from itertools import islice
from typing import Any, Protocol, TypeVar

from lastro.custody.answers import answer, counted_through
from lastro.custody.chain import COLLECTED
from lastro.custody.count import KeyView, count_once
from lastro.custody.lots import LotRow, Lots
from lastro.custody.port import Answered, Bears, For, Handed, Memory
from lastro.custody.settle import hand_in
from lastro.evidence import record
from lastro.evidence.admit import admit
from lastro.evidence.authenticate import Context
from lastro.evidence.bearing import authentic, bearings, trusted
from lastro.evidence.consulted import Consulted, confirm
from lastro.evidence.judge import crashed, judge_source
from lastro.evidence.sources import Source
from lastro.facts import (
    Collection,
    CompanyFacts,
    Document,
    Kind,
    Outcome,
    Placement,
    Refusal,
    Retired,
    Verdict,
)
from lastro.findings import finding, verdict_of, with_finding
from lastro.ids import Material, company_of, masked
from lastro.lawkit import Regulation
from lastro.registry import Registry
from lastro.units import Mass

Remember = Callable[[], AbstractContextManager[Memory]]
"""Opens custody's memory for the length of one transaction."""

Item = TypeVar("Item")
Result = TypeVar("Result")

_BATCH = 200
"""How many files are counted in one transaction: what a killed run repeats at most."""


class Engine(Protocol):
    """Maps a pure, picklable function over a stream of items.

    The results come in the order of the items, with a bounded number of items under way. An item on which
    the function raises, or a worker dies, gives `failed(item, what)` instead; the others are not touched.
    """

    def map(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        failed: Callable[[Item, str], Result],
        size: Callable[[Item], int] = ...,
    ) -> Iterator[Result]: ...


@dataclass(frozen=True)
class Desk:
    """On whose behalf notes are entered, and what they are judged by."""

    whom: For
    regulation: Regulation
    registry: Registry
    context: Context
    lots: Lots = field(default_factory=dict)
    consulted: Mapping[str, Consulted] = field(default_factory=dict)

    def known(self, key: str) -> str:
        """What is known when a document of this key is judged (decision 3): a digest of what is trusted,
        and one of the registry, the norm, what the claimant said of the key's lines and what SEFAZ answered.
        """
        said = [f"{line} {row}" for line, row in self._said.get(key, ())]
        if key in self.consulted:
            said.append(self.consulted[key].spelled)
        rest = [self.registry.version, self.regulation.norm.path, *said]
        return f"{self.trusted}.{_digest(rest)}"

    @cached_property
    def trusted(self) -> str:
        """A digest of the trusted certificates."""
        return _digest(sorted(hashlib.sha256(der).hexdigest() for der in self.context.trust))

    @cached_property
    def _said(self) -> Mapping[str, list[tuple[int, LotRow]]]:
        by_key: defaultdict[str, list[tuple[int, LotRow]]] = defaultdict(list)
        for (key, line), row in sorted(self.lots.items(), key=str):
            by_key[key].append((line, row))
        return by_key

    def confirmed(self, document: Document) -> Document:
        """The document as SEFAZ confirmed or contradicted it, where it was asked."""
        return confirm(document, self.consulted.get(document.access_key), mask=self.context.mask)

    def judge(self, document: Document) -> Verdict:
        """The verdict on one document for this claimant, by itself."""
        verdict = admit(
            document,
            regulation=self.regulation,
            law=self.regulation.law(date(self.whom.year, 12, 31)),
            registry=self.registry,
            entity=self.whom.entity,
            year=self.whom.year,
            collection=self._collected,
            mask=self.context.mask,
        )
        lines = []
        for line in verdict.lines:
            row = self.lots.get((document.access_key, line.line))
            if row and row.mass and line.mass and row.mass > line.mass:
                over = finding("M11", where=f"item {line.line}", found=row.mass, expected=f"até {line.mass}")
                line = with_finding(line, over)
            lines.append(line)
        return verdict_of(verdict.findings, tuple(lines))

    def _collected(self, key: str, line: int) -> Collection | None:
        row = self.lots.get((key, line))
        return Collection(row.municipality or "", "lots_file", row.origin) if row else None


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


# ── entering ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Seen:
    """One source of a run: its name, its digest, and whether its answer was there already (F11)."""

    file: str
    member: str | None
    sha256: str
    earlier: bool
    unread: Document | None = None


def enter(
    sources: Iterable[Source], *, desk: Desk, remember: Remember, engine: Engine, on: date
) -> Iterator[Seen]:
    """Judge sources, count them once and post their lots, a batch in each transaction.

    Yields what was seen, in order, as soon as it stands. Repeating, reordering or interrupting a run ends
    with the same balances. Files whose bytes were judged under the same knowledge are not judged again.
    """
    waiting: deque[Seen | Source] = deque()
    batch: list[tuple[Source, tuple[Document, ...]]] = []
    stream = engine.map(
        partial(judge_source, context=desk.context),
        _new_ones(sources, desk, remember, waiting),
        failed=lambda source, what: (crashed(source, what),),
        size=lambda source: len(source.data),
    )
    for documents in stream:
        yield from _told(waiting)
        source = waiting.popleft()
        assert isinstance(source, Source)
        if not documents[0].sha256 or any(f.code == "F12" for f in documents[0].findings):
            # No bytes, or a reader that failed: told, and not kept, so that a repeat judges the file anew.
            yield Seen(source.file, source.member, "", False, unread=documents[0])
            continue
        batch.append((source, documents))
        if len(batch) >= _BATCH:
            yield from _stand(batch, desk, remember, on)
            batch = []
    yield from _stand(batch, desk, remember, on)
    yield from _told(waiting)


def _told(waiting: deque[Seen | Source]) -> Iterator[Seen]:
    while waiting and isinstance(waiting[0], Seen):
        seen = waiting.popleft()
        assert isinstance(seen, Seen)
        yield seen


def _new_ones(
    sources: Iterable[Source], desk: Desk, remember: Remember, waiting: deque[Seen | Source]
) -> Iterator[Source]:
    """The sources that must be judged; what waits for an answer is queued in the order of the run."""
    stream, begun = iter(sources), set[str]()
    while part := list(islice(stream, _BATCH)):
        digests = [hashlib.sha256(source.data).hexdigest() if source.data else "" for source in part]
        with remember() as memory:
            done = {
                row.sha256
                for row in memory.answered(desk.whom, files=[d for d in digests if d])
                if row.known == desk.known(row.access_key)
            }
        for source, digest in zip(part, digests, strict=True):
            if digest and digest in done | begun:
                waiting.append(Seen(source.file, source.member, digest, True))
                continue
            begun.add(digest)
            waiting.append(source)
            yield source


def _stand(
    batch: Sequence[tuple[Source, tuple[Document, ...]]], desk: Desk, remember: Remember, on: date
) -> Iterator[Seen]:
    """Write and count one batch, whole or not at all."""
    if not batch:
        return
    documents = [(n, document) for _, found in batch for n, document in enumerate(found)]
    with remember() as memory:
        hand_in(
            memory,
            [_handed(n, document, desk) for n, document in documents],
            whom=desk.whom,
            files={found[0].sha256: source.data for source, found in batch},
            claims=[claim for _, document in documents for claim in _claims(document, desk.lots)],
            on=on,
        )
    for source, found in batch:
        yield Seen(source.file, source.member, found[0].sha256, False)


def _handed(ordinal: int, document: Document, desk: Desk) -> Handed:
    seen, invoice = desk.confirmed(document), document.invoice
    verdict = desk.judge(seen)
    weighs = authentic(seen) and trusted(seen)
    bears = [Bears(b.access_key, b.code, b.parties) for b in bearings(seen)] if weighs else []
    return Handed(
        sha256=document.sha256,
        ordinal=ordinal,
        access_key=document.access_key,
        content_digest=document.content_digest,
        kind=document.kind.value,
        document=record.to_json(document),
        authentic=weighs,
        outcome=verdict.outcome.value,
        verdict={
            **record.verdict_to_json(verdict, document, seen=seen),
            "collects": invoice is not None
            and desk.registry.origin(invoice.seller, invoice.issued_on) in COLLECTED,
        },
        known=desk.known(document.access_key),
        issued_on=invoice.issued_on if invoice else None,
        issuer=invoice.issuer if invoice else "",
        recipient=invoice.recipient if invoice else "",
        bears=tuple(bears),
    )


def _claims(document: Document, lots: Lots) -> Iterator[tuple[str, int, Mass | None]]:
    """A note handed in is a claim on every line of it: all of the line, or the part the lots file names."""
    if document.kind is Kind.NFE and document.invoice is not None:
        for line in document.invoice.lines:
            row = lots.get((document.access_key, line.number))
            yield document.access_key, line.number, row.mass if row else None


def rejudge(desk: Desk, remember: Remember, *, on: date, keys: Sequence[str] | None = None) -> int:
    """Judge again what is stored, where something new is known (decision 3); how many got a new answer.

    All of the claimant's papers, or only those of some keys. Where what is trusted has changed the stored
    bytes are read again; else the stored facts are enough.
    """
    with remember() as memory:
        rows = [r for r in memory.answered(desk.whom, keys=keys) if r.known != desk.known(r.access_key)]
    for start in range(0, len(rows), _BATCH):
        part = rows[start : start + _BATCH]
        with remember() as memory:
            documents = [_again(row, desk, memory) for row in part]
            hand_in(
                memory,
                [_handed(row.ordinal, one, desk) for row, one in zip(part, documents, strict=True)],
                whom=desk.whom,
                files={},
                claims=[claim for document in documents for claim in _claims(document, desk.lots)],
                on=on,
            )
    return len(rows)


def _again(row: Answered, desk: Desk, memory: Memory) -> Document:
    """A stored document as it is to be judged now."""
    stored = record.as_judged(row.document, row.verdict)
    if row.known.startswith(f"{desk.trusted}."):
        return stored
    source = Source(stored.file, stored.member, memory.file(row.sha256))
    return judge_source(source, desk.context)[row.ordinal]


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────


def answers(seen: Iterable[Seen], *, whom: For, remember: Remember) -> Iterator[tuple[Document, Verdict]]:
    """The answer on each source as things stand now, with what custody knows of its keys."""
    stream = iter(seen)
    while part := list(islice(stream, _BATCH)):
        digests = sorted({one.sha256 for one in part if one.sha256})
        with remember() as memory:
            rows = memory.answered(whom, files=digests)
            keys = sorted({row.access_key for row in rows if row.access_key})
            views = memory.key_views(keys)
            counting = counted_through(
                (row.id, row.content_digest, row.sha256)
                for row in memory.answered(whom, keys=keys)
                if row.verdict["outcome"] == Outcome.ADMITTED.value
            )
        by_file: defaultdict[str, list[Answered]] = defaultdict(list)
        for row in rows:
            by_file[row.sha256].append(row)
        for one in part:
            if one.unread is not None:
                yield one.unread, verdict_of(one.unread.findings, ())
            for row in by_file.get(one.sha256, ()):
                yield _answer(one, row, views, counting, whom)


def _answer(
    one: Seen,
    row: Answered,
    views: Mapping[str, KeyView],
    counting: Mapping[str, tuple[int, str]],
    whom: For,
) -> tuple[Document, Verdict]:
    document = replace(record.as_told(row.document, row.verdict), file=one.file, member=one.member)
    own, view = record.verdict_from_json(row.verdict), views.get(row.access_key)
    if one.earlier:
        same = finding("F11", where=one.member or one.file, found=row.document["file"])
        own = verdict_of((*own.findings, same), own.lines)
    if view is None or row.kind != Kind.NFE.value:
        return document, own
    first = counting.get(row.content_digest, (row.id, row.sha256))
    merged = answer(
        own,
        entity=whom.entity,
        authentic=row.authentic,
        counts=count_once(view),
        contents=len(view.contents),
        blocked=view.blocked,
        counted_by=first[1] if first[1] != row.sha256 else "",
        view=view,
    )
    return replace(document, papers=view.papers, family=view.family), merged


# ── out of the lots, and into positions ──────────────────────────────────────────────────────────────


class Book(Protocol):
    """What the thread asks of the ledger: see `lastro.stores.postgres.Store`."""

    def retire_lots(
        self,
        entity: str,
        *,
        establishment: str,
        year: int,
        materials: Iterable[Material],
        mass: Mass,
        request: str,
        happened_on: date,
    ) -> dict[str, Any] | Refusal: ...


def retire_lots(
    book: Book,
    registry: Registry,
    *,
    entity: str,
    establishment: str,
    materials: Sequence[Material],
    mass: Mass,
    year: int,
    request: str,
    on: date,
) -> dict[str, Any] | Refusal:
    """Retire an entity's proved mass to the year of an establishment that is a member of it (arts. 18, 55 I).

    K06: the establishment was not a member at any time of that year, nor is today; P08: it was one of another
    entity. K01: not enough mass.
    """
    days = [date(year, month, 1) for month in range(1, 13)] + [date(year, 12, 31), on]
    other = registry.held_by_another(establishment, entity, days)
    if other is not None:
        return Refusal(
            "P08",
            found=f"{masked(establishment)} é aderente de {masked(other)} no período",
            expected=f"aderente de {masked(entity)}",
        )
    if not any(registry.is_member(establishment, entity, day) for day in days):
        return Refusal(
            "K06",
            found=f"{masked(establishment)} não é aderente de {masked(entity)}",
            expected=f"aderente em {year} ou em {on.isoformat()}",
        )
    return book.retire_lots(
        entity,
        establishment=establishment,
        year=year,
        materials=materials,
        mass=mass,
        request=request,
        happened_on=on,
    )


class RetiredFor(Protocol):
    """Mass retired for one establishment."""

    @property
    def establishment(self) -> str: ...
    @property
    def fact(self) -> Retired: ...


def company_facts(
    placed: Mapping[str, Sequence[Placement]],
    retired: Iterable[RetiredFor],
    registry: Registry,
    *,
    year: int,
) -> list[CompanyFacts]:
    """What is known of each company that declared or received mass, in the order of their roots.

    `placed` is by company (root of the CNPJ). Size and scheme come from the registry; where it does not know
    them they stay empty: not known is not a guess.
    """
    proved: defaultdict[str, list[Retired]] = defaultdict(list)
    for one in retired:
        proved[company_of(one.establishment)].append(one.fact)
    return [
        CompanyFacts(
            cnpj=root,
            size=registry.size(root, year) or "",
            scheme=registry.scheme(root, year) or "",
            placed=tuple(placed.get(root, ())),
            retired=tuple(proved.get(root, ())),
        )
        for root in sorted({*placed, *proved})
    ]
