"""The company's other pages: what to do next, plans and askings, documents, the choice, its report."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.ids import Material
from lastro.obligations import elections
from lastro.obligations.facts_file import parse
from lastro.web.readings import choices, company, deadlines, membership, next_steps, papers
from tests.web.conftest import NORM, TODAY, YEAR, World, browser_of
from tests.web.own_company import _paper
from tests.web.test_access import _issued

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture
def mine(world: World, people: dict[str, Any]) -> tuple[Any, str]:
    person = people["company"]
    return browser_of(person), person.parties[0]


def _under(party: str) -> company.Year:
    (norm,) = [r for r in company.norms() if r.norm.path == NORM]
    return company.year_of(party, norm, YEAR)


def test_the_first_page_says_what_to_do_for_each_lack(world: World, mine: tuple[Any, str]) -> None:
    browser, party = mine
    found = _under(party)
    lacking = [shown for shown in found.positions if shown.lacks]
    assert lacking
    words = [step.words for step in next_steps.steps(party, found)]
    for shown in lacking:
        assert any(str(shown.lacks) in text for text in words), shown.name
    text = browser.get("/empresa/", {"ano": YEAR, "norma": NORM}).content.decode()
    assert "O que fazer agora" in text
    for step in next_steps.steps(party, found):
        assert step.link in text.replace("&amp;", "&")
        assert browser.get(step.link).status_code in (200, 302)


def test_a_certificate_at_hand_is_what_covers_a_lack(world: World, mine: tuple[Any, str]) -> None:
    _, party = mine
    name = _issued(world)
    glass = next(s for s in _under(party).positions if s.position.material == Material.GLASS.value)
    assert glass.lacks is not None
    links = [step.link for step in next_steps.steps(party, _under(party))]
    assert f"/empresa/certificados/{name}/usar/" in links


def test_a_company_of_which_nothing_is_known_is_asked_to_declare(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = "ZZNADA010001"
    from lastro.ids import cnpj_check_digits

    party = made + cnpj_check_digits(made)
    found = _under(party)
    assert not found.declared
    assert found.complies is None
    assert next_steps.steps(party, found)[0].link.startswith("/empresa/declaracao/")


def test_who_declared_is_not_asked_to_declare_though_no_target_is_known(mine: tuple[Any, str]) -> None:
    browser, party = mine
    (norm,) = [r for r in company.norms() if r.norm.path == NORM]
    year = next(y for y in range(YEAR + 1, YEAR + 9) if not company.year_of(party, norm, y).declared)
    base = company.year_of(party, norm, year).base_year
    typed = {
        "ano": base, "motivo": "primeira", "material": "glass", "uf": "MT", "mass": "1355", "returnable": "",
    }  # fmt: skip
    browser.post("/empresa/declaracao/formulario/", typed)
    found = company.year_of(party, norm, year)
    assert found.complies is None
    assert found.declared
    assert not any(step.does == "Declarar" for step in next_steps.steps(party, found))


def test_a_year_before_the_norm_is_not_offered_and_is_no_fault_of_ours(mine: tuple[Any, str]) -> None:
    browser, _ = mine
    (norm,) = [r for r in company.norms() if r.norm.path == NORM]
    assert company.answers(norm, YEAR)
    assert not company.answers(norm, 2024)
    for address in ("/empresa/", "/resultados/"):
        text = browser.get(address, {"norma": NORM, "ano": YEAR}).content.decode()
        assert ">2025</option>" in text
        assert ">2024</option>" not in text
        answer = browser.get(address, {"norma": NORM, "ano": 2024})
        assert answer.status_code == 404
        assert "vale desde" in answer.content.decode()
    assert browser.get("/empresa/", {"ano": 2024}).status_code == 200, "another norm was in force then"


def test_what_a_company_asks_is_answered_by_that_entity_only(
    world: World, people: dict[str, Any], mine: tuple[Any, str]
) -> None:
    browser, party = mine
    first, second = world.entities[:2]
    assert membership.establishments(party)[0].stays
    asked = {"entidade": first, "quer": "join", "desde": "2027-05-01"}
    refused = browser.post("/empresa/cadastro/pedir/", asked)
    assert refused.status_code == 400
    assert "já é aderente" in refused.content.decode()
    sent = browser.post(
        "/empresa/cadastro/pedir/", asked | {"quer": "leave", "texto": "mudamos"}, follow=True
    )
    assert "sem resposta" in sent.content.decode()
    again = browser.post("/empresa/cadastro/pedir/", asked | {"quer": "leave"})
    assert "ainda sem resposta" in again.content.decode()

    (one,) = membership.asked_of(first)
    assert not membership.asked_of(second)
    address = f"/entidade/adesoes/{one.filing.id}/"
    assert browser_of(people["other_preparer"]).get(address).status_code == 404
    entity = browser_of(people["preparer"])
    assert "mudamos" in entity.get(address).content.decode()
    assert entity.post(address, {"resposta": "nao"}).status_code == 400, "a no has its reason"
    entity.post(address, {"resposta": "nao", "texto": "há saldo a devolver"})
    text = browser.get("/empresa/cadastro/").content.decode()
    assert "recusado" in text
    assert "há saldo a devolver" in text
    assert "já foi respondido" in entity.post(address, {"resposta": "sim"}).content.decode()


def test_a_brand_owners_statement_is_filled_in_and_says_what_it_lacks(mine: tuple[Any, str]) -> None:
    browser, party = mine
    (offer,) = [
        one for one in papers.offers(YEAR, by="company")
        if one.norm == NORM and any(part.key == "brand_owner" for part in one.contents.parts)
    ]  # fmt: skip
    address = f"/empresa/documentos/{offer.norm}/{offer.kind}/"
    assert browser.get(address, {"ano": YEAR}).status_code == 200
    typed = {
        "ano": str(YEAR), "brand_owner.0.name": "Dona da Marca", "brand_owner.0.cnpj": party,
        "system_adhered.0.system": "Plano", "system_adhered.0.registration": "1",
        "period.0.covered_from": f"{YEAR}-01-01", "period.0.covered_to": f"{YEAR}-11-30",
        "declared.0.made_to_order_covered": "sim", "declared.0.signed_by": "Fulana",
        "declared.0.signed_on": f"{YEAR}-01-02",
    }  # fmt: skip
    text = browser.post(address, typed, follow=True).content.decode()
    assert "Dona da Marca" in text
    shown = papers.filed(party)[0]
    assert shown.filing.version == 1
    assert browser.get(f"/empresa/documentos/{shown.filing.id}/arquivo/pdf/").content.startswith(b"%PDF")
    browser.post(address, typed | {"period.0.covered_to": f"{YEAR}-12-31"}, follow=True)
    assert papers.filed(party)[0].filing.version == 2 or offer.contents.series


def test_the_choice_is_the_one_of_the_command_line_and_is_kept(mine: tuple[Any, str]) -> None:
    browser, party = mine
    facts = json.loads((EXAMPLES / "metal" / "com_escolha.json").read_text("utf-8"))
    send = SimpleUploadedFile("f.json", json.dumps(facts).encode())
    assert "outra empresa" in browser.post("/empresa/escolhas/", {"fatos": send}).content.decode()
    facts["companies"][0]["cnpj"] = party[:8]
    send = SimpleUploadedFile("f.json", json.dumps(facts).encode())
    text = browser.post("/empresa/escolhas/", {"fatos": send}, follow=True).content.decode()
    assert "simulação" in text
    norm = choices.regulation()
    assert norm is not None
    read = parse(json.dumps(facts), options=norm.options)
    (answer,) = elections.proposals(norm, read.companies, year=read.year, targets=read.targets)
    assert answer.proposal is not None
    for mass in answer.proposal.judged.targets.values():
        assert str(mass) in text
    browser.post("/empresa/escolhas/2026/guardar/", {"escolha": "proposal"})
    found = choices.one(party, 2026)
    assert found is not None
    assert (found.filing.version, found.filing.body["chosen"]) == (2, "proposal")
    assert found.filing.body["proposals"] == [answer.json()]


def test_an_adherents_report_is_done_when_its_entity_handed_it_in(
    world: World, people: dict[str, Any], mine: tuple[Any, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, party = mine
    asked = {"entity": False, "year": YEAR + 1, "norms": (NORM,)}
    stays = membership.establishments(party)[0].stays
    handed = dict.fromkeys({s.membership.entity for s in stays})

    def submitted(entity: str, norm: str, about: int) -> date | None:
        return handed[entity] if about == YEAR else None

    monkeypatch.setattr(deadlines, "_submitted", submitted)
    report = [r for r in deadlines.year_of(party, **asked).rows if deadlines._is_report(r.task, YEAR)]
    assert [r.task.done_on for r in report] == [None]
    handed.update(dict.fromkeys(handed, TODAY))
    report = [r for r in deadlines.year_of(party, **asked).rows if deadlines._is_report(r.task, YEAR)]
    assert [(r.task.done_on, r.state) for r in report] == [(TODAY, "done")]
    assert "entregou o relatório em 15/03/2027" in browser.get("/empresa/", {"ano": YEAR}).content.decode()


def test_a_statement_of_another_company_is_not_there(mine: tuple[Any, str], people: dict[str, Any]) -> None:
    number = _paper(mine[1])
    assert mine[0].get(f"/empresa/documentos/{number}/").status_code == 200
    assert browser_of(people["other_company"]).get(f"/empresa/documentos/{number}/").status_code == 404
