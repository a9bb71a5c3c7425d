"""A data set as sheets: numbers are numbers where a spreadsheet holds them exactly, else text."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lastro.facts import Basis
from lastro.lawkit.glossary import label
from lastro.reports.cells import Cell, DataSet, Section, Source
from lastro.reports.desk import Heading
from lastro.reports.paper import bands, subtitle, title
from lastro.reports.words import column, has, row_name, said, word
from lastro.units import MG_PER_KG, ExactMass, Mass, Money, Share

LONGEST = 32_767
"""How many characters a cell holds (ECMA-376)."""

DIGITS = 15
"""How many decimal digits a spreadsheet's number keeps without loss (IEEE 754 double)."""

_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
_PROVENANCE = (
    "cell",
    "value",
    "unit",
    "code",
    "kind",
    "ref",
    "where",
    "count",
    "through",
    "digest",
    "article",
)
_WIDEST = 60
_A4 = 9


def workbook(data: DataSet, heading: Heading, *, lang: str = "pt") -> bytes:
    """The report as a workbook: a cover, a sheet for each section, and the sheet of provenance."""
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, _OPTIONS)
    book.set_properties(
        {"title": title(data, lang), "created": datetime.combine(heading.made_on, time(12)), "author": ""}
    )
    pen = _Pen(book, lang)
    _cover(pen, data, heading)
    for section in data.sections:
        _sheet(pen, section)
    _provenance(pen, data)
    book.close()
    return out.getvalue()


class _Pen:
    """Writes one sheet after another, each cell by its unit, each text as text."""

    def __init__(self, book: Any, lang: str) -> None:
        self.book, self.lang = book, lang
        self._formats: dict[str, Any] = {}
        self.head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        self.strong = book.add_format({"bold": True, "font_size": 14})
        self.warning = book.add_format({"bold": True, "font_color": "#9C0006"})
        self.quiet = book.add_format({"italic": True, "font_color": "#555555"})
        self.page: Any = None
        self.widths: dict[int, int] = {}

    def sheet(self, name: str) -> None:
        self.page = self.book.add_worksheet(name[:31])
        self.page.set_landscape()
        self.page.set_paper(_A4)
        self.page.fit_to_pages(1, 0)
        self.widths = {}

    def text(self, row: int, place: int, words: str, form: Any = None, *, wide: bool = True) -> None:
        """Text, and nothing else, whatever sign it begins with; what no cell can hold is cut and says so."""
        if len(words) > LONGEST:
            words = f"{words[: LONGEST - 40]}… ({len(words)})"
        self.page.write_string(row, place, words, form)
        if wide:
            self._widen(place, words)

    def cell(self, row: int, place: int, cell: Cell, name: str) -> None:
        number, decimals = exact_number(cell)
        words = said(Cell(cell.value, cell.unit, (), cell.code if cell.value is None else ""), column=name,
                     lang=self.lang)  # fmt: skip
        if isinstance(cell.value, date):
            self.page.write_datetime(row, place, cell.value, self._format("dd/mm/yyyy"))
        elif number is None:
            self.text(row, place, words, wide=False)
        else:
            self.page.write_number(row, place, number, self._format(_number_format(cell, decimals)))
        self._widen(place, words)
        if cell.code and cell.value is not None:
            self.page.write_comment(row, place, cell.code)

    def widen(self) -> None:
        """Give each column the room that its longest text asks for."""
        for place, width in self.widths.items():
            self.page.set_column(place, place, min(width + 2, _WIDEST))

    def _widen(self, place: int, words: str) -> None:
        self.widths[place] = max(self.widths.get(place, 8), len(words))

    def _format(self, pattern: str) -> Any:
        if pattern not in self._formats:
            self._formats[pattern] = self.book.add_format({"num_format": pattern})
        return self._formats[pattern]


def exact_number(cell: Cell) -> tuple[Decimal | None, int]:
    """The number a spreadsheet can hold exactly, with its decimals; None when it has to be text."""
    value = cell.value
    if isinstance(value, bool) or value is None:
        return None, 0
    if isinstance(value, Mass):
        return _held(Fraction(value.mg, MG_PER_KG))
    if isinstance(value, ExactMass):
        return _held(value.mg / MG_PER_KG)
    if isinstance(value, Share):
        return _held(value.of_one)
    if isinstance(value, Money):
        return _held(Fraction(value.cents, 100))
    if isinstance(value, int | Fraction):
        return _held(Fraction(value))
    return None, 0


def _held(value: Fraction) -> tuple[Decimal | None, int]:
    decimals = next((n for n in range(DIGITS + 1) if (value * 10**n).denominator == 1), None)
    if decimals is None or len(str(abs((value * 10**decimals).numerator)).rstrip("0") or "0") > DIGITS:
        return None, 0
    return Decimal((value * 10**decimals).numerator).scaleb(-decimals), decimals


def _number_format(cell: Cell, decimals: int) -> str:
    if isinstance(cell.value, Share):
        decimals = max(0, decimals - 2)
        return "0" + ("." + "0" * decimals if decimals else "") + "%"
    if isinstance(cell.value, Money):
        decimals = 2
    if cell.unit == "year":
        return "0"
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def _cover(pen: _Pen, data: DataSet, heading: Heading) -> None:
    pen.sheet(word("report", data.kind, pen.lang))
    pen.text(0, 0, title(data, pen.lang), pen.strong, wide=False)
    pen.text(1, 0, subtitle(data, pen.lang), wide=False)
    row = 2
    warnings = bands(data, heading, pen.lang)
    if data.basis is not Basis.OFFICIAL:
        warnings.append(label(data.basis.value, lang=pen.lang).upper())
    for text in warnings:
        pen.text(row, 0, text, pen.warning, wide=False)
        row += 1
    status = "made_on" if heading.version is None else "submitted_on"
    facts = [(word("head", status, pen.lang), heading.made_on.isoformat())]
    facts += [(column("", "number", pen.lang), heading.number)] if heading.number else []
    if heading.version is not None:
        facts.append((word("head", "version", pen.lang), str(heading.version)))
        facts.append((word("head", "by", pen.lang), heading.by))
    facts += [(word("head", "reason", pen.lang), heading.reason)] if heading.reason else []
    facts.append((word("head", "basis", pen.lang), label(data.basis.value, lang=pen.lang)))
    facts.append((word("head", "digest", pen.lang), data.digest))
    for n, (name, value) in enumerate(facts, row + 1):
        pen.text(n, 0, name)
        pen.text(n, 1, value)
    if data.blocks:
        _list_blocks(pen, data, row + len(facts) + 2)
    pen.widen()


def _list_blocks(pen: _Pen, data: DataSet, row: int) -> None:
    pen.text(row, 0, word("section", "blocks", pen.lang), pen.head, wide=False)
    for n, block in enumerate(data.blocks, row + 1):
        pen.text(n, 0, block.code)
        pen.text(n, 1, block.text, wide=False)


def _sheet(pen: _Pen, section: Section) -> None:
    pen.sheet(word("sheet" if has("sheet", section.key) else "section", section.key, pen.lang))
    listed = section.columns == ("value",)
    heads = [column("", "item", pen.lang)] if listed else []
    heads += [column(section.key, name, pen.lang) for name in section.columns]
    for place, text in enumerate(heads):
        pen.text(0, place, text, pen.head)
    for n, row in enumerate(section.rows, 1):
        if listed:
            pen.text(n, 0, row_name(row.key, pen.lang))
        for place, name in enumerate(section.columns, len(heads) - len(section.columns)):
            pen.cell(n, place, row.cells[name], name)
    pen.page.freeze_panes(1, 0)
    pen.page.repeat_rows(0)
    beside = [section.article, *section.notes] if section.article else list(section.notes)
    for n, text in enumerate(beside, len(section.rows) + 2):
        pen.text(n, 0, text, pen.quiet, wide=False)
    pen.widen()


def _provenance(pen: _Pen, data: DataSet) -> None:
    """For every cell, where its value comes from; a cell of several sources has a line for each."""
    pen.sheet(word("section", "provenance", pen.lang))
    for place, name in enumerate(_PROVENANCE):
        pen.text(0, place, column("", name, pen.lang), pen.head)
    row = 1
    for path, cell in data.cells():
        for source in cell.provenance:
            for place, text in enumerate(_trail(path, cell, source)):
                pen.text(row, place, text)
            row += 1
    pen.page.freeze_panes(1, 1)
    pen.page.repeat_rows(0)
    pen.widen()


def _trail(path: str, cell: Cell, source: Source) -> Sequence[str]:
    plain = cell.json()["value"]
    return (
        path,
        "" if plain is None else str(plain),
        cell.unit,
        cell.code,
        source.kind,
        source.ref,
        json.dumps(dict(source.where), ensure_ascii=False) if source.where else "",
        str(source.count),
        "" if source.through is None else str(source.through),
        source.digest,
        source.article,
    )
