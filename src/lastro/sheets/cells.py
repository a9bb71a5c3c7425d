"""What a table is made of: cells, rows, sheets, and what there is to mend in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_END = 1 << 40


@dataclass(frozen=True)
class Cell:
    """One cell: its text, trimmed, and what kind of thing was in it."""

    text: str = ""
    column: str = ""
    kind: str = "text"  # "text" | "number" | "date" | "bool" | "formula" | "other" | "empty"

    def __bool__(self) -> bool:
        return self.kind != "empty"


@dataclass(frozen=True)
class Row:
    """One row, with the number that a person sees beside it."""

    number: int
    cells: tuple[Cell, ...]
    hidden: bool = False

    def __bool__(self) -> bool:
        return any(self.cells)


@dataclass(frozen=True)
class Sheet:
    """One sheet of a workbook, a whole csv file, or one list of a json file."""

    name: str
    rows: tuple[Row, ...]
    hidden: bool = False
    merged: tuple[str, ...] = ()
    source: str = "csv"  # "xlsx" | "csv" | "json"
    unseen: frozenset[str] = frozenset()
    """The letters of the columns that are hidden."""

    def covered(self, row: int, column: str) -> str:
        """The merged range that a cell is part of, or nothing."""
        spans = self._spans.get(_index(column), ())
        at = bisect_right(spans, (row, _END, "")) - 1
        return spans[at][2] if at >= 0 and row <= spans[at][1] else ""

    @cached_property
    def _spans(self) -> dict[int, list[tuple[int, int, str]]]:
        """The merged ranges of each column, by their first row: a sheet may have very many of them."""
        found: dict[int, list[tuple[int, int, str]]] = {}
        for span in self.merged:
            first, last = span.split(":")
            low, high = _split(first), _split(last)
            for column in range(_index(low[0]), _index(high[0]) + 1):
                found.setdefault(column, []).append((low[1], high[1], span))
        return {column: sorted(spans) for column, spans in found.items()}


@dataclass(frozen=True)
class Issue:
    """One thing to mend in a table: where it is, what was found and expected, and how to cure it."""

    sheet: str
    row: int | None
    column: str
    found: str
    expected: str
    cure: str
    code: str = ""

    def __str__(self) -> str:
        where = ", ".join(
            part
            for part in (
                f"planilha {self.sheet}" if self.sheet else "",
                f"linha {self.row}" if self.row is not None else "",
                f"coluna {self.column}" if self.column else "",
            )
            if part
        )
        seen = f"“{self.found}”" if self.found else "nada"
        return f"{where}: encontrado {seen}; esperado {self.expected}. {self.cure}"

    def as_json(self) -> dict[str, str | int | None]:
        """The issue for a program, with the names that findings use."""
        return {**vars(self), "code": self.code or None}


def letter(index: int) -> str:
    """The letter of a column counted from zero: 0 is A, 26 is AA."""
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(65 + rest) + text
    return text


def _split(reference: str) -> tuple[str, int]:
    column = re.match(r"[A-Z]+", reference)
    assert column is not None, "a reference begins with a column"
    return column.group(), int(reference[column.end() :])


def _index(column: str) -> int:
    number = 0
    for char in column:
        number = number * 26 + ord(char) - 64
    return number
