"""A quarter of the Bolsa Reciclagem: to the cent, whatever the order, and what is missing stops it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro import incentives
from lastro.cli import main
from lastro.facts import Severity
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.lawkit.grants import Coefficient, Quarter
from lastro.units import Mass, Money

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "bolsa"
MG = "mg/decreto_45975_2012"
EXPECTED: dict[str, tuple[int, tuple[str | None, str | None], tuple[str, ...]]] = {
    "trimestre": (0, ("43396.23", "56603.77"), ()),
    "suspensa_e_atrasada": (1, ("0.00", "100000.00"), ("B05", "B04")),
    "sem_coeficiente": (1, (None, None), ("B01", "B01")),
    "conta_por_tonelada": (0, ("11.50", "15.00"), ()),
}


def quarter() -> Quarter:
    return incentives.parse((EXAMPLES / "trimestre.json").read_text("utf-8"))


def paid(one: Quarter) -> dict[str, Money | None]:
    made, _ = incentives.granted(library.find(MG), one)
    return {g.cnpj: g.amount for g in made.granted}


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    with pytest.raises(SystemExit) as ended:
        main(list(argv))
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(capsys.readouterr().out)


def test_every_example_is_expected_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_pays_to_the_cent(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, amounts, codes = EXPECTED[name]
    got, answer = run(capsys, "grant", MG, str(EXAMPLES / f"{name}.json"), "--json")
    assert got == code
    assert tuple(one["amount_brl"] for one in answer["organisations"]) == amounts
    assert tuple(f["code"] for one in answer["organisations"] for f in one["findings"]) == codes
    assert answer["kind"] == "incentivo por serviços ambientais"


def test_the_order_of_organisations_moves_no_cent() -> None:
    one = quarter()
    assert paid(replace(one, organisations=one.organisations[::-1])) == paid(one)


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=2), st.integers(0, 10**9))
def test_what_is_paid_is_what_there_is(grams: list[int], cents: int) -> None:
    one = quarter()
    organisations = tuple(
        replace(o, sales=(replace(o.sales[0], mass=Mass(g * 1000)),))
        for o, g in zip(one.organisations, grams, strict=True)
    )
    one = replace(one, annual=Money(0), budget=Money(cents), organisations=organisations)
    amounts = [a.cents for a in paid(one).values() if a is not None]
    assert len(amounts) == 2
    assert sum(amounts) == (cents if any(grams) else 0)
    whole = sum(grams)
    for amount, g in zip(amounts, grams, strict=True):
        assert abs(amount - Fraction(cents * g, whole or 1)) < 1


def test_below_the_minimum_nothing_is_granted() -> None:
    made, _ = incentives.granted(library.find(MG), replace(quarter(), annual=Money.brl("400000.04")))
    assert "abaixo do mínimo" in made.blocked[0]
    assert {g.amount for g in made.granted} == {None}


def test_a_new_coefficient_waits_and_the_first_one_does_not() -> None:
    one = quarter()
    later = Coefficient("glass", Fraction(4), date(2025, 8, 10), "9/2025")
    assert paid(replace(one, coefficients=(*one.coefficients, later))) == paid(one)
    due = replace(later, decided_on=date(2025, 6, 30))
    assert paid(replace(one, coefficients=(*one.coefficients, due))) != paid(one)
    oil = Coefficient("cooking_oil", Fraction(1), date(2026, 3, 1), "3/2026")
    a, b = one.organisations
    sold = replace(a, sales=(*a.sales, replace(a.sales[0], material="cooking_oil")))
    with_oil = replace(one, organisations=(sold, b))
    assert paid(with_oil) == paid(one)
    assert paid(replace(with_oil, coefficients=(*one.coefficients, oil))) != paid(one)


def test_a_subclass_takes_its_own_coefficient_or_its_materials() -> None:
    one = quarter()
    a, b = one.organisations
    pet = replace(
        a, sales=tuple(replace(s, subclass="pet") if s.material == "plastic" else s for s in a.sales)
    )
    assert paid(replace(one, organisations=(pet, b))) == paid(one)
    dearer = Coefficient("plastic/pet", Fraction(9), date(2025, 1, 20), "2/2025")
    made = paid(replace(one, organisations=(pet, b), coefficients=(*one.coefficients, dearer)))
    assert made[a.cnpj] == Money(100_000_00 * 53 // 83)  # 53 of 83 points; the other has the larger remainder


def test_without_any_measure_a_person_looks_and_nobody_is_refused() -> None:
    one = quarter()
    a, b = one.organisations
    unmeasured = replace(one, organisations=(replace(a, measured=(None, None, None)), b))
    made, _ = incentives.granted(library.find(MG), unmeasured)
    assert [f.severity for f in made.granted[0].findings] == [Severity.REVIEW]
    assert made.granted[0].amount == Money.brl("43396.23")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"quarter": 5}, "quarter: encontrado “5”; esperado o trimestre, de 1 a 4"),
        ({"budget_brl": "1.001"}, "budget_brl: encontrado “1.001”; esperado reais como texto decimal"),
        ({"organisations": []}, "organisations: encontrado nada"),
        ({"presidente": "x"}, "presidente"),
    ],
)
def test_a_bad_document_is_refused_whole_and_says_where(change: dict[str, Any], said: str) -> None:
    raw = json.loads((EXAMPLES / "trimestre.json").read_text("utf-8")) | change
    with pytest.raises(JsonRefused) as refused:
        incentives.parse(json.dumps(raw))
    assert said in str(refused.value)


def test_a_sale_without_kilograms_or_reais_is_no_proof() -> None:
    raw = json.loads((EXAMPLES / "trimestre.json").read_text("utf-8"))
    del raw["organisations"][0]["sales"][0]["value_brl"]
    raw["organisations"][1]["sales"][0]["mass_kg"] = "0"
    with pytest.raises(JsonRefused) as refused:
        incentives.parse(json.dumps(raw))
    assert "organisations[0].sales[0].value_brl" in str(refused.value)
    assert "organisations[1].sales[0].mass_kg" in str(refused.value)


def test_before_the_decree_nothing_is_paid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = json.loads((EXAMPLES / "trimestre.json").read_text("utf-8")) | {"year": 2012}
    for one in raw["organisations"]:
        one["data_updated_on"] = "2012-01-15"  # a later day would be refused by itself
    (tmp_path / "q.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["grant", MG, str(tmp_path / "q.json")])
    assert ended.value.code == 2
    assert "não estava em vigor em 31/03/2012" in capsys.readouterr().err
