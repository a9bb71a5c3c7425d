"""What a report is written from, read from PostgreSQL.

Masses are added up from the entries of the entity's chain, never from balances: a balance is a cache.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import psycopg
from psycopg.rows import dict_row

from lastro.facts import Basis, Placement, TargetRow
from lastro.ids import Material, Origin
from lastro.registry import Registry
from lastro.registry.columns import TABLES
from lastro.reports.cells import Source, digest_of
from lastro.reports.standing import Contest, Covered, Declared, Fallen, Held, Judged, Moved, Standing
from lastro.units import Mass

Connection = psycopg.Connection[Any]

_LINES = "string_agg(height || '.' || n || '.' || mass_mg, ',' order by height, n)"
_DIGEST = f"encode(sha256(convert_to({_LINES}, 'UTF8')), 'hex')"

_RETIRED = """(
    select height, n, mass_mg, credit as account, debit as other, material, municipality,
           municipality_source, origin, access_key, line, year as lot_year
    from entry where entity = %(entity)s and height <= %(through)s and norm = %(norm)s
                 and credit like 'retired/%%'
    union all
    select height, n, -mass_mg, debit, credit, material, municipality,
           municipality_source, origin, access_key, line, year
    from entry where entity = %(entity)s and height <= %(through)s and norm = %(norm)s
                 and debit like 'retired/%%') as moved"""
"""Every entry that reached or left an account of retired mass, signed."""

_HELD = """(
    select height, n, mass_mg, credit as account, material, access_key, line, year
    from entry where entity = %(entity)s and height <= %(through)s and norm = %(norm)s and book = 'TARGET'
                 and (credit like 'lot/%%' or credit like 'certificate/%%')
    union all
    select height, n, -mass_mg, debit, material, access_key, line, year
    from entry where entity = %(entity)s and height <= %(through)s and norm = %(norm)s and book = 'TARGET'
                 and (debit like 'lot/%%' or debit like 'certificate/%%')) as moved"""
"""Every entry that reached or left a lot or a certificate, signed."""

_NAMED = """exists (select from statement_lot l join statement s on s.id = l.statement
            where l.account = moved.account and s.height <= %(through)s)"""

_NOW = """document d join lateral (
    select v.* from verdict v
    where v.sha256 = d.sha256 and v.ordinal = d.ordinal
      and v.entity = %(entity)s and v.norm = %(norm)s and v.year = %(year)s
    order by v.id desc limit 1) v on true"""
"""The entity's documents of a norm and year, with its latest verdict on each."""

_CODES = f"""
    with mine as (select d.id, d.access_key, d.kind, d.content_digest, v.outcome, v.record from {_NOW}),
    seen as (
        select id, f ->> 'code' as code from mine cross join lateral (
            select jsonb_array_elements(record -> 'findings') as f
            union all
            select jsonb_array_elements(line -> 'findings')
            from jsonb_array_elements(record -> 'lines') as line) as told
        union
        select m.id, s.reason from mine m join lot_state s using (access_key)
        where m.kind = 'nfe' and s.reason ~ '^[A-Z][0-9][0-9]$'
          and (s.reason <> 'C02' or s.claims ? %(entity)s)
        union
        select m.id, 'C01' from mine m
        where m.outcome = 'admitted' and exists (
            select from mine e where e.outcome = 'admitted' and e.content_digest = m.content_digest
                                 and e.id < m.id))
    select code, count(*) from seen group by 1 order by 1"""
"""How many documents each finding stands on: their own, and what custody knows of their keys."""


def read_standing(db: Connection, entity: str, *, norm: str, year: int, as_of: date) -> Standing:
    """Everything that stands for an entity, norm and year; what was loaded after `as_of` is not known."""
    height = one(db, "select coalesce(max(height), 0) from chain where entity = %(e)s", {"e": entity})
    at: dict[str, Any] = {"entity": entity, "norm": norm, "year": year, "through": height}
    contested = "select count(*) from lot_state where state = 'contested' and claims ? %(entity)s"
    registry, numbers = _registry(db)
    return Standing(
        entity=entity,
        norm=norm,
        year=year,
        through=height,
        registry=registry,
        row_numbers=numbers,
        retired=tuple(_retired(db, at)),
        held=tuple(_held(db, at)),
        declared=tuple(_declared(db, as_of)),
        targets=tuple(_targets(db, norm, as_of)),
        fallen=tuple(_fallen(db, at)),
        contested=one(db, contested, at),
        covered=tuple(_covered(db, at)),
        contests=tuple(_contests(db, at)),
        judged=_judged(db, at),
    )


def _retired(db: Connection, at: Mapping[str, Any]) -> Iterator[Moved]:
    rows = rows_of(
        db,
        f"""select split_part(account, '/', 2) as establishment, split_part(account, '/', 4) as material,
                   case when other like 'certificate/%%' then 'certificates' else 'lots' end as way,
                   coalesce(municipality, '') as municipality,
                   coalesce(municipality_source, '') as municipality_source, origin,
                   sum(mass_mg)::bigint as mg, count(*) as entries, {_DIGEST} as digest
            from {_RETIRED}
            where split_part(account, '/', 3)::int = %(year)s
            group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6""",
        at,
    )
    for row in rows:
        origin, mg, material = row.pop("origin"), row.pop("mg"), row.pop("material")
        yield Moved(
            **row, origin=Origin(origin) if origin else None, mass=Mass(mg), material=Material(material)
        )


def _held(db: Connection, at: Mapping[str, Any]) -> Iterator[Held]:
    rows = rows_of(
        db,
        f"""with account_now as (
                select split_part(account, '/', 1) as kind, account, material, {_NAMED} as named,
                       sum(mass_mg)::bigint as mass_mg
                from {_HELD} where year = %(year)s
                group by account, material having sum(mass_mg) <> 0)
            select kind, material, named, sum(mass_mg)::bigint as mg, count(*) as accounts,
                   encode(sha256(convert_to(string_agg(account || '=' || mass_mg, ',' order by account),
                                            'UTF8')), 'hex') as digest
            from account_now group by 1, 2, 3 order by 1, 2, 3""",
        at,
    )
    for row in rows:
        yield Held(
            row["kind"], Material(row["material"]), row["named"], Mass(row["mg"]), row["accounts"],
            row["digest"],
        )  # fmt: skip


def _declared(db: Connection, as_of: date) -> Iterator[Declared]:
    """The declarations that hold: the latest of each scope, none older than the whole company's."""
    rows = rows_of(
        db,
        """with known as (select * from declaration where declared_on <= %(as_of)s),
           latest as (
               select distinct on (company, year, establishment) * from known
               order by company, year, establishment, id desc)
           select l.id, l.company, l.establishment, l.year, p.material, p.uf, p.mass_mg, p.returnable_mg
           from latest l left join placement p on p.declaration = l.id
           where l.id >= coalesce((select max(w.id) from known w where w.company = l.company
                                   and w.year = l.year and w.establishment is null), 0)
           order by l.id, p.n""",
        {"as_of": as_of},
    )
    heads: dict[int, Any] = {}
    found: dict[int, list[Placement]] = {}
    for row in rows:
        heads[row["id"]] = row
        placed = found.setdefault(row["id"], [])
        if row["material"] is not None:
            national = row["uf"] == "BR"
            placed.append(
                Placement(
                    row["year"], Material(row["material"]), row["uf"], Mass(row["mass_mg"]),
                    Mass(row["returnable_mg"]), national=national,
                )
            )  # fmt: skip
    for number, placements in found.items():
        head = heads[number]
        said = [[p.material.value, p.uf, p.mass.mg, p.returnable.mg] for p in placements]
        yield Declared(
            number, head["company"], head["establishment"], head["year"], tuple(placements), digest_of(said)
        )


def _targets(db: Connection, norm: str, as_of: date) -> Iterator[TargetRow]:
    rows = rows_of(
        db,
        """select sector, material, year, share, source, basis, loaded_on from target_row
           where norm = %s and loaded_on <= %s order by loaded_on, id""",
        [norm, as_of],
    )
    for row in rows:
        yield TargetRow(**{**row, "basis": Basis(row["basis"])})


def _fallen(db: Connection, at: Mapping[str, Any]) -> Iterator[Fallen]:
    rows = rows_of(
        db,
        f"""select split_part(account, '/', 2) as establishment, access_key, line,
                   split_part(account, '/', 4) as material,
                   coalesce(municipality, '') as municipality, origin, s.reason,
                   sum(mass_mg)::bigint as mg, count(*) as entries, {_DIGEST} as digest
            from {_RETIRED} join lot_state s using (access_key, line)
            where split_part(account, '/', 3)::int = %(year)s and %(entity)s = any(s.stale)
            group by 1, 2, 3, 4, 5, 6, 7 having sum(mass_mg) <> 0 order by 2, 3, 1, 4, 5, 6""",
        at,
    )
    for row in rows:
        origin, mg, material = row.pop("origin"), row.pop("mg"), row.pop("material")
        yield Fallen(
            **row, origin=Origin(origin) if origin else None, mass=Mass(mg), material=Material(material)
        )


def _covered(db: Connection, at: Mapping[str, Any]) -> Iterator[Covered]:
    """Every lot that a verifier's statement of the year names; twice named, the latest statement's words.

    Joined here and not in the database, which knows too little of fresh tables to join them well.
    """
    entered, states, contents = _entered_now(db, at), _states(db, at), _contents(db, at)
    rows = rows_of(
        db,
        """select distinct on (l.account) l.account, l.mass_mg as stated, s.happened_on, s.verifier,
                  b.access_key, b.line, b.material, b.issued_on
           from statement s join statement_lot l on l.statement = s.id join balance b on b.account = l.account
           where s.entity = %(entity)s and s.year = %(year)s and s.height <= %(through)s
             and b.norm = %(norm)s
           order by l.account, s.id desc""",
        at,
    )
    for row in sorted(rows, key=lambda r: (r["issued_on"], r["access_key"], r["line"])):
        place = row["access_key"], row["line"]
        yield Covered(
            *place, Material(row["material"]), row["issued_on"], contents.get(row["access_key"], ""),
            Mass(row["stated"]), Mass(entered.get(row["account"], 0)), states.get(place, ""),
            row["happened_on"], row["verifier"],
        )  # fmt: skip


def _entered_now(db: Connection, at: Mapping[str, Any]) -> dict[str, int]:
    """What stands entered in each lot of the entity, net of what went back."""
    query = """select case when debit = 'source' then credit else debit end as account,
                      sum(case when debit = 'source' then mass_mg else -mass_mg end)::bigint
               from entry where entity = %(entity)s and height <= %(through)s and 'source' in (debit, credit)
               group by 1"""
    return dict(pairs_of(db, query, at))


def _states(db: Connection, at: Mapping[str, Any]) -> dict[tuple[str, int], str]:
    rows = db.execute(
        """select access_key, line, state from lot_state
           where access_key in (select access_key from balance where entity = %(entity)s)""",
        at,
    )
    return {(key, line): state for key, line, state in rows}


def _contents(db: Connection, at: Mapping[str, Any]) -> dict[str, str]:
    """The signed contents seen under each key of the entity; more than one where they disagree."""
    rows = db.execute(
        """select access_key, string_agg(distinct content_digest, ' ') from document
           where kind = 'nfe'
             and access_key in (select access_key from balance where entity = %(entity)s) group by 1""",
        at,
    )
    return dict(rows.fetchall())


def _contests(db: Connection, at: Mapping[str, Any]) -> Iterator[Contest]:
    """Lines of this entity that are contested now, and those that two people decided."""
    rows = rows_of(
        db,
        """with mine as (select distinct access_key, line from claim
                         where entity = %(entity)s and norm = %(norm)s and year = %(year)s),
           decided as (
               select distinct on (access_key, line) access_key, line, entity, claimants, contents
               from decision where confirms is not null order by access_key, line, id desc)
           select m.access_key, m.line, coalesce(s.state, '') as state, coalesce(s.reason, '') as reason,
                  d.entity as winner, coalesce(cardinality(d.contents), 0) as contents,
                  greatest(coalesce(cardinality(d.claimants), 0),
                           (select count(*) from jsonb_object_keys(coalesce(s.claims, '{}')))) as claimants
           from mine m left join lot_state s using (access_key, line)
           left join decided d using (access_key, line)
           where s.state = 'contested' or d.entity is not null order by m.access_key, m.line""",
        at,
    )
    for row in rows:
        contested = row["state"] == "contested"
        code = row["reason"] if contested else ("N15" if row["contents"] > 1 else "C02")
        yield Contest(
            row["access_key"], row["line"], code, row["claimants"],
            decided=not contested, won=row["winner"] == at["entity"] and not contested,
        )  # fmt: skip


def _judged(db: Connection, at: Mapping[str, Any]) -> Judged:
    kinds = dict(pairs_of(db, f"select d.kind, count(*) from {_NOW} group by 1 order by 1", at))
    outcomes = dict(pairs_of(db, f"select v.outcome, count(*) from {_NOW} group by 1 order by 1", at))
    codes = pairs_of(db, _CODES, at)
    digest = db.execute(
        f"""select encode(sha256(convert_to(coalesce(string_agg(
                d.sha256 || '.' || d.ordinal || '.' || v.outcome || '.' || md5(v.record::text), ','
                order by d.sha256, d.ordinal), ''), 'UTF8')), 'hex') from {_NOW}""",
        at,
    ).fetchone()
    assert digest is not None
    return Judged(kinds, outcomes, dict(codes), digest[0])


def entries_behind(db: Connection, source: Source, at: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of a chain that a source's filter names, signed as they count."""
    table = _RETIRED if source.kind == "entries" else _HELD
    where, values = ["true"], dict(at)
    where.append(
        "year = %(year)s" if source.kind == "lots" else "split_part(account, '/', 3)::int = %(year)s"
    )
    fields = {"material": "material", "origin": "coalesce(origin, '')",
              "municipality": "coalesce(municipality, '')",
              "municipality_source": "coalesce(municipality_source, '')"}  # fmt: skip
    for name, expression in fields.items():
        if name in source.where:
            where.append(f"{expression} = any(%({name})s)")
            asked = source.where[name]
            values[name] = [asked] if isinstance(asked, str) else list(asked)
    for name, said in (("lots", "= any"), ("without_lots", "<> all")):
        if name in source.where:
            where.append(f"access_key || '/' || line {said}(%({name})s)")
            values[name] = list(source.where[name])
    if "way" in source.where:
        like = "like" if source.where["way"] == "certificates" else "not like"
        where.append(f"other {like} 'certificate/%%'")
    if "account" in source.where:
        where.append("account like %(account)s")
        values["account"] = f"{source.where['account']}/%"
    if "homologated" in source.where:
        where.append(_NAMED if source.where["homologated"] else f"not {_NAMED}")
    yield from rows_of(
        db,
        f"""select height, n, access_key, line, material, mass_mg from {table}
            where {" and ".join(where)} order by height, n""",
        values,
    )


def _registry(db: Connection) -> tuple[Registry, dict[str, dict[str, int]]]:
    """The registry as it stands, and the number of the row that says each thing."""
    tables: dict[str, list[Mapping[str, Any]]] = {table.name: [] for table in TABLES}
    numbers: dict[str, dict[str, int]] = {table.name: {} for table in TABLES}
    for row in rows_of(
        db,
        """select distinct on (kind, natural_key) id, kind, natural_key, body from registry_row
           order by kind, natural_key, id desc""",
        [],
    ):
        tables[row["kind"]].append(row["body"])
        numbers[row["kind"]][json.dumps(json.loads(row["natural_key"]), ensure_ascii=False)] = row["id"]
    return Registry(tables), numbers


def rows_of(db: Connection, query: str, values: Any) -> list[dict[str, Any]]:
    with db.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, values).fetchall()


def pairs_of(db: Connection, query: str, values: Any) -> list[tuple[str, int]]:
    return [(row[0], row[1]) for row in db.execute(query, values)]


def one(db: Connection, query: str, values: Any) -> int:
    row = db.execute(query, values).fetchone()
    assert row is not None, "a query for one number returns a row"
    return int(row[0])
