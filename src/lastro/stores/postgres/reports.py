"""Reports in PostgreSQL: previews and versions, only added, and what each number is made of."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any

from psycopg.types.json import Jsonb

from lastro.reports.cells import Source
from lastro.reports.standing import Made, Standing, Version
from lastro.stores.postgres.standing import Connection, entries_behind, one, read_standing, rows_of
from lastro.stores.postgres.store import Store


@contextmanager
def reports(store: Store) -> Iterator[PostgresReports]:
    """Reports' memory for one transaction: all that is done in it stands, or nothing."""
    with store.transaction() as db:
        yield PostgresReports(db)


class PostgresReports:
    """Reports' memory during one transaction."""

    def __init__(self, db: Connection) -> None:
        self.db = db

    def at_one_moment(self) -> None:
        """Read everything in this transaction as it stands now; to be said before anything is read."""
        self.db.execute("set transaction isolation level repeatable read")

    # ── what stands ──────────────────────────────────────────────────────────────────────────────────

    def standing(self, entity: str, *, norm: str, year: int, as_of: date) -> Standing:
        """Everything that stands for an entity, norm and year; what was loaded after `as_of` is not known."""
        return read_standing(self.db, entity, norm=norm, year=year, as_of=as_of)

    # ── reports ──────────────────────────────────────────────────────────────────────────────────────

    def hold(self, kind: str, entity: str, year: int) -> None:
        """Until the transaction ends nobody else submits this report, nor moves this entity's mass."""
        self.db.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{kind}/{entity}/{year}"])
        self.db.execute("select lock_chains(%s)", [[entity]])

    def last_made(self, kind: str, norm: str, entity: str, year: int, *, verifier: str = "") -> Made | None:
        """The latest preview."""
        return self._made(
            "kind = %s and norm = %s and entity = %s and year = %s and verifier = %s",
            [kind, norm, entity, year, verifier],
        )

    def made(self, number: int) -> Made | None:
        """The preview of that number."""
        return self._made("id = %s", [number])

    def _made(self, where: str, values: list[Any]) -> Made | None:
        rows = rows_of(
            self.db,
            f"""select id, kind, norm, entity, verifier, year, digest, data, made_on from report_made
                where {where} order by id desc limit 1""",
            values,
        )
        return Made(**rows[0]) if rows else None

    def write_made(
        self,
        kind: str,
        norm: str,
        entity: str,
        year: int,
        *,
        digest: str,
        data: Mapping[str, Any],
        on: date,
        verifier: str = "",
    ) -> Made:
        """Keep a preview; one that says what the latest one says is not kept twice."""
        last = self.last_made(kind, norm, entity, year, verifier=verifier)
        if last is not None and last.digest == digest:
            return last
        number = one(
            self.db,
            """insert into report_made (kind, norm, entity, verifier, year, digest, data, made_on)
               values (%(kind)s, %(norm)s, %(entity)s, %(verifier)s, %(year)s, %(digest)s, %(data)s, %(on)s)
               returning id""",
            {
                "kind": kind, "norm": norm, "entity": entity, "verifier": verifier, "year": year,
                "digest": digest, "data": Jsonb(dict(data)), "on": on,
            },
        )  # fmt: skip
        return Made(number, kind, norm, entity, verifier, year, digest, data, on)

    def versions(self, kind: str, norm: str, entity: str, year: int) -> list[Version]:
        """Every version submitted, oldest first; of a statement the head alone: its notes may be many."""
        rows = rows_of(
            self.db,
            """select v.id, v.kind, v.norm, v.entity, v.verifier, v.year, v.version, v.number, m.digest,
                      case when v.verifier = '' then m.data else m.data - 'sections' - 'sources' end as data,
                      v.files, v.submitted_on, v.by_user as by, v.reason, v.mark
               from report_version v join report_made m on m.id = v.made
               where v.kind = %s and v.norm = %s and v.entity = %s and v.year = %s
               order by v.id""",
            [kind, norm, entity, year],
        )
        return [Version(**row) for row in rows]

    def submitted(self, kind: str) -> list[tuple[str, str, int]]:
        """Of which norm, entity and year a report of a kind was ever submitted, the latest year first."""
        found = self.db.execute(
            """select distinct norm, entity, year from report_version
               where kind = %s and verifier = '' order by year desc, entity""",
            [kind],
        )
        return [(norm, entity, int(year)) for norm, entity, year in found]

    def write_version(
        self,
        made: Made,
        *,
        version: int,
        number: str,
        files: Mapping[str, bytes],
        on: date,
        by: str,
        reason: str,
        mark: str,
    ) -> Version:
        """Keep a version and its files for good."""
        digests = {name: hashlib.sha256(body).hexdigest() for name, body in sorted(files.items())}
        with self.db.cursor() as cursor:
            cursor.executemany(
                "insert into report_file (sha256, body) values (%s, %s) on conflict do nothing",
                [(digests[name], body) for name, body in sorted(files.items())],
            )
        kept = one(
            self.db,
            """insert into report_version (made, kind, norm, entity, verifier, year, version, number, files,
                                           submitted_on, by_user, reason, mark)
               values (%(made)s, %(kind)s, %(norm)s, %(entity)s, %(verifier)s, %(year)s, %(version)s,
                       %(number)s, %(files)s, %(on)s, %(by)s, %(reason)s, %(mark)s) returning id""",
            {
                "made": made.id, "kind": made.kind, "norm": made.norm, "entity": made.entity,
                "verifier": made.verifier, "year": made.year, "version": version, "number": number,
                "files": Jsonb(digests), "on": on, "by": by, "reason": reason, "mark": mark,
            },
        )  # fmt: skip
        return Version(
            kept, made.kind, made.norm, made.entity, made.verifier, made.year, version, number, made.digest,
            made.data, digests, on, by, reason, mark,
        )  # fmt: skip

    def file(self, sha256: str) -> bytes | None:
        """A file of a version, by its digest."""
        row = self.db.execute("select body from report_file where sha256 = %s", [sha256]).fetchone()
        return bytes(row[0]) if row else None

    # ── what a number is made of ─────────────────────────────────────────────────────────────────────

    def behind(self, source: Source, *, norm: str, year: int) -> list[dict[str, Any]]:
        """The rows that a source names, found again: entries, lots, declarations, rows of the registry.

        A declaration is named without its masses: a report of many companies tells none of them.
        """
        at: dict[str, Any] = {"entity": source.ref, "norm": norm, "year": year, "through": source.through}
        if source.kind in ("entries", "lots"):
            return list(entries_behind(self.db, source, at))
        if source.kind == "targets":
            return rows_of(
                self.db,
                """select id, sector, material, year, share, source as reference, basis, loaded_on::text
                   from target_row
                   where norm = %s and material = %s and year = %s and loaded_on <= %s order by id""",
                [norm, source.where["material"], year, source.where["through"]],
            )
        if source.kind == "declaration":
            return rows_of(
                self.db,
                """select id, company, establishment, year, source as file, sha256, declared_on::text
                   from declaration where id = any(%s) order by id""",
                [[int(x) for x in source.where["numbers"]]],
            )
        if source.kind == "registry":
            return rows_of(
                self.db,
                """select r.id, r.kind, r.body, l.source as file, l.loaded_on::text
                   from registry_row r join registry_load l on l.id = r.load
                   where r.id = any(%s) order by r.id""",
                [[int(x) for x in source.where["numbers"]]],
            )
        return []
