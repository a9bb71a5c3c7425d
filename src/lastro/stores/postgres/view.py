"""The ledger read back from PostgreSQL: for an audit, for pools, lots and what was retired."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg

from lastro.facts import Lot, Retired
from lastro.ids import Material, Origin, uf_of
from lastro.ledger.book import BookEntry, Cached, Link, Statement
from lastro.units import Mass

Connection = psycopg.Connection[tuple[Any, ...]]

_FACTS = "material, issued_on, issuer, recipient, municipality, municipality_source, origin, year, norm, book"
_ENTRY = f"n, debit, credit, mass_mg, reason, access_key, line, claimant, {_FACTS}, happened_on, reference"


@dataclass(frozen=True)
class Pool:
    """What an entity has proved of a material in a year and not yet used."""

    entity: str
    year: int
    material: Material
    verified: Mass
    homologated: Mass
    lots: int

    def json(self) -> dict[str, Any]:
        """The pool for a program."""
        return {
            "entity": self.entity,
            "year": self.year,
            "material": self.material.value,
            "verified_mg": self.verified.mg,
            "homologated_mg": self.homologated.mg,
            "lots": self.lots,
        }


@dataclass(frozen=True)
class HeldLot:
    """A lot and what it holds now."""

    lot: Lot
    material: Material
    issued_on: date
    issuer: str
    recipient: str
    municipality: str | None
    origin: Origin | None
    year: int
    norm: str
    book: str
    homologated: bool
    mass: Mass

    def json(self) -> dict[str, Any]:
        """The lot for a program."""
        return {
            "access_key": self.lot.access_key,
            "line": self.lot.line,
            "material": self.material.value,
            "issued_on": self.issued_on.isoformat(),
            "issuer": self.issuer,
            "recipient": self.recipient,
            "municipality": self.municipality,
            "origin": self.origin.value if self.origin else None,
            "year": self.year,
            "norm": self.norm,
            "homologated": self.homologated,
            "mass_mg": self.mass.mg,
        }


@dataclass(frozen=True)
class RetiredFor:
    """Mass retired for one establishment, by where and from which origin it came."""

    establishment: str
    fact: Retired


@dataclass(frozen=True)
class Moved:
    """One entry on a lot: where its mass came from, where it went, and why."""

    line: int
    debit: str
    credit: str
    mass: Mass
    reason: str
    happened_on: date


class LedgerView:
    """The book as `lastro.ledger.audit` wants it; open it inside one transaction of one snapshot."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def links(self) -> Iterator[Link]:
        entries = self._entries()
        rows = self._db.execute(
            "SELECT entity, height, previous, hash, kind, request, answer::text, recorded_at FROM link "
            'ORDER BY entity COLLATE "C", height'
        )
        for row in rows:
            yield Link(*row, tuple(entries.get((row[0], row[1]), ())))  # type: ignore[call-arg]

    def stray_entries(self) -> Iterator[str]:
        rows = self._db.execute(
            "SELECT entity, height, n FROM entry e WHERE NOT EXISTS (SELECT FROM link l WHERE "
            "l.entity = e.entity AND l.height = e.height) ORDER BY 1, 2, 3"
        )
        for entity, height, n in rows:
            yield f"{entity}, {height}, {n}"

    def heads(self) -> dict[str, tuple[int, bytes]]:
        return {e: (h, head) for e, h, head in self._db.execute("SELECT entity, height, head FROM chain")}

    def cached(self) -> Iterator[Cached]:
        rows = self._db.execute(
            f"SELECT account, entity, homologated, mass_mg, {_FACTS} FROM balance ORDER BY 1"
        )
        for account, entity, homologated, mass_mg, *facts in rows:
            yield Cached(account, entity, tuple(facts), homologated, mass_mg)

    def statements(self) -> Iterator[Statement]:
        lots: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for statement, account, mass_mg in self._db.execute(
            "SELECT statement, account, mass_mg FROM statement_lot"
        ):
            lots[statement].append((account, mass_mg))
        for number, entity, height in self._db.execute(
            "SELECT id, entity, height FROM statement ORDER BY id"
        ):
            yield Statement(entity, height, tuple(lots.pop(number, ())))
        for stray in lots.values():
            yield Statement("?", 0, tuple(stray))

    def answered(self) -> Iterator[str]:
        for (request,) in self._db.execute("SELECT request FROM answered"):
            yield request

    def _entries(self) -> dict[tuple[str, int], list[BookEntry]]:
        grouped: dict[tuple[str, int], list[BookEntry]] = defaultdict(list)
        with self._db.cursor("entries") as cursor:
            cursor.itersize = 5_000
            cursor.execute(f"SELECT entity, height, {_ENTRY} FROM entry ORDER BY entity, height, n")
            for entity, height, *fields in cursor:
                grouped[entity, height].append(BookEntry(*fields))
        return grouped


def pools(db: Connection, *, entity: str | None, year: int | None) -> list[Pool]:
    """A pool is a question put to the lots, not an account (decision 1)."""
    rows = db.execute(
        """SELECT entity, year, material, sum(mass_mg)::bigint,
                  coalesce(sum(mass_mg) FILTER (WHERE homologated), 0)::bigint, count(*)
           FROM balance
           WHERE book = 'TARGET' AND mass_mg > 0
             AND entity = coalesce(%s, entity) AND year = coalesce(%s, year)
           GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""",
        [entity, year],
    )
    return [Pool(e, y, Material(m), Mass(verified), Mass(hom), n) for e, y, m, verified, hom, n in rows]


def lots(db: Connection, *, entity: str | None, year: int | None, material: Material | None) -> list[HeldLot]:
    """Every lot that was ever entered, oldest note first, also those that hold nothing now."""
    rows = db.execute(
        """SELECT access_key, line, claimant, material, issued_on, issuer, recipient, municipality, origin,
                  year, norm, book, homologated, mass_mg
           FROM balance
           WHERE entity = coalesce(%s, entity) AND year = coalesce(%s, year)
             AND material = coalesce(%s, material)
           ORDER BY entity, issued_on, access_key, line""",
        [entity, year, material],
    )
    return [
        HeldLot(
            lot=Lot(key, line, claimant),
            material=Material(m),
            issued_on=on,
            issuer=issuer,
            recipient=recipient,
            municipality=place,
            origin=Origin(origin) if origin else None,
            year=y,
            norm=norm,
            book=book,
            homologated=hom,
            mass=Mass(mg),
        )
        for key, line, claimant, m, on, issuer, recipient, place, origin, y, norm, book, hom, mg in rows
    ]


def moves(db: Connection, entity: str, access_key: str) -> list[Moved]:
    """The entries of an entity's chain that name a note, in order."""
    rows = db.execute(
        """SELECT line, debit, credit, mass_mg, reason, happened_on FROM entry
           WHERE entity = %s AND access_key = %s ORDER BY height, n""",
        [entity, access_key],
    )
    return [Moved(line, debit, credit, Mass(mg), reason, on) for line, debit, credit, mg, reason, on in rows]


def retired(db: Connection, *, company: str | None, year: int | None) -> list[RetiredFor]:
    """What was retired for a company's establishments, less what was reversed.

    `company` is a root (8 characters) or one establishment (14). A lot whose place is not known is told with
    an empty municipality and state; it is never given another.
    """
    rows = db.execute(
        """WITH moved AS (
               SELECT credit AS account, municipality, origin, mass_mg FROM entry
               WHERE credit LIKE 'retired/%%'
               UNION ALL
               SELECT debit, municipality, origin, -mass_mg FROM entry WHERE debit LIKE 'retired/%%')
           SELECT split_part(account, '/', 2), split_part(account, '/', 3)::int, split_part(account, '/', 4),
                  municipality, origin, sum(mass_mg)::bigint
           FROM moved WHERE starts_with(account, 'retired/' || %s)
           GROUP BY 1, 2, 3, 4, 5 HAVING sum(mass_mg) <> 0 ORDER BY 1, 2, 3, 4, 5""",
        [company or ""],
    )
    return [
        RetiredFor(
            establishment,
            Retired(
                y, Material(m), uf_of(place or "") or "", place or "", Origin(o) if o else None, Mass(mg)
            ),
        )
        for establishment, y, m, place, o, mg in rows
        if year is None or y == year
    ]
