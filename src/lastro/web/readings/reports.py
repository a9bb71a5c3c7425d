"""The annual report as a page: its tables in words, its versions, and what changed since."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro import delivery
from lastro.facts import Refusal
from lastro.reports import words
from lastro.reports.cells import Row, Section
from lastro.reports.changes import Change
from lastro.reports.desk import Case, State
from lastro.reports.standing import Version
from lastro.web import office
from lastro.web.readings.dashboard import report_due

_MOST_ROWS = 60
"""A page shows so many rows of a table; the whole stands in the files."""


@dataclass(frozen=True)
class CellShown:
    """A cell in words, and the address of what it is made of."""

    text: str
    path: str
    right: bool


@dataclass(frozen=True)
class Table:
    """A section in words."""

    title: str
    article: str
    heads: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[CellShown, ...], ...]
    left_out: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class ReportShown:
    """Everything that the page of a report shows."""

    state: State
    tables: tuple[Table, ...]
    statements: tuple[Version, ...]
    due: date | None
    changes: tuple[str, ...]
    since_preview: tuple[str, ...]


def case(norm: str, entity: str, year: int) -> Case:
    """Which report: as things are known today."""
    return delivery.case_of(office.site().data, norm=norm, entity=entity, year=year, today=office.today())


def shown(asked: Case) -> ReportShown:
    """The report as things stand."""
    state = delivery.report_state(office.store(), asked)
    return ReportShown(
        state=state,
        tables=tuple(table_of(section) for section in state.data.sections if section.rows),
        statements=tuple(delivery.statements(office.store(), asked)),
        due=report_due(asked.norm, asked.year),
        changes=tuple(str(change) for change in state.since_version[:40]),
        since_preview=tuple(str(change) for change in state.since_preview[:40]),
    )


def table_of(section: Section) -> Table:
    units = {name: cell.unit for row in section.rows for name, cell in row.cells.items()}
    numbers = {name for name, unit in units.items() if unit in ("kg", "share", "count")}
    named = section.columns == ("value",)
    heads = [(words.column(section.key, name), name in numbers) for name in section.columns]
    return Table(
        title=words.word("section", section.key),
        article=section.article,
        heads=(*([("Item", False)] if named else []), *heads),
        rows=tuple(_row(section, row, numbers, named=named) for row in section.rows[:_MOST_ROWS]),
        left_out=max(0, len(section.rows) - _MOST_ROWS),
        notes=section.notes,
    )


def _row(section: Section, row: Row, numbers: Collection[str], *, named: bool) -> tuple[CellShown, ...]:
    made = [CellShown(words.row_name(row.key), "", False)] if named else []
    for name in section.columns:
        cell = row.cells.get(name)
        path = f"{section.key}/{row.key}/{name}" if cell and cell.provenance else ""
        text = words.said(cell, column=name) if cell else ""
        made.append(CellShown(text, path, name in numbers))
    return tuple(made)


def statements_of(asked: Case, verifier: str) -> list[Version]:
    """The statements that a verifier issued on an entity's year, oldest first."""
    return [one for one in delivery.statements(office.store(), asked) if one.verifier == verifier]


def why(refusal: Refusal) -> Mapping[str, Sequence[str]]:
    """What changed or what blocks, line by line."""
    return {
        "changes": [str(Change.read(change)) for change in refusal.detail.get("changes", ())][:40],
        "blocks": [f"{block['code']}: {block['text']}" for block in refusal.detail.get("blocks", ())][:40],
    }


def file_name(asked: Case, digest: str) -> str:
    """The name of a file of this report's versions or statements; empty when it is none of theirs."""
    store = office.store()
    versions = [*delivery.report_state(store, asked).versions, *delivery.statements(store, asked)]
    named = {sha: name for version in versions for name, sha in version.files.items()}
    return named.get(digest, "")


@dataclass(frozen=True)
class MadeOf:
    """A number, and the rows it is made of."""

    path: str
    text: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    left_out: int


def made_of(asked: Case, cell: str) -> MadeOf | None:
    """What the number of a cell is made of; None if the report has no such cell."""
    try:
        data, rows = delivery.made_of(office.store(), asked, cell)
        found = data.cell(cell)
    except KeyError:
        return None
    heads = tuple(dict.fromkeys(name for row in rows for name in row))
    listed = tuple(tuple(row.get(name, "") for name in heads) for row in rows[:500])
    return MadeOf(cell, words.said(found), heads, listed, max(0, len(rows) - 500))
