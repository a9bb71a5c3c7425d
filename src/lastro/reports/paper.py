"""A data set as a page: headings, tables of text, notes: what a typesetter takes, with nothing to decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from lastro.facts import Basis
from lastro.ids import masked
from lastro.lawkit.glossary import label
from lastro.reports.cells import DataSet, Row, Section
from lastro.reports.desk import Heading
from lastro.reports.words import column, row_name, said, word

MOST_COLUMNS = 8
"""What a page holds side by side; a wider table goes on in a second one that repeats its first column."""

MOST_ROWS = 1000
"""How many lines of a table go on paper; where there are more, the sheets and the JSON have them all."""

_NUMBERS = ("kg", "share", "count", "year", "brl", "number")


def paper(data: DataSet, heading: Heading, *, lang: str = "pt") -> dict[str, Any]:
    """The page of a report (see `lastro.papers`, kind "report"); all values are text."""
    sections = [part for section in data.sections for part in _section(section, lang)]
    if data.blocks and heading.version is None:
        sections.insert(0, _blocks(data, lang))
    return {
        "title": title(data, lang),
        "subtitle": subtitle(data, lang),
        "created": f"{heading.made_on.isoformat()}T12:00:00-04:00",
        "basis": data.basis.value,
        "number": heading.number,
        "meta": _meta(data, heading, lang),
        "bands": bands(data, heading, lang),
        "sections": sections,
        "seal": data.digest,
    }


def title(data: DataSet, lang: str = "pt") -> str:
    """The report's title with its norm."""
    return f"{word('report', data.kind, lang)} — {data.norm_title}"


def subtitle(data: DataSet, lang: str = "pt") -> str:
    """Whose report it is, and of which year or quarter."""
    period = str(data.year)
    if data.quarter is not None:
        period = word("head", "quarter", lang).format(quarter=data.quarter, year=data.year)
    return " · ".join(part for part in (data.entity_name, masked(data.entity), period) if part)


def bands(data: DataSet, heading: Heading, lang: str = "pt") -> list[str]:
    """What every page warns of, beside the basis that the typesetter prints itself."""
    found = [word("head", mark, lang) for mark in data.marks]
    if heading.version is None and not data.marks:
        found = [word("head", "preview", lang)]
    if heading.mark:
        found.append(word("head", heading.mark, lang))
    if Basis.ILLUSTRATIVE in data.bases and data.basis is not Basis.ILLUSTRATIVE:
        found.append(word("head", "illustrative", lang))
    return found


def _meta(data: DataSet, heading: Heading, lang: str) -> list[list[str]]:
    day = _day(heading.made_on, lang)
    first = "made_on" if heading.version is None else "submitted_on"
    rows = [[word("head", first, lang), day]]
    if heading.number:
        rows.append([column("", "number", lang), heading.number])
    if heading.version is not None:
        rows.append([word("head", "version", lang), str(heading.version)])
        rows.append([word("head", "by", lang), masked(heading.by)])
    if heading.reason:
        rows.append([word("head", "reason", lang), heading.reason])
    rows.append([word("head", "basis", lang), label(data.basis.value, lang=lang)])
    rows.append([word("head", "digest", lang), data.digest])
    return rows


def _day(day: date, lang: str) -> str:
    return f"{day:%d/%m/%Y}" if lang == "pt" else day.isoformat()


def _blocks(data: DataSet, lang: str) -> dict[str, Any]:
    return {
        "heading": word("section", "blocks", lang),
        "text": "",
        "columns": [{"label": column("", name, lang), "align": "left"} for name in ("code", "text")],
        "rows": [[block.code, block.text] for block in data.blocks],
        "notes": [],
    }


def _section(section: Section, lang: str) -> Iterator[dict[str, Any]]:
    """A section as one table, or as several that repeat the first column where it is too wide for a page."""
    heading = word("section", section.key, lang)
    text = f"{word('head', 'article', lang)}: {section.article}." if section.article else ""
    parts = list(_parts(section))
    for n, names in enumerate(parts, 1):
        last = n == len(parts)
        yield {
            "heading": heading if n == 1 else f"{heading} ({word('head', 'continued', lang)})",
            "text": text if n == 1 else "",
            # A section without a line says why in its note.
            "columns": _columns(section, names, lang) if section.rows or not section.notes else [],
            "rows": [_row(section, row, names, lang) for row in section.rows[:MOST_ROWS]] if names else [],
            "notes": [*_cut(section, lang), *section.notes] if last else [],
        }


def _parts(section: Section) -> Iterator[tuple[str, ...]]:
    first, rest = section.columns[:1], section.columns[1:]
    if not rest:
        yield first
    for start in range(0, len(rest), MOST_COLUMNS - 1):
        yield first + rest[start : start + MOST_COLUMNS - 1]


def _columns(section: Section, names: tuple[str, ...], lang: str) -> list[dict[str, str]]:
    listed = section.columns == ("value",)
    head = [{"label": column("", "item", lang), "align": "left"}] if listed else []
    return head + [
        {"label": column(section.key, name, lang), "align": "left" if listed else _side(section, name)}
        for name in names
    ]


def _side(section: Section, name: str) -> str:
    units = {row.cells[name].unit for row in section.rows if name in row.cells}
    return "right" if units and units <= set(_NUMBERS) else "left"


def _cut(section: Section, lang: str) -> list[str]:
    """That a table is longer than the paper shows, and where the rest stands."""
    if len(section.rows) <= MOST_ROWS:
        return []
    return [word("head", "cut", lang).format(shown=MOST_ROWS, rows=len(section.rows))]


def _row(section: Section, row: Row, names: tuple[str, ...], lang: str) -> list[str]:
    head = [row_name(row.key, lang)] if section.columns == ("value",) else []
    return head + [_short(said(row.cells[name], column=name, lang=lang), name) for name in names]


def _short(text: str, name: str) -> str:
    """Long words for a narrow column: keys in groups of four, digests by their beginning.

    The sheets and the JSON have both whole.
    """
    if name == "access_key":
        return " ".join(text[n : n + 4] for n in range(0, len(text), 4))
    return f"{text[:16]}…" if name == "content" and len(text) > 16 else text
