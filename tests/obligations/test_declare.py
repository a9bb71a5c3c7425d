"""A declaration is taken whole or sent back with its errors, and a number is never read two ways."""

import csv
import io
import json
from datetime import date

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.facts import Placement
from lastro.ids import Material, cnpj_check_digits
from lastro.obligations.declare import read_declaration
from lastro.obligations.returned import with_errors
from lastro.sheets import Ambiguous, Cell, decimal
from lastro.units import Mass, portuguese


def cnpj(base: str, branch: str = "0001") -> str:
    return base + branch + cnpj_check_digits(base + branch)


COMPANY, OTHER = cnpj("ZZMAKE01"), cnpj("ZZMAKE02")
TODAY = date(2026, 11, 30)
HEADS = "ano;material;uf;massa_kg;retornavel_kg\n"


def declared(name, data, *, company=COMPANY):
    if isinstance(data, str):
        data = data.encode()
    return read_declaration(name, data, company=company, today=TODAY)


def rows(*lines):
    return declared("d.csv", HEADS + "\n".join(lines) + "\n")


def workbook(*lines, change=None):
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append(line)
    if change:
        change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_three_formats_say_the_same():
    expected = {(None, 2025): [Placement(2025, Material.GLASS, "MT", Mass.kg("1355.9"), Mass.kg("0.25"))]}
    assert rows("2025;Vidro;mt;1.355,90;0,25").parts == expected
    book = workbook(
        ["year", "material", "uf", "mass_kg", "returnable_kg"], [2025, "glass", "MT", 1355.9, 0.25]
    )
    assert declared("d.xlsx", book).parts == expected
    row = {"year": 2025, "material": "glass", "uf": "MT", "mass_kg": "1355.90", "returnable_kg": 0.25}
    assert declared("d.json", json.dumps([row])).parts == expected


@pytest.mark.parametrize(
    ("written", "mass"),
    [
        ("1355.90", "1355.90"),
        ("1.355,90", "1355.90"),
        ("1355,90", "1355.90"),
        ("1.355.900", "1355900"),
        ("0.355", "0.355"),
        ("1,355", "1.355"),
        ("1355.000", "1355"),
        ("0", "0"),
    ],
)
def test_brazilian_and_plain_numbers_are_read_exactly(written, mass):
    found = rows(f"2025;vidro;MT;{written};")
    assert found.issues == []
    assert [p.mass for p in found.placements] == [Mass.kg(mass)]


@pytest.mark.parametrize(
    "written", ["1.355", "12.000", "999.999", "1,355.90", "1.35.5", "abc", "10 kg", "1e3", "NaN", "١٢", "--1"]
)
def test_what_reads_two_ways_or_none_is_refused_with_words(written):
    found = rows(f"2025;vidro;MT;{written};")
    assert [(i.row, i.column) for i in found.issues] == [(2, "D")]
    assert found.parts == {}
    if written == "1.355":
        assert "1355" in found.issues[0].cure
        assert "1,355" in found.issues[0].cure


@given(st.integers(0, 10**15))
def test_a_mass_written_the_brazilian_way_is_never_read_as_another(mg):
    text = portuguese(Mass(mg).kg_text)
    try:
        read_back = decimal(Cell(text, "A", "text"))
    except Ambiguous:
        assert text.count(".") == 1
        assert "," not in text
    else:
        assert read_back * 1_000_000 == mg


@pytest.mark.parametrize(
    ("line", "column", "code"),
    [
        (";vidro;MT;1;", "A", "T02"),
        ("25;vidro;MT;1;", "A", ""),
        ("2009;vidro;MT;1;", "A", ""),
        ("2027;vidro;MT;1;", "A", ""),
        ("2025;madeira;MT;1;", "B", ""),
        ("2025;metais;MT;1;", "B", ""),
        ("2025;vidro;XX;1;", "C", ""),
        ("2025;vidro;MT;;", "D", "T02"),
        ("2025;vidro;MT;-1;", "D", "M02"),
        ("2025;vidro;MT;0,0000001;", "D", "M04"),
        ("2025;vidro;MT;100000000001;", "D", "M03"),
        ("2025;vidro;MT;10;10,000001", "E", ""),
    ],
)
def test_each_fault_is_one_issue_in_its_place(line, column, code):
    found = rows(line)
    assert [(i.row, i.column, i.code) for i in found.issues] == [(2, column, code)]


def test_near_misses_are_taken():
    found = rows("2010;vidro;MT;1;1", "2026;aço;MT;100000000000;", "2025;vidro;BR;0;", ";;;;")
    assert found.issues == []
    assert [p.national for p in found.placements] == [False, False, True]


def test_a_material_stands_once_a_year_and_place():
    found = rows("2025;vidro;MT;1;", "2025;glass;MT;2;", "2024;vidro;MT;3;", "2025;vidro;SP;4;")
    assert [i.row for i in found.issues] == [3]


def test_a_year_is_declared_whole_or_by_establishments():
    one, two = cnpj("ZZMAKE01", "0001"), cnpj("ZZMAKE01", "0002")
    heads = "ano;material;uf;massa_kg;estabelecimento\n"
    both = declared("d.csv", heads + f"2025;vidro;MT;1;{one}\n2025;vidro;MT;2;{two}\n")
    assert both.issues == []
    assert set(both.parts) == {(one, 2025), (two, 2025)}
    mixed = declared("d.csv", heads + f"2025;vidro;MT;1;{one}\n2025;vidro;MT;2;\n2024;vidro;MT;2;\n")
    assert [i.row for i in mixed.issues] == [3]
    strange = declared("d.csv", heads + f"2025;vidro;MT;1;{OTHER}\n")
    assert [i.code for i in strange.issues] == ["F09"]


def test_oddities_of_workbooks_are_told():
    heads = ["ano", "material", "uf", "massa_kg", "retornavel_kg"]
    good = [2025, "vidro", "MT", 10, None]

    def hide(book):
        book.active.row_dimensions[3].hidden = True

    def merge(book):
        book.active["D4"] = None
        book.active.merge_cells("D3:D4")

    assert declared("d.xlsx", workbook(["Declaração"], [], heads, [], good)).issues == []
    hidden = workbook(heads, good, [2025, "aço", "MT", 1, None], change=hide)
    assert [i.row for i in declared("d.xlsx", hidden).issues] == [3]
    merged = workbook(heads, good, [2025, "aço", "MT", 1], [2025, "papel", "MT", 1], change=merge)
    assert [(i.row, i.code) for i in declared("d.xlsx", merged).issues] == [(4, "F07")]
    formula = workbook(heads, [2025, "vidro", "MT", "=5+5", None])
    assert "fórmula" in declared("d.xlsx", formula).issues[0].expected


def test_no_heading_no_rows_two_sheets_and_a_column_twice():
    assert declared("d.csv", "2025;vidro;MT;1\n").issues[0].code == "F07"
    assert declared("d.csv", HEADS).issues[0].code == "T02"
    assert declared("d.csv", "ano;uf;massa_kg\n2025;MT;1\n").issues[0].column == "material"
    assert len(declared("d.csv", "ano;material;uf;massa;massa_kg\n2025;vidro;MT;1;2\n").issues) == 1

    def again(book):
        book.copy_worksheet(book.active)

    twice = workbook(["ano", "material", "uf", "massa_kg"], [2025, "vidro", "MT", 1], change=again)
    assert declared("d.xlsx", twice).issues[0].code == "F07"


def test_a_csv_comes_back_with_its_errors_and_no_formula():
    text = HEADS + "2025;vidro;MT;1.355;\n2025;=HYPERLINK(1);MT;-5;\n2025;aço;MT;7;\n"
    found = declared("d.csv", text)
    back = with_errors("d.csv", text.encode(), found.issues, sheet=found.sheet, heading_row=1).decode(
        "utf-8-sig"
    )
    lines = list(csv.reader(io.StringIO(back), delimiter=";"))
    assert lines[0][-1] == "erros"
    assert "1355" in lines[1][-1]
    assert lines[2][1] == "'=HYPERLINK(1)"
    assert lines[2][3] == "-5"
    assert lines[3][-1] == ""


def test_a_workbook_comes_back_with_its_errors_and_no_formula():
    data = workbook(["x"], ["ano", "material", "uf", "massa_kg"], [2025, "vidro", "MT", "=1+1"])
    found = declared("d.xlsx", data)
    back = with_errors("d.xlsx", data, found.issues, sheet=found.sheet, heading_row=found.heading_row)
    page = openpyxl.load_workbook(io.BytesIO(back)).active
    assert page["E2"].value == "erros"
    assert "fórmula" in page["E3"].value
    assert (page["D3"].value, page["D3"].data_type) == ("=1+1", "s")


def test_a_json_comes_back_with_its_numbers_as_they_were():
    text = '[{"ano": 2025, "material": "madeira", "uf": "MT", "massa_kg": 1355.90}]'
    found = declared("d.json", text)
    back = with_errors("d.json", text.encode(), found.issues, sheet=found.sheet, heading_row=0).decode()
    assert "1355.90" in back
    assert '"1355.90"' not in back
    assert "coluna material" in json.loads(back)[0]["erros"]


@pytest.mark.parametrize(
    ("registered", "codes"),
    [
        (None, []),
        (frozenset({Material.GLASS, Material.PAPER}), []),
        (frozenset({Material.PAPER}), ["F10"]),
    ],
)
def test_a_material_that_is_not_the_registrations_is_f10(registered, codes):
    data = (HEADS + "2025;vidro;MT;10;\n2025;papel;MT;10;\n").encode()
    found = read_declaration("d.csv", data, company=COMPANY, today=TODAY, registered=registered)
    assert [(i.row, i.code) for i in found.issues] == [(2, code) for code in codes]
    assert all("papel" in i.expected.lower() for i in found.issues)
