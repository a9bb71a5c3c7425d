"""Audit: the whole ledger counted again from its entries, beside beancount's load of as many transactions.

Half of the entries bring mass into lots and half take it out again; chain, balances and statements are what
the database's functions would have written (put there by COPY), and the audit must find that all holds.
beancount reads a file with one transaction for each entry, parses, books and validates it, and comes to the
same balances.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import psycopg

from bench.figures import table
from bench.writers import BUYER, ENTITIES, HOLDER, SELLER, VERIFIER
from lastro.ids import mod11
from lastro.ledger.audit import audit
from lastro.ledger.book import GENESIS, SOURCE, BookEntry, Link, link_hash, lots_digest
from lastro.stores.postgres.migrate import migrate
from lastro.stores.postgres.names import OWNER
from lastro.stores.postgres.server import PrivateServer
from lastro.stores.postgres.store import Store

_IN_A_LINK = 100
_FACTS = (
    *("glass", date(2026, 6, 1), SELLER, BUYER, "5103403", "operator", "picker_entity"),
    *(2026, "mt/decreto_1455_2025", "TARGET"),
)
_AT = datetime(2027, 3, 15, 12, tzinfo=UTC)
_RETIRED = f"retired/{HOLDER}/2026/glass"


def _key(number: int) -> str:
    body = f"512606{SELLER}55001{number:09d}1{number % 10**8:08d}"
    return body + mod11(body)


def _entry(n: int, key: str, entity: str, way: str) -> BookEntry:
    lot = f"lot/{key}/1/{entity}"
    ends = (SOURCE, lot) if way == "enter" else (lot, _RETIRED)
    return BookEntry(n, *ends, 1_000_000, way, key, 1, entity, *_FACTS, _AT.date(), "")


def chain(entity: str, keys: list[str]) -> Iterator[tuple[Link, list[tuple[str, int]]]]:
    """An entity's links: its notes come in, a verifier names them, they are used; with what is named."""
    named = [(f"lot/{key}/1/{entity}", 1_000_000) for key in keys]
    said = {"year": 2026, "digest": lots_digest(tuple(named)), "verifier": VERIFIER}
    stated = json.dumps(said)  # as the database spells it: short names first
    groups = [keys[at : at + _IN_A_LINK] for at in range(0, len(keys), _IN_A_LINK)]
    moves = [("post", "enter", own) for own in groups] + [("homologate", "", [])]
    moves += [("retire", "retire", own) for own in groups]
    before = GENESIS
    for height, (kind, way, own) in enumerate(moves, 1):
        entries = tuple(_entry(n, key, entity, way) for n, key in enumerate(own, 1))
        answer = stated if kind == "homologate" else "{}"
        parts = (entity, height, before, b"", kind, f"{entity}-{height}", answer, _AT, entries)
        link = Link(*parts)
        before = link_hash(link)
        yield Link(*parts[:3], before, *parts[4:]), named if kind == "homologate" else []


def fill(db: psycopg.Connection[Any], entries: int) -> None:
    """Put so many entries there, chained as the functions chain them."""
    each = entries // 2 // len(ENTITIES)
    for place, entity in enumerate(ENTITIES):
        keys = [_key(place * each + n) for n in range(each)]
        links = list(chain(entity, keys))
        _copy(db, "link", (tuple(vars(k).values())[:-1] for k, _ in links))
        _copy(db, "entry", ((k.entity, k.height, *vars(e).values()) for k, _ in links for e in k.entries))
        _copy(db, "answered", ((k.request, b"", k.answer, k.recorded_at) for k, _ in links))
        _copy(db, "chain", [(entity, links[-1][0].height, links[-1][0].hash)])
        lots = ((f"lot/{k}/1/{entity}", entity, k, 1, entity, *_FACTS, True, 0) for k in keys)
        _copy(db, "balance", lots)
        for link, named in links:
            if named:
                row = db.execute(
                    "INSERT INTO statement (verifier, entity, height, year, happened_on) "
                    "VALUES (%s, %s, %s, 2026, %s) RETURNING id",
                    [VERIFIER, entity, link.height, _AT.date()],
                ).fetchone()
                assert row is not None
                _copy(db, "statement_lot", ((row[0], account, mg) for account, mg in named))


def _copy(db: psycopg.Connection[Any], target: str, rows: Any) -> None:
    with db.cursor() as cursor, cursor.copy(f"COPY {target} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def ours(conninfo: str) -> tuple[float, int]:
    """Seconds of the ledger's audit, and how many entries it counted; fails where anything does not hold."""
    start = time.perf_counter()
    with Store(conninfo).book() as book:
        checks = audit(book)
    spent = time.perf_counter() - start
    assert not [text for check in checks for text in check.failures]
    return spent, next(check.counted for check in checks if check.name == "entries")


def write_beans(file: Path, entries: int) -> None:
    """The same moves as beancount writes them: one transaction for each entry, in milligrams."""
    each = entries // 2 // len(ENTITIES)
    with file.open("w", encoding="utf-8") as out:
        for account in ("Equity:Source", "Expenses:Retired", *(f"Assets:{entity}" for entity in ENTITIES)):
            out.write(f"2026-01-01 open {account}\n")
        for day, gives, takes in (
            ("2026-06-01", "Equity:Source", ""),
            ("2027-03-15", "", "Expenses:Retired"),
        ):
            for entity in ENTITIES:
                one, other = gives or f"Assets:{entity}", takes or f"Assets:{entity}"
                move = f"  {one}  -1000000 MG\n  {other}  1000000 MG\n"
                for n in range(each):
                    out.write(f'{day} * "{entity}-{n}"\n{move}')


_LOAD = """
import sys, time, resource
from beancount import loader
from beancount.core import data
start = time.perf_counter()
entries, errors, _ = loader.load_file(sys.argv[1])
spent = time.perf_counter() - start
found = sum(isinstance(entry, data.Transaction) for entry in entries)
print(spent, found, len(errors), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def theirs(file: Path) -> tuple[float, int, int]:
    """Seconds of beancount's load, its transactions and its memory in KB, in a process of its own."""
    command = [sys.executable, "-c", _LOAD, str(file)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert told[2] == "0", "beancount found errors"
    return float(told[0]), int(told[1]), int(told[3])


def run(*, entries: int) -> None:
    """Print the table of the audit. Raises AssertionError where the ledger does not hold or lacks entries."""
    folder = Path(tempfile.mkdtemp(prefix="lastro-bench-"))
    folder.chmod(0o711)
    try:
        with PrivateServer(folder) as server:
            migrate(server.conninfo(OWNER))
            start = time.perf_counter()
            with psycopg.connect(server.conninfo(OWNER), options="-c search_path=lastro") as db:
                fill(db, entries)
            print(
                f"auditoria: {entries} lançamentos postos em {time.perf_counter() - start:.0f} s", flush=True
            )
            spent, counted = ours(server.conninfo())
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        rows = [("", "s", "memória, MB"), ("lastro audit (livro)", f"{spent:.1f}", f"{memory // 1024}")]
        ratio = ""
        try:
            import beancount  # type: ignore[import-untyped]  # noqa: F401
        except ImportError:
            ratio = "  beancount não está instalado; nada ao lado de que medir"
        else:
            write_beans(folder / "m.beancount", entries)
            seconds, found, kilobytes = theirs(folder / "m.beancount")
            assert found == counted == entries
            rows.append(("beancount, load_file", f"{seconds:.1f}", f"{kilobytes // 1024}"))
            ratio = f"  beancount / lastro: {seconds / spent:.2f}".replace(".", ",")
        table(f"Auditoria de {counted} lançamentos", rows)
        print(ratio)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
