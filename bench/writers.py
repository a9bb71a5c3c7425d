"""Writers: certificates authorised and used through the database's functions, beside a bare UPDATE.

In each round both do as many moves over the same entities: ours with its checks, entries, chain and answer
kept; the bare loop takes a mass from a row that holds it. Both leave what they should, or the bench fails.
Signing is apart: the paper of an issued certificate is made outside the database, and not measured here.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from bench.figures import spread, table
from lastro.certificates import number as numbers
from lastro.facts import Lot
from lastro.ids import Material, cnpj_check_digits, mod11
from lastro.ledger import LotFacts, Posting, Reason
from lastro.stores.postgres.certificates import Certificates
from lastro.stores.postgres.migrate import migrate
from lastro.stores.postgres.names import OWNER
from lastro.stores.postgres.server import PrivateServer
from lastro.stores.postgres.store import Store
from lastro.units import Mass, Money

_NORM, _YEAR = "mt/decreto_1455_2025", 2026
_DAY, _LAST = date(2027, 3, 15), date(2028, 3, 15)
_ENTITIES = 50


def _cnpj(name: str) -> str:
    base = f"ZZ{name:0>6}0001"
    return base + cnpj_check_digits(base)


ENTITIES = [_cnpj(f"E{n:03d}") for n in range(_ENTITIES)]
HOLDER, VERIFIER, SELLER, BUYER = (_cnpj(name) for name in ("CIA", "VER", "COOP", "REC"))


def _posting(number: int, entity: str, mg: int) -> Posting:
    body = f"512606{SELLER}55001{number:09d}1{number:08d}"
    facts = LotFacts(
        material=Material.GLASS,
        issued_on=date(2026, 6, 1),
        issuer=SELLER,
        recipient=BUYER,
        year=_YEAR,
        norm=_NORM,
    )
    return Posting(Lot(body + mod11(body), 1, entity), Mass(mg), Reason.ENTER, _DAY, facts)


def _at_once(writers: int, job: Callable[[int], None]) -> float:
    """Seconds from the start of all writers, each in a thread of its own, until the last of them ends."""
    gate, wrong = threading.Barrier(writers + 1), []

    def run(writer: int) -> None:
        gate.wait()
        try:
            job(writer)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    gate.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    spent = time.perf_counter() - start
    if wrong:
        raise wrong[0]
    return spent


class Counter:
    """The moves of one database, and the connections of its writers."""

    def __init__(self, server: PrivateServer, writers: int, moves: int) -> None:
        self.store = Store(server.conninfo())
        self.book = Certificates(self.store)
        self.links = [
            psycopg.connect(server.conninfo(), options="-c search_path=lastro", autocommit=True)
            for _ in range(writers)
        ]
        self.bare_links = [
            psycopg.connect(server.conninfo(OWNER), options="-c search_path=lastro", autocommit=True)
            for _ in range(writers)
        ]
        self.writers, self.each = writers, moves // writers
        self.turn = 0

    def prepared(self) -> list[list[str]]:
        """For each writer, its certificates, prepared: this part is not measured."""
        self.turn += 1
        names = [
            [f"w{self.writers}-{self.turn}-{w}-{n}" for n in range(self.each)] for w in range(self.writers)
        ]
        for writer, own in enumerate(names):
            for n, name in enumerate(own):
                done = self.book.prepare(
                    name, entity=ENTITIES[(writer + n * self.writers) % _ENTITIES], holder=HOLDER, year=_YEAR,
                    norm=_NORM, materials=[Material.GLASS], mass=Mass(1_000), investment=Money(1), by="ana",
                    on=_DAY,
                )  # fmt: skip
                assert isinstance(done, dict), done
        return names

    def issued(self, names: list[list[str]], rnd: random.Random) -> None:
        """Number and paper for each; not measured: it stands for the signing."""
        for name in (name for own in names for name in own):
            number = numbers.draw(_YEAR, rnd.randbytes)
            assert isinstance(self.book.allot(name, number=number, on=_DAY), dict)
            done = self.book.issue(
                name, number=number, issued_on=_DAY, valid_to=_LAST, fields={}, pdf=name.encode(), by="bia"
            )
            assert isinstance(done, dict), done

    def moved(self, names: list[list[str]], call: str, by: str, word: str) -> float:
        """The moves of all writers, in seconds."""

        def job(writer: int) -> None:
            for name in names[writer]:
                row = self.links[writer].execute(call, [name, by, f"{word}/{name}", _DAY]).fetchone()
                assert row is not None
                assert "refusal" not in row[0], row

        return _at_once(self.writers, job)

    def bare(self) -> float:
        """As many moves as a program makes that keeps balances and nothing else, in seconds."""

        def job(writer: int) -> None:
            for n in range(self.each):
                done = self.bare_links[writer].execute(
                    "UPDATE bare_balance SET balance = balance - 1000 WHERE entity = %s AND balance >= 1000",
                    [ENTITIES[(writer + n * self.writers) % _ENTITIES]],
                )
                assert done.rowcount == 1

        return _at_once(self.writers, job)

    def close(self) -> None:
        for link in (*self.links, *self.bare_links):
            link.close()
        self.store.close()


def run(*, writers: Sequence[int], moves: int, rounds: int) -> None:
    """Print the table of writers. Raises AssertionError where a move is lost or made twice."""
    folder = Path(tempfile.mkdtemp(prefix="lastro-bench-"))
    folder.chmod(0o711)
    try:
        with PrivateServer(folder) as server:
            migrate(server.conninfo(OWNER))
            _fill(server, moves * rounds * len(writers) * 1_000)
            rows = [
                ("escritores", "autoriza/s", "baixa/s", "UPDATE/s", "autoriza ÷ UPDATE", "baixa ÷ UPDATE")
            ]
            rows += [_measure(server, count, moves, rounds) for count in writers]
            table(f"Escritores: {rounds} rodadas de {moves} movimentos de cada, {_ENTITIES} entidades", rows)
            _same(server, moves, rounds, writers)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fill(server: PrivateServer, mg: int) -> None:
    store = Store(server.conninfo())
    for n, entity in enumerate(ENTITIES):
        store.post([_posting(n, entity, mg)], request=f"fill-{n}")
        store.homologate(entity, verifier=VERIFIER, year=_YEAR, lots=None, request=f"h-{n}", happened_on=_DAY)
    store.close()
    with psycopg.connect(server.conninfo(OWNER), options="-c search_path=lastro") as db:
        db.execute("CREATE TABLE bare_balance (entity text PRIMARY KEY, balance bigint NOT NULL)")
        with db.cursor() as cursor:
            cursor.executemany("INSERT INTO bare_balance VALUES (%s, %s)", [(e, mg) for e in ENTITIES])


def _measure(server: PrivateServer, writers: int, moves: int, rounds: int) -> tuple[str, ...]:
    counter, rnd = Counter(server, writers, moves), random.Random(writers)
    spent: dict[str, list[float]] = {"authorise": [], "retire": [], "bare": []}
    authorise = "SELECT authorise_certificate(%s, %s, %s, %s)"
    retire = "SELECT retire_certificate(%s, %s, %s, %s)"
    for number in range(rounds):
        names = counter.prepared()
        steps: list[Callable[[], None]] = [
            lambda own=names: spent["authorise"].append(counter.moved(own, authorise, "bia", "a")),  # type: ignore[misc]
            lambda: spent["bare"].append(counter.bare()),
        ]
        for step in steps if number % 2 else reversed(steps):
            step()
        counter.issued(names, rnd)
        spent["retire"].append(counter.moved(names, retire, "duda", "r"))
    counter.close()
    done = counter.each * writers
    rates = {name: [done / s for s in seconds] for name, seconds in spent.items()}
    ratios = [
        [ours / bare for ours, bare in zip(rates[name], rates["bare"], strict=True)]
        for name in ("authorise", "retire")
    ]
    speeds = [f"{median(rates[name]):.0f}" for name in ("authorise", "retire", "bare")]
    return (str(writers), *speeds, *(spread(ratio) for ratio in ratios))


def _same(server: PrivateServer, moves: int, rounds: int, writers: Sequence[int]) -> None:
    """Both took the same mass, and nothing was lost or made twice."""
    made = sum(moves // count * count for count in writers) * rounds
    with psycopg.connect(server.conninfo(OWNER), options="-c search_path=lastro") as db:

        def one(query: Any) -> int:
            row = db.execute(query).fetchone()
            assert row is not None
            return int(row[0])

        start = moves * rounds * len(writers) * 1_000 * _ENTITIES
        assert start - one("SELECT sum(balance) FROM bare_balance") == made * 1_000
        assert start - one("SELECT sum(mass_mg) FROM balance") == made * 1_000
        assert one("SELECT sum(mass_mg) FROM entry WHERE reason = 'retire'") == made * 1_000
        assert one("SELECT count(*) FROM certificate_move WHERE move = 'authorise'") == made
        assert (
            one("SELECT sum(height) FROM chain")
            == one("SELECT count(*) FROM link")
            == made * 4 + 2 * _ENTITIES
        )
    print(f"  {made} movimentos de cada: as mesmas massas saíram, nada perdido, nada repetido")
