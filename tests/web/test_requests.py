"""Requests of offices: who asks, who sees, who answers, and what is marked and closed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.web.conftest import TODAY, World, browser_of

METAL, ELECTRONICS, MT = "br/minuta_metal_2022", "br/decreto_10240_2020", "mt/decreto_1455_2025"
DUE = (TODAY + timedelta(days=15)).isoformat()


def _form(to: str, base: str = f"{ELECTRONICS}/distributor-report", **changed: str) -> dict[str, Any]:
    return {
        "cnpj": to, "base": base, "titulo": "Relatório de 2026", "texto": "Mande o relatório.",
        "razao": "Verificar o que cabe ao distribuidor.", "ate": DUE, **changed,
    }  # fmt: skip


def _file(name: str, body: bytes) -> Any:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile(name, body)


def test_an_office_asks_a_company_answers_and_the_office_closes(world: World, people: dict[str, Any]) -> None:
    agency, company = browser_of(people["agency"]), browser_of(people["company"])
    mine = world.member(world.entities[0])
    made = agency.post("/pedidos/feitos/novo/", _form(mine) | {"arquivos": _file("modelo.txt", b"modelo")})
    assert (made.status_code, made["Location"]) == (302, "/pedidos/feitos/")
    shown = company.get("/pedidos/").content.decode()
    assert "Relatório de 2026" in shown
    assert "art. 35, IV" in shown
    assert f"responder até {(TODAY + timedelta(days=15)):%d/%m/%Y}" in shown
    page = company.get("/pedidos/agency/2027-0001/").content.decode()
    assert "Verificar o que cabe ao distribuidor." in page
    sent = {
        "texto": "Segue.", "arquivos": _file("../relatorio.pdf", b"%PDF-1.7"),
        "sigilo": "massas por cliente", "fundamento": "Lei 9.279/1996, art. 195, XI",
    }  # fmt: skip
    assert company.post("/pedidos/agency/2027-0001/", sent).status_code == 302
    assert "Nada a responder" in company.get("/pedidos/").content.decode()

    page = agency.get("/pedidos/feitos/2027-0001/").content.decode()
    assert "massas por cliente" in page
    assert "art. 195, XI" in page
    address = page.split('href="/pedidos/feitos/arquivos/')[2].split('"')[0]
    body = agency.get(f"/pedidos/feitos/arquivos/{address}")
    assert (body.content, body["Content-Type"]) == (b"%PDF-1.7", "application/octet-stream")
    assert 'filename="relatorio.pdf"' in body["Content-Disposition"]

    more = {"passo": "mais", "texto": "Falta dezembro.", "ate": DUE}
    assert agency.post("/pedidos/feitos/2027-0001/", more).status_code == 302
    assert "Falta dezembro." in company.get("/pedidos/agency/2027-0001/").content.decode()
    assert company.post("/pedidos/agency/2027-0001/", {"texto": "Dezembro foi zero."}).status_code == 302
    assert (
        agency.post("/pedidos/feitos/2027-0001/", {"passo": "fim", "texto": "Conferido."}).status_code == 302
    )
    assert "Conferido." in company.get("/pedidos/agency/2027-0001/").content.decode()
    late = company.post("/pedidos/agency/2027-0001/", {"texto": "Mais uma coisa."})
    assert late.status_code == 400
    assert "já foi encerrado" in late.content.decode()


def test_nobody_else_sees_a_request_or_its_files(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import requests as readings

    mine = world.member(world.entities[0])
    asked = readings.ask(
        "agency", to=mine, key=f"{METAL}/retailer-report", title="Um", text="Dois", reason="Três",
        due=TODAY + timedelta(days=3), by="flora", files=[("a.txt", b"a")],
    )  # fmt: skip
    for who in ("other_company", "preparer", "other_preparer"):
        browser = browser_of(people[who])
        assert browser.get("/pedidos/agency/2027-0001/").status_code == 404, who
        assert browser.post("/pedidos/agency/2027-0001/", {"texto": "x"}).status_code == 404, who
        assert browser.get(f"/pedidos/arquivos/{asked.id}/a.txt").status_code == 404, who
        assert "Nada a responder" in browser.get("/pedidos/").content.decode(), who
    for who in ("ministry", "gap"):
        browser = browser_of(people[who])
        assert browser.get("/pedidos/feitos/2027-0001/").status_code == 404, who
        assert browser.get(f"/pedidos/feitos/arquivos/{asked.id}/a.txt").status_code == 404, who
    assert browser_of(people["company"]).get(f"/pedidos/arquivos/{asked.id}/a.txt").content == b"a"
    assert browser_of(people["second_agency"]).get("/pedidos/feitos/2027-0001/").status_code == 200


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"cnpj": "ZZ.000.000/0001-00"}, "não confere"),
        ({"base": f"{METAL}/direct"}, "artigo"),  # the ministry's right, not the agency's
        ({"base": f"{MT}/qualification"}, "entidades gestoras"),
        ({"titulo": " "}, "título"),
        ({"razao": " "}, "justificar"),
        ({"ate": TODAY.isoformat()}, "depois de hoje"),
        ({"ate": "amanhã"}, "depois de hoje"),
    ],
)
def test_what_is_lacking_is_said_and_nothing_is_kept(
    world: World, people: dict[str, Any], changed: dict[str, str], said: str
) -> None:
    agency = browser_of(people["agency"])
    answer = agency.post("/pedidos/feitos/novo/", _form(world.member(world.entities[0])) | changed)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert "Nenhum pedido ainda" in agency.get("/pedidos/feitos/").content.decode()


def test_a_mark_of_secrecy_needs_its_ground_and_a_large_file_is_refused(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastro.web.readings import requests as readings

    agency, company = browser_of(people["agency"]), browser_of(people["company"])
    agency.post("/pedidos/feitos/novo/", _form(world.member(world.entities[0])))
    answer = company.post("/pedidos/agency/2027-0001/", {"texto": "Segue.", "sigilo": "as massas"})
    assert answer.status_code == 400
    assert "com que fundamento" in answer.content.decode()
    assert "art. 68" in answer.content.decode()
    monkeypatch.setattr(readings, "MOST_BYTES", 2**20)
    big = {"texto": "Segue.", "arquivos": _file("grande.csv", b"x" * (2**20 + 1))}
    answer = company.post("/pedidos/agency/2027-0001/", big)
    assert answer.status_code == 400
    assert "passa de 1 MB" in answer.content.decode()
    assert readings.one("agency", "2027-0001", seen_by="agency").answers == ()  # type: ignore[union-attr]


def test_a_request_past_its_day_is_late_and_an_answer_of_another_party_counts_for_nothing(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office
    from lastro.web.readings import requests as readings

    mine = world.member(world.entities[0])
    asked = readings.ask(
        "ministry", to=mine, key=f"{METAL}/direct", title="Um", text="Dois", reason="Três",
        due=TODAY + timedelta(days=1), by="raul",
    )  # fmt: skip
    stranger = people["other_company"].parties[0]
    fake = Subject(Kind.ANSWER, stranger, norm=METAL, name=f"ministry-{asked.subject.name}")
    Filings(office.store(), sees=stranger).add(fake, {"text": "x"}, by="z", on=TODAY, addressee="ministry")
    found = readings.one("ministry", asked.subject.name, seen_by="ministry")
    assert found is not None
    assert (found.state, found.answers) == ("open", ())
    monkeypatch.setattr(office, "today", lambda: TODAY + timedelta(days=2))
    assert [r.state for r in readings.open_of(mine)] == ["late"]


def test_an_opening_is_seen_by_whose_data_it_opened(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import requests as readings

    mine = world.member(world.entities[0])
    readings.open_data("ministry", of=mine, key=f"{METAL}/data", reason="Conferir o relatório.", by="raul")
    seen = browser_of(people["company"]).get("/pedidos/acessos/").content.decode()
    assert "Conferir o relatório." in seen
    assert "art. 69" in seen
    assert "Conferir o" not in browser_of(people["other_company"]).get("/pedidos/acessos/").content.decode()
    with pytest.raises(readings.Refused, match="interessam"):
        readings.open_data("ministry", of=mine, key=f"{METAL}/data", reason=" ", by="raul")
    with pytest.raises(readings.Refused, match="artigo"):
        readings.open_data("gap", of=mine, key=f"{METAL}/data", reason="Ver.", by="paula")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("visita.exe", b"MZ\x90", "não pode ser anexado"),
        ("visita.pdf.scr", b"%PDF-1.7", "não pode ser anexado"),
        ("visita.pdf", b"MZ\x90\0", "não é o que o nome diz"),
        ("linhas.csv", b"MZ\x90\0", "não é o que o nome diz"),
        ("visita.pdf", b"", "está vazio"),
    ],
)
def test_what_is_no_document_is_not_attached(name: str, data: bytes, words: str) -> None:
    from lastro.web.readings.requests import Refused, sound

    assert sound([("visita.pdf", b"%PDF-1.7"), ("linhas.csv", "peça;1".encode("latin-1"))])
    with pytest.raises(Refused, match=words):
        sound([(name, data)])
