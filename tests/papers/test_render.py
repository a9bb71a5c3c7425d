"""Papers of any kind: the same bytes again, standards that they claim, and text that stays text."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.papers import KINDS, render
from lastro.papers.clean import clean_text
from tests.papers.example import certificate, report
from tests.papers.test_certificate import squeezed, words


def data_of(kind: str) -> dict[str, Any]:
    return certificate(3) if kind == "cre" else report()


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_data_gives_the_same_bytes(kind: str) -> None:
    assert render(kind, data_of(kind)) == render(kind, data_of(kind))


def test_another_process_with_another_clock_and_language_gives_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from lastro.papers import render\nfrom tests.papers.example import certificate\n"
        "sys.stdout.buffer.write(render('cre', certificate(3)))"
    )
    root = str(Path(__file__).resolve().parents[2])
    environment = {"TZ": "Asia/Tokyo", "LANG": "C", "PYTHONPATH": ":".join(sys.path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, root], capture_output=True, check=True, cwd=tmp_path, env=environment
    )
    assert done.stdout == render("cre", certificate(3))


def test_the_file_is_dated_by_its_data() -> None:
    reader = pypdf.PdfReader(io.BytesIO(render("cre", certificate(3))))
    assert reader.metadata is not None
    made = reader.metadata.creation_date
    assert made is not None
    assert made.isoformat() == "2027-03-15T14:20:30+00:00"


def catalog(pdf: bytes) -> Any:
    return pypdf.PdfReader(io.BytesIO(pdf)).trailer["/Root"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_paper_claims_pdf_a_2a_and_pdf_ua_1_and_has_what_they_ask(kind: str) -> None:
    pdf = render(kind, data_of(kind))
    root = catalog(pdf)
    described = root["/Metadata"].get_object().get_data().decode()
    for claim in (
        "<pdfaid:part>2</pdfaid:part>",
        "<pdfaid:conformance>A</pdfaid:conformance>",
        "<pdfuaid:part>1</pdfuaid:part>",
    ):
        assert claim in described
    assert root["/Lang"] == "pt-BR"
    assert root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert root["/OutputIntents"][0].get_object()["/S"] == "/GTS_PDFA1"
    assert b"/Encrypt" not in pdf
    assert b"/JavaScript" not in pdf
    assert b"/JS" not in pdf


def _fonts(pdf: bytes) -> list[Any]:
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return [font.get_object() for page in pages for font in page["/Resources"]["/Font"].values()]


@pytest.mark.parametrize("kind", KINDS)
def test_every_font_is_inside_the_file_and_says_its_letters(kind: str) -> None:
    fonts = _fonts(render(kind, data_of(kind)))
    assert fonts
    for font in fonts:
        below = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        described = below["/FontDescriptor"].get_object()
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(described), font["/BaseFont"]
        assert "/ToUnicode" in font
        assert any(name in font["/BaseFont"] for name in ("Libertinus", "DejaVu"))


def _elements(node: Any) -> list[Any]:
    node = node.get_object()
    if not isinstance(node, dict):
        return []
    children = node.get("/K", [])
    children = children if isinstance(children, list) else [children]
    found = [node] if "/S" in node else []
    return found + [element for child in children for element in _elements(child)]


@pytest.mark.parametrize("kind", KINDS)
def test_who_listens_hears_one_title_headed_tables_and_what_pictures_are(kind: str) -> None:
    elements = _elements(catalog(render(kind, data_of(kind)))["/StructTreeRoot"])
    kinds = [element["/S"] for element in elements]
    assert kinds.count("/H1") == 1
    assert "/TH" in kinds
    figures = [element for element in elements if element["/S"] == "/Figure"]
    assert len(figures) == (1 if kind == "cre" else 0)
    assert all("QR code" in figure["/Alt"] for figure in figures)


def pdfua_findings(pdf: bytes, folder: Path) -> tuple[int, str]:
    """What the checker pdfua says: its exit code, 0 for nothing found, and its answer."""
    program = shutil.which("pdfua", path=str(Path(sys.executable).parent)) or shutil.which("pdfua")
    if program is None:
        pytest.skip("the checker pdfua is not here")
    file = folder / "paper.pdf"
    file.write_bytes(pdf)
    done = subprocess.run([program, "check", str(file), "--format", "json"], capture_output=True, check=False)
    return done.returncode, done.stdout.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_checker_of_pdf_ua_finds_nothing(kind: str, tmp_path: Path) -> None:
    code, said = pdfua_findings(render(kind, data_of(kind)), tmp_path)
    assert code == 0, said


def test_that_checker_does_find_what_is_wrong(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter(io.BytesIO(render("cre", certificate(3))))
    del writer.root_object["/Lang"]
    del writer.root_object["/StructTreeRoot"]
    out = io.BytesIO()
    writer.write(out)
    assert pdfua_findings(out.getvalue(), tmp_path)[0] == 3


MARKS = [
    "#panic(1)",
    '#read("/etc/hostname")',
    "*forte* _ênfase_ $x^2$ `código`",
    "<rótulo> @citação [x] {y} \\ // nada /* tudo */",
    "= Título\n- item\n+ outro",
    '"; #sys.inputs; "',
    "{{7*7}} ${7*7} <script>alert(1)</script> =1+1",
]


@pytest.mark.parametrize("mark", MARKS)
def test_marks_in_names_are_printed_and_not_obeyed(mark: str) -> None:
    data = certificate(1, holder={"name": mark, "cnpj": "x"}, material=mark, notes=[mark])
    data["fields"]["I"] = [[mark, mark]]
    data["invoices"][0]["place"] = mark
    assert squeezed(words(render("cre", data))).count(squeezed(mark)) >= 4


def test_no_mark_turns_the_direction_of_reading_or_hides() -> None:
    assert clean_text("a\u202eb\u200bc\x00d") == "a[U+202E]b[U+200B]c[U+0000]d"
    assert clean_text("linha\numa\tduas\u00a0três") == "linha uma duas três"
    assert clean_text("Sa\u0303o") == "São"
    assert clean_text("ação Ωмега €") == "ação Ωмега €"
    assert clean_text("中😀") == "[U+4E2D][U+1F600]"


@settings(max_examples=40, deadline=None)
@given(text=st.text(st.characters(codec=None), max_size=60))
def test_any_text_at_all_can_be_set(text: str) -> None:
    pdf = render("report", report(title="título", subtitle=text, meta=[[text, text]]))
    assert pdf.startswith(b"%PDF-1.7")


def test_every_letter_that_is_let_through_is_drawn() -> None:
    from lastro.papers import clean

    letters = [chr(code) for first, last in clean._DRAWN for code in range(first, last + 1)]
    text = squeezed(words(render("report", report(subtitle=" ".join(letters)))))
    assert not [letter for letter in letters if letter.strip() and letter not in text]


def test_a_number_is_no_text() -> None:
    with pytest.raises(AssertionError, match="float"):
        render("report", report(subtitle=1.5))


def test_a_moment_without_its_offset_dates_nothing() -> None:
    with pytest.raises(AssertionError, match="offset"):
        render("report", report(created="2027-03-15T10:20:30"))


def test_a_row_shorter_than_its_table_is_refused() -> None:
    section = {"heading": "1", "columns": [{"label": "a"}, {"label": "b"}], "rows": [["x"]]}
    with pytest.raises(AssertionError):
        render("report", report(sections=[section]))
    with pytest.raises(AssertionError, match="no such paper"):
        render("jornal", report())


def test_a_report_says_all_its_cells_notes_and_who_answers(annual: bytes) -> None:
    text = squeezed(words(annual))
    data = report()
    for section in data["sections"]:
        for cell in [cell for row in section["rows"] for cell in row]:
            assert squeezed(cell) in text
        assert all(squeezed(note) in text for note in section["notes"])
        assert squeezed(section["heading"]) in text
    assert "Nenhumalinha." in text
    assert all(squeezed(value) in text for pair in data["meta"] for value in pair)
    assert squeezed(data["signatures"][0]["role"]) in text
