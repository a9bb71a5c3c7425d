"""Manifests (MTR) and certificates of destination (CDF) in PostgreSQL: found by the names that papers bear.

Papers that share a name, directly or through others, may belong together; who belongs to whom is for custody
to say (`custody.destination`). Where a base holds no such paper, one question tells it, and nothing is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import psycopg
from psycopg.rows import dict_row

from lastro.custody.destination import Destined, destinations
from lastro.custody.links import NEAR_DAYS, Goods, Note
from lastro.evidence.record import from_json
from lastro.facts import Document
from lastro.ids import Material
from lastro.stores.postgres.paper_names import pair_of, plain_plate
from lastro.units import Mass

Connection = psycopg.Connection[Any]
Place = tuple[str, int]
"""A document: the digest of its file, and its place in it."""

Blocked = Callable[[Sequence[str]], Mapping[str, Collection[str]]]
"""By which codes other papers stop keys from counting."""

_GONE = {"N10", "N16", "M15"}
"""A note that is cancelled, returned or told anew by another carried nothing to anybody."""

_SECOND = {"M09", "M15"}
"""A line that is no delivery, or tells again the mass of another, asks nothing of a manifest."""


def low(of: str) -> str:
    """The smaller root of a note's two companies, as its index has it."""
    return f'least(left({of}.issuer, 8) collate "C", left({of}.recipient, 8) collate "C")'


def high(of: str) -> str:
    """The greater root of a note's two companies, as its index has it."""
    return f'greatest(left({of}.issuer, 8) collate "C", left({of}.recipient, 8) collate "C")'


_LOW, _HIGH = low("d"), high("d")


def any_papers(db: Connection) -> bool:
    """Whether a manifest or certificate was ever handed in."""
    row = db.execute("select exists (select from paper)").fetchone()
    assert row is not None, "a question has an answer"
    return bool(row[0])


def concerned(db: Connection, names: Iterable[str]) -> set[str]:
    """The keys whose count may change by what is known of these keys, and of these files (by digest)."""
    wanted = sorted(set(names))
    if not any_papers(db):
        return set()
    rows = db.execute("select sha256, ordinal from paper where sha256 = any(%s)", [wanted])
    keys, papers = _closure(db, {n for n in wanted if len(n) == 44}, {(sha, n) for sha, n in rows})
    return keys | _notes_near(db, papers)


def pairs(db: Connection, names: Iterable[str]) -> set[str]:
    """The names of the two companies of each of these notes and papers (by digest of file).

    Whoever hands in a paper or a note holds its pair, so that of a note and its manifest that come at once
    one is seen by the other.
    """
    rows = db.execute(
        f"""select distinct {_LOW}, {_HIGH} from document d
            where d.access_key = any(%(names)s) and d.kind = 'nfe'
            union select distinct low, high from paper where sha256 = any(%(names)s)""",
        {"names": sorted(set(names))},
    )
    return {f"empresas/{low}/{high}" for low, high in rows}


def destined(db: Connection, keys: Sequence[str], *, blocked: Blocked) -> dict[str, Destined]:
    """What the papers known make of each of these keys; those that no paper touches are left out."""
    if not any_papers(db) and not _any_named(db, keys):
        return {}
    every, papers = _closure(db, set(keys), _papers_near(db, keys))
    if not papers and not _any_named(db, keys):
        return {}  # else a note may name a manifest that nobody handed in, which is told
    documents = list(_documents(db, papers))
    found = destinations(
        notes_of(db, sorted(every), blocked),
        [d.manifest for d in documents if d.manifest is not None],
        [d.destination for d in documents if d.destination is not None],
    )
    return {key: found[key] for key in keys if key in found}


def _any_named(db: Connection, keys: Sequence[str]) -> bool:
    """Whether one of these notes, or what was said of it, names a manifest."""
    return any(name.startswith("mtr/") for name in _names_of_notes(db, set(keys)))


def _closure(db: Connection, keys: set[str], papers: set[Place]) -> tuple[set[str], set[Place]]:
    """These notes and papers with all that share names with them, however far."""
    new_keys, new_papers = set(keys), set(papers)
    names: set[str] = set()
    while new_keys or new_papers:
        fresh = (_names_of_notes(db, new_keys) | _names_of_papers(db, new_papers)) - names
        names |= fresh
        new_keys = _keys_named(db, fresh) - keys
        new_papers = _papers_named(db, fresh) - papers
        keys, papers = keys | new_keys, papers | new_papers
    return keys, papers


def _names_of_notes(db: Connection, keys: set[str]) -> set[str]:
    rows = db.execute(
        f"""select 'nfe/' || k from unnest(%(keys)s::text[]) as k
            union select 'nota/' || {_LOW} || '/' || {_HIGH} || '/' || ltrim(substr(d.access_key, 26, 9), '0')
            from document d where d.access_key = any(%(keys)s) and d.kind = 'nfe'
            union select n.name from document d join named n using (sha256, ordinal)
            where d.access_key = any(%(keys)s) and d.kind = 'nfe' and n.name like 'mtr/%%'
            union select 'mtr/' || mtr from lot_said where access_key = any(%(keys)s) and mtr is not null""",
        {"keys": sorted(keys)},
    )
    return {name for (name,) in rows}


def _names_of_papers(db: Connection, papers: set[Place]) -> set[str]:
    rows = db.execute(f"select n.name from named n join {_THESE} using (sha256, ordinal)", _these(papers))
    return {name for (name,) in rows}


def _papers_named(db: Connection, names: set[str]) -> set[Place]:
    rows = db.execute(
        "select sha256, ordinal from named join paper using (sha256, ordinal) where name = any(%s)",
        [sorted(names)],
    )
    return {(sha256, ordinal) for sha256, ordinal in rows}


def _keys_named(db: Connection, names: set[str]) -> set[str]:
    rows = db.execute(
        f"""select d.access_key from document d join named n using (sha256, ordinal)
            where n.name = any(%(manifests)s) and d.kind = 'nfe'
            union select access_key from lot_said where mtr = any(%(numbers)s)
            union select access_key from document d where access_key = any(%(keys)s) and kind = 'nfe'
            union select d.access_key
            from (select split_part(t, '/', 2) as low, split_part(t, '/', 3) as high,
                         split_part(t, '/', 4) as number from unnest(%(bare)s::text[]) as t) as said
            join document d on d.kind = 'nfe' and {_LOW} = said.low and {_HIGH} = said.high
                           and ltrim(substr(d.access_key, 26, 9), '0') = said.number""",
        {
            "manifests": sorted(name for name in names if name.startswith("mtr/")),
            "numbers": sorted(name[4:] for name in names if name.startswith("mtr/")),
            "keys": sorted(name[4:] for name in names if name.startswith("nfe/")),
            "bare": sorted(name for name in names if name.startswith("nota/")),
        },
    )
    return {key for (key,) in rows if key}


_THESE = "unnest(%(files)s::text[], %(ordinals)s::int[]) as these (sha256, ordinal)"


def _these(papers: set[Place]) -> dict[str, Any]:
    ordered = sorted(papers)
    return {"files": [sha256 for sha256, _ in ordered], "ordinals": [ordinal for _, ordinal in ordered]}


_NEAR = f"""p.kind = 'mtr' and d.kind = 'nfe' and {_LOW} = p.low and {_HIGH} = p.high
            and d.issued_on between p.first_on - {NEAR_DAYS} and p.last_on + {NEAR_DAYS}"""
"""A manifest and a note of the same two companies and about the same day."""


def _notes_near(db: Connection, papers: set[Place]) -> set[str]:
    query = f"""select distinct d.access_key
                from {_THESE} join paper p using (sha256, ordinal) join document d on {_NEAR}"""
    return {key for (key,) in db.execute(query, _these(papers)) if key}


def _papers_near(db: Connection, keys: Sequence[str]) -> set[Place]:
    query = f"""select distinct p.sha256, p.ordinal from document d join paper p on {_NEAR}
                where d.access_key = any(%s)"""
    return {(sha256, ordinal) for sha256, ordinal in db.execute(query, [list(keys)])}


# ── what they say ────────────────────────────────────────────────────────────────────────────────────


def _documents(db: Connection, papers: set[Place]) -> Iterator[Document]:
    query = f"select d.record from document d join {_THESE} using (sha256, ordinal)"
    for (made,) in db.execute(query, _these(papers)):
        yield from_json(made)


def notes_of(db: Connection, keys: Sequence[str], blocked: Blocked) -> list[Note]:
    """The authentic notes among these that are neither cancelled nor returned."""
    gone = {key for key, codes in blocked(keys).items() if _GONE.intersection(codes)}
    said = _said(db, keys)
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    with db.cursor(row_factory=dict_row) as cursor:
        for row in cursor.execute(
            """select distinct on (d.id, v.entity, v.norm, v.year) d.access_key, d.issued_on, d.issuer,
                      d.recipient, d.record -> 'invoice' -> 'mentions' as mentions, v.authentic,
                      d.record -> 'invoice' -> 'plates' as plates, v.record -> 'lines' as lines
               from document d join verdict v using (sha256, ordinal)
               where d.access_key = any(%s) and d.kind = 'nfe'
               order by d.id, v.entity, v.norm, v.year, v.id desc""",
            [list(keys)],
        ):
            if row["authentic"] and row["access_key"] not in gone:
                rows[row["access_key"]].append(row)
    return [_note(found, said.get(key, frozenset())) for key, found in rows.items()]


def _note(rows: Sequence[Mapping[str, Any]], said: frozenset[str]) -> Note:
    """One note; of several contents under its key, what any of them says, and the largest mass of a line."""
    first = min(rows, key=lambda row: (row["issued_on"], row["issuer"], row["recipient"]))
    goods: dict[int, Goods] = {}
    for row in rows:
        for line in row["lines"]:
            if (
                line["material"]
                and line["mass_mg"]
                and not _SECOND & {f["code"] for f in line.get("findings", ())}
            ):
                one = Goods(line["line"], Material(line["material"]), Mass(line["mass_mg"]))
                known = goods.get(one.line)
                if known is None or (known.mass.mg, known.material) < (one.mass.mg, one.material):
                    goods[one.line] = one
    plates = {plain_plate(plate) for row in rows for plate in row["plates"] or ()}
    return Note(
        access_key=first["access_key"],
        issued_on=first["issued_on"],
        parties=frozenset(pair_of(first["issuer"], first["recipient"])),
        goods=tuple(goods[line] for line in sorted(goods)),
        named=frozenset(n for row in rows for n in row["mentions"] or () if "/" not in n) | said,
        plates=frozenset(plate for plate in plates if plate),
    )


def _said(db: Connection, keys: Sequence[str]) -> dict[str, frozenset[str]]:
    """Under which manifests claimants say that each note travelled: the last word of each on each line."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for key, number in db.execute(
        """select access_key, mtr from (
               select distinct on (entity, access_key, line) access_key, mtr from lot_said
               where access_key = any(%s) order by entity, access_key, line, id desc) as latest
           where mtr is not null""",
        [list(keys)],
    ):
        found[key].add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}
