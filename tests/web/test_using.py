"""A holder uses a certificate: the year, the confirmation, the receipt; every refusal with its code."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest

from lastro.ids import masked
from lastro.units import Mass
from lastro.web import office
from lastro.web.readings import certificates
from tests.web.conftest import TODAY, World, browser_of
from tests.web.test_certificates import _issued


def _used_for(world: World, holder: str) -> Mass:
    rows = office.store().retired(company=holder[:8], year=2026)
    return Mass(sum(row.fact.mass.mg for row in rows if row.establishment == holder))


def _page(identity: str) -> str:
    return f"/empresa/certificados/{identity}/usar/"


def _typed(**changes: str) -> dict[str, str]:
    return {"pedido": str(uuid4()), "ano": "2026", **changes}


def test_year_confirmation_receipt(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people).certificate
    browser, before = browser_of(people["company"]), _used_for(world, found.holder)
    assert _page(found.id) in browser.get(f"/empresa/certificados/{found.id}/").content.decode()
    assert browser.get(f"/empresa/certificados/{found.id}/recibo/").status_code == 404
    asked = browser.post(_page(found.id), _typed())
    assert "Confirme" in asked.content.decode()
    assert _used_for(world, found.holder) == before, "looking moves nothing"
    hidden = dict(
        re.findall(r'type="hidden" name="(pedido|ano|confirma)" value="([^"]*)"', asked.content.decode())
    )
    answer = browser.post(_page(found.id), hidden)
    assert answer["Location"] == f"/empresa/certificados/{found.id}/recibo/"
    assert _used_for(world, found.holder).mg == before.mg + found.mass.mg
    receipt = " ".join(browser.get(answer["Location"]).content.decode().split())
    for said in (
        found.number,
        "100,5 kg contam na meta de 2026",
        f"{TODAY:%d/%m/%Y}",
        "company@exemplo.org",
        found.sha256,
    ):
        assert said in receipt
    assert masked(found.holder) in receipt
    assert "Ver o recibo de uso" in browser.get(f"/empresa/certificados/{found.id}/").content.decode()
    assert "baixado" in browser_of().get(f"/c/{found.number}").content.decode()


def test_a_second_click_moves_nothing_more_and_another_request_is_k03(
    world: World, people: dict[str, Any]
) -> None:
    found = _issued(world, people).certificate
    browser, form = browser_of(people["company"]), _typed(confirma="sim")
    first, second = (browser.post(_page(found.id), form) for _ in range(2))
    assert (first.status_code, second.status_code) == (302, 302)
    moved = _used_for(world, found.holder)
    again = browser.post(_page(found.id), _typed(confirma="sim"))
    assert again.status_code == 409
    assert "K03" in again.content.decode()
    assert _used_for(world, found.holder) == moved
    text = browser.get(_page(found.id)).content.decode()
    assert "Já foi usado" in text
    assert "Continuar" not in text


def test_another_year_is_refused_before_and_at_the_end(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people).certificate
    browser = browser_of(people["company"])
    for form in (_typed(ano="2027"), _typed(ano="2027", confirma="sim")):
        answer = browser.post(_page(found.id), form)
        assert answer.status_code == 409
        assert "K05" in answer.content.decode()
        assert "O que fazer" in answer.content.decode()
    for wrong in ("", "26", "²026", "2026; drop"):
        assert browser.post(_page(found.id), _typed(ano=wrong)).status_code == 400, wrong
    assert certificates.book().find(found.id).done("retire") is None  # type: ignore[union-attr]


def test_an_establishment_uses_only_its_own(world: World, people: dict[str, Any]) -> None:
    """Another one of the company sees the certificate and is told who may use it (K08)."""
    from lastro.ids import cnpj_check_digits
    from lastro.web.models import Binding

    found = _issued(world, people).certificate
    sister = found.holder[:8] + "9998"
    sister += cnpj_check_digits(sister)
    person = people["company"]
    Binding.objects.filter(person=person).update(party=sister)
    browser = browser_of(person)
    text = browser.get(_page(found.id)).content.decode()
    assert "aja em nome de" in text
    assert "Continuar" not in text
    answer = browser.post(_page(found.id), _typed(confirma="sim"))
    assert answer.status_code == 409
    assert "K08" in answer.content.decode()


def test_what_lost_its_evidence_is_not_used(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people).certificate
    with office.store().transaction() as db:  # what custody would write when a cancellation arrives
        db.execute(
            "update lot_state set stale = array[%s], state = 'dead', reason = 'N10' where access_key = %s",
            [world.entities[0], found.lots[0].access_key],
        )
    browser = browser_of(people["company"])
    assert _page(found.id) not in browser.get(f"/empresa/certificados/{found.id}/").content.decode()
    assert "K11" in browser.get(_page(found.id)).content.decode()
    answer = browser.post(_page(found.id), _typed(confirma="sim"))
    assert (answer.status_code, "K11" in answer.content.decode()) == (409, True)


def test_an_expired_one_is_told_as_such(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _issued(world, people).certificate
    assert found.valid_to is not None
    for on, status in ((found.valid_to, 200), (found.valid_to.replace(day=found.valid_to.day + 1), 409)):
        monkeypatch.setattr(office, "today", lambda on=on: on)
        browser = browser_of(people["company"])
        sure = {"confirma": "sim"} if status == 409 else {}
        answer = browser.post(_page(found.id), _typed(**sure))
        assert answer.status_code == status
        assert ("K04" in answer.content.decode()) is (status == 409)


def test_a_stranger_to_it_finds_nothing(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people).certificate
    for who, status in (("other_company", 404), ("authoriser", 403), ("admin", 403)):
        browser = browser_of(people[who])
        assert browser.get(_page(found.id)).status_code == status
        assert browser.post(_page(found.id), _typed(confirma="sim")).status_code == status
    assert certificates.book().find(found.id).done("retire") is None  # type: ignore[union-attr]
