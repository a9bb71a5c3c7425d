"""The API: what a key opens, what it doesn't, and that it says what the pages say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from lastro.web.scopes import Role, Scope
from tests.web.conftest import World, browser_of, people_of
from tests.web.routes import Route, routes

NORM, YEAR = "mt/decreto_1455_2025", 2026


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _key(person: Any, *, scopes: Any = None, days: int = 30, party: str = "") -> str:
    from lastro.web import office
    from lastro.web.api.keys import make, own_word
    from lastro.web.models import at_party

    word = party or own_word(person, person.parties[0] if person.parties else "")
    wanted = person.scopes_at(at_party(word)) if scopes is None else scopes
    _, text = make(person, party=word, name="teste", scopes=wanted, days=days, today=office.today())
    return text


def _ask(text: str, method: str, address: str, body: Any = None, **given: Any) -> Any:
    browser = browser_of()
    head = {"Authorization": f"Bearer {text}"} if text else {}
    if body is not None:
        given |= {"data": json.dumps(body), "content_type": "application/json"}
    return getattr(browser, method.lower())(address, headers=head, **given)


def _filled(route: Route, own: dict[str, str]) -> str:
    return re.sub(r"\{(?:\w+:)?(\w+)\}", lambda m: own.get(m[1], "1"), route.address)


def _own(world: World) -> dict[str, str]:
    from lastro.custody.port import For
    from lastro.ids import Material
    from lastro.units import Mass, Money
    from lastro.web import jobs, office
    from lastro.web.models import Person
    from lastro.web.readings import certificates, documents

    first = world.entities[0]
    row = documents.rows(For(first, NORM, YEAR))[0]
    job = jobs.ask(
        "upload",
        party=first,
        person=Person.objects.get(email="preparer@exemplo.org"),
        title="x",
        asked={"norm": NORM, "year": YEAR},
    )
    name = f"{first}-api"
    certificates.book().prepare(
        name, entity=first, holder=world.member(first), year=YEAR, norm=NORM, materials=[Material.GLASS],
        mass=Mass(1_000_000), investment=Money(1), by="x", on=office.today(),
    )  # fmt: skip
    ids = {"sha256": row.sha256, "ordinal": str(row.ordinal), "job": str(job.pk), "name": name}
    return {**ids, "year": str(YEAR)}


_WHO = (
    *("preparer", "authoriser", "company", "verifier", "operator", "recycler", "agency", "fee_staff"),
    *("cmrr", "committee", "gap", "ministry"),
)


def _held(person: Any) -> frozenset[Scope]:
    return frozenset(person.scopes_at(person.parties[0] if person.parties else ""))


def test_each_key_opens_its_own_routes_and_no_other(crowd: tuple[World, dict[str, Any]]) -> None:
    """Every route × every role: refused without a key, without the scope; else answered, and never broken."""
    world, people = crowd
    own = _own(world)
    keys = {name: _key(people[name]) for name in _WHO}
    assert {people[name].role for name in _WHO} == set(Role) - {Role.ACCOUNTANT, Role.ADMIN}
    for route in routes():
        address, answered = _filled(route, own), False
        if route.scope is Scope.PUBLIC:
            continue
        assert _ask("", route.method, address).status_code == 401, address
        assert _ask("lastro_0_0", route.method, address).status_code == 401, address
        for name, text in keys.items():
            allowed = route.scope is Scope.OWN or route.scope in _held(people[name])
            if allowed and answered:
                continue  # who else holds the right is answered as the first was
            answer, answered = _ask(text, route.method, address), answered or allowed
            assert (answer.status_code != 403) is allowed, (route, name, answer.status_code)
            assert answer.status_code < 500, (route, name, answer.content)
            if answer.status_code >= 400:
                assert {"code", "what", "cure", "article"} <= answer.json().keys(), (route, name)


def test_a_key_opens_only_what_it_was_made_for(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    text = _key(people["preparer"], scopes=[Scope.ENTITY_READ])
    assert _ask(text, "get", "/api/v1/lotes").status_code == 200
    answer = _ask(text, "post", "/api/v1/certificados", {"request": "x" * 8})
    assert answer.status_code in (403, 422)
    full = {"request": "abcdefgh", "group": "glass", "holder": "x", "year": YEAR, "mass_mg": 1}
    refused = _ask(text, "post", "/api/v1/certificados", full)
    assert refused.status_code == 403
    assert "certificate.prepare" in refused.json()["what"]


@pytest.fixture
def someone(crowd: tuple[World, dict[str, Any]]) -> Iterator[Any]:
    """A person who may lose things without harm to the others."""
    from lastro.web.models import Person

    world, _ = crowd
    made = Person.objects.create_user(
        "outro@exemplo.org",
        password="x",
        role=Role.ENTITY_PREPARER,
        name="Outro",
        parties=[world.entities[0]],
    )
    yield made
    made.delete()


def test_a_key_dies_with_what_it_leans_on(someone: Any) -> None:
    from lastro.web.models import ApiKey, Binding, Person

    address = "/api/v1/lotes"
    gone, bound, old, barred = (_key(someone) for _ in range(4))
    assert _ask(gone, "get", address).status_code == 200
    ApiKey.objects.filter(public=gone.split("_")[1]).update(revoked_at=timezone.now())
    assert _ask(gone, "get", address).status_code == 401
    ApiKey.objects.filter(public=old.split("_")[1]).update(expires_on=date(2020, 1, 1))
    assert _ask(old, "get", address).status_code == 401
    Person.objects.filter(pk=someone.pk).update(is_active=False)
    assert _ask(barred, "get", address).status_code == 401
    Person.objects.filter(pk=someone.pk).update(is_active=True, role="company")
    assert _ask(bound, "get", address).status_code == 403
    Binding.objects.filter(person=someone).delete()
    assert _ask(bound, "get", address).status_code == 401


def test_a_secret_is_not_kept(someone: Any) -> None:
    from lastro.web.models import ApiKey

    text = _key(someone)
    key = ApiKey.objects.get(public=text.split("_")[1])
    assert text.split("_")[2] not in json.dumps([key.public, key.digest, key.scopes, key.name])
    wrong = text[:-1] + ("0" if text[-1] != "0" else "1")
    assert _ask(wrong, "get", "/api/v1/eu").status_code == 401


def test_others_rows_are_not_found(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    own = _own(world)
    mine, others = _key(people["preparer"]), _key(people["other_preparer"])
    signer = _key(people["other_authoriser"])
    for address in (f"/api/v1/documentos/{own['sha256']}/{own['ordinal']}", f"/api/v1/envios/{own['job']}"):
        assert _ask(mine, "get", address).status_code == 200, address
        assert _ask(others, "get", address).status_code == 404, address
    at = f"/api/v1/certificados/{own['name']}"
    assert _ask(mine, "get", at).status_code == 200
    assert _ask(others, "get", at).status_code == 404
    assert _ask(signer, "post", f"{at}/autorizar").status_code == 404
    assert _ask(signer, "post", f"{at}/recusar", {"reason": "x"}).status_code == 404
    stranger = _key(people["other_company"])
    body = {"year": YEAR, "request": "abcdefgh"}
    assert _ask(stranger, "post", f"{at}/usar", body).status_code == 404
    rows = _ask(others, "get", "/api/v1/certificados").json()
    assert {row["entity"] for row in rows} <= {world.entities[1]}


def test_two_people_by_two_keys_and_the_same_request_twice(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    text, signer = _key(people["preparer"]), _key(people["authoriser"])
    asked = {
        "request": "pedido-0001", "group": "glass", "holder": world.member(world.entities[0]), "year": YEAR,
        "mass_mg": 1_000_000, "investment_cents": 100,
    }  # fmt: skip
    first = _ask(text, "post", "/api/v1/certificados", asked)
    again = _ask(text, "post", "/api/v1/certificados", asked)
    assert (first.status_code, again.status_code) == (200, 200), first.content
    name = first.json()["id"]
    assert again.json()["id"] == name
    allowed = _ask(signer, "post", f"/api/v1/certificados/{name}/autorizar")
    assert allowed.status_code == 200, allowed.content
    assert _ask(text, "get", f"/api/v1/certificados/{name}").json()["state"] == "authorised"


def test_a_refusal_says_the_code_the_article_and_the_cure(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    asked = {
        "request": "pedido-0002", "group": "glass", "holder": world.member(world.entities[0]), "year": YEAR,
        "mass_mg": 10**17, "investment_cents": 100,
    }  # fmt: skip
    answer = _ask(_key(people["preparer"]), "post", "/api/v1/certificados", asked)
    assert answer.status_code == 409
    told = answer.json()
    assert told["code"] == "K01"
    assert told["what"]
    assert told["cure"]


def test_documents_come_as_the_command_line_writes_them(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    text, own = _key(people["preparer"]), _own(world)
    page = _ask(text, "get", f"/api/v1/documentos?year={YEAR}").json()
    assert page["count"] >= len(page["rows"]) > 0
    one = _ask(text, "get", f"/api/v1/documentos/{own['sha256']}/{own['ordinal']}?year={YEAR}").json()
    row = next(r for r in page["rows"] if (r["sha256"], str(r["ordinal"])) == (own["sha256"], own["ordinal"]))
    assert (one["verdict"], one["access_key"]) == (row["verdict"], row["access_key"])
    refused = _ask(text, "get", f"/api/v1/documentos?year={YEAR}&outcome=refused").json()
    assert 0 < refused["count"] < page["count"]
    assert {r["verdict"] for r in refused["rows"]} == {"refused"}


def test_an_upload_is_taken_and_told(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    text = _key(people["preparer"])
    sent = _ask(
        text, "post", "/api/v1/envios", data={"year": YEAR, "files": SimpleUploadedFile("a.xml", b"<x/>")}
    )
    assert sent.status_code == 202, sent.content
    told = _ask(text, "get", f"/api/v1/envios/{sent.json()['id']}").json()
    assert told["state"] == "waiting"
    strange = {"year": YEAR, "files": SimpleUploadedFile("a.exe", b"x")}
    answer = _ask(text, "post", "/api/v1/envios", data=strange)
    assert (answer.status_code, "a.exe" in answer.json()["what"]) == (400, True)


def test_a_company_asks_and_declares(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    text = _key(people["company"])
    found = _ask(text, "get", f"/api/v1/empresa/posicao?year={YEAR}&norm={NORM}").json()
    assert found["norm"] == NORM
    assert "trace" not in json.dumps(found)
    assert _ask(text, "get", "/api/v1/empresa/posicao?year=2026&norm=xx/nada").status_code == 404
    sheet = SimpleUploadedFile("d.csv", b"nada;disto\n1;2\n")
    answer = _ask(text, "post", "/api/v1/empresa/declaracao", data={"file": sheet})
    assert answer.status_code == 422
    assert answer.json()["issues"]
    due = _ask(text, "get", f"/api/v1/prazos?year={YEAR + 1}").json()
    assert all({"until", "article", "state"} <= set(task) for task in due["tasks"])


def test_papers_are_those_that_may_be_seen(crowd: tuple[World, dict[str, Any]]) -> None:
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    world, people = crowd
    first, second = world.entities[0], world.entities[1]
    kept = Filings(office.store(), sees=first).add(
        Subject(Kind.CONTRACT, first, name="c1"),
        {"com": "x"},
        by="a",
        on=office.today(),
        files=[("c.pdf", b"%")],
    )
    mine, others = _key(people["preparer"]), _key(people["other_preparer"])
    assert [r["id"] for r in _ask(mine, "get", "/api/v1/papeis?kind=contract").json()["rows"]] == [kept.id]
    assert _ask(mine, "get", f"/api/v1/papeis/{kept.id}/arquivos/c.pdf").content == b"%"
    assert _ask(others, "get", "/api/v1/papeis?kind=contract").json()["rows"] == []
    assert _ask(others, "get", f"/api/v1/papeis/{kept.id}").status_code == 404
    assert _ask(others, "get", f"/api/v1/papeis/{kept.id}/arquivos/c.pdf").status_code == 404
    assert second != first


def test_the_norms_are_open_to_anybody(crowd: tuple[World, dict[str, Any]]) -> None:
    norms = _ask("", "get", "/api/v1/normas")
    assert norms.status_code == 200
    assert len(norms.json()) == 5
    values = _ask("", "get", f"/api/v1/normas/{NORM}/valores")
    assert values.status_code == 200
    assert values.json()
    assert _ask("", "get", f"/api/v1/normas/{NORM}/nada").status_code == 404


def test_the_description_names_every_route(crowd: tuple[World, dict[str, Any]]) -> None:
    told = _ask("", "get", "/api/v1/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    described = {(verb.upper(), address) for address, verbs in told["paths"].items() for verb in verbs}
    known = {(r.method, re.sub(r"\{\w+:(\w+)\}", r"{\1}", r.address)) for r in routes()}
    assert described == known
    page = browser_of().get("/api/").content.decode()
    assert all(address in page for _, address in described)


def test_the_page_makes_a_key_shows_it_once_and_takes_it_back(crowd: tuple[World, dict[str, Any]]) -> None:
    from lastro.web.models import ApiKey

    _, people = crowd
    browser = browser_of(people["preparer"])
    asked = {"nome": "planilha", "alcance": ["entity.read", "certificate.authorise"], "dias": "30"}
    page = browser.post("/chaves/", asked).content.decode()
    text = re.search(r"lastro_[0-9a-f]{12}_[0-9a-f]{64}", page)
    assert text is not None
    key = ApiKey.objects.get(public=text[0].split("_")[1])
    assert key.scopes == ["entity.read"], "what the person may not do is not given away"
    assert key.expires_on - timezone.localdate() > timedelta(days=-10_000)
    assert text[0] not in browser.get("/chaves/").content.decode()
    assert _ask(text[0], "get", "/api/v1/eu").json()["scopes"] == ["entity.read"]
    assert browser_of(people["other_preparer"]).post(f"/chaves/{key.pk}/revogar/").status_code == 404
    browser.post(f"/chaves/{key.pk}/revogar/")
    assert _ask(text[0], "get", "/api/v1/eu").status_code == 401
    for wrong in ({"nome": ""}, {"alcance": []}, {"dias": "0"}, {"dias": "9999"}, {"dias": "x"}):
        assert browser.post("/chaves/", {**asked, **wrong}).status_code == 400
