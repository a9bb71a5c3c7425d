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


@dataclass(frozen=True)
class Proof:
    """A proof of sale: what, how much, which paper, and its days (recognised: since when its kind is)."""

    material: str
    mass: int
    invoice: bool
    sold: date
    delivered: date
    recognised: date | None = None


@dataclass(frozen=True)
class Organisation:
    """What arts. 2, 3, 6, 7 and 9 ask of one organisation, in counts and days."""

    registration: str
    kind: str
    founded: date
    members: int
    capable: int
    active: int
    children: int
    in_school: int
    updated: date
    validated: bool
    recognised: bool
    granted_before: bool
    list_delivered: bool
    place: int
    measured: tuple[int | None, ...]
    proofs: tuple[Proof, ...]


def quarter_days(year: int, quarter: int) -> tuple[date, date]:
    """The first and the last day of a quarter."""
    following, month = after_quarter(year, quarter)
    return date(year, 3 * quarter - 2, 1), date.fromordinal(date(following, month, 1).toordinal() - 1)


def a_year_on(day: date) -> date:
    """Twelve months later, the month's last day where the day does not exist (a reading of art. 9, I)."""
    return day.replace(year=day.year + 1, day=28) if (day.month, day.day) == (2, 29) else next_year(day)


def entitled(one: Organisation, *, last: date, admitted: int | None) -> bool:
    """Arts. 2, 6, 7, 9 and 10 on the quarter's last day; a measure that lacks is the agency's own task."""
    measured = [mass for mass in one.measured if mass is not None]
    return (
        one.kind in ("cooperative", "association")
        and old_enough(one.founded, last)
        and one.members > 0
        and one.capable == one.active == one.members
        and one.in_school == one.children
        and last <= a_year_on(one.updated)
        and one.validated
        and one.recognised
        and (one.list_delivered or not one.granted_before)
        and (admitted is None or one.place <= admitted)
        and any(proof.mass for proof in one.proofs)
        and (not measured or any(measured))
    )


def counted(one: Organisation, *, year: int, quarter: int, due: date, known: Mapping[str, Fraction]) -> Claim:
    """Arts. 2 and 12: sales of the quarter, proved in time by an invoice or a paper recognised before."""
    first, last = quarter_days(year, quarter)
    mass: dict[str, int] = {}
    for proof in one.proofs:
        paper = proof.invoice or (proof.recognised is not None and proof.recognised <= proof.sold)
        listed = proof.material in ("paper", "plastic", "metal", "glass") or proof.material in known
        if first <= proof.sold <= last and proof.delivered <= due and paper and listed:
            mass[proof.material] = mass.get(proof.material, 0) + proof.mass
    return Claim(one.registration, mass)


def pay(
    available: int,
    organisations: Iterable[Organisation],
    k: Mapping[str, Fraction],
    *,
    year: int,
    quarter: int,
    due: date,
    least: int,
    admitted: int | None = None,
    by_tonne: bool = False,
) -> dict[str, int] | None:
    """Arts. 9 to 15 for a whole quarter, in cents; None if the money falls short of art. 11 or a k lacks."""
    last = quarter_days(year, quarter)[1]
    claims = []
    for one in organisations:
        claim = counted(one, year=year, quarter=quarter, due=due, known=k)
        if not entitled(one, last=last, admitted=admitted):
            claim = Claim(claim.registration, {})
        claims.append(claim)
    if available < least or any(name not in k for claim in claims for name in claim.mass):
        return None
    return (by_price if by_tonne else by_weight)(available, claims, k)
