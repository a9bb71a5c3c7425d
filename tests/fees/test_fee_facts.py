"""What a fee's facts may not say, and what is said of an amount that is nothing or not final."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro import fees
from lastro.cli import main
from lastro.errors import LastroError
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.lawkit.fees import Activity, Assessment, Charged
from lastro.units import Money, Share

MT = "mt/lei_11096_2020"
TODAY = date(2026, 11, 30)
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "tfa" / "no_prazo.json"
CITY = {"paid_brl": "300.00", "inspection_fee": True, "recognised": True}
MAY = {"month": "2026-05", "rate": "1.05%"}


def facts(**change: Any) -> str:
    return json.dumps(json.loads(EXAMPLE.read_text("utf-8")) | change)


def charged(**change: Any) -> Charged:
    return fees.parse(facts(**change), today=TODAY)


def told(one: Charged) -> Assessment:
    return fees.assess(library.find(MT), one)[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"selic": [MAY, {**MAY, "rate": "0.90%"}]}, "selic[1]: encontrado “2026-05”"),
        ({"selic": [{**MAY, "rate": "-1%"}]}, "selic[0].rate: encontrado “-1%”"),
        ({"selic": [{**MAY, "rate": "97%"}]}, "selic[0].rate: encontrado “97%”"),
        ({"correction_index": "-100%"}, "correction_index: encontrado “-100%”"),
        ({"municipality": "5199999"}, "municipality: encontrado “5199999”"),
        ({"municipal_fee": {**CITY, "refunded_brl": "10"}}, "municipal_fee.refunded_on: encontrado nada"),
        ({"municipal_fee": {**CITY, "refunded_on": "2026-09-01"}}, "municipal_fee.refunded_brl"),
        (
            {"municipal_fee": {**CITY, "refunded_brl": "300.01", "refunded_on": "2026-09-01"}},
            "municipal_fee.refunded_brl: encontrado “300.01”; esperado até o que se pagou, 300.00",
        ),
        (
            {"municipal_fee": {**CITY, "agreement_from": "2026-02-01", "agreement_to": "2026-01-01"}},
            "municipal_fee.agreement_to",
        ),
        ({"paid_on": "2026-03-31"}, "paid_on: encontrado “2026-03-31”"),
        ({"document": "123456789" + "09"}, "uma empresa não tem CPF"),
        ({"mei": True}, "só um empresário individual é MEI"),
        ({"notice": {"received_on": "2026-06-01", "deadline": "2026-05-31"}}, "notice.deadline"),
        (
            {"activities": [{"code": "15", "began": "2015-03-02", "ended": "2015-03-01"}]},
            "activities[0].ended",
        ),
    ],
)
def test_facts_that_cannot_be_are_refused_by_their_place(change: dict[str, Any], said: str) -> None:
    with pytest.raises(JsonRefused) as refused:
        charged(**change)
    assert said in str(refused.value)
    assert len(refused.value.problems) == 1


def test_who_is_in_another_state_owes_this_fee_nothing() -> None:
    with pytest.raises(LastroError, match="3106200 é Belo Horizonte/MG"):
        told(charged(municipality="3106200"))


def test_an_activity_without_a_level_makes_the_other_ones_fee_a_least_one() -> None:
    active = (Activity("15", date(2015, 1, 1)), Activity("21", date(2015, 1, 1)))
    made = told(replace(charged(), activities=active))
    assert (made.total, made.at_least, fees.sound(made)) == (told(charged()).total, True, False)
    assert told(charged()).at_least is False
    tiny = replace(
        charged(), revenue=Money.brl("1000"), activities=(replace(active[0], code="12"), active[1])
    )
    least = told(tiny)
    assert (least.total, least.at_least, least.notes) == (Money(0), True, ())  # and not "nothing is owed"


def test_the_verb_says_that_it_is_a_least_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"code": "15", "began": "2015-03-02"}, {"code": "22", "began": "2015-03-02"}]
    (tmp_path / "f.json").write_text(facts(activities=rows), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["fee", MT, str(tmp_path / "f.json")])
    out = capsys.readouterr().out
    assert ended.value.code == 1
    assert "ao menos R$ 695,61" in out
    assert "código 22, sem nível no anexo" in out


def test_an_exemption_that_is_refused_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text(facts(exemption={"kind": "social"}), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["fee", MT, str(tmp_path / "f.json")])
    assert ended.value.code == 1


def test_a_natural_person_lacks_a_cell_and_not_a_level() -> None:
    made = told(replace(charged(), person="natural_person", revenue=None))
    assert made.total is None
    assert {"pessoa natural" in one.found for one in made.findings} == {True}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"activities": [{"code": "15", "began": "2015-01-01", "ended": "2025-12-31"}]}, "em curso"),
        ({"activities": [{"code": "15", "began": "2026-04-01"}]}, "em curso"),
        ({"exemption": {"kind": "public"}}, "a isenção informada vale"),
        ({"activities": [{"code": "20", "began": "2015-01-01", "silviculture": True}]}, "R$ 0,00"),
    ],
)
def test_nothing_owed_has_its_reason(change: dict[str, Any], said: str) -> None:
    made = told(charged(**change))
    assert made.total == Money(0)
    (note,) = made.notes
    assert note.startswith("Nada é devido")
    assert said in note


def test_a_municipality_whose_own_days_off_are_not_known_is_told_so() -> None:
    assert told(charged()).notes == ()
    (note,) = told(charged(municipality="5107602")).notes
    assert "Feriados do próprio município" in note
    assert told(charged(municipality="5107602", closed=["2026-04-06"])).notes == ()


def test_a_small_individual_business_above_its_limit_is_told() -> None:
    above = replace(charged(), person="individual", mei=True, revenue=Money.brl("81000.01"))
    assert [f.code for f in told(above).findings if f.code == "X01"] == ["X01"]
    within = replace(above, revenue=Money.brl("81000.00"))
    assert [f.code for f in told(within).findings if f.code == "X01"] == []


def test_every_month_that_lacks_its_rate_is_told_at_once() -> None:
    late = replace(charged(), paid_on=date(2026, 8, 3))
    with pytest.raises(LastroError, match="SELIC de 05/2026, 06/2026, 07/2026"):
        told(late)
    with pytest.raises(LastroError, match="SELIC de 06/2026: não carregada"):
        told(replace(late, selic={date(2026, m, 1): Share.parse("1%") for m in (5, 7)}))
