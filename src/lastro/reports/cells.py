"""What a report is made of: cells that know where their value comes from.

A source says how to find again, to the row, what a number was made of: a filter over a hash chain up to a
height, the number of a declaration, a row of the registry, an article. Chains and tables only grow, so the
same source finds the same rows for ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from lastro.facts import Basis
from lastro.jsonfile import spelled
from lastro.units import ExactMass, Mass, Money, Share

Value = Mass | ExactMass | Share | Money | Fraction | int | str | date | bool | None


@dataclass(frozen=True)
class Source:
    """Where to look: a kind, a name or filter within it, how many rows, and a digest of them.

    Kinds: `entries` and `lots` (of an entity's chain up to the height `through`), `declaration`, `registry`,
    `targets`, `verdicts`, `statement`, `sample`, `rule` (an article, with a digest of the traces), `input`,
    `facts` (a place in a document of facts, with the document's digest).
    """

    kind: str
    ref: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    count: int = 1
    digest: str = ""
    article: str = ""
    through: int | None = None

    def content(self) -> dict[str, Any]:
        """The source as data, without the height: a chain that grew elsewhere changes nothing here."""
        made = {
            "kind": self.kind, "ref": self.ref, "where": dict(self.where), "count": self.count,
            "digest": self.digest, "article": self.article,
        }  # fmt: skip
        return {name: value for name, value in made.items() if value not in ("", {})}

    def json(self) -> dict[str, Any]:
        """The source as it is written in a file."""
        return self.content() | ({} if self.through is None else {"through": self.through})


@dataclass(frozen=True)
class Cell:
    """One value of a report, its unit (kg, share, brl, number, text, date …), and what it is made of.

    `value` None is not zero: `code` says why there is none (T01, T02 …). A code beside a value is a warning.
    """

    value: Value
    unit: str = "text"
    provenance: tuple[Source, ...] = ()
    code: str = ""

    def json(self) -> dict[str, Any]:
        """The cell as data: a mass is whole milligrams and kilograms, money cents and reais."""
        out: dict[str, Any] = {"value": _plain(self.value), "unit": self.unit}
        if isinstance(self.value, Mass):
            out["mass_mg"] = self.value.mg
        if isinstance(self.value, Money):
            out["cents"] = self.value.cents
        if self.code:
            out["code"] = self.code
        return out


@dataclass(frozen=True)
class Row:
    """One line of a section: a name that stays the same from one making to the next, and cells by column."""

    key: str
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Section:
    """One table of a report: columns by name, rows, the article that asks for it, and what is said beside."""

    key: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    article: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Block:
    """Something that keeps a report from being submitted: a code of the catalogue, and what was seen."""

    code: str
    where: str
    text: str

    def json(self) -> dict[str, str]:
        return {"code": self.code, "where": self.where, "text": self.text}


@dataclass(frozen=True)
class DataSet:
    """A whole report as data: every output of it (PDF, sheets, JSON) is written from this alone.

    `quarter` where it is not of a whole year. `marks` are warnings for every page, by name, in place of the
    one that says preview: a report made from a document of facts is neither preview nor submitted.
    """

    kind: str
    norm: str
    norm_title: str
    entity: str
    entity_name: str
    year: int
    basis: Basis
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...] = ()
    bases: tuple[Basis, ...] = ()  # every basis other than the official one that it leans on
    quarter: int | None = None
    marks: tuple[str, ...] = ()

    def section(self, key: str) -> Section:
        """The section of that name. Raises KeyError if there is none."""
        for one in self.sections:
            if one.key == key:
                return one
        raise KeyError(key)

    def cell(self, path: str) -> Cell:
        """The cell at `section/row/column`. Raises KeyError if there is none."""
        section, _, rest = path.partition("/")
        row, _, column = rest.rpartition("/")
        for one in self.section(section).rows:
            if one.key == row:
                return one.cells[column]
        raise KeyError(path)

    def cells(self) -> Iterator[tuple[str, Cell]]:
        """Every cell with its path, in order."""
        for section in self.sections:
            for row in section.rows:
                for column, cell in row.cells.items():
                    yield f"{section.key}/{row.key}/{column}", cell

    @property
    def digest(self) -> str:
        """What a report says and stands on, as one digest; the day it was made plays no part."""
        return digest_of(
            {
                "head": [self.kind, self.norm, self.entity, self.year, self.basis.value, *self._aside()],
                "cells": [
                    [path, cell.json(), [source.content() for source in cell.provenance]]
                    for path, cell in self.cells()
                ],
                "notes": [[one.key, list(one.notes)] for one in self.sections],
                "blocks": [block.json() for block in self.blocks],
            }
        )

    def _period(self) -> dict[str, Any]:
        quarter = {} if self.quarter is None else {"quarter": self.quarter}
        return quarter | ({"marks": list(self.marks)} if self.marks else {})

    def _aside(self) -> list[Any]:
        """What only some reports say in their head."""
        return [part for part in (self.quarter, *self.marks) if part is not None]

    def json(self) -> dict[str, Any]:
        """The report as data; cells name their sources by number, so that none is written twice."""
        numbers: dict[str, int] = {}
        sources: list[dict[str, Any]] = []
        sections = []
        for section in self.sections:
            rows = [
                {
                    "key": row.key,
                    "cells": {
                        name: cell.json()
                        | {"sources": [_numbered(s, numbers, sources) for s in cell.provenance]}
                        for name, cell in row.cells.items()
                    },
                }
                for row in section.rows
            ]
            sections.append(
                {
                    "key": section.key,
                    "article": section.article or None,
                    "columns": list(section.columns),
                    "rows": rows,
                    "notes": list(section.notes),
                }
            )
        return {
            "report": self.kind, "norm": self.norm, "entity": self.entity, "entity_name": self.entity_name,
            "year": self.year, **self._period(), "basis": self.basis.value,
            "bases": [b.value for b in self.bases],
            "digest": self.digest, "blocks": [block.json() for block in self.blocks], "sections": sections,
            "sources": sources,
        }  # fmt: skip


def combined(
    kind: str, ref: str, *, through: int, parts: Iterable[tuple[int, str]], **where: Any
) -> tuple[Source, ...]:
    """Groups of rows (count, digest) told as one source, with the filter that finds them all again.

    Nothing at all is a source too: the filter that finds no row.
    """
    parts = sorted(parts, key=lambda part: part[1])
    asked = {name: value for name, value in where.items() if value is not None}
    digest = digest_of([digest for _, digest in parts])
    return (Source(kind, ref, asked, sum(count for count, _ in parts), digest, through=through),)


def digest_of(value: Any) -> str:
    """SHA-256 of a value's canonical JSON."""
    return hashlib.sha256(spelled(value)).hexdigest()


def rows_of(pairs: Sequence[tuple[str, Cell]]) -> tuple[Row, ...]:
    """A section of names and values, one row each, in the single column `value`."""
    return tuple(Row(key, {"value": cell}) for key, cell in pairs)


def _numbered(source: Source, numbers: dict[str, int], sources: list[dict[str, Any]]) -> int:
    name = digest_of(source.json())
    if name not in numbers:
        numbers[name] = len(sources)
        sources.append(source.json())
    return numbers[name]


def _plain(value: Value) -> Any:
    if isinstance(value, Mass):
        return value.kg_text
    if isinstance(value, ExactMass):
        return str(value.mg / 1_000_000)
    if isinstance(value, Share):
        return str(value.of_one * 100)
    if isinstance(value, Money):
        return value.brl_text
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    return value
