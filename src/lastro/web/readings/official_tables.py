"""Official tables: one person loads a file with its source, another confirms, and only then it counts.

Loading adds and never overwrites, so a result as known on a day can be had again. Targets go to the norm's
own table; the SELIC of each month stays here, and the fee desk reads it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from lastro.facts import Basis, TargetRow
from lastro.filings import Filing, Kind, Subject
from lastro.lawkit import Regulation, library
from lastro.lawkit.glossary import label
from lastro.sheets import read
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.stores.postgres.registry import add_targets, targets
from lastro.tables import rows as packaged
from lastro.units import Share
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings.order import AGENCY, FEES
from lastro.web.readings.requests import Refused, needed, next_number
from lastro.web.translating import said

TABLES = {"targets": gettext_noop("Metas"), "selic": gettext_noop("SELIC do mês")}
STATES = {
    "proposed": (gettext_noop("espera outra pessoa"), "asks"), "loaded": (gettext_noop("carregada"), "good"),
    "refused": (gettext_noop("recusada"), "bad"),
}  # fmt: skip
MOST_BYTES = 2_000_000
_PACKAGED = {
    "populations": "População dos municípios", "municipalities": "Municípios", "days_off": "Feriados",
    "ncm": "NCM e material", "cfop": "CFOP", "units": "Unidades", "prices": "Faixas de preço",
    "bounds": "Limites de massa", "words": "Palavras e materiais",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A row of a proposal beside what stands now."""

    what: str
    now: str
    then: str

    @property
    def words(self) -> str:
        return "igual" if self.now == self.then else "nova" if not self.now else "muda"


def regulations() -> list[Regulation]:
    """The norms in force whose targets are loaded as data."""
    return [r for r in library.every() if r.groups and r.settles is not None and r.norm.status == "in_force"]


def propose(
    who: str, *, table: str, norm: str, source: str, dated: date | None, name: str, data: bytes, by: str
) -> Filing:
    """A person loads a file with its source and day; nothing counts yet. Raises LastroError."""
    if table not in TABLES:
        raise Refused("Escolha a tabela.")
    if not data:
        raise Refused("Anexe o arquivo da tabela.")
    if len(data) > MOST_BYTES:
        raise Refused("O arquivo passa de 2 MB: uma tabela oficial é pequena.")
    if dated is None or dated > office.today():
        raise Refused("Diga o dia da fonte, que não pode estar à frente.")
    path, found = _read(table, norm, name, data)
    body = {
        "table": table, "source": needed(source, "Escreva a fonte: o ato, a página, o endereço.", 500),
        "dated": dated.isoformat(), "rows": found, "state": "proposed", "proposed_by": by,
    }  # fmt: skip
    mine = Filings(office.store(), sees=who)
    for _ in range(20):
        subject = Subject(Kind.TABLE, who, norm=path, name=next_number(mine, who, Kind.TABLE))
        try:
            return mine.add(subject, body, by=by, on=office.today(), files=[(name, data)])
        except ChangedMeanwhile:
            continue
    raise Refused("Muita gente carrega ao mesmo tempo. Tente de novo.")


def _read(table: str, norm: str, name: str, data: bytes) -> tuple[str, list[dict[str, str]]]:
    if table == "selic":
        fee = next(r for r in library.every() if r.charges is not None)
        return fee.norm.path, _selic(name, data)
    chosen = next((r for r in regulations() if r.norm.path == norm), None)
    if chosen is None:
        raise Refused("Escolha de que norma são as metas.")
    return chosen.norm.path, [
        {
            "sector": row.sector, "material": row.material, "year": str(row.year), "share": row.share,
            "source": row.source, "basis": row.basis.value,
        }
        for row in _targets(chosen, name, data)
    ]  # fmt: skip


def _targets(regulation: Regulation, name: str, data: bytes) -> tuple[TargetRow, ...]:
    from lastro.lawkit.tables import read_targets

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(data)
        return read_targets(path, groups=regulation.groups)


def _selic(name: str, data: bytes) -> list[dict[str, str]]:
    """Rows of month and rate, as 2027-02 and 0,83%; the first row is the heading. Raises Refused."""
    found: dict[str, str] = {}
    wrong = []
    for sheet in read(name, data):
        for row in list(sheet.rows)[1:]:
            if not row:
                continue
            texts = [cell.text.strip() for cell in row.cells[:2]]
            month, rate = (*texts, "", "")[:2]
            try:
                date.fromisoformat(f"{month}-01")
                if not rate.endswith("%") or Share.parse(rate.replace(",", ".")).of_one < 0 or month in found:
                    raise ValueError
            except ValueError:
                wrong.append(f"linha {row.number}: “{month}”, “{rate}”; esperado 2027-02 e 0,83%, uma vez")
                continue
            found[month] = rate.replace(",", ".")
    if wrong or not found:
        raise Refused("; ".join(wrong[:10]) or "Nenhuma linha: a primeira é o cabeçalho (mês; taxa).")
    return [{"month": month, "rate": rate} for month, rate in sorted(found.items())]


def confirm(filing: Filing, *, yes: bool, by: str) -> Filing:
    """A second person lets the table count, or refuses it. Raises Refused."""
    if filing.body["state"] != "proposed":
        raise Refused("Esta tabela já foi decidida.")
    if filing.body["proposed_by"] == by:
        raise Refused("Quem carregou não confirma: são duas pessoas.")
    if yes and filing.body["table"] == "targets":
        add_targets(office.store(), filing.subject.norm, _rows(filing.body), on=office.today())
    body = {**filing.body, "state": "loaded" if yes else "refused", "confirmed_by": by}
    return Filings(office.store(), sees=filing.subject.party).add(
        filing.subject, body, by=by, on=office.today(), after=filing.version
    )


def _rows(body: Mapping[str, Any]) -> list[TargetRow]:
    return [
        TargetRow(
            row["sector"], row["material"], int(row["year"]), row["share"], row["source"],
            Basis(row["basis"]), None,
        )
        for row in body["rows"]
    ]  # fmt: skip


def history(who: str) -> list[Filing]:
    """Every table of an office, the latest first."""
    return Filings(office.store(), sees=who).standing(Kind.TABLE, party=who)


def one(who: str, number: str) -> Filing | None:
    """One of them, by its number."""
    return next((filing for filing in history(who) if filing.subject.name == number), None)


def changes(filing: Filing) -> list[Line]:
    """What each row would change."""
    if filing.body["table"] == "selic":
        now = {row["month"]: row["rate"] for row in rates()}
        return [Line(r["month"], now.get(r["month"], ""), r["rate"]) for r in filing.body["rows"]]
    stood = {
        (r.sector, r.material, str(r.year), r.source): r.share
        for r in targets(office.store(), filing.subject.norm)
    }
    return [
        Line(
            f"{r['sector']}, {label(r['material'])}, {r['year']} ({r['source']})",
            stood.get((r["sector"], r["material"], r["year"], r["source"]), ""), r["share"],
        )
        for r in filing.body["rows"]
    ]  # fmt: skip


def rates() -> list[dict[str, str]]:
    """The SELIC of each month as two of the fee staff loaded it; a later table corrects an earlier one."""
    found: dict[str, str] = {}
    for one in reversed(history(FEES)):
        if one.body["state"] == "loaded" and one.body["table"] == "selic":
            found |= {row["month"]: row["rate"] for row in one.body["rows"]}
    return [{"month": month, "rate": rate} for month, rate in sorted(found.items())]


@dataclass(frozen=True)
class Standing:
    """A table that comes with the program: how many rows, and from which sources."""

    name: str
    words: str
    rows: int
    sources: str


def standing() -> list[Standing]:
    """The tables of facts of this version, each with its sources."""
    found = []
    for name, words in _PACKAGED.items():
        rows = packaged(name)
        stated = {row.get("source") or row.get("basis") or "" for row in rows} - {""}
        told = "; ".join(sorted(stated)[:3]) + (" …" if len(stated) > 3 else "")
        found.append(Standing(name, words, len(rows), told or "—"))
    return found


def tables_of(who: str) -> dict[str, str]:
    """The tables that an office loads: targets are the agency's, rates of interest the fee staff's."""
    wanted = {AGENCY: ("targets",), FEES: ("selic",)}[who]
    return {name: said(TABLES[name]) for name in wanted}
