"""What stands around the rows of a declaration: the model it was written on, whose it is, of which year.

The model that is handed out says these above its heads. A sheet that says none of them is taken all the
same; one that says something else was made for somebody or something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from lastro.ids import bare, company_of, is_cnpj
from lastro.sheets import Cell, Heading, Issue, Sheet, folded, letter

MODEL = "lastro-declaracao-1"
"""The model that is read; a sheet written on a later one may say more than is understood here."""

MODEL_HEAD, COMPANY_HEAD, YEAR_HEAD = "modelo", "empresa", "ano da declaração"


def frame_issues(sheet: Sheet, heading: Heading, *, company: str, year: int | None) -> Iterator[Issue]:
    """Everything to mend around the rows; `company` is the root of who declares."""
    for number, head, cell in _said(sheet, heading):
        wrong = _judged(head, cell, company, year)
        if wrong is not None:
            expected, cure, code = wrong
            yield Issue(sheet.name, number, cell.column, cell.text[:80], expected, cure, code)
    for name, place in heading.places.items():
        column = letter(place)
        if column in sheet.unseen:
            cure = "Mostre a coluna e confira o que está nela, ou apague-a."
            yield Issue(sheet.name, heading.row.number, column, name, "uma coluna visível", cure)


def _said(sheet: Sheet, heading: Heading) -> Iterator[tuple[int, str, Cell]]:
    """Each head above the rows, with its row and the cell to its right."""
    for row in sheet.rows:
        if row.number >= heading.row.number:
            return
        for head, cell in zip(row.cells, row.cells[1:], strict=False):
            if head and cell:
                yield row.number, folded(head.text), cell


_Wrong = tuple[str, str, str] | None


def _judged(head: str, cell: Cell, company: str, year: int | None) -> _Wrong:
    if head == folded(MODEL_HEAD):
        return _model(cell)
    if head == folded(COMPANY_HEAD):
        return _company(cell, company)
    return _year(cell, year) if head == folded(YEAR_HEAD) else None


def _model(cell: Cell) -> _Wrong:
    if cell.text == MODEL:
        return None
    return f"o modelo {MODEL}", "Baixe o modelo de novo e copie as linhas para ele.", "F06"


def _company(cell: Cell, company: str) -> _Wrong:
    text = bare(cell.text)
    if not is_cnpj(text):
        return "um CNPJ com dígitos verificadores certos", "Confira o número e corrija.", "P01"
    if company_of(text) != company:
        return f"a empresa {company}", "Esta planilha é de outra empresa: envie a sua.", "F09"
    return None


def _year(cell: Cell, year: int | None) -> _Wrong:
    if year is None or cell.text == str(year):
        return None
    return f"{year}", "Escolha, ao enviar, o ano da planilha, ou corrija-o aqui.", ""
