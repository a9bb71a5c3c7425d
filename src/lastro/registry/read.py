"""From a registry file to checked rows: all that is wrong is told at once, and then nothing is loaded.

What is only odd (rows that overlap in time, the same row twice, an operator without an origin) is told as
a note and hinders nothing: the registry answers with what stands.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from lastro import tables
from lastro.errors import LastroError
from lastro.ids import uf_of
from lastro.registry.answers import Registry
from lastro.registry.columns import LATER, TABLES, Column, Table
from lastro.registry.records import Period
from lastro.registry.values import Wrong, value
from lastro.sheets import Heading, Issue, Row, Sheet, find_heading, folded
from lastro.sheets import read as read_sheets
from lastro.units import exact, how_many

MOST_ISSUES = 1_000

Body = dict[str, Any]


@dataclass(frozen=True)
class Placed:
    """A row as it was read, and where: its table, the name of its sheet, and its number there."""

    table: str
    sheet: str
    number: int
    body: Body


@dataclass
class Reading:
    """What a registry file holds: rows by table, what must be mended, and what is only odd."""

    tables: dict[str, list[Body]] = field(default_factory=lambda: defaultdict(list))
    issues: list[Issue] = field(default_factory=list)
    notes: list[Issue] = field(default_factory=list)
    untold: int = 0
    rows: list[Placed] = field(default_factory=list)
    """Every row that was read, with where it stands."""
    heads: dict[str, int] = field(default_factory=dict)
    """The row of the heads of each sheet, by the sheet's name."""

    def wrong(self, issue: Issue) -> None:
        """Note an issue; beyond the thousandth they are only counted."""
        if len(self.issues) < MOST_ISSUES:
            self.issues.append(issue)
        else:
            self.untold += 1


def read(name: str, data: bytes) -> Reading:
    """Read a registry file of any of the three formats. Raises LastroError if it can't be opened at all."""
    reading = Reading()
    places: dict[str, list[tuple[Sheet, Row, Body]]] = defaultdict(list)
    for sheet in read_sheets(name, data):
        table = next((t for t in TABLES if _is_named(t, sheet.name)), None)
        if table is None:
            _unknown_sheet(reading, sheet)
            continue
        for row, body in _rows(reading, sheet, table):
            places[table.name].append((sheet, row, body))
            reading.rows.append(Placed(table.name, sheet.name, row.number, body))
    for table in TABLES:
        reading.tables[table.name] = _unique(reading, table, places[table.name])
        _overlaps(reading, table, places[table.name])
    if not any(reading.tables.values()) and not reading.issues:
        cure = "Escreva ao menos uma linha em uma das tabelas."
        reading.wrong(Issue("", None, "", "", "ao menos uma tabela com linhas", cure, "F07"))
    return reading


def registry_of(name: str, data: bytes) -> Registry:
    """The registry that a file holds. Raises LastroError with the first things to mend, if there are any."""
    reading = read(name, data)
    if reading.issues:
        first = "\n".join(f"  {issue}" for issue in reading.issues[:10])
        number = len(reading.issues) + reading.untold
        raise LastroError(f"{name}: o cadastro tem {how_many(number, 'erro', 'erros')} a corrigir:\n{first}")
    return Registry(reading.tables)


def _is_named(table: Table, name: str) -> bool:
    return folded(name) in {folded(n) for n in (table.name, *table.aliases)}


def _unknown_sheet(reading: Reading, sheet: Sheet) -> None:
    if not any(sheet.rows) or sheet.hidden:
        return
    known = ", ".join(t.name for t in TABLES)
    cure = "Dê à planilha (ou ao arquivo .csv) o nome de uma tabela, ou apague-a."
    reading.wrong(Issue(sheet.name, None, "", sheet.name, f"uma das tabelas: {known}", cure, "F08"))


def _rows(reading: Reading, sheet: Sheet, table: Table) -> Iterable[tuple[Row, Body]]:
    heading = find_heading(sheet, [c.head for c in table.columns])
    if heading is None:
        if any(row for row in sheet.rows if row.number):
            heads = ", ".join(c.name for c in table.columns)
            cure = "Escreva os nomes das colunas acima da primeira linha."
            reading.wrong(Issue(sheet.name, None, "", "", f"um cabeçalho com {heads}", cure, "F07"))
        return
    reading.heads[sheet.name] = heading.row.number
    if not _judge_heading(reading, sheet, heading, table):
        return
    for row in sheet.rows:
        if row.number > heading.row.number and row:
            body = _body(reading, sheet, heading, row, table)
            if body is not None:
                yield row, body


def _judge_heading(reading: Reading, sheet: Sheet, heading: Heading, table: Table) -> bool:
    number = heading.row.number or None
    known = ", ".join(c.name for c in table.columns)
    for cell in heading.unknown:
        near = _nearly(cell.text, table)
        cure = f"Parece {near}: corrija o nome, ou apague a coluna." if near else "A coluna não foi lida."
        issue = Issue(sheet.name, number, cell.column, cell.text, f"uma de: {known}", cure, "F07")
        # A column of somebody's own hurts nobody; a misspelt one would lose what it says.
        reading.wrong(issue) if near else reading.notes.append(issue)
    for cell in heading.twice:
        cure = "Deixe uma só coluna com este nome."
        reading.wrong(Issue(sheet.name, number, cell.column, cell.text, "cada coluna uma vez", cure, "F07"))
    for name in heading.missing:
        cure = "Acrescente a coluna."
        reading.wrong(Issue(sheet.name, number, name, "", f"a coluna {name}", cure, "F07"))
    return not heading.missing


def _nearly(text: str, table: Table) -> str:
    """The column whose name this looks like a slip of, if there is one."""
    names = {name: column.name for column in table.columns for name in column.head.names}
    close = difflib.get_close_matches(folded(text), names, n=1, cutoff=0.84)
    return names[close[0]] if close else ""


def _body(reading: Reading, sheet: Sheet, heading: Heading, row: Row, table: Table) -> Body | None:
    body: Body = {}
    good = True
    for column in table.columns:
        cell = heading.cell(row, column.name)
        try:
            body[column.name] = _cell_value(sheet, row, column, heading)
        except Wrong as wrong:
            place = cell.column or column.name
            issue = Issue(
                sheet.name, row.number, place, cell.text[:80], wrong.expected, wrong.cure, wrong.code
            )
            reading.wrong(issue)
            good = False
    if good:
        good = _whole(reading, sheet, row, table, body)
        body = {name: held for name, held in body.items() if held is not None or name not in LATER}
    return body if good else None


def _cell_value(sheet: Sheet, row: Row, column: Column, heading: Heading) -> Any:
    cell = heading.cell(row, column.name)
    if cell:
        return value(column.kind, cell)
    if span := sheet.covered(row.number, cell.column) if sheet.merged else "":
        raise Wrong(
            "células separadas", f"Desfaça a mesclagem {span} e escreva o valor em cada linha.", "F07"
        )
    if column.required:
        raise Wrong("um valor", f"Preencha a coluna {column.name}: o que falta não é suposto.", "T02")
    return None


def _whole(reading: Reading, sheet: Sheet, row: Row, table: Table, body: Body) -> bool:
    """What only the whole row can tell: that a period runs forward, that only operators have an origin."""
    good = True
    if body.get("to") and body["to"] < body["from"]:
        cure = "Corrija as datas: o período termina antes de começar."
        reading.wrong(Issue(sheet.name, row.number, "to", body["to"], f"{body['from']} ou depois", cure))
        good = False
    if table.name == "parties":
        good = _placed(reading, sheet, row, body) and good
    if table.name == "roles":
        if body["origin"] and body["role"] != "operator":
            cure = "Só operadores têm origem: apague-a ou corrija o papel."
            reading.wrong(Issue(sheet.name, row.number, "origin", body["origin"], "nada", cure))
            good = False
        elif body["role"] == "operator" and not body["origin"]:
            cure = "Sem ela, cada lote deste operador precisa dizer a sua (arts. 27 e 28)."
            reading.notes.append(Issue(sheet.name, row.number, "origin", "", "a origem", cure, "T02"))
    return good


def _placed(reading: Reading, sheet: Sheet, row: Row, body: Body) -> bool:
    """Coordinates come in pairs, with their datum (G03), and in the state of the municipality (G02)."""
    at = [body.get("latitude"), body.get("longitude")]
    if at == [None, None]:
        return True
    if None in at:
        column = "latitude" if at[0] is None else "longitude"
        reading.wrong(Issue(sheet.name, row.number, column, "", "as duas coordenadas", _BOTH, "T02"))
        return False
    if body.get("datum") is None:
        reading.notes.append(Issue(sheet.name, row.number, "datum", "", "SIRGAS 2000", _DATUM, "G03"))
    uf = uf_of(body["municipality"]) if body.get("municipality") else body.get("uf")
    box = tables.box_of(uf) if uf else None
    if box is not None and not box.holds(exact(at[0]), exact(at[1])):
        found, expected = f"{at[0]}, {at[1]}", f"um ponto em {uf}, onde fica o município"
        reading.notes.append(Issue(sheet.name, row.number, "latitude", found, expected, _OUTSIDE, "G02"))
    return True


_BOTH = "Escreva latitude e longitude, ou deixe as duas vazias."
_DATUM = "Informe o datum em que foram medidas; o do país é o SIRGAS 2000."
_OUTSIDE = (
    "Corrija as coordenadas (sinal, ordem, vírgula) ou o município. Só os limites do estado se conferem."
)


def _unique(reading: Reading, table: Table, placed: list[tuple[Sheet, Row, Body]]) -> list[Body]:
    """Each natural key once; the same row again is a note, another row under the same key is an error."""
    seen: dict[tuple[Any, ...], tuple[Row, Body]] = {}
    for sheet, row, body in placed:
        key = tuple(body[name] for name in table.key)
        before = seen.setdefault(key, (row, body))
        if before[0] is row:
            continue
        where, shown = ", ".join(table.key), " ".join(str(part) for part in key if part)
        if before[1] == body:
            cure = f"Igual à linha {before[0].number}; foi lida uma vez só."
            reading.notes.append(Issue(sheet.name, row.number, where, shown, "cada linha uma vez", cure))
        else:
            cure = f"A linha {before[0].number} diz outra coisa da mesma chave: deixe só a certa."
            reading.wrong(Issue(sheet.name, row.number, where, shown, "uma linha por chave", cure))
    return [body for _, body in seen.values()]


def _overlaps(reading: Reading, table: Table, placed: list[tuple[Sheet, Row, Body]]) -> None:
    """Note the rows of one series that share a day, such as two vettings at once."""
    if not table.series:
        return
    groups: dict[tuple[Any, ...], list[tuple[Sheet, Row, Body]]] = defaultdict(list)
    for item in placed:
        groups[tuple(item[2][name] for name in table.series)].append(item)
    for items in groups.values():
        items.sort(key=lambda item: (item[2]["from"], item[1].number))
        widest = items[0]
        for item in items[1:]:
            if item[2] != widest[2] and _period(item[2]).meets(_period(widest[2])):
                _note_overlap(reading, table, item, widest)
            widest = max(widest, item, key=lambda one: one[2]["to"] or "9999-12-31")


_OVERLAPS = {"vettings": "P04", "members": "P08"}


def _note_overlap(
    reading: Reading, table: Table, item: tuple[Sheet, Row, Body], before: tuple[Sheet, Row, Body]
) -> None:
    """Two vettings at once (P04), or a member of two entities at once (P08)."""
    sheet, row, body = item
    shown = f"{body['from']} a {body['to'] or 'sem fim'}"
    cure = f"Os dias se sobrepõem aos da linha {before[1].number}; ambas foram lidas."
    same = table.name == "members" and body["entity"] == before[2]["entity"]
    code = "" if same else _OVERLAPS.get(table.name, "")
    reading.notes.append(Issue(sheet.name, row.number, "from, to", shown, "períodos separados", cure, code))


def _period(body: Mapping[str, Any]) -> Period:
    return Period(date.fromisoformat(body["from"]), date.fromisoformat(body["to"]) if body["to"] else None)
