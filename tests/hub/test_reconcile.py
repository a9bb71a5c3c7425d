"""Members learn exactly what collides, whatever happens on the way; nothing fits twice."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from lastro.hub.lines import Line, Said
from lastro.hub.match import Fit, Judged
from lastro.hub.member import Statement
from lastro.units import Mass, total
from tests.hub.worlds import BrokenWire, World, statement


def _plain(said: dict[str, list[Statement]]) -> dict[Line, dict[str, Mass]]:
    """What two or more claim, by comparing everybody's claims in the open, and how much each asks for."""
    asked: defaultdict[Line, dict[str, Mass]] = defaultdict(dict)
    for entity, statements in said.items():
        for one in statements:
            asked[one.line][entity] = one.claim.asked
    return {line: by for line, by in asked.items() if len(by) > 1}


def _same(found: dict[Line, Judged], wanted: dict[Line, dict[str, Mass]], entity: str) -> None:
    mine = {line: by for line, by in wanted.items() if entity in by}
    assert {line: judged.asked for line, judged in found.items()} == mine
    for line, judged in found.items():
        assert judged.line_mass == Mass(1_000)
        fits = total(mine[line].values()).mg <= 1_000
        assert judged.fit is (Fit.FITS if fits else Fit.EXCEEDS)


def _claims(world: World, rnd: random.Random, *, each: int, shared: int) -> dict[str, list[Statement]]:
    """So many claims of each entity, a fifth of them on lines of which others may claim too."""
    return {
        entity: [
            statement(10_000 * n + i, entity, asks=rnd.choice([300, 500, 700])) for i in range(each - shared)
        ]
        + [
            statement(i, entity, asks=rnd.choice([300, 500, 700]))
            for i in rnd.sample(range(shared * 2), shared)
        ]
        for n, entity in enumerate(world.entities, start=1)
    }


def test_five_entities_with_a_fifth_of_collisions_reconcile_exactly() -> None:
    world = World(members=5, size=32, pace=4)
    said = _claims(world, random.Random(7), each=100, shared=20)
    world.days(said)
    world.days(said)
    wanted = _plain(said)
    assert len(wanted) > 15
    for number, member in enumerate(world.members):
        _same(world.judged(member, verifier=number % 2), wanted, member.entity)


@pytest.mark.parametrize("seed", range(6))
def test_lost_doubled_and_late_messages_and_a_day_offline_change_nothing(seed: int) -> None:
    world, rnd = World(members=3, size=8, pace=3, seed=seed), random.Random(seed)
    said = _claims(world, rnd, each=20, shared=6)
    wire = BrokenWire(world, rnd)
    world.days(said, wire=BrokenWire(world, rnd, down=True))  # nobody is heard on the first day
    assert not world.shelf.batches
    for _ in range(12):
        for member in rnd.sample(world.members, len(world.members)):
            member.work(wire, said[member.entity], day=world.day)
        world.hub.close(day=world.day)
        world.day = world.day.fromordinal(world.day.toordinal() + 1)
    world.days(said, days=3)
    for member in world.members:
        _same(world.judged(member), _plain(said), member.entity)


def test_saying_it_again_sends_nothing_again() -> None:
    world = World()
    said = {world.entities[0]: [statement(1, world.entities[0])]}
    world.days(said, days=2)
    shelf = world.members[0].shelf
    assert len(shelf.said) == 1  # type: ignore[attr-defined]
    assert not world.members[0].shelf.met  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("one", "other", "fit"),
    [
        ({"asks": 499}, {"asks": 500}, Fit.FITS),
        ({"asks": 500}, {"asks": 500}, Fit.FITS),
        ({"asks": 501}, {"asks": 500}, Fit.EXCEEDS),
        ({"asks": None}, {"asks": 1}, Fit.EXCEEDS),
        ({"asks": None}, {"asks": 0}, Fit.FITS),
        ({"asks": 1}, {"asks": 1, "content": "another"}, Fit.CONTENTS),
        ({"asks": 1}, {"asks": 1, "holds": 1_001}, Fit.CONTENTS),
        ({"asks": None}, {"asks": None, "said": Said.WITHDRAWS}, Fit.ALONE),
    ],
)
def test_whether_claims_fit(one: dict[str, object], other: dict[str, object], fit: Fit) -> None:
    world = World()
    a, b = world.entities
    world.days({a: [statement(1, a, **one)], b: [statement(1, b, **other)]})  # type: ignore[arg-type]
    for member in world.members:
        (judged,) = world.judged(member).values()
        assert judged.fit is fit


def test_a_withdrawal_ends_a_contest_whatever_came_first() -> None:
    for order in (1, -1):
        world = World()
        a, b = world.entities
        gone = statement(1, b, said=Said.WITHDRAWS)
        for part in [[statement(1, b)], [gone]][::order]:
            world.days({a: [statement(1, a)], b: part})
        (judged,) = world.judged(world.members[0]).values()
        assert (judged.fit, judged.asked) == (Fit.ALONE, {a: Mass(1_000)})


def test_other_books_and_years_do_not_meet() -> None:
    world = World()
    a, b = world.entities
    world.days(
        {
            a: [statement(1, a), statement(2, a), statement(3, a, year=25)],
            b: [statement(1, b, book="incentive"), statement(2, b, year=25), statement(3, b, year=25)],
        }
    )
    (line,) = world.judged(world.members[0])
    assert line.era == "2025"
