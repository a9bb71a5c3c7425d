"""PDF, sheets and JSON are written from one data set and say the same; nothing in a name is obeyed."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import zipfile
from collections import Counter
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import openpyxl
import pytest

from lastro.delivery import files
from lastro.reports.cells import Cell, DataSet
from lastro.reports.desk import Heading
from lastro.reports.paper import MOST_COLUMNS, MOST_ROWS, paper
from lastro.reports.words import said
from lastro.units import MG_PER_KG, Mass
from lastro.workbooks import workbook
from tests.reports.worlds import BAKER, DEAR, fill, report

HEADING = Heading(date(2027, 3, 15))
_NUMBER = re.compile(r"(?<![\d.,])-?\d{1,3}(?:\.\d{3})*(?:,\d+)?(?![\d.,]|%)")


@pytest.fixture(scope="module")
def store(module_base):
    from lastro.stores.postgres import Store

    store = Store(module_base.conninfo())
    fill(store)
    yield store
    store.close()


@pytest.fixture(scope="module")
def data(store) -> DataSet:
    return report(store)


@pytest.fixture(scope="module")
def made(data) -> dict[str, bytes]:
    return {name.rpartition(".")[2]: body for name, body in files()(data, HEADING).items()}


def masses(data: DataSet) -> Counter[int]:
    return Counter(c.value.mg for _, c in data.cells() if isinstance(c.value, Mass))


def test_the_json_has_every_mass_to_the_milligram(data, made):
    read = json.loads(made["json"])
    cells = [cell for s in read["sections"] for row in s["rows"] for cell in row["cells"].values()]
    assert Counter(cell["mass_mg"] for cell in cells if "mass_mg" in cell) == masses(data)
    assert (read["status"], read["digest"], read["basis"]) == ("preview", data.digest, "test")
    assert all(n < len(read["sources"]) for cell in cells for n in cell["sources"])


def sheet_masses(body: bytes) -> Counter[int]:
    """Every mass that a workbook holds as a number under a head in kilograms."""
    book = openpyxl.load_workbook(io.BytesIO(body))
    found: Counter[int] = Counter()
    for page in book.worksheets[1:-1]:
        heads = [str(cell.value) for cell in page[1]]
        for row in page.iter_rows(min_row=2, max_col=len(heads)):
            for head, cell in zip(heads, row, strict=True):
                if head.endswith("(kg)") and isinstance(cell.value, int | float):
                    found[int(Decimal(repr(cell.value)) * MG_PER_KG)] += 1
    return found


def test_the_sheets_have_every_mass_to_the_milligram(data, made):
    assert sheet_masses(made["xlsx"]) == masses(data)


def test_the_paper_has_every_mass(data, made, tmp_path):
    pdf = tmp_path / "rar.pdf"
    pdf.write_bytes(made["pdf"])
    if not shutil.which("pdftotext"):
        pytest.skip("poppler is not here (Debian: poppler-utils)")
    done = subprocess.run(["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True)
    shown = Counter(_NUMBER.findall(done.stdout))
    wanted = Counter(said(Cell(Mass(mg), "kg")) for mg in masses(data).elements())
    assert not wanted - shown
    close = "".join(done.stdout.split())
    for words in ("TESTE", "PRÉVIA", "METASILUSTRATIVAS", "Metaseatingimento", "nãocumprida"):
        assert words in close, words


def test_the_page_has_what_the_data_set_has(data):
    page = paper(data, HEADING)
    cells = [text for section in page["sections"] for row in section["rows"] for text in row]
    for _, cell in data.cells():
        if cell.unit in ("kg", "share") and cell.value is not None:
            assert said(cell) in cells
    assert all(len(section["columns"]) <= MOST_COLUMNS for section in page["sections"])
    assert page["sections"][0]["heading"] == "Pendências que impedem a entrega"


def test_the_same_data_gives_the_same_bytes(data, made):
    again = {name.rpartition(".")[2]: body for name, body in files()(data, HEADING).items()}
    assert again == made


def test_a_name_is_never_a_formula(data, made):
    assert data.cell(f"members/{BAKER}.2025-08-01/name").value == DEAR
    book = openpyxl.load_workbook(io.BytesIO(made["xlsx"]))
    cells = [cell for page in book.worksheets for row in page.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value == DEAR} == {"s"}
    assert not [cell for cell in cells if cell.data_type == "f" or cell.hyperlink]
    with zipfile.ZipFile(io.BytesIO(made["xlsx"])) as parts:
        sheets = [parts.read(name).decode() for name in parts.namelist() if "worksheets/sheet" in name]
    assert not [text for text in sheets if "<f>" in text]


def test_every_cell_of_the_ledger_stands_on_the_sheet_of_provenance(data, made):
    book = openpyxl.load_workbook(io.BytesIO(made["xlsx"]), read_only=True)
    rows = list(book["Proveniência"].iter_rows(min_row=2, values_only=True))
    told = {row[0] for row in rows}
    assert told == {path for path, cell in data.cells() if cell.provenance}
    (line,) = [row for row in rows if row[0] == "recovered/glass/certificates"]
    assert (line[1], line[4]) == ("40", "entries")
    assert json.loads(line[6]) == {"material": "glass", "way": "certificates"}


def test_dates_are_dates(made):
    book = openpyxl.load_workbook(io.BytesIO(made["xlsx"]))
    values = [row[3] for row in book["Aderentes"].iter_rows(min_row=2, max_row=4, values_only=True)]
    assert values == [datetime(2025, 8, 1)] * 3


def test_a_submitted_version_says_so_and_no_preview_band(data):
    heading = Heading(date(2027, 8, 2), 2, "", "ana", "correção", "rectification")
    page = paper(data, heading)
    assert page["bands"] == ["RETIFICAÇÃO", "METAS ILUSTRATIVAS — SEM VALOR LEGAL"]
    assert ["Versão", "2"] in page["meta"]
    assert ["Motivo", "correção"] in page["meta"]
    assert "Pendências" not in page["sections"][0]["heading"]


def test_english_words_and_numbers(data):
    page = paper(data, HEADING, lang="en")
    assert page["title"].startswith("Annual results report")
    (section,) = [s for s in page["sections"] if s["heading"] == "Mass placed on the market"]
    assert section["rows"][0][2] == "1,500.000001"


def test_libreoffice_reads_the_same_masses(data, made, tmp_path):
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        pytest.skip("LibreOffice is not here (Debian: libreoffice-calc)")
    source = tmp_path / "rar.xlsx"
    source.write_bytes(made["xlsx"])
    home, out = f"-env:UserInstallation=file://{tmp_path / 'office'}", tmp_path / "out"
    subprocess.run(
        [office, home, "--headless", "--convert-to", "xlsx", "--outdir", out, source],
        check=True, capture_output=True, timeout=180,
    )  # fmt: skip
    again = (out / "rar.xlsx").read_bytes()
    assert sheet_masses(again) == masses(data)
    book = openpyxl.load_workbook(io.BytesIO(again))
    cells = [cell for page in book.worksheets for row in page.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert DEAR in {cell.value for cell in cells}


def test_a_long_table_is_cut_on_paper_and_whole_on_the_sheet(data):
    section = data.section("recovered")
    rows = tuple(replace(section.rows[0], key=f"r{n}") for n in range(MOST_ROWS + 1))
    long = replace(data, sections=(replace(section, rows=rows),))
    (page,) = [s for s in paper(long, HEADING)["sections"] if s["heading"] == "Massa recuperada"]
    assert len(page["rows"]) == MOST_ROWS
    assert page["notes"][0].startswith("O papel mostra 1000 de 1001 linhas")
    book = openpyxl.load_workbook(io.BytesIO(workbook(long, HEADING)), read_only=True)
    assert len(list(book["Massa recuperada"].iter_rows(min_row=2, max_row=MOST_ROWS + 2))) == MOST_ROWS + 1
