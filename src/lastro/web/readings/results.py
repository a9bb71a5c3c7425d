"""Results against targets for everybody: the sums that may be published, drawn and as files."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lastro.desk import companies, settle_companies
from lastro.ids import company_of, uf_of
from lastro.lawkit import Regulation, library
from lastro.lawkit.glossary import capital, label
from lastro.reports.open_results import FEW, UNKNOWN, Line, Retired, Sum, results
from lastro.stores.postgres.registry import registry
from lastro.tables import municipality
from lastro.units import Mass
from lastro.web import office
from lastro.web.downloads import Listed, as_csv
from lastro.web.marked import gettext_noop
from lastro.web.readings.dashboard import thousandths

WHOLE, NO_SECTOR, MANY_SECTORS = "todos", "fora de plano coletivo", "mais de um setor"
WHY = {
    FEW: gettext_noop("menos de três empresas: não se publica (T12)"),
    UNKNOWN: gettext_noop("não se sabe: falta declaração, ou a meta não está carregada"),
}
KINDS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


@dataclass(frozen=True)
class Row:
    """One line as it is shown, with the length of its bars, of a thousand."""

    line: Line
    done: int
    owed: int

    @property
    def material(self) -> str:
        return capital(label(self.line.material))

    @property
    def part(self) -> str:
        """The sector in plain words."""
        return capital(label(self.line.part).replace("_", " "))

    @property
    def share(self) -> str:
        """What was proved of what was owed, in whole hundredths, cut; empty where either is not shown."""
        owed, proved = self.line.owed.mass, self.line.proved.mass
        if owed is None or proved is None or not owed.mg:
            return ""
        return f"{proved.mg * 100 // owed.mg} %"


@dataclass(frozen=True)
class Place:
    """What was proved with material collected in one municipality."""

    code: str
    material: str
    proved: Sum

    @property
    def town(self) -> str:
        found = municipality(self.code)
        return f"{found} ({uf_of(self.code)})" if found else "não informado"


@dataclass(frozen=True)
class Results:
    """A norm's year as everybody sees it."""

    regulation: Regulation
    year: int
    whole: tuple[Row, ...]
    sectors: tuple[Row, ...]
    systems: tuple[Row, ...]
    """By managing entity: for who follows the systems, not for everybody, since two cuts could be crossed."""
    places: tuple[Place, ...]

    @property
    def simulation(self) -> bool:
        """Whether the norm is a draft, and all of this only shows what would be."""
        return self.regulation.norm.status == "draft"


def norms() -> list[Regulation]:
    """The norms that set targets: those in force first, and of them those whose notes are counted here."""
    found = [r for r in library.every() if r.settles is not None]
    return sorted(found, key=lambda r: (r.norm.status != "in_force", r.admits is None, r.norm.path))


def of_year(path: str, year: int) -> Results:
    """The results of a norm's year; reckoned anew only when something was recorded since."""
    return _of_year(id(office.store()), _newest(), office.today(), path, year)


def _newest() -> tuple[Any, ...]:
    """What changes whenever anything does that the results hang on."""
    with office.store().transaction() as db:
        row = db.execute(
            """select (select max(recorded_at) from link), (select max(id) from registry_row),
                      (select max(id) from declaration), (select max(loaded_on) from target_row),
                      (select count(*) from target_row),
                      (select count(*) from lot_state where stale <> '{}')"""
        ).fetchone()
    assert row is not None
    return tuple(row)


@lru_cache(maxsize=32)
def _of_year(_which: int, _newest: tuple[Any, ...], today: Any, path: str, year: int) -> Results:
    regulation, store = library.find(path), office.store()
    settled = settle_companies(store, path, year=year, company=None, data=office.site().data, today=today)
    # A material that the norm has no group for is named in a company's position, and is no part of a result.
    positions = [one for _, found in settled for one in found if one.material in regulation.groups]
    sector, system = _sectors(year), _systems(year)
    told = results(
        positions,
        cuts={WHOLE: lambda _: WHOLE, "sector": lambda company: sector.get(company, NO_SECTOR)},
        inside={"system": lambda company: system.get(company, NO_SECTOR)},
        retired=_retired(regulation, year, today),
    )
    places = tuple(Place(town, material, found) for (material, town), found in sorted(told.places.items()))
    rows = {name: _rows(lines) for name, lines in told.cuts.items()}
    return Results(regulation, year, rows[WHOLE], rows["sector"], rows["system"], places)


def _sectors(year: int) -> Mapping[str, str]:
    """The sector of each company that took part in a plan in a year, by the plan's term."""
    terms = {(t["term"], t["entity"]): str(t["sector"]) for t in office.registry().tables["terms"]}
    return _of_members(year, lambda row: terms.get((row["term"], row["entity"]), "") or NO_SECTOR)


def _systems(year: int) -> Mapping[str, str]:
    """The managing entity whose plan each company took part in, in a year."""
    return _of_members(year, lambda row: str(row["entity"]))


def _of_members(year: int, name: Callable[[Mapping[str, Any]], str]) -> dict[str, str]:
    """What the memberships of a year say of each company; MANY_SECTORS where they do not agree."""
    named: defaultdict[str, set[str]] = defaultdict(set)
    for row in office.registry().tables["members"]:
        begins, ends = str(row["from"])[:4], str(row["to"] or "9999")[:4]
        if int(begins) <= year <= int(ends):
            named[company_of(str(row["establishment"]))].add(name(row))
    return {c: next(iter(found)) if len(found) == 1 else MANY_SECTORS for c, found in named.items()}


def _rows(lines: tuple[Line, ...]) -> tuple[Row, ...]:
    shown = [m.mg for line in lines for m in (line.owed.mass, line.proved.mass) if m is not None]
    most = max([*shown, 1])
    return tuple(Row(line, _long(line.proved.mass, most), _long(line.owed.mass, most)) for line in lines)


def _long(mass: Mass | None, most: int) -> int:
    return thousandths(mass.mg, most) if mass is not None else 0


def _retired(regulation: Regulation, year: int, today: Any) -> list[Retired]:
    """What was retired in a year and where it was collected, whatever the norm."""
    store = office.store()
    return [
        Retired(
            facts.cnpj, one.material.value, regulation.group(one.material) or "", one.municipality, one.mass
        )
        for facts, _ in companies(store, registry(store), year=year, company=None, as_of=today)
        for one in facts.retired
        if one.year == year
    ]


# ── to take along ────────────────────────────────────────────────────────────────────────────────────

_HEADS = (
    "norma", "situacao_da_norma", "ano", "recorte", "valor_do_recorte", "material", "meta_mg", "meta_kg",
    "meta_nota", "comprovado_mg", "comprovado_kg", "comprovado_nota", "gerado_em", "fonte",
)  # fmt: skip
SOURCE = "Lastro: declarações, baixas e metas registradas até esse dia; somas de três empresas ou mais"


def records(found: Results) -> list[dict[str, Any]]:
    """Every published cell, one object each; a mass is whole milligrams, None where it is not shown."""
    state = "simulação" if found.simulation else "em vigor"
    start = {"norma": found.regulation.norm.short_title, "situacao_da_norma": state, "ano": found.year}
    end = {"gerado_em": office.today().isoformat(), "fonte": SOURCE}
    made = []
    for cut, rows in (("total", found.whole), ("setor", found.sectors)):
        for row in rows:
            mine = {"recorte": cut, "valor_do_recorte": row.line.part, "material": row.line.material}
            made.append({**start, **mine, **_told("meta", row.line.owed),
                         **_told("comprovado", row.line.proved), **end})  # fmt: skip
    for place in found.places:
        mine = {"recorte": "município de coleta", "valor_do_recorte": place.code, "material": place.material}
        nothing = {"meta_mg": None, "meta_kg": None, "meta_nota": "não há meta por município aqui"}
        made.append({**start, **mine, **nothing, **_told("comprovado", place.proved), **end})
    return made


def _told(name: str, found: Sum) -> dict[str, Any]:
    mass = found.mass
    return {
        f"{name}_mg": None if mass is None else mass.mg,
        f"{name}_kg": None if mass is None else mass.kg_text,
        f"{name}_nota": WHY.get(found.why, ""),
    }


def file(found: Results, kind: str) -> bytes:
    """The published cells as a file; `kind` is one of KINDS."""
    rows = records(found)
    if kind == "parquet":
        return _parquet(rows)
    if kind == "json":
        return (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()
    text = tuple(tuple("" if row[h] is None else str(row[h]) for h in _HEADS) for row in rows)
    return as_csv(Listed(_HEADS, text))


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    """The rows as Parquet: masses are 64-bit whole milligrams, all else is text but the year."""
    import duckdb

    whole = {"ano": "integer", "meta_mg": "bigint", "comprovado_mg": "bigint"}
    columns = ", ".join(f"{name} {whole.get(name, 'varchar')}" for name in _HEADS)
    marks = ", ".join("?" for _ in _HEADS)
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as db:
        db.execute(f"create table resultados ({columns})")
        if rows:
            db.executemany(f"insert into resultados values ({marks})", [[r[h] for h in _HEADS] for r in rows])
        at = Path(folder, "resultados.parquet")
        db.execute(f"copy resultados to '{at}' (format parquet)")
        return at.read_bytes()
