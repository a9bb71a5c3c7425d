"""Notes of which a part came back, in PostgreSQL: what their returns leave of each line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from psycopg.rows import dict_row

from lastro.custody.count import Limit
from lastro.custody.returned import Goods, Return, left_of
from lastro.units import Mass

Connection = psycopg.Connection[Any]


def left(db: Connection, returned: Mapping[str, set[str]]) -> dict[str, dict[int, tuple[Limit, ...]]]:
    """Of each note (key) that others (keys) return, what is left of the lines they touch; a note of which
    nothing is left, or which cannot be told, is left out.
    """
    if not returned:
        return {}
    goods = _goods(db, sorted({*returned, *(by for others in returned.values() for by in others)}))
    notes = _notes(db, sorted({by for others in returned.values() for by in others}))
    found = {}
    for key, others in returned.items():
        if len(goods[key]) != 1 or any(len(goods[by]) != 1 for by in others):
            continue  # no content, or two of which nobody knows the right one
        returns = [Return(by, _only(goods[by]), notes.get(by, 0)) for by in others]
        rest = left_of(_only(goods[key]), returns)
        if rest is not None:
            found[key] = rest
    return found


def _only(contents: Mapping[str, tuple[Goods, ...]]) -> tuple[Goods, ...]:
    return next(iter(contents.values()))


def _goods(db: Connection, keys: Sequence[str]) -> dict[str, dict[str, tuple[Goods, ...]]]:
    """What the lines of each authentic content of each key weigh, as the latest verdict on it says."""
    found: defaultdict[str, dict[str, tuple[Goods, ...]]] = defaultdict(dict)
    for row in _rows(
        db,
        """select distinct on (d.access_key, d.content_digest)
                  d.access_key, d.content_digest, v.record -> 'lines' as lines
           from document d join verdict v using (sha256, ordinal)
           where d.access_key = any(%(keys)s) and d.kind = 'nfe' and v.authentic
           order by d.access_key, d.content_digest, v.id desc""",
        keys,
    ):
        found[row["access_key"]][row["content_digest"]] = tuple(
            Goods(
                line["line"],
                line["material"],
                Mass(line["mass_mg"]) if line["mass_mg"] is not None else None,
            )
            for line in row["lines"]
        )
    return found


def _notes(db: Connection, keys: Sequence[str]) -> dict[str, int]:
    """How many notes each of these returns."""
    rows = _rows(
        db,
        """select d.access_key, count(distinct b.access_key) as notes
           from document d join bearing b using (sha256, ordinal)
           where d.access_key = any(%(keys)s) and b.code = 'N16' group by d.access_key""",
        keys,
    )
    return {row["access_key"]: row["notes"] for row in rows}


def _rows(db: Connection, query: Any, keys: Sequence[str]) -> list[dict[str, Any]]:
    with db.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, {"keys": list(keys)}).fetchall()
