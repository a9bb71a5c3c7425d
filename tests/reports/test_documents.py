"""Documents made from facts: PDF, sheets and JSON say the same, and every number has a source."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections import Counter
from datetime import date

import openpyxl
import pytest
from click.testing import CliRunner

from lastro.cli import app
from lastro.delivery import files
from lastro.lawkit import library
from lastro.lawkit.glossary import glossary
from lastro.papers import KINDS
from lastro.reports.cells import DataSet
from lastro.reports.desk import Heading
from lastro.reports.words import column, has, said
from lastro.units import Mass, Money
from tests.reports.documents import EXAMPLES, RUNS, changed, make
from tests.reports.worlds import DEAR

HEADING = Heading(date(2027, 3, 1))
_NUMBER = re.compile(r"(?<![\d.,])-?\d{1,3}(?:\.\d{3})*(?:,\d+)?(?![\d.,]|%)")


def written(data: DataSet) -> dict[str, bytes]:
    return {name.rpartition(".")[2]: body for name, body in files()(data, HEADING).items()}


def numbers(data: DataSet) -> list[Mass | Money]:
    return [cell.value for _, cell in data.cells() if isinstance(cell.value, Mass | Money)]


@pytest.fixture(scope="module", params=sorted(RUNS))
def data(request) -> DataSet:
    return make(request.param)


def test_every_name_has_a_word(data):
    assert has("report", data.kind)
    assert data.kind in KINDS
    for section in data.sections:
        assert has("section", section.key), section.key
        for name in section.columns:
            assert column(section.key, name) != name, name
        for row in section.rows:
            if section.columns == ("value",):
                assert has("row", row.key.partition(".")[0]), row.key
            for cell in row.cells.values():
                if cell.unit == "label" and cell.value is not None:
                    assert has("label", str(cell.value)) or cell.value in glossary(), cell.value


def test_the_three_say_the_same(data, tmp_path):
    if not shutil.which("pdftotext"):
        pytest.skip("poppler is not here (Debian: poppler-utils)")
    made = written(data)
    read = json.loads(made["json"])
    cells = [cell for s in read["sections"] for row in s["rows"] for cell in row["cells"].values()]
    told = Counter(("mg", c["mass_mg"]) for c in cells if "mass_mg" in c)
    told += Counter(("cents", c["cents"]) for c in cells if "cents" in c)
    wanted = Counter(("mg", n.mg) if isinstance(n, Mass) else ("cents", n.cents) for n in numbers(data))
    assert told == wanted
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(made["pdf"])
    done = subprocess.run(["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True)
    shown = Counter(_NUMBER.findall(done.stdout))
    on_paper = Counter(said(c) for _, c in data.cells() if isinstance(c.value, Mass | Money) and not c.code)
    assert not on_paper - shown
    assert Counter(sheet_cells(made["xlsx"])) >= Counter(
        c.json()["value"] for _, c in data.cells() if isinstance(c.value, Mass | Money)
    )


def sheet_cells(body: bytes) -> list[str]:
    """Every number of the sheets, as the JSON writes masses and amounts."""
    book = openpyxl.load_workbook(io.BytesIO(body))
    found = []
    for page in book.worksheets[1:-1]:
        for row in page.iter_rows(min_row=2):
            for cell in row:
                if isinstance(cell.value, int | float):
                    text = repr(cell.value)
                    found += [text.removesuffix(".0"), f"{cell.value:.2f}"]
    return found


def test_every_number_knows_where_it_comes_from(data):
    for path, cell in data.cells():
        if isinstance(cell.value, Mass | Money) or cell.code:
            assert cell.provenance, path
            assert all(one.digest or one.article for one in cell.provenance), path


def test_the_same_facts_give_the_same_bytes(data):
    assert written(data) == written(data)


def test_every_page_says_that_nothing_was_submitted(data):
    assert "from_facts" in data.marks
    assert ("draft" in data.marks) == (data.norm == "br/minuta_metal_2022")


def test_a_name_is_never_a_formula(tmp_path):
    def rename(facts):
        facts["organisations"][0]["name"] = DEAR

    data = changed("bolsa/trimestre", tmp_path, rename)
    book = openpyxl.load_workbook(io.BytesIO(written(data)["xlsx"]))
    cells = [cell for page in book.worksheets for row in page.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value == DEAR} == {"s"}
    assert not [cell for cell in cells if cell.data_type == "f" or cell.hyperlink]


def test_each_document_of_a_norm_has_an_example():
    asked = {(one.norm.path, kind) for one in library.every() for kind in one.documents}
    assert asked - set(RUNS.values()) == {("br/minuta_metal_2022", "ministry-report")}


def run(*words: str):
    return CliRunner().invoke(app, ["--today", "2027-03-01", "report", "document", *words])


def test_the_verb_writes_three_files_and_says_what_blocks(tmp_path):
    name = "documentos/desempenho_incompleto"
    norm, kind = RUNS[name]
    done = run(norm, kind, str(EXAMPLES / f"{name}.json"), "--out", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".json", ".pdf", ".xlsx"]
    assert "Impede a entrega (T02)" in done.output


def test_the_verb_names_the_documents_of_the_norm():
    done = run("mg/decreto_45975_2012", "rar", str(EXAMPLES / "bolsa/trimestre.json"))
    assert "quarter-memory, transfers" in str(done.exception)
