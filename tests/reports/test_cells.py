"""Sources are told once, a digest is of content, and a preview's JSON can be compared with what stands."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from lastro.facts import Basis
from lastro.reports.cells import Cell, DataSet, Row, Section, Source, combined
from lastro.units import ExactMass, Mass, Share

ONE = Source("entries", "ZZ", {"material": "glass"}, 2, "d1", through=5)


def made(*cells: Cell) -> DataSet:
    rows = tuple(Row(f"r{n}", {"mass": cell}) for n, cell in enumerate(cells))
    return DataSet("k", "n", "N", "ZZ", "", 2026, Basis.OFFICIAL, (Section("s", ("mass",), rows),))


def test_the_height_plays_no_part_in_the_digest_and_the_rest_does():
    data = made(Cell(Mass(1), "kg", (ONE,)))
    assert made(Cell(Mass(1), "kg", (replace(ONE, through=9),))).digest == data.digest
    for other in (replace(ONE, digest="d2"), replace(ONE, count=3), replace(ONE, where={})):
        assert made(Cell(Mass(1), "kg", (other,))).digest != data.digest
    for cell in (
        Cell(Mass(2), "kg", (ONE,)),
        Cell(Mass(1), "count", (ONE,)),
        Cell(Mass(1), "kg", (ONE,), "T02"),
    ):
        assert made(cell).digest != data.digest


def test_a_source_is_written_once():
    data = made(
        Cell(Mass(1), "kg", (ONE,)),
        Cell(Mass(2), "kg", (ONE,)),
        Cell(3, "count", (ONE, replace(ONE, count=9))),
    )
    read = data.json()
    assert [row["cells"]["mass"]["sources"] for row in read["sections"][0]["rows"]] == [[0], [0], [0, 1]]
    assert read["sources"][0]["through"] == 5


def test_parts_are_told_as_one_in_any_order_and_nothing_is_a_source_too():
    parts = [(1, "b"), (2, "a")]
    (one,) = combined("entries", "ZZ", through=5, parts=parts, material="glass", way=None)
    assert (one.count, one.where) == (3, {"material": "glass"})
    assert combined("entries", "ZZ", through=5, parts=parts[::-1], material="glass") == (one,)
    (none,) = combined("entries", "ZZ", through=5, parts=[])
    assert none.count == 0


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Mass(1_500_000), "1.5"), (ExactMass(Fraction(1_000_000, 3)), "1/3"), (Share.parse("22.5%"), "45/2"),
        (None, None), (False, False), (7, 7),
    ],
)  # fmt: skip
def test_values_are_written_exactly(value, plain):
    assert Cell(value).json()["value"] == plain


def test_a_cell_is_found_by_its_path_even_where_names_have_points():
    data = made(Cell(1), Cell(2))
    assert data.cell("s/r1/mass").value == 2
    for path in ("s/r9/mass", "x/r1/mass", "s"):
        with pytest.raises(KeyError):
            data.cell(path)
