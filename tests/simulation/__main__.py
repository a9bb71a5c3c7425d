"""Play many seeds: `python -m tests.simulation --seeds 10000 --workers 2`.

`--plant FAULT` puts a fault in and stops at the first seed that finds it; `--first N --seeds 1 --show` plays
one seed again and prints all that happened.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from lastro.stores.postgres.migrate import migrate
from lastro.stores.postgres.server import PrivateServer
from tests.simulation.faults import Fault
from tests.simulation.run import Ended, play

_PART = 25


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
    """Every seed as it ends: in this process, or in several, all on one server."""
    parts = [seeds[at : at + _PART] for at in range(0, len(seeds), _PART)]
    with _server() as conninfo:
        jobs = [(conninfo, part, fault) for part in parts]
        if workers == 1:
            yield from itertools.chain.from_iterable(map(_part, jobs))
            return
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            yield from itertools.chain.from_iterable(pool.imap_unordered(_listed, jobs))


def _part(job: tuple[str, range, Fault | None]) -> Iterator[Ended]:
    conninfo, seeds, fault = job
    with psycopg.connect(conninfo, autocommit=True) as connection:
        for seed in seeds:
            yield play(seed, connection, fault=fault)


def _listed(job: tuple[str, range, Fault | None]) -> list[Ended]:
    return list(_part(job))


@contextmanager
def _server() -> Iterator[str]:
    """A private server in a folder of its own, and how the application comes to it."""
    folder = Path(tempfile.mkdtemp(prefix="lastro-seeds-"))
    folder.chmod(0o711)
    try:
        with PrivateServer(folder) as server:
            migrate(server.conninfo("lastro_owner"))
            yield server.conninfo()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
