"""Where a table begins: the row of its heads, wherever a person has put it, and which column is which."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lastro.sheets.cells import Cell, Row, Sheet

_SEARCHED = 30
"""How many rows may stand above the heads: titles, logos, empty rows."""


def folded(text: str) -> str:
    """A head as it is compared: small letters, no accents, one underscore between words."""
    flat = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", flat).strip("_")


@dataclass(frozen=True)
class Head:
    """A column that a table may have, with the other names that people give it."""

    name: str
    aliases: tuple[str, ...] = ()
    required: bool = False

    @property
    def names(self) -> frozenset[str]:
        return frozenset(folded(n) for n in (self.name, *self.aliases))


@dataclass(frozen=True)
class Heading:
    """The heads as found: their row, the place of each known one, and what is unknown, missing or twice."""

    row: Row
    places: Mapping[str, int]
    unknown: tuple[Cell, ...] = ()
    missing: tuple[str, ...] = ()
    twice: tuple[Cell, ...] = ()

    def cell(self, row: Row, name: str) -> Cell:
        """The cell of a row under a head; an empty one where the row or the column ends before."""
        place = self.places.get(name)
        if place is None:
            return Cell(kind="empty")
        if place < len(row.cells):
            return row.cells[place]
        return Cell(column=self.row.cells[place].column, kind="empty")


def find_heading(sheet: Sheet, heads: Sequence[Head]) -> Heading | None:
    """The row that holds most of the heads, among the first rows; None if no row holds any."""
    best: Heading | None = None
    for row in sheet.rows[:_SEARCHED]:
        seen = _read_heading(row, heads)
        if seen.places and (best is None or len(seen.places) > len(best.places)):
            best = seen
    return best


def _read_heading(row: Row, heads: Sequence[Head]) -> Heading:
    places: dict[str, int] = {}
    unknown, twice = [], []
    for place, cell in enumerate(row.cells):
        if not cell:
            continue
        name = next((h.name for h in heads if folded(cell.text) in h.names), None)
        if name is None:
            unknown.append(cell)
        elif name in places:
            twice.append(cell)
        else:
            places[name] = place
    missing = tuple(h.name for h in heads if h.required and h.name not in places)
    return Heading(row, places, tuple(unknown), missing, tuple(twice))
