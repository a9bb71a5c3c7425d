"""A facts file is taken whole, or refused with every place to mend."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.facts import Basis
from lastro.ids import Material, Origin
from lastro.jsonfile import JsonRefused
from lastro.obligations.facts_file import parse
from lastro.units import Mass

GOOD: dict[str, Any] = {
    "norm": "mt/decreto_1455_2025",
    "year": 2026,
    "tables": {
        "targets": [
            {"sector": "embalagens_em_geral", "material": "glass", "year": 2026, "share": "25%",
             "source": "x"}
        ]
    },
    "companies": [
        {
            "cnpj": "ZZ.EX0.001/0001-06",
            "size": "large",
            "scheme": "structuring",
            "placed": [
                {"year": 2025, "material": "glass", "uf": "MT", "mass_kg": "200000", "returnable_kg": "0"}
            ],
            "retired": [
                {"year": 2026, "material": "glass", "uf": "MT", "municipality": "5103403",
                 "origin": "picker_entity", "mass_kg": "48000.5"}
            ],
            "elections": [],
        }
    ],
}  # fmt: skip


def test_the_file_of_the_contract_is_read() -> None:
    facts = parse(json.dumps(GOOD))
    (company,) = facts.companies
    assert (facts.norm, facts.year, company.cnpj) == ("mt/decreto_1455_2025", 2026, "ZZEX0001000106")
    assert facts.targets[0].basis is Basis.OFFICIAL
    assert company.placed[0].mass == Mass.kg("200000")
    (proved,) = company.retired
    assert (proved.material, proved.origin, proved.mass) == (
        Material.GLASS, Origin.PICKER_ENTITY, Mass.kg("48000.5"),
    )  # fmt: skip


def test_a_number_is_taken_as_it_is_written() -> None:
    text = json.dumps(GOOD).replace('"48000.5"', "0.1")
    assert parse(text).companies[0].retired[0].mass == Mass(100_000)


def changed(path: str, value: object) -> dict[str, Any]:
    raw = deepcopy(GOOD)
    node: Any = raw
    *steps, last = [int(p) if p.isdigit() else p for p in path.split("/")]
    for step in steps:
        node = node[step]
    node[last] = value
    return raw


COMPANY, PLACED, RETIRED = "companies/0", "companies/0/placed/0", "companies/0/retired/0"


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("year", "2026", "year"),
        ("year", True, "year"),
        ("companies", [], "companies"),
        ("companies", {}, "companies"),
        ("yaer", 2026, "yaer"),
        ("tables/targets/0/share", "25", "tables.targets[0].share"),
        ("tables/targets/0/share", "0%", "tables.targets[0].share"),
        ("tables/targets/0/share", "101%", "tables.targets[0].share"),
        ("tables/targets/0/source", " ", "tables.targets[0].source"),
        ("tables/targets/0/basis", "maybe", "tables.targets[0].basis"),
        (f"{COMPANY}/cnpj", "ZZEX0001000107", "companies[0].cnpj"),
        (f"{COMPANY}/size", "huge", "companies[0].size"),
        (f"{COMPANY}/scheme", None, "companies[0].scheme"),
        (f"{COMPANY}/formal_partnerships", "yes", "companies[0].formal_partnerships"),
        (f"{PLACED}/mass_kg", "200.000,5", "companies[0].placed[0].mass_kg"),
        (f"{PLACED}/mass_kg", "-1", "companies[0].placed[0].mass_kg"),
        (f"{PLACED}/mass_kg", "1e3", "companies[0].placed[0].mass_kg"),
        (f"{PLACED}/mass_kg", "0.0000001", "companies[0].placed[0].mass_kg"),
        (f"{PLACED}/mass_kg", None, "companies[0].placed[0].mass_kg"),
        (f"{PLACED}/mass_kg", True, "companies[0].placed[0].mass_kg"),
        (f"{PLACED}/material", "vidro", "companies[0].placed[0].material"),
        (f"{PLACED}/uf", "XX", "companies[0].placed[0].uf"),
        (f"{PLACED}/returnable_kg", "200001", "companies[0].placed[0].returnable_kg"),
        (f"{PLACED}/retornable_kg", "5", "companies[0].placed[0].retornable_kg"),
        (f"{RETIRED}/aerosol_kg", "48000.500001", "companies[0].retired[0].mass_kg"),
        (f"{RETIRED}/upstream_counted_kg", "48001", "companies[0].retired[0].mass_kg"),
        (f"{RETIRED}/municipality", "3550308", "companies[0].retired[0].municipality"),
        (f"{RETIRED}/municipality", "51", "companies[0].retired[0].municipality"),
        (f"{RETIRED}/municipality", 5103403, "companies[0].retired[0].municipality"),
        (f"{RETIRED}/origin", "scrap", "companies[0].retired[0].origin"),
        (f"{RETIRED}/uf", "BR", "companies[0].retired[0].uf"),
        (RETIRED, "x", "companies[0].retired[0]"),
    ],
)
def test_each_mistake_is_named_by_its_place(path: str, value: object, place: str) -> None:
    with pytest.raises(JsonRefused) as refused:
        parse(json.dumps(changed(path, value)))
    assert refused.value.problems[0].startswith(f"{place}: encontrado ")
    assert "; esperado " in refused.value.problems[0]


def test_all_mistakes_come_at_once() -> None:
    raw = changed("companies/0/placed/0/mass_kg", "x")
    raw["year"] = 0
    raw["companies"][0]["retired"][0]["origin"] = "y"
    with pytest.raises(JsonRefused) as refused:
        parse(json.dumps(raw))
    assert len(refused.value.problems) == 3


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"year": NaN}', '{"year": 1, "year": 2}', "[" * 100_000]
)
def test_what_is_no_facts_document_is_refused(text: str) -> None:
    with pytest.raises(JsonRefused):
        parse(text)


def test_of_two_rows_that_answer_one_question_neither_wins() -> None:
    raw = deepcopy(GOOD)
    raw["tables"]["targets"].append({**raw["tables"]["targets"][0], "share": "20%"})
    raw["tables"]["icms"] = [{"year": 2025, "share": s, "source": "x"} for s in ("3%", "4%")]
    term = {"material": "glass", "year": 2026, "share": "20%", "source": "x"}
    raw["companies"][0]["term_targets"] = [term, {**term, "justified": True}]
    with pytest.raises(JsonRefused) as refused:
        parse(json.dumps(raw))
    places = [problem.partition(":")[0] for problem in refused.value.problems]
    assert sorted(places) == ["companies[0].term_targets[1]", "tables.icms[1]", "tables.targets[1]"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
PLACES = st.sampled_from(
    [
        "norm",
        "year",
        "tables",
        "tables/targets",
        "tables/targets/0",
        "tables/targets/0/share",
        "companies",
        COMPANY,
    ]
    + [
        f"{COMPANY}/{key}"
        for key in ("cnpj", "size", "placed", "retired", "elections", "term_targets", "sector")
    ]
    + [f"{PLACED}/{key}" for key in ("year", "material", "uf", "mass_kg", "returnable_kg", "national")]
    + [f"{RETIRED}/{key}" for key in ("year", "municipality", "origin", "mass_kg")]
)


@settings(deadline=None)
@given(place=PLACES, value=JSON)
def test_no_value_anywhere_crashes_the_reading(place: str, value: object) -> None:
    with suppress(JsonRefused):
        assert parse(json.dumps(changed(place, value))).companies


@settings(deadline=None)
@given(text=st.text(max_size=40) | JSON.map(json.dumps))
def test_no_document_crashes_the_reading(text: str) -> None:
    with pytest.raises(JsonRefused):
        parse(text)


def test_entries_of_one_root_are_one_company() -> None:
    raw = deepcopy(GOOD)
    raw["companies"].append({**raw["companies"][0], "cnpj": "ZZEX0001000297"})
    from lastro.ids import cnpj_check_digits

    raw["companies"][1]["cnpj"] = "ZZEX00010002" + cnpj_check_digits("ZZEX00010002")
    (company,) = parse(json.dumps(raw)).companies
    assert (company.cnpj, len(company.placed), len(company.retired)) == ("ZZEX0001", 2, 2)
    raw["companies"][1]["scheme"] = "individual"
    with pytest.raises(JsonRefused, match="ZZEX0001"):
        parse(json.dumps(raw))
