"""A broken sheet comes back with the right cell marked; mended there, and nowhere else, it is accepted."""

import csv
import io
import zipfile
from datetime import date, datetime

import openpyxl
import pytest

from lastro.errors import LastroError
from lastro.facts import Placement
from lastro.ids import Material, cnpj_check_digits
from lastro.obligations.declare import read_declaration
from lastro.obligations.returned import with_errors
from lastro.units import Mass


def cnpj(base, branch="0001"):
    return base + branch + cnpj_check_digits(base + branch)


COMPANY, OTHER = cnpj("ZZMAKE01"), cnpj("ZZMAKE02")
TODAY, YEAR = date(2026, 11, 30), 2025
HEADS = ["ano", "material", "uf", "massa_kg", "retornavel_kg", "estabelecimento"]
GOOD = [[2025, "vidro", "MT", 1355.9, None, None], [2025, "papel", "MT", 20, 5, None]]
WHOLE = {
    (None, 2025): [
        Placement(2025, Material.GLASS, "MT", Mass.kg("1355.9")),
        Placement(2025, Material.PAPER, "MT", Mass.kg("20"), Mass.kg("5")),
    ]
}


def read(name, data):
    return read_declaration(name, data, company=COMPANY, today=TODAY, year=YEAR)


def back(name, data, found):
    return with_errors(name, data, found.issues, sheet=found.sheet, heading_row=found.heading_row)


def book(*lines, heads=HEADS, top=()):
    made = openpyxl.Workbook()
    for line in (*top, heads, *(lines or GOOD)):
        made.active.append(line)
    return made


def saved(made):
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def changed(cell, value):
    made = book()
    made.active[cell] = value
    return made


def merged():
    made = book()
    made.active["D3"] = None
    made.active.merge_cells("D2:D3")
    return made


def hidden_row():
    made = book()
    made.active.row_dimensions[3].hidden = True
    return made


def hidden_column():
    made = book()
    made.active.column_dimensions["E"].hidden = True
    return made


def cached_formula():
    """A workbook as a program saves it, with the formula's last value beside the formula."""
    import xlsxwriter

    out = io.BytesIO()
    made = xlsxwriter.Workbook(out, {"in_memory": True})
    page = made.add_worksheet("Sheet")
    for down, line in enumerate([HEADS, *GOOD]):
        page.write_row(down, 0, line)
    page.write_formula(2, 3, "=10+10", None, 20)
    made.close()
    return openpyxl.load_workbook(io.BytesIO(out.getvalue()))


def topped(head, value):
    return book(top=(["Declaração"], [head, value], []))


def extra_sheet_first():
    made = changed("B2", "isopor")
    made.create_sheet("Leia-me", 0).append(["Instruções", "preencha a outra planilha"])
    return made


def shifted_heading():
    made = openpyxl.Workbook()
    for line in ([], ["ACME"], [], [None, *HEADS], [None, *GOOD[0]], [None, *GOOD[1]]):
        made.active.append(line)
    made.active["E5"] = "mil"
    return made


def no_mass_column():
    heads = [*HEADS[:3], "peso de tudo", *HEADS[4:]]
    return book(heads=heads)


# name, the broken workbook, the cell that is wrong, a word of the note, how it is mended there
BROKEN = [
    ("two readings of a decimal", lambda: changed("D2", "1.355"), "D2", "1355", 1355.9),
    ("english thousands", lambda: changed("D2", "1,355.90"), "D2", "quilogramas", "1.355,90"),
    ("text that is no number", lambda: changed("D2", "mil"), "D2", "quilogramas", "1355,9"),
    ("unit in the cell", lambda: changed("D3", "12 t"), "D3", "sem unidade", 20),
    ("negative", lambda: changed("D3", -20), "D3", "sinal", 20),
    ("more returnable than mass", lambda: changed("E3", 21), "E3", "retornável", 5),
    ("below the milligram", lambda: changed("D2", "1355,9000001"), "D2", "casas decimais", 1355.9),
    ("blank that is required", lambda: changed("D3", None), "D3", "não é zero", 20),
    ("unknown material", lambda: changed("B2", "isopor"), "B2", "linha para cada material", "vidro"),
    ("metals in one", lambda: changed("B2", "metal"), "B2", "Separe os metais", "vidro"),
    ("unknown place", lambda: changed("C2", "Cuiabá"), "C2", "sigla", "MT"),
    ("wrong year in a row", lambda: changed("A3", 2024), "A3", "2025", 2025),
    ("year as a date", lambda: changed("A3", datetime(2025, 1, 1)), "A3", "texto ou um número", 2025),
    ("year as a serial", lambda: changed("A3", 45658), "A3", "quatro dígitos", 2025),
    ("a row of totals", lambda: book(*GOOD, ["TOTAL", None, None, 1375.9]), "A4", "total", None),
    ("another company's establishment", lambda: changed("F2", OTHER), "F2", "ZZMAKE01", None),
    ("a CNPJ miswritten", lambda: changed("F2", COMPANY[:-1] + "X"), "F2", "dígitos", None),
    ("repeated row", lambda: book(*GOOD, GOOD[0]), "B4", "linha 2", None),
    ("formula without its value", lambda: changed("D3", "=10+10"), "D3", "só os valores", 20),
    ("formula with its value", cached_formula, "D3", "só os valores", 20),
    ("merged cells", merged, "D2", "mesclagem", None),
    ("hidden row", hidden_row, None, "Mostre-a", None),
    ("hidden column", hidden_column, "E1", "visível", None),
    ("heads further down and to the right", shifted_heading, "E5", "quilogramas", 1355.9),
    ("another sheet first", extra_sheet_first, "B2", "material", "vidro"),
    ("model of another version", lambda: topped("Modelo", "lastro-declaracao-9"), "B2", "modelo", None),
    ("sheet of another company", lambda: topped("Empresa", OTHER), "B2", "outra empresa", COMPANY),
    ("sheet of another year", lambda: topped("Ano da declaração", 2024), "B2", "2025", 2025),
    ("no column of masses", no_mass_column, None, "coluna mass_kg", None),
]


def mend(page, name, cell, value):
    """What a person does in the sheet that came back, where the note says so."""
    if name == "merged cells":
        page.unmerge_cells("D2:D3")
        page["D3"] = 20
    elif name in ("a row of totals", "repeated row"):
        page.delete_rows(4)
    elif name == "hidden row":
        page.row_dimensions[3].hidden = False
    elif name == "hidden column":
        page.column_dimensions["E"].hidden = False
    elif name == "model of another version":
        page[cell] = "lastro-declaracao-1"
    elif name == "year as a date":
        page[cell].number_format, page[cell] = "General", value
    elif name == "no column of masses":
        page["D1"] = "massa_kg"
    else:
        page[cell] = value


@pytest.mark.parametrize(("name", "make", "cell", "words", "value"), BROKEN, ids=[b[0] for b in BROKEN])
def test_a_broken_workbook_comes_back_marked_and_is_taken_when_mended(name, make, cell, words, value):
    data = saved(make())
    found = read("d.xlsx", data)
    assert found.issues, "the sheet is broken"
    returned = openpyxl.load_workbook(io.BytesIO(back("d.xlsx", data, found)))
    page = returned[found.sheet]
    marked = {c.coordinate for row in page.iter_rows() for c in row if c.comment is not None}
    blank = {"B4", "C4"} if name == "a row of totals" else set()  # what is lacking there is marked too
    assert marked == ({cell} if cell else set()) | blank
    if cell:
        assert words in page[cell].comment.text
        assert page[cell].fill.fgColor.rgb.endswith("F8B4AE")
    assert any(words in str(c.value) for c in page[_errors_column(page)])
    mend(page, name, cell, value)
    again = read("d.xlsx", saved(returned))
    assert again.issues == []
    assert again.parts == WHOLE


def _errors_column(page):
    """The column whose head is `erros`."""
    heads = (c for row in page.iter_rows() for c in row if str(c.value).startswith("erros"))
    return next(heads).column_letter


def test_a_model_of_another_version_is_f06():
    found = read("d.xlsx", saved(topped("Modelo", "lastro-declaracao-9")))
    assert [i.code for i in found.issues] == ["F06"]


def test_at_least_twenty_ways_to_break_a_sheet_are_tried():
    assert len(BROKEN) >= 20


def test_a_sheet_sent_back_twice_bears_only_what_is_still_wrong():
    made = changed("D2", "1.355")
    made.active["C3"] = "Cuiabá"
    data = saved(made)
    first = openpyxl.load_workbook(io.BytesIO(back("d.xlsx", data, read("d.xlsx", data))))
    assert {c.coordinate for row in first.active.iter_rows() for c in row if c.comment} == {"D2", "C3"}
    first.active["D2"] = 1355.9
    data = saved(first)
    second = openpyxl.load_workbook(io.BytesIO(back("d.xlsx", data, read("d.xlsx", data)))).active
    assert {c.coordinate for row in second.iter_rows() for c in row if c.comment} == {"C3"}
    assert [c.value for c in second[1]].count("erros") == 1
    assert second["G2"].value is None
    assert second["D2"].fill.fgColor.rgb == "00000000"


CSV = "ano;material;uf;massa_kg;retornavel_kg\n2025;vidro;MT;1.355,90;\n2025;aço;MT;-5;\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_a_csv_of_any_encoding_and_mark_comes_back_and_is_taken_when_mended(encoding, mark):
    data = CSV.replace("1.355,90", '"1.355,90"').replace(";", mark).encode(encoding)
    found = read("d.csv", data)
    assert [(i.row, i.column, i.code) for i in found.issues] == [(3, "D", "M02")]
    returned = back("d.csv", data, found)
    lines = list(csv.reader(io.StringIO(returned.decode("utf-8-sig")), delimiter=mark))
    assert lines[0][-1] == "erros"
    assert lines[1][-1] == ""
    assert "coluna D" in lines[2][-1]
    assert lines[2][1] == "aço"
    mended = read("d.csv", returned.replace(b"-5", b"5"))
    assert mended.issues == []
    assert [p.mass for p in mended.placements] == [Mass.kg("1355.9"), Mass.kg("5")]


def test_a_csv_sent_back_twice_has_one_column_of_errors():
    once = back("d.csv", CSV.encode(), read("d.csv", CSV.encode()))
    twice = back("d.csv", once, read("d.csv", once))
    assert twice == once


def bomb():
    out = io.BytesIO(saved(book()))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/worksheets/sheet9.xml", b"0" * 420_000_000)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("d.xlsx", bytes.fromhex("d0cf11e0a1b11ae1") + b"0" * 600, "tire a senha"),
        ("d.xls", bytes.fromhex("d0cf11e0a1b11ae1"), "Salvar como"),
        ("d.ods", b"PK\x03\x04", "Salvar como"),
        ("d.xlsx", b"ano;material;uf;massa_kg\n", "não é uma planilha"),
        ("d.csv", b"\x89PNG\r\n\x1a\n\x00\x00", "não é um texto"),
        ("d.xlsx", b"", "vazio"),
    ],
    ids=["password", "xls", "ods", "csv named xlsx", "picture", "empty"],
)
def test_what_is_no_sheet_is_refused_with_what_to_do(name, data, words):
    with pytest.raises(LastroError, match=words):
        read(name, data)


def test_a_zip_bomb_is_refused_before_anything_of_it_is_parsed():
    with pytest.raises(LastroError, match="se expande"):
        read("d.xlsx", bomb())


def test_a_cell_far_away_fills_nothing_between():
    made = book()
    made.active["RZ150000"] = "x"
    found = read("d.xlsx", saved(made))
    assert found.parts == WHOLE


def test_a_long_sheet_comes_back_with_its_first_and_its_last_row_marked():
    made = openpyxl.Workbook(write_only=True)
    page = made.create_sheet("Declaração")
    page.append(HEADS)
    for n in range(3_000):
        branch = f"{n // 28 + 1:04d}"
        uf = ["MT", "GO", "SP", "RS"][n % 4]
        material = ["vidro", "papel", "plástico", "aço", "alumínio", "outros metais", "cartonada"][n // 4 % 7]
        page.append([2025, material, uf, "1.355" if n in (7, 2_999) else 10, None, cnpj("ZZMAKE01", branch)])
    data = saved(made)
    found = read("d.xlsx", data)
    assert [i.row for i in found.issues] == [9, 3_001]
    returned = openpyxl.load_workbook(io.BytesIO(back("d.xlsx", data, found))).active
    assert "1355" in returned["D9"].comment.text
    assert "1355" in returned["D3001"].comment.text
