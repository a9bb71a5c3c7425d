"""A refused declaration goes back to who sent it: the same file with a column of errors beside each row.

Text that a spreadsheet would take for a formula goes back as plain text.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath

from lastro.sheets import Issue
from lastro.sheets.files import decode, separator
from lastro.sheets.numbers import safe_text

HEAD = "erros"


def with_errors(
    name: str, data: bytes, issues: Sequence[Issue], *, sheet: str, heading_row: int | None
) -> bytes:
    """The file again, in its own format, with what there is to mend in the column `erros`."""
    told: dict[int, list[str]] = defaultdict(list)
    for issue in issues:
        told[issue.row if issue.row is not None else heading_row or 1].append(_words(issue))
    texts = {row: " | ".join(words) for row, words in told.items()}
    kind = PurePath(name).suffix.lower()
    if kind == ".xlsx":
        return _xlsx(data, texts, sheet=sheet, heading_row=heading_row)
    if kind == ".json":
        return _json(data, texts)
    return _csv(name, data, texts, heading_row=heading_row)


def _words(issue: Issue) -> str:
    place = f"coluna {issue.column}: " if issue.column else ""
    seen = f"encontrado “{issue.found}”" if issue.found else "vazio"
    return f"{place}{seen}; esperado {issue.expected}. {issue.cure}"


def _head_joined(text: str, row: int, heading_row: int | None) -> str:
    """On the row of the heads stands the head itself, before what is wrong with that row."""
    if row != (heading_row or 1):
        return text
    return f"{HEAD}: {text}" if text else HEAD


def _xlsx(data: bytes, texts: dict[int, str], *, sheet: str, heading_row: int | None) -> bytes:
    import openpyxl
    from openpyxl.styles import Alignment, PatternFill

    book = openpyxl.load_workbook(io.BytesIO(data), keep_links=False)
    page = book[sheet] if sheet in book.sheetnames else book.worksheets[0]
    for row in page.iter_rows():
        for cell in row:
            if cell.data_type == "f":
                cell.value = str(getattr(cell.value, "text", cell.value))
                cell.data_type = "s"
    place = page.max_column + 1
    for number in sorted({heading_row or 1, *texts}):
        cell = page.cell(number, place)
        cell.value = _head_joined(texts.get(number, ""), number, heading_row)
        cell.data_type = "s"
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        if number in texts:
            cell.fill = PatternFill("solid", fgColor="FFF2CC")
    page.column_dimensions[page.cell(1, place).column_letter].width = 70
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _csv(name: str, data: bytes, texts: dict[int, str], *, heading_row: int | None) -> bytes:
    text = decode(name, data)
    mark = separator(text)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    width = max(len(row) for row in rows)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\r\n")
    for number, row in enumerate(rows, 1):
        cells = [safe_text(cell) for cell in row] + [""] * (width - len(row))
        writer.writerow([*cells, _head_joined(texts.get(number, ""), number, heading_row)])
    # With its mark, so that a spreadsheet reads the accents.
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _json(data: bytes, texts: dict[int, str]) -> bytes:
    found = json.loads(data.decode("utf-8-sig"), parse_float=_kept, parse_int=_kept)
    lists = list(found.values()) if isinstance(found, dict) else [found]
    for rows in lists:
        for number, row in enumerate(rows, 1):
            if number in texts:
                row[HEAD] = texts[number]
    text = json.dumps(found, ensure_ascii=False, indent=1)
    return (re.sub(rf'"{_MARK}(.*?){_MARK}"', r"\1", text) + "\n").encode()


_MARK = "\ue000"
"""Stands around a number's literal on its way through, so that it goes back exactly as it was written."""


def _kept(literal: str) -> str:
    return f"{_MARK}{literal}{_MARK}"
