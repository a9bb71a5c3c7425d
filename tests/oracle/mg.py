"""Decreto MG 45.975/2012 (Bolsa Reciclagem) from its text alone: milligrams, whole cents, fractions.

Readings taken: k weighs a tonne and the quarter's money is shared by points (or, by choice, k is a price in
reais a tonne, cut in proportion where the money is short); a new k waits two whole quarters after its act's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from tests.oracle.days import after_quarter, last_working_day, national, next_year

TONNE = 10**9  # milligrams


@dataclass(frozen=True)
class Claim:
    """What one co-operative proved in a quarter: its registration, and milligrams of each material."""

    registration: str
    mass: Mapping[str, int]


def points(claim: Claim, k: Mapping[str, Fraction]) -> Fraction:
    """Annex: k times tonnes, summed over the materials (the printed plus sign is a slip)."""
    return sum((k[name] * Fraction(mass, TONNE) for name, mass in claim.mass.items()), Fraction(0))


def split(total: int, weights: Mapping[str, Fraction]) -> dict[str, int]:
    """Whole cents by largest remainder; ties go to the lower registration; no weight, no money."""
    whole = sum(weights.values())
    if whole == 0:
        return dict.fromkeys(weights, 0)
    exact = {name: total * weight / whole for name, weight in weights.items()}
    paid = {name: int(value) for name, value in exact.items()}
    order = sorted(exact, key=lambda name: (paid[name] - exact[name], name))
    for name in order[: total - sum(paid.values())]:
        paid[name] += 1
    return paid


def half_up(value: Fraction) -> int:
    """A sum of money to the whole cent, a half going up."""
    return int((2 * value + 1) // 2)


def by_weight(available: int, claims: Iterable[Claim], k: Mapping[str, Fraction]) -> dict[str, int]:
    """Art. 15, k as a weight: all the money of the quarter is shared by points."""
    return split(available, {claim.registration: points(claim, k) for claim in claims})


def by_price(available: int, claims: Iterable[Claim], k: Mapping[str, Fraction]) -> dict[str, int]:
    """Art. 15, k in reais a tonne: each gets its bill; where the money is short, all are cut alike."""
    bill = {claim.registration: points(claim, k) for claim in claims}
    total = half_up(100 * sum(bill.values()))
    return split(min(total, available), bill)


def unit_value(available: int, claims: Iterable[Claim], k: Mapping[str, Fraction]) -> Fraction | None:
    """Art. 15, par. 1: cents that one point is worth; none where nobody proved anything."""
    whole = sum(points(claim, k) for claim in claims)
    return None if whole == 0 else available / Fraction(whole)


def quarter_floor(annual: int) -> int:
    """Art. 11, sole par.: at least a quarter of the year's money, in whole cents: a floor rounds up."""
    return -(-annual // 4)


def to_pickers(transferred: int) -> int:
    """Art. 16: at least nine tenths of each transfer to the pickers, in whole cents, rounded up."""
    return -(-9 * transferred // 10)


def proofs_due(year: int, quarter: int, listed: Iterable[date] = ()) -> date:
    """Art. 12: the last working day of the month after the quarter; optional days off only where listed."""
    off = set(listed)
    return last_working_day(*after_quarter(year, quarter), lambda day: national(day) or day in off)


def new_k_from(act: date) -> date:
    """Art. 14, par. 3: first day after two whole quarters have ended since the act's own quarter."""
    index = act.year * 4 + (act.month - 1) // 3 + 3
    return date(index // 4, index % 4 * 3 + 1, 1)


def old_enough(founded: date, day: date) -> bool:
    """Art. 7, I: founded more than one year before."""
    return day > next_year(founded)


def approved(*, seats: int, present: int, in_favour: int, against: int) -> bool:
    """Art. 5, par. 3: more than half of the seats there, and more votes for than against."""
    return 2 * present > seats and in_favour > against


def transfer_due(granted: date) -> date:
    """Art. 15, par. 2: three months after the grant; where that day does not exist, the month's last."""
    index = granted.year * 12 + granted.month + 2
    for day in range(granted.day, 27, -1):
        try:
            return date(index // 12, index % 12 + 1, day)
        except ValueError:
            continue
    return date(index // 12, index % 12 + 1, granted.day)
