"""A company's options: only those its norm leaves, each told once and with the parts it has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.obligations.facts_file import parse
from lastro.reports import form_file

DOCUMENTS = Path(__file__).parents[2] / "docs" / "examples" / "documentos"
MT, BR, METAL = "mt/decreto_1455_2025", "br/decreto_10240_2020", "br/minuta_metal_2022"


def problems(norm: str, *elections: dict[str, Any], **more: Any) -> tuple[str, ...]:
    company = {"cnpj": "ZZEX0001", "size": "large", "scheme": "collective", "elections": list(elections)}
    text = json.dumps({"norm": norm, "year": 2026, "companies": [{**company, **more}]})
    try:
        parse(text, options=library.find(norm).options)
    except JsonRefused as refused:
        return refused.problems
    return ()


@pytest.mark.parametrize(
    ("norm", "election", "said"),
    [
        (MT, {"option": "art99"}, "option: encontrado “art99”; esperado uma das opções da norma (art43, mun"),
        (MT, {"option": "art43", "masss": "1"}, "elections[0].masss: encontrado “masss”"),
        (MT, {"option": "municipalities", "codes": ["5199999"]}, "elections[0].codes"),
        (MT, {"option": "municipalities", "codes": "5103403"}, "elections[0].codes"),
        (BR, {"option": "sobra", "year": 2024, "mass_kg": "1"}, "base_year, phase1, surplus"),
        (BR, {"option": "surplus", "year": 2024, "mass_kg": "-5"}, "elections[0].mass_kg: encontrado “-5”"),
        (BR, {"option": "surplus", "year": 2024, "mass_kg": "1000,5"}, "mass_kg: encontrado “1000,5”"),
        (BR, {"option": "surplus", "year": "2024", "mass_kg": "1"}, "um ano sem aspas"),
        (METAL, {"option": "art51III", "material": "aluminium"}, "art51_III, art51_IV"),
        (
            METAL,
            {"option": "art51_IV", "material": "aluminium", "from": "Norte", "to": "SE"},
            "elections[0].from: encontrado “Norte”; esperado um de N, NE, CO, SE, S",
        ),
        (METAL, {"option": "surplus", "material": "steel", "year": 2025, "mass_kg": "1"}, ".material"),
    ],
)
def test_what_the_norm_does_not_leave_is_refused_by_its_place(
    norm: str, election: dict[str, Any], said: str
) -> None:
    (problem,) = problems(norm, election)
    assert said in problem
    assert problem.startswith("companies[0].elections[0].")


@pytest.mark.parametrize(
    ("norm", "election", "other"),
    [
        (BR, {"option": "surplus", "year": 2024, "mass_kg": "1"}, {"year": 2023}),
        (BR, {"option": "phase1", "mass_kg": "1"}, None),
        (MT, {"option": "art43"}, None),
        (
            METAL,
            {"option": "surplus", "material": "aluminium", "year": 2025, "mass_kg": "1"},
            {"material": "steel_other"},
        ),
        (
            METAL,
            {"option": "content", "material": "steel", "recycled_kg": "1", "total_kg": "2"},
            {"material": "aluminium"},
        ),
        (
            METAL,
            {"option": "art51_III", "material": "aluminium", "from": "N", "to": "SE", "mass_kg": "1"},
            {"to": "S"},
        ),
    ],
)
def test_an_option_told_twice_is_refused_and_one_about_another_thing_is_not(
    norm: str, election: dict[str, Any], other: dict[str, Any] | None
) -> None:
    (problem,) = problems(norm, election, election)
    assert problem.startswith("companies[0].elections[1]: ")
    assert "elections[0] já o diz" in problem
    if other is not None:
        assert problems(norm, election, {**election, **other}) == ()


def test_a_municipality_that_does_not_exist_is_refused_where_mass_is_proved() -> None:
    row = {"year": 2026, "material": "glass", "uf": "MT", "mass_kg": "1", "municipality": "5199999"}
    (problem,) = problems(MT, retired=[row])
    assert "companies[0].retired[0].municipality: encontrado “5199999”" in problem
    assert problems(MT, retired=[{**row, "municipality": "5103403"}]) == ()


def test_two_masses_of_the_country_are_one_too_many() -> None:
    row = {"year": 2025, "material": "glass", "uf": "BR", "mass_kg": "1"}
    (problem,) = problems(MT, placed=[row, {**row, "uf": "SP", "national": True}])
    assert "companies[0].placed[1]" in problem
    assert problems(MT, placed=[row, {**row, "uf": "SP"}]) == ()


def test_the_whole_company_and_an_establishment_are_not_added_up() -> None:
    row = {"year": 2025, "material": "glass", "uf": "MT", "mass_kg": "1"}
    one = {"size": "large", "scheme": "collective", "placed": [row]}
    whole, shop = {**one, "cnpj": "ZZEX0001"}, {**one, "cnpj": "ZZEX0001000106"}
    with pytest.raises(JsonRefused, match="a massa da empresa inteira"):
        parse(json.dumps({"year": 2026, "companies": [whole, shop]}))
    paper = {**shop, "placed": [{**row, "material": "paper"}]}
    (company,) = parse(json.dumps({"year": 2026, "companies": [whole, paper]})).companies
    assert len(company.placed) == 2


def test_a_document_with_facts_in_it_takes_no_other_option_either() -> None:
    text = (DOCUMENTS / "desempenho_eletroeletronicos.json").read_text("utf-8")
    regulation = library.find(BR)
    assert form_file.read(regulation, "performance", text).facts
    raw = json.loads(text)
    raw["facts"]["companies"][0]["elections"] = [{"option": "sobra"}]
    with pytest.raises(JsonRefused) as refused:
        form_file.read(regulation, "performance", json.dumps(raw))
    assert "facts.companies[0].elections[0].option: encontrado “sobra”" in str(refused.value)
