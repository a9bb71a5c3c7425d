"""Bolsa Reciclagem: the rules against the second opinion, on random quarters."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from random import Random

from lastro.lawkit import library
from lastro.tables.days_off import closed_days
from lastro.units import Mass, Money
from tests.oracle import mg
from tests.oracle.draws import day, near, percent, rounds

NORM = library.find("mg/decreto_45975_2012")
RULE = NORM.rules
LAW = NORM.law(date(2026, 11, 30))
MATERIALS = ("paper", "plastic", "metal", "glass")


def quarter(rng: Random) -> tuple[int, list[mg.Claim], dict[str, Fraction]]:
    """A quarter's money, its claims and its coefficients; alike claims make ties, some prove nothing."""
    k = {
        name: rng.choice((Fraction(0), Fraction(1), 10 * percent(rng), Fraction(1, 3))) for name in MATERIALS
    }
    claims = []
    for number in range(rng.randint(0, 7)):
        mass = {name: rng.choice((0, rng.randrange(0, 90 * mg.TONNE))) for name in MATERIALS}
        if claims and rng.random() < 0.3:
            mass = dict(rng.choice(claims).mass)
        claims.append(mg.Claim(f"ZZ{rng.randrange(900):03d}{number}", mass))
    return near(rng, 1, 100_00, 750_000_00), claims, k


def test_points_and_the_split_to_the_cent() -> None:
    for seed, rng in rounds("mg split"):
        available, claims, k = quarter(rng)
        points = {
            one.registration: RULE["points"](LAW, sold={m: Mass(v) for m, v in one.mass.items()}, k=k)
            for one in claims
        }
        assert points == {one.registration: mg.points(one, k) for one in claims}, seed
        split = RULE["split"](LAW, available=Money(available), points=points)
        bill = RULE["bill"](LAW, available=Money(available), points=points)
        assert {n: v.cents for n, v in split.items()} == mg.by_weight(available, claims, k), seed
        assert {n: v.cents for n, v in bill.items()} == mg.by_price(available, claims, k), seed
        if any(points.values()):
            assert sum(v.cents for v in split.values()) == available, seed


def test_value_of_a_tonne() -> None:
    for seed, rng in rounds("mg unit"):
        available, claims, k = quarter(rng)
        name = rng.choice(MATERIALS)
        whole = sum((mg.points(one, k) for one in claims), Fraction(0))
        answer = RULE["unit_value"](LAW, available=Money(available), points=whole, k=k[name])
        worth = mg.unit_value(available, claims, k)
        assert answer == (0 if worth is None else worth / 100 * k[name]), seed


def test_floors_and_votes() -> None:
    for seed, rng in rounds("mg floors"):
        cents = near(rng, 1, 10, 4, 100_000_00)
        assert RULE["least_to_members"](LAW, received=Money(cents)).cents == mg.to_pickers(cents), seed
        assert RULE["quarter_minimum"](LAW, annual=Money(cents)).cents == mg.quarter_floor(cents), seed
        present = rng.randint(0, 7)
        in_favour = rng.randint(0, present)
        against = rng.randint(0, present - in_favour)
        assert RULE["has_quorum"](LAW, present=present) == (2 * present > 7), seed
        assert RULE["approved"](LAW, present=present, in_favour=in_favour, against=against) == mg.approved(
            seats=7, present=present, in_favour=in_favour, against=against
        ), seed


def test_dates() -> None:
    for seed, rng in rounds("mg dates"):
        year, number = rng.randint(2013, 2040), rng.randint(1, 4)
        optional = tuple(day(rng, date(year, 1, 1), date(year + 1, 2, 28)) for _ in range(rng.randint(0, 9)))
        closed = (*closed_days((year, year + 1), scopes=("BR", "MG")), *optional)
        assert RULE["proofs_due"](LAW, year=year, quarter=number, closed=closed) == mg.proofs_due(
            year, number, optional
        ), seed
        act = day(rng, date(2013, 1, 1), date(2040, 12, 31))
        assert RULE["coefficient_from"](LAW, decided_on=act) == mg.new_k_from(act), seed
        assert RULE["transfer_due"](LAW, granted_on=act) == mg.transfer_due(act), seed
        asked = day(rng, act, date(act.year + 1, 12, 31))
        assert RULE["old_enough"](LAW, constituted_on=act, on=asked) == mg.old_enough(act, asked), seed
