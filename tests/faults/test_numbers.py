"""Reports 40 to 49: days, decimals, units and weights."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from lastro.evidence import admit
from lastro.facts import Document, LineVerdict
from lastro.units import Mass, exact
from tests.codes.see import documents, of_note
from tests.evidence import vectors as v


def judged(data: bytes) -> Document:
    (document,) = documents(data)
    return document


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings} - {"N18"}


def line(note: v.Note) -> LineVerdict:
    return admit(judged(v.authorised(note))).lines[0]


def item(**texts: str) -> LineVerdict:
    return line(v.Note(items=[v.Item(**texts)]))


def test_r40_a_note_of_the_last_half_hour_keeps_its_month() -> None:
    note = v.Note(issued_at="2026-01-31T23:30:00-04:00")
    document = judged(v.authorised(note, at="2026-02-01T00:31:00-03:00"))
    assert codes(document) == set()
    assert document.invoice is not None
    assert document.invoice.issued_on == date(2026, 1, 31)


@pytest.mark.parametrize("offset", ["+00:00", "-00:00", "+01:00", "-05:00", "+02:00", "Z"])
def test_r41_a_strange_offset_is_read_as_written(offset: str) -> None:
    document = judged(v.authorised(v.Note(issued_at=f"2026-05-14T10:00:00{offset}")))
    assert codes(document) == set()
    assert document.invoice is not None
    assert document.invoice.issued_on == date(2026, 5, 14)


@pytest.mark.parametrize(("written", "code"), [
    ("2026-12-31T23:59:59-03:00", set()), ("2026-12-31T23:59:59+00:00", set()),
    ("2027-01-01T00:30:00+00:00", {"N14"}), ("2027-01-01T00:30:00-02:00", {"N14"}),
])  # fmt: skip
def test_r42_the_year_is_that_of_the_day_written_without_conversion(written: str, code: set[str]) -> None:
    assert of_note(v.Note(issued_at=written)) - {"N18"} == code


def test_r43_a_quantity_is_the_decimal_that_was_written() -> None:
    assert item(quantity="357.9110").mass == Mass(357_911_000)
    assert item(quantity="0.1", value="0.06").mass == Mass(100_000)
    assert exact("357.911000000000001364") != Fraction("357.911")
    seen = item(quantity="357.911000000000001364")
    assert ([f.code for f in seen.findings], seen.mass) == (["M04"], None)


def test_r44_a_unit_that_changed_without_its_price_is_seen() -> None:
    assert {f.code for f in item(unit="TON", quantity="1250.0000", value="750.00").findings} == {"M03"}
    assert item(unit="TON", quantity="1.2500", value="750.00").findings == ()


def test_r45_the_commercial_and_the_taxable_unit_are_each_their_own() -> None:
    seen = item(unit="FD", quantity="5", tax_unit="KG", tax_quantity="1250.0000")
    assert (seen.mass, seen.findings) == (Mass.kg("1250"), ())
    swapped = item(unit="KG", quantity="1250.0000", tax_unit="FD", tax_quantity="5")
    assert (swapped.mass, swapped.findings) == (Mass.kg("1250"), ())
    assert {f.code for f in item(tax_unit="KG", tax_quantity="5").findings} == {"M05"}


def test_r46_every_volume_is_read() -> None:
    note = v.Note(items=[v.Item(unit="FD", quantity="3")], net=("400.500", "99.500", "750.000"))
    assert line(note).mass == Mass.kg("1250")


def test_r47_a_volume_without_its_kind_is_read() -> None:
    text = v.Note(items=[v.Item(unit="FD", quantity="3")], net=("1250.000",))
    assert "<esp>" not in text.xml()
    assert line(text).mass == Mass.kg("1250")


def test_r48_a_weight_that_is_not_there_is_no_zero() -> None:
    absent = line(v.Note(items=[v.Item(unit="FD", quantity="3")]))
    zero = line(v.Note(items=[v.Item(unit="FD", quantity="3")], net=("0.000",)))
    assert (absent.mass, zero.mass) == (None, None)
    assert [f.code for f in absent.findings] == ["M01"]


def test_r49_weights_that_are_really_numbers_of_volumes_are_seen() -> None:
    """Net and gross weight filled with the number of the volume: the lines weigh far more than that."""
    assert "M12" in of_note(v.Note(net=("1",), gross=("1",)))
    assert "M12" not in of_note(v.Note(net=("1250.000",), gross=("1275.000",)))
