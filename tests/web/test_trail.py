"""What was done, by whom, for whom: kept for every change, shown to those who may read the record."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from django.urls import reverse

from lastro.web import delegations
from lastro.web.models import Trail
from lastro.web.scopes import Scope
from tests.web.conftest import TODAY, World, browser_of


def _prepared(world: World, people: dict[str, Any]) -> str:
    """A certificate that the preparer prepared by the page; its name."""
    from tests.web.test_certificates import _prepared as prepare

    return str(prepare(world, people)["Location"]).rstrip("/").rpartition("/")[2]


def test_a_change_leaves_a_line_and_looking_leaves_none(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["preparer"])
    browser.get("/entidade/")
    browser.get("/conta/")
    assert not Trail.objects.exists()
    name = _prepared(world, people)
    (line,) = Trail.objects.all()
    assert (line.email, line.party) == ("preparer@exemplo.org", world.entities[0])
    assert (line.act, line.kind, line.record) == ("certificate-prepare", "certificate", name)
    assert re.fullmatch("[0-9a-f]{16}", line.origin)
    assert "127.0.0.1" not in line.origin


def test_what_was_refused_leaves_no_line(world: World, people: dict[str, Any]) -> None:
    browser_of(people["company"]).post("/entidade/relatorio/previa/")
    browser_of(people["company"]).post("/delegacoes/", {"email": "x"})
    browser_of().post("/entrar/", {"username": "company@exemplo.org", "password": "errada"})
    assert not Trail.objects.exists()


def test_lines_are_only_ever_added(world: World, people: dict[str, Any]) -> None:
    _prepared(world, people)
    for change in ("update lastro.web_trail set email = 'x'", "delete from lastro.web_trail"):
        with psycopg.connect(world.base.conninfo()) as db:
            db.execute("select set_config('lastro.sees', '*', false)")
            assert db.execute(change).rowcount == 0, "who serves finds no line to change"  # type: ignore[call-overload]
        with (
            psycopg.connect(world.base.conninfo("lastro_owner")) as db,
            pytest.raises(psycopg.Error, match="only ever added"),
        ):
            db.execute(change)  # type: ignore[call-overload]
    assert Trail.objects.get().email == "preparer@exemplo.org"


def test_an_act_by_delegation_names_both(world: World, people: dict[str, Any]) -> None:
    preparer, accountant = people["preparer"], people["late_accountant"]
    given = delegations.give(
        preparer, party=preparer.bound[0], email=accountant.email,
        scopes=[Scope.ENTITY_READ, Scope.CERTIFICATE_PREPARE], until=TODAY, today=TODAY,
    )  # fmt: skip
    assert not isinstance(given, str)
    from tests.web.test_certificates import _prepared as prepare

    prepare(world, {**people, "preparer": accountant})
    line = Trail.objects.get(act="certificate-prepare")
    assert (line.email, line.behalf) == (accountant.email, preparer.email)
    shown = browser_of(preparer).get(reverse("trail-of", args=["certificate", line.record])).content.decode()
    assert accountant.email in shown
    assert preparer.email in shown


def test_a_program_is_named_by_its_key(world: World, people: dict[str, Any]) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lastro.web.api.keys import make

    preparer = people["preparer"]
    key, text = make(
        preparer, party=preparer.bound[0], name="x", scopes=[Scope.ENTITY_UPLOAD], days=1, today=TODAY
    )
    sent = {"year": 2026, "files": SimpleUploadedFile("a.xml", b"<x/>")}
    head = {"Authorization": f"Bearer {text}"}
    assert browser_of().post("/api/v1/envios", sent, headers=head).status_code == 202
    assert browser_of().get("/api/v1/eu", headers=head).status_code == 200
    (line,) = Trail.objects.all()
    assert (line.email, line.party, line.key) == (preparer.email, preparer.bound[0], key.public)


def test_who_may_read_the_record_reads_its_trail(world: World, people: dict[str, Any]) -> None:
    from lastro.web import office
    from lastro.web.readings import documents

    first = world.entities[0]
    name = _prepared(world, people)
    browser_of(people["authoriser"]).post(f"/entidade/certificados/{name}/autorizar/")
    address = reverse("trail-of", args=["certificate", name])
    for who, status in (("preparer", 200), ("authoriser", 200), ("admin", 200), ("other_preparer", 404),
                        ("company", 404), ("agency", 404), ("operator", 404)):  # fmt: skip
        assert browser_of(people[who]).get(address).status_code == status, who
    text = browser_of(people["preparer"]).get(address).content.decode()
    assert "preparou um certificado" in text
    assert "autorizou um certificado" in text
    row = documents.rows(next(w for w in office.claimed(first)))[0]
    document = reverse("trail-of", args=["document", f"{row.sha256}/{row.ordinal}"])
    assert browser_of(people["preparer"]).get(document).status_code == 200
    assert browser_of(people["other_preparer"]).get(document).status_code == 404
    me = reverse("trail-of", args=["person", people["preparer"].pk])
    assert browser_of(people["preparer"]).get(me).status_code == 200
    assert browser_of(people["authoriser"]).get(me).status_code == 404
    for strange in ("certificate/nada", "job/nada", "filing/99", "filing/x", "coisa/1", "person/x"):
        assert browser_of(people["preparer"]).get(f"/trilha/{strange}/").status_code == 404, strange


def test_people_of_another_establishment_are_not_named(world: World, people: dict[str, Any]) -> None:
    name = _prepared(world, people)
    Trail.objects.create(
        person=people["company"].pk, email="company@exemplo.org", party=people["company"].bound[0],
        act="company-use", kind="certificate", record=name, status=302,
    )  # fmt: skip
    text = (
        browser_of(people["preparer"]).get(reverse("trail-of", args=["certificate", name])).content.decode()
    )
    assert "usou um certificado" in text
    assert "company@exemplo.org" not in text
    assert "pessoa de outro estabelecimento" in text


def test_the_administration_reads_and_takes_along_the_whole(world: World, people: dict[str, Any]) -> None:
    _prepared(world, people)
    browser = browser_of(people["admin"])
    assert "preparer@exemplo.org" in browser.get("/administracao/trilha/").content.decode()
    csv = browser.get("/administracao/trilha/", {"baixar": "csv"})
    assert "preparou um certificado" in csv.content.decode()
    none = browser.get("/administracao/trilha/", {"de": "2020-01-01", "ate": "2020-01-31"}).content.decode()
    assert "preparer@exemplo.org" not in none
    assert browser_of(people["preparer"]).get("/administracao/trilha/").status_code == 403


def test_acts_of_offices_are_told_in_words(people: dict[str, Any]) -> None:
    seat = {"assento": "semad/1", "titular": "A", "suplente": "B", "oficio": "1"}
    assert browser_of(people["committee"]).post("/comite/assentos/", seat).status_code == 302
    page = browser_of(people["admin"]).get("/administracao/trilha/").content.decode()
    assert "registrou um assento do comitê" in page
    assert "committee-seats" not in page


def test_opening_what_is_confidential_leaves_a_line(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastro.web.desks import account

    found = next(one for one in account.urls if one.name == "account")
    monkeypatch.setattr(found.callback, "confidential", True)
    browser_of(people["agency"]).get("/conta/")
    line = Trail.objects.get()
    assert (line.act, line.email, line.status) == ("account", "agency@exemplo.org", 200)
