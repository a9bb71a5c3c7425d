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
from datetime import date, datetime
from operator import mul
from typing import Any, Protocol, TypeVar

from lastro import tables
from lastro.evidence import certificates
from lastro.evidence.admit import candidate_of, objections_to
from lastro.evidence.asked import Parties
from lastro.evidence.context import Context, Place
from lastro.evidence.fast import Seen
from lastro.evidence.fast_rows import (
    Row,
    free_of,
    gist_of_row,
    head_of,
    issuer_of,
    line_of,
    made,
    numbers_of,
    own_of,
    recipient_of,
    tail_of,
    units_of,
)
from lastro.evidence.together import gist_of
from lastro.facts import Document, Finding, Outcome, Verdict
from lastro.ids import Material, Origin, company_of
from lastro.lawkit import Law
from lastro.lawkit.regulation import Regulation
from lastro.units import MG_PER_KG

_KEY = re.compile(r"[0-9]{6}[0-9A-Z]{12}[0-9]{26}")
_WEIGHTS = tuple(2 + i % 8 for i in reversed(range(43)))
_LESS = 48 * sum(_WEIGHTS)
_POWERS = tuple(10**n for n in range(20))
_POSITIONS = tuple(str(n) for n in range(1, 1000))
_MOST_MG = 60_000 * MG_PER_KG
"""A lorry's load: what is said to weigh more goes the long way."""
_MOST_KNOWN = 20_000


class Dated(Parties, Protocol):
    """A registry that says on which days its answers about a party become others."""

    def changes(self, cnpj: str) -> tuple[date, ...]: ...


Texts = tuple[str, ...]
Collected = tuple[str, str, str | None] | None


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
        self._notes: dict[tuple[str, Texts, Texts], dict[Texts, tuple[str, int, int]]] = {}
        self._sellers: dict[tuple[Texts, int], Collected] = {}
        self._buyers: dict[tuple[Texts, int], bool] = {}
        self._changes: dict[str, tuple[date, ...]] = {}
        self._days: dict[str, date] = {}
        self._bands: dict[tuple[str, date], tuple[int, int, int, int] | None] = {}
        self._signers: dict[bytes, tuple[datetime, datetime, str] | None] = {}
        self._lawful: dict[tuple[date, str, str | None], bool] = {}

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
        note = (found.layout, head_of(found.texts), tail_of(found.tail))
        known = self._notes.get(note)
        on = self._in_order(found) if known is not None else None
        if known is None or on is None:
            return None
        issuer, recipient = issuer_of(found.texts), recipient_of(found.texts)
        seller = (issuer, self._epoch(issuer[0], on))
        if seller not in self._sellers or (recipient, self._epoch(recipient[0], on)) not in self._buyers:
            return None
        if company_of(issuer[0]) == company_of(recipient[0]):
            return None
        collected = self._sellers[seller]
        signer = self._signed(found, issuer[0])
        lines = self._lines(found, known, on, collected[2] if collected else None)
        if signer is None or lines is None:
            return None
        return self._made(found, place, note, signer, lines, collected)

    def _made(
        self,
        found: Seen,
        place: Place,
        note: tuple[str, Texts, Texts],
        signer: str,
        lines: tuple[tuple[Texts, str, str, str, str, int], ...],
        collected: Collected,
    ) -> Row:
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
            issuer_of(found.texts),
            recipient_of(found.texts),
            own_of(found.texts),
            free_of(found.tail),
            found.net_weights,
            found.gross_weights,
            found.plates,
            lines,
            collected,
        )

    def _in_order(self, found: Seen) -> date | None:
        """The day of issue, where key, note and protocol agree and no other note is named; else None."""
        issued_at, number, random_code, check_digit = own_of(found.texts)
        key = found.identity[3:]
        if found.references or len(issued_at) != 25 or not _KEY.fullmatch(key):
            return None
        rest = (sum(map(mul, map(ord, key), _WEIGHTS)) - _LESS) % 11
        if key[43] != ("0" if rest < 2 else str(11 - rest)) or check_digit != key[43]:
            return None
        if number.zfill(9) != key[25:34] or random_code.zfill(8) != key[35:43]:
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
        _bounded(self._days)[issued_at[:11]] = on
        return on

    def _signed(self, found: Seen, issuer: str) -> str | None:
        """Who signed it, where the certificate is the issuer's, held then and leads to a trusted root."""
        certificate = found.key.chain[0]
        if certificate not in self._signers:
            _bounded(self._signers)[certificate] = self._span(found.key.chain)
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
            _bounded(self._changes)[party] = changes
        return bisect_right(changes, on)

    # ── its lines ────────────────────────────────────────────────────────────────────────────────────

    def _lines(
        self,
        found: Seen,
        known: dict[Texts, tuple[str, int, int]],
        on: date,
        origin: str | None,
    ) -> tuple[tuple[Texts, str, str, str, str, int], ...] | None:
        """The lines with their masses, where each is plain and they weigh together what the volumes do."""
        lines = []
        total = 0
        for position, line in zip(_POSITIONS, found.lines, strict=False):
            shared = line_of(line)
            kind = known.get(shared)
            number, quantity, taxable, value = numbers_of(line)
            if kind is None or number != position:
                return None
            mg = self._weighed(kind, quantity, taxable, value, on)
            if not mg or not self._allowed(on, kind[0], origin):
                return None
            total += mg
            lines.append((shared, kind[0], quantity, taxable, value, mg))
        if len(lines) != len(found.lines) or total > _MOST_MG or not _carried(found, total):
            return None
        return tuple(lines)

    def _weighed(self, kind: tuple[str, int, int], quantity: str, taxable: str, value: str, on: date) -> int:
        """The milligrams of a line, where both quantities say so and its price is a usual one; else zero."""
        material, unit, other = kind
        number, scale = _scaled(quantity)
        same, per = _scaled(taxable)
        mg, finer = divmod(number * unit, scale)
        if finer or number * unit * per != same * other * scale:
            return 0
        price, cents = _scaled(value)
        price, per = price * MG_PER_KG, cents * mg
        if (material, on) not in self._bands:
            _bounded(self._bands)[material, on] = _band(material, on)
        band = self._bands[material, on]
        if band is None or not price:
            return 0
        return mg if band[0] * per <= price * band[1] and price * band[3] <= band[2] * per else 0

    def _allowed(self, on: date, material: str, origin: str | None) -> bool:
        """Whether the norm has nothing against such a line of that day, sold to who brings it back."""
        allowed = self._lawful.get((on, material, origin))
        if allowed is None:
            of = Origin(origin) if origin else None
            candidate = candidate_of(
                issued_on=on,
                material=Material(material),
                aerosol=False,
                origin=of,
                recycler=True,
                year=self._year,
            )
            allowed = of is not None and not objections_to(self._regulation, self._law, candidate)
            _bounded(self._lawful)[on, material, origin] = allowed
        return allowed

    # ── learning ─────────────────────────────────────────────────────────────────────────────────────

    def learn(self, found: Seen, document: Document, verdict: Verdict) -> None:
        """Remember the parts of a note on which the long way said nothing, if they prove to give the same."""
        invoice = document.invoice
        if invoice is None or invoice.self_issued or not self._nothing_said(document, verdict):
            return
        if len(invoice.issuer) != 14 or len(invoice.recipient) != 14:
            return
        issuer, recipient = issuer_of(found.texts), recipient_of(found.texts)
        place = verdict.lines[0].collection
        collected = (place.municipality, place.source, place.origin and place.origin.value) if place else None
        note = (found.layout, head_of(found.texts), tail_of(found.tail))
        trial = Plain(
            self._context,
            regulation=self._regulation,
            law=self._law,
            registry=self._registry,
            entity=self._entity,
            year=self._year,
        )
        seller = (issuer, self._epoch(issuer[0], invoice.issued_on))
        buyer = (recipient, self._epoch(recipient[0], invoice.issued_on))
        kinds = {
            line_of(t): _kind(line_of(t), v.material) for t, v in zip(found.lines, verdict.lines, strict=True)
        }
        known = {shared: kind for shared, kind in kinds.items() if kind is not None}
        trial._notes, trial._sellers, trial._buyers = {note: known}, {seller: collected}, {buyer: True}
        row = trial.row(found, Place(document.file, document.member, document.sha256))
        if row is None or made(row, document.findings) != (document, verdict):
            return
        if gist_of_row(row) != gist_of(document, verdict):
            return
        self.said = document.findings
        _bounded(_bounded(self._notes).setdefault(note, {})).update(known)
        _bounded(self._sellers)[seller] = collected
        _bounded(self._buyers)[buyer] = True

    def _nothing_said(self, document: Document, verdict: Verdict) -> bool:
        """Whether a note is admitted whole, with nothing said but what is said of every note."""
        if verdict.outcome is not Outcome.ADMITTED or [f.code for f in document.findings] != ["N18"]:
            return False
        if verdict.findings != document.findings or (self.said and self.said != document.findings):
            return False
        plain = all(v.outcome is Outcome.ADMITTED and v.counts and not v.findings for v in verdict.lines)
        one = len({v.collection for v in verdict.lines}) == 1
        return plain and one


Known = TypeVar("Known", bound=dict[Any, Any])


def _bounded(known: Known) -> Known:
    """What is known, or nothing of it any more where that is a great deal: then it is learned again."""
    if len(known) >= _MOST_KNOWN:
        known.clear()
    return known


def _kind(shared: Texts, material: Material | None) -> tuple[str, int, int] | None:
    """The material of a line and what its two units weigh, where both are units of mass."""
    if any(text != text.strip() for text in shared) or material is None:
        return None
    unit, other = (tables.unit_mg(unit) for unit in units_of(shared))
    return (material.value, unit, other) if unit and other else None


def _band(material: str, on: date) -> tuple[int, int, int, int] | None:
    band = tables.band_of(Material(material), on)
    if band is None:
        return None
    return band.low.numerator, band.low.denominator, band.high.numerator, band.high.denominator


def _scaled(written: str) -> tuple[int, int]:
    """A plain decimal as a whole number and what it is divided by; (0, 1) where it is not so written."""
    whole, point, decimals = written.partition(".")
    digits = whole + decimals
    if not (digits.isdecimal() and digits.isascii() and len(digits) < 19):
        return 0, 1
    if not whole or (point and not decimals):
        return 0, 1
    return int(digits), _POWERS[len(decimals)]


def _carried(found: Seen, total: int) -> bool:
    """Whether one volume weighs net what the lines do together, and gross no less."""
    if len(found.net_weights) != 1 or len(found.gross_weights) != 1:
        return False
    net, by = _scaled(found.net_weights[0])
    gross, per = _scaled(found.gross_weights[0])
    return net * MG_PER_KG == total * by and gross * MG_PER_KG >= total * per
