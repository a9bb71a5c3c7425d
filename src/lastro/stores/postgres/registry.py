"""Registry, declarations and loaded targets in PostgreSQL: rows are only added, the latest one holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg.types.json import Jsonb

from lastro.errors import LastroError
from lastro.facts import Basis, Placement, TargetRow
from lastro.ids import Material
from lastro.registry import Registry
from lastro.registry.columns import TABLES
from lastro.stores.postgres.store import Connection, Store
from lastro.units import Mass

_LOADING = 1_455_003
"""The advisory lock under which one file at a time is compared with what stands, and added."""

_LATEST = """select distinct on (kind, natural_key) kind, natural_key, body
             from lastro.registry_row order by kind, natural_key, id desc"""


def load(
    store: Store,
    tables: Mapping[str, Iterable[Mapping[str, Any]]],
    *,
    source: str,
    sha256: str = "",
    on: date,
) -> dict[str, dict[str, int]]:
    """Add the rows of a registry file; rows that say what already stands are not added again.

    The answer counts, for each table, the rows that were new, changed and the same.
    """
    counts: dict[str, Counter[str]] = {}
    with store.transaction() as db:
        db.execute("select pg_advisory_xact_lock(%s::int, 0)", [_LOADING])
        standing = {(kind, key): body for kind, key, body in db.execute(_LATEST)}
        added = []
        for table in TABLES:
            counts[table.name] = Counter(new=0, changed=0, same=0)
            for body in tables.get(table.name, ()):
                key = json.dumps([body[name] for name in table.key], ensure_ascii=False)
                before = standing.get((table.name, key))
                state = "new" if before is None else "same" if before == body else "changed"
                counts[table.name][state] += 1
                if state != "same":
                    added.append((table.name, key, Jsonb(dict(body))))
        if added:
            _add_rows(db, added, source=source, sha256=sha256, on=on)
    return {name: dict(count) for name, count in counts.items()}


def _add_rows(db: Connection, rows: Sequence[Any], *, source: str, sha256: str, on: date) -> None:
    number = _one(
        db,
        "insert into lastro.registry_load (source, sha256, loaded_on) values (%s, %s, %s) returning id",
        [source, sha256, on],
    )
    with db.cursor() as cursor:
        cursor.executemany(
            "insert into lastro.registry_row (load, kind, natural_key, body) values (%s, %s, %s, %s)",
            [(number, *row) for row in rows],
        )


def registry(store: Store) -> Registry:
    """The registry as it stands: the latest row of each key. It knows no norm: see `Registry.under`."""
    tables: dict[str, list[Mapping[str, Any]]] = {table.name: [] for table in TABLES}
    with store.transaction() as db:
        for kind, _, body in db.execute(_LATEST):
            tables[kind].append(body)
    return Registry(tables)


@dataclass(frozen=True)
class Written:
    """One row of the registry as it was written: its number, its table, what it says, when and from where.

    `before` is what the row of the same key said until then; None where it is the first.
    """

    id: int
    table: str
    body: Mapping[str, Any]
    before: Mapping[str, Any] | None
    on: date
    source: str


def written(store: Store, entity: str, *, after: int = 0) -> list[Written]:
    """What was written after a row about an entity's system: members, terms, vettings, who members are.

    Oldest first. Source of the question: Decreto MT 1.455/2025, art. 66.
    """
    with store.transaction() as db:
        rows = db.execute(
            """select r.id, r.kind, r.body,
                      (select b.body from lastro.registry_row b
                        where (b.kind, b.natural_key) = (r.kind, r.natural_key) and b.id < r.id
                        order by b.id desc limit 1),
                      l.loaded_on, l.source
               from lastro.registry_row r join lastro.registry_load l on l.id = r.load
               where r.id > %(after)s
                 and (r.kind in ('members', 'terms', 'vettings') and r.body->>'entity' = %(entity)s
                      or r.kind = 'parties' and r.body->>'cnpj' in (
                          select m.body->>'establishment' from lastro.registry_row m
                           where m.kind = 'members' and m.body->>'entity' = %(entity)s))
               order by r.id""",
            {"after": after, "entity": entity},
        ).fetchall()
    return [Written(*row) for row in rows]


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────


def declare(
    store: Store,
    company: str,
    parts: Mapping[tuple[str | None, int], Sequence[Placement]],
    *,
    source: str,
    sha256: str = "",
    on: date,
) -> int:
    """Add a declaration for each establishment (None: the whole company) and year; how many were added.

    The one of a whole company supersedes all before it of that year; the one of an establishment supersedes
    that establishment's. What says exactly what already stands is not added again. Raises LastroError where
    an establishment's would come on top of a whole company's, since the mass would then count twice.
    """
    added = 0
    with store.transaction() as db:
        db.execute("select pg_advisory_xact_lock(%s::int, hashtext(%s))", [_LOADING, company])
        standing = _current(db, company)
        _not_on_top(standing, company, parts)
        for (establishment, year), rows in sorted(parts.items(), key=lambda p: (p[0][1], p[0][0] or "")):
            if standing.get((company, establishment, year)) == sorted(rows, key=_order):
                continue
            number = _one(
                db,
                """insert into lastro.declaration (company, establishment, year, source, sha256, declared_on)
                   values (%s, %s, %s, %s, %s, %s) returning id""",
                [company, establishment, year, source, sha256, on],
            )
            _add_placements(db, number, rows)
            added += 1
    return added


def _not_on_top(standing: Any, company: str, parts: Mapping[tuple[str | None, int], Any]) -> None:
    for establishment, year in parts:
        if establishment is not None and (company, None, year) in standing:
            raise LastroError(
                f"A empresa {company} já declarou {year} por inteiro; somar um estabelecimento contaria a "
                "massa duas vezes. Declare de novo a empresa inteira (sem a coluna de estabelecimento)."
            )


def _add_placements(db: Connection, declaration: int, rows: Sequence[Placement]) -> None:
    with db.cursor() as cursor:
        cursor.executemany(
            """insert into lastro.placement (declaration, n, material, uf, mass_mg, returnable_mg)
               values (%s, %s, %s, %s, %s, %s)""",
            [
                (declaration, n, p.material.value, p.uf, p.mass.mg, p.returnable.mg)
                for n, p in enumerate(rows, 1)
            ],
        )


def placed(
    store: Store, *, company: str | None = None, as_of: date | None = None
) -> dict[str, tuple[Placement, ...]]:
    """What stands declared, by company, as known on a day (default: all that was ever declared until now)."""
    found: dict[str, list[Placement]] = {}
    with store.transaction() as db:
        for (who, _, _), rows in sorted(
            _current(db, company, as_of=as_of).items(), key=lambda item: (item[0][0], item[0][1] or "")
        ):
            found.setdefault(who, []).extend(rows)
    return {who: tuple(rows) for who, rows in found.items()}


def _current(
    db: Connection, company: str | None, *, as_of: date | None = None
) -> dict[tuple[str, str | None, int], list[Placement]]:
    """The declarations that hold: the latest of each scope, none older than the whole company's."""
    rows = db.execute(
        """with known as (
               select * from lastro.declaration
               where (%(company)s::text is null or company = %(company)s)
                 and (%(as_of)s::date is null or declared_on <= %(as_of)s)),
           latest as (
               select distinct on (company, year, establishment) * from known
               order by company, year, establishment, id desc)
           select l.company, l.establishment, l.year, p.material, p.uf, p.mass_mg, p.returnable_mg
           from latest l left join lastro.placement p on p.declaration = l.id
           where l.id >= coalesce((select max(w.id) from known w
                                   where w.company = l.company and w.year = l.year
                                     and w.establishment is null), 0)
           order by l.company, l.year, l.establishment nulls first, p.material, p.uf""",
        {"company": company, "as_of": as_of},
    )
    found: dict[tuple[str, str | None, int], list[Placement]] = {}
    for who, establishment, year, material, uf, mass, returnable in rows:
        held = found.setdefault((who, establishment, year), [])
        if material is not None:
            held.append(
                Placement(year, Material(material), uf, Mass(mass), Mass(returnable), national=uf == "BR")
            )
    return found


def standing(store: Store, company: str, year: int) -> dict[str | None, tuple[Placement, ...]]:
    """What a company's declarations say of one year, by establishment (None: the whole company)."""
    with store.transaction() as db:
        held = _current(db, company)
    return {who: tuple(rows) for (_, who, about), rows in held.items() if about == year}


@dataclass(frozen=True)
class Said:
    """One declaration of a company, or of one of its establishments, whether or not it still stands."""

    id: int
    establishment: str | None
    source: str
    sha256: str
    on: date
    rows: int
    mass: Mass
    returnable: Mass


def declarations(store: Store, company: str, year: int) -> list[Said]:
    """Every declaration of a company on a year, the latest first: what was said is never overwritten."""
    with store.transaction() as db:
        rows = db.execute(
            """select d.id, d.establishment, d.source, d.sha256, d.declared_on, count(p.n),
                      coalesce(sum(p.mass_mg), 0), coalesce(sum(p.returnable_mg), 0)
               from lastro.declaration d left join lastro.placement p on p.declaration = d.id
               where d.company = %s and d.year = %s group by d.id order by d.id desc""",
            [company, year],
        ).fetchall()
    return [
        Said(number, who, source, digest, on, count, Mass(int(mass)), Mass(int(returnable)))
        for number, who, source, digest, on, count, mass, returnable in rows
    ]


def _order(placement: Placement) -> tuple[str, str]:
    return placement.material.value, placement.uf


# ── targets ──────────────────────────────────────────────────────────────────────────────────────────


def add_targets(store: Store, norm: str, rows: Iterable[TargetRow], *, on: date) -> int:
    """Add rows to a norm's table of targets; loading adds and never overwrites (decision 15).

    A row that says what the latest one of its source already says is not added again; how many were added.
    """
    with store.transaction() as db:
        db.execute("select pg_advisory_xact_lock(%s::int, hashtext(%s))", [_LOADING, norm])
        latest = {_named(row): row.share for row in _targets(db, norm, None)}
        fresh = [row for row in rows if latest.get(_named(row)) != row.share]
        with db.cursor() as cursor:
            cursor.executemany(
                """insert into lastro.target_row
                   (norm, sector, material, year, share, source, basis, loaded_on)
                   values (%s, %s, %s, %s, %s, %s, %s, %s)""",
                [(norm, r.sector, r.material, r.year, r.share, r.source, r.basis.value, on) for r in fresh],
            )
    return len(fresh)


def targets(store: Store, norm: str, *, as_of: date | None = None) -> tuple[TargetRow, ...]:
    """Every row ever loaded for a norm, oldest first, or those that were loaded by a day.

    Which of them counts for a sector, material and year is for the law to say (`lawkit.tables.chosen`).
    """
    with store.transaction() as db:
        return tuple(_targets(db, norm, as_of))


def _targets(db: Connection, norm: str, as_of: date | None) -> list[TargetRow]:
    rows = db.execute(
        """select sector, material, year, share, source, basis, loaded_on from lastro.target_row
           where norm = %s and (%s::date is null or loaded_on <= %s) order by loaded_on, id""",
        [norm, as_of, as_of],
    )
    return [
        TargetRow(sector, material, year, share, source, Basis(basis), loaded_on)
        for sector, material, year, share, source, basis, loaded_on in rows
    ]


def _named(row: TargetRow) -> tuple[str, str, int, str, str]:
    return row.sector, row.material, row.year, row.source, row.basis.value


def _one(db: Connection, query: str, values: Sequence[Any]) -> int:
    row = db.execute(query, values).fetchone()
    assert row is not None, "an insert returns its row"
    return int(row[0])
