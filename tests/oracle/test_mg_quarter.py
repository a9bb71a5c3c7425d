"""Bolsa Reciclagem: whole quarters, organisations and all, against the second opinion."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from random import Random

from lastro.lawkit import library
from lastro.lawkit.grants import Coefficient, Organisation, Quarter, Sale
from lastro.tables.days_off import closed_days
from lastro.units import Mass, Money
from tests.oracle import mg
from tests.oracle.draws import day, mostly, near, rounds

NORM = library.find("mg/decreto_45975_2012")
MATERIALS = ("paper", "plastic", "metal", "glass", "oil")
KINDS = ("cooperative", "association", "cooperative", "association", "company")


def proof(rng: Random, first: date, last: date, due: date) -> mg.Proof:
    sold = (
        day(rng, first, last)
        if mostly(rng)
        else rng.choice((first, last)) + timedelta(days=rng.choice((-1, 1)))
    )
    delivered = due if rng.random() < 0.2 else sold + timedelta(days=rng.randint(0, 20))
    delivered += timedelta(days=0 if mostly(rng) else 30)
    return mg.Proof(
        rng.choice(MATERIALS), rng.choice((0, 1, rng.randrange(50 * mg.TONNE))), rng.random() < 0.7, sold,
        delivered, rng.choice((None, sold, sold - timedelta(days=1), sold + timedelta(days=1))),
    )  # fmt: skip


def organisation(rng: Random, number: int, first: date, last: date, due: date) -> mg.Organisation:
    members, children = rng.randint(1, 30), rng.randint(0, 9)
    a_year_ago = last.replace(year=last.year - 1)
    return mg.Organisation(
        registration=f"ZZ{rng.randrange(900):03d}{number}",
        kind=rng.choice(KINDS),
        founded=date(2010, 5, 5) if mostly(rng) else a_year_ago + timedelta(days=rng.randint(-2, 2)),
        members=members if mostly(rng) else 0,
        capable=members - (0 if mostly(rng) else 1),
        active=members - (0 if mostly(rng) else 1),
        children=children,
        in_school=children - (0 if mostly(rng) else 1),
        updated=day(rng, first - timedelta(days=300), last),
        validated=mostly(rng),
        recognised=mostly(rng),
        granted_before=rng.random() < 0.5,
        list_delivered=mostly(rng),
        place=rng.randint(1, 6),
        measured=tuple(rng.choice((None, 0, 5, 7)) for _ in range(3)),
        proofs=tuple(proof(rng, first, last, due) for _ in range(rng.randint(0, 5))),
    )  # fmt: skip


def told(one: mg.Organisation) -> Organisation:
    """The same organisation in the product's words."""
    return Organisation(
        cnpj=one.registration, name=one.registration, kind=one.kind, constituted_on=one.founded,
        members=one.members, capable=one.capable, active=one.active, school_age=one.children,
        in_school=one.in_school, updated_on=one.updated, state="validated" if one.validated else "submitted",
        recognised=one.recognised, earlier_grant=one.granted_before, list_delivered=one.list_delivered,
        place=one.place, measured=tuple(None if mass is None else Mass(mass) for mass in one.measured),
        sales=tuple(
            Sale(p.material, "", Mass(p.mass), Money(1), p.invoice, p.sold, p.delivered, p.recognised)
            for p in one.proofs
        ),
    )  # fmt: skip


def acts(rng: Random, first: date, last: date) -> tuple[tuple[Coefficient, ...], dict[str, Fraction]]:
    """The committee's acts, and the coefficients in force: a first one at once, a change after its wait."""
    made: list[Coefficient] = []
    k: dict[str, Fraction] = {}
    for name in MATERIALS:
        if rng.random() < (0.5 if name == "oil" else 0.02):
            continue
        begun = (
            day(rng, date(2013, 1, 1), last + timedelta(days=3)) if rng.random() < 0.1 else date(2013, 1, 1)
        )
        value = Fraction(rng.randint(0, 40), rng.choice((1, 2, 3, 10)))
        made.append(Coefficient(name, value, begun, f"{len(made):03d}"))
        if begun > last:
            continue
        k[name] = value
        change = day(rng, first - timedelta(days=300), last)
        if change > begun and rng.random() < 0.5:
            made.append(Coefficient(name, value + 1, change, f"{len(made):03d}"))
            if mg.new_k_from(change) <= first:
                k[name] = value + 1
    return tuple(made), k


def test_whole_quarters() -> None:
    paid = blocked = 0
    assert NORM.pays is not None
    for seed, rng in rounds("mg quarter"):
        year, number = rng.randint(2021, 2030), rng.randint(1, 4)
        first, last = mg.quarter_days(year, number)
        due = mg.proofs_due(year, number)
        organisations = [organisation(rng, n, first, last, due) for n in range(rng.randint(0, 5))]
        coefficients, k = acts(rng, first, last)
        annual = near(rng, 3_000_000_00, 4)
        least = mg.quarter_floor(annual)
        parts = [max(0, least + rng.choice((-1, 0, 0, 1, 1, 90_000_00))), rng.choice((0, 0, 5)), 0]
        admitted, by_tonne = rng.choice((None, None, 4)), rng.random() < 0.5
        quarter = Quarter(
            year=year, number=number, annual=Money(annual), budget=Money(parts[0]), donations=Money(parts[1]),
            other=Money(parts[2]), organisations=tuple(told(one) for one in organisations),
            coefficients=coefficients, closed=closed_days((year, year + 1), scopes=("BR", "MG")),
            admitted=admitted, by_tonne=by_tonne,
        )  # fmt: skip
        wanted = mg.pay(
            sum(parts), organisations, k, year=year, quarter=number, due=due, least=least, admitted=admitted,
            by_tonne=by_tonne,
        )  # fmt: skip
        answer = NORM.pays(NORM.law(last), quarter)
        assert answer.due == due, seed
        assert dict(answer.coefficients) == k, seed
        if wanted is None:
            blocked += 1
            assert answer.blocked, seed
            assert all(one.amount is None for one in answer.granted), seed
            continue
        paid += any(wanted.values())
        assert not answer.blocked, seed
        amounts = {one.cnpj: None if one.amount is None else one.amount.cents for one in answer.granted}
        assert amounts == wanted, seed
        assert answer.left.cents == sum(parts) - sum(wanted.values()), seed
        for one in answer.granted:
            least_passed = mg.to_pickers(wanted[one.cnpj])
            assert one.least_to_members is not None, seed
            assert one.least_to_members.cents == least_passed, seed
    assert paid
    assert blocked
