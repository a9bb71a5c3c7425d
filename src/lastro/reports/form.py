"""A document by what its norm asks: parts told by who answers, targets settled by the norm, checks, and gaps.

Comes in: a document of facts and the norm. Goes out: a data set. What is missing is listed and keeps
the document from being handed in; it is never zero. Of the targets of several companies only sums leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from lastro.facts import Basis
from lastro.ids import masked
from lastro.lawkit import Regulation
from lastro.lawkit.contents import Check, Field, Part, Told
from lastro.obligations import Position, settle
from lastro.reports.cells import Block, Cell, DataSet, Row, Section, rows_of
from lastro.reports.facts_source import FactsDocument, bases_of, marks_of, ruled
from lastro.reports.form_file import SUFFIX, Filled, read
from lastro.reports.form_targets import targets
from lastro.reports.words import column, known, word
from lastro.units import Mass, Money


def parse(regulation: Regulation, kind: str, text: str, *, today: date) -> DataSet:
    """Read a document and make its data set. Raises JsonRefused naming every place that has to be mended."""
    return dataset(regulation, kind, read(regulation, kind, text), FactsDocument.of(text.encode()), on=today)


def dataset(
    regulation: Regulation, kind: str, filled: Filled, document: FactsDocument, *, on: date
) -> DataSet:
    """The document as data; `on` is the day by which rows of targets have to be loaded."""
    positions = _positions(regulation, filled, on)
    pen = _Form(regulation, filled, document, positions)
    basis = Basis.OFFICIAL
    for position in positions:
        basis = basis.worst(position.basis)
    return DataSet(
        kind=kind, norm=regulation.norm.path, norm_title=regulation.norm.short_title,
        entity=filled.cnpj, entity_name=filled.name, year=filled.year, basis=basis,
        sections=tuple(pen.sections()), blocks=tuple(pen.blocks()), bases=bases_of(basis),
        marks=marks_of(regulation),
    )  # fmt: skip


def _positions(regulation: Regulation, filled: Filled, on: date) -> tuple[Position, ...]:
    if filled.facts is None:
        return ()
    return tuple(
        position
        for company in filled.facts.companies
        for position in settle(regulation, company, year=filled.year, targets=filled.facts.targets, as_of=on)
    )


@dataclass(frozen=True)
class _Form:
    """Writes the sections of one document."""

    regulation: Regulation
    filled: Filled
    document: FactsDocument
    positions: tuple[Position, ...]

    @property
    def checks(self) -> tuple[Check, ...]:
        judges = self.filled.contents.judges
        law = self.regulation.law(date(self.filled.year, 12, 31))
        return judges(law, self.filled.rows) if judges else ()

    def sections(self) -> Iterator[Section]:
        yield self._identification()
        for part in self.filled.contents.parts:
            yield self._lines(part) if part.many else self._line(part)
        if self.filled.contents.targets:
            article = self.filled.contents.articles["targets"]
            yield targets(self.positions, article=article, place=self.document.at("facts"))
        if self.filled.contents.judges:
            yield self._checked()

    def blocks(self) -> Iterator[Block]:
        """Everything that is missing, every check that does not hold and stops, every target not known."""
        for part in self.filled.contents.parts:
            yield from self._gaps(part)
        if self.filled.contents.targets and self.filled.facts is None:
            yield Block("T02", "targets", f"faltam os fatos das metas ({self._article('targets')})")
        for code, text in dict.fromkeys((p.code, p.message) for p in self.positions if p.code):
            yield Block(code, "targets", text)
        for check in self.checks:
            if check.stops and check.met is False:
                name, _, n = check.key.partition(".")
                line = f", linha {n}" if n else ""
                why = "falta" if check.code == "T02" else "não confere"
                text = f"{word('label', name)}{line}: {why} ({check.article})"
                yield Block(check.code, "checks", text)

    def _article(self, part: str) -> str:
        return self.filled.contents.articles[part]

    def _gaps(self, part: Part) -> Iterator[Block]:
        rows, section = self.filled.rows[part.key], word("section", part.key)
        if part.many and len(rows) < part.least:
            yield Block("T02", part.key, f"{section}: nenhuma linha, e se pede ao menos uma ({part.article})")
        for n, row in enumerate(rows, 1):
            line = f", linha {n}" if part.many else ""
            for field in part.fields:
                if _lacks(field, row):
                    text = f"{section}{line}: falta {_label(part, field)} ({part.article})"
                    yield Block("T02", f"{part.key}.{n}", text)

    def _identification(self) -> Section:
        one, at = self.filled, self.document.at
        pairs = [
            ("reporter", Cell(masked(one.cnpj), "text", at("entity.cnpj"))),
            ("name", Cell(one.name, "text", at("entity.name"))),
            ("year", Cell(one.year, "year", at("year"))),
        ]
        if one.contents.due is not None:
            pairs.append(("due", Cell(one.contents.due, "date", ruled(self.regulation.norm.short_title))))
        pairs.append(("norm", Cell(self.regulation.norm.short_title)))
        return Section("identification", ("value",), rows_of(pairs))

    def _cell(self, field: Field, row: Mapping[str, Told], place: str) -> Cell:
        value, unit = row[field.name], field.unit
        if unit in ("cnpj", "degrees", "code"):
            value, unit = None if value is None else masked(str(value)), "text"
        if unit == "word":
            unit = "label" if known(str(value)) else "text"
        key = field.name + SUFFIX.get(field.unit, "")
        return Cell(value, unit, self.document.at(f"{place}.{key}"), "T02" if _lacks(field, row) else "")

    def _line(self, part: Part) -> Section:
        (row,) = self.filled.rows[part.key]
        pairs = [(field.name, self._cell(field, row, part.key)) for field in part.fields]
        return Section(part.key, ("value",), rows_of(pairs), part.article)

    def _lines(self, part: Part) -> Section:
        rows = self.filled.rows[part.key]
        made = [
            Row(
                str(n),
                {field.name: self._cell(field, row, f"{part.key}[{n - 1}]") for field in part.fields},
            )
            for n, row in enumerate(rows, 1)
        ]
        if part.sums and rows:
            made.append(self._sum(part, rows))
        columns = tuple(field.name for field in part.fields)
        notes = () if rows else ("Nada foi informado.",)
        return Section(part.key, columns, tuple(made), part.article, notes)

    def _sum(self, part: Part, rows: Sequence[Mapping[str, Told]]) -> Row:
        """The sum of each column that adds up; a column with a gap has none."""
        cells: dict[str, Cell] = {}
        for field in part.fields:
            cells[field.name] = Cell(None, field.unit)
            if field.name in part.sums:
                value = added([row[field.name] for row in rows])
                code = "T02" if value is None else ""
                cells[field.name] = Cell(value, field.unit, self.document.at(part.key), code)
        first = part.fields[0].name
        if first not in part.sums:
            cells[first] = Cell("total", "label")
        return Row("total", cells)

    def _checked(self) -> Section:
        rows = []
        for check in self.checks:
            name, _, n = check.key.partition(".")
            source = ruled(check.article)
            code = "T02" if check.found is None else ""
            cells = {
                "check": Cell(name, "label", source),
                "line": Cell(int(n) if n else None, "count", source),
                "found": Cell(check.found, check.unit, source, code),
                "asked": Cell(check.asked, check.unit, source),
                "holds": Cell(check.met, "flag", source, _said(check)),
                "article": Cell(check.article, "text", source),
            }
            rows.append(Row(check.key, cells))
        notes = () if rows else ("Nada a conferir.",)
        columns = ("check", "line", "found", "asked", "holds", "article")
        return Section("checks", columns, tuple(rows), "", notes)


def _said(check: Check) -> str:
    """The code beside a check: that it cannot be told, or what is wrong where it does not hold."""
    if check.met is None:
        return check.code or "T02"
    return "" if check.met else check.code


def _lacks(field: Field, row: Mapping[str, Told]) -> bool:
    """Whether a line lacks a field that it needs; another may stand in its place."""
    if not field.needed or row[field.name] is not None:
        return False
    return not field.instead or row[field.instead] is None


def _label(part: Part, field: Field) -> str:
    head = column(part.key, field.name) if part.many else word("row", field.name)
    return f"“{head}”"


def added(values: Sequence[Told]) -> Mass | Money | int | None:
    """The sum of masses, of amounts or of counts; None where one of them is missing."""
    if any(value is None for value in values):
        return None
    if all(isinstance(value, Mass) for value in values):
        return Mass(sum(value.mg for value in values if isinstance(value, Mass)))
    if all(isinstance(value, Money) for value in values):
        return Money(sum(value.cents for value in values if isinstance(value, Money)))
    return sum(int(value) for value in values if isinstance(value, int))
