"""What is published of a quarter names nobody, and what one organisation reads is its own."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro import incentives
from lastro.incentives import granting
from lastro.lawkit import library
from lastro.units import Money

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "bolsa"
VALE, SERRA = "ZZBOLSA1000127", "ZZBOLSA2000171"
NORM = library.find("mg/decreto_45975_2012")
DAY = date(2026, 5, 20)


def _facts(name: str = "trimestre") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    return found


def _answer(facts: dict[str, Any]) -> dict[str, Any]:
    quarter = incentives.parse(json.dumps(facts))
    return incentives.answer(NORM, quarter, incentives.granted(NORM, quarter)[0])


def _third(facts: dict[str, Any]) -> dict[str, Any]:
    more = deepcopy(facts["organisations"][0])
    more |= {"cnpj": "ZZBOLSA3000116", "name": "Terceira"}
    return {**facts, "organisations": [*facts["organisations"], more]}


def test_what_is_published_names_no_organisation() -> None:
    told = granting.published(_answer(_facts()), granted_on=DAY)
    text = json.dumps(told, ensure_ascii=False)
    assert not [word for word in (VALE, SERRA, "Vale", "Serra") if word in text]
    assert told["organisations_paid"] == 2
    assert told["granted_brl"] == "100000.00"
    assert told["granted_on"] == "2026-05-20"


@pytest.mark.parametrize(("facts", "mass"), [(_facts(), None), (_third(_facts()), "40000")])
def test_a_sum_of_few_sellers_is_not_published(facts: dict[str, Any], mass: str | None) -> None:
    facts = deepcopy(facts)
    for one in facts["organisations"]:
        one["cnpj"] = one["cnpj"] if one["name"] != "Terceira" else _cnpj("ZZBOLSA30001")
    paper = granting.published(_answer(facts), granted_on=DAY)["sold"]["paper"]
    assert paper == {"organisations": len(facts["organisations"]), "mass_kg": mass}


def test_what_is_left_out_cannot_be_reckoned_from_the_money() -> None:
    facts = deepcopy(_third(_facts()))
    facts["organisations"][2]["cnpj"] = _cnpj("ZZBOLSA30001")
    for one in facts["organisations"]:
        one["sales"] = [s for s in one["sales"] if s["material"] != "glass" or one["cnpj"] == VALE]
    sold = granting.published(_answer(facts), granted_on=DAY)["sold"]
    assert sold["glass"] == {"organisations": 1, "mass_kg": None}
    assert [name for name, of in sold.items() if of["mass_kg"] is None] == ["glass", "plastic"], (
        "with glass alone unsaid, the money granted less that of the others would be the glass of one"
    )


def _cnpj(base: str) -> str:
    from lastro.ids import cnpj_check_digits

    return base + cnpj_check_digits(base)


def test_each_is_told_its_own_part() -> None:
    told = dict(granting.each(_answer(_facts()), granted_on=DAY))
    assert {cnpj: one["amount_brl"] for cnpj, one in told.items()} == {VALE: "43396.23", SERRA: "56603.77"}
    assert "Serra" not in json.dumps(told[VALE], ensure_ascii=False)


@pytest.mark.parametrize(
    "name", ["trimestre", "suspensa_e_atrasada", "conta_por_tonelada", "sem_coeficiente"]
)
def test_the_own_explanation_has_nothing_of_another_organisation(name: str) -> None:
    facts = _facts(name)
    for one in facts["organisations"]:
        one["name"] = f"Organização {one['cnpj']}"
    quarter = incentives.parse(json.dumps(facts))
    made, trace = incentives.granted(NORM, quarter)
    for one in made.granted:
        own = "\n".join(granting.own_explanation(NORM, trace, quarter, cnpj=one.cnpj).lines())
        others = [o.cnpj for o in made.granted if o.cnpj != one.cnpj]
        assert one.cnpj in own
        assert not [cnpj for cnpj in others if cnpj in own]
        if one.amount is not None and one.amount != Money(0):
            assert str(one.amount) in own
            assert str(one.least_to_members) in own


def test_the_own_explanation_keeps_the_sums_of_all() -> None:
    quarter = incentives.parse(json.dumps(_facts()))
    _, trace = incentives.granted(NORM, quarter)
    own = "\n".join(granting.own_explanation(NORM, trace, quarter, cnpj=VALE).lines())
    assert "pontos da organização: 23" in own
    assert "pontos de todas: 53" in own
    assert "R$ 43.396,23" in own
    assert "R$ 56.603,77" not in own
    assert "R$ 50.943,40" not in own
    assert "\n".join(trace.lines()).count("Mínimo a repassar") == 2, "the whole trace was not touched"
    assert own.count("Mínimo a repassar") == 1
