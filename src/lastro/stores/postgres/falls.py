"""What was used of lots whose evidence died, and the marks of what leaned on them, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lastro.stores.postgres.store import Connection, Store


@dataclass(frozen=True)
class Mark:
    """What lost its evidence (stale) on a day, or has it again; `parties` are those whom it concerns."""

    kind: str  # "certificate" | "position" | "report"
    name: str
    stale: bool
    reason: str
    parties: tuple[str, ...]
    deficit_mg: int | None
    until: date | None
    on: date
    id: int = 0

    @property
    def says(self) -> tuple[object, ...]:
        """What a later mark must differ in to be one more."""
        return self.stale, self.reason, self.deficit_mg, self.until


_ROW = "kind, name, stale, reason, parties, deficit_mg, until, happened_on, id"


def dead_lots(store: Store) -> list[tuple[str, int, str, str, str, int]]:
    """Key, line, reason, claimant, norm and year of each lot of which more was used than stands."""
    with store.transaction() as db:
        return db.execute(
            """select s.access_key, s.line, s.reason, b.claimant, b.norm, b.year
               from lot_state s join balance b using (access_key, line)
               where s.stale <> '{}' and b.claimant = any (s.stale) order by 1, 2, 4"""
        ).fetchall()


def cancelled_after_use(store: Store) -> list[str]:
    """The certificates that the agency took away after they were used."""
    with store.transaction() as db:
        rows = db.execute(
            """select c.certificate from certificate_move c join certificate_move u using (certificate)
               where c.move = 'cancel' and u.move = 'retire' order by 1"""
        )
        return [name for (name,) in rows]


def latest(store: Store) -> dict[tuple[str, str], Mark]:
    """The mark that holds of everything that was ever marked."""
    with store.transaction() as db:
        rows = db.execute(
            f"select distinct on (kind, name) {_ROW} from fall_mark order by kind, name, id desc"
        )
        return {(mark.kind, mark.name): mark for mark in map(_mark, rows)}


def since(store: Store, on: date) -> list[Mark]:
    """Every mark made from a day on, oldest first."""
    with store.transaction() as db:
        return [
            _mark(row)
            for row in db.execute(f"select {_ROW} from fall_mark where happened_on >= %s order by id", [on])
        ]


def write(db: Connection, marks: Sequence[Mark]) -> None:
    """Add marks."""
    with db.cursor() as cursor:
        cursor.executemany(
            """insert into fall_mark (kind, name, stale, reason, parties, deficit_mg, until, happened_on)
               values (%s, %s, %s, %s, %s, %s, %s, %s)""",
            [
                (m.kind, m.name, m.stale, m.reason, list(m.parties), m.deficit_mg, m.until, m.on)
                for m in marks
            ],
        )


def _mark(row: tuple[object, ...]) -> Mark:
    kind, name, stale, reason, parties, deficit, until, on, number = row
    return Mark(kind, name, stale, reason, tuple(parties), deficit, until, on, number)  # type: ignore[arg-type]
