"""Metal packaging (draft): regions, elections, first year, surplus and points against the second opinion."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from random import Random

from lastro.lawkit import library
from lastro.lawkit.elections import Choice, Regional
from lastro.units import ExactMass, Mass, Share
from tests.oracle import me
from tests.oracle.draws import day, near, percent, rounds

NORM = library.find("br/minuta_metal_2022")
RULE = NORM.rules
LAW = NORM.law(date(2026, 11, 30))
NOTHING = ExactMass(Fraction(0))


def exact(masses: dict[str, Fraction] | dict[str, int]) -> dict[str, ExactMass]:
    return {name: ExactMass(Fraction(mass)) for name, mass in masses.items()}


def drawn(rng: Random) -> tuple[me.Company, dict[str, Fraction], Fraction, Fraction]:
    """A company with its choices, mostly lawful, sometimes not; indices that add up to the national one."""
    index = {name: percent(rng, 30) for name in me.REGIONS}
    national = sum(index.values(), Fraction(0))
    placed = {name: rng.choice((0, 1, rng.randrange(10_000), rng.randrange(10_000))) for name in me.REGIONS}
    placed = {name: mass for name, mass in placed.items() if mass or rng.random() < 0.5}
    even = rng.random() < 0.15
    if even:  # each region sells just its part: no target there is beyond the national rate, nor below it
        placed = {name: int(rate * 10_000) for name, rate in index.items()}
    sold = [name for name, mass in placed.items() if mass]
    total = sum(placed.values())
    left = sum((index[name] * total for name in me.REGIONS if name not in sold), Fraction(0))
    moves: dict[str, Fraction] = {}
    if sold and left:
        cut = left * Fraction(rng.randint(0, 4), 4)
        moves = {rng.choice(sold): cut}
        other = rng.choice(sold)
        moves[other] = moves.get(other, Fraction(0)) + left - cut
    able = [name for name in sold if me.may_opt(index[name], national, total, placed[name])]
    options = {name: rng.choice(sold) for name in able if rng.random() < 0.5}
    options = {name: to for name, to in options.items() if to != name or rng.random() < 0.2}
    if even and sold and rng.random() < 0.5:
        options = {rng.choice(sold): rng.choice(sold)}
    wrong = rng.random()
    if wrong < 0.05:
        moves[rng.choice(me.REGIONS)] = Fraction(rng.randint(-3, 3))
    elif wrong < 0.1:
        options[rng.choice(me.REGIONS)] = rng.choice(me.REGIONS)
    brought = rng.choice((Fraction(0), Fraction(0), Fraction(rng.randrange(3_000))))
    bare = me.Company(placed, {}, moves, options)
    try:
        wanted = me.regional_targets(bare, index, national)
    except me.Refused:
        wanted = {name: index[name] * total for name in me.REGIONS}
    recovered = {
        name: max(0, -int(-mass // 1) + rng.choice((-1, 0, 0, 0, 1, 5))) for name, mass in wanted.items()
    }
    return me.Company(placed, recovered, moves, options), index, national, brought


def test_regions_and_elections() -> None:
    seen = {"refused": 0, "met": 0, "missed": 0, "stands": 0, "falls": 0}
    assert NORM.elects is not None
    for seed, rng in rounds("me regions"):
        company, index, national, brought = drawn(rng)
        whole = national * sum(company.placed.values())
        case = Regional(
            {name: Share(one) for name, one in index.items()}, Share(national), exact(dict(company.placed)),
            exact(dict(company.recovered)), ExactMass(min(brought, whole)),
        )  # fmt: skip
        answer = NORM.elects.judge(LAW, case, Choice(exact(dict(company.moves)), dict(company.options)))
        try:
            wanted = me.judge(company, index, national, brought=brought)
        except me.Refused:
            seen["refused"] += 1
            assert answer.refused, seed
            assert not answer.all_met, seed
            continue
        assert answer.national_met == wanted.national_met, seed
        assert answer.all_met == wanted.met, seed
        falls = bool(company.options) and not wanted.elections_stand
        assert bool(answer.refused) == falls, seed
        seen["met" if wanted.met else "missed"] += 1
        if falls:  # the option falls with the national target: the answer says so, and nothing else counts
            seen["falls"] += 1
            continue
        seen["stands"] += wanted.elections_stand
        assert {name: mass.mg for name, mass in answer.targets.items()} == {
            name: mass for name, mass in wanted.regional.items() if company.placed.get(name)
        }, seed
        assert dict(answer.met) == dict(wanted.regional_met), seed
        left = RULE["surplus"](
            LAW,
            all_met=answer.all_met,
            achieved=ExactMass(Fraction(sum(company.recovered.values()))),
            target=RULE["target_mass"](LAW, index=Share(national), placed=sum(case.placed.values(), NOTHING)),
        )
        assert left.mg == wanted.surplus, seed
        exceeded = [company.recovered.get(name, 0) > one.mg for name, one in answer.targets.items()]
        if company.placed and any(company.placed.values()):
            exceeded.append(sum(company.recovered.values()) > wanted.national)
            assert RULE["may_have_fewer"](LAW, exceeded=tuple(exceeded)) == me.may_have_fewer(
                wanted, company
            ), seed
    assert all(seen.values()), seen


def test_surplus_of_the_year_before() -> None:
    for seed, rng in rounds("me surplus"):
        index, placed = percent(rng), near(rng, 1_000)
        left = Fraction(near(rng, int(index * placed), 18))
        target = RULE["target_mass"](LAW, index=Share(index), placed=ExactMass(Fraction(placed)))
        after = RULE["after_surplus"](LAW, target=target, left_over=ExactMass(left), years_since=1)
        assert after.mg == me.next_target(index, placed, left), seed
        older = RULE["after_surplus"](LAW, target=target, left_over=ExactMass(left), years_since=2)
        assert older == target, seed


def test_first_year() -> None:
    for seed, rng in rounds("me first year"):
        entry = day(rng, date(2022, 1, 1), date(2040, 12, 31))
        start = RULE["second_phase_begins"](LAW, in_force=entry)
        assert start == me.phase_two(entry), seed
        assert RULE["first_phase_ends"](LAW, in_force=entry) == me.phase_two(entry) - timedelta(days=1), seed
        if rng.random() < 0.4:
            start = day(rng, start.replace(day=1), date(start.year, 12, 31))
        months = RULE["full_months"](LAW, start=start)
        assert months == me.full_months(start), seed
        metal, place = rng.choice(("aluminium", "steel")), rng.randrange(2)
        annual = percent(rng)
        answer = RULE["first_year_share"](
            LAW, annual=Share(annual), metal=metal, index=("recycling", "content")[place], months=months
        )
        assert answer.of_one == (me.first_year(annual, start, me.CAPS[metal][place]) or 0), seed
        region = RULE["first_year_region"](LAW, annual=Share(annual), months=months)
        assert region.of_one == (me.first_year(annual, start) or 0), seed


def test_points_content_and_both_indices() -> None:
    for seed, rng in rounds("me points"):
        people, year = near(rng, 10_000, 20_000, 1), rng.randint(1, 12)
        assert RULE["points_required"](LAW, population=people) == me.points(people), seed
        assert RULE["points_by_year"](LAW, points=people, year_of_phase=year) == me.points_by_year(
            people, year
        )
        whole = near(rng, 600, 1)
        part = rng.randint(0, whole)
        index = RULE["content_index"](LAW, recycled=Mass(part), whole=Mass(whole))
        assert (None if index is None else index.of_one) == me.content(part, whole), seed
        recycling, content = rng.random() < 0.5, rng.choice((None, True, False))
        assert RULE["all_met"](LAW, recycling=recycling, content=content) == me.overall(recycling, content), (
            seed
        )
        placed, back = near(rng, 1_000), rng.randrange(200)
        base = RULE["subject_mass"](
            LAW, placed=Mass(placed + back).exact, returnable=Mass(back).exact, excluded=NOTHING
        )
        assert base.mg == me.base(placed + back, back), seed
