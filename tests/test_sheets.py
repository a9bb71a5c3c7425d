"""Tables are read cell by cell, exactly as written, and no file takes the program down."""

import io
import zipfile
from datetime import date, datetime
from fractions import Fraction

import openpyxl
import pytest

from lastro.errors import LastroError
from lastro.sheets import Head, decimal, find_heading, letter, read, safe_text
from lastro.sheets import files as files_module


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def cells(name, data):
    return [[(c.text, c.kind) for c in row.cells] for row in read(name, data)[0].rows]


def test_a_workbooks_cells_say_what_they_are():
    row = [1355.9, 0.1 + 0.2, 7, True, date(2026, 1, 2), datetime(2026, 1, 2, 3), "=A1", " a ", None]
    assert cells("a.xlsx", workbook(row))[0] == [
        ("1355.9", "number"), ("0.3", "number"), ("7", "number"), ("true", "bool"), ("2026-01-02", "date"),
        ("2026-01-02 03:00:00", "other"), ("=A1", "formula"), ("a", "text"),
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_a_csv_is_read_in_the_encodings_and_marks_of_use(encoding, mark):
    data = f'aço{mark}"a{mark}b"\r\n1{mark}2\r\n'.encode(encoding)
    assert cells("a.csv", data) == [[("aço", "text"), (f"a{mark}b", "text")], [("1", "text"), ("2", "text")]]


def test_a_json_number_keeps_its_literal():
    found = cells("a.json", b'[{"a": 1355.90, "b": 1e3, "c": "1.355", "d": null, "e": [1]}]')[1]
    assert found == [
        ("1355.9", "number"), ("1000", "number"), ("1.355", "text"), ("", "empty"), ('["1"]', "other"),
    ]  # fmt: skip


def test_a_typed_number_reads_one_way():
    typed = read("a.xlsx", workbook([1.355]))[0].rows[0].cells[0]
    assert decimal(typed) == Fraction("1.355")


def test_a_workbook_that_expands_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(files_module, "MOST_EXPANDED", 1000)
    with pytest.raises(LastroError, match="se expande"):
        read("a.xlsx", workbook(["a"]))


def test_a_workbook_with_a_doctype_is_refused():
    out = io.BytesIO(workbook(["a"]))
    with zipfile.ZipFile(out, "a") as package:
        package.writestr("xl/extra.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')
    with pytest.raises(LastroError, match="DOCTYPE"):
        read("a.xlsx", out.getvalue())


@pytest.mark.parametrize("cut", [10, 200, 1500])
def test_a_cut_workbook_is_refused_with_words(cut):
    with pytest.raises(LastroError, match="planilha"):
        read("a.xlsx", workbook(["a"])[:cut])


def test_too_many_rows_or_columns_are_refused(monkeypatch):
    monkeypatch.setattr(files_module, "MOST_ROWS", 3)
    assert len(cells("a.csv", b"1\n2\n3\n")) == 3
    with pytest.raises(LastroError, match="divida"):
        read("a.csv", b"1\n2\n3\n4\n")
    with pytest.raises(LastroError, match="divida"):
        read("a.csv", b";" * 600)


def test_heads_are_found_by_any_of_their_names_wherever_they_stand():
    heads = [Head("mass_kg", ("massa (kg)",), required=True), Head("year", ("ano",), required=True)]
    sheet = read("a.csv", "título;;\n;;\n;ANO;Massa (kg)\n;2025;1\n".encode())[0]
    heading = find_heading(sheet, heads)
    assert heading is not None
    assert heading.row.number == 3
    assert heading.cell(sheet.rows[3], "mass_kg").text == "1"
    assert find_heading(read("a.csv", b"x;y\n")[0], heads) is None


def test_letters_go_on_after_z():
    assert [letter(i) for i in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


@pytest.mark.parametrize(
    ("text", "safe"),
    [("=1+1", "'=1+1"), ("+x", "'+x"), ("-x", "'-x"), ("@a", "'@a"), ("-1,5", "-1,5"), ("a=b", "a=b")],
)
def test_no_text_becomes_a_formula(text, safe):
    assert safe_text(text) == safe


def test_a_workbook_whose_bytes_were_damaged_is_said_to_be_no_workbook() -> None:
    out = io.BytesIO()
    book = openpyxl.Workbook()
    book.active["A1"] = "x"
    book.save(out)
    data = bytearray(out.getvalue())
    at = data.index(b"PK\x01\x02") - 40  # inside what the last part is compressed to
    for place in (at, 60):
        broken = bytes(data[:place]) + bytes([data[place] ^ 0xFF]) + bytes(data[place + 1 :])
        with pytest.raises(LastroError, match=r"x\.xlsx"):
            read("x.xlsx", broken)
