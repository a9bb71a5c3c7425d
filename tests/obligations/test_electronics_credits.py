"""Household electronics: which credits cover a shortfall, and which weight is the base."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from lastro.facts import CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material
from lastro.lawkit import library
from lastro.obligations.positions import Position
from lastro.obligations.settle import settle
from lastro.units import Mass

BR = library.find("br/decreto_10240_2020")
THING = Material.ELECTRONICS
SHORT = 100  # of 17 % of 1000 kg, 170 kg are owed and 70 kg are short


def position(
    *elections: dict[str, Any],
    placed: tuple[Placement, ...] = (Placement(2018, THING, "BR", Mass.kg("1000")),),
    sector: str = "eletroeletronicos",
    targets: tuple[TargetRow, ...] = (),
) -> Position:
    company = CompanyFacts(
        "ZZ", "", "collective", placed, (Retired(2025, THING, "SP", "", None, Mass.kg(str(SHORT))),),
        tuple(elections), sector,
    )  # fmt: skip
    (found,) = settle(BR, company, year=2025, targets=targets, as_of=date(2026, 1, 1))
    return found


def surplus(year: int) -> dict[str, Any]:
    return {"option": "surplus", "year": year, "mass_kg": "70"}


@pytest.mark.parametrize(
    ("year", "met"), [(2020, False), (2021, True), (2024, True), (2025, False), (2026, False)]
)
def test_only_the_surplus_of_an_earlier_year_of_phase_two_covers(year: int, met: bool) -> None:
    found = position(surplus(year))
    assert found.met is met
    assert any(f"Sobra de {year} não usada" in note.text for note in found.notes) is not met


def test_a_surplus_that_does_not_count_leaves_the_others_as_they_are() -> None:
    found = position(surplus(2025), {"option": "phase1", "mass_kg": "70"})
    assert found.met is True
    assert any("Crédito de 70 kg usado" in note.text for note in found.notes)


def test_the_weight_of_states_is_not_the_weight_of_the_country() -> None:
    rows = (Placement(2018, THING, "BR", Mass.kg("1000")), Placement(2018, THING, "SP", Mass.kg("500")))
    found = position(placed=rows)
    assert (found.obligation, found.met, found.code) == (None, None, "T02")
    assert "por estado (SP)" in found.message


def test_another_sector_has_no_target_here() -> None:
    found = position(sector="embalagens_em_geral")
    assert (found.obligation, found.met, found.code) == (None, None, "T02")
    assert "“embalagens_em_geral”" in found.message


def test_a_target_loaded_for_the_year_that_the_decree_fixes_is_told() -> None:
    row = TargetRow("eletroeletronicos", "electronics", 2025, "20%", "tabela de teste")
    found = position(targets=(row,))
    assert found.obligation is not None
    assert found.obligation.mg == Mass.kg("170").mg
    assert any("Meta carregada para 2025 (20%) não usada" in note.text for note in found.notes)
