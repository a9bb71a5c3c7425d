"""A sheet keeps exact numbers as numbers, all else as text, and obeys nothing that a name says."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import openpyxl
import pytest

from lastro.facts import Basis
from lastro.reports.cells import Cell, DataSet, Row, Section
from lastro.reports.desk import Heading
from lastro.units import Mass, Share
from lastro.workbooks import workbook
from lastro.workbooks.write import exact_number

HEADING = Heading(date(2027, 3, 15))


def sheet(key: str, name: str, cell: Cell) -> openpyxl.worksheet.worksheet.Worksheet:
    """The sheet of a report whose only cell this is."""
    section = Section(key, (name,), (Row("one", {name: cell}),))
    data = DataSet("rar-mt", "n", "N", "ZZ", "Entidade", 2026, Basis.OFFICIAL, (section,))
    return openpyxl.load_workbook(io.BytesIO(workbook(data, HEADING))).worksheets[1]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "http://exemplo.invalid", "12", "\t=1", "{=1}"])
def test_text_stays_text_whatever_it_looks_like(text):
    cell = sheet("members", "name", Cell(text))["A2"]
    assert (cell.value, cell.data_type, cell.hyperlink) == (text, "s", None)


@pytest.mark.parametrize(
    ("mg", "number"),
    [
        (0, "0"), (1, "0.000001"), (-40_000_000, "-40"), (123_456_789_012_345, "123456789.012345"),
        (999_999_999_999_999, "999999999.999999"), (1_000_000_000_000_001, None),
        (9_000_000_000_000_000_000, "9000000000000"),
    ],
)  # fmt: skip
def test_a_number_is_a_number_where_a_sheet_holds_it_exactly(mg, number):
    found, _ = exact_number(Cell(Mass(mg), "kg"))
    assert (None if found is None else format(found, "f")) == number
    if found is not None:
        assert Decimal(repr(float(found))) == found


def test_a_share_without_end_is_text():
    assert exact_number(Cell(Mass(1).share_of(Mass(3)), "share")) == (None, 0)
    assert exact_number(Cell(Share.parse("22.5%"), "share")) == (Decimal("0.225"), 3)


def test_a_mass_too_long_for_a_number_is_text_to_the_milligram():
    page = sheet("recovered", "total", Cell(Mass(1_000_000_000_000_001), "kg"))
    assert page["A2"].value == "1.000.000.000,000001"


def test_a_mass_shows_as_many_decimals_as_it_has():
    cell = sheet("recovered", "total", Cell(Mass(1_500_000), "kg"))["A2"]
    assert (cell.value, cell.number_format) == (1.5, "#,##0.0")


def test_what_has_no_value_says_why_and_a_warning_is_a_comment():
    assert sheet("targets", "owed", Cell(None, "kg", code="T01"))["A2"].value == "não apurado (T01)"
    cell = sheet("placed", "mass", Cell(Mass(1), "kg", code="T02"))["A2"]
    assert cell.comment is not None
    assert cell.comment.text == "T02"


@pytest.mark.parametrize("text", ["a\x0bb\x01c", "\ufffe", "nome & <nome> \"'", "ção 🌱"])
def test_odd_characters_leave_a_workbook_that_opens(text):
    assert sheet("members", "name", Cell(text)).max_row >= 2


def test_a_text_too_long_for_a_cell_is_cut_and_says_so():
    long = "x" * 40_000
    value = sheet("members", "name", Cell(long))["A2"].value
    assert len(value) <= 32_767
    assert value.endswith("… (40000)")
