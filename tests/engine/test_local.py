"""The local engine keeps the order and survives what its items do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from lastro.engine.local import LocalEngine


def double(number: int) -> int:
    if number == 13:
        raise ValueError("unlucky")
    if number == 500:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * 2


def failed(number: int, what: str) -> int:
    return -number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order_and_a_raise_is_one_result(workers: int) -> None:
    made = list(LocalEngine(workers).map(double, range(200), failed=failed))
    assert made == [-13 if n == 13 else n * 2 for n in range(200)]


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_worker_that_dies_costs_one_item() -> None:
    made = list(LocalEngine(2).map(double, range(700), failed=failed))
    assert made == [-n if n in (13, 500) else n * 2 for n in range(700)]


def test_no_more_than_a_few_batches_are_under_way() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for n in range(10_000):
            taken += 1
            yield n + 1000

    results = LocalEngine(2).map(double, items(), failed=failed)
    assert next(results) == 2000
    assert taken < 1000
    results.close()  # type: ignore[attr-defined]


def test_heavy_items_are_not_gathered_in_one_batch() -> None:
    engine = LocalEngine(2)
    made = engine.map(double, range(1000, 1100), failed=failed, size=lambda n: 5_000_000)
    assert list(made) == [n * 2 for n in range(1000, 1100)]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_ends_it_without_a_worker_left() -> None:
    program = (
        "import os, signal, time\n"
        "from lastro.engine.local import LocalEngine\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def main():\n"
        "    results = LocalEngine(2).map(abs, range(100000), failed=lambda n, w: 0)\n"
        "    next(results)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    for _ in results: pass\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        main()\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
        "    import multiprocessing\n"
        "    print('left', len(multiprocessing.active_children()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "interrupted\nleft 0"
    assert done.stderr == ""
