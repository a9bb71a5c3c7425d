"""Taxa de fiscalização ambiental: the law's charge of a quarter against the second opinion."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from lastro.errors import InputMissing
from lastro.lawkit import library
from lastro.lawkit.fees import Activity, Charged, CityFee, Exemption, Notice
from lastro.quarters import quarter_end
from lastro.tables.days_off import closed_days
from lastro.units import Money, Share
from tests.oracle import tf
from tests.oracle.draws import mostly, near, percent, rounds

NORM = library.find("mt/lei_11096_2020")
RULE = NORM.rules
CUIABA = "5103403"
PERSONS = ("company", "individual", "natural_person")
ONE = Fraction(1, 100)


def closed(year: int, scopes: tuple[str, ...]) -> tuple[date, ...]:
    return closed_days((year, year + 1), scopes=scopes)


def test_due_dates() -> None:
    for seed, rng in rounds("tf due"):
        year, quarter = rng.randint(2020, 2045), rng.randint(1, 4)
        here = rng.random() < 0.5
        scopes = ("BR", "MT", "bank", *((CUIABA,) if here else ()))
        law = NORM.law(quarter_end(year, quarter))
        answer = RULE["due"](law, year=year, quarter=quarter, closed=closed(year, scopes))
        assert answer == tf.due(year, quarter, ((4, 8),) if here else ()), seed


def facts(rng: Random) -> tuple[Charged, dict[tuple[int, int], Fraction]]:
    """One establishment's quarter: size, activities, city, notice, day of payment, the SELIC known."""
    year, quarter = rng.randint(2021, 2026), rng.randint(1, 4)
    due = tf.due(year, quarter)
    paid = due + timedelta(days=near(rng, 1, 10, 60, 61, 400))
    received = rng.choice((paid, due + timedelta(days=near(rng, 5, 40, 300))))
    deadline = rng.choice((paid, received + timedelta(days=rng.randint(0, 40))))
    notice = Notice(received, max(received, deadline)) if rng.random() < 0.4 else None
    selic = {(y, m): percent(rng, 2) for y in range(2021, 2030) for m in range(1, 13) if rng.random() < 0.97}
    first, last = date(year, 3 * quarter - 2, 1), quarter_end(year, quarter)
    city = None
    if rng.random() < 0.6:
        city = CityFee(
            Money(near(rng, 173_90, 869_51, 1)), rng.random() < 0.9, rng.random() < 0.8,
            rng.choice((None, first, first + timedelta(days=1), date(2019, 1, 1))),
            rng.choice((None, None, last, last - timedelta(days=1))),
        )  # fmt: skip
    activities = tuple(
        Activity(
            f"{rng.choice((20, rng.randint(1, 22))):02d}",
            rng.choice((date(2019, 1, 1), last, last + timedelta(days=1))),
            rng.choice((None, None, first, first - timedelta(days=1))),
            rng.random() < 0.4,
        )
        for _ in range(rng.randint(0, 3))
    )  # fmt: skip
    charged = Charged(
        cnpj="", year=year, quarter=quarter, person=rng.choice(PERSONS),
        revenue=Money(near(rng, 81_000_00, 360_000_00, 4_800_000_00, 12_000_000_00)),
        mei=rng.random() < 0.5, excluded=rng.random() < 0.2, activities=activities,
        closed=closed(year, ("BR", "MT", "bank", CUIABA)),
        asked_on=paid, paid_on=paid if rng.random() < 0.8 else None,
        city=city, notice=notice,
        selic={date(y, m, 1): Share(rate) for (y, m), rate in selic.items()},
    )  # fmt: skip
    return charged, selic


def opinion(one: Charged, selic: dict[tuple[int, int], Fraction]) -> dict[str, object]:
    """The same quarter by the second opinion alone."""
    first, last = date(one.year, 3 * one.quarter - 2, 1), quarter_end(one.year, one.quarter)
    here = [a for a in one.activities if a.began <= last and (a.ended is None or a.ended >= first)]
    felled = [a for a in here if a.code == "20" and a.silviculture and last >= date(2024, 5, 31)]
    codes = [int(a.code) for a in here if a not in felled]
    assert one.revenue is not None
    size = "natural_person"
    if one.person != "natural_person":
        size = tf.size(
            one.revenue.cents,
            complementary_law=not one.excluded,
            individual=one.person == "individual",
            mei=one.mei,
        )
    due = tf.due(one.year, one.quarter)
    full = tf.fee(codes, size, unlisted=len(felled)) if here else 0
    if full is None:
        return {"due": due, "fee": None}
    federal = tf.federal_fee(codes, size, unlisted=len(felled)) if here else None
    city, credit = one.city, 0
    if city is not None and city.inspection_fee:
        agreed = city.agreed_from is not None and city.agreed_from <= first
        agreed = agreed and (city.agreed_to is None or city.agreed_to >= last)
        credit = tf.municipal_credit(full, city.paid.cents, recognised=city.recognised, agreement=agreed)
    amount = full - credit
    notice, deadline = (None, None) if one.notice is None else (one.notice.received_on, one.notice.deadline)
    fine, interest = tf.additions(
        amount, due, one.asked_on, notice=notice, deadline=deadline, selic=selic, last=ONE
    )
    out = {
        "due": due,
        "fee": full,
        "city_credit": credit,
        "amount": amount,
        "fine": fine,
        "interest": interest,
    }
    if federal is not None:
        paid = amount if one.paid_on else 0
        out["state_credit"] = tf.state_statement(paid, federal)
        spent = city.paid.cents if city is not None and city.inspection_fee else 0
        out["federal_offset"] = tf.federal_offset(federal, state=paid, city=spent)
    return out


def test_a_quarter_whole() -> None:
    unknown = 0
    for seed, rng in rounds("tf quarter"):
        charged, selic = facts(rng)
        wanted = opinion(charged, selic)
        law = NORM.law(quarter_end(charged.year, charged.quarter))
        assert NORM.charges is not None
        try:
            answer = NORM.charges(law, charged)
        except InputMissing:
            assert wanted["amount"], seed
            assert wanted["interest"] is None, seed
            unknown += 1
            continue
        told = {name: getattr(answer, name) for name in wanted}
        assert {n: v.cents if isinstance(v, Money) else v for n, v in told.items()} == wanted, seed
    assert unknown


SIZES = {"person": "natural_person", "mei": "individual"}


def test_fines_in_units() -> None:
    law = NORM.law(date(2026, 11, 30))
    for seed, rng in rounds("tf fines"):
        size, upf = rng.choice(tuple(tf.REGISTRATION)), near(rng, 255_20, 149_12, 3)
        name = SIZES.get(size, size)
        registered = RULE["registration_fine"](law, size=name, upf=Money(upf))
        assert registered.cents == tf.registration_fine(size, upf), seed
        exempt = rng.random() < 0.3
        reported = RULE["report_fine"](law, size=name, upf=Money(upf), exempt=exempt)
        assert reported.cents == tf.report_fine("exempt" if exempt else size, upf), seed
        reduced = RULE["reduced_report_fine"](law, fee=Money(upf))
        assert reduced.cents == tf.report_fine(size, upf, first_quarter_fee=upf), seed


def test_who_is_exempt() -> None:
    """The charge of somebody who says to be exempt: nothing where it is proved, else the whole fee."""
    assert NORM.charges is not None
    spared = 0
    for seed, rng in rounds("tf exempt"):
        charged, selic = facts(rng)
        flags = [mostly(rng) for _ in range(5)]
        claim = Exemption(
            rng.choice(("public", "social", "social", "subsistence")), recognised=flags[0],
            distributes=not flags[1], in_the_country=flags[2], books=flags[3], refused=not flags[4],
        )  # fmt: skip
        there = replace(charged, exemption=claim, asked_on=charged.asked_on)
        wanted = tf.exempt(
            claim.kind, recognised=claim.recognised, distributes=claim.distributes,
            at_home=claim.in_the_country, books=claim.books, refused=claim.refused,
        )  # fmt: skip
        law = NORM.law(quarter_end(charged.year, charged.quarter))
        if wanted:
            spared += 1
            answer = NORM.charges(law, there)
            assert (answer.fee, answer.total, answer.fine, answer.interest) == (Money(0),) * 4, seed
            continue
        full = opinion(charged, selic)["fee"]
        with suppress(InputMissing):
            fee = NORM.charges(law, there).fee
            assert (None if fee is None else fee.cents) == full, seed
    assert spared


def test_instalments_forgery_and_what_a_refund_revives() -> None:
    law = NORM.law(date(2026, 11, 30))
    for seed, rng in rounds("tf small"):
        amount, number = near(rng, 695_61, 100, 7), rng.randint(1, 60)
        parts = [one.cents for one in RULE["instalments"](law, amount=Money(amount), number=number)]
        assert parts == tf.instalments(amount, number), seed
        assert sum(parts) == amount, seed
        assert RULE["forged_fine"](law, fee=Money(amount)).cents == amount, seed
        refunded, index = near(rng, amount), percent(rng, 40)
        debt = RULE["restored_debt"](law, credited=Money(amount), refunded=Money(refunded))
        revived = RULE["corrected"](law, amount=debt, index=Share(index))
        assert revived.cents == tf.restored(amount, refunded, index), seed
