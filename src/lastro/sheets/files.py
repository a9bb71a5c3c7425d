"""From a file's bytes to sheets of cells.

A spreadsheet stores a number as a binary fraction and shows fifteen digits of it; the number that the person
typed is those fifteen digits, so they are what is read here (Excel's specification: 15 digits of precision).
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
import zlib
from datetime import date, datetime
from decimal import Decimal
from pathlib import PurePath
from typing import Any

from lastro.errors import LastroError
from lastro.sheets.cells import Cell, Row, Sheet, letter
from lastro.sheets.pause import cells_stay

MOST_BYTES = 50_000_000
MOST_EXPANDED = 400_000_000
MOST_ROWS = 200_000
MOST_COLUMNS = 500
OTHER_PROGRAMS = (".xls", ".xlsb", ".xlsm", ".ods", ".numbers")
"""Files of spreadsheets that are not read, though people have them: they are told how to save theirs."""

_OLD_BOX = bytes.fromhex("d0cf11e0a1b11ae1")
"""How the box begins in which an old .xls stands, and a workbook that a password closes."""


def read(name: str, data: bytes) -> tuple[Sheet, ...]:
    """Read every sheet of a file. The end of its name says what it is; the content has to agree.

    Raises LastroError when the file is of another kind, broken, or too large.
    """
    kind = PurePath(name).suffix.lower()
    if len(data) > MOST_BYTES:
        raise LastroError(f"{name}: o arquivo passa de {MOST_BYTES} bytes; divida-o em partes.")
    if not data.strip():
        raise LastroError(f"{name}: o arquivo está vazio.")
    if kind == ".xlsx":
        return _xlsx(name, data)
    if kind == ".csv":
        return (_csv(name, data),)
    if kind == ".json":
        return _json(name, data)
    if kind in OTHER_PROGRAMS:
        raise LastroError(
            f"{name}: {kind} não se lê aqui; abra-o e use “Salvar como”, com o tipo .xlsx ou .csv."
        )
    raise LastroError(f"{name}: só se leem arquivos .xlsx, .csv e .json.")


# ── csv ──────────────────────────────────────────────────────────────────────────────────────────────


def decode(name: str, data: bytes) -> str:
    """The text of a file as programs write it here: UTF-8, UTF-16 with its mark, else Windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        return text
    raise LastroError(f"{name}: não é um texto; salve-o como CSV em UTF-8.")


def separator(text: str) -> str:
    """The mark between columns: the one of `;`, tab and `,` that stands most in the first written line."""
    first = next((line for line in text.splitlines() if line.strip(" ;,\t")), "")
    bare = re.sub(r'"[^"]*"', "", first)
    return max(";\t,", key=lambda mark: (bare.count(mark), mark == ";"))


def _csv(name: str, data: bytes) -> Sheet:
    text = decode(name, data)
    rows: list[Row] = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator(text), strict=True)
        for values in reader:
            _within(name, len(rows), len(values))
            cells = tuple(_written(v, letter(i)) for i, v in enumerate(values))
            rows.append(Row(len(rows) + 1, cells))
    except csv.Error as wrong:
        raise LastroError(f"{name}: linha {len(rows) + 1}: CSV malformado ({wrong}).") from wrong
    return Sheet(PurePath(name).stem, tuple(rows))


def _written(text: str, column: str) -> Cell:
    text = text.strip().strip("\u00a0")
    return Cell(text, column, "text" if text else "empty")


def _within(name: str, rows: int, columns: int) -> None:
    if rows >= MOST_ROWS or columns > MOST_COLUMNS:
        raise LastroError(
            f"{name}: passa de {MOST_ROWS} linhas ou de {MOST_COLUMNS} colunas; divida o arquivo."
        )


# ── xlsx ─────────────────────────────────────────────────────────────────────────────────────────────


def _xlsx(name: str, data: bytes) -> tuple[Sheet, ...]:
    import openpyxl

    _safe_package(name, data)
    try:
        with cells_stay():
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=False, keep_links=False)
            return tuple(_worksheet(name, sheet) for sheet in book.worksheets)
    except LastroError:
        raise
    except Exception as wrong:
        # openpyxl meets a broken workbook with whatever exception it stumbled on.
        raise LastroError(
            f"{name}: a planilha está danificada e não abre; salve-a de novo como .xlsx."
        ) from wrong


def _safe_package(name: str, data: bytes) -> None:
    """Refuse a workbook that would expand without end, before anything of it is parsed."""
    if data.startswith(_OLD_BOX):
        raise LastroError(
            f"{name}: é um .xls antigo, ou tem senha; tire a senha e salve-o de novo como .xlsx."
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            if sum(item.file_size for item in package.infolist()) > MOST_EXPANDED:
                raise LastroError(f"{name}: a planilha se expande para além de {MOST_EXPANDED} bytes.")
            for item in package.infolist():
                with package.open(item) as part:
                    if re.search(rb"<!DOCTYPE|<!ENTITY", part.read(4096), re.IGNORECASE):
                        raise LastroError(f"{name}: a planilha traz um DOCTYPE, que não se aceita.")
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError) as wrong:
        raise LastroError(f"{name}: não é uma planilha .xlsx (ou tem senha); salve-a de novo.") from wrong


def _worksheet(name: str, sheet: Any) -> Sheet:
    """The cells that a sheet really has: one far away must not fill all that lies between with empty ones."""
    _within(name, sheet.max_row - 1, sheet.max_column)
    found: dict[int, list[Cell]] = {}
    for (number, column), cell in sorted(sheet._cells.items()):
        cells = found.setdefault(number, [])
        cells += [Cell("", letter(i), "empty") for i in range(len(cells), column - 1)]
        cells.append(_typed(cell.value, cell.data_type, letter(column - 1)))
    hidden = {number for number, shape in sheet.row_dimensions.items() if shape.hidden}
    last = max((number for number, cells in found.items() if any(cells)), default=0)
    rows = tuple(Row(n, tuple(found.get(n, ())), hidden=n in hidden) for n in range(1, last + 1))
    merged = tuple(sorted(str(span) for span in sheet.merged_cells.ranges))
    out_of_sight = sheet.sheet_state != "visible"
    return Sheet(
        sheet.title, rows, hidden=out_of_sight, merged=merged, source="xlsx", unseen=_unseen_columns(sheet)
    )


def _unseen_columns(sheet: Any) -> frozenset[str]:
    """The letters of the hidden columns; one shape may stand for several columns side by side."""
    return frozenset(
        letter(column - 1)
        for shape in sheet.column_dimensions.values()
        if shape.hidden and shape.min is not None
        for column in range(shape.min, min(shape.max, MOST_COLUMNS) + 1)
    )


def _typed(value: Any, data_type: str, column: str) -> Cell:
    if value is None or (isinstance(value, str) and not value.strip()):
        return Cell("", column, "empty")
    if data_type == "f":
        return Cell(str(getattr(value, "text", value) or "="), column, "formula")
    if isinstance(value, bool):
        return Cell("true" if value else "false", column, "bool")
    if isinstance(value, (datetime, date)):
        return _dated(value, column)
    if isinstance(value, (int, float)):
        return Cell(shown_number(value), column, "number")
    kind = "text" if isinstance(value, str) and data_type != "e" else "other"
    return Cell(str(value).strip(), column, kind)


def _dated(value: datetime | date, column: str) -> Cell:
    if isinstance(value, datetime):
        if value.time() != datetime.min.time():
            return Cell(value.isoformat(sep=" "), column, "other")
        value = value.date()
    return Cell(value.isoformat(), column, "date")


def shown_number(value: int | float) -> str:
    """The plain decimal of a spreadsheet's number: the fifteen digits that the program shows, no more."""
    return plain(f"{value:.15g}") if isinstance(value, float) else str(value)


def plain(text: str) -> str:
    """A decimal without exponent and without idle zeros; "1E+3" becomes "1000"."""
    number = f"{Decimal(text):f}"
    return number.rstrip("0").rstrip(".") if "." in number else number


# ── json ─────────────────────────────────────────────────────────────────────────────────────────────


def _json(name: str, data: bytes) -> tuple[Sheet, ...]:
    """Lists of rows by name, or one list alone; the row's number is its place in the list, from 1."""
    try:
        found = json.loads(
            decode(name, data),
            parse_float=lambda text: _Number(text),
            parse_int=lambda text: _Number(text),
            parse_constant=lambda text: text,
            object_pairs_hook=_once,
        )
    except _Twice as wrong:
        raise LastroError(f"{name}: a chave “{wrong}” aparece duas vezes num mesmo objeto.") from wrong
    except (ValueError, RecursionError) as wrong:
        raise LastroError(f"{name}: JSON malformado ({wrong}).") from wrong
    lists = found if isinstance(found, dict) else {PurePath(name).stem: found}
    for key, rows in lists.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise LastroError(f"{name}: “{key}” deve ser uma lista de objetos, um por linha.")
    return tuple(_listed(name, key, rows) for key, rows in lists.items())


class _Number(str):
    """The literal of a number, kept as it was written."""


class _Twice(ValueError):
    """A key stands twice in one object, so that one of the two would be lost."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _Twice(key)
        made[key] = value
    return made


def _listed(name: str, key: str, rows: list[dict[str, Any]]) -> Sheet:
    heads = list(dict.fromkeys(head for row in rows for head in row))
    made = [Row(0, tuple(Cell(head.strip(), head, "text") for head in heads))]
    for number, row in enumerate(rows, 1):
        _within(name, number - 1, len(heads))
        made.append(Row(number, tuple(_literal(row.get(head), head) for head in heads)))
    return Sheet(key, tuple(made), source="json")


def _literal(value: Any, column: str) -> Cell:
    if value is None or value == "":
        return Cell("", column, "empty")
    if isinstance(value, bool):
        return Cell("true" if value else "false", column, "bool")
    if isinstance(value, _Number):
        try:
            return Cell(plain(value) if abs(Decimal(value).adjusted()) < 40 else value, column, "number")
        except ArithmeticError:
            return Cell(value, column, "other")
    if isinstance(value, str):
        return _written(value, column)
    return Cell(json.dumps(value, ensure_ascii=False)[:80], column, "other")
