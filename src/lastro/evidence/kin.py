"""Two notes of one load: the seller's own and the buyer's entry note, with the roles swapped.

For: to see, without any reference between them, that a seller's note and a note that the buyer wrote about
the same purchase may be the same mass. It is a question for people, never an answer: two loads may be alike.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Protocol, TypeVar

from lastro.evidence.classify import sells
from lastro.facts import Invoice, Outcome, Verdict
from lastro.ids import company_of

WINDOW = timedelta(days=7)
"""How far apart the two notes may be dated: the buyer writes its own when the load was weighed."""
APART = Fraction(1, 20)
"""How far apart their masses may be, as a part of the greater: the seller estimates, the buyer weighs."""


@dataclass(frozen=True)
class Sale:
    """A sale as its twin would know it: the parties by their roles, the day, and milligrams by material."""

    seller: str
    buyer: str
    written_by_buyer: bool
    issued_on: date
    masses: Mapping[str, int]


def sale_of(invoice: Invoice, verdict: Verdict) -> Sale | None:
    """What a note says as a sale, with the masses that its verdict tells; None if it may have no twin."""
    named = invoice.seller and invoice.buyer and not invoice.unnamed_seller
    if verdict.outcome is Outcome.REFUSED or not named or not sells(invoice):
        return None
    masses = masses_of(verdict)
    if not masses:
        return None
    return Sale(invoice.seller, invoice.buyer, invoice.self_issued, invoice.issued_on, masses)


def masses_of(verdict: Verdict) -> dict[str, int]:
    """The milligrams by material that a note tells, as its verdict weighs them; a refused line tells none."""
    masses: dict[str, int] = {}
    for line in verdict.lines:
        if line.material is not None and line.mass is not None and line.outcome is not Outcome.REFUSED:
            masses[line.material.value] = masses.get(line.material.value, 0) + line.mass.mg
    return masses


def twins(one: Sale, other: Sale) -> bool:
    """Whether two sales may be one: the same seller and buyer, each wrote one, and day and masses fit.

    A company is one whichever of its branches writes: the load goes to one, the entry note may be another's.
    """
    return (
        _companies(one) == _companies(other)
        and one.written_by_buyer is not other.written_by_buyer
        and abs(one.issued_on - other.issued_on) <= WINDOW
        and _fits(one.masses, other.masses)
    )


class Sold(Protocol):
    """A note with what a twin would know it by."""

    @property
    def access_key(self) -> str: ...

    @property
    def sale(self) -> Sale | None: ...


Note = TypeVar("Note", bound=Sold)


def summed(whole: Note, others: Iterable[Note]) -> tuple[Note, ...]:
    """The notes of the other party that together may tell the load or the loads that one note tells.

    For: a buyer that writes one entry note for a week's deliveries, each with a note of the seller's, or two
    for one. They follow each other in the order of day and key, two or more of those within WINDOW of it, and
    add up to its masses as near as a twin; of several such runs the one that fits best. None where one note
    alone fits: that is a twin.
    """
    sale = whole.sale
    if sale is None:
        return ()
    near = sorted(
        (one for one in others if one.sale is not None and _beside(sale, one.sale)), key=_day_and_key
    )
    if len(near) < 2 or any(one.sale is not None and twins(sale, one.sale) for one in near):
        return ()
    fit: list[tuple[int, tuple[Note, ...]]] = []
    for first in range(len(near) - 1):
        masses: Counter[str] = Counter()
        for last, one in enumerate(near[first:], first + 1):
            masses.update(one.sale.masses if one.sale else {})
            if last - first > 1 and _fits(sale.masses, masses):
                apart = sum(abs(mg - masses[material]) for material, mg in sale.masses.items())
                fit.append((apart, tuple(near[first:last])))
    return min(fit, key=lambda one: (one[0], len(one[1])), default=(0, ()))[1]


def _day_and_key(note: Sold) -> tuple[date, str]:
    assert note.sale is not None, "only sales are put in order"
    return note.sale.issued_on, note.access_key


def _beside(one: Sale, other: Sale) -> bool:
    """Whether another note may tell a part of one: the same parties, the other wrote it, and days fit."""
    return (
        _companies(one) == _companies(other)
        and one.written_by_buyer is not other.written_by_buyer
        and abs(one.issued_on - other.issued_on) <= WINDOW
        and other.masses.keys() <= one.masses.keys()
    )


def _fits(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return one.keys() == other.keys() and all(_near(mass, other[material]) for material, mass in one.items())


def _companies(sale: Sale) -> tuple[str, str]:
    return party_of(sale.seller), party_of(sale.buyer)


def party_of(number: str) -> str:
    """The company of a CNPJ, or the person of a CPF: branches are one party."""
    return company_of(number) if len(number) == 14 else number


def _near(one: int, other: int) -> bool:
    return abs(one - other) <= APART * max(one, other)


# ── a sale as a name and what is said under it, for a run of any length ──────────────────────────────


@dataclass(frozen=True)
class Told:
    """One sale of a run: the key of its note, and whether its signer is trusted."""

    access_key: str
    weighs: bool
    sale: Sale


def spelled(key: str, sale: Sale, *, weighs: bool) -> tuple[bytes, bytes]:
    """A sale as bytes: its two companies, which twins share, and the rest."""
    masses = ",".join(f"{material}={mg}" for material, mg in sorted(sale.masses.items()))
    day = sale.issued_on.toordinal()
    rest = f"{key}|{int(sale.written_by_buyer)}|{int(weighs)}|{day}|{masses}|{sale.seller}|{sale.buyer}"
    return "|".join(_companies(sale)).encode(), rest.encode()


def told(said: bytes) -> Told:
    """The sale of which `spelled` wrote the rest."""
    key, by_buyer, weighs, day, masses, seller, buyer = said.decode().split("|")
    parts = (part.partition("=") for part in masses.split(","))
    made = {material: int(mg) for material, _, mg in parts}
    sale = Sale(seller, buyer, by_buyer == "1", date.fromordinal(int(day)), made)
    return Told(key, weighs == "1", sale)


def pairs(said: list[bytes]) -> Iterator[tuple[Told, Told]]:
    """Of all sales between two companies, each that the seller wrote with each of the buyer's that fits."""
    if not any(one.split(b"|", 2)[1] == b"1" for one in said):
        return  # the buyer wrote none of them
    every = [told(one) for one in sorted(set(said))]
    bought = sorted((one for one in every if one.sale.written_by_buyer), key=_when)
    days = [one.sale.issued_on for one in bought]
    for own in every:
        if own.sale.written_by_buyer:
            continue
        first = bisect_left(days, own.sale.issued_on - WINDOW)
        last = bisect_right(days, own.sale.issued_on + WINDOW)
        yield from ((own, entry) for entry in bought[first:last] if twins(own.sale, entry.sale))


def both_sides(said: list[bytes]) -> list[Told]:
    """All sales between two companies in the order of their days, where each wrote some; else none."""
    if len({one.split(b"|", 2)[1] for one in said}) < 2:
        return []
    return sorted((told(one) for one in set(said)), key=_when)


def about(sale: Sale, known: list[Told]) -> list[Told]:
    """Of sales in the order of their days, those within WINDOW of one."""
    first = bisect_left(known, sale.issued_on - WINDOW, key=_day)
    return known[first : bisect_right(known, sale.issued_on + WINDOW, key=_day)]


def _day(one: Told) -> date:
    return one.sale.issued_on


def _when(one: Told) -> tuple[date, str]:
    return one.sale.issued_on, one.access_key
