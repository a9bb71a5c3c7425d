"""An entity's documents as they are answered now: the list, one document, and its family."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from lastro.custody.port import For
from lastro.evidence.answer import RELATIONS
from lastro.facts import Document, Finding, LineVerdict, Outcome, Severity, Verdict
from lastro.findings import catalogue
from lastro.ids import masked
from lastro.pipeline import Seen, answers
from lastro.stores.postgres.custody import LotStanding, custody
from lastro.stores.postgres.view import Moved
from lastro.units import ZERO, Mass, total
from lastro.web import office
from lastro.web.readings import waste
from lastro.web.translating import tongue

_WEIGHT = {severity: n for n, severity in enumerate(Severity)}


@dataclass(frozen=True)
class Row:
    """One document in a list."""

    sha256: str
    ordinal: int
    file: str
    key: str
    kind: str
    issued_on: date | None
    seller: str
    buyer: str
    outcome: Outcome
    codes: tuple[tuple[str, Severity], ...]
    mass: Mass
    parties: tuple[str, ...] = ()
    waiting: Mass = ZERO
    """What its lines weigh as far as that can be told, where it does not count."""
    untold: int = 0
    """How many of its lines that do not count have a mass that cannot be told."""

    @property
    def worst(self) -> tuple[tuple[str, Severity], ...]:
        """The codes that ask something of somebody, the gravest first."""
        return tuple((c, s) for c, s in self.codes if s is not Severity.INFO)


@dataclass(frozen=True)
class Filter:
    """What a list is narrowed to; an empty word narrows nothing."""

    outcome: str = ""
    code: str = ""
    operator: str = ""
    words: str = ""
    digests: frozenset[str] | None = None

    def keeps(self, row: Row) -> bool:
        return (
            (not self.outcome or row.outcome.value == self.outcome)
            and (not self.code or any(code == self.code for code, _ in row.codes))
            and (not self.operator or self.operator in row.parties)
            and (not self.words or self.words.lower() in f"{row.file} {row.key}".lower())
            and (self.digests is None or row.sha256 in self.digests)
        )


def rows(whom: For) -> tuple[Row, ...]:
    """Every document of a claimant as it is answered now, latest note first.

    Made anew only when something was handed in, decided or moved since.
    """
    return _rows(whom, _version(), id(office.store()))


def _version() -> tuple[int, ...]:
    """Numbers that grow with everything an answer depends on."""
    with office.store().transaction() as db:
        row = db.execute(
            """select (select coalesce(max(id), 0) from verdict), (select coalesce(max(id), 0) from claim),
                      (select coalesce(max(id), 0) from decision),
                      (select coalesce(max(id), 0) from claim_withdrawn),
                      (select coalesce(sum(height), 0)::bigint from chain)"""
        ).fetchone()
    assert row is not None
    return tuple(int(n) for n in row)


@lru_cache(maxsize=16)
def _rows(whom: For, version: tuple[int, ...], which: int) -> tuple[Row, ...]:
    made = [_row(document, verdict, n) for document, verdict, n in _told(whom, None)]
    made.sort(key=lambda r: (r.issued_on or date.min, r.key, r.sha256, r.ordinal), reverse=True)
    return tuple(made)


def _told(whom: For, files: Sequence[str] | None) -> Iterator[tuple[Document, Verdict, int]]:
    """Answers on files (or on all), each with its place among the documents of its file."""
    with custody(office.store()) as memory:
        known = memory.answered(whom, files=files)
    named = {row.sha256: row.document for row in known}
    seen = [
        Seen(str(said["file"]), said["member"], digest, earlier=False)
        for digest, said in sorted(named.items())
    ]
    places: Counter[str] = Counter()
    for document, verdict in answers(seen, whom=whom, remember=office.remember()):
        yield document, verdict, places[document.sha256]
        places[document.sha256] += 1


def _row(document: Document, verdict: Verdict, ordinal: int) -> Row:
    invoice = document.invoice
    seller, buyer = (invoice.seller, invoice.buyer) if invoice else waste.parties(document)
    codes = {f.code: f.severity for f in (*verdict.findings, *(f for x in verdict.lines for f in x.findings))}
    return Row(
        sha256=document.sha256,
        ordinal=ordinal,
        file=_base_name(document.member or document.file),
        key=document.access_key,
        kind=document.kind.value,
        issued_on=invoice.issued_on if invoice else waste.day(document),
        seller=shown_party(seller),
        buyer=shown_party(buyer),
        outcome=verdict.outcome,
        codes=tuple(sorted(codes.items(), key=lambda item: (_WEIGHT[item[1]], item[0]))),
        mass=_counted(verdict),
        parties=(seller, buyer) if seller or buyer else (),
        waiting=total(x.mass for x in _uncounted(verdict) if x.mass),
        untold=sum(x.mass is None for x in _uncounted(verdict)),
    )


def _uncounted(verdict: Verdict) -> tuple[LineVerdict, ...]:
    """The lines of recyclables that do not count, or whose document does not."""
    admitted = verdict.outcome is Outcome.ADMITTED
    return tuple(
        x
        for x in verdict.lines
        if x.material is not None and not (admitted and x.counts and x.outcome is Outcome.ADMITTED)
    )


def _base_name(path: str) -> str:
    """The last part of a name: where a file stood on somebody's machine is nobody's business."""
    return path.replace("\\", "/").rpartition("/")[2]


def _counted(verdict: Verdict) -> Mass:
    if verdict.outcome is not Outcome.ADMITTED:
        return Mass(0)
    return total(x.mass for x in verdict.lines if x.counts and x.mass and x.outcome is Outcome.ADMITTED)


def shown_party(who: str) -> str:
    """A company by its CNPJ; of a person no more than the middle of the CPF, even a miswritten one."""
    shown = without_cpf(who)
    return masked(who) if shown == who else shown


def without_cpf(text: str) -> str:
    """A text in which no CPF stands whole: eleven digits by themselves, whatever their check digits.

    The digits of an access key are its own; they stand in one piece of 44.
    """
    return _CPF.sub(lambda found: f"***.{found[2]}.{found[3]}-**", text)


_CPF = re.compile(r"(?<![0-9A-Z])([0-9]{3})\.?([0-9]{3})\.?([0-9]{3})-?([0-9]{2})(?![0-9A-Z])")


def codes_of(every: Sequence[Row]) -> list[tuple[str, str, int]]:
    """The codes seen on any of these documents, with their words and how many documents carry them."""
    counted = Counter(code for row in every for code, _ in row.codes)
    return [(code, catalogue()[code].message[tongue()], n) for code, n in sorted(counted.items())]


# ── one document ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Said:
    """A finding in words: what was seen, where, and what to do."""

    code: str
    severity: Severity
    message: str
    where: str
    found: str
    expected: str
    article: str
    cure: str


def said(finding: Finding) -> Said:
    """A finding with the words of the catalogue."""
    entry = catalogue()[finding.code]
    return Said(
        finding.code,
        finding.severity,
        entry.message[tongue()],
        without_cpf(finding.where),
        without_cpf(finding.found),
        without_cpf(finding.expected),
        finding.article,
        entry.cure[tongue()],
    )


@dataclass(frozen=True)
class LineShown:
    """One line of a note: what it says, what it counts, what was seen."""

    line: LineVerdict
    description: str
    findings: tuple[Said, ...]


@dataclass(frozen=True)
class KinShown:
    """Another note of the same mass: how it stands to this one, and the entity's own document of it."""

    access_key: str
    relation: str
    code: str
    row: Row | None


@dataclass(frozen=True)
class Shown:
    """One document, with everything that a page tells of it."""

    document: Document
    verdict: Verdict
    ordinal: int
    findings: tuple[Said, ...]
    lines: tuple[LineShown, ...]
    row: Row
    family: tuple[Row, ...] = ()
    standing: tuple[LotStanding, ...] = ()
    moves: tuple[Moved, ...] = ()
    kin: tuple[KinShown, ...] = ()
    waste: tuple[tuple[str, str], ...] = ()


def one(whom: For, sha256: str, ordinal: int) -> Shown | None:
    """A document of the claimant, or None if it handed none such in."""
    for document, verdict, place in _told(whom, [sha256]):
        if place == ordinal:
            return _shown(whom, document, verdict, ordinal)
    return None


def _shown(whom: For, document: Document, verdict: Verdict, ordinal: int) -> Shown:
    written = waste.described(document)
    if document.invoice is not None:
        written = {line.number: line.description for line in document.invoice.lines}
    key = document.access_key
    own = (document.sha256, ordinal)
    return Shown(
        document=document,
        verdict=verdict,
        ordinal=ordinal,
        findings=_sorted(verdict.findings),
        lines=tuple(
            LineShown(line, without_cpf(written.get(line.line, "")), _sorted(line.findings))
            for line in verdict.lines
        ),
        row=_row(document, verdict, ordinal),
        family=tuple(r for r in rows(whom) if key and r.key == key and (r.sha256, r.ordinal) != own),
        standing=_standing(key, whom.entity),
        moves=_moves(key, whom.entity),
        kin=kin_of(document, rows(whom)) if document.family else (),
        waste=waste.facts(document),
    )


def kin_of(document: Document, own: Sequence[Row]) -> tuple[KinShown, ...]:
    """The other notes of a document's mass, each with the entity's own document of it where it has one."""
    by_key = {row.key: row for row in reversed(own) if row.kind == "nfe"}
    return tuple(
        KinShown(k.access_key, RELATIONS[k.relation], k.code, by_key.get(k.access_key))
        for k in document.family
    )


def _sorted(findings: Sequence[Finding]) -> tuple[Said, ...]:
    return tuple(said(f) for f in sorted(findings, key=lambda f: (_WEIGHT[f.severity], f.code)))


def _standing(key: str, entity: str) -> tuple[LotStanding, ...]:
    """What the lines of a key are, seen from all claims, where the entity has one."""
    if not key:
        return ()
    with custody(office.store()) as memory:
        return tuple(memory.standing(key=key, entity=entity))


def _moves(key: str, entity: str) -> tuple[Moved, ...]:
    """Where the mass of a key's lots went: the entity's own entries, in order."""
    if not key:
        return ()
    return tuple(office.store().moves(entity, key))


# ── the dashboard ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Cure:
    """One thing to do, and how many documents wait for it."""

    code: str
    severity: Severity
    message: str
    cure: str
    documents: int


@dataclass(frozen=True)
class Standing:
    """How an entity's documents stand, by verdict and by what would cure them."""

    outcomes: Mapping[Outcome, int]
    cures: tuple[Cure, ...]
    documents: int
    others: int


def standing(whom: For) -> Standing:
    """Notes by verdict, and what to do about those that do not count, the most frequent first."""
    every = rows(whom)
    notes = [row for row in every if row.kind == "nfe"]
    outcomes = Counter(row.outcome for row in notes)
    waiting: Counter[tuple[str, Severity]] = Counter()
    for row in every:
        if row.outcome is not Outcome.ADMITTED:
            waiting.update(
                (c, s) for c, s in row.codes if s in (Severity.REFUSE, Severity.REVIEW, Severity.ZERO)
            )
    cures = [
        Cure(code, severity, catalogue()[code].message[tongue()], catalogue()[code].cure[tongue()], n)
        for (code, severity), n in waiting.items()
    ]
    cures.sort(key=lambda c: (-c.documents, c.code))
    by_outcome = {outcome: outcomes.get(outcome, 0) for outcome in Outcome}
    return Standing(by_outcome, tuple(cures), len(notes), len(every) - len(notes))
