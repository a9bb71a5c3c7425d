"""Whatever the order, however many at once, however often killed: the same balances and contests."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from lastro.sample.world import make_bench, pools_of
from tests.walk.conftest import Typist, entities

pytestmark = pytest.mark.walk

KILLS = 20
Standing = tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def expected(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Standing:
    """What stands after the three entities entered one after another, undisturbed."""
    typist = Typist(tmp_path_factory.mktemp("undisturbed"))
    typist.set_up(world)
    for entity in entities(world):
        typist.type(*typist.enter_words(world, entity), codes=(0, 1))
    standing = typist.standing()
    assert len(standing[0]) > 50
    assert len(standing[1]) >= 5
    typist.type("audit")
    return standing


def test_every_milligram_that_was_planted_to_count_counts_and_no_other(world: Path, tmp_path: Path) -> None:
    """The planter knows what each note is worth, returns, resales and short certificates taken off."""
    typist = Typist(tmp_path)
    typist.set_up(world)
    for entity in entities(world):
        typist.type(*typist.enter_words(world, entity), codes=(0, 1))
    found: dict[str, dict[str, int]] = {}
    for row in typist.rows("pools"):
        found.setdefault(row["entity"], {})[row["material"]] = row["verified_mg"]
    assert found == pools_of(make_bench(7, 60).items)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3)))[1:])
def test_any_order_of_entities(
    world: Path, expected: Standing, tmp_path: Path, order: tuple[int, ...]
) -> None:
    typist = Typist(tmp_path)
    typist.set_up(world)
    for number in order:
        typist.type(*typist.enter_words(world, entities(world)[number]), codes=(0, 1))
    assert typist.standing() == expected


def test_two_processes_at_once_and_everything_twice(world: Path, expected: Standing, tmp_path: Path) -> None:
    typist = Typist(tmp_path)
    typist.set_up(world)
    for pair in ((0, 1), (1, 2), (2, 0)):
        running = [typist.start(*typist.enter_words(world, entities(world)[n])) for n in pair]
        for process in running:
            _, said = process.communicate(timeout=300)
            assert process.returncode in (0, 1), said
    assert typist.standing() == expected
    typist.type("audit")


def test_killed_at_random_moments_and_repeated(world: Path, expected: Standing, tmp_path: Path) -> None:
    """Two at a time, SIGKILL at moments drawn from a seed (printed); then once more, undisturbed."""
    seed = int(os.environ.get("LASTRO_KILL_SEED", random.SystemRandom().randrange(10**6)))
    print(f"seed of the kills: {seed}")
    moments = random.Random(seed)
    typist = Typist(tmp_path)
    typist.set_up(world)
    whole = _undisturbed(world, tmp_path / "measured")
    died = 0
    for number in range(KILLS // 2):
        pair = [entities(world)[number % 3], entities(world)[(number + 1) % 3]]
        running = [typist.start(*typist.enter_words(world, entity)) for entity in pair]
        begun = time.monotonic()
        for process, moment in zip(running, sorted(moments.uniform(0.1, whole) for _ in pair), strict=True):
            time.sleep(max(0, begun + moment - time.monotonic()))
            process.send_signal(signal.SIGKILL)
        for process in running:
            process.communicate()
            died += process.returncode == -signal.SIGKILL
    print(f"{died} of {KILLS} died of it; the others had ended before")
    assert died >= KILLS // 4
    typist.type("audit")
    for entity in reversed(entities(world)):
        typist.type(*typist.enter_words(world, entity), codes=(0, 1))
    assert typist.standing() == expected
    typist.type("audit")


def _undisturbed(world: Path, folder: Path) -> float:
    """How long one entity's entry takes from start to end when nobody kills it, in seconds."""
    typist = Typist(folder)
    typist.set_up(world)
    begun = time.monotonic()
    typist.type(*typist.enter_words(world, entities(world)[0]), codes=(0, 1))
    return time.monotonic() - begun
