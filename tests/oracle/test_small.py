"""The small sums of the two federal texts: what is weighed, shown, paid by the tonne, left over."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from lastro.lawkit import library
from lastro.units import ExactMass, Mass, Money
from tests.oracle import el, me
from tests.oracle.draws import day, near, rounds
from tests.oracle.tf import half_up

ELECTRONICS = library.find("br/decreto_10240_2020")
METAL = library.find("br/minuta_metal_2022")
ON = date(2026, 11, 30)
EL, ME = ELECTRONICS.law(ON), METAL.law(ON)


def test_invoices_show_the_cost_whole() -> None:
    for seed, rng in rounds("small fee"):
        each, units = near(rng, 2_10), near(rng, 3)
        shown = el.visible_fee(each, units) + rng.choice((-1, 0, 0, 1))
        for norm, law in ((ELECTRONICS, EL), (METAL, ME)):
            answer = norm.rules["visible_fee_accepted"](
                law, shown=Money(shown), contracted=Money(each), units=units
            )
            assert answer == (shown == each * units), seed
        assert METAL.rules["deposit_refund"](ME, deposit=Money(each), returned=units).cents == each * units, (
            seed
        )


def test_what_is_weighed_and_what_is_left_over() -> None:
    for seed, rng in rounds("small weight"):
        first, then = (rng.choice((None, near(rng, 210))) for _ in range(2))
        proved = near(rng, 210, 100)
        weighed = ELECTRONICS.rules["weighed"](
            EL,
            consolidation=None if first is None else Mass(first),
            recycler=None if then is None else Mass(then),
        )
        wanted = el.reported(consolidation=first, recycler=then, proved=proved)
        if weighed is None:
            assert wanted is None, seed
        else:
            answer = ELECTRONICS.rules["counted"](EL, checked=weighed, proved=Mass(proved))
            assert answer.mg == wanted, seed
        entered = METAL.rules["counted"](
            ME, entry=Mass(proved), certified=None if first is None else Mass(first)
        )
        assert (None if entered is None else entered.mg) == me.counts(proved, first), seed
        stock = near(rng, 10)
        received = proved + stock + rng.choice((-1, 0, 0, 1))
        for norm, law in ((ELECTRONICS, EL), (METAL, ME)):
            odd = norm.rules["unexplained"](
                law, received=Mass(received), destined=Mass(proved), stock=Mass(stock)
            )
            assert (odd.mg == 0) == el.balanced(received=received, destined=proved, stock=stock), seed


def test_systems_compensate_each_other() -> None:
    """Where all attain what all owe, the excess over a target is the excess over a part of the whole."""
    for seed, rng in rounds("small compensation"):
        targets = {f"s{n}": rng.randint(1, 10**12) for n in range(rng.randint(1, 5))}
        attained, left = {}, sum(targets.values())
        for name in list(targets)[:-1]:
            attained[name] = rng.randint(0, left)
            left -= attained[name]
        attained[list(targets)[-1]] = left
        wanted, price = el.equalised(targets, attained), near(rng, 1_200_00)
        for norm, law in ((ELECTRONICS, EL), (METAL, ME)):
            for name, mass in targets.items():
                got, owed = ExactMass(Fraction(attained[name])), ExactMass(Fraction(mass))
                assert norm.rules["equalised"](law, attained=got, target=owed).mg == wanted[name], seed
        short = ExactMass(-min(wanted.values()))
        paid = METAL.rules["compensation"](ME, deficit=short, price=Money(price))
        assert paid.cents == half_up(el.price_of(short.mg, price)), seed
        agreed = ELECTRONICS.rules["compensation"](EL, deficit=short, price=Money(price), agreed=True)
        assert agreed == paid, seed
        assert ELECTRONICS.rules["compensation"](EL, deficit=short, price=Money(price), agreed=False) is None


def test_metal_windows_distance_and_cities() -> None:
    for seed, rng in rounds("small metal"):
        issued = day(rng, date(2023, 1, 1), date(2030, 12, 31))
        year = issued.year + rng.randint(-1, 2)
        inside = METAL.rules["in_window"](ME, issued_on=issued, year=year)
        assert inside == me.in_window(issued.year, year), seed
        far = Fraction(near(rng, 1_000), 10)
        assert METAL.rules["metal_side_answers"](ME, km=far) == me.metal_answers(far), seed
        agreed = rng.choice((None, issued, issued - timedelta(days=1), issued + timedelta(days=1)))
        mass, price = near(rng, 12 * 10**9), near(rng, 150_00)
        paid = METAL.rules["municipal_pay"](
            ME, mass=Mass(mass), price=Money(price), agreed_on=agreed, served_on=issued
        )
        if agreed is None or agreed > issued:  # art. 41, I: without an agreement before, nothing is owed
            assert paid is None, seed
        else:
            assert paid.cents == half_up(el.price_of(Fraction(mass), price)), seed
