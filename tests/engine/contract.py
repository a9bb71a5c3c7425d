"""What every engine promises, as tests: a file for each engine runs these over its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from lastro.engine.port import Engine

UNLUCKY, DEADLY = 13, 500


def double(number: int) -> int:
    """Twice a number; one number is refused, and one ends the process that was asked."""
    if number == UNLUCKY:
        raise ValueError("unlucky")
    if number == DEADLY:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * 2


def failed(number: int, what: str) -> tuple[int, str]:
    return number, what


class EngineContract:
    """A subclass gives the fixture `engine`; where it has processes of its own, they may die."""

    def test_results_come_in_order_and_a_raise_is_one_result(self, engine: Engine) -> None:
        made: list[Any] = list(engine.map(double, range(200), failed=failed))
        assert made == [(13, "ValueError") if n == UNLUCKY else n * 2 for n in range(200)]

    @pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
    def test_a_worker_that_dies_costs_one_item(self, engine: Engine) -> None:
        made: list[Any] = list(engine.map(double, range(700), failed=failed))
        told = {UNLUCKY: (UNLUCKY, "ValueError"), DEADLY: (DEADLY, "o processo de leitura morreu")}
        assert made == [told.get(n, n * 2) for n in range(700)]

    def test_no_more_than_a_few_batches_are_under_way(self, engine: Engine) -> None:
        taken = 0

        def items() -> Iterator[int]:
            nonlocal taken
            for n in range(10_000):
                taken += 1
                yield n + 1000

        results = engine.map(double, items(), failed=failed)
        assert next(results) == 2000
        assert taken < 1000
        results.close()  # type: ignore[attr-defined]

    def test_heavy_items_are_not_gathered_in_one_batch(self, engine: Engine) -> None:
        made = engine.map(os.path.basename, map(str, range(100)), failed=failed, size=lambda n: 5_000_000)
        assert list(made) == [str(n) for n in range(100)]

    def test_no_items_give_no_results(self, engine: Engine) -> None:
        assert list(engine.map(double, [], failed=failed)) == []

    def test_one_engine_does_one_thing_after_another(self, engine: Engine) -> None:
        first = list(engine.map(double, range(20, 90), failed=failed))
        second = list(engine.map(abs, range(-90, -20), failed=failed))
        assert (first, second) == ([n * 2 for n in range(20, 90)], [-n for n in range(-90, -20)])
