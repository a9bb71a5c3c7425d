"""Municipalities: every one that is named has its people and its seat, and what is unknown is not zero."""

from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path

import pytest

from lastro.ids import UF_BY_CODE
from lastro.tables.populations import in_state, places

PAPER = Path(__file__).parents[3] / "shared" / "inputs" / "geo" / "municipios_5571.csv"


def test_every_municipality_that_has_a_name_has_a_place() -> None:
    text = files("lastro.tables").joinpath("municipalities.csv").read_text("utf-8")
    assert {row["code"] for row in csv.DictReader(text.splitlines())} == set(places())


def test_seats_stand_in_the_country_and_people_are_counted() -> None:
    for one in places().values():
        assert -34 <= one.latitude <= 6
        assert -74 <= one.longitude <= -32
        assert one.population is None or one.population > 700
    assert sum(len(in_state(uf)) for uf in UF_BY_CODE.values()) == len(places()) == 5571


def test_a_municipality_founded_after_the_count_is_unknown_and_not_zero() -> None:
    unknown = [one.code for one in places().values() if one.population is None]
    assert unknown == ["5101837"]


def test_mato_grosso_has_its_bands() -> None:
    known = [one.population for one in in_state("MT") if one.population is not None]
    assert len(in_state("MT")) == 142
    assert sum(people >= 100_000 for people in known) == 6
    assert sum(60_000 <= people < 100_000 for people in known) == 6


@pytest.mark.shared
@pytest.mark.skipif(not PAPER.exists(), reason="needs the papers beside the project")
def test_the_table_agrees_with_the_figures_it_was_made_from() -> None:
    with PAPER.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            one = places()[row["codigo_ibge"]]
            assert str(one.census_2022 or "") == row["pop_censo2022_sidra9514"]
            assert str(one.estimate_2024 or "") == row["pop_estimativa_2024"]
