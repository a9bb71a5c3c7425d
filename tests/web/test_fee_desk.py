"""The fee staff: the register, charges equal to `lastro fee`, papers to pay, debts in parts."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.web.conftest import TODAY, World, browser_of, people_of
from tests.web.own_agency import SELIC

CUIABA = "5103403"


def _page(browser: Any, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, answer.content.decode()[-800:]
    return str(answer.content.decode())


def _entry(mine: str, **changed: Any) -> dict[str, Any]:
    return {
        "document": mine, "name": "Fábrica Inventada", "municipality": CUIABA, "person": "company",
        "registered_on": "2027-01-20", "atividade": ["15", ""], "comecou": ["2026-10-02", ""],
        "terminou": ["", ""], **changed,
    }  # fmt: skip


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


@pytest.fixture
def fees(world: World, people: dict[str, Any]) -> tuple[Any, str]:
    """A browser of the fee staff, and the establishment of the company, registered."""
    browser, mine = browser_of(people["fee_staff"]), world.member(world.entities[0])
    answer = browser.post("/orgao/taxa/inscrever/", _entry(mine))
    assert answer.status_code == 302, answer.content.decode()[-1500:]
    return browser, mine


def _load_rates(people: dict[str, Any]) -> None:
    """One of the fee staff loads the month's rates, another confirms."""
    from lastro.web.models import Person
    from lastro.web.scopes import Role

    sent = {
        "tabela": "selic", "fonte": "Banco Central", "dia": "2027-03-01",
        "arquivo": SimpleUploadedFile("selic.csv", SELIC),
    }  # fmt: skip
    first = browser_of(people["fee_staff"])
    assert first.post("/orgao/tabelas/", sent).status_code == 302
    alone = first.post("/orgao/tabelas/2027-0001/", {"passo": "confirmar"})
    assert "duas pessoas" in alone.content.decode()
    other = Person.objects.create_user(
        "outra@exemplo.org", password="x" * 20, role=Role.FEE_STAFF, name="Outra"
    )
    done = browser_of(other).post("/orgao/tabelas/2027-0001/", {"passo": "confirmar"})
    assert done.status_code == 302


def _charge(browser: Any, mine: str, **changed: Any) -> Any:
    form = {"ano": "2026", "trimestre": "4", "receita": "9.000.000,00", **changed}
    return browser.post(f"/orgao/taxa/{mine}/", form)


def test_an_ordinance_adds_fields_that_an_entry_has_to_fill(world: World, people: dict[str, Any]) -> None:
    browser, mine = browser_of(people["fee_staff"]), world.member(world.entities[0])
    form = {"ato": "Portaria 7/2027", "dia": "2027-03-01", "campos": "Responsável técnico\nTelefone"}
    assert browser.post("/orgao/taxa/portarias/", form).status_code == 302
    assert "Responsável técnico" in _page(browser, "/orgao/taxa/inscrever/")
    refused = browser.post("/orgao/taxa/inscrever/", _entry(mine, **{"campo-0": "Ana"}))
    assert refused.status_code == 400
    assert "Telefone" in refused.content.decode()
    assert "a portaria o pede" in refused.content.decode()
    full = _entry(mine, **{"campo-0": "Ana", "campo-1": "65 0000-0000"})
    assert browser.post("/orgao/taxa/inscrever/", full).status_code == 302
    text = _page(browser, f"/orgao/taxa/{mine}/")
    assert "pela Portaria 7/2027" in text
    assert "65 0000-0000" in text


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"document": "1"}, "CNPJ ou CPF válido"),
        ({"municipality": "9999999"}, "código IBGE"),
        ({"atividade": ["", ""]}, "ao menos uma atividade"),
        ({"registered_on": "2028-01-01"}, "ainda não chegou"),
        ({"name": " "}, "Escreva o nome"),
    ],
)
def test_what_an_entry_lacks_is_said(
    crowd: tuple[World, dict[str, Any]], changed: dict[str, Any], said: str
) -> None:
    world, people = crowd
    mine = world.member(world.entities[0])
    answer = browser_of(people["fee_staff"]).post("/orgao/taxa/inscrever/", _entry(mine, **changed))
    assert answer.status_code == 400
    assert said in answer.content.decode()


def test_a_quarter_is_charged_as_lastro_fee_reckons_it(fees: tuple[Any, str], people: dict[str, Any]) -> None:
    from lastro import fees as room
    from lastro.web.readings import fee_desk

    browser, mine = fees
    assert _charge(browser, mine).status_code == 302
    facts = {
        "document": mine, "municipality": CUIABA, "year": 2026, "quarter": 4, "person": "company",
        "revenue_brl": "9000000.00", "activities": [{"code": "15", "began": "2026-10-02"}],
    }  # fmt: skip
    charged = room.parse(json.dumps(facts), today=date(2027, 1, 1))
    made, _ = room.assess(fee_desk.regulation(), charged)
    kept = fee_desk.one(mine, 2026, 4)
    assert kept is not None
    assert kept.charge.body["facts"] == facts
    assert kept.charge.body["answer"] == room.answer(fee_desk.regulation(), charged, made)
    assert kept.state == "late"
    text = _page(browser, f"/orgao/taxa/{mine}/2026/4/")
    assert "695,61" in text
    assert "SELIC de 02/2027" in text, "without the month's rate, what is owed today is not made up"
    _load_rates(people)
    rates = [{"month": "2027-02", "rate": "0.83%"}, {"month": "2027-03", "rate": "0.90%"}]
    now, _ = room.assess(
        fee_desk.regulation(), room.parse(json.dumps({**facts, "selic": rates}), today=TODAY)
    )
    assert now.total is not None
    assert now.total > made.total  # type: ignore[operator]
    assert str(now.total) in _page(browser, f"/orgao/taxa/{mine}/2026/4/")
    assert "vencida" in _page(browser, "/orgao/taxa/aberto/")


def test_a_paper_is_issued_paid_and_puts_the_quarter_in_order(
    fees: tuple[Any, str], people: dict[str, Any]
) -> None:
    from lastro.web.readings import fee_desk, order

    browser, mine = fees
    _load_rates(people)
    _charge(browser, mine)
    address = f"/orgao/taxa/{mine}/2026/4/"
    checks = {c.key: c.met for p in order.answer(mine, tax=True).parts for c in p.checks}
    assert checks["fee/2026-T4"] is False
    assert browser.post(address, {"passo": "emitir", "ate": "2027-03-15"}).status_code == 302
    twice = browser.post(address, {"passo": "emitir", "ate": "2027-03-16"})
    assert twice.status_code == 400
    assert "cancele-o antes" in twice.content.decode()
    found = fee_desk.one(mine, 2026, 4)
    assert found is not None
    paper = found.collections[0]
    assert paper.body["amount_brl"] == found.total.brl_text if found.total else False
    pay = {"passo": "pago", "papel": str(paper.id), "dia": "2027-03-15", "valor": "1,00"}
    less = browser.post(address, pay)
    assert less.status_code == 400
    assert "cancele-o e emita outro" in less.content.decode()
    pay["valor"] = str(paper.body["amount_brl"]).replace(".", ",")
    assert browser.post(address, pay).status_code == 302
    assert "pago" in _page(browser, address)
    checks = {c.key: c.met for p in order.answer(mine, tax=True).parts for c in p.checks}
    assert "fee/2026-T4" not in checks
    assert checks["fees"] is True
    assert mine not in browser.get("/orgao/taxa/aberto/", {"baixar": "csv"}).content.decode()


def test_a_city_fee_is_credited_and_a_debt_divided_to_the_cent(
    fees: tuple[Any, str], people: dict[str, Any]
) -> None:
    from lastro.units import Money
    from lastro.web.readings import fee_desk

    browser, mine = fees
    _load_rates(people)
    _charge(browser, mine, municipal="300,00", reconhecido="sim", convenio="2025-01-01")
    found = fee_desk.one(mine, 2026, 4)
    assert found is not None
    assert found.charge.body["answer"]["city_credit_brl"] == "173.90"
    address = f"/orgao/taxa/{mine}/2026/4/"
    answer = browser.post(address, {"passo": "parcelar", "parcelas": "7", "ato": "Despacho 1/2027"})
    assert answer.status_code == 302
    found = fee_desk.one(mine, 2026, 4)
    assert found is not None
    assert found.instalments is not None
    parts = [Money.brl(row["brl"]).cents for row in found.instalments.body["parts"]]
    assert len(parts) == 7
    assert sum(parts) == Money.brl(found.instalments.body["amount_brl"]).cents
    assert max(parts) - min(parts) <= 1


def test_nobody_but_the_fee_staff_and_the_payer_sees_a_charge(
    fees: tuple[Any, str], people: dict[str, Any]
) -> None:
    from lastro.filings import Kind
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    browser, mine = fees
    _charge(browser, mine)
    for who in ("agency", "company", "committee", "preparer"):
        assert browser_of(people[who]).get(f"/orgao/taxa/{mine}/").status_code == 403, who
    for sees, count in (("agency", 0), (people["other_company"].parties[0], 0), (mine, 1), ("fees", 1)):
        assert len(Filings(office.store(), sees=sees).standing(Kind.CHARGE)) == count, sees
