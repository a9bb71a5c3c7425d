"""What people and scanners type at us: an answer for each, never a failure of ours."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import World, browser_of, people_of


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def test_an_email_longer_than_any_is_a_wrong_one(crowd: tuple[World, dict[str, Any]]) -> None:
    for email in ("a" * 300, "a" * 300 + "@exemplo.org", "a\0@exemplo.org"):
        answer = browser_of().post("/entrar/", {"username": email, "password": "x" * 400})
        assert answer.status_code in (200, 400), email
        assert "sessionid" not in answer.cookies


def test_strange_years_and_numbers_have_an_answer(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    entity = world.entities[0]
    asked = [
        *(("company", f"/empresa/?ano={year}") for year in ("²", "99999999999", "-1", "٢٠٢٦")),
        *(("preparer", f"/entidade/?ano={year}") for year in ("²", "99999999999")),
        *(("preparer", f"/entidade/{page}/?pagina=²") for page in ("documentos", "lotes", "envios")),
    ]
    for who, address in asked:
        assert browser_of(people[who]).get(address).status_code == 200, address
    missing = [
        ("preparer", f"/entidade/documentos/{'0' * 64}/{'9' * 30}/"),
        ("verifier", f"/verificador/{entity}/99999999999/"),
        ("verifier", f"/verificador/{entity}/1/"),
        ("agency", f"/contestados/{'1' * 44}/{'9' * 30}/"),
    ]
    for who, address in missing:
        assert browser_of(people[who]).get(address).status_code == 404, address
    for year in ("²", "99999999999", ""):
        answer = browser_of(people["preparer"]).post("/entidade/envios/novo/", {"ano": year, "files": []})
        assert answer.status_code == 400


def test_the_character_zero_is_in_no_text(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    browser = browser_of(people["preparer"])
    for address in ("/entidade/certificados/%00/", "/entidade/documentos/?busca=%00", "/c/%00", "/%00"):
        assert browser.get(address).status_code in (400, 404), address
    assert browser.post("/entidade/certificados/preparar/", {"kg": "1\0"}).status_code == 400


def test_who_opens_the_address_of_a_form_is_led_to_its_page(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    browser = browser_of(people["authoriser"])
    for address, page in (
        ("/entidade/certificados/c1/autorizar/", "/entidade/certificados/c1/"),
        ("/entidade/certificados/c1/recusar/", "/entidade/certificados/c1/"),
        ("/entidade/relatorio/previa/", "/entidade/relatorio/"),
        ("/entidade/relatorio/entregar/", "/entidade/relatorio/"),
        ("/sair/", "/"),
        ("/parte/", "/"),
    ):
        answer = browser.get(address)
        assert (answer.status_code, answer["Location"]) == (303, page)
    assert browser.post("/saude/").status_code == 405
