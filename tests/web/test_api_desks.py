"""The API of the newer desks: one answer each, errors alike, keys of offices, and two people stay two."""

from __future__ import annotations

import json
import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.web.scopes import NEVER_DELEGATED, OFFICE_OF, ROLES, Scope
from tests.web.conftest import TODAY, World, people_of
from tests.web.routes import listed
from tests.web.test_api import _ask as ask
from tests.web.test_api import _key as key_of

DOCS = Path(__file__).parents[2] / "docs" / "api.md"


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _named(text: str, name: str, address: str, body: Any) -> Any:
    from tests.web.conftest import browser_of

    head = {"Authorization": f"Bearer {text}", "Idempotency-Key": name}
    return browser_of().post(
        f"/api/v1{address}", json.dumps(body), content_type="application/json", headers=head
    )


def test_the_same_request_is_done_once_and_answered_alike(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    text, other = key_of(people["other_company"]), key_of(people["company"])
    wanted = {"entity": world.entities[0], "wants": "join", "since": "2027-04-01"}
    first = _named(text, "pedido-0001", "/empresa/adesoes", wanted)
    assert first.status_code == 200, first.content
    again = _named(text, "pedido-0001", "/empresa/adesoes", wanted)
    assert (again.status_code, again.json()) == (200, first.json())
    assert again["Idempotent-Replayed"] == "true"
    bare = ask(text, "post", "/api/v1/empresa/adesoes", wanted)
    assert bare.status_code == 409, "without its name it is another request, which is refused"
    changed = _named(text, "pedido-0001", "/empresa/adesoes", wanted | {"since": "2027-05-01"})
    assert (changed.status_code, changed.json()["code"]) == (422, "identificação")
    theirs = _named(other, "pedido-0001", "/empresa/adesoes", {**wanted, "wants": "x"})
    assert theirs.status_code == 409, "a name is of its key alone"
    assert _named("lastro_0_0", "pedido-0001", "/empresa/adesoes", wanted).status_code == 401
    assert _named(text, "curto", "/empresa/adesoes", wanted).status_code == 400


def test_a_request_that_was_not_understood_may_come_again_under_its_name(
    crowd: tuple[World, dict[str, Any]],
) -> None:
    from lastro.web.models import ApiAnswer

    _, people = crowd
    text = key_of(people["operator"])
    assert _named(text, "pedido-0002", "/bolsa/cadastro", {}).status_code == 422
    draft = _named(text, "pedido-0002", "/bolsa/cadastro", {"submitted": False})
    assert draft.status_code == 200, draft.content
    waits = ApiAnswer.objects.get(name="pedido-0002")
    ApiAnswer.objects.filter(pk=waits.pk).update(status=None)  # as if its first request had never ended
    assert (
        _named(text, "pedido-0002", "/bolsa/cadastro", {"submitted": False}).json()["code"] == "em andamento"
    )


def test_a_form_with_files_is_the_same_request_whatever_separates_its_parts(
    crowd: tuple[World, dict[str, Any]],
) -> None:
    from tests.web.conftest import browser_of

    _, people = crowd
    head = {"Authorization": f"Bearer {key_of(people['operator'])}", "Idempotency-Key": "papel-0001"}

    def hand_in(body: bytes) -> Any:
        world = crowd[0]
        address = f"/api/v1/operador/homologacoes/{world.entities[0]}/permit"
        sent = {"number": "7", "file": SimpleUploadedFile("a.pdf", body)}
        return browser_of().post(address, sent, headers=head)

    first = hand_in(b"%PDF-1")
    assert first.status_code in (200, 404), first.content
    assert hand_in(b"%PDF-1").status_code == first.status_code
    if first.status_code == 200:
        assert hand_in(b"%PDF-2").status_code == 422


def test_offices_have_keys_that_act_for_the_office_and_die_with_the_role(
    crowd: tuple[World, dict[str, Any]],
) -> None:
    from lastro.web.models import ApiKey, Person, Trail

    world, people = crowd
    agency = people["second_agency"]
    text = key_of(agency)
    assert ask(text, "get", "/api/v1/eu").json()["party"] == OFFICE_OF[agency.role]
    told = ask(text, "get", f"/api/v1/orgao/em-dia?cnpj={world.member(world.entities[0])}").json()
    assert told["met"] in (True, False, None)
    assert all(check["article"] for part in told["parts"] for check in part["checks"])
    assert ask(text, "get", "/api/v1/orgao/em-dia?cnpj=nada").json()["what"]
    assert ask(text, "get", "/api/v1/taxa/cadastro").json()["code"] == "P10"
    assert ask(text, "get", "/api/v1/papeis?kind=parcel").json()["rows"] == [], "nobody wrote to it"
    assert Trail.objects.filter(email=agency.email, act="papers-read").count() == 1
    Person.objects.filter(pk=agency.pk).update(role="ministry")
    assert ask(text, "get", "/api/v1/eu").status_code == 401, "the office is no more theirs"
    Person.objects.filter(pk=agency.pk).update(role="agency")
    assert ApiKey.objects.filter(person=agency, party="agency").exists()


def test_every_look_of_a_program_at_somebody_is_in_the_trail(crowd: tuple[World, dict[str, Any]]) -> None:
    from lastro.web.models import Trail

    world, people = crowd
    cnpj = world.member(world.entities[0])
    before = Trail.objects.filter(kind="establishment", record=cnpj).count()
    ask(key_of(people["agency"]), "get", f"/api/v1/orgao/em-dia?cnpj={cnpj}")
    assert Trail.objects.filter(kind="establishment", record=cnpj).count() == before + 1


def test_a_table_takes_two_people_by_key_too(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    first, second = key_of(people["fee_staff"]), key_of(people["agency"])
    sheet = SimpleUploadedFile("selic.csv", b"mes;taxa\n2027-01;0,83%\n")
    said = {"table": "selic", "source": "Publica\u00e7\u00e3o", "dated": "2027-02-01", "file": sheet}
    made = ask(first, "post", "/api/v1/orgao/tabelas", data=said)
    assert made.status_code in (200, 409), made.content
    if made.status_code == 200:
        name = made.json()["name"]
        own = ask(first, "post", f"/api/v1/orgao/tabelas/{name}", {"yes": True})
        assert own.status_code == 409, "who loads does not confirm"
    assert ask(second, "get", "/api/v1/orgao/tabelas/2027-9999").status_code == 404


def test_a_contest_is_decided_by_two_keys_of_two_people(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    verifier, agency = key_of(people["verifier"]), key_of(people["agency"])
    row = ask(verifier, "get", "/api/v1/decisoes").json()["rows"][0]
    at = f"/api/v1/decisoes/{row['key']}/{row['line']}"
    word = {
        "entity": row["claims"][0]["entity"],
        "content": row["claims"][0]["content"],
        "reason": "Romaneio.",
    }
    assert ask(verifier, "post", at, word).json()["decided"] is False
    assert ask(verifier, "post", at, word).json()["decided"] is False, "one person is not two"
    again = key_of(people["verifier"])
    assert ask(again, "post", at, word).json()["decided"] is False, "nor are two keys of one person"
    assert ask(agency, "get", at).json()["waiting"] == word["entity"]
    assert ask(agency, "post", at, word).json()["decided"] is True


def test_the_verifier_declares_once_and_issues_the_statement(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    text, second = key_of(people["verifier"]), world.entities[1]
    rows = ask(text, "get", "/api/v1/verificador/entidades").json()
    named = {row["entity"] for row in rows}
    entity = second if second in named else world.entities[0]
    body = {"request": "declara-0001"}
    first = ask(text, "post", f"/api/v1/verificador/{entity}/2026/homologar", body)
    again = ask(text, "post", f"/api/v1/verificador/{entity}/2026/homologar", body)
    assert (first.status_code, again.status_code) == (200, 200), first.content
    assert again.json()["mass_mg"] == first.json()["mass_mg"]
    unasked = ask(text, "post", f"/api/v1/verificador/{entity}/2026/declaracao", {})
    assert unasked.status_code == 409, "what nobody looked at asks for a reason"
    why = {"reason": "Nada foi sorteado."}
    stated = ask(text, "post", f"/api/v1/verificador/{entity}/2026/declaracao", why)
    assert stated.json()["number"], stated.content
    other = key_of(people["stray_verifier"])
    assert ask(other, "post", f"/api/v1/verificador/{entity}/2026/declaracao", {}).status_code == 404


def test_an_entity_homologates_and_answers_by_key(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    text = key_of(people["preparer"])
    rows = ask(text, "get", "/api/v1/entidade/operadores?year=2026").json()["rows"]
    out = next(row["cnpj"] for row in rows if row["state"] != "homologado")
    papers = dict.fromkeys(("cnpj_ok", "registrations_ok", "licence_ok", "permit_ok"), True)
    vetted = ask(
        text, "post", "/api/v1/entidade/operadores", {"operator": out, "since": "2027-01-02", **papers}
    )
    assert vetted.json()["fresh"] == 1, vetted.content
    shown = ask(text, "get", f"/api/v1/entidade/operadores/{out}?year=2026").json()
    assert shown["operator"]["valid_to"]
    assert ask(key_of(people["other_preparer"]), "get", "/api/v1/entidade/aderentes").json()["count"] >= 0
    wrong = ask(text, "post", "/api/v1/entidade/operadores", {"operator": "1", "since": "x", **papers})
    assert wrong.status_code == 400
    assert wrong.json()["issues"]


def test_a_recycler_confirms_and_the_entity_reads_it(crowd: tuple[World, dict[str, Any]]) -> None:
    _, people = crowd
    text = key_of(people["recycler"])
    loads = ask(text, "get", "/api/v1/reciclador/cargas").json()["rows"]
    load = next(row for row in loads if row["mass_mg"])
    at = f"/api/v1/reciclador/cargas/{load['key']}"
    half = ask(text, "post", at, {"received_mg": 5})
    assert half.status_code == 400
    came = {"received_mg": load["mass_mg"], "received_on": (TODAY - timedelta(days=1)).isoformat()}
    told = ask(text, "post", at, came)
    assert told.status_code == 200, told.content
    after = ask(text, "get", "/api/v1/reciclador/cargas").json()["rows"]
    mine = next(row for row in after if row["key"] == load["key"])
    assert mine["receipt"]["received_mg"] == load["mass_mg"]


def test_a_long_list_comes_in_parts() -> None:
    from lastro.web.api.shapes import MOST, part

    rows = [{"n": n} for n in range(2 * MOST + 1)]
    seen: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = part(rows, after=after)
        seen += page.rows
        after = page.next
    assert seen == rows


def test_every_right_but_those_on_people_has_words_for_a_key_and_routes() -> None:
    from lastro.web.readings.keys import WORDS
    from tests.web.routes import routes

    held = frozenset[Scope]().union(*ROLES.values()) - NEVER_DELEGATED - {Scope.PEOPLE_MANAGE}
    assert held == WORDS.keys()
    assert held <= {route.scope for route in routes()}


def test_what_a_program_did_is_told_in_words() -> None:
    from lastro.web.api.routes import acts
    from tests.web.routes import routes

    assert {name: words for name, words in acts().items() if not words}.keys() <= _only_read()
    assert len(acts()) == len({route.address for route in routes()})


def _only_read() -> set[str]:
    from lastro.web.api import api

    return {
        f"api:{api.get_operation_url_name(view.operations[0], router)}"
        for _, router in api._routers
        for view in router.path_operations.values()
        if all("GET" in one.methods for one in view.operations)
    }


def test_the_description_is_openapi_with_one_shape_of_errors_and_a_name_for_each_writing(
    crowd: tuple[World, dict[str, Any]],
) -> None:
    told = ask("", "get", "/api/v1/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    names = [route["operationId"] for verbs in told["paths"].values() for route in verbs.values()]
    assert len(names) == len(set(names))
    for address, verbs in told["paths"].items():
        for verb, route in verbs.items():
            params = {p["name"] for p in route["parameters"]}
            assert ("Idempotency-Key" in params) is (verb != "get"), (verb, address)
            assert set(re.findall(r"{(\w+)}", address)) <= params, address
            for status in ("401", "403", "404"):
                shape = route["responses"][status]["content"]["application/json"]["schema"]["$ref"]
                assert shape.endswith("/Told"), (verb, address, status)
    refs = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(told)))
    assert refs <= told["components"]["schemas"].keys()


def test_the_page_of_the_api_lists_every_route() -> None:
    """`LASTRO_WRITE_DOCS=1` writes the list anew."""
    head, mark, _ = DOCS.read_text("utf-8").partition("## Os endereços\n")
    wanted = f"{head}{mark}\n{listed()}"
    if os.environ.get("LASTRO_WRITE_DOCS"):
        DOCS.write_text(wanted, "utf-8")
    assert DOCS.read_text("utf-8") == wanted
