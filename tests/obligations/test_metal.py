"""The metal draft, asked with less than it needs: it says what is missing, and never a target met."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from lastro.errors import InputMissing
from lastro.facts import CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material
from lastro.lawkit import library
from lastro.obligations.positions import Position
from lastro.obligations.settle import settle
from lastro.units import Mass, Share

METAL = library.find("br/minuta_metal_2022")
INDEX = {"N": "4%", "NE": "11%", "CO": "5%", "SE": "22%", "S": "8%", "nacional": "50%", "conteudo": "40%"}
CONTENT = {"option": "content", "material": "aluminium", "recycled_kg": "5", "total_kg": "10"}
ENOUGH = {"AM": 200, "BA": 550, "MT": 250, "SP": 1_100, "PR": 400}


def position(proved: dict[str, int], *elections: dict[str, Any], without: tuple[str, ...] = ()) -> Position:
    placed = tuple(Placement(2022, Material.ALUMINIUM, uf, Mass(1_000)) for uf in ENOUGH)
    retired = tuple(
        Retired(2023, Material.ALUMINIUM, uf, "", None, Mass(mass)) for uf, mass in proved.items()
    )
    company = CompanyFacts("ZZ", "", "collective", placed, retired, tuple(elections))
    rows = [
        TargetRow(name, "aluminium", 2023, share, "tabela de teste")
        for name, share in INDEX.items()
        if name not in without
    ]
    (found,) = settle(METAL, company, year=2023, targets=rows, as_of=date(2024, 1, 1))
    return found


def test_with_every_table_it_is_met() -> None:
    assert position(ENOUGH, CONTENT).met is True


def test_a_region_without_a_table_leaves_it_open_unless_the_whole_falls_short() -> None:
    enough = position(ENOUGH, CONTENT, without=("N",))
    assert (enough.met, enough.code) == (None, "T01")
    short = position({"SP": 2_499}, CONTENT, without=("N",))
    assert short.met is False
    assert [note.code for note in short.notes] == ["T01"]


def test_recycled_content_without_a_table_leaves_it_open() -> None:
    found = position(ENOUGH, CONTENT, without=("conteudo",))
    assert (found.met, found.code) == (None, "T01")
    assert "conteudo" in found.message


def test_a_first_year_without_a_whole_month_has_no_target_and_none_is_met() -> None:
    start = {"option": "first_year", "phase2_start": "2023-12-02"}
    found = position(ENOUGH, CONTENT, start)
    assert (found.met, found.target) == (None, None)
    assert "art. 53" in found.notes[0].text
    last = position(ENOUGH, CONTENT, {**start, "phase2_start": "2023-12-01"})
    assert last.met is True
    assert last.target == Share(Fraction(50, 100) * Fraction(1, 12))


def test_mass_of_no_known_state_counts_for_the_whole_and_for_no_region() -> None:
    found = position({**ENOUGH, "AM": 150, "": 50}, CONTENT)
    assert found.achieved == Mass(2_500)
    assert found.met is False
    assert any("Região N" in note.text for note in found.notes)


def test_regions_that_do_not_add_up_to_the_whole_are_told() -> None:
    assert not [note for note in position(ENOUGH, CONTENT).notes if note.code == "T06"]
    placed = tuple(Placement(2022, Material.ALUMINIUM, uf, Mass(1_000)) for uf in ENOUGH)
    company = CompanyFacts("ZZ", "", "collective", placed, (), (CONTENT,))
    rows = [
        TargetRow(name, "aluminium", 2023, share, "tabela de teste")
        for name, share in {**INDEX, "nacional": "48%"}.items()
    ]
    (found,) = settle(METAL, company, year=2023, targets=rows, as_of=date(2024, 1, 1))
    (told,) = [note.text for note in found.notes if note.code == "T06"]
    assert "somam 50% e a nacional é 48%" in told


def test_more_recycled_than_there_is_stops_the_answer() -> None:
    with pytest.raises(InputMissing, match="10,1 kg de material reciclado em 10 kg"):
        position(ENOUGH, {**CONTENT, "recycled_kg": "10.1"})
