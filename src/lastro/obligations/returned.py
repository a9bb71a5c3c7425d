"""A refused declaration goes back to who sent it: the same file with a column of errors beside each row.

Text that a spreadsheet would take for a formula goes back as plain text.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import PurePath

from lastro.obligations.returned_book import HEAD, head_joined, is_ours, returned_workbook, told
from lastro.sheets import Issue
from lastro.sheets.files import decode, separator
from lastro.sheets.numbers import safe_text


def with_errors(
    name: str, data: bytes, issues: Sequence[Issue], *, sheet: str, heading_row: int | None
) -> bytes:
    """The file again, in its own format, with what there is to mend in the column `erros`.

    In a workbook each wrong cell also has a colour and a note. What an earlier return wrote is taken out.
    """
    kind = PurePath(name).suffix.lower()
    if kind == ".xlsx":
        return returned_workbook(data, issues, sheet=sheet, heading_row=heading_row)
    texts = told(issues, heading_row=heading_row)
    if kind == ".json":
        return _json(data, texts)
    return _csv(name, data, texts, heading_row=heading_row)


def _csv(name: str, data: bytes, texts: dict[int, str], *, heading_row: int | None) -> bytes:
    text = decode(name, data)
    mark = separator(text)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    heads = rows[(heading_row or 1) - 1]
    if heads and is_ours(heads[-1]):
        rows = [row[: len(heads) - 1] for row in rows]
    width = max(len(row) for row in rows)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\r\n")
    for number, row in enumerate(rows, 1):
        cells = [safe_text(cell) for cell in row] + [""] * (width - len(row))
        writer.writerow([*cells, head_joined(texts.get(number, ""), number, heading_row)])
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
