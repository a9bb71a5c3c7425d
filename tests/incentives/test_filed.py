"""What was filed comes out as the facts document that anybody could have written by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro import incentives
from lastro.filings import Filing, Kind, Subject
from lastro.incentives import filed
from lastro.incentives.filed import Filed
from lastro.lawkit import library
from tests.incentives.filing import NORM, Draft, drafts

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "bolsa"
VALE, SERRA = "ZZBOLSA1000127", "ZZBOLSA2000171"


def _facts(name: str = "trimestre") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    return found


def _world(*more: Draft, without: Kind | None = None) -> Filed:
    every = [one for one in drafts(_facts()) if one.subject.kind is not without]
    return Filed(tuple(one.filing(n) for n, one in enumerate([*every, *more], 1)))


def _made(world: Filed) -> Any:
    return incentives.parse(json.dumps(filed.document(world, year=2026, number=1)))


@pytest.mark.parametrize("name", ["trimestre", "suspensa_e_atrasada", "sem_coeficiente"])
def test_the_filings_of_a_quarter_are_the_facts_that_were_taken_apart(name: str) -> None:
    facts = _facts(name)
    world = Filed(tuple(one.filing(n) for n, one in enumerate(drafts(facts), 1)))
    made = incentives.parse(json.dumps(filed.document(world, year=facts["year"], number=facts["quarter"])))
    asked = incentives.parse(json.dumps(facts))
    norm = library.find(NORM)
    answers = [incentives.answer(norm, one, incentives.granted(norm, one)[0]) for one in (made, asked)]
    assert answers[0] == answers[1]
    assert {one.cnpj: one.measured for one in made.organisations} == {
        one.cnpj: one.measured for one in asked.organisations
    }


def test_a_quarter_that_nobody_opened_has_no_facts() -> None:
    assert filed.document(_world(without=Kind.QUARTER), year=2026, number=1) is None
    assert filed.document(_world(), year=2026, number=2) is None


def test_a_month_that_the_office_did_not_measure_is_not_zero() -> None:
    quarter = _made(_world(without=Kind.MEASURED))
    assert {one.measured for one in quarter.organisations} == {(None, None, None)}


def _step(to: str, *, by: str = filed.COMMITTEE, **said: Any) -> Draft:
    subject = Subject(Kind.STEP, by, NORM, name=VALE)
    return Draft(subject, {"to": to, **said}, date(2026, 2, 1), VALE)


def _again(submitted: bool = True, on: date = date(2026, 3, 1)) -> Draft:
    body = next(d.body for d in drafts(_facts()) if d.subject == Subject(Kind.REGISTRATION, VALE, NORM))
    return Draft(
        Subject(Kind.REGISTRATION, VALE, NORM), {**body, "members": 31, "submitted": submitted}, on, "bolsa"
    )


@pytest.mark.parametrize(
    ("more", "state", "recognised"),
    [
        ([], "validated", True),
        ([_again()], "validated", True),  # data brought up to date: what was validated stands
        ([_step("suspended", by=filed.ANALYSTS)], "suspended", True),
        ([_step("rejected")], "rejected", False),
        ([_step("rejected"), _again(False)], "draft", False),
        ([_step("rejected"), _again()], "submitted", False),
        ([_step("in_analysis", by=filed.ANALYSTS)], "in_analysis", True),
        ([_step("analysed", by=filed.ANALYSTS), _again()], "submitted", True),
        ([_step("validated", recognised=False)], "validated", False),
    ],
)
def test_a_registration_stands_where_the_last_step_took_it(
    more: list[Draft], state: str, recognised: bool
) -> None:
    found = _world(*more).standing(VALE)
    assert (found.state, found.recognised) == (state, recognised)


def test_who_filed_nothing_is_a_draft_and_has_no_part() -> None:
    assert _world().standing("ZZNADA00000100").state == "draft"
    assert [one.cnpj for one in _made(_world(without=Kind.STEP)).organisations] == [VALE, SERRA]
    assert {one.state for one in _made(_world(without=Kind.STEP)).organisations} == {"submitted"}


def test_data_brought_up_to_date_after_the_last_day_are_those_of_a_later_quarter() -> None:
    assert filed.last_update(2026, 1) == date(2026, 4, 30)
    assert filed.last_update(2026, 4) == date(2027, 1, 31)
    told = {
        on: _made(_world(_again(on=on))).organisations[0].members
        for on in (date(2026, 4, 30), date(2026, 5, 1))
    }
    assert list(told.values()) == [31, 30]


def test_the_list_that_is_asked_for_is_that_of_the_last_grant_that_paid() -> None:
    def listed(*more: Draft) -> bool:
        return bool(_made(_world(*more)).organisations[0].list_delivered)

    def grant(period: str, amount: str) -> Draft:
        subject = Subject(Kind.GRANT, filed.COMMITTEE, NORM, period, VALE)
        return Draft(subject, {"amount_brl": amount}, date(2026, 1, 2), VALE)

    assert listed()
    assert listed(grant("2026-T1", "5.00")), "a grant of the quarter itself comes after it"
    later = Filed(tuple(d.filing(n) for n, d in enumerate([*drafts(_facts()), grant("2026-T1", "5.00")], 1)))
    assert later.grant(VALE, before="2026-T2") is not None
    assert later.grant(VALE, before="2026-T2").subject.period == "2026-T1"  # type: ignore[union-attr]
    nothing = Filed((*later.filings, grant("2026-T2", "0.00").filing(900)))
    assert nothing.grant(VALE, before="2026-T3").subject.period == "2026-T1"  # type: ignore[union-attr]


def _paper(decided_on: str) -> Draft:
    act = {"act": "9/2025", "decided_on": decided_on, "about": "proof", "paper": "recibo de balança"}
    return Draft(Subject(Kind.ACT, filed.COMMITTEE, NORM, "2025", "9/2025"), act, date(2025, 9, 1), "", True)


def test_another_paper_proves_where_an_act_recognised_it() -> None:
    sale = {
        "material": "paper", "mass_kg": "10", "value_brl": "1.00", "invoice": False, "sold_on": "2026-02-01",
        "proof": "77", "paper": "recibo de balança",
    }  # fmt: skip
    receipt = Draft(Subject(Kind.SALE, VALE, NORM, "2026-T1", "77/paper"), sale, date(2026, 4, 1), "bolsa")

    def recognised(*acts: Draft) -> date | None:
        return next(
            s for s in _made(_world(receipt, *acts)).organisations[0].sales if s.proof == "77"
        ).recognised_on

    assert recognised() is None
    assert recognised(_paper("2025-09-01")) == date(2025, 9, 1)


def test_a_requirement_is_met_by_who_says_so_in_the_registration() -> None:
    act = {
        "act": "3/2026",
        "decided_on": "2026-01-05",
        "about": "requirement",
        "what": "luvas",
        "since": "2026-02-01",
    }
    asked = Draft(Subject(Kind.ACT, filed.COMMITTEE, NORM, "2026", "3/2026"), act, date(2026, 1, 5), "", True)
    quarter = _made(_world(asked))
    assert [(r.act, r.what) for r in quarter.requirements] == [("3/2026", "luvas")]
    body = {**_again().body, "requirements_met": ["3/2026"]}
    met = _made(_world(asked, replace(_again(), body=body)))
    assert met.organisations[0].meets == ("3/2026",)
    assert quarter.organisations[0].meets == ()


def test_the_norm_says_who_takes_a_step() -> None:
    norm = library.find(NORM)
    assert filed.step_allowed(norm, before="analysed", after="validated", by="committee")
    assert not filed.step_allowed(norm, before="analysed", after="validated", by="semad")
    assert filed.step_allowed(norm, before="submitted", after="in_analysis", by="semad")


def test_months_and_quarters_have_one_name() -> None:
    assert filed.period_of(2026, 3) == "2026-T3"
    assert filed.months_of(2026, 4) == ("2026-10", "2026-11", "2026-12")
    assert isinstance(_world().filings[0], Filing)
