"""The store: connections that act as the application's role, and the moves of the ledger.

Custody, registry and later rooms keep their own tables; their methods stand in sibling modules that are
handed a `Store`.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg.types.json import Jsonb

from lastro.errors import LastroError
from lastro.facts import Entry, Lot, Refusal
from lastro.ids import Material
from lastro.ledger import Posting
from lastro.stores.postgres import migrate, view
from lastro.stores.postgres.names import OWNER
from lastro.units import Mass

Answer = dict[str, Any] | Refusal
Connection = psycopg.Connection[tuple[Any, ...]]


class Store:
    """What is kept, and how it may grow. Use it from as many threads as needed."""

    def __init__(self, conninfo: str) -> None:
        """Take a connection string that ends up as the role `lastro_app`, in the schema `lastro`."""
        self._conninfo = conninfo
        self._thread = threading.local()

    @classmethod
    @contextmanager
    def open(cls, data: Path, *, prepare: Callable[[str, str], None] | None = None) -> Iterator[Store]:
        """Open the store of a data folder (or of DATABASE_URL), brought up to date.

        `prepare` is called first, with the connection strings of daily work and of the owner, for whoever
        keeps tables of its own beside the store's. Raises LastroError if no server can be had, or if the
        database belongs to a later version.
        """
        with _server(data) as server:
            if prepare is not None:
                prepare(server.conninfo(), server.conninfo(OWNER))
            store = cls(server.conninfo())
            try:
                with store.connect() as connection:
                    behind = migrate.is_behind(connection)
                if behind:
                    migrate.migrate(server.conninfo(OWNER))
                yield store
            finally:
                store.close()

    @staticmethod
    def stands(data: Path) -> bool:
        """Whether there is a store to open without making a new one."""
        return bool(os.environ.get("DATABASE_URL")) or (data / "postgres.lock").exists()

    def connect(self) -> Connection:
        """A new connection as the application's role; close it, or use it in `with`."""
        try:
            return psycopg.connect(self._conninfo)
        except psycopg.OperationalError as wrong:
            raise LastroError(f"O banco não aceita a conexão: {wrong}") from wrong

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """This thread's connection, inside a transaction: all that is done in it stands, or nothing.

        Within another transaction of the same thread it is a part of that one.
        """
        connection: Connection | None = getattr(self._thread, "connection", None)
        if connection is None or connection.closed:
            connection = self._thread.connection = self.connect()
        with connection.transaction():
            yield connection

    def close(self) -> None:
        """Close this thread's connection."""
        connection: Connection | None = getattr(self._thread, "connection", None)
        if connection is not None:
            connection.close()

    def hold(self, entities: Iterable[str]) -> None:
        """Inside a transaction, keep everyone else from moving these entities' lots until it ends.

        Who reads what a lot holds and then posts on it holds its entity's chain first; otherwise a retirement
        may come between.
        """
        with self.transaction() as connection:
            connection.execute("SELECT lock_chains(%s)", [sorted(set(entities))])

    def post(self, postings: Iterable[Posting], *, request: str) -> Answer:
        """Enter mass into lots and take mass back, all or nothing; one link per claimant.

        Repeating a request changes nothing and gives its first answer, marked `repeated`. Taking more than a
        lot holds is an error of the caller (psycopg.errors.CheckViolation). Decision 7.
        """
        rows = [posting.row() for posting in postings]
        return self._move("SELECT post(%s, %s)", [Jsonb(rows), request])

    def retire_lots(
        self,
        entity: str,
        *,
        establishment: str,
        year: int,
        materials: Iterable[Material],
        mass: Mass,
        request: str,
        happened_on: date,
    ) -> Answer:
        """Retire homologated lots of a year for an establishment, oldest note first, or K01.

        A refusal leaves no trace, so the same request may be tried again. Decreto MT 1.455/2025, art. 55, I.
        """
        names = sorted(material.value for material in materials)
        return self._move(
            "SELECT retire_lots(%s, %s, %s, %s, %s, %s, %s)",
            [entity, establishment, year, names, mass.mg, request, happened_on],
        )

    def homologate(
        self,
        entity: str,
        *,
        verifier: str,
        year: int,
        lots: Iterable[Lot] | None,
        request: str,
        happened_on: date,
    ) -> Answer:
        """Record a verifier's statement: these lots, or all verified of the year, may be used from now on.

        K02 if verifier and entity are one company; K08 if a named lot is not the entity's of that year.
        """
        named = (
            None
            if lots is None
            else Jsonb([{"access_key": lot.access_key, "line": lot.line} for lot in lots])
        )
        return self._move(
            "SELECT homologate(%s, %s, %s, %s, %s, %s)", [verifier, entity, year, named, request, happened_on]
        )

    def pools(self, *, entity: str | None = None, year: int | None = None) -> list[view.Pool]:
        """What each entity has proved per year and material, and how much of it is homologated."""
        with self.transaction() as db:
            return view.pools(db, entity=entity, year=year)

    def lots(
        self, *, entity: str | None = None, year: int | None = None, material: Material | None = None
    ) -> list[view.HeldLot]:
        """Every lot and what it holds now, oldest note first."""
        with self.transaction() as db:
            return view.lots(db, entity=entity, year=year, material=material)

    def moves(self, entity: str, access_key: str) -> list[view.Moved]:
        """An entity's entries on the lots of one note, in the order of its chain."""
        with self.transaction() as db:
            return view.moves(db, entity, access_key)

    def retired(self, *, company: str | None = None, year: int | None = None) -> list[view.RetiredFor]:
        """What was retired for the establishments of a company (root or one establishment)."""
        with self.transaction() as db:
            return view.retired(db, company=company, year=year)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Everything as it stands at one moment, to read only."""
        with self.connect() as db:
            db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            db.read_only = True
            yield db

    @contextmanager
    def book(self) -> Iterator[view.LedgerView]:
        """The whole book as it stands at one moment, for an audit."""
        with self.snapshot() as db:
            yield view.LedgerView(db)

    def entries(self) -> Iterator[Entry]:
        """Every entry ever made, by entity and in the order of its chain."""
        with self.book() as book:
            for link in book.links():
                for entry in link.entries:
                    yield Entry(
                        debit=entry.debit,
                        credit=entry.credit,
                        mass=Mass(entry.mass_mg),
                        reason=entry.reason,
                        lot=Lot(entry.access_key, entry.line, entry.claimant),
                        municipality=entry.municipality or "",
                        happened_on=entry.happened_on,
                        recorded_at=link.recorded_at,
                        reference=entry.reference,
                    )

    def _move(self, call: LiteralString, arguments: list[Any]) -> Answer:
        with self.transaction() as connection:
            row = connection.execute(call, arguments).fetchone()
        assert row is not None
        answer: dict[str, Any] = row[0]
        if "refusal" not in answer:
            return answer
        return Refusal(answer.pop("refusal"), found=_found(answer), detail=answer)


def _found(answer: dict[str, Any]) -> str:
    available = answer.get("available_mg")
    return "" if available is None else str(Mass(int(available)))


def _server(data: Path) -> Any:
    from lastro.stores.postgres.remote import RemoteServer

    remote = RemoteServer.named()
    if remote is not None:
        return remote
    if sys.platform == "win32" or os.name != "posix":
        raise LastroError("No Windows o lastro precisa de um PostgreSQL: defina DATABASE_URL.")
    from lastro.stores.postgres.server import PrivateServer

    return PrivateServer(data)
