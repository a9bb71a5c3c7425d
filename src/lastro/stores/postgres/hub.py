"""What a hub and a keeper of tag keys keep, in PostgreSQL: only added, but for the counters of a day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from lastro.hub.batch import Batch, Header, Held
from lastro.hub.closing import Closing, Receipt
from lastro.stores.postgres.store import Store

Connection = psycopg.Connection[Any]

_HUB, _KEEPER = 9_497_001, 9_497_002


class Shelf:
    """Changes under one lock: what is written inside is there as a whole, and no two change at once."""

    lock = 0

    def __init__(self, store: Store) -> None:
        self._store = store

    @contextmanager
    def changing(self) -> Iterator[None]:
        with self._store.transaction() as db:
            db.execute("select pg_advisory_xact_lock(%s)", [self.lock])
            yield

    @contextmanager
    def _db(self) -> Iterator[Connection]:
        with self._store.transaction() as db:
            yield db

    def _one(self, query: str, values: Sequence[Any] = ()) -> Any:
        with self._db() as db:
            row = db.execute(query, values).fetchone()
        return row[0] if row else None

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._db() as db:
            return db.execute(query, values).fetchall()

    def _do(self, query: str, values: Sequence[Any] = ()) -> None:
        with self._db() as db:
            db.execute(query, values)


class PostgresHub(Shelf):
    """A hub's batches, log and closings."""

    lock = _HUB

    def header(self, name: str) -> Header | None:
        told = self._one("select header from hub.batch where name = %s", [name])
        return Header.of_json(told) if told else None

    def receipt(self, name: str) -> Receipt | None:
        told = self._one("select receipt from hub.batch where name = %s", [name])
        return Receipt(**told) if told else None

    def keep(self, batch: Batch, given: Receipt) -> None:
        header = batch.header
        with self._db() as db:
            db.execute(
                "insert into hub.batch (name, leaf, header, receipt) values (%s, %s, %s, %s)",
                [header.batch, given.index, Jsonb(header.to_json()), Jsonb(given.__dict__)],
            )
            columns = "(batch, index, leaf, tag, reference, entry, path)"
            with db.cursor().copy(f"COPY hub.held {columns} FROM STDIN") as rows:
                for held in batch.all_held:
                    rows.write_row(
                        (
                            *(header.batch, held.index, given.index, held.tag),
                            *(held.reference, held.entry, held.path),
                        )
                    )

    def leaf_count(self) -> int:
        return int(self._one("select coalesce(max(index) + 1, 0) from hub.leaf"))

    def leaves(self, size: int) -> list[bytes]:
        rows = self._all("select data from hub.leaf where index < %s order by index", [size])
        return [bytes(data) for (data,) in rows]

    def add_leaf(self, leaf: bytes) -> None:
        self._do("insert into hub.leaf select coalesce(max(index) + 1, 0), %s from hub.leaf", [leaf])

    def has_leaf(self, leaf: bytes) -> bool:
        return bool(self._one("select exists (select from hub.leaf where data = %s)", [leaf]))

    def references(self, size: int) -> Iterable[tuple[bytes, bytes]]:
        with self._db() as db, db.cursor("references") as cursor:
            cursor.itersize = 20_000
            for tag, reference in cursor.execute(
                "select tag, reference from hub.held where leaf < %s", [size]
            ):
                yield bytes(tag), bytes(reference)

    def tags_in(self, name: str) -> list[bytes]:
        rows = self._all("select tag from hub.held where batch = %s order by index", [name])
        return [bytes(tag) for (tag,) in rows]

    def under(self, tags: Sequence[bytes], size: int) -> list[Held]:
        rows = self._all(
            """select b.header, h.index, h.entry, h.path from hub.held h join hub.batch b on b.name = h.batch
               where h.tag = any(%s) and h.leaf < %s""",
            [list(set(tags)), size],
        )
        return [
            Held(Header.of_json(told), index, bytes(entry), bytes(path)) for told, index, entry, path in rows
        ]

    def keep_closing(self, closing: Closing) -> None:
        self._do("insert into hub.closing (size, note) values (%s, %s)", [closing.size, closing.note])

    def last_closing(self) -> Closing | None:
        note = self._one("select note from hub.closing order by size desc limit 1")
        return Closing.of_note(note) if note else None

    def spend(self, what: str, day: date, limit: int) -> bool:
        times = self._one(
            """insert into hub.spent (what, day, times) values (%s, %s, 1)
               on conflict (what, day) do update set times = spent.times + 1 where spent.times < %s
               returning times""",
            [what, day, limit],
        )
        return times is not None


class PostgresKeeper(Shelf):
    """What a keeper of tag keys answered whom, and whose pseudonym is whose."""

    lock = _KEEPER

    def asked_before(self, request: str) -> bool:
        return bool(self._one("select exists (select from hub.question where request = %s)", [request]))

    def keep_request(self, request: str, entity: str, day: date, points: int) -> None:
        self._do(
            "insert into hub.question (request, entity, day, points) values (%s, %s, %s, %s)",
            [request, entity, day, points],
        )

    def points_of(self, entity: str, day: date) -> int:
        query = "select coalesce(sum(points), 0) from hub.question where entity = %s and day = %s"
        return int(self._one(query, [entity, day]))

    def pseudonym(self, entity: str, week: date) -> str | None:
        found = self._one("select pseudonym from hub.vouched where entity = %s and week = %s", [entity, week])
        return str(found) if found else None

    def keep_pseudonym(self, entity: str, week: date, pseudonym: str) -> None:
        self._do(
            "insert into hub.vouched (entity, week, pseudonym) values (%s, %s, %s)", [entity, week, pseudonym]
        )
