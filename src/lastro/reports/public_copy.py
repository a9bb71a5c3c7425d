"""The copy of a report that the public sees: sections marked secret, with their ground, are not in it.

A mark hides the section that it names, and with it the figures of every check; the authority reads the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lastro.reports.cells import Cell, DataSet, Row, Section

SECRETS = "secrets"
HIDDEN = Cell("hidden", "label")
PUBLIC = "public"
_TELLING = ("found", "asked")


def public_copy(data: DataSet) -> DataSet:
    """The same report without what is secret. A report that knows no secrets is public as it is."""
    keys = {section.key for section in data.sections}
    if SECRETS not in keys:
        return data
    secret = {str(row.cells["section"].value) for row in data.section(SECRETS).rows}
    sections = tuple(_shown(section, secret) for section in data.sections)
    return replace(data, sections=sections, marks=(PUBLIC, *data.marks))


def _shown(section: Section, secret: set[str]) -> Section:
    if section.key in secret:
        rows = tuple(_hidden(row, row.cells) for row in section.rows)
        return replace(section, rows=rows, notes=())
    if section.key == "checks" and secret:
        told = ({name: row.cells[name] for name in _TELLING} for row in section.rows)
        return replace(section, rows=tuple(map(_hidden, section.rows, told)))
    return section


def _hidden(row: Row, which: Mapping[str, Cell]) -> Row:
    """A line whose told cells are hidden; how many lines there are is no secret, their names are."""
    cells = {name: HIDDEN if name in which else cell for name, cell in row.cells.items()}
    return Row(row.key, cells)
