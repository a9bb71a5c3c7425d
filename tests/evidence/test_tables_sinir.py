"""The tables of the MTR systems: whole in themselves, and checked against the public lists where at hand."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro import tables
from lastro.ids import Material
from lastro.tables import sinir

LISTS = Path(__file__).parents[3] / "shared" / "inputs" / "tables"
TABLES = {
    "sinir_units": "unit",
    "sinir_treatments": "treatment",
    "sinir_situations": "situation",
    "sinir_residues": "prefix",
}


@pytest.mark.parametrize(("name", "key"), TABLES.items())
def test_each_row_is_said_once_with_its_source_and_day(name: str, key: str) -> None:
    rows = tables.rows(name)
    assert rows
    assert len({sinir.folded(row[key]) for row in rows}) == len(rows)
    for row in rows:
        assert row["source"]
        assert date.fromisoformat(row["date"]) <= date(2026, 11, 30)


def test_every_word_of_the_tables_is_known() -> None:
    assert {row["class"] for row in tables.rows("sinir_treatments")} == {"recycling", "maybe", "no"}
    assert {row["state"] for row in tables.rows("sinir_situations")} == {"open", "received", "cancelled"}
    assert {row["measure"] for row in tables.rows("sinir_units")} == {"mass", "litres", "count"}
    for row in tables.rows("sinir_residues"):
        assert {Material(name) for name in row["materials"].split("|")}


def test_the_longest_beginning_of_a_code_decides() -> None:
    assert sinir.materials_of_residue("160601") == {Material.BATTERY}
    assert sinir.materials_of_residue("15010101") == {Material.PAPER}
    assert sinir.materials_of_residue("1501") == frozenset()
    assert sinir.materials_of_residue("") == frozenset()


def test_names_are_compared_without_marks_and_capitals() -> None:
    assert sinir.recycling("  reciclagem") == "recycling"
    assert sinir.recycling("ATERRO RESIDUOS CLASSES  IIA E IIB") == "no"
    assert sinir.recycling("Reciclagem de sonhos") == ""
    assert sinir.state_of("armaz temporario recebido") == "open"
    assert sinir.measure_of("m³") == sinir.measure_of("M3") == sinir.Measure("litres", 1000)
    assert sinir.measure_of("fardo") is None


@pytest.mark.shared
@pytest.mark.skipif(not LISTS.is_dir(), reason="the public lists do not stand beside the project")
class TestAgainstPublicLists:
    def _list(self, name: str) -> list[Any]:
        return json.loads((LISTS / f"sinir_{name}.json").read_text("utf-8"))  # type: ignore[no-any-return]

    def test_every_treatment_has_a_class(self) -> None:
        assert [name for name in self._list("tratamento") if not sinir.recycling(name)] == []

    def test_every_situation_has_a_state(self) -> None:
        assert [name for name in self._list("situacao") if not sinir.state_of(name)] == []

    def test_every_unit_is_known(self) -> None:
        for row in self._list("unidade"):
            assert sinir.measure_of(row["uniSigla"]) == sinir.measure_of(row["uniDescricao"]) is not None

    def test_every_code_of_the_table_is_a_residue(self) -> None:
        known = {row["codigo_residuo"] for row in self._list("residuos")}
        assert [row["prefix"] for row in tables.rows("sinir_residues") if row["prefix"] not in known] == []

    def test_materials_agree_with_the_words_of_the_list(self) -> None:
        words = {"plástico": Material.PLASTIC, "vidro": Material.GLASS, "papel": Material.PAPER}
        for row in self._list("residuos"):
            code, text = row["codigo_residuo"], row["descricao"].lower()
            for word, material in words.items():
                if (
                    code[:4] in ("1501", "1912", "2001")
                    and len(code) == 6
                    and text.startswith((word, f"embalagens de {word}"))
                ):
                    assert sinir.materials_of_residue(code) == {material}, row
