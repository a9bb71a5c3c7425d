"""A company declares by form or by sheet; what is wrong comes back marked, and every version is kept."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.ids import Material, company_of
from lastro.stores.postgres import registry as kept
from lastro.units import Mass
from tests.web.conftest import World, browser_of

YEAR = 2025


@pytest.fixture
def mine(world: World, people: dict[str, Any]) -> tuple[Any, str]:
    company = people["company"]
    return browser_of(company), company.parties[0]


def standing(party: str) -> dict[Any, Any]:
    from lastro.web import office

    return kept.standing(office.store(), company_of(party), YEAR)


def send(browser: Any, name: str, data: bytes, **more: str) -> Any:
    file = SimpleUploadedFile(name, data)
    return browser.post("/empresa/declaracao/planilha/", {"ano": YEAR, "planilha": file, **more}, follow=True)


def sheet_of(browser: Any) -> Any:
    return openpyxl.load_workbook(
        io.BytesIO(browser.get("/empresa/declaracao/modelo.xlsx", {"ano": YEAR}).content)
    )


def saved(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_model_filled_wrongly_comes_back_and_is_taken_when_mended(mine: tuple[Any, str]) -> None:
    browser, party = mine
    before = standing(party)
    book = sheet_of(browser)
    page = book["Declaração"]
    page["D7"] = "12 t"
    answer = send(browser, "minha.xlsx", saved(book), motivo="conferimos as notas")
    text = answer.content.decode()
    assert "nada foi guardado" in text
    assert "sem unidade" in text
    assert standing(party) == before
    (address, _) = answer.redirect_chain[-1]
    returned = openpyxl.load_workbook(io.BytesIO(browser.get(f"{address}planilha/").content))
    assert "sem unidade" in returned["Declaração"]["D7"].comment.text
    assert "voltou" in browser.get("/empresa/declaracao/", {"ano": YEAR}).content.decode()

    returned["Declaração"]["D7"] = 9_000_000
    answer = send(browser, "minha.xlsx", saved(returned), motivo="conferimos as notas")
    assert "guardada" in answer.content.decode()
    assert any(p.mass == Mass.kg("9000000") for rows in standing(party).values() for p in rows)
    page_of_year = browser.get("/empresa/declaracao/", {"ano": YEAR}).content.decode()
    assert "conferimos as notas" in page_of_year
    assert "voltou" not in page_of_year


def test_a_change_without_its_reason_is_not_taken(mine: tuple[Any, str]) -> None:
    browser, party = mine
    before = standing(party)
    data = b"ano;material;uf;massa_kg\n2025;vidro;MT;1\n"
    assert standing(party), "the sample company declared this year"
    answer = send(browser, "d.csv", data)
    assert answer.status_code == 400
    assert "diga por quê" in answer.content.decode()
    assert standing(party) == before


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("d.ods", b"PK", "Salvar como"),
        ("d.xlsx", bytes.fromhex("d0cf11e0a1b11ae1") + b"0" * 99, "senha"),
        ("d.pdf", b"%PDF", "só se leem"),
    ],
)
def test_what_is_no_sheet_is_refused_on_the_page(
    mine: tuple[Any, str], name: str, data: bytes, words: str
) -> None:
    answer = send(mine[0], name, data, motivo="x")
    assert answer.status_code == 400
    assert words in answer.content.decode()


def test_the_form_says_each_wrong_field_and_keeps_what_was_typed(mine: tuple[Any, str]) -> None:
    browser, party = mine
    before = standing(party)
    typed: dict[str, Any] = {
        "ano": YEAR, "motivo": "faltava o vidro", "material": ["glass", "paper"], "uf": ["MT", "MT"],
        "mass": ["1.355", ""], "returnable": ["", ""],
    }  # fmt: skip
    answer = browser.post("/empresa/declaracao/formulario/", typed)
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "1355" in text
    assert 'value="1.355"' in text
    assert standing(party) == before
    typed["mass"] = ["1.355,90", ""]
    answer = browser.post("/empresa/declaracao/formulario/", typed, follow=True)
    assert "guardada" in answer.content.decode()
    ((held,),) = standing(party).values()
    assert (held.material, held.uf, held.mass) == (Material.GLASS, "MT", Mass.kg("1355.9"))
    again = browser.get("/empresa/declaracao/formulario/", {"ano": YEAR}).content.decode()
    assert 'value="1355,9"' in again
    assert again.count('<option value="paper" selected>') == 1, "what was not declared yet has its line too"


def test_an_empty_form_declares_nothing(mine: tuple[Any, str]) -> None:
    browser, party = mine
    before = standing(party)
    typed = {
        "ano": YEAR,
        "motivo": "x",
        "material": ["glass"],
        "uf": ["MT"],
        "mass": [""],
        "returnable": [""],
    }
    answer = browser.post("/empresa/declaracao/formulario/", typed)
    assert answer.status_code == 400
    assert "ao menos uma linha" in answer.content.decode()
    assert standing(party) == before


def test_a_large_sheet_is_read_by_a_worker(mine: tuple[Any, str], monkeypatch: Any) -> None:
    from lastro.web import jobs
    from lastro.web.readings import declaration

    monkeypatch.setattr(declaration, "AT_ONCE_BYTES", 10)
    browser, party = mine
    answer = send(browser, "d.csv", b"ano;material;uf;massa_kg\n2025;vidro;MT;7\n", motivo="nova conta")
    assert "na fila" in answer.content.decode()
    while jobs.work_on_one():
        pass
    text = browser.get(answer.redirect_chain[-1][0]).content.decode()
    assert "Ver o recibo" in text
    ((held,),) = standing(party).values()
    assert held.mass == Mass.kg("7")


def test_a_declaration_of_another_company_is_not_there(mine: tuple[Any, str], people: dict[str, Any]) -> None:
    answer = send(mine[0], "d.csv", b"ano;material;uf;massa_kg\n2025;vidro;MT;7\n", motivo="nova conta")
    (address, _) = answer.redirect_chain[-1]
    stranger = browser_of(people["other_company"])
    assert stranger.get(address).status_code == 404
    assert stranger.get(f"{address}planilha/").status_code == 404
