"""Counts an annual report again from the ledger's entries, to the milligram, by means of its own.

It shares no code with the product: every entry of the store is read as a row, one by one, and added up in
plain whole numbers; members and declarations are read from their tables in the same way. Run it alone:

    python tests/reports/recount.py CONNECTION ENTITY YEAR
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any

import psycopg
from psycopg.rows import dict_row

GROUPS = {
    "glass": "glass", "paper": "paper", "carton": "paper", "plastic": "plastic", "steel": "metals",
    "aluminium": "metals", "other_metal": "metals",
}  # fmt: skip


def recount(conninfo: str, entity: str, year: int, *, norm: str = "mt/decreto_1455_2025") -> dict[str, int]:
    """Every mass of the report by the path of its cell, in milligrams; zero where nothing was found."""
    with psycopg.connect(conninfo, row_factory=dict_row) as db:
        every = db.execute("select * from lastro.entry").fetchall()
        entries = [e for e in every if e["entity"] == entity and e["norm"] == norm]
        named = _named(db, entity)
        sums: dict[str, int] = defaultdict(int)
        for entry in entries:
            for account, other, mg in (
                (entry["credit"], entry["debit"], entry["mass_mg"]),
                (entry["debit"], entry["credit"], -entry["mass_mg"]),
            ):
                _retired(sums, entry, account, other, mg, year)
                _held(sums, entry, account, mg, year, named)
        _fallen(sums, entries, db.execute("select * from lastro.lot_state").fetchall(), entity, year)
        _placed(sums, db, entity, year)
    return dict(sums)


def _retired(
    sums: dict[str, int], entry: dict[str, Any], account: str, other: str, mg: int, year: int
) -> None:
    parts = account.split("/")
    if parts[0] != "retired" or int(parts[2]) != year:
        return
    way = "certificates" if other.startswith("certificate/") else "lots"
    for name in (parts[3], "total"):
        sums[f"recovered/{name}/{way}"] += mg
        sums[f"recovered/{name}/total"] += mg
    group = GROUPS.get(parts[3])
    origin, town = entry["origin"] or "unknown", entry["municipality"] or "unknown"
    for place in (f"origins/{origin}", f"geography/{town}", "origins/total", "geography/total"):
        sums[f"{place}/total"] += mg
        if group:
            sums[f"{place}/{group}"] += mg
    if entry["municipality_source"] == "invoice":
        for place in (town, "total"):
            sums[f"geography/{place}/by_note"] += mg


def _fallen(
    sums: dict[str, int], entries: list[dict[str, Any]], states: list[dict[str, Any]], entity: str, year: int
) -> None:
    """What lost its evidence after it was retired, and what is left of the rest."""
    stale = {(s["access_key"], s["line"]): s for s in states if entity in s["stale"]}
    for entry in entries:
        for account, mg in ((entry["credit"], entry["mass_mg"]), (entry["debit"], -entry["mass_mg"])):
            parts = account.split("/")
            if parts[0] != "retired" or int(parts[2]) != year:
                continue
            fell = (entry["access_key"], entry["line"]) in stale
            for name in (parts[3], "total"):
                sums[f"recovered/{name}/{'fallen' if fell else 'counted'}"] += mg
            if fell:
                sums[f"fallen/{entry['access_key']}.{entry['line']}/mass"] += mg


def _held(
    sums: dict[str, int], entry: dict[str, Any], account: str, mg: int, year: int, named: set[str]
) -> None:
    if entry["year"] != year or entry["book"] != "TARGET":
        return
    column = ""
    if account.startswith("lot/"):
        column = "homologated" if account in named else "verified"
    elif account.startswith("certificate/"):
        column = "certified"
    if column:
        for name in (entry["material"], "total"):
            sums[f"beside/{name}/{column}"] += mg


def _named(db: Any, entity: str) -> set[str]:
    statements = {
        row["id"] for row in db.execute("select * from lastro.statement") if row["entity"] == entity
    }
    rows = db.execute("select * from lastro.statement_lot").fetchall()
    return {row["account"] for row in rows if row["statement"] in statements}


def _placed(sums: dict[str, int], db: Any, entity: str, year: int) -> None:
    """What the members placed the year before; each establishment with the entity it was with last."""
    last: dict[str, tuple[str, str, str]] = {}
    latest: dict[str, dict[str, Any]] = {}
    for row in db.execute("select * from lastro.registry_row order by id"):
        if row["kind"] == "members":
            latest[row["natural_key"]] = row["body"]
    for body in latest.values():
        if body["from"] <= f"{year}-12-31" and (body["to"] is None or body["to"] >= f"{year}-01-01"):
            stay = (min(body["to"] or "9999", f"{year}-12-31"), body["from"], body["entity"])
            who = body["establishment"]
            last[who] = max(last.get(who, stay), stay)
    own = {who for who, stay in last.items() if stay[2] == entity}
    for number in _standing(db, year - 1, own):
        for row in db.execute("select * from lastro.placement where declaration = %s", [number]):
            if row["uf"] == "MT":
                names = [row["material"]] + (["total"] if row["material"] in GROUPS else [])
                for name in names:
                    sums[f"placed/{name}/mass"] += row["mass_mg"]
                    sums[f"placed/{name}/returnable"] += row["returnable_mg"]


def _standing(db: Any, year: int, own: set[str]) -> list[int]:
    """The declarations that hold: the latest of each scope, none from before the whole company's."""
    scopes: dict[tuple[str, str | None], int] = {}
    for row in db.execute("select * from lastro.declaration where year = %s order by id", [year]):
        if row["establishment"] is None:
            scopes = {scope: n for scope, n in scopes.items() if scope[0] != row["company"]}
        scopes[row["company"], row["establishment"]] = row["id"]
    companies = {who[:8] for who in own}
    return [n for (company, who), n in scopes.items() if (who in own if who else company in companies)]


if __name__ == "__main__":
    for path, mg in sorted(recount(sys.argv[1], sys.argv[2], int(sys.argv[3])).items()):
        print(f"{path}\t{mg}")
