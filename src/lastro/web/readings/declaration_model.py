"""The workbook in which a company declares: handed out with its name, its year and what already stands."""

from __future__ import annotations

import io
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from lastro.ids import masked
from lastro.lawkit.glossary import label
from lastro.obligations.declare_frame import COMPANY_HEAD, MODEL, MODEL_HEAD, YEAR_HEAD
from lastro.units import Mass
from lastro.web.readings.declaration import Line, materials, places
from lastro.workbooks.write import DIGITS

_HEADS = ("ano", "material", "uf", "massa_kg", "retornavel_kg", "estabelecimento")
_FIRST_ROW = 6
_BLANK_ROWS = 500
_GUIDE = (
    "Uma linha por material e UF; o que não se colocou no mercado declara-se com massa 0.",
    "Massa em quilogramas, sem unidade: 1355,9 ou 1.355,90. Célula vazia não é zero.",
    "Use BR em “uf” só para a massa do país inteiro, quando a norma a reparte.",
    "“retornavel_kg” é a parte da massa que está em embalagem retornável; vazio, não se alega nenhuma.",
    "“estabelecimento” só se a declaração é por estabelecimento; vazio, a linha é da empresa inteira.",
    "Sem fórmulas, sem células mescladas, sem linhas ou colunas ocultas.",
    "O arquivo se aceita inteiro, ou volta com as células erradas marcadas e uma coluna “erros”.",
)


def model(party: str, year: int, standing: Sequence[Line]) -> bytes:
    """A workbook to be filled in; what stands declared is already in it, to be changed."""
    import xlsxwriter

    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(out, options)
    page = book.add_worksheet("Declaração")
    bold = book.add_format({"bold": True, "bg_color": "#EDF5FF", "border": 1})
    page.write_string(
        0, 0, "Declaração da massa de embalagens colocada no mercado", book.add_format({"bold": True})
    )
    page.write_string(1, 0, MODEL_HEAD)
    page.write_string(1, 1, MODEL)
    page.write_string(2, 0, COMPANY_HEAD)
    page.write_string(2, 1, masked(party))
    page.write_string(3, 0, YEAR_HEAD)
    page.write_number(3, 1, year)
    page.write_row(_FIRST_ROW - 1, 0, _HEADS, bold)
    _rows(page, year, standing)
    _lists(page, party)
    page.freeze_panes(_FIRST_ROW, 0)
    page.set_column(0, 0, 18)
    page.set_column(1, 1, 24)
    page.set_column(2, 2, 8)
    page.set_column(3, 5, 20)
    guide = book.add_worksheet("Como preencher")
    guide.set_column(0, 0, 110)
    for n, line in enumerate(_GUIDE):
        guide.write_string(n, 0, line)
    book.close()
    return out.getvalue()


def _rows(page: Any, year: int, standing: Sequence[Line]) -> None:
    for n, line in enumerate(standing, start=_FIRST_ROW):
        p = line.placement
        page.write_number(n, 0, year)
        page.write_string(n, 1, label(p.material.value))
        page.write_string(n, 2, p.uf)
        _mass(page, n, 3, p.mass)
        if p.returnable.mg:
            _mass(page, n, 4, p.returnable)
        if line.establishment:
            page.write_string(n, 5, masked(line.establishment))


def _mass(page: Any, row: int, column: int, mass: Mass) -> None:
    """The exact kilograms; as text where a spreadsheet would round them."""
    exact = Decimal(mass.mg).scaleb(-6)
    if len(exact.normalize().as_tuple().digits) <= DIGITS:
        page.write_number(row, column, exact)
    else:
        page.write_string(row, column, f"{exact:f}".replace(".", ","))


def _lists(page: Any, party: str) -> None:
    """Materials and places are offered to be picked; what is pasted over them is judged all the same."""
    last = _FIRST_ROW + _BLANK_ROWS
    words = [label(value) for value, _ in materials(party)]
    page.data_validation(
        _FIRST_ROW, 1, last, 1, {"validate": "list", "source": words, "error_type": "warning"}
    )
    page.data_validation(
        _FIRST_ROW, 2, last, 2, {"validate": "list", "source": places(), "error_type": "warning"}
    )
