"""What a member of the hub keeps in PostgreSQL: its lines' secrets, its outbox, and what met."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date

from psycopg.types.json import Jsonb

from lastro.hub.batch import Batch, Header, Held, entries_of
from lastro.hub.closing import Closing, Receipt
from lastro.hub.lines import Line, LineSecret
from lastro.hub.member import Asked, Sent, Statement
from lastro.hub.watch import Met
from lastro.stores.postgres.hub import Shelf
from lastro.stores.postgres.store import Store


class PostgresMember(Shelf):
    """The shelf of one entity at the hub."""

    def __init__(self, store: Store, entity: str) -> None:
        super().__init__(store)
        self._entity = entity

    @contextmanager
    def changing(self) -> Iterator[None]:
        with self._store.transaction() as db:
            db.execute("select pg_advisory_xact_lock(hashtextextended(%s, 9497))", [self._entity])
            yield

    # ── lines ────────────────────────────────────────────────────────────────────────────────────────

    def secrets(self, lines: Sequence[Line]) -> Mapping[Line, LineSecret]:
        rows = self._all(
            """select l.access_key, l.line, l.book, l.secret from hub.own_line l
               join unnest(%s::text[], %s::int[], %s::text[]) as w (access_key, line, book)
                 using (access_key, line, book)
               where l.entity = %s""",
            [
                [one.key for one in lines],
                [one.line for one in lines],
                [one.book for one in lines],
                self._entity,
            ],
        )
        return {Line(key, line, book): LineSecret(bytes(value)) for key, line, book, value in rows}

    def keep_secrets(self, secrets: Mapping[Line, LineSecret]) -> None:
        with self._db() as db, db.cursor() as cursor:
            cursor.executemany(
                """insert into hub.own_line (entity, access_key, line, book, secret, tag)
                   values (%s, %s, %s, %s, %s, %s) on conflict do nothing""",
                [
                    (self._entity, line.key, line.line, line.book, one.value, one.tag)
                    for line, one in sorted(secrets.items())
                ],
            )

    def lines_of(self, tags: Sequence[bytes]) -> dict[bytes, tuple[Line, LineSecret]]:
        """The own lines behind these tags."""
        rows = self._all(
            """select tag, access_key, line, book, secret from hub.own_line
               where entity = %s and tag = any(%s)""",
            [self._entity, list(tags)],
        )
        return {bytes(t): (Line(key, line, book), LineSecret(bytes(s))) for t, key, line, book, s in rows}

    def asked(self) -> Sequence[Asked]:
        rows = self._all(
            "select era, lines, blinds, points from hub.own_question where entity = %s order by id",
            [self._entity],
        )
        return [
            Asked(era, tuple(Line(*one) for one in lines), _cut(bytes(blinds)), points)
            for era, lines, blinds, points in rows
        ]

    def keep_asked(self, asked: Asked) -> None:
        lines = [[one.key, one.line, one.book] for one in asked.lines]
        self._do(
            "insert into hub.own_question (entity, era, lines, blinds, points) values (%s, %s, %s, %s, %s)",
            [self._entity, asked.era, Jsonb(lines), b"".join(asked.blinds), asked.points],
        )

    def drop_asked(self, asked: Asked) -> None:
        self._do(
            "delete from hub.own_question where entity = %s and points = %s", [self._entity, asked.points]
        )

    # ── batches ──────────────────────────────────────────────────────────────────────────────────────

    def pseudonym(self, week: date) -> bytes | None:
        found = self._one(
            "select secret from hub.own_pseudonym where entity = %s and week = %s", [self._entity, week]
        )
        return bytes(found) if found else None

    def keep_pseudonym(self, week: date, secret: bytes) -> None:
        self._do(
            "insert into hub.own_pseudonym (entity, week, secret) values (%s, %s, %s)",
            [self._entity, week, secret],
        )

    def unsaid(self, names: Sequence[str]) -> set[str]:
        rows = self._all(
            "select name from hub.own_said where entity = %s and name = any(%s)", [self._entity, list(names)]
        )
        return set(names) - {name for (name,) in rows}

    def batches_of(self, day: date) -> int:
        query = "select count(*) from hub.own_batch where entity = %s and day = %s"
        return int(self._one(query, [self._entity, day]))

    def keep_batch(self, batch: Batch, *, secret: bytes, says: Mapping[str, Statement], day: date) -> None:
        header = batch.header
        with self._db() as db, db.cursor() as cursor:
            cursor.execute(
                """insert into hub.own_batch (name, entity, day, header, entries, secret)
                   values (%s, %s, %s, %s, %s, %s)""",
                [
                    *(header.batch, self._entity, day, Jsonb(header.to_json())),
                    *(b"".join(batch.entries), secret),
                ],
            )
            cursor.executemany(
                "insert into hub.own_said (entity, name, batch) values (%s, %s, %s)",
                [(self._entity, name, header.batch) for name in sorted(says)],
            )

    def unsent(self) -> Iterable[Batch]:
        names = self._all(
            """select name from hub.own_batch b where entity = %s
               and not exists (select from hub.own_receipt r where r.batch = b.name) order by number""",
            [self._entity],
        )
        for (name,) in names:
            yield self._batch(name)[0]

    def _batch(self, name: str) -> tuple[Batch, bytes]:
        ((told, entries, secret),) = self._all(
            "select header, entries, secret from hub.own_batch where name = %s", [name]
        )
        return Batch(Header.of_json(told), entries_of(bytes(entries))), bytes(secret)

    def keep_receipt(self, given: Receipt) -> None:
        self._do(
            "insert into hub.own_receipt (batch, receipt) values (%s, %s) on conflict do nothing",
            [given.batch, Jsonb(given.__dict__)],
        )

    def sent(self) -> Iterable[Sent]:
        rows = self._all(
            """select b.name, r.receipt, coalesce(a.size, -1)
               from hub.own_batch b join hub.own_receipt r on r.batch = b.name
               left join hub.own_answer a on a.batch = b.name
               where b.entity = %s order by b.number""",
            [self._entity],
        )
        for name, told, size in rows:
            batch, secret = self._batch(name)
            yield Sent(batch, Receipt(**told), secret, size)

    # ── what was heard ───────────────────────────────────────────────────────────────────────────────

    def keep_answered(self, batch: str, size: int) -> None:
        self._do(
            """insert into hub.own_answer (batch, size) values (%s, %s)
               on conflict (batch) do update set size = excluded.size""",
            [batch, size],
        )

    def seen(self) -> Closing | None:
        query = "select note from hub.own_closing where entity = %s order by id desc limit 1"
        note = self._one(query, [self._entity])
        return Closing.of_note(note) if note else None

    def keep_closing(self, closing: Closing) -> None:
        last = self.seen()
        if last is None or last.note != closing.note:
            self._do(
                "insert into hub.own_closing (entity, note) values (%s, %s)", [self._entity, closing.note]
            )

    def keep_met(self, met: Sequence[Met]) -> None:
        held = [(one.tag, each) for one in met for each in (*one.mine, *one.others)]
        with self._db() as db, db.cursor() as cursor:
            cursor.executemany(
                """insert into hub.own_met (entity, tag, batch, index, header, entry, path)
                   values (%s, %s, %s, %s, %s, %s, %s) on conflict do nothing""",
                [
                    (
                        *(self._entity, tag, one.header.batch, one.index),
                        *(Jsonb(one.header.to_json()), one.entry, one.path),
                    )
                    for tag, one in held
                ],
            )

    def meetings(self) -> Iterator[tuple[Line, LineSecret, list[Held]]]:
        """Each own line under whose tag others stand, with every entry there."""
        under: defaultdict[bytes, list[Held]] = defaultdict(list)
        rows = self._all(
            """select tag, header, index, entry, path from hub.own_met
               where entity = %s order by tag, batch, index""",
            [self._entity],
        )
        for tag, told, index, entry, path in rows:
            under[bytes(tag)].append(Held(Header.of_json(told), index, bytes(entry), bytes(path)))
        known = self.lines_of(list(under))
        for tag, held in under.items():
            if tag in known:
                yield (*known[tag], held)


def _cut(data: bytes) -> tuple[bytes, ...]:
    return tuple(data[at : at + 32] for at in range(0, len(data), 32))
