"""Rows 26 to 44 of what went wrong elsewhere, where no test of a room says it already."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.evidence import Source, admit, judge_source
from lastro.ids import bare, is_cnpj
from lastro.sheets import Ambiguous, Cell, decimal
from lastro.units import Mass, portuguese
from tests.codes.see import CONTEXT, documents
from tests.evidence import vectors as v


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 99_999_999))
def test_row26_a_thousand_kilograms_are_a_tonne_whatever_the_number(grams: int) -> None:
    """The same load written in kilograms and in tonnes weighs the same, to the milligram."""
    kilograms = f"{grams // 1000}.{grams % 1000:03d}"
    tonnes = f"{grams // 1_000_000}.{grams % 1_000_000:06d}"
    weighed = []
    for unit, quantity in (("KG", kilograms), ("TON", tonnes)):
        note = v.Note(items=[v.Item(unit=unit, quantity=quantity, value="0.00")])
        (document,) = documents(v.authorised(note))
        weighed.append(admit(document).lines[0].mass)
    assert weighed == [Mass(grams * 1000)] * 2


@pytest.mark.parametrize("quantity", ["", "0", "0.0000", "-1.0000", "-0.0001"])
def test_row30_no_quantity_none_and_less_than_none_are_never_taken(quantity: str) -> None:
    (document,) = documents(v.authorised(v.Note(items=[v.Item(quantity=quantity)])))
    (line,) = admit(document).lines
    assert (line.mass, line.counts, [f.code for f in line.findings]) == (None, False, ["M02"])


def test_row33_a_summary_is_no_note_and_has_no_mass() -> None:
    key = v.Note().access_key
    text = f'<resNFe xmlns="{v.NFE}"><chNFe>{key}</chNFe><vNF>750.00</vNF><cSitNFe>1</cSitNFe></resNFe>'
    (document,) = documents(text.encode())
    assert (document.invoice, {f.code for f in document.findings}) == (None, {"N01"})
    assert admit(document).lines == ()


def test_row39_the_bytes_that_were_handed_in_are_the_bytes_that_are_named() -> None:
    """Nothing is written anew: the digest told is that of the file as it came, blanks, BOM and all."""
    for data in (v.authorised(), b"\xef\xbb\xbf" + v.authorised(), v.authorised() + b"\n\n"):
        (document,) = judge_source(Source("nota.xml", None, data), CONTEXT)
        assert document.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    "text", ["zz.c00.p01/0001-51", "ZZC00P01000151", "ZZC00P01/0001-51", " zzc00p01000151 "]
)
def test_row43_taking_a_mask_off_never_drops_a_letter(text: str) -> None:
    assert bare(text) == v.COOP
    assert is_cnpj(bare(text))


@pytest.mark.parametrize("text", ["ZZC00P0100015", "ZZÇ00P01000151", "ZZC00P01*00151", "ZZC00P01０００１51"])
def test_row43_what_is_no_character_of_it_is_not_silently_left_out(text: str) -> None:
    assert not is_cnpj(bare(text))


@given(st.integers(0, 10**12), st.integers(0, 6))
def test_row44_a_number_written_here_is_the_number_read_here(units: int, decimals: int) -> None:
    """9,99 is never 999, and 1.355,90 never 1,35: read back as written, or asked about."""
    number = Fraction(units, 10**decimals)
    whole, rest = divmod(units, 10**decimals)
    plain = f"{whole}.{rest:0{decimals}d}" if decimals else str(whole)
    for text in (portuguese(plain), plain.replace(".", ",")):
        try:
            assert decimal(Cell(text)) == number
        except Ambiguous:
            assert decimals in (0, 3)
