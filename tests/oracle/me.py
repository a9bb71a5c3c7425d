"""The 2022 draft on metal packaging, arts. 5 and 51-58, from its text alone: milligrams, fractions.

Readings taken: option IV is always reckoned on the value of item I, with one receiving region where the
company sells; the caps of art. 53 come before the proration and bind the national rates alone; surplus only
over a met target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction

REGIONS = ("N", "NE", "CO", "SE", "S")
CAPS = {"aluminium": (Fraction(95, 100), Fraction(75, 100)), "steel": (Fraction(25, 100), Fraction(21, 100))}


@dataclass(frozen=True)
class Company:
    """One company and one metal in one year: what it placed, what came back, and what it chose.

    moves: what the regions in which it sells take over of those in which it does not (item III); options: for
    each region for which it takes item IV, the one other region that takes the difference.
    """

    placed: Mapping[str, int]
    recovered: Mapping[str, int]
    moves: Mapping[str, Fraction] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """What the law says of a company's year: targets by region, the national one, and what was met."""

    regional: Mapping[str, Fraction]
    national: Fraction
    national_met: bool
    regional_met: Mapping[str, bool]
    met: bool
    elections_stand: bool
    surplus: Fraction


class Refused(Exception):
    """A choice that the text does not allow."""


def phase_two(entry: date) -> date:
    """Art. 5, pars. 1 and 3: the day after 180 days, of which the day of entry into force is not one."""
    return entry + timedelta(days=181)


def full_months(start: date) -> int:
    """Art. 53: calendar months still whole in the year: a start on the first counts its own month."""
    return 13 - start.month if start.day == 1 else 12 - start.month


def first_year(rate: Fraction, start: date, cap: Fraction | None = None) -> Fraction | None:
    """Art. 53: the cap first, the proration next; no target at all where no whole month is left."""
    months = full_months(start)
    if months == 0:
        return None
    return (rate if cap is None else min(rate, cap)) * Fraction(months, 12)


def base(placed: int, returnable: int) -> int:
    """Art. 51, pars. 1 and 3: what was placed the year before, the returnables out."""
    return placed - returnable


def may_opt(index: Fraction, national_index: Fraction, total: int, placed: int) -> bool:
    """Art. 51, par. 2, IV: is the region's target, over what is placed there, beyond the national rate?"""
    return placed > 0 and index * total / placed > national_index


def regional_targets(
    company: Company, index: Mapping[str, Fraction], national_index: Fraction
) -> dict[str, Fraction]:
    """Art. 51, par. 2, I, III, IV: each region's mass after what moves; no milligram is lost on the way."""
    total = sum(company.placed.values())
    first = {region: index[region] * total for region in REGIONS}
    sold = {region: mass for region, mass in company.placed.items() if mass > 0}
    final = {region: mass if region in sold else Fraction(0) for region, mass in first.items()}
    left = sum((mass for region, mass in first.items() if region not in sold), Fraction(0))
    if sum(company.moves.values()) != left or any(mass < 0 for mass in company.moves.values()):
        raise Refused("III: nothing may be lost")
    for region, mass in company.moves.items():
        if region not in sold:
            raise Refused(f"III {region}: sells nothing there")
        final[region] += mass
    for region, receiver in company.options.items():
        if not may_opt(index[region], national_index, total, company.placed.get(region, 0)):
            raise Refused(f"IV {region}")
        if receiver == region or receiver not in sold:
            raise Refused(f"IV {receiver}: another region, in which it sells")
        difference = first[region] - national_index * sold[region]
        final[region] -= difference
        final[receiver] += difference
    return final


def judge(
    company: Company,
    index: Mapping[str, Fraction],
    national_index: Fraction,
    *,
    brought: Fraction = Fraction(0),
) -> Verdict:
    """Art. 51, par. 2: the national target by the whole result, each region where it sells by its own.

    `brought` is last year's surplus (art. 54). What is left over this year is what passes the targets of
    art. 51, not those that a credit had lowered.
    """
    total, got = sum(company.placed.values()), sum(company.recovered.values())
    national = max(national_index * total - brought, Fraction(0))
    national_met = got >= national
    regional = regional_targets(company, index, national_index)
    stands = bool(company.options) and national_met
    if company.options and not national_met:  # IV-b fails: the option falls
        regional = regional_targets(replace(company, options={}), index, national_index)
    regional_met = {
        name: company.recovered.get(name, 0) >= regional[name]
        for name in REGIONS
        if company.placed.get(name, 0)
    }
    met = national_met and all(regional_met.values())
    surplus = max(got - national_index * total, Fraction(0)) if met else Fraction(0)
    return Verdict(regional, national, national_met, regional_met, met, stands, surplus)


def content(recycled: int, mass: int) -> Fraction | None:
    """Art. 3, V: recycled matter over the whole mass of the packaging; unknown of nothing."""
    return None if mass == 0 else Fraction(recycled, mass)


def overall(recycling: bool, content_met: bool | None) -> bool | None:
    """Art. 58: both indices, together; a metal without a content target answers by the first alone."""
    return recycling if content_met is None else recycling and content_met


def next_target(national_index: Fraction, placed: int, surplus: Fraction) -> Fraction:
    """Art. 54: last year's surplus comes off this year's mass, never below nothing; the rest lapses."""
    return max(national_index * placed - surplus, Fraction(0))


def points(population: int) -> int:
    """Art. 55, II-III: one for each 10,000 people above 10,000 of them, one up to there."""
    return 1 if population <= 10_000 else -(-population // 10_000)


def points_by_year(total: int, year: int) -> int:
    """Art. 55, par. 1: a tenth of all points each year of Phase 2, so far, parts counting whole."""
    return -(-total * min(year, 10) // 10)


def may_have_fewer(verdict: Verdict, company: Company) -> bool:
    """Art. 55, par. 2: only where every regional target and the national one were strictly passed."""
    beyond = all(company.recovered.get(name, 0) > verdict.regional[name] for name in verdict.regional_met)
    return beyond and sum(company.recovered.values()) > verdict.national


def in_window(issued: int, year: int) -> bool:
    """Art. 23, par. 6: notes of the target's year or of the one just before."""
    return year - issued in (0, 1)


def metal_answers(kilometres: Fraction) -> bool:
    """Art. 7, par. 1: up to 100 km from a recycling unit, that distance included."""
    return kilometres <= 100


def counts(entered: int, certified: int | None) -> int | None:
    """Arts. 23, V, 57, 59, III: what entered the recycling unit, as far as a certificate proves it."""
    return None if certified is None else min(entered, certified)
