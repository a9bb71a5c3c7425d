"""Play many seeds: `python -m tests.simulation --seeds 10000 --workers 2`.

`--plant FAULT` puts a fault in and stops at the first seed that finds it; `--first N --seeds 1 --show` plays
one seed again and prints all that happened.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import multiprocessing
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lastro.stores.postgres.migrate import migrate
from lastro.stores.postgres.server import PrivateServer
from tests.conftest import fresh_base
from tests.simulation.faults import Fault
from tests.simulation.run import Ended, play_part, take_base

_PART = 10


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--plant", type=Fault, choices=list(Fault))
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds)
    done = wrong = calls = 0
    for ended in _played(seeds, asked.workers, asked.plant):
        done, calls = done + 1, calls + len(ended.history)
        if asked.show:
            print(*ended.history, sep="\n")
        if ended.wrong:
            wrong += 1
            print(f"semente {ended.seed}:", *ended.wrong, sep="\n  ", flush=True)
            if asked.plant:
                break
    print(f"{done} sementes, {calls} pedidos atendidos, {wrong} com algo errado")
    return 0 if bool(wrong) is bool(asked.plant) else 1


def _played(seeds: range, workers: int, fault: Fault | None) -> Iterator[Ended]:
    """Every seed as it ends; each process has a base of its own, since seeds claim the same keys."""
    parts = [seeds[at : at + _PART] for at in range(0, len(seeds), _PART)]
    with _bases(workers) as bases:
        context = multiprocessing.get_context("spawn")
        free = context.SimpleQueue()
        for base in bases:
            free.put(base)
        with context.Pool(workers, initializer=take_base, initargs=(free, fault)) as pool:
            yield from itertools.chain.from_iterable(pool.imap_unordered(play_part, parts))


@contextmanager
def _bases(number: int) -> Iterator[list[str]]:
    """So many bases on a private server in a folder of its own, and how the application comes to each."""
    folder = Path(tempfile.mkdtemp(prefix="lastro-seeds-"))
    folder.chmod(0o711)
    try:
        with PrivateServer(folder) as server:
            migrate(server.conninfo("lastro_owner"))
            with contextlib.ExitStack() as stack:
                made = [stack.enter_context(fresh_base(server)) for _ in range(number)]
                yield [base.conninfo() for base in made]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
