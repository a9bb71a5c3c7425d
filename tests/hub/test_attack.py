"""Guessing keys works against hashes, and against the hub only within the bound that is stated."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.hub import attack
from tests.hub.worlds import World

SPACE = 3_000


@pytest.fixture(scope="module")
def world() -> World:
    made = World(members=2, size=16, pace=2)
    attack.victim(made, code=SPACE - 1)
    return made


def test_the_attack_is_real(world: World) -> None:
    line = attack.Line(attack.key(attack.NUMBER, code=SPACE - 1), 1, "target")
    for tried in (attack.on_plain_hashes(line, SPACE), attack.on_salted_hashes(line, SPACE)):
        assert tried.found == (line.key,)
        assert tried.tries == SPACE


def test_the_hub_finds_nothing_in_all_that_it_keeps(world: World) -> None:
    tried = attack.as_the_hub(world, SPACE)
    assert (tried.tries, tried.found) == (SPACE, ())


def test_a_member_tries_no_more_than_its_quota(world: World) -> None:
    tried = attack.as_a_member(world, SPACE, days=2)
    assert (tried.tries, tried.found) == (2 * world.roster.quota, ())
    assert attack.days_for_all(world) == Fraction(10**8, 48)


def test_within_the_quota_a_right_guess_is_found() -> None:
    near = World(members=2, size=16, pace=2)
    line = attack.victim(near, code=20)
    assert attack.as_a_member(near, SPACE, days=1).found == (line.key,)


def test_one_keeper_of_two_is_not_enough_and_both_are() -> None:
    near = World(members=2, size=16, pace=2)
    line = attack.victim(near, code=99)
    assert not attack.with_one_keeper(near, 100).won
    assert attack.with_all_keepers(near, 100).found == (line.key,)
