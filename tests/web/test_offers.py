"""Offers on the pages: set apart, sold in part, withdrawn, cancelled by the agency; whom a fall reaches."""

from __future__ import annotations

from typing import Any

from lastro.certificates.states import State
from lastro.web import jobs, notices
from lastro.web.notice_models import Notice
from lastro.web.readings import certificates
from tests.web.conftest import World, browser_of
from tests.web.test_api import _ask, _key

MARK = "11111111-2222-4333-8444-555555555555"
OTHER = "22222222-2222-4333-8444-555555555555"


def _offer(people: dict[str, Any], **changes: str) -> Any:
    form = {"pedido": MARK, "ano": "2026", "group": "glass", "kg": "300"} | changes
    return browser_of(people["preparer"]).post("/entidade/ofertas/nova/", form)


def _sell(world: World, people: dict[str, Any], name: str, **changes: str) -> Any:
    form = {"pedido": OTHER, "holder": world.member(world.entities[0]), "kg": "100", "investment": "10,00"}
    return browser_of(people["preparer"]).post(f"/entidade/ofertas/{name}/vender/", form | changes)


def _name(answer: Any) -> str:
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"]).rstrip("/").rpartition("/")[2]


def test_an_offer_is_seen_by_adherents_sold_in_part_and_the_rest_withdrawn(
    world: World, people: dict[str, Any]
) -> None:
    offer = _name(_offer(people))
    assert _name(_offer(people)) == offer, "a second click offers nothing more"
    assert "300 kg" in browser_of(people["company"]).get("/empresa/ofertas/").content.decode()
    assert "300 kg" not in browser_of(people["other_company"]).get("/empresa/ofertas/").content.decode()
    assert _sell(world, people, offer, kg="301").status_code == 409
    sold = _name(_sell(world, people, offer))
    assert _name(_sell(world, people, offer)) == sold, "a second click sells nothing more"
    found = {one.certificate.id: one for one in certificates.of_entity(world.entities[0])}
    assert {one.state for one in found.values()} == {State.REPLACED, State.PREPARED, State.OFFERED}
    rest = f"/entidade/certificados/{sold}-resto/"
    browser = browser_of(people["preparer"])
    assert "200 kg" in browser.get(rest).content.decode()
    browser.post(f"{rest}retirar/", {"reason": "sem comprador"})
    assert certificates.one_of(f"{sold}-resto", entity=world.entities[0]).state is State.WITHDRAWN  # type: ignore[union-attr]
    assert browser_of(people["other_preparer"]).get(rest).status_code == 404


def test_the_agency_cancels_by_number_with_a_reason_and_people_are_told(
    world: World, people: dict[str, Any]
) -> None:
    sold = _name(_sell(world, people, _name(_offer(people))))
    browser_of(people["authoriser"]).post(f"/entidade/certificados/{sold}/autorizar/")
    assert jobs.work_on_one()
    made = certificates.one_of(sold, entity=world.entities[0]).certificate  # type: ignore[union-attr]
    number = made.number
    public = browser_of().get(f"/c/{number}").content.decode()
    private = [*(lot.access_key for lot in made.lots), *(lot.issuer for lot in made.lots), made.prepared_by]
    assert not [told for told in [*private, str(made.investment)] if told in public]
    agency = browser_of(people["agency"])
    assert agency.post("/orgao/certificados/", {"numero": number}).status_code == 400
    assert agency.get("/orgao/certificados/?numero=CRE-2026-0000").status_code == 400
    done = agency.post("/orgao/certificados/", {"numero": number, "reason": "laudo falso"})
    assert done.status_code == 302
    page = agency.get(done["Location"]).content.decode()
    assert "cancelado pelo órgão" in page
    again = agency.post("/orgao/certificados/", {"numero": number, "reason": "outra vez"})
    assert again.status_code == 409
    notices.pulse()
    told = Notice.objects.filter(person=people["company"], key=f"certificate/{sold}/cancel")
    assert told.count() == 1


def test_pages_of_what_fell_are_empty_where_nothing_did(people: dict[str, Any]) -> None:
    for who, page in (("company", "/empresa/quedas/"), ("preparer", "/entidade/quedas/")):
        assert "perdeu a prova" in browser_of(people[who]).get(page).content.decode()


def test_a_program_offers_sells_and_withdraws_and_one_of_the_agency_cancels(
    world: World, people: dict[str, Any]
) -> None:
    mine, agency = _key(people["preparer"]), _key(people["agency"])
    at, holder = "/api/v1/certificados", world.member(world.entities[0])
    said = {"request": "oferta-01", "group": "glass", "year": 2026, "mass_mg": 300_000_000}
    offer = _ask(mine, "post", f"{at}/ofertas", said).json()["id"]
    assert _ask(mine, "post", f"{at}/ofertas", said).json()["id"] == offer
    asked = {"request": "venda-001", "holder": holder, "mass_mg": 100_000_000, "investment_cents": 1000}
    sold = _ask(mine, "post", f"{at}/{offer}/vender", asked).json()["id"]
    assert _ask(mine, "post", f"{at}/{offer}/vender", asked).json()["id"] == sold
    why = {"reason": "sem comprador"}
    assert _ask(mine, "post", f"{at}/{sold}-resto/retirar", why).status_code == 200
    browser_of(people["authoriser"]).post(f"/entidade/certificados/{sold}/autorizar/")
    assert jobs.work_on_one()
    number = _ask(mine, "get", f"{at}/{sold}").json()["number"]
    assert _ask(mine, "post", f"{at}/{number}/cancelar", why).status_code == 403
    assert _ask(agency, "post", f"{at}/{number}/cancelar", why).status_code == 200
    assert _ask(agency, "post", f"{at}/{number}/cancelar", {"reason": "outra vez"}).status_code == 409
    assert _ask(mine, "get", f"{at}/{sold}").json()["state"] == "cancelled"
