"""The verdict on a common note, where all that can vary in it is found in order: as the long way, or nothing.

Most notes of a year repeat what was judged before: the same seller and buyer, the same goods in the same
words, under the same operation. So what a note shares with others is judged once, the long way, with the
first note that has it: where nothing was said of that note, each of its parts is remembered as one of which
nothing is to be said. What is a note's own (its key, days, quantities, prices, weights and signature) is
looked at in every note, and only ever found in order. Anything new, or in any way unlike, goes the long way.

Each part that is learned is proved on the spot: the row made for its note must give the very document and
verdict of the long way (`learn`). So a rule that is added there, and says something of a note, is followed
here; what a rule might see in the numbers of a note is named in docs/algorithms/fast-path.md.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from copy import copy
from datetime import date, datetime
from operator import mul
from typing import Protocol

from lastro.evidence import certificates
from lastro.evidence.asked import Parties
from lastro.evidence.context import Context, Place
from lastro.evidence.fast import Seen
from lastro.evidence.fast_lines import Lines, Sort, bounded, sort_of
from lastro.evidence.fast_rows import (
    Row,
    free_of,
    gist_of_row,
    head_of,
    issuer_of,
    keyed_of,
    made,
    own_of,
    recipient_of,
    tail_of,
)
from lastro.evidence.together import gist_of
from lastro.facts import Document, Finding, Outcome, Verdict
from lastro.ids import company_of
from lastro.lawkit import Law
from lastro.lawkit.regulation import Regulation

_KEY = re.compile(r"[0-9]{6}[0-9A-Z]{12}[0-9]{26}")
_WEIGHTS = tuple(2 + i % 8 for i in reversed(range(43)))
_LESS = 48 * sum(_WEIGHTS)


class Dated(Parties, Protocol):
    """A registry that says on which days its answers about a party become others."""

    def changes(self, cnpj: str) -> tuple[date, ...]: ...


Texts = tuple[str, ...]
NoteTexts = tuple[str, Texts, Texts]
Collected = tuple[str, str, str]


class Plain:
    """Judges common notes under one norm, for one entity, with one registry, as the day is now."""

    def __init__(
        self,
        context: Context,
        *,
        regulation: Regulation,
        law: Law,
        registry: Dated,
        entity: str,
        year: int,
    ) -> None:
        self._context = context
        self._regulation, self._law, self._year = regulation, law, year
        self._registry, self._entity = registry, entity
        self.said: tuple[Finding, ...] = ()
        self._lines = Lines(regulation, law, year=year)
        self._notes: dict[NoteTexts, tuple[NoteTexts, dict[Texts, Sort]]] = {}
        self._sellers: dict[tuple[Texts, int], tuple[Texts, Collected]] = {}
        self._buyers: dict[tuple[Texts, int], Texts] = {}
        self._changes: dict[str, tuple[date, ...]] = {}
        self._days: dict[str, date] = {}
        self._signers: dict[bytes, tuple[datetime, datetime, str] | None] = {}

    @classmethod
    def under(
        cls,
        context: Context,
        *,
        regulation: Regulation | None,
        law: Law | None,
        registry: Dated | None,
        entity: str | None,
        year: int | None,
    ) -> Plain | None:
        """A judge for what is asked; None where some of it is left open, so that no note is plain."""
        if regulation is None or law is None or registry is None or entity is None or year is None:
            return None
        if regulation.admits is None or context.mask or context.show_sha1:
            return None
        return cls(context, regulation=regulation, law=law, registry=registry, entity=entity, year=year)

    # ── one note ─────────────────────────────────────────────────────────────────────────────────────

    def row(self, found: Seen, place: Place) -> Row | None:
        """The row of a note of which nothing is to be said; None where the long way has to say."""
        known = self._notes.get((found.layout, head_of(found.texts), tail_of(found.tail)))
        on = self._in_order(found) if known is not None else None
        if known is None or on is None:
            return None
        seller, buyer = issuer_of(found.texts), recipient_of(found.texts)
        sold = self._sellers.get((seller, self._epoch(seller[0], on)))
        bought = self._buyers.get((buyer, self._epoch(buyer[0], on)))
        if sold is None or bought is None or company_of(seller[0]) == company_of(buyer[0]):
            return None
        signer = self._signed(found, seller[0])
        note, sorts = known
        lines = self._lines.of(found, sorts, on=on, origin=sold[1][2]) if signer is not None else None
        if signer is None or lines is None:
            return None
        return Row(
            place.file,
            place.member,
            place.sha256,
            found.identity[3:],
            found.digest,
            hashlib.sha256(found.canonical).hexdigest(),
            signer,
            found.answer[4],
            self._context.basis.value,
            note,
            sold[0],
            bought,
            own_of(found.texts),
            free_of(found.tail),
            found.net_weights,
            found.gross_weights,
            found.plates,
            lines,
            sold[1],
        )

    def _in_order(self, found: Seen) -> date | None:
        """The day of issue, where key, note and protocol agree and no other note is named; else None."""
        issued_at, number, random_code, check_digit = own_of(found.texts)
        key = found.identity[3:]
        if found.references or len(issued_at) != 25 or not _KEY.fullmatch(key):
            return None
        if issued_at != issued_at.strip() or any(plate != plate.strip() for plate in found.plates):
            return None
        rest = (sum(map(mul, map(ord, key), _WEIGHTS)) - _LESS) % 11
        if key[43] != ("0" if rest < 2 else str(11 - rest)) or check_digit != key[43]:
            return None
        if number.zfill(9) != key[25:34] or random_code.zfill(8) != key[35:43]:
            return None
        uf_code, issuer, model, series, emission = keyed_of(found.texts)
        if f"{uf_code}{key[2:6]}{issuer}{model}{series.zfill(3)}" != key[:25] or emission != key[34]:
            return None
        if key[22:25] >= "890":  # the series of tax offices and of persons have rules of their own
            return None
        if issued_at[2:4] != key[2:4] or issued_at[5:7] != key[4:6] or not self._agrees(found, key):
            return None
        on = self._days.get(issued_at[:11])
        if on is None:
            on = self._day(issued_at)
        return on if on is not None and on <= self._context.today else None

    def _agrees(self, found: Seen, key: str) -> bool:
        """Whether the protocol is of this very note, authorised in production."""
        return (found.answer[0], found.answer[1], found.answer[2], found.answer[5]) == (
            key,
            found.digest,
            "100",
            "1",
        )

    def _day(self, issued_at: str) -> date | None:
        try:
            on = date.fromisoformat(issued_at[:10])
        except ValueError:
            return None
        if issued_at[10] != "T":
            return None
        bounded(self._days)[issued_at[:11]] = on
        return on

    def _signed(self, found: Seen, issuer: str) -> str | None:
        """Who signed it, where the certificate is the issuer's, held then and leads to a trusted root."""
        certificate = found.key.chain[0]
        if certificate not in self._signers:
            bounded(self._signers)[certificate] = self._span(found.key.chain)
        span = self._signers[certificate]
        written = found.answer[4]
        if span is None or len(written) != 25:
            return None
        try:
            when = datetime.fromisoformat(written)
            holds = span[0] <= when <= span[1]
        except (ValueError, TypeError):  # no moment, or one without an offset
            return None
        return span[2] if holds and company_of(span[2]) == company_of(issuer) else None

    def _span(self, chain: tuple[bytes, ...]) -> tuple[datetime, datetime, str] | None:
        """When a certificate holds and is trusted, and whose it is; None where that is not one plain span."""
        own, ways = certificates.span(chain[0]), certificates.spans(chain, self._context.trust)
        who = certificates.signer(chain[0]).cnpj
        if own is None or len(ways) != 1 or len(who) != 14:
            return None
        return max(own[0], ways[0][0]), min(own[1], ways[0][1]), who

    def _epoch(self, party: str, on: date) -> int:
        """Between which changes of what the registry says of a party a day falls."""
        changes = self._changes.get(party)
        if changes is None:
            changes = self._registry.changes(party)
            bounded(self._changes)[party] = changes
        return bisect_right(changes, on)

    # ── learning ─────────────────────────────────────────────────────────────────────────────────────

    def learn(self, found: Seen, document: Document, verdict: Verdict) -> None:
        """Remember the parts of a note on which the long way said nothing, if they prove to give the same."""
        invoice = document.invoice
        if invoice is None or invoice.self_issued or not self._nothing_said(document, verdict):
            return
        if len(invoice.issuer) != 14 or len(invoice.recipient) != 14:
            return
        place = verdict.lines[0].collection
        if place is None or place.origin is None:
            return
        collected = place.municipality, place.source, place.origin.value
        told = found.layout, head_of(found.texts), tail_of(found.tail)
        seller, buyer = issuer_of(found.texts), recipient_of(found.texts)
        sold = seller, self._epoch(seller[0], invoice.issued_on)
        bought = buyer, self._epoch(buyer[0], invoice.issued_on)
        sorts = [sort_of(line, v.material) for line, v in zip(found.lines, verdict.lines, strict=True)]
        known = {sort.shared: sort for sort in sorts if sort is not None}
        trial = copy(self)
        trial._notes, trial._sellers = {told: (told, known)}, {sold: (seller, collected)}
        trial._buyers = {bought: buyer}
        row = trial.row(found, Place(document.file, document.member, document.sha256))
        if row is None or made(row, document.findings) != (document, verdict):
            return
        if gist_of_row(row) != gist_of(document, verdict):
            return
        self.said = document.findings
        bounded(bounded(self._notes).setdefault(told, (told, {}))[1]).update(known)
        bounded(self._sellers)[sold] = seller, collected
        bounded(self._buyers)[bought] = buyer

    def _nothing_said(self, document: Document, verdict: Verdict) -> bool:
        """Whether a note is admitted whole, with nothing said but what is said of every note."""
        if verdict.outcome is not Outcome.ADMITTED or [f.code for f in document.findings] != ["N18"]:
            return False
        if verdict.findings != document.findings or (self.said and self.said != document.findings):
            return False
        plain = all(v.outcome is Outcome.ADMITTED and v.counts and not v.findings for v in verdict.lines)
        one = len({v.collection for v in verdict.lines}) == 1
        return plain and one
