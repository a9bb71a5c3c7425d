"""What is handed in to the agency is returned with notes or accepted; tables count after a second person."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.web.conftest import World, browser_of, people_of

NORM = "mt/decreto_1455_2025"
TARGETS = (
    "setor;material;ano;meta;fonte;base\n"
    "embalagens_em_geral;vidro;2025;15%;Ato de ensaio;ilustrativa\n"
    "embalagens_em_geral;papel;2026;24%;Ato de ensaio;ilustrativa\n"
)


@pytest.fixture(scope="module")
def crowd(module_world: World) -> dict[str, Any]:
    return people_of(module_world)


def _hand_in(browser: Any, **changed: Any) -> Any:
    form = {
        "especie": "plan", "titulo": "Plano próprio", "texto": "Primeira versão",
        "arquivos": SimpleUploadedFile("plano.pdf", b"%PDF-1.7 um"), **changed,
    }  # fmt: skip
    return browser.post("/entregas/", form)


def test_a_plan_is_returned_and_its_next_version_accepted(people: dict[str, Any]) -> None:
    from lastro.web.readings import handed_in

    company, agency = browser_of(people["company"]), browser_of(people["agency"])
    assert _hand_in(company).status_code == 302
    (first,) = [item for item in handed_in.queue() if item.filing is not None]
    address = f"/orgao/entregas/{first.key}/"
    assert agency.get(f"{address}plano.pdf").content == b"%PDF-1.7 um"
    silent = agency.post(address, {"para": "returned", "texto": " "})
    assert silent.status_code == 400
    assert "Escreva as observações" in silent.content.decode()
    assert agency.post(address, {"para": "in_review"}).status_code == 302
    assert agency.post(address, {"para": "returned", "texto": "Falta a etapa de triagem."}).status_code == 302
    assert "Falta a etapa de triagem." in company.get(f"/entregas/{first.key}/").content.decode()
    again = agency.post(address, {"para": "accepted", "texto": "x"})
    assert "não cabe agora" in again.content.decode(), "what was returned waits for another version"
    _hand_in(company, arquivos=SimpleUploadedFile("plano.pdf", b"%PDF-1.7 dois"))
    (second,) = [item for item in handed_in.queue() if item.filing is not None]
    assert (second.version, second.state) == (2, "waiting")
    agency.post(f"/orgao/entregas/{second.key}/", {"para": "accepted", "texto": "De acordo."})
    assert "aceito" in company.get("/entregas/").content.decode()


def test_an_accepted_plan_of_its_own_puts_a_company_in_a_plan(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import handed_in, order

    mine = people["company"].parties[0]
    assert mine not in order.own_plans()
    _hand_in(browser_of(people["company"]))
    assert mine not in order.own_plans(), "handed in is not accepted"
    (item,) = [one for one in handed_in.queue() if one.filing is not None]
    handed_in.review(item, to="accepted", text="De acordo.", by="flora")
    assert mine in order.own_plans()


def test_nobody_else_sees_what_was_handed_in(people: dict[str, Any]) -> None:
    from lastro.web.readings import handed_in

    _hand_in(browser_of(people["company"]))
    (item,) = handed_in.mine(people["company"].parties[0])
    for who in ("other_company", "preparer"):
        browser = browser_of(people[who])
        assert browser.get(f"/entregas/{item.key}/").status_code == 404, who
        assert browser.get(f"/entregas/{item.key}/plano.pdf").status_code == 404, who
    for who in ("fee_staff", "committee"):
        assert browser_of(people[who]).get(f"/orgao/entregas/{item.key}/").status_code == 403, who


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"especie": "x"}, "que documento é"), ({"titulo": " "}, "título"), ({"arquivos": ""}, "Anexe")],
)
def test_what_lacks_to_hand_in_is_said(crowd: dict[str, Any], changed: dict[str, Any], said: str) -> None:
    answer = _hand_in(browser_of(crowd["company"]), **changed)
    assert answer.status_code == 400
    assert said in answer.content.decode()


def _load(browser: Any, text: str = TARGETS, **changed: Any) -> Any:
    form = {
        "tabela": "targets", "norma": NORM, "fonte": "Diário de ensaio, p. 3", "dia": "2027-03-01",
        "arquivo": SimpleUploadedFile("metas.csv", text.encode()), **changed,
    }  # fmt: skip
    return browser.post("/orgao/tabelas/", form)


def test_targets_count_only_after_a_second_person_saw_what_changes(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.stores.postgres.registry import targets
    from lastro.web import office

    def rows() -> set[tuple[str, int, str]]:
        return {(r.material, r.year, r.share) for r in targets(office.store(), NORM)}

    first, second = browser_of(people["agency"]), browser_of(people["second_agency"])
    before = rows()
    assert _load(first).status_code == 302
    assert rows() == before
    address = "/orgao/tabelas/2027-0001/"
    page = second.get(address).content.decode()
    assert "15%" in page
    assert "nova" in page
    alone = first.post(address, {"passo": "confirmar"})
    assert alone.status_code == 400
    assert "duas pessoas" in alone.content.decode()
    assert rows() == before
    assert second.post(address, {"passo": "confirmar"}).status_code == 302
    assert rows() - before == {("glass", 2025, "15%")} | ({("paper", 2026, "24%")} - before)
    twice = second.post(address, {"passo": "confirmar"})
    assert "já foi decidida" in twice.content.decode()
    assert "Diário de ensaio, p. 3" in first.get("/orgao/tabelas/").content.decode()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"fonte": " "}, "a fonte"),
        ({"dia": "2028-01-01"}, "não pode estar à frente"),
        ({"tabela": "selic"}, "cada órgão carrega as suas"),
        ({"norma": "x"}, "de que norma"),
        ({"text": "setor;material;ano;meta;fonte\nembalagens_em_geral;vidro;2025;15;x\n"}, "sinal %"),
    ],
)
def test_a_bad_table_is_refused_whole(crowd: dict[str, Any], changed: dict[str, Any], said: str) -> None:
    agency = browser_of(crowd["agency"])
    answer = _load(agency, **changed)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert "Nenhuma carregada" in agency.get("/orgao/tabelas/").content.decode()
