"""What strangers find: points, results, how numbers are made, what is published."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest

from lastro.errors import LastroError
from tests.web.conftest import NORM, TODAY, YEAR, World, browser_of

ELECTRONICS = "br/decreto_10240_2020"

LIST = {
    "states": ["MT"],
    "points": [
        {
            "municipality": "5103403", "kind": "receiving", "since": "2026-01-10",
            "name": "Ecoponto <Centro>",
            "address": "Rua Inventada, 10", "hours": "seg. a sex., 8h às 17h", "materials": ["glass"],
            "latitude": "-15.60", "longitude": "-56.10", "datum": "SIRGAS 2000",
        },
        {"municipality": "5108402", "kind": "receiving", "since": "2026-01-10", "materials": ["electronics"]},
        {"municipality": "5107602", "kind": "receiving", "since": "2024-01-10", "until": "2026-12-31"},
    ],
}  # fmt: skip


def _publish(world: World, entity: int = 0, **changed: Any) -> None:
    from lastro.web.readings import points

    points.file_list(world.entities[entity], NORM, json.dumps(LIST | changed), by="ana")


def test_the_first_page_says_what_a_stranger_can_do_and_is_light(world: World) -> None:
    answer = browser_of().get("/")
    assert answer.status_code == 200
    text = answer.content.decode()
    for address in ("/pontos/", "/conferir/", "/resultados/", "/normas/", "/publicacoes/", "/entrar/"):
        assert f'href="{address}"' in text
    assert len(answer.content) < 20_000


def test_somebody_who_is_in_goes_to_their_own_first_page(world: World, people: dict[str, Any]) -> None:
    assert browser_of(people["company"]).get("/")["Location"] == "/empresa/"


def test_a_stranger_finds_the_points_that_work_today(world: World) -> None:
    _publish(world)
    text = browser_of().get("/pontos/").content.decode()
    assert "Ecoponto &lt;Centro&gt;" in text
    assert "Rua Inventada, 10" in text
    assert text.count('class="receiving"') == 2, "one that closed is not drawn"
    assert "Rondonópolis (MT)" not in text
    only = browser_of().get("/pontos/?uf=MT&material=glass").content.decode()
    assert "Cuiabá (MT)" in only
    assert "Várzea Grande (MT)" not in only
    none = browser_of().get("/pontos/?uf=MT&municipio=5107602").content.decode()
    assert "Nenhum ponto informado em MT" in none
    assert browser_of().get("/pontos/?uf=XX&municipio=1&material=lixo").status_code == 200


def test_the_list_of_points_is_taken_along_as_it_is_filtered(world: World) -> None:
    _publish(world)
    rows = json.loads(browser_of().get("/pontos/?material=glass&baixar=json").content)
    assert [(row["Ponto"], row["Coordenadas (SIRGAS 2000)"]) for row in rows] == [
        ("Ecoponto <Centro>", "-15.6, -56.1")
    ]
    assert "Ecoponto" in browser_of().get("/pontos/?baixar=csv").content.decode("utf-8-sig")


def test_a_list_that_has_to_be_mended_is_not_filed_and_a_new_one_follows_the_old(world: World) -> None:
    from lastro.filings import Kind
    from lastro.stores.postgres.filings import NOBODY, Filings
    from lastro.web import office
    from lastro.web.readings import points

    first = world.entities[0]
    with pytest.raises(LastroError, match="materials"):
        points.file_list(first, NORM, json.dumps({"states": ["MT"], "points": [
            {"municipality": "5103403", "kind": "receiving", "since": "2026-01-10", "materials": ["lixo"]}]}),
            by="ana")  # fmt: skip
    with pytest.raises(LastroError, match="coordenadas"):
        points.file_list(first, "br/minuta_metal_2022", json.dumps({"states": ["MT"], "points": [
            {"municipality": "5103403", "kind": "receiving", "since": "2026-01-10"}]}), by="ana")  # fmt: skip
    assert Filings(office.store(), sees=NOBODY).standing(Kind.POINTS) == []
    points.file_list(first, NORM, json.dumps(LIST), by="ana")
    points.file_list(first, NORM, json.dumps(LIST | {"points": []}), by="ana", after=1)
    assert points.working(TODAY) == []


# ── results ──────────────────────────────────────────────────────────────────────────────────────────


def test_results_are_sums_and_never_one_company(world: World) -> None:
    from lastro.desk import settle_companies
    from lastro.web import office
    from lastro.web.readings import results

    found = results.of_year(NORM, YEAR)
    settled = settle_companies(office.store(), NORM, year=YEAR, company=None, data=world.data, today=TODAY)
    positions = [p for _, mine in settled for p in mine]
    assert found.whole
    for row in found.whole:
        mine = [p for p in positions if p.material == row.line.material]
        owed = {p.company for p in mine if p.obligation_mass and p.obligation_mass.mg}
        told = row.line.owed.mass
        assert (told is None) or (
            len(owed) >= 3 and told.mg == sum(p.obligation_mass.mg for p in mine if p.obligation_mass)
        )
    assert [row for row in found.whole if row.line.owed.mass is not None], "something is published"
    own = {p.obligation_mass.mg for p in positions if p.obligation_mass and p.obligation_mass.mg}
    published = {r["meta_mg"] for r in results.records(found)} | {
        r["comprovado_mg"] for r in results.records(found)
    }
    assert not own & published
    text = browser_of().get(f"/resultados/?norma={NORM}&ano={YEAR}").content.decode()
    assert "Dados abertos" in text
    assert "não se publica" in text


def test_open_data_is_the_same_in_every_form_with_source_and_day(world: World, tmp_path: Any) -> None:
    import duckdb

    address = f"/resultados/dados.{{}}?norma={NORM}&ano={YEAR}"
    rows = json.loads(browser_of().get(address.format("json")).content)
    assert {row["gerado_em"] for row in rows} == {TODAY.isoformat()}
    assert all("Lastro" in row["fonte"] for row in rows)
    sheet = browser_of().get(address.format("csv")).content.decode("utf-8-sig").splitlines()
    assert len(sheet) == len(rows) + 1
    kept = tmp_path / "dados.parquet"
    kept.write_bytes(browser_of().get(address.format("parquet")).content)
    with duckdb.connect() as db:
        told = db.execute(f"select material, meta_mg, comprovado_mg, ano from '{kept}'").fetchall()
    assert told == [(r["material"], r["meta_mg"], r["comprovado_mg"], r["ano"]) for r in rows]
    assert browser_of().get(address.format("exe")).status_code == 404


def test_a_draft_says_that_it_is_a_simulation(world: World) -> None:
    text = browser_of().get("/resultados/?norma=br/minuta_metal_2022&ano=2026").content.decode()
    assert "<strong>Simulação.</strong>" in text
    assert (
        "simula"
        not in browser_of().get(f"/resultados/?norma={NORM}&ano=2026").content.decode().split("<h2>")[1]
    )


# ── how, and what is published ───────────────────────────────────────────────────────────────────────


def test_every_kind_of_number_is_explained_by_an_example_that_is_computed(world: World) -> None:
    from lastro.web.readings import how

    text = browser_of().get("/como-se-calcula/").content.decode()
    for kind in how.KINDS:
        assert f'id="{kind.name}"' in text
        for example in kind.examples:
            assert example.trace.article, example.label
            assert example.label in text
    assert "R$ 77,28" in text, "sixty percent of 128.80"
    assert "art. 31" in browser_of().get("/como-participar/").content.decode()


def _paper(**changed: Any) -> dict[str, Any]:
    return {"que": f"{ELECTRONICS}/manual", "titulo": "Manual <1>", "texto": "Guarde seco.", **changed}


def test_what_is_published_is_read_by_anybody_with_its_versions(world: World, people: dict[str, Any]) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    preparer = browser_of(people["preparer"])
    sent = _paper(arquivos=SimpleUploadedFile("manual.pdf", b"%PDF"))
    assert preparer.post("/publicacoes/nossas/", sent).status_code == 302
    assert preparer.post("/publicacoes/nossas/", _paper(titulo="Manual revisto")).status_code == 302
    text = browser_of().get("/publicacoes/").content.decode()
    assert "Manual revisto" in text
    address = re.findall(r'href="(/publicacoes/\d+/)"', text)[0]
    page = browser_of().get(address).content.decode()
    assert "art. 15" in page
    first = re.findall(r'href="(/publicacoes/\d+/)"', page)[0]
    old = browser_of().get(first).content.decode()
    assert "Manual &lt;1&gt;" in old
    assert "A que vale é a 2" in old
    assert browser_of().get(f"{first}manual.pdf").content == b"%PDF"
    number = address.strip("/").split("/")[1]
    away = {"retirar": number, "porque": "Saiu outro."}
    assert browser_of(people["other_preparer"]).post("/publicacoes/nossas/", away).status_code == 400
    assert preparer.post("/publicacoes/nossas/", away).status_code == 302
    assert "Nada publicado ainda" in browser_of().get("/publicacoes/").content.decode()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"que": f"{ELECTRONICS}/criteria"}, "Escolha o que se publica"),  # the group's, not an entity's
        ({"titulo": " "}, "título"),
        ({"texto": " "}, "texto"),
        ({"ano": "26"}, "quatro algarismos"),
    ],
)
def test_what_is_not_whole_is_not_published(
    world: World, people: dict[str, Any], changed: dict[str, str], said: str
) -> None:
    answer = browser_of(people["preparer"]).post("/publicacoes/nossas/", _paper(**changed))
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert "Nada publicado ainda" in browser_of().get("/publicacoes/").content.decode()


def test_what_a_party_keeps_to_itself_has_no_public_page(world: World) -> None:
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    first = world.entities[0]
    mine = Filings(office.store(), sees=first)
    kept = mine.add(
        Subject(Kind.DOCUMENT, first, name="plano"),
        {"title": "Nosso"},
        by="ana",
        on=TODAY,
        files=[("x", b"x")],
    )
    asked = mine.add(Subject(Kind.ACT, first, name="a"), {}, by="ana", on=TODAY, public=True)
    for number in (kept.id, asked.id):
        assert browser_of().get(f"/publicacoes/{number}/").status_code == 404
    assert browser_of().get(f"/publicacoes/{kept.id}/x").status_code == 404
    assert "Nosso" not in browser_of().get("/publicacoes/").content.decode()


def test_a_workbook_of_points_opens(world: World) -> None:
    import openpyxl

    _publish(world)
    body = browser_of().get("/pontos/?baixar=xlsx").content
    sheet = openpyxl.load_workbook(io.BytesIO(body)).active
    assert sheet is not None
    assert [cell.value for cell in sheet[1]][:2] == ["Ponto", "Município"]
