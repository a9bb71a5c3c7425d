"""Whether anybody works on the queue: each worker holds a shared lock of the database while it lives.

The database drops the lock the moment the worker's connection ends, also when it was killed.
"""

from __future__ import annotations

import psycopg

from lastro.web import office

_LOCK = "hashtextextended('lastro/worker', 0)"


class Presence:
    """A worker's sign of life; to be shown again and again, for the database may have gone in between."""

    def __init__(self) -> None:
        self._held: psycopg.Connection | None = None

    def show(self) -> None:
        """Hold the lock, if it isn't held any more. Raises LastroError while there is no database."""
        if self._held is not None:
            try:
                self._held.execute("select 1")
                return
            except psycopg.Error:
                self.end()
        held = office.store().connect()
        held.autocommit = True
        self._held = held
        held.execute(f"select pg_advisory_lock_shared({_LOCK})")

    def end(self) -> None:
        """The worker goes."""
        if self._held is not None:
            self._held.close()
            self._held = None


def anybody() -> bool:
    """Whether a worker lives, on this machine or on another."""
    with office.store().transaction() as db:
        row = db.execute(
            f"""select exists (
                  select 1 from pg_locks, (select {_LOCK} as h) as lock
                  where locktype = 'advisory' and granted and objsubid = 1
                    and database = (select oid from pg_database where datname = current_database())
                    and classid::bigint = (h >> 32) & 4294967295 and objid::bigint = h & 4294967295)"""
        ).fetchone()
    assert row is not None
    return bool(row[0])
