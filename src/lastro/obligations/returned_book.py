"""A refused workbook goes back with each wrong cell marked: a colour, a note in it, a column of errors."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from lastro.sheets import Issue, cells_stay

HEAD = "erros"
_AUTHOR = "lastro"
_ROW, _CELL = "FFF2CC", "F8B4AE"
"""The colours of the text of the errors and of a wrong cell; the note says the same in words."""

_MOST_WORDS = 30_000
"""A cell holds 32,767 characters, and no more."""


def told(issues: Sequence[Issue], *, heading_row: int | None) -> dict[int, str]:
    """What there is to mend in each row, in words; what is of no row stands with the heads."""
    words: defaultdict[int, list[str]] = defaultdict(list)
    for issue in issues:
        words[issue.row if issue.row is not None else heading_row or 1].append(_words(issue))
    return {row: " | ".join(every)[:_MOST_WORDS] for row, every in words.items()}


def _words(issue: Issue) -> str:
    return (f"coluna {issue.column}: " if issue.column else "") + _seen(issue)


def _seen(issue: Issue) -> str:
    seen = f"encontrado “{issue.found}”" if issue.found else "vazio"
    return f"{seen}; esperado {issue.expected}. {issue.cure}"


def head_joined(text: str, row: int, heading_row: int | None) -> str:
    """On the row of the heads stands the head itself, before what is wrong with that row."""
    if row != (heading_row or 1):
        return text
    return f"{HEAD}: {text}" if text else HEAD


def is_ours(text: object) -> bool:
    """Whether a head is that of the column of an earlier return."""
    return str(text or "") == HEAD or str(text or "").startswith(f"{HEAD}: ")


def returned_workbook(data: bytes, issues: Sequence[Issue], *, sheet: str, heading_row: int | None) -> bytes:
    """The workbook again, its formulas as text, with the marks of these issues and of no earlier ones."""
    import openpyxl

    with cells_stay():
        book = openpyxl.load_workbook(io.BytesIO(data), keep_links=False)
        page = book[sheet] if sheet in book.sheetnames else book.worksheets[0]
        for other in book.worksheets:
            _tidy(other)
        place = _place(page, heading_row)
        _write_errors(page, place, told(issues, heading_row=heading_row), heading_row)
        for issue in issues:
            _mark(page, issue, heading_row)
        book.active = book.worksheets.index(page)
        out = io.BytesIO()
        book.save(out)
    return out.getvalue()


def _tidy(page: Any) -> None:
    """Formulas become text, and the notes and colours of an earlier return go."""
    for cell in page._cells.values():
        if cell.data_type == "f":
            cell.value = str(getattr(cell.value, "text", cell.value))
            cell.data_type = "s"
        note = getattr(cell, "comment", None)
        if note is not None and note.author == _AUTHOR:
            cell.comment = None
            cell.style = "Normal"


def _place(page: Any, heading_row: int | None) -> int:
    """The number of the column for errors: that of an earlier return, emptied, or the one after the last."""
    head = heading_row or 1
    for (row, column), cell in list(page._cells.items()):
        if row == head and is_ours(cell.value):
            for number in [r for r, c in page._cells if c == column]:
                del page._cells[number, column]
            return int(column)
    return int(page.max_column) + 1


def _write_errors(page: Any, place: int, texts: Mapping[int, str], heading_row: int | None) -> None:
    from openpyxl.styles import Alignment, PatternFill

    for number in sorted({heading_row or 1, *texts}):
        cell = page.cell(number, place)
        cell.value = head_joined(texts.get(number, ""), number, heading_row)
        cell.data_type = "s"
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        if number in texts:
            cell.fill = PatternFill("solid", fgColor=_ROW)
    page.column_dimensions[page.cell(1, place).column_letter].width = 70


def _mark(page: Any, issue: Issue, heading_row: int | None) -> None:
    """Colour one wrong cell and say in a note on it what is wrong; a merged one is marked at its first."""
    from openpyxl.comments import Comment
    from openpyxl.styles import PatternFill
    from openpyxl.utils import column_index_from_string

    if not issue.column.isalpha() or not issue.column.isupper() or len(issue.column) > 3:
        return  # a column that is missing has no cell: the heads say so
    row, column = issue.row or heading_row or 1, column_index_from_string(issue.column)
    for span in page.merged_cells.ranges:
        if span.min_row <= row <= span.max_row and span.min_col <= column <= span.max_col:
            row, column = span.min_row, span.min_col
            break
    cell = page.cell(row, column)
    before = f"{cell.comment.text}\n" if cell.comment is not None and cell.comment.author == _AUTHOR else ""
    cell.fill = PatternFill("solid", fgColor=_CELL)
    cell.comment = Comment(before + _seen(issue), _AUTHOR, width=320, height=140)
