"""The fee of a quarter: every part to the cent, and what cannot be told is not zero."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro import fees
from lastro.cli import main
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.lawkit.fees import Activity, Assessment, Charged, CityFee, Exemption, Notice
from lastro.units import Money, Share

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "tfa"
MT = "mt/lei_11096_2020"
TODAY = date(2026, 11, 30)
Part = str | None
# file: exit code, due, amount, fine, interest, total, codes
EXPECTED: dict[str, tuple[int, str, Part, Part, Part, Part, tuple[str, ...]]] = {
    "no_prazo": (0, "2026-04-09", "695.61", "0.00", "0.00", "695.61", ("X02",)),
    "dez_dias_depois": (0, "2026-04-09", "695.61", "23.16", "0.00", "718.77", ("X02",)),
    "com_credito_municipal": (0, "2026-04-09", "521.71", "0.00", "0.00", "521.71", ("X02", "X03")),
    "depois_da_notificacao": (0, "2026-04-09", "695.61", "173.90", "14.26", "883.77", ("X02",)),
    "sem_nivel": (1, "2026-04-09", None, None, None, None, ("X06",)),
    "isento": (0, "2026-04-09", "0.00", "0.00", "0.00", "0.00", ()),
}


def charged(name: str = "no_prazo") -> Charged:
    return fees.parse((EXAMPLES / f"{name}.json").read_text("utf-8"), today=TODAY)


def told(one: Charged) -> Assessment:
    return fees.assess(library.find(MT), one)[0]


def run(capsys: pytest.CaptureFixture[str], name: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["fee", MT, str(EXAMPLES / f"{name}.json"), "--json"])
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def test_every_example_is_expected_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == {*EXPECTED, "sem_selic"}


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_comes_out_to_the_cent(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, due, amount, fine, interest, total, codes = EXPECTED[name]
    got, out, _ = run(capsys, name)
    answer = json.loads(out)
    assert (got, answer["due"]) == (code, due)
    parts = [answer[f"{part}_brl"] for part in ("amount", "fine", "interest", "total")]
    assert parts == [amount, fine, interest, total]
    assert tuple(f["code"] for f in answer["findings"]) == codes


def test_a_month_of_selic_that_is_missing_stops_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "sem_selic")
    assert (code, out) == (2, "")
    assert "SELIC de 05/2026, 06/2026: não carregadas" in err  # all of them, not one at a time


def test_interest_takes_each_month_by_the_rule_of_its_day() -> None:
    one = replace(
        charged(), year=2023, quarter=4, paid_on=date(2024, 4, 10),
        selic={date(2024, 3, 1): Share.parse("0.83%")}, closed=(date(2024, 1, 1),),
    )  # fmt: skip
    made = told(one)
    assert made.due == date(2024, 1, 8)
    # February at 1 %, March at its SELIC, April, in which it is paid, at 1 %
    assert made.interest == Money.brl("19.69")


def test_a_notice_ends_what_is_spontaneous_on_the_day_it_is_received() -> None:
    notice = Notice(date(2026, 4, 20), date(2026, 4, 30))
    before = told(replace(charged(), paid_on=date(2026, 4, 19), notice=notice))
    on = told(replace(charged(), paid_on=date(2026, 4, 20), notice=notice))
    assert (before.fine, on.fine) == (Money.brl("23.16"), Money.brl("139.12"))


def test_a_refund_by_the_city_makes_the_credit_owed_again() -> None:
    city = CityFee(
        Money.brl("300.00"), True, True, date(2025, 1, 1), None, Money.brl("300.00"), date(2027, 1, 10)
    )
    known = told(replace(charged(), city=city, index=Share.parse("5%")))
    assert known.restored == Money.brl("182.60")
    unknown = told(replace(charged(), city=city))
    assert unknown.restored == Money.brl("173.90")
    assert "índice de correção" in unknown.findings[-1].expected


def test_without_revenue_or_with_a_person_without_a_cell_the_fee_is_pending() -> None:
    assert told(replace(charged(), revenue=None)).total is None
    person = told(replace(charged(), person="natural_person", revenue=None))
    assert (person.size, person.total) == ("natural_person", None)
    assert {f.code for f in person.findings} == {"X06"}


def test_an_exemption_without_its_conditions_is_no_exemption() -> None:
    social = Exemption("social", recognised=True, distributes=False, in_the_country=True, books=False)
    made = told(replace(charged(), exemption=social))
    assert made.total == Money.brl("695.61")
    assert "X05" in {f.code for f in made.findings}
    assert told(replace(charged(), exemption=replace(social, books=True))).total == Money(0)


def test_an_activity_that_ended_before_the_quarter_owes_nothing() -> None:
    gone = Activity("15", date(2015, 1, 1), date(2025, 12, 31))
    assert told(replace(charged(), activities=(gone,))).fee == Money(0)


def test_the_federal_offset_counts_a_city_without_an_agreement_but_no_other_kind_of_fee() -> None:
    """Art. 17-P of Lei 6.938 asks for an inspection fee really paid, whatever the State says of the city."""
    unpaid = replace(charged(), paid_on=None, asked_on=date(2026, 4, 9))
    outside = CityFee(Money(300_00), True, False, None, None)
    licence = replace(outside, inspection_fee=False)
    assert told(replace(unpaid, city=outside)).federal_offset == Money(300_00)
    assert told(replace(unpaid, city=licence)).federal_offset == Money(0)
    assert told(replace(unpaid, city=outside)).city_credit == Money(0)


def test_silviculture_spares_only_the_code_that_has_it() -> None:
    """Said of the chemical industry, the word changes nothing; of code 20, the federal fee is gone."""
    said = Activity("15", date(2015, 1, 1), silviculture=True)
    assert told(replace(charged(), activities=(said,))).fee == told(charged()).fee
    assert told(replace(charged(), activities=(replace(said, code="20"),))).fee == Money(0)


@given(st.integers(0, 400), st.integers(0, 100_000))
def test_a_later_payment_never_costs_less_and_credit_never_passes_its_caps(days: int, city: int) -> None:
    paid = CityFee(Money(city), True, True, date(2025, 1, 1), None)
    rates = {date(2026, month, 1): Share.parse("1%") for month in range(5, 13)}
    rates |= {date(2027, month, 1): Share.parse("1%") for month in range(1, 13)}
    one = replace(charged(), city=paid, selic=rates)
    first = told(replace(one, paid_on=date.fromordinal(date(2026, 4, 9).toordinal() + days)))
    then = told(replace(one, paid_on=date.fromordinal(date(2026, 4, 10).toordinal() + days)))
    assert first.total is not None
    assert then.total is not None
    assert first.total <= then.total
    assert first.city_credit == Money(min(city, 17390))
    assert first.federal_offset is not None
    assert first.federal_offset <= Money.brl("695.61")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"activities": []}, "activities: encontrado nada"),
        ({"activities": [{"code": "23", "began": "2015-01-01"}]}, "activities[0].code: encontrado “23”"),
        ({"municipality": "123"}, "municipality: encontrado “123”"),
        ({"notice": [1]}, "notice: encontrado “[1]”; esperado um objeto"),
        ({"notice": {"received_on": "2026-06-01"}}, "notice.deadline: encontrado nada"),
        ({"valor": 1}, "valor"),
    ],
)
def test_a_bad_document_is_refused_whole_and_says_where(change: dict[str, Any], said: str) -> None:
    raw = json.loads((EXAMPLES / "no_prazo.json").read_text("utf-8")) | change
    with pytest.raises(JsonRefused) as refused:
        fees.parse(json.dumps(raw), today=TODAY)
    assert said in str(refused.value)
