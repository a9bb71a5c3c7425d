"""The operator's desk: which sales counted, what is sent to whom, and that it counts only when taken in."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.filings import Kind
from lastro.ids import AccessKey
from tests.web.conftest import TODAY, World, browser_of, people_of

PDF = b"%PDF-1.4 alvara"


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def _notes(world: World, person: str = "operator") -> list[Any]:
    from lastro.web.readings import operator

    return operator.notes(world.operators(world.entities[0])[0 if person == "operator" else 1])


def _xml(world: World, operator: str) -> list[Path]:
    """The sample's files that are notes issued by an operator."""
    every = sorted((world.folder / "notas" / world.entities[0]).rglob("*.xml"))
    return [path for path in every if _key(path)[6:20] == operator]


def _key(path: Path) -> str:
    """The key of the note in a file; empty where there is none."""
    found = re.search(rb"Id=[\"']NFe([0-9A-Z]{44})", path.read_bytes())
    return found[1].decode() if found else ""


def _filings(sees: str) -> Any:
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    return Filings(office.store(), sees=sees)


# ── what became of the sales ─────────────────────────────────────────────────────────────────────────


def test_the_first_page_adds_up_what_counts(crowd: tuple[World, dict[str, Any]]) -> None:
    from lastro.units import total

    world, people = crowd
    mine = [n for n in _notes(world) if n.issued_on.year == 2026]
    counted = total(n.mass for n in mine)
    assert counted.mg > 0
    text = _text(browser_of(people["operator"], verified=False).get("/operador/?ano=2026"))
    assert f"{counted} contam em 2026" in text
    refused = [n for n in mine if n.said and n.outcome.value != "admitted"]
    assert refused
    assert all(n.main.message in text for n in refused[:12])
    assert "Resolva até 30/07/2027" in text


def test_a_note_says_what_to_do_and_until_when(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    browser = browser_of(people["operator"])
    for note in [n for n in _notes(world) if n.said and n.outcome.value != "admitted"][:5]:
        text = _text(browser.get(f"/operador/notas/{note.key}/"))
        assert note.said[0].message in text
        assert note.said[0].cure.replace("`", "") in text
        assert note.said[0].code in text


def test_an_operator_sees_its_own_sales_and_no_others(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    mine = {n.key for n in _notes(world)}
    theirs = {n.key for n in _notes(world, "other")} - mine
    assert mine
    assert theirs
    browser = browser_of(people["operator"])
    listed = browser.get("/operador/notas/?baixar=csv").content.decode()
    for key in theirs:
        assert key not in listed
        assert browser.get(f"/operador/notas/{key}/").status_code == 404
        assert browser.get(f"/operador/enviar/?nota={key}").status_code == 404
    assert len(listed.splitlines()) == 1 + len([n for n in _notes(world) if n.key])


def test_a_buyer_is_not_shown_as_the_seller(crowd: tuple[World, dict[str, Any]]) -> None:
    from lastro.web.readings import operator

    world, _ = crowd
    buyers = {n.buyer for n in _notes(world)}
    assert buyers
    for buyer in buyers:
        assert not {n.key for n in operator.notes(buyer)} & {n.key for n in _notes(world)}


# ── sending ──────────────────────────────────────────────────────────────────────────────────────────


def _zip(files: list[Path]) -> SimpleUploadedFile:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in files:
            archive.writestr(path.name, path.read_bytes())
    return SimpleUploadedFile("vendas.zip", out.getvalue())


def test_what_is_sent_counts_only_when_the_entity_takes_it_in(world: World, people: dict[str, Any]) -> None:
    from lastro.custody.port import For
    from lastro.stores.postgres.custody import custody
    from lastro.web import jobs, office

    entity, second = world.entities[0], world.entities[1]
    operator = world.operators(entity)[0]
    files = _xml(world, operator)[:3]
    assert files
    browser = browser_of(people["operator"])
    answer = browser.post("/operador/enviar/", {"entidade": entity, "arquivos": [_zip(files)]})
    assert answer.status_code == 302
    (parcel,) = _filings(entity).standing(Kind.PARCEL)
    assert parcel.subject.party == operator
    assert _filings(second).standing(Kind.PARCEL) == []

    with custody(office.store()) as memory:
        before = len(memory.answered(For(entity, "mt/decreto_1455_2025", 2026)))
    assert jobs.work_on_one()
    with custody(office.store()) as memory:
        after = len(memory.answered(For(entity, "mt/decreto_1455_2025", 2026)))
    assert before == after, "a look beforehand claims nothing"
    text = _text(browser.get(answer["Location"]))
    assert "Espera a entidade" in text
    assert text.count("A entidade já tem este arquivo") == len(files)
    seen = browser.get(answer["Location"]).content.decode()
    assert "Quem vende nesta nota não é você" not in seen
    for path in files:
        about = f"/operador/notas/{_key(path)}/"
        assert about in seen
        assert browser.get(about).status_code == 200
    for path in files:
        assert f"Nota {int(AccessKey.parse(_key(path)).number)}" in text

    taker = browser_of(people["preparer"])
    listed = _text(taker.get("/entidade/recebidos/"))
    assert "vendas.zip" in listed
    taken = taker.post(f"/entidade/recebidos/{parcel.id}/receber/", {"ano": "2026"})
    assert taken["Location"].startswith("/entidade/envios/")
    while jobs.work_on_one():
        pass
    assert "Arquivos 3" in _text(taker.get(taken["Location"])) or len(files) != 3
    assert "A entidade recebeu" in _text(browser.get(answer["Location"]))
    again = taker.post(f"/entidade/recebidos/{parcel.id}/receber/", {"ano": "2026"})
    assert again["Location"] == f"/entidade/recebidos/{parcel.id}/"
    assert len(_filings(entity).standing(Kind.ANSWER)) == 1


def test_a_note_that_another_sold_is_told_to_who_sends_it(world: World, people: dict[str, Any]) -> None:
    from lastro.web import jobs

    entity = world.entities[0]
    file = _xml(world, world.operators(entity)[1])[0]
    browser = browser_of(people["operator"])
    answer = browser.post("/operador/enviar/", {"entidade": entity, "arquivos": [_zip([file])]})
    assert jobs.work_on_one()
    text = browser.get(answer["Location"]).content.decode()
    assert "Quem vende nesta nota não é você" in text
    assert f"/operador/notas/{_key(file)}/" not in text


def test_a_parcel_given_back_says_why(world: World, people: dict[str, Any]) -> None:
    entity = world.entities[0]
    browser, taker = browser_of(people["operator"]), browser_of(people["preparer"])
    key = _notes(world)[0].key
    sent = browser.post("/operador/enviar/", {"entidade": entity, "chaves": f"{key[:20]} {key[20:]}\n{key}"})
    (parcel,) = _filings(entity).standing(Kind.PARCEL)
    assert parcel.body["keys"] == [key], "one key, however often it was typed"
    assert "a entidade já tem a nota" in _text(browser.get(sent["Location"]))
    silent = taker.post(f"/entidade/recebidos/{parcel.id}/devolver/", {"razao": " "}, follow=True)
    assert "Escreva a razão" in _text(silent)
    taker.post(f"/entidade/recebidos/{parcel.id}/devolver/", {"razao": "já temos"})
    text = _text(browser.get(sent["Location"]))
    assert "A entidade devolveu" in text
    assert "já temos" in text


def test_a_key_alone_waits_for_its_file(world: World, people: dict[str, Any]) -> None:
    entity = world.entities[0]
    known = _notes(world)[0].key
    body = known[:25] + "999999999" + known[34:43]
    from lastro.ids import mod11

    key = body + mod11(body)
    browser = browser_of(people["operator"])
    sent = browser.post("/operador/enviar/", {"entidade": entity, "chaves": key})
    text = _text(browser.get(sent["Location"]))
    assert "Falta o XML" in text
    assert "lastro fetch status" in _text(
        browser_of(people["preparer"]).get(
            f"/entidade/recebidos/{_filings(entity).standing(Kind.PARCEL)[0].id}/"
        )
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda key: key[:-1], "aqui há 43"),
        (lambda key: key[:-1] + str((int(key[-1]) + 1) % 10), "número trocado"),
        (lambda key: key[:20] + "65" + key[22:], "número trocado"),
        (lambda key: "ZZ" + key[2:], "letras, só as do CNPJ"),
        (lambda key: "", "Escolha ao menos um arquivo"),
    ],
)
def test_a_mistyped_key_is_told_plainly(crowd: tuple[World, dict[str, Any]], change: Any, said: str) -> None:
    world, people = crowd
    data = {"entidade": world.entities[0], "chaves": change(_notes(world)[0].key)}
    answer = browser_of(people["operator"]).post("/operador/enviar/", data)
    assert answer.status_code == 400
    assert said in _text(answer)
    assert not _filings(world.entities[0]).standing(Kind.PARCEL)


def test_a_note_of_another_model_is_told_plainly() -> None:
    from lastro.ids import mod11
    from lastro.web.readings.parcels import key_problem

    body = "5126" + "11" + "ZZABC1230001" + "00" + "65" + "001" + "000000123" + "1" + "00000012"
    assert "modelo 65" in key_problem(body + mod11(body))
    good = body[:20] + "55" + body[22:]
    assert key_problem(good + mod11(good)) == ""


def test_only_an_entity_that_homologates_is_offered(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    file = SimpleUploadedFile("a.xml", b"<a/>")
    answer = browser_of(people["operator"]).post(
        "/operador/enviar/", {"entidade": world.establishment(world.companies[0]), "arquivos": [file]}
    )
    assert answer.status_code == 400
    assert "Escolha a entidade" in _text(answer)
    strange = SimpleUploadedFile("nota.docx", b"x")
    answer = browser_of(people["operator"]).post(
        "/operador/enviar/", {"entidade": world.entities[0], "arquivos": [strange]}
    )
    assert "nota.docx não é XML" in _text(answer)


def test_a_paper_beside_a_note_is_for_a_person_to_look_at(world: World, people: dict[str, Any]) -> None:
    from lastro.web import jobs

    note = next(n for n in _notes(world) if n.outcome.value != "admitted")
    browser, entity = browser_of(people["operator"]), note.whom.entity
    photo = SimpleUploadedFile("tiquete.jpg", b"\xff\xd8\xff")
    sent = browser.post("/operador/enviar/", {"nota": note.key, "entidade": entity, "arquivos": [photo]})
    assert sent.status_code == 302
    assert not jobs.work_on_one(), "nobody reads a photo as a note"
    (parcel,) = _filings(entity).standing(Kind.PARCEL)
    taker = browser_of(people["preparer"])
    assert note.key[:4] in _text(taker.get(f"/entidade/recebidos/{parcel.id}/"))
    got = taker.get(f"/entidade/recebidos/{parcel.id}/arquivos/tiquete.jpg")
    assert got.content == b"\xff\xd8\xff"
    assert "attachment" in got["Content-Disposition"]
    taker.post(f"/entidade/recebidos/{parcel.id}/receber/")
    assert "A entidade recebeu" in _text(browser.get(sent["Location"]))
    assert not jobs.work_on_one()


# ── papers ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_paper_is_handed_to_the_entity_and_no_other(world: World, people: dict[str, Any]) -> None:
    entity, operator = world.entities[0], world.operators(world.entities[0])[0]
    browser = browser_of(people["operator"], verified=False)
    address = f"/operador/papeis/{entity}/licence/"
    assert "art. 59, III" in _text(browser.get(address))
    data = {"arquivo": SimpleUploadedFile("lo.pdf", PDF), "numero": "LO 1/2026", "validade": "2028-01-31"}
    assert browser.post(address, data).status_code == 302
    (paper,) = _filings(entity).standing(Kind.VETTING, addressee=entity)
    assert (paper.subject.party, paper.subject.name) == (operator, f"{entity}/licence")
    assert paper.body == {"number": "LO 1/2026", "valid_to": "2028-01-31"}
    assert _filings(entity).file(paper.id, "lo.pdf") == PDF
    assert _filings(world.entities[1]).standing(Kind.VETTING) == []
    text = _text(browser.get("/operador/papeis/"))
    assert "enviado em 15/03/2027" in text
    assert "vale até 31/01/2028" in text
    browser.post(address, {"arquivo": SimpleUploadedFile("nova.pdf", PDF), "numero": "LO 2/2027"})
    (paper,) = _filings(entity).standing(Kind.VETTING)
    assert (paper.version, paper.body["valid_to"]) == (2, None)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "Escolha o arquivo"),
        ({"arquivo": ("x.exe", b"MZ")}, "x.exe não é"),
        ({"arquivo": ("x.pdf", b"")}, "vazio"),
        ({"arquivo": ("x.pdf", PDF), "validade": "31/02/2028"}, "A validade é um dia"),
        ({"arquivo": ("x.pdf", PDF), "validade": "2027-03-14"}, "venceu em 14/03/2027"),
    ],
)
def test_a_paper_that_cannot_serve_is_told(
    crowd: tuple[World, dict[str, Any]], data: dict[str, Any], said: str
) -> None:
    world, people = crowd
    sent = {k: SimpleUploadedFile(*v) if isinstance(v, tuple) else v for k, v in data.items()}
    answer = browser_of(people["operator"]).post(f"/operador/papeis/{world.entities[0]}/permit/", sent)
    assert answer.status_code == 400
    assert said in _text(answer)
    assert not _filings(world.entities[0]).standing(Kind.VETTING)


def test_how_long_a_homologation_stands_is_shown(crowd: tuple[World, dict[str, Any]]) -> None:
    from lastro.web.readings import homologations

    world, people = crowd
    found = homologations.homologations(world.operators(world.entities[0])[0], today=TODAY)
    assert any(one.valid_to for one in found)
    text = _text(browser_of(people["operator"]).get("/operador/papeis/"))
    for one in found:
        assert one.name in text
        assert not one.valid_to or f"{one.valid_to:%d/%m/%Y}" in text
    everywhere = _text(browser_of(people["operator"]).get("/operador/papeis/?todas=sim"))
    assert everywhere.count("Cartão do CNPJ") >= 2 * len(world.entities)
