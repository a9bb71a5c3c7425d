"""Filings in PostgreSQL: only added; a party sees its own, those addressed to it and the public ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.stores.postgres.store import Store

Connection = psycopg.Connection[Any]

EVERYBODY = "*"
"""For an office that may see the rows of all; say it only where the law gives that right."""

NOBODY = ""
"""A stranger: only what is public."""

_READ = """select f.id, f.kind, f.party, f.norm, f.period, f.name, f.version, f.body, f.addressee, f.public,
                  f.withdrawn, f.by_user, f.on_day, f.recorded_at,
                  coalesce((select array_agg(array[x.name, x.sha256] order by x.name)
                              from filing_file x where x.filing = f.id), '{}')
             from filing f"""


class ChangedMeanwhile(LastroError):
    """Somebody filed a version after the one that was looked at."""


class Filings:
    """The filings that some party, office or stranger may see, and what they add."""

    def __init__(self, store: Store, *, sees: str | Iterable[str]) -> None:
        """`sees` is whom one acts for: one party or office, several, EVERYBODY or NOBODY."""
        self._store = store
        self._sees = sees if isinstance(sees, str) else ",".join(sorted(sees))

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._store.transaction() as db:
            before = db.execute("select current_setting('lastro.sees', true)").fetchone()
            db.execute("select set_config('lastro.sees', %s, true)", [self._sees])
            yield db
            db.execute("select set_config('lastro.sees', %s, true)", [(before and before[0]) or ""])

    def add(
        self,
        subject: Subject,
        body: Mapping[str, Any],
        *,
        by: str,
        on: date,
        after: int = 0,
        addressee: str = "",
        public: bool = False,
        withdrawn: bool = False,
        files: Iterable[tuple[str, bytes]] = (),
    ) -> Filing:
        """File a version after the one that was looked at (0: there was none).

        Raises ChangedMeanwhile if another was filed since, LastroError if one may not file for that party.
        """
        with self._transaction() as db:
            try:
                with db.transaction():
                    number = self._insert(
                        db,
                        subject,
                        [after + 1, Jsonb(dict(body)), addressee, public, withdrawn, by, on],
                    )
            except psycopg.errors.UniqueViolation as wrong:
                raise ChangedMeanwhile(
                    "Outra pessoa guardou uma versão depois da que você abriu. Abra de novo e confira."
                ) from wrong
            except psycopg.errors.InsufficientPrivilege as wrong:
                raise LastroError("Ninguém guarda um documento em nome de outro estabelecimento.") from wrong
            for name, data in files:
                db.execute(
                    "insert into filing_file (filing, name, sha256, body) values (%s, %s, %s, %s)",
                    [number, name, hashlib.sha256(data).hexdigest(), data],
                )
            return self._one(db, number)

    @staticmethod
    def _insert(db: Connection, subject: Subject, rest: list[Any]) -> int:
        last = db.execute(
            """select coalesce(max(version), 0) from filing
               where (kind, party, norm, period, name) = (%s, %s, %s, %s, %s)""",
            [*_named(subject)],
        ).fetchone()
        if last is None or last[0] != rest[0] - 1:
            raise ChangedMeanwhile("A versão que você abriu já não é a última. Abra de novo e confira.")
        row = db.execute(
            """insert into filing (kind, party, norm, period, name, version, body, addressee, public,
                                   withdrawn, by_user, on_day)
               values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) returning id""",
            [*_named(subject), *rest],
        ).fetchone()
        assert row is not None
        return int(row[0])

    def one(self, number: int) -> Filing | None:
        """The version of that number, if it may be seen."""
        with self._transaction() as db:
            row = db.execute(f"{_READ} where f.id = %s", [number]).fetchone()
        return _filing(row) if row else None

    def _one(self, db: Connection, number: int) -> Filing:
        row = db.execute(f"{_READ} where f.id = %s", [number]).fetchone()
        assert row is not None
        return _filing(row)

    def standing(
        self,
        kind: Kind,
        *,
        party: str | None = None,
        norm: str | None = None,
        period: str | None = None,
        name: str | None = None,
        addressee: str | None = None,
        withdrawn: bool = False,
        earlier: bool = False,
    ) -> list[Filing]:
        """The standing version of every subject that fits, the latest first.

        Withdrawn ones, and the versions before the one that stands, if asked for.
        """
        wanted = {
            "kind": kind.value, "party": party, "norm": norm, "period": period, "name": name,
            "addressee": addressee,
        }  # fmt: skip
        given = {column: value for column, value in wanted.items() if value is not None}
        where = " and ".join(f"f.{column} = %({column})s" for column in given)
        later = """not exists (select from filing l where (l.kind, l.party, l.norm, l.period, l.name)
                   = (f.kind, f.party, f.norm, f.period, f.name) and l.version > f.version)"""
        alive = "" if withdrawn else " and not f.withdrawn"
        last = "" if earlier else f" and {later}"
        with self._transaction() as db:
            rows = db.execute(f"{_READ} where {where}{last}{alive} order by f.id desc", given).fetchall()
        return [_filing(row) for row in rows]

    def addressed(self, *, since: date) -> list[Filing]:
        """Every version addressed to somebody that was filed on or after a day, if it may be seen."""
        with self._transaction() as db:
            rows = db.execute(
                f"{_READ} where f.addressee <> '' and f.on_day >= %s order by f.id", [since]
            ).fetchall()
        return [_filing(row) for row in rows]

    def latest(self, subject: Subject) -> Filing | None:
        """The version of a subject that stands, withdrawn or not; None if nothing was ever filed."""
        return next(iter(self.versions(subject)), None)

    def version(self, subject: Subject) -> int:
        """The number of the version that stands, after which the next one is added; 0 before the first."""
        latest = self.latest(subject)
        return latest.version if latest else 0

    def versions(self, subject: Subject) -> list[Filing]:
        """Every version of a subject that may be seen, the latest first."""
        with self._transaction() as db:
            rows = db.execute(
                f"""{_READ} where (f.kind, f.party, f.norm, f.period, f.name) = (%s, %s, %s, %s, %s)
                    order by f.version desc""",
                [*_named(subject)],
            ).fetchall()
        return [_filing(row) for row in rows]

    def file(self, number: int, name: str) -> bytes | None:
        """A file handed in with the version of that number, if it may be seen."""
        with self._transaction() as db:
            row = db.execute(
                "select body from filing_file where filing = %s and name = %s", [number, name]
            ).fetchone()
        return bytes(row[0]) if row else None


def _named(subject: Subject) -> tuple[str, str, str, str, str]:
    return (subject.kind.value, subject.party, subject.norm, subject.period, subject.name)


def _filing(row: Any) -> Filing:
    number, kind, party, norm, period, name, *rest, files = row
    version, body, addressee, public, withdrawn, by, on, at = rest
    return Filing(
        id=number,
        subject=Subject(Kind(kind), party, norm=norm, period=period, name=name),
        version=version,
        body=body,
        addressee=addressee,
        public=public,
        withdrawn=withdrawn,
        by=by,
        on=on,
        at=at,
        files=tuple((n, d) for n, d in files),
    )
