"""Decreto 10.240/2020 (household electronics) from its text alone: milligrams, cents, None for missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

# Annex II, as far as it could be confirmed; 2022 and 2023 are lost, and nothing stands after 2025.
RATES = {2021: Fraction(1, 100), 2024: Fraction(12, 100), 2025: Fraction(17, 100)}


def base(kinds: Iterable[tuple[int, int]]) -> int:
    """Art. 52: unit weight in milligrams times units sold, over the kinds of product."""
    return sum(weight * units for weight, units in kinds)


def equivalent(kinds: Iterable[tuple[int, int]], discarded: int) -> Fraction | None:
    """Art. 52: the weight that so many discarded units stand for: the weighted mean times the units."""
    known = list(kinds)
    units = sum(one[1] for one in known)
    return None if units == 0 else Fraction(base(known) * discarded, units)


def target(year: int, member_bases: Iterable[int]) -> Fraction | None:
    """Art. 49, pars. 1-2: the year's rate of the 2018 household weight of the members alone."""
    rate = RATES.get(year)
    return None if rate is None else rate * sum(member_bases)


@dataclass(frozen=True)
class Year:
    """One year's outcome: was it met, what it used of the surplus and what it leaves."""

    met: bool | None
    used: Fraction
    left: Fraction


def run(
    collected: Mapping[int, int], targets: Mapping[int, Fraction | None], phase_one: int
) -> dict[int, Year]:
    """Art. 50: what passes a year's target serves later years; what Phase 1 gathered serves Phase 2.

    Surplus is measured before credits are used, a credit is spent only on a shortfall, years run in order.
    What there is of it is spent even where it does not cover the whole shortfall: it abates the target.
    """
    ledger = Fraction(phase_one)
    out: dict[int, Year] = {}
    for year in sorted(targets):
        wanted, got = targets[year], collected.get(year, 0)
        if wanted is None:
            out[year] = Year(None, Fraction(0), ledger)
            continue
        short = max(wanted - got, Fraction(0))
        used = min(short, ledger)
        ledger += max(got - wanted, Fraction(0)) - used
        out[year] = Year(used == short, used, ledger)
    return out


def points(population: int) -> int:
    """Art. 48, par. 2: one receiving point for each 25,000 people, a part of them counting, never none."""
    return max(1, -(-population // 25_000))


def cost_share(cost: int, own: int, everyone: int) -> Fraction | None:
    """Art. 16, I: cents of the system's cost that fall to one company, by its part of the market."""
    return None if everyone == 0 else Fraction(cost * own, everyone)


def shares(cost: int, market: Mapping[str, int]) -> dict[str, int]:
    """Art. 16, I: the whole cost in whole cents, by largest remainder, ties to the first name."""
    everyone = sum(market.values())
    if everyone == 0:
        return {}
    exact = {name: Fraction(cost * own, everyone) for name, own in market.items()}
    paid = {name: int(value) for name, value in exact.items()}
    order = sorted(exact, key=lambda name: (paid[name] - exact[name], name))
    for name in order[: cost - sum(paid.values())]:
        paid[name] += 1
    return paid


def equalised(targets: Mapping[str, int], attained: Mapping[str, int]) -> dict[str, Fraction]:
    """Arts. 20, IX and 55: what each system gathered beyond (or short of) its part of what all gathered."""
    wanted, got = sum(targets.values()), sum(attained.values())
    return {name: attained[name] - Fraction(got * own, wanted) for name, own in targets.items()}


def visible_fee(cents_a_unit: int, units: int) -> int:
    """Art. 17: the contracted cost times the units, nothing added."""
    return cents_a_unit * units


def balanced(*, received: int, destined: int, stock: int) -> bool:
    """Arts. 33 and 49, par. 4: everything received was destined or still lies in stock."""
    return received == destined + stock


def reported(*, consolidation: int | None, recycler: int | None, proved: int) -> int | None:
    """Art. 53: weighed where it enters (the less of two weighings), and only as far as its end is proved."""
    known = [mass for mass in (consolidation, recycler) if mass is not None]
    return min([*known, proved]) if known else None


def price_of(mass: Fraction, cents_a_tonne: int) -> Fraction:
    """Art. 55: cents that a mass is worth at an agreed price a tonne, unrounded."""
    return mass * cents_a_tonne / 10**9
