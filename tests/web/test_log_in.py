"""Coming in: password, second factor, too many attempts, and where one is led afterwards."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.web.conftest import PASSWORD, World, browser_of


def _code(device: TOTPDevice) -> str:
    return f"{TOTP(device.bin_key, device.step, device.t0, device.digits).token():06d}"


def _type(browser: Any, email: str, password: str, **rest: str) -> Any:
    return browser.post("/entrar/", {"username": email, "password": password, **rest})


def test_password_then_code_opens_the_desk_of_the_role(world: World, people: dict[str, Any]) -> None:
    device = TOTPDevice.objects.create(user=people["preparer"], name="telefone", confirmed=True)
    browser = browser_of()
    assert _type(browser, "Preparer@Exemplo.org ", PASSWORD).status_code == 302
    assert browser.get("/entidade/")["Location"].startswith("/entrar/codigo/")
    assert browser.post("/entrar/codigo/", {"code": _code(device)})["Location"] == "/"
    assert browser.get("/")["Location"] == "/entidade/"
    assert browser.get("/entidade/").status_code == 200


@pytest.mark.parametrize(
    ("role", "page"), [("fee_staff", "/orgao/taxa/"), ("cmrr", "/cmrr/"), ("committee", "/comite/")]
)
def test_offices_begin_at_their_own_work(world: World, people: dict[str, Any], role: str, page: str) -> None:
    assert browser_of(people[role]).get("/")["Location"] == page


def test_a_code_serves_once(world: World, people: dict[str, Any]) -> None:
    device = TOTPDevice.objects.create(user=people["preparer"], name="telefone", confirmed=True)
    code = _code(device)
    first, second = browser_of(), browser_of()
    for browser in (first, second):
        _type(browser, "preparer@exemplo.org", PASSWORD)
    assert first.post("/entrar/codigo/", {"code": code}).status_code == 302
    assert second.post("/entrar/codigo/", {"code": code}).status_code == 200
    assert second.get("/entidade/").status_code == 302


def test_a_wrong_code_opens_nothing_and_is_slowed_down(world: World, people: dict[str, Any]) -> None:
    device = TOTPDevice.objects.create(user=people["preparer"], name="telefone", confirmed=True)
    browser = browser_of()
    _type(browser, "preparer@exemplo.org", PASSWORD)
    wrong = "000000" if _code(device) != "000000" else "111111"
    assert "não confere" in browser.post("/entrar/codigo/", {"code": wrong}).content.decode()
    answer = browser.post("/entrar/codigo/", {"code": _code(device)})  # right, but too soon
    assert answer.status_code == 200
    assert "Espere" in answer.content.decode()
    assert browser.get("/entidade/").status_code == 302


def test_who_has_no_factor_yet_is_shown_one_once(world: World, people: dict[str, Any]) -> None:
    browser = browser_of()
    _type(browser, "verifier@exemplo.org", PASSWORD)
    page = browser.get("/entrar/codigo/").content.decode()
    assert "Cadastre o segundo fator" in page
    picture = browser.get("/entrar/codigo/quadrado.svg")
    assert picture["Content-Type"] == "image/svg+xml"
    device = TOTPDevice.objects.get(user=people["verifier"])
    assert not device.confirmed
    assert browser.post("/entrar/codigo/", {"code": _code(device)}).status_code == 302
    assert browser.get("/verificador/").status_code == 200
    assert browser.get("/entrar/codigo/quadrado.svg").status_code == 404
    again = browser_of()
    _type(again, "verifier@exemplo.org", PASSWORD)
    page = again.get("/entrar/codigo/").content.decode()
    assert "Cadastre" not in page
    assert re.search(r"[A-Z2-7]{4} [A-Z2-7]{4}", page) is None, "the secret of a device in use is not shown"


def test_the_code_is_not_on_the_page_outside_a_demonstration(world: World, people: dict[str, Any]) -> None:
    device = TOTPDevice.objects.create(user=people["preparer"], name="telefone", confirmed=True)
    browser = browser_of()
    _type(browser, "preparer@exemplo.org", PASSWORD)
    page = browser.get("/entrar/codigo/").content.decode()
    assert "demonstração" not in page
    assert _code(device) not in page


def test_five_wrong_passwords_close_the_door_even_to_the_right_one(world: World, people: Any) -> None:
    browser = browser_of()
    for _ in range(4):
        assert "não conferem" in _type(browser, "company@exemplo.org", "errada").content.decode()
    assert _type(browser, "company@exemplo.org", "errada").status_code == 429
    assert _type(browser, "company@exemplo.org", PASSWORD).status_code == 429
    assert _type(browser, "other_company@exemplo.org", PASSWORD).status_code == 302


def test_who_was_sent_away_does_not_come_in(world: World, people: dict[str, Any]) -> None:
    people["company"].is_active = False
    people["company"].save()
    assert _type(browser_of(), "company@exemplo.org", PASSWORD).status_code == 200


def test_a_session_ends_when_its_person_is_sent_away(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["company"])
    assert browser.get("/empresa/").status_code == 200
    browser_of(people["admin"]).post(f"/pessoas/{people['company'].pk}/", {"do": "active"})
    assert browser.get("/empresa/").status_code == 302


def test_one_is_led_back_to_pages_of_ours_only(world: World, people: dict[str, Any]) -> None:
    for asked, led in (
        ("/empresa/?ano=2026", "/empresa/?ano=2026"),
        ("https://mau.example/", "/"),
        ("//mau.example/", "/"),
        ("javascript:alert(1)", "/"),
    ):
        answer = _type(browser_of(), "company@exemplo.org", PASSWORD, next=asked)
        assert answer["Location"] == led, asked


def test_the_administrator_adds_people_who_then_come_in(world: World, people: dict[str, Any]) -> None:
    party = world.entities[2]
    answer = browser_of(people["admin"]).post(
        "/pessoas/",
        {"name": "Nova", "email": "Nova@Exemplo.org", "role": "company", "parties": party},
    )
    (link,) = re.findall(r">http://[^/]+(/convite/\d+/[^<]+/)<", answer.content.decode())
    guest, password = browser_of(), "uma-senha-so-dela"
    assert _type(browser_of(), "nova@exemplo.org", password).status_code == 200, "before it is chosen"
    assert guest.get(link).status_code == 200
    weak = guest.post(link, {"new_password1": "curta", "new_password2": "curta"})
    assert weak.status_code == 200
    typed = {"new_password1": password, "new_password2": password}
    assert guest.post(link, typed)["Location"] == "/entrar/"
    assert _type(browser_of(), "nova@exemplo.org", password).status_code == 302
    assert guest.get(link).status_code == 404, "a link serves once"
    assert guest.post(link, typed).status_code == 404
    wrong = {"name": "X", "email": "x@exemplo.org", "role": "company", "parties": "ZZABC123000199"}
    assert "não é um CNPJ" in browser_of(people["admin"]).post("/pessoas/", wrong).content.decode()
    again = {"name": "Y", "email": "nova@exemplo.org", "role": "company", "parties": party}
    assert "Já há uma pessoa" in browser_of(people["admin"]).post("/pessoas/", again).content.decode()


def test_a_person_changes_the_password_and_other_sessions_end(world: World, people: dict[str, Any]) -> None:
    here, elsewhere = browser_of(people["company"]), browser_of(people["company"])
    new = "outra-senha-bem-comprida"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    for wrong in ({"old_password": "errada"}, {"new_password2": "x"}, {"new_password1": "curta"}):
        assert here.post("/senha/", {**form, **wrong}).status_code == 200
    assert here.post("/senha/", form).status_code == 302
    assert here.get("/empresa/").status_code == 200
    assert elsewhere.get("/empresa/").status_code == 302
    assert _type(browser_of(), "company@exemplo.org", new).status_code == 302
    assert _type(browser_of(), "company@exemplo.org", PASSWORD).status_code == 200
