"""What was found at the hub about lines, as custody asks people about it (C02, N15)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

from lastro.facts import Finding
from lastro.findings import finding
from lastro.ids import masked
from lastro.units import Mass

Connection = psycopg.Connection[Any]

BOOK = "target"
"""The book in which custody's claims stand."""


def doubts(db: Connection, keys: Sequence[str]) -> Mapping[str, dict[int, tuple[Finding, ...]]]:
    """By key and line, what the last opening at the hub asks; nothing where claims fit or stand alone."""
    rows = db.execute(
        """select access_key, line, fit, line_mg, asked from (
               select distinct on (access_key, line) * from hub.found
                where access_key = any(%s) and book = %s order by access_key, line, id desc) f
           where fit in ('exceeds', 'contents', 'unreadable')""",
        [list(keys), BOOK],
    ).fetchall()
    found: defaultdict[str, dict[int, tuple[Finding, ...]]] = defaultdict(dict)
    for key, line, fit, line_mg, asked in rows:
        found[key][line] = (_finding(line, fit, line_mg, asked),)
    return found


def _finding(line: int, fit: str, line_mg: int | None, asked: Mapping[str, int]) -> Finding:
    """The finding in words that follow from the claims alone: a decision on it holds as long as they do."""
    said = ", ".join(f"{masked(who)} {Mass(mg)}" for who, mg in sorted(asked.items()))
    where = f"item {line}, centro de custódia"
    if fit == "contents":
        return finding("N15", where=where, found=said, expected="um só conteúdo e massa do item")
    if fit == "unreadable":
        return finding(
            "C02", where=where, found=f"{said}; e um pacote que não se abre", expected="pacotes que se abrem"
        )
    assert line_mg is not None, "claims that exceed a line know its mass"
    return finding("C02", where=where, found=said, expected=f"juntas, até {Mass(line_mg)}")
