"""A company's declaration of what it placed on the market, read from a sheet: whole or not at all.

Quantities are kilograms, kept in whole milligrams. A quantity that is missing is not zero (T02); an empty
`returnable_kg` says that no returnable packaging is claimed. UF `BR` is the mass of the whole country, which
a norm may apportion.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from lastro.facts import Placement
from lastro.ids import Material, company_of
from lastro.obligations.declare_cells import Wrong, value
from lastro.obligations.declare_frame import frame_issues
from lastro.sheets import Head, Heading, Issue, Row, Sheet, cells_stay, find_heading, read
from lastro.units import ZERO

HEADS = (
    Head("year", ("ano",), required=True),
    Head("material", (), required=True),
    Head("uf", ("estado",), required=True),
    Head("mass_kg", ("massa_kg", "massa (kg)", "massa"), required=True),
    Head("returnable_kg", ("retornavel_kg", "retornável (kg)", "retornavel")),
    Head("establishment", ("estabelecimento", "cnpj", "cnpj do estabelecimento")),
)
MOST_ISSUES = 1_000

Scope = tuple[str | None, int]


@dataclass
class Declared:
    """What a declaration says, by establishment (None: the whole company) and year; and what is to mend."""

    parts: dict[Scope, list[Placement]] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    untold: int = 0
    sheet: str = ""
    heading_row: int | None = None

    def wrong(self, issue: Issue) -> None:
        if len(self.issues) < MOST_ISSUES:
            self.issues.append(issue)
        else:
            self.untold += 1

    @property
    def placements(self) -> Iterable[Placement]:
        return (p for rows in self.parts.values() for p in rows)


def read_declaration(
    name: str,
    data: bytes,
    *,
    company: str,
    today: date,
    registered: frozenset[Material] | None = None,
    year: int | None = None,
) -> Declared:
    """Read the declaration of a company (its root, or any of its CNPJs). Nothing of it counts with an issue.

    `registered` are the materials of the company's registration (F10 for others); None where it names none.
    `year` is the only one that may be declared; None for any. Raises LastroError if the file can't be opened
    at all.
    """
    with cells_stay():
        return _declared(name, data, company=company, today=today, registered=registered, year=year)


def _declared(
    name: str,
    data: bytes,
    *,
    company: str,
    today: date,
    registered: frozenset[Material] | None,
    year: int | None,
) -> Declared:
    declared = Declared()
    found = _sheet(declared, read(name, data))
    if found is None:
        return declared
    sheet, heading = found
    declared.sheet, declared.heading_row = sheet.name, heading.row.number
    _judge_heading(declared, sheet, heading)
    for issue in frame_issues(sheet, heading, company=company_of(company), year=year):
        declared.wrong(issue)
    if heading.missing:
        return declared
    reader = _Reader(declared, sheet, heading, company_of(company), today, registered, year)
    for row in sheet.rows:
        if row.number > heading.row.number and row:
            reader.take(row)
    reader.end()
    return declared


def _sheet(declared: Declared, sheets: tuple[Sheet, ...]) -> tuple[Sheet, Heading] | None:
    """The one visible sheet that looks like a declaration."""
    seen = [(s, h) for s in sheets if not s.hidden and (h := find_heading(s, HEADS)) is not None]
    whole = [(s, h) for s, h in seen if not h.missing] or seen
    if len(whole) == 1:
        return whole[0]
    names = "year (ano), material, uf, mass_kg (massa_kg)"
    if not whole:
        cure = "Escreva o cabeçalho acima da primeira linha, numa planilha visível."
        declared.sheet = next((s.name for s in sheets if not s.hidden), "")
        declared.wrong(Issue(declared.sheet, None, "", "", f"um cabeçalho com {names}", cure, "F07"))
    else:
        found = ", ".join(s.name for s, _ in whole)
        declared.sheet = whole[0][0].name
        cure = "Deixe no arquivo uma só planilha de declaração."
        declared.wrong(Issue(declared.sheet, None, "", found, "uma só planilha", cure, "F07"))
    return None


def _judge_heading(declared: Declared, sheet: Sheet, heading: Heading) -> None:
    number = heading.row.number or None
    for name in heading.missing:
        cure = f"Acrescente a coluna {name}."
        declared.wrong(Issue(sheet.name, number, name, "", f"a coluna {name}", cure, "F07"))
    for cell in heading.twice:
        cure = "Deixe uma só coluna com este nome."
        declared.wrong(Issue(sheet.name, number, cell.column, cell.text, "cada coluna uma vez", cure, "F07"))


@dataclass
class _Reader:
    """Takes row after row of one sheet; each thing that is wrong in a row is one issue."""

    declared: Declared
    sheet: Sheet
    heading: Heading
    company: str
    today: date
    registered: frozenset[Material] | None = None
    year: int | None = None
    _rows: int = 0
    _seen: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _first: dict[tuple[int, bool], Row] = field(default_factory=dict)

    def take(self, row: Row) -> None:
        if not any(self.heading.cell(row, head.name) for head in HEADS):
            return
        self._rows += 1
        if row.hidden:
            self._issue(row, "", "a linha oculta", "linhas visíveis", "Mostre-a, ou apague-a.")
        told = {head.name: self._value(row, head) for head in HEADS}
        if _LACKING in told.values():
            return
        if self.year is not None and told["year"] != self.year:
            cure = f"Esta declaração é de {self.year}: o que é de outro ano se declara no ano dele."
            self._wrong_cell(row, "year", f"{self.year}", cure)
            return
        if told["mass_kg"] < told["returnable_kg"]:
            cure = "O retornável é parte da massa: corrija um dos dois."
            self._wrong_cell(row, "returnable_kg", f"no máximo {told['mass_kg']}", cure)
            return
        placement = Placement(
            told["year"],
            told["material"],
            told["uf"],
            told["mass_kg"],
            told["returnable_kg"],
            national=told["uf"] == "BR",
        )
        self._keep(row, told["establishment"], placement)

    def end(self) -> None:
        """What only all the rows can tell: that there are some, and that each year is declared in one way."""
        if not self._rows:
            cure = "Escreva uma linha por material; quem nada colocou declara massa 0."
            self.declared.wrong(Issue(self.sheet.name, None, "", "", "ao menos uma linha", cure, "T02"))
        for (year, whole), row in self._first.items():
            other = self._first.get((year, not whole))
            if other is not None and other.number < row.number:
                cure = f"A linha {other.number} declara {year} de outro modo (por inteiro ou por partes)."
                self._wrong_cell(row, "establishment", "um só modo em cada ano", cure)

    def _keep(self, row: Row, establishment: str | None, placement: Placement) -> None:
        key = (establishment, placement.year, placement.material, placement.uf)
        before = self._seen.setdefault(key, row.number)
        if before != row.number:
            cure = f"Já está na linha {before}: some as duas, ou apague a repetida."
            self._wrong_cell(row, "material", "cada material uma vez por ano e UF", cure)
            return
        self._first.setdefault((placement.year, establishment is None), row)
        self.declared.parts.setdefault((establishment, placement.year), []).append(placement)

    def _value(self, row: Row, head: Head) -> Any:
        """What a cell says, or _LACKING after its issue was noted."""
        cell = self.heading.cell(row, head.name)
        try:
            if cell:
                return value(
                    head.name, cell, company=self.company, today=self.today, registered=self.registered
                )
            if span := self.sheet.covered(row.number, cell.column) if cell.column else "":
                cure = f"Desfaça a mesclagem {span} e escreva o valor em cada linha."
                raise Wrong("células separadas", cure, "F07")
            if head.required:
                raise Wrong("um valor", "Preencha: o que falta não é zero.", "T02")
        except Wrong as wrong:
            self._issue(row, cell.column or head.name, cell.text, wrong.expected, wrong.cure, wrong.code)
            return _LACKING
        return ZERO if head.name == "returnable_kg" else None

    def _wrong_cell(self, row: Row, name: str, expected: str, cure: str) -> None:
        cell = self.heading.cell(row, name)
        self._issue(row, cell.column or name, cell.text, expected, cure)

    def _issue(self, row: Row, column: str, found: str, expected: str, cure: str, code: str = "") -> None:
        self.declared.wrong(Issue(self.sheet.name, row.number, column, found[:80], expected, cure, code))


_LACKING = object()
