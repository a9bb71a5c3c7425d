"""The tables of facts: whole in themselves, and checked against public lists where those are at hand."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from lastro import tables
from lastro.evidence.admit import known_municipality
from lastro.ids import UF_BY_CODE, Material
from lastro.units import exact

SHARED = Path(__file__).parents[3] / "shared" / "inputs"
shared = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the public lists do not stand beside the project"),
]
GROUPS = {
    "papel/papelão": {Material.PAPER}, "plástico": {Material.PLASTIC}, "vidro": {Material.GLASS},
    "metal ferroso": {Material.STEEL}, "alumínio": {Material.ALUMINIUM},
}  # fmt: skip


@pytest.mark.parametrize("name", ["ncm", "cfop", "units", "prices", "words", "bounds"])
def test_each_row_says_where_it_comes_from_and_when(name: str) -> None:
    rows = tables.rows(name)
    assert rows
    for row in rows:
        assert row["source"]
        assert date.fromisoformat(row["date"]) <= date(2026, 11, 30)


def test_no_row_is_said_twice() -> None:
    for name, keys in (
        ("ncm", ["prefix"]),
        ("cfop", ["direction", "suffix"]),
        ("prices", ["material", "from"]),
        ("units", ["unit"]),
    ):
        found = [tuple(row[k] for k in keys) for row in tables.rows(name)]
        assert len(found) == len(set(found))


def test_the_table_of_cfop_has_every_code_with_a_known_class() -> None:
    kinds = {n: tables.operation_of(f"{n:04d}").kind for n in range(10_000)}
    known = {n: kind for n, kind in kinds.items() if kind != "unknown"}
    assert len(known) == 619
    assert set(known.values()) <= set(tables.OPERATIONS)
    assert {n // 1000 for n in known} == {1, 2, 3, 5, 6, 7}
    assert {kinds[n] for n in (7101, 7102, 7501, 5501, 6502, 1501)} == {"export"}


def test_no_band_of_price_before_its_first_day() -> None:
    assert tables.band_of(Material.PAPER, date(2014, 12, 31)) is None
    assert tables.band_of(Material.PAPER, date(2015, 1, 1)) is not None


def test_units_are_written_as_they_are_looked_up() -> None:
    for row in tables.rows("units"):
        assert tables.unit_mg(row["unit"]) == int(row["mg"])


def test_a_band_for_each_material_that_a_line_can_be() -> None:
    for row in tables.rows("ncm"):
        band = tables.band_of(Material(row["material"]), date(2026, 5, 14))
        assert band is not None
        assert band.high < band.low * 1000, "a slip of a thousand would fall inside the band"


def _lines(name: str, delimiter: str) -> list[dict[str, str]]:
    with (SHARED / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


class TestAgainstPublicLists:
    pytestmark = shared

    def test_the_core_of_recyclable_ncm_is_known(self) -> None:
        for row in _lines("tables/ncm_reciclaveis.tsv", "\t"):
            if row["tier"] == "core":
                expected = GROUPS.get(row["material"], {Material.OTHER_METAL})
                assert tables.material_of(row["ncm"]) in expected, row

    def test_every_cfop_has_a_class_and_no_other_has_one(self) -> None:
        listed = {row["cfop"] for row in _lines("tables/cfop.tsv", "\t")}
        ours = {f"{n:04d}" for n in range(10_000) if tables.operation_of(f"{n:04d}").kind != "unknown"}
        assert ours == listed

    def test_sales_and_returns_by_cfop(self) -> None:
        for row in _lines("tables/cfop.tsv", "\t"):
            kind = tables.operation_of(row["cfop"]).kind
            if row["classe_proposta"] == "devolucao/retorno":
                assert kind not in ("sale", "second"), row
            elif row["classe_proposta"] == "venda" and row["cfop"][0] in "56":
                assert kind == "sale", row
            if kind == "sale":
                assert "Devolução" not in row["nome"], row

    def test_every_municipality_has_a_possible_code(self) -> None:
        rows = _lines("geo/municipios_5571.csv", ",")
        assert len(rows) == 5571
        assert [r["codigo_ibge"] for r in rows if not known_municipality(r["codigo_ibge"])] == []


def test_every_state_has_its_box_and_every_seat_known_by_heart_lies_in_it() -> None:
    assert {row["uf"] for row in tables.rows("bounds")} == set(UF_BY_CODE.values())
    cuiaba = exact("-15.6014"), exact("-56.0979")
    inside = {
        row["uf"] for row in tables.rows("bounds") if (box := tables.box_of(row["uf"])) and box.holds(*cuiaba)
    }
    assert inside == {"MT"}
    assert tables.box_of("XX") is None


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the public lists do not stand beside the project")
def test_every_municipalitys_seat_lies_in_the_box_of_its_state() -> None:
    with (SHARED / "geo" / "municipios_5571.csv").open(encoding="utf-8") as opened:
        seats = [row for row in csv.DictReader(opened) if row["lat_sede"]]
    assert len(seats) > 5_000
    for row in seats:
        box = tables.box_of(row["uf"])
        assert box is not None
        assert box.holds(exact(row["lat_sede"]), exact(row["lon_sede"])), row["nome"]
