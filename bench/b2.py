"""B2: claims into PostgreSQL, whose unique index decides: what a store ten times as large costs.

The claims go in as custody writes them. Between batches the database is made to crash: every claim that was
committed must be there afterwards, once.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from bench.figures import spread, table
from lastro.custody.port import For
from lastro.stores.postgres.custody import PostgresCustody
from lastro.stores.postgres.migrate import migrate
from lastro.stores.postgres.names import ADMIN, DATABASE, OWNER
from lastro.stores.postgres.server import PrivateServer
from lastro.units import Mass

WHOM = For("ZZG3ST03000189", "mt/decreto_1455_2025", 2026)
_IN_A_TRANSACTION = 10_000
_KNOWN_IN_A_HUNDRED = 1
_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def key(number: int) -> str:
    """An access key in the order of arrival: months pass, issuers are spread, one in twenty has letters."""
    mixed = number * 2_654_435_761 % 2**32
    month = f"{20 + number // 6_000_000:02d}{number // 500_000 % 12 + 1:02d}"
    root = f"{mixed % 10**8:08d}"
    if mixed % 20 == 0:
        root = "ZZ" + "".join(_CHARACTERS[mixed // 36**n % 36] for n in range(6))
    return f"51{month}{root}000100" + f"55001{number % 10**9:09d}1{mixed % 10**8:08d}0"


class Shelf:
    """One database of the server, filled with claims on so many keys."""

    def __init__(self, server: PrivateServer, name: str, size: int) -> None:
        self.server, self.name, self.size = server, name, size
        self.known = size
        with psycopg.connect(server.conninfo(ADMIN, database="postgres"), autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {DATABASE} OWNER {OWNER}")
            admin.execute(f"GRANT CONNECT ON DATABASE {name} TO lastro_app")
        start = time.perf_counter()
        with self.connect(OWNER) as db, db.cursor() as cursor:
            columns = "claim (entity, access_key, line, norm, year, mass_mg)"
            with cursor.copy(f"COPY {columns} FROM STDIN") as rows:
                for number in range(size):
                    rows.write_row((WHOM.entity, key(number), 1, WHOM.norm, WHOM.year, 1_000_000))
        with self.connect(OWNER) as db:
            db.autocommit = True
            db.execute("VACUUM (ANALYZE) claim")
        with psycopg.connect(server.conninfo(ADMIN, database=name), autocommit=True) as admin:
            admin.execute("CHECKPOINT")
        self.built = time.perf_counter() - start

    def connect(self, role: str = "lastro_app") -> psycopg.Connection[Any]:
        return psycopg.connect(
            self.server.conninfo(role, database=self.name), options="-c search_path=lastro"
        )

    def batch(self, size: int, rnd: random.Random) -> float:
        """Write one batch of claims, some known, in seconds; each transaction is on disk at its end."""
        new = [key(n) for n in range(self.known, self.known + size - size * _KNOWN_IN_A_HUNDRED // 100)]
        old = [key(rnd.randrange(self.known)) for _ in range(size - len(new))]
        keys = new + old
        rnd.shuffle(keys)
        claims = [(k, 1, Mass(1_000_000)) for k in keys]
        start = time.perf_counter()
        with self.connect() as db:
            for at in range(0, size, _IN_A_TRANSACTION):
                with db.transaction():
                    PostgresCustody(db).write_claims(claims[at : at + _IN_A_TRANSACTION], WHOM)
        spent = time.perf_counter() - start
        self.known += len(new)
        return spent

    def count(self) -> tuple[int, int]:
        """How many claims there are, and on how many keys."""
        with self.connect() as db:
            row = db.execute("select count(*), count(distinct access_key) from claim").fetchone()
            assert row
            return row[0], row[1]

    def crash(self) -> None:
        """Kill a process of the server in the middle of work: all of it falls and recovers from its log."""
        db = self.connect()
        db.execute("insert into claim (entity, access_key, line, norm, year) values ('x', 'x', 1, 'x', 1)")
        os.kill(db.info.backend_pid, signal.SIGKILL)
        for _ in range(600):
            time.sleep(0.1)
            try:
                self.connect().close()
            except psycopg.OperationalError:
                continue
            return
        raise AssertionError("o banco não voltou")


def run(*, sizes: tuple[int, int], batch: int, rounds: int) -> None:
    """Print the table of B2. Raises AssertionError where a claim is lost or doubled."""
    folder = Path(tempfile.mkdtemp(prefix="lastro-bench-"))
    folder.chmod(0o711)
    try:
        with PrivateServer(folder) as server:
            migrate(server.conninfo(OWNER))
            _measure(server, sizes, batch, rounds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _measure(server: PrivateServer, sizes: tuple[int, int], batch: int, rounds: int) -> None:
    shelves = [Shelf(server, f"b{n}", size) for n, size in enumerate(sizes)]
    for shelf in shelves:
        print(f"B2: {shelf.size} chaves postas em {shelf.built:.0f} s")
    rnd = random.Random(2)
    spent: list[list[float]] = [[], []]
    for number in range(rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            spent[which].append(shelves[which].batch(batch, rnd))
    for shelf in shelves:
        shelf.crash()
        assert shelf.count() == (shelf.known, shelf.known), "uma reivindicação se perdeu ou se repetiu"
    ratios = [b / a for a, b in zip(*spent, strict=True)]
    rows = [("", "s por lote (só informa)")]
    rows += [
        (f"{batch} sobre {shelf.size}", f"{median(s):.2f}") for shelf, s in zip(shelves, spent, strict=True)
    ]
    table(f"B2, {rounds} lotes de cada, 1 % já conhecidas", rows)
    print(f"  {sizes[1]} / {sizes[0]}: {spread(ratios)}; depois da queda, nenhuma perdida, nenhuma repetida")
