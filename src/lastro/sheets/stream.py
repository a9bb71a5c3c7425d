"""A workbook's rows one after another, in little memory: for tables from outside, of any intent."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from lastro.errors import LastroError
from lastro.sheets.cells import Row, letter
from lastro.sheets.files import MOST_COLUMNS, MOST_ROWS, _safe_package, _typed

MOST_CELLS = 600_000
MOST_TEXTS = 400_000
MOST_EXPANDED = 64_000_000
MOST_OTHER = 2_000_000
"""How much a workbook may hold: cells, texts, bytes opened, and bytes of what is neither cell nor text."""

_MARK = re.compile(rb"<(?:[A-Za-z0-9_]{1,20}:)?(c|si|row)[\s/>]")
_TABLES = re.compile(r"xl/(worksheets/.+|sharedStrings\.xml)", re.IGNORECASE)
_PART = 1 << 16


def stream(name: str, data: bytes) -> Iterator[tuple[str, Row]]:
    """Each row of each visible sheet with the sheet's name, in order; rows that are empty are left out.

    Raises LastroError for what is no workbook, is broken, or holds more than may be opened.
    """
    import openpyxl

    try:
        bounded(name, data)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                yield from _rows(name, sheet)
    except LastroError:
        raise
    except Exception as wrong:
        # A broken workbook is met with whatever exception zip or openpyxl stumbled on.
        raise LastroError(
            f"{name}: a planilha está danificada e não abre; salve-a de novo como .xlsx."
        ) from wrong


def _rows(name: str, sheet: Any) -> Iterator[tuple[str, Row]]:
    # What the sheet says of its own size is not believed: the rows that stand there are read.
    sheet.reset_dimensions()
    for number, values in enumerate(sheet.iter_rows(), 1):
        if number > MOST_ROWS or len(values) > MOST_COLUMNS:
            raise LastroError(f"{name}: passa de {MOST_ROWS} linhas ou de {MOST_COLUMNS} colunas.")
        row = Row(
            number,
            tuple(_typed(c.value, getattr(c, "data_type", "n"), letter(i)) for i, c in enumerate(values)),
        )
        if row:
            yield sheet.title, row


def bounded(name: str, data: bytes) -> None:
    """Refuse a workbook that would fill the memory, by what its parts really hold when opened.

    Raises LastroError, also for what is no workbook at all.
    """
    _safe_package(name, data)
    held = _Held()
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for item in package.infolist():
            is_table = bool(_TABLES.fullmatch(item.filename))
            with package.open(item) as part:
                while chunk := part.read(_PART):
                    held.take(chunk, is_table=is_table)
                    if held.too_much:
                        raise LastroError(
                            f"{name}: a planilha é grande demais (até {MOST_CELLS} células, {MOST_COLUMNS} "
                            "numa linha); divida-a em partes."
                        )


class _Held:
    """What was found in the parts of a workbook so far."""

    def __init__(self) -> None:
        self.cells = self.texts = self.expanded = self.other = self.in_row = self.widest = 0

    def take(self, chunk: bytes, *, is_table: bool) -> None:
        self.expanded += len(chunk)
        if not is_table:
            self.other += len(chunk)
            return
        for mark in _MARK.findall(chunk):
            if mark == b"c":
                self.cells += 1
                self.in_row += 1
                self.widest = max(self.widest, self.in_row)
            elif mark == b"row":
                self.in_row = 0
            else:
                self.texts += 1

    @property
    def too_much(self) -> bool:
        return (
            self.cells > MOST_CELLS
            or self.texts > MOST_TEXTS
            or self.expanded > MOST_EXPANDED
            or self.other > MOST_OTHER
            # Where two parts meet a mark of a row may be missed: its cells then stand with the row before.
            or self.widest > 2 * MOST_COLUMNS
        )
