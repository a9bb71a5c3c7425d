"""Household electronics: the rules against the second opinion, on random years and systems."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from lastro.facts import CompanyFacts, Placement, Retired
from lastro.ids import Material
from lastro.lawkit import library
from lastro.units import ExactMass, Mass, Money, Share
from tests.oracle import el
from tests.oracle.draws import near, percent, rounds

NORM = library.find("br/decreto_10240_2020")
RULE = NORM.rules
LAW = NORM.law(date(2026, 11, 30))
THING = Material.ELECTRONICS


def test_base_and_equivalent_weight() -> None:
    for seed, rng in rounds("el base"):
        kinds = [
            (rng.randrange(1, 10**7), rng.choice((0, rng.randrange(10**6)))) for _ in range(rng.randint(0, 5))
        ]
        units = {f"m{n}": one[1] for n, one in enumerate(kinds)}
        masses = {f"m{n}": Mass(one[0]) for n, one in enumerate(kinds)}
        assert RULE["base_mass"](LAW, units=units, unit_mass=masses).mg == el.base(kinds), seed
        average = RULE["average_unit_mass"](LAW, units=units, unit_mass=masses)
        thrown = rng.randrange(5_000)
        answer = RULE["equivalent_mass"](LAW, average=average, units=thrown)
        assert answer.mg == (el.equivalent(kinds, thrown) or 0), seed


def test_points_and_cost_shares() -> None:
    for seed, rng in rounds("el shares"):
        people = near(rng, 25_000, 50_000, 80_000, 1)
        assert RULE["points_required"](LAW, population=people) == el.points(people), seed
        market = {f"f{n}": rng.choice((0, 1, 7, rng.randrange(10**12))) for n in range(rng.randint(0, 6))}
        cost = near(rng, 1, 10, 500_000_00)
        placed = {name: Mass(mg) for name, mg in market.items()}
        answer = {n: v.cents for n, v in RULE["cost_shares"](LAW, cost=Money(cost), placed=placed).items()}
        assert answer == (el.shares(cost, market) or dict.fromkeys(market, 0)), seed


def test_what_years_owe_prove_and_leave() -> None:
    """Years in a row, through the offices: the credits left by each are declared in the next."""
    assert NORM.obliges is not None
    assert NORM.settles is not None
    for seed, rng in rounds("el years"):
        base, phase_one = near(rng, 600 * 10**6, 1_000) * 1_000, rng.choice((0, 1, near(rng, 10**8))) * 1_000
        got = {year: rng.choice((0, int(base * percent(rng, 30)) // 1_000 * 1_000)) for year in (2024, 2025)}
        targets = {year: el.target(year, [base]) for year in (2024, 2025)}
        law = NORM.law(date(2026, 1, 1))
        wanted = el.run({2025: got[2025]}, {2025: targets[2025]}, phase_one)
        credit = {"option": "phase1", "mass_kg": str(Fraction(phase_one, 10**6))}
        if Fraction(phase_one, 10**6).denominator != 1:
            credit["mass_kg"] = f"{phase_one // 10**6}.{phase_one % 10**6:06d}"
        company = CompanyFacts(
            cnpj="", size="", scheme="collective", sector="eletroeletronicos", elections=(credit,),
            placed=(Placement(2018, THING, "BR", Mass(base)),),
            retired=tuple(Retired(year, THING, "SP", "", None, Mass(mg)) for year, mg in got.items()),
        )  # fmt: skip
        owed = NORM.obliges(law, company, year=2025, group="electronics")
        assert owed.mass.mg == targets[2025], seed
        settled = NORM.settles(law, company, year=2025, group="electronics", owed={"electronics": owed})
        assert settled.met == wanted[2025].met, seed


def test_the_ledger_of_surplus() -> None:
    """The same years rule by rule: what is used, what is left over."""
    for seed, rng in rounds("el ledger"):
        got = {year: near(rng, 100, 120) for year in range(2021, 2026)}
        wanted = {year: Fraction(near(rng, 100, 120)) + rng.choice((0, Fraction(1, 3))) for year in got}
        first = near(rng, 20)
        told, left = el.run(got, wanted, first), ExactMass(Fraction(first))
        for year, mass in got.items():
            target, attained = ExactMass(wanted[year]), ExactMass(Fraction(mass))
            whole = (Mass(left.mg.numerator),) if left.mg.denominator == 1 else None
            extra = RULE["surplus"](LAW, attained=attained, target=target)
            short = target - attained
            if whole is None:
                used = max(ExactMass(Fraction(0)), min(short, left))
            else:
                used = RULE["credit_used"](LAW, shortfall=short, credits=whole)
            left = left + extra - used
            assert (used.mg, left.mg) == (told[year].used, told[year].left), seed


def test_target_of_a_year() -> None:
    for seed, rng in rounds("el target"):
        year, base = rng.randint(2020, 2028), near(rng, 10**9)
        share = RULE["fifth_year_target"](LAW, year=year)
        assert (None if year != 2025 else Share(el.RATES[2025])) == share, seed
        if share is not None:
            answer = RULE["target_mass"](LAW, target=share, base=ExactMass(Fraction(base)))
            assert answer.mg == el.target(year, [base]), seed
