"""Invented manifests and certificates: well-formed, the same each time, and nobody's."""

from __future__ import annotations

import datetime as dt
import io
import json
from decimal import Decimal

import openpyxl
import pytest
from pypdf import PdfReader

from lastro.sample import waste
from lastro.sample.digits import cnpj
from lastro.sample.pdf import pdf_bytes

PARTIES = cnpj("ZZGER001"), cnpj("ZZREC001")
LOAD = waste.Load("150101", "Embalagens (de papel)", "1.50", "1.450")
TRIP = waste.Trip("240001460711", *PARTIES, dt.date(2026, 3, 2), (LOAD, LOAD), received=dt.date(2026, 3, 3))
DAYS = (dt.date(2026, 3, 1), dt.date(2026, 3, 31), dt.date(2026, 4, 10))
PAPER = waste.Paper("1/2026", *PARTIES, *DAYS, (LOAD,), tuple(f"{n:012d}" for n in range(7)))


def test_quantities_stand_in_the_json_with_the_digits_given() -> None:
    made = json.loads(waste.json_bytes(waste.manifest(TRIP)), parse_float=Decimal)
    first = made["listaManifestoResiduo"][0]
    assert (str(first["marQuantidade"]), str(first["marQuantidadeRecebida"])) == ("1.50", "1.450")
    assert first["marDensidade"] is None


def test_an_instant_is_a_day_of_brasilia() -> None:
    made = json.loads(waste.json_bytes(waste.manifest(TRIP)))
    moment = dt.datetime.fromtimestamp(made["manData"] / 1000, dt.timezone(dt.timedelta(hours=-3)))
    assert moment.date() == dt.date(2026, 3, 2)


def test_a_report_has_a_row_for_each_residue() -> None:
    book = openpyxl.load_workbook(io.BytesIO(waste.report_bytes(waste.report_rows([TRIP]))))
    rows = list(book.worksheets[0].iter_rows(min_row=3, values_only=True))
    assert rows[0] == waste.REPORT_HEADS
    assert len(rows) == 3
    assert rows[1][waste.REPORT_HEADS.index("Quantidade Recebida")] == "1,450"


@pytest.mark.parametrize("layout", ["sinir", "state"])
def test_a_printed_certificate_opens_and_shows_every_number(layout: str) -> None:
    data = waste.certificate_pdf(PAPER, layout=layout)
    assert data == waste.certificate_pdf(PAPER, layout=layout)
    text = PdfReader(io.BytesIO(data), strict=True).pages[0].extract_text()
    assert all(number in text for number in PAPER.manifests)
    assert "Embalagens (de papel)" in text
    assert "1,450" in text


def test_rows_go_over_to_the_next_page() -> None:
    pages = PdfReader(io.BytesIO(pdf_bytes([[(40, f"linha {n}")] for n in range(100)])), strict=True).pages
    assert len(pages) == 3
    assert "linha 99" in pages[2].extract_text()
