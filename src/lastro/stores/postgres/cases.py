"""What is known of single notes, whoever handed them in: for people who decide, and for who bought the load.

Whoever asks says of which entities it may see anything; nothing else leaves the database.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import psycopg
from psycopg.rows import dict_row

from lastro.evidence.record import from_json
from lastro.facts import Document
from lastro.ids import Material
from lastro.units import Mass

Connection = psycopg.Connection[Any]

_LATEST = """document d join lateral (
    select distinct on (entity, norm, year) *
    from verdict v where v.sha256 = d.sha256 and v.ordinal = d.ordinal
    order by entity, norm, year, id desc) v on true"""


@dataclass(frozen=True)
class HandedLine:
    """What one entity's answer says of a line: its material and mass, None where they cannot be told."""

    line: int
    material: Material | None
    mass: Mass | None
    verdict: str
    counts: bool
    codes: tuple[str, ...]


@dataclass(frozen=True)
class HandedNote:
    """One document of a note as an entity handed it in, with its latest answer there."""

    entity: str
    norm: str
    year: int
    document: Document
    outcome: str
    authentic: bool
    first_on: date
    lines: tuple[HandedLine, ...]

    @property
    def key(self) -> str:
        return self.document.access_key


@dataclass(frozen=True)
class Decision:
    """What one person said of a contested line; `confirms` names the proposal that it makes a decision."""

    id: int
    access_key: str
    line: int
    entity: str
    reason: str
    by_user: str
    confirms: int | None
    recorded_at: datetime


def handed(
    db: Connection, keys: Sequence[str], *, entities: Collection[str] | None = None
) -> list[HandedNote]:
    """The notes of these keys that these entities handed in (None: all), oldest document first."""
    return _notes(
        db,
        "d.access_key = any(%(keys)s) and (%(all)s or v.entity = any(%(entities)s))",
        {"keys": list(keys), "all": entities is None, "entities": sorted(entities or ())},
    )


def bought_by(db: Connection, buyer: str) -> list[HandedNote]:
    """The authentic notes in which this establishment buys, whoever handed them in, oldest first."""
    return _notes(
        db,
        """v.authentic and ((d.recipient = %(buyer)s and d.record #>> '{invoice,direction}' <> '0')
            or (d.issuer = %(buyer)s and d.record #>> '{invoice,direction}' = '0'))""",
        {"buyer": buyer},
    )


def _notes(db: Connection, where: str, values: Mapping[str, Any]) -> list[HandedNote]:
    rows = _rows(
        db,
        f"""select v.entity, v.norm, v.year, d.record as document, v.outcome, v.authentic,
                   d.recorded_at::date as first_on, v.record -> 'lines' as lines
            from {_LATEST} where d.kind = 'nfe' and {where} order by d.issued_on, d.id, v.id""",
        values,
    )
    return [
        HandedNote(
            row["entity"],
            row["norm"],
            row["year"],
            from_json(row["document"]),
            row["outcome"],
            row["authentic"],
            row["first_on"],
            tuple(_line(line) for line in row["lines"]),
        )
        for row in rows
    ]


def _line(row: Mapping[str, Any]) -> HandedLine:
    return HandedLine(
        row["line"],
        Material(row["material"]) if row["material"] else None,
        Mass(row["mass_mg"]) if row["mass_mg"] is not None else None,
        row["verdict"],
        row["counts"],
        tuple(found["code"] for found in row.get("findings", ())),
    )


def papers_to(db: Connection, destination: str) -> list[Document]:
    """The manifests and certificates in which this establishment is the destination, each once."""
    rows = _rows(
        db,
        """select record from document
           where (kind = 'mtr' and record #>> '{manifest,destination}' = %(who)s)
              or (kind = 'cdf' and record #>> '{destination,destination}' = %(who)s)
           order by id""",
        {"who": destination},
    )
    return [from_json(row["record"]) for row in rows]


def seen_by(db: Connection, keys: Sequence[str], entities: Collection[str]) -> set[str]:
    """Which of these keys any of these entities handed in."""
    rows = db.execute(
        """select distinct d.access_key from document d join verdict v using (sha256, ordinal)
           where d.access_key = any(%s) and v.entity = any(%s)""",
        [list(keys), sorted(entities)],
    )
    return {str(key) for (key,) in rows}


def handed_on(db: Connection, keys: Sequence[str]) -> dict[str, date]:
    """On which day each of these notes was first handed in."""
    rows = db.execute(
        "select access_key, min(recorded_at)::date from document where access_key = any(%s) group by 1",
        [list(keys)],
    )
    return {str(key): on for key, on in rows}


def decisions(db: Connection, *, key: str | None = None) -> list[Decision]:
    """What people said of contested lines (of one key, or of all), the latest first."""
    rows = _rows(
        db,
        """select id, access_key, line, entity, reason, by_user, confirms, recorded_at from decision
           where access_key = coalesce(%(key)s, access_key) order by id desc""",
        {"key": key},
    )
    return [Decision(**row) for row in rows]


def _rows(db: Connection, query: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    with db.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, values).fetchall()
