"""An establishment reckons its fee of a quarter, as the command line does, and says that it paid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro import fees
from lastro.filings import Kind
from lastro.lawkit import library
from lastro.stores.postgres.filings import Filings
from tests.web.conftest import TODAY, World, browser_of

NORM = "mt/lei_11096_2020"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "tfa"


@pytest.fixture
def mine(world: World, people: dict[str, Any]) -> tuple[Any, str]:
    company = people["company"]
    return browser_of(company), company.parties[0]


def facts_for(party: str, example: str = "no_prazo") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{example}.json").read_text("utf-8"))
    return {**found, "document": party}


def send(browser: Any, facts: dict[str, Any]) -> Any:
    file = SimpleUploadedFile("fatos.json", json.dumps(facts).encode())
    return browser.post("/empresa/taxa/calcular/", {"fatos": file}, follow=True)


def test_a_quarter_comes_to_what_the_command_line_says_and_is_then_paid(mine: tuple[Any, str]) -> None:
    from lastro.web import office

    browser, party = mine
    facts = facts_for(party)
    del facts["paid_on"]
    facts |= {"year": 2027, "quarter": 1}  # ends after the day of the tests: not late
    answer = send(browser, facts)
    text = answer.content.decode()
    charged = fees.parse(json.dumps(facts), today=TODAY)
    made, _ = fees.assess(library.find(NORM), charged)
    assert made.total is not None
    assert made.total.cents > 0
    assert str(made.total) in text
    assert "a pagar" in text
    assert f"{made.due:%d/%m/%Y}" in text
    assert "Feriados do próprio município" not in text, "the town's days off are known"

    early = browser.post("/empresa/taxa/2027/1/pagamento/", {"dia": "2027-03-01", "valor": "10,00"})
    assert early.status_code == 400, "a quarter is not paid before it ends"
    assert not Filings(office.store(), sees=party).standing(Kind.PAYMENT, party=party)


def test_what_was_paid_in_time_is_paid_and_the_office_sees_it(mine: tuple[Any, str]) -> None:
    from lastro.web import office

    browser, party = mine
    facts = facts_for(party)
    del facts["paid_on"]
    facts["quarter"] = 4
    facts["selic"] = [{"month": "2027-02", "rate": "0.9%"}, {"month": "2027-03", "rate": "0.9%"}]
    text = send(browser, facts).content.decode()
    assert "vencida e não paga" in text
    made, _ = fees.assess(
        library.find(NORM), fees.parse(json.dumps({**facts, "paid_on": "2027-01-05"}), today=TODAY)
    )
    assert made.total is not None
    proof = SimpleUploadedFile("comprovante.pdf", b"%PDF-1.4 pago")
    paid = browser.post(
        "/empresa/taxa/2026/4/pagamento/",
        {"dia": "2027-01-05", "valor": str(made.total).removeprefix("R$ "), "comprovante": proof},
        follow=True,
    )
    text = paid.content.decode()
    assert f"Paga: {made.total}" in text
    (filed,) = Filings(office.store(), sees="fees").standing(Kind.PAYMENT, addressee="fees")
    assert filed.body == {"paid_on": "2027-01-05", "paid_brl": made.total.brl_text}
    address = f"/empresa/taxa/2026/4/comprovante/{filed.id}/"
    assert browser.get(address).content == b"%PDF-1.4 pago"
    listed = browser.get("/empresa/taxa/").content.decode()
    assert "4º de 2026" in listed
    assert browser.get("/empresa/taxa/2026/4/papel.pdf").content.startswith(b"%PDF")


def test_the_form_says_the_same_as_a_file(mine: tuple[Any, str]) -> None:
    browser, party = mine
    typed = {
        "ano": "2027", "trimestre": "1", "municipio": "5103403", "pessoa": "company",
        "receita": "9.000.000,00", "atividade": ["15", "12", "", "", ""],
        "comecou": ["2015-03-02", "2015-03-02", "", "", ""], "terminou": [""] * 5,
    }  # fmt: skip
    by_form = browser.post("/empresa/taxa/calcular/", typed, follow=True).content.decode()
    facts = facts_for(party)
    del facts["paid_on"]
    made, _ = fees.assess(library.find(NORM), fees.parse(json.dumps({**facts, "year": 2027}), today=TODAY))
    assert str(made.amount) in by_form
    assert str(made.federal) in by_form


def test_a_town_whose_days_off_are_not_known_is_told_so_on_page_and_paper(mine: tuple[Any, str]) -> None:
    from lastro.web.readings import fees as readings

    browser, party = mine
    facts = facts_for(party) | {"municipality": "5108402"}
    assert "Feriados do próprio município" in send(browser, facts).content.decode()
    found = readings.one_of(party, 2026, 1)
    assert found is not None
    from lastro.reports import fee_statement
    from lastro.reports.facts_source import FactsDocument

    assert found.charged is not None
    assert found.made is not None
    assert found.trace is not None
    data = fee_statement.dataset(
        readings.regulation(), found.charged, found.made, kind="fee-assessment", trace=found.trace,
        document=FactsDocument("0" * 64),
    )  # fmt: skip
    assert any("Feriados do próprio município" in note for s in data.sections for note in s.notes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"document": "ZZTAXA01000102"}, "outro CNPJ"),
        ({"municipality": "5208707"}, "MT"),
        ({"quarter": 5}, "de 1 a 4"),
    ],
)
def test_facts_that_cannot_be_are_refused_in_words(
    mine: tuple[Any, str], change: dict[str, Any], words: str
) -> None:
    browser, party = mine
    answer = send(browser, facts_for(party) | change)
    assert answer.status_code == 400
    assert words in answer.content.decode()


def test_a_late_quarter_without_its_rate_of_interest_says_what_is_lacking(
    mine: tuple[Any, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import date

    from lastro.web import office

    browser, party = mine
    facts = facts_for(party) | {"quarter": 4}
    del facts["paid_on"]
    assert "SELIC" in send(browser, facts).content.decode(), "it is late: nothing is kept without the rate"
    monkeypatch.setattr(office, "today", lambda: date(2027, 1, 4))
    send(browser, facts)
    monkeypatch.undo()
    for address in ("/empresa/taxa/", "/empresa/taxa/2026/4/"):
        answer = browser.get(address)
        assert answer.status_code == 200
    assert "SELIC de 02/2027" in answer.content.decode()


def test_the_fee_of_another_is_not_there(mine: tuple[Any, str], people: dict[str, Any]) -> None:
    browser, party = mine
    send(browser, facts_for(party))
    assert browser.get("/empresa/taxa/2026/1/").status_code == 200
    stranger = browser_of(people["other_company"])
    for address in ("", "papel.pdf"):
        assert stranger.get(f"/empresa/taxa/2026/1/{address}").status_code == 404
