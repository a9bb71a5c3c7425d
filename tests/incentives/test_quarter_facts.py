"""What a quarter's facts may not say twice or otherwise, and how the answer ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from lastro import incentives
from lastro.cli import main
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.lawkit.grants import QuarterGranted
from lastro.units import Money

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "bolsa"
MG = "mg/decreto_45975_2012"


def facts(name: str = "trimestre") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    return found


def problems(change: Callable[[dict[str, Any]], object]) -> tuple[str, ...]:
    raw = facts()
    change(raw["organisations"][0])
    try:
        incentives.parse(json.dumps(raw))
    except JsonRefused as refused:
        return refused.problems
    return ()


def test_a_sale_written_twice_is_refused_and_two_papers_are_two_sales() -> None:
    (problem,) = problems(lambda one: one["sales"].append(dict(one["sales"][0])))
    assert problem.startswith("organisations[0].sales[")
    assert "já está em sales[0]" in problem
    assert problems(lambda one: one["sales"].append({**one["sales"][0], "proof": "12345"})) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"children_of_school_age": 3, "children_in_school": 4}, "children_in_school: encontrado “4”"),
        ({"members": 2, "members_capable": 3, "members_active": 2}, "members_capable: encontrado “3”"),
        ({"data_updated_on": "2099-01-01"}, "data_updated_on: encontrado “2099-01-01”"),
    ],
)
def test_what_cannot_be_is_refused_by_its_place(change: dict[str, Any], said: str) -> None:
    (problem,) = problems(lambda one: one.update(change))
    assert problem.startswith("organisations[0].")
    assert said in problem


def test_a_paper_is_not_delivered_before_its_sale() -> None:
    (problem,) = problems(lambda one: one["sales"][0].update(delivered_on="2001-01-01"))
    assert "sales[0].delivered_on: encontrado “2001-01-01”" in problem


def bill(**change: Any) -> QuarterGranted:
    quarter = incentives.parse(json.dumps(facts("conta_por_tonelada")))
    return incentives.granted(library.find(MG), replace(quarter, **change))[0]


def test_a_bill_that_is_paid_whole_has_the_coefficient_as_its_unit_value() -> None:
    made = bill(budget=Money.brl("1000"))
    assert made.left.cents > 0
    assert made.unit_values == made.coefficients
    quarter = incentives.parse(json.dumps(facts("conta_por_tonelada")))
    thirds = tuple(replace(one, value=Fraction(1, 3)) for one in quarter.coefficients)
    # the cents of the bill are rounded; its prices are not
    rounded = bill(coefficients=thirds, budget=Money.brl("1000"))
    assert rounded.left.cents > 0
    assert set(rounded.unit_values.values()) == {Fraction(1, 3)}


def test_a_bill_that_is_cut_has_a_smaller_unit_value() -> None:
    whole = bill(budget=Money.brl("1000"))
    paid = whole.available - whole.left
    assert bill(budget=paid).unit_values == whole.coefficients  # not a cent too little
    made = bill(budget=Money(paid.cents - 1))
    assert made.left == Money(0)
    assert all(value < made.coefficients[name] for name, value in made.unit_values.items())


@pytest.mark.parametrize(("name", "code"), [("trimestre", 0), ("suspensa_e_atrasada", 1)])
def test_a_refusal_ends_with_1(name: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["grant", MG, str(EXAMPLES / f"{name}.json")])
    assert ended.value.code == code
    assert "Concedido" in capsys.readouterr().out


def test_a_material_that_nobody_listed_is_told_with_those_that_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = facts()
    raw["organisations"][0]["sales"][0]["material"] = "papel"
    (tmp_path / "q.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["grant", MG, str(tmp_path / "q.json")])
    out = capsys.readouterr().out
    assert ended.value.code == 1
    assert "material papel; esperado: um de paper, plastic, metal, glass, ou outro com coeficiente" in out


def _with_requirement(**change: Any) -> QuarterGranted:
    raw = facts()
    asked = {"act": "3/2026", "what": "equipamento de proteção", "since": "2026-03-31"}
    raw["requirements"] = [{**asked, **change}]
    raw["organisations"][1]["requirements_met"] = ["3/2026"]
    return incentives.granted(library.find(MG), incentives.parse(json.dumps(raw)))[0]


@pytest.mark.parametrize(
    ("change", "binds"),
    [
        ({}, True),
        ({"since": "2026-04-01"}, False),
        ({"since": "2026-01-01", "until": "2026-03-30"}, False),
        ({"since": "2026-01-01", "until": "2026-03-31"}, True),
    ],
)
def test_a_requirement_of_an_act_binds_on_the_quarters_last_day(change: dict[str, str], binds: bool) -> None:
    first, second = _with_requirement(**change).granted
    against = [one.found for one in first.findings]
    assert against == (["requisito do ato 3/2026"] if binds else [])
    assert all("art. 7º, parágrafo único" in one.article for one in first.findings)
    assert not second.findings
    assert (first.amount == Money(0)) is binds
