"""Seeds of the whole base: every kilogram once, and planted faults found."""

from __future__ import annotations

import os

import pytest

from tests.simulation.faults import Fault
from tests.simulation.run import play

SEEDS = int(os.environ.get("LASTRO_SEEDS", "40"))


@pytest.fixture
def connection(base):
    with base.connect("lastro_app") as connection:
        yield connection


@pytest.mark.parametrize("part", range(4))
def test_every_seed_ends_with_each_kilogram_once(connection, part):
    for seed in range(part, SEEDS, 4):
        ended = play(seed, connection)
        assert not ended.wrong, f"seed {seed}: python -m tests.simulation --first {seed} --seeds 1"


def test_a_seed_plays_again_to_the_letter(connection):
    first, again = (play(7, connection) for _ in range(2))
    assert len(first.history) > 20
    assert first == again


@pytest.mark.parametrize("fault", list(Fault))
def test_a_planted_fault_is_found(connection, fault):
    assert any(play(seed, connection, fault=fault).wrong for seed in range(1_000))
