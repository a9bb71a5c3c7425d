"""What became of an operator's own sales: which count, which do not, and what would cure them by when."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from lastro.custody.port import For
from lastro.facts import Document, Finding, Kind, Outcome, Severity, Verdict
from lastro.ids import AccessKey
from lastro.pipeline import Seen, answers
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.party_notes import files_of
from lastro.units import ZERO, Mass, total
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings import documents
from lastro.web.readings.dashboard import Bar, report_due, thousandths
from lastro.web.readings.documents import Said
from lastro.web.translating import said

_ASKS = (Severity.REFUSE, Severity.REVIEW, Severity.ZERO)
_PAPERS = frozenset({"P03", "P04", "P05"})
"""What a paper of the homologation speaks to; all else is spoken to by another note or a ticket."""

_EMPTY = gettext_noop("não traz massa")
_FATE = {
    Outcome.ADMITTED: gettext_noop("conta"),
    Outcome.REVIEW: gettext_noop("espera alguém conferir"),
    Outcome.REFUSED: gettext_noop("não conta"),
}


@dataclass(frozen=True)
class Note:
    """One sale of the operator as one entity's answer has it now."""

    whom: For
    document: Document
    verdict: Verdict
    said: tuple[Said, ...]
    due: date | None

    @property
    def key(self) -> str:
        return self.document.access_key

    @property
    def number(self) -> str:
        """The number people know the note by; empty where the key does not tell it."""
        try:
            return str(int(AccessKey.parse(self.key).number))
        except ValueError:
            return ""

    @property
    def issued_on(self) -> date | None:
        return self.document.invoice.issued_on if self.document.invoice else None

    @property
    def buyer(self) -> str:
        return self.document.invoice.buyer if self.document.invoice else ""

    @property
    def buyer_name(self) -> str:
        return office.name_of(self.buyer)

    @property
    def outcome(self) -> Outcome:
        return self.verdict.outcome

    @property
    def fate(self) -> str:
        """What became of it, in the plainest words."""
        return said(_FATE[self.outcome] if self.mass or self.outcome is not Outcome.ADMITTED else _EMPTY)

    @property
    def mass(self) -> Mass:
        """What counts of it."""
        if self.outcome is not Outcome.ADMITTED:
            return ZERO
        lines = [x for x in self.verdict.lines if x.counts and x.outcome is Outcome.ADMITTED]
        return total(x.mass for x in lines if x.mass is not None)

    @property
    def main(self) -> Said | None:
        """What weighs most against it."""
        return self.said[0] if self.said else None

    @property
    def by_paper(self) -> bool:
        """Whether a paper of the homologation is what it lacks."""
        return any(one.code in _PAPERS for one in self.said)


def notes(party: str, *, key: str = "") -> list[Note]:
    """Every sale of a party that any entity handed in, or those of one key, the latest first."""
    found = [one for whom, files in files_of(office.store(), party).items() for one in _told(whom, files)]
    mine = [
        _note(*one)
        for one in found
        if one[1].kind is Kind.NFE and one[1].invoice is not None and one[1].invoice.seller == party
    ]
    kept = {(note.whom, note.key, note.document.content_digest): note for note in mine}
    chosen = [note for note in kept.values() if not key or note.key == key]
    return sorted(chosen, key=lambda n: (n.issued_on or date.min, n.key, n.whom.entity), reverse=True)


def _told(whom: For, files: Sequence[str]) -> Iterator[tuple[For, Document, Verdict]]:
    with custody(office.store()) as memory:
        known = memory.answered(whom, files=files)
    named = {row.sha256: row.document for row in known}
    seen = [Seen(str(of["file"]), of["member"], digest, earlier=False) for digest, of in named.items()]
    for document, verdict in answers(seen, whom=whom, remember=office.remember()):
        yield whom, document, verdict


def _note(whom: For, document: Document, verdict: Verdict) -> Note:
    return Note(whom, document, verdict, against(verdict), report_due(whom.norm, whom.year))


def against(verdict: Verdict) -> tuple[Said, ...]:
    """What asks something of somebody, each thing once, the gravest first."""
    every = (*verdict.findings, *(f for line in verdict.lines for f in line.findings))
    asked: dict[tuple[str, str, str], Finding] = {}
    for one in every:
        if one.severity in _ASKS:
            asked.setdefault((one.code, one.found, one.expected), one)
    order = list(Severity)
    return tuple(
        documents.said(one) for one in sorted(asked.values(), key=lambda f: (order.index(f.severity), f.code))
    )


# ── the year at a glance ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Month:
    """A month's sales: what counts, and how many notes do not."""

    month: int
    mass: Mass
    waiting: int
    bar: Bar

    @property
    def first(self) -> date:
        return date(2000, self.month, 1)


@dataclass(frozen=True)
class Home:
    """What an operator's first page shows of a year."""

    year: int
    years: tuple[int, ...]
    counted: Mass
    this_month: Mass
    month: int
    counts: int
    asks: tuple[Note, ...]
    months: tuple[Month, ...]
    cures: tuple[tuple[Said, int], ...]
    ever: bool


def home(party: str, *, year: int | None, today: date) -> Home:
    """An operator's year: the one asked for, else the last with a sale."""
    every = notes(party)
    years = sorted({n.issued_on.year for n in every if n.issued_on} | {today.year}, reverse=True)
    sold = [n.issued_on.year for n in every if n.issued_on]
    chosen = year if year in years else max(sold, default=today.year)
    mine = [n for n in every if n.issued_on and n.issued_on.year == chosen]
    month = (
        today.month
        if today.year == chosen
        else max((n.issued_on.month for n in mine if n.issued_on), default=1)
    )
    asks = tuple(n for n in mine if n.said and n.outcome is not Outcome.ADMITTED)
    return Home(
        year=chosen,
        years=tuple(years),
        counted=total(n.mass for n in mine),
        this_month=total(n.mass for n in mine if n.issued_on and n.issued_on.month == month),
        month=month,
        counts=sum(1 for n in mine if n.mass),
        asks=asks,
        months=_months(mine),
        cures=_cures(asks),
        ever=bool(every),
    )


def _months(mine: Sequence[Note]) -> tuple[Month, ...]:
    by_month: defaultdict[int, list[Note]] = defaultdict(list)
    for note in mine:
        assert note.issued_on is not None, "only dated notes have a month"
        by_month[note.issued_on.month].append(note)
    masses = {month: total(n.mass for n in some) for month, some in by_month.items()}
    most = max([mass.mg for mass in masses.values()] + [1])
    return tuple(
        Month(
            month,
            masses[month],
            sum(1 for n in by_month[month] if n.outcome is not Outcome.ADMITTED),
            Bar("", masses[month], (("good", 0, thousandths(masses[month].mg, most)),)),
        )
        for month in sorted(by_month)
    )


def _cures(asks: Sequence[Note]) -> tuple[tuple[Said, int], ...]:
    """What would cure most notes, first: the main thing against each."""
    mains = [note.main for note in asks if note.main is not None]
    counted = Counter(one.code for one in mains)
    first = {one.code: one for one in reversed(mains)}
    return tuple((first[code], n) for code, n in counted.most_common())
