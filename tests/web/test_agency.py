"""The agency: one answer about a CNPJ, what is stated from elsewhere, who is late, notices of default."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.web.conftest import TODAY, World, browser_of, people_of

DUE = (TODAY + timedelta(days=30)).isoformat()


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _large(world: World) -> str:
    """An establishment that an entity lists, of a company too large to declare alone."""
    sizes = {(r["company"], r["year"]): r["size"] for r in world.registry["sizes"]}
    return min(
        str(r["establishment"]) for r in world.registry["members"]
        if sizes.get((str(r["establishment"])[:8], 2025)) in ("medium", "large")
        and str(r["establishment"])[:8] in world.companies and not r.get("to")
    )  # fmt: skip


def _page(browser: Any, address: str, **asked: str) -> str:
    answer = browser.get(address, asked)
    assert answer.status_code == 200, answer.content.decode()[-800:]
    return str(answer.content.decode())


def test_a_company_whose_entity_reported_nothing_is_not_in_order_and_says_why(
    crowd: tuple[World, dict[str, Any]],
) -> None:
    world, people = crowd
    text = _page(browser_of(people["agency"]), "/orgao/", cnpj=_large(world))
    assert "Não está em dia." in text
    assert "Relatório Anual de Resultados de 2025" in text
    assert "Decreto MT 1.455/2025, art. 21" in text
    assert "Falta desde 31/07/2026" in text
    assert "Lei MT 11.096/2020" not in text, "tax data is for the fee staff"


def test_the_fee_staff_see_the_register_beside_it(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    text = _page(browser_of(people["fee_staff"]), "/orgao/", cnpj=_large(world))
    assert "Inscrição no cadastro técnico estadual" in text
    assert "Lei MT 11.096/2020" in text


def test_every_look_is_in_the_trail(crowd: tuple[World, dict[str, Any]]) -> None:
    from lastro.web import rows
    from lastro.web.models import Trail

    world, people = crowd
    _page(browser_of(people["second_agency"]), "/orgao/", cnpj=_large(world))
    with rows.seen(rows.EVERYTHING):
        found = Trail.objects.filter(
            email="second_agency@exemplo.org", act="order-check", record=_large(world)
        )
        assert found.count() == 1
        assert found[0].kind == "establishment"


@pytest.mark.parametrize("typed", ["ZZ.000.000/0001-00", "ZZTAXA01000102", "abc"])
def test_what_is_no_known_cnpj_gets_no_answer(crowd: tuple[World, dict[str, Any]], typed: str) -> None:
    answer = browser_of(crowd[1]["agency"]).get("/orgao/", {"cnpj": typed})
    assert answer.status_code == 400
    assert 'class="answer' not in answer.content.decode()


def test_what_is_not_known_here_can_be_stated_with_its_source(world: World, people: dict[str, Any]) -> None:
    agency, cnpj = browser_of(people["agency"]), _large(world)
    key = "mt/decreto_1455_2025:targets/2025"
    assert "Registrar o que consta em outro lugar: Metas de 2025" in _page(agency, "/orgao/", cnpj=cnpj)
    sent = {"cnpj": cnpj, "dever": key, "met": "sim", "fonte": " "}
    assert "de onde se sabe" in agency.post("/orgao/constatar/", sent, follow=True).content.decode()
    sent["fonte"] = "Processo 12/2026, folha 3"
    text = agency.post("/orgao/constatar/", sent, follow=True).content.decode()
    assert "Constatado pelo órgão em 15/03/2027: Processo 12/2026, folha 3" in text
    assert "Registrar o que consta em outro lugar: Metas de 2025" not in text
    told = {"cnpj": cnpj, "dever": "mt/decreto_1455_2025:report/2025", "met": "sim", "fonte": "x"}
    again = agency.post("/orgao/constatar/", told, follow=True).content.decode()
    assert "Escolha um dever que hoje não se saiba" in again, "what is known here can't be overruled"


def test_the_late_list_has_each_lack_with_its_day_and_the_notice_about_it(
    world: World, people: dict[str, Any]
) -> None:
    agency, cnpj = browser_of(people["agency"]), _large(world)
    rows = agency.get(
        "/orgao/atrasos/", {"baixar": "csv", "f_dever": "Relatório Anual de Resultados de 2025"}
    )
    text = rows.content.decode()
    assert text.count("31/07/2026") > 5
    assert "não se sabe" not in text
    assert "sem notificação" in text
    _send(agency, cnpj)
    after = agency.get("/orgao/atrasos/", {"baixar": "csv"}).content.decode()
    assert after.count("2027-0001, enviada") == 1
    assert "não se sabe" in agency.get("/orgao/atrasos/", {"ver": "tudo", "baixar": "csv"}).content.decode()


def _send(agency: Any, to: str, **changed: Any) -> Any:
    form = {
        "cnpj": to, "dever": ["mt/decreto_1455_2025:report/2025"], "texto": "Entregue o relatório.",
        "ate": DUE, **changed,
    }  # fmt: skip
    return agency.post("/orgao/notificacoes/nova/", form)


@pytest.fixture
def bound(world: World, people: dict[str, Any]) -> tuple[str, Any]:
    """The large establishment and a browser of somebody who acts for it."""
    from lastro.web.models import Person
    from lastro.web.scopes import Role

    cnpj = _large(world)
    person = Person.objects.create_user(
        "grande@exemplo.org", password="x" * 20, role=Role.COMPANY, name="Grande", parties=[cnpj]
    )
    return cnpj, browser_of(person)


def test_a_notice_is_sent_opened_answered_and_ended(people: dict[str, Any], bound: tuple[str, Any]) -> None:
    cnpj, company = bound
    agency = browser_of(people["agency"])
    assert _send(agency, cnpj).status_code == 302
    assert "enviada, ainda não aberta" in _page(agency, "/orgao/notificacoes/")
    assert "2027-0001" in _page(company, "/notificacoes/")
    assert "ainda não" in _page(agency, "/orgao/notificacoes/2027-0001/"), "a list opens no notice"
    text = _page(company, "/notificacoes/agency/2027-0001/")
    assert "obrigação de relevante interesse ambiental" in text
    assert "art. 10" in text
    assert "R$" not in text.split("<main", 1)[1], "no amount of a sanction"
    page = _page(agency, "/orgao/notificacoes/2027-0001/")
    assert "15/03/2027, por grande@exemplo.org" in page
    assert company.post("/notificacoes/agency/2027-0001/", {"texto": "Vamos entregar."}).status_code == 302
    assert "Vamos entregar." in _page(agency, "/orgao/notificacoes/2027-0001/")
    assert agency.post("/orgao/notificacoes/2027-0001/", {"texto": "Entregue."}).status_code == 302
    again = company.post("/notificacoes/agency/2027-0001/", {"texto": "Mais."})
    assert again.status_code == 400
    assert "já foi encerrada" in again.content.decode()


def test_a_notice_is_seen_by_the_notified_and_its_office_alone(
    people: dict[str, Any], bound: tuple[str, Any]
) -> None:
    _send(browser_of(people["agency"]), bound[0])
    for who in ("preparer", "company", "second_company"):
        assert browser_of(people[who]).get("/notificacoes/agency/2027-0001/").status_code == 404, who
    assert browser_of(people["fee_staff"]).get("/orgao/notificacoes/2027-0001/").status_code == 404


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dever": []}, "ao menos um dever"),
        ({"dever": ["mt/decreto_1455_2025:plan"]}, "ao menos um dever"),  # that one is in order
        ({"dever": ["mt/lei_11096_2020:entry"]}, "ao menos um dever"),  # tax: not the agency's
        ({"texto": " "}, "o que se pede"),
        ({"ate": TODAY.isoformat()}, "depois de hoje"),
        ({"cnpj": "ZZ"}, "não confere"),
    ],
)
def test_what_a_notice_lacks_is_said(
    crowd: tuple[World, dict[str, Any]], changed: dict[str, Any], said: str
) -> None:
    world, people = crowd
    answer = _send(browser_of(people["agency"]), _large(world), **changed)
    assert answer.status_code == 400
    assert said in answer.content.decode()


def test_a_notice_whose_day_passed_unanswered_is_late(
    people: dict[str, Any], bound: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastro.web import office
    from lastro.web.readings import default_notices

    _send(browser_of(people["agency"]), bound[0])
    monkeypatch.setattr(office, "today", lambda: TODAY + timedelta(days=31))
    assert [one.state for one in default_notices.sent_by("agency")] == ["late"]
