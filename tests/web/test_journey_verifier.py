"""A recycler confirms a load and denies another; a verifier works the queue and issues; an agency helps.

Left out where there is no Chromium, as the other journeys are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastro.web.typed import as_typed
from tests.web.conftest import YEAR, World
from tests.web.own_verifier import contested_as, loads_of
from tests.web.test_journeys import address, browser, come_in, crowd, issue_statement, shows  # noqa: F401

pytestmark = pytest.mark.browser


def _find(page: Any, words: str) -> None:
    """Narrow a list to what holds these words, as somebody at the screen would."""
    page.get_by_label("Procurar").fill(words)
    page.get_by_role("button", name="Filtrar").click()


def test_loads_a_near_duplicate_a_sample_and_the_statement(
    crowd: World,  # noqa: F811
    come_in: Callable[..., Any],  # noqa: F811
    tmp_path: Path,
) -> None:
    arrived, never = loads_of(crowd)[:2]
    recycler = come_in("recycler")
    assert "/reciclador/" in recycler.url
    _confirm(recycler, arrived)
    _deny(recycler, never)

    verifier = come_in("verifier")
    assert "/verificador/fila/" in verifier.url
    _give_an_opinion(verifier, never.key)
    key, line, _ = contested_as(crowd, "C03")
    _propose(verifier, key)

    agency = come_in("agency")
    agency.goto(f"/contestados/nota/{key}/")
    agency.get_by_role("link", name=f"Decidir o item {line}", exact=True).click()
    shows(agency, "Romaneios de duas cargas.")
    agency.get_by_role("button", name="Confirmar").click()
    agency.get_by_text("Decidido por duas pessoas").wait_for()
    agency.get_by_role("link", name="Decisões tomadas").click()
    shows(agency, "confirma: decidido")

    statement = _sample_and_issue(verifier, crowd.entities[0], tmp_path / "declaracao.json")
    sections = {one["key"]: one for one in statement["sections"]}
    assert len(sections["tests"]["rows"]) > 60
    assert sections["sample_checks"]["rows"]
    said = {row["cells"]["reason"]["value"] for row in sections["sample_checks"]["rows"]}
    assert "Ticket de balança visto." in said


def _confirm(page: Any, load: Any) -> None:
    _find(page, load.number)
    page.get_by_role("link", name=load.number, exact=True).first.click()
    page.get_by_label("Recebi a carga.").check()
    page.get_by_label("Massa na sua balança").fill(as_typed(load.mass))
    page.get_by_label("Dia em que chegou").fill("2026-12-01")
    page.get_by_role("button", name="Guardar").click()
    page.get_by_text("A entidade que enviou a nota já o vê").wait_for()


def _deny(page: Any, load: Any) -> None:
    _find(page, load.number)
    page.get_by_role("link", name=load.number, exact=True).first.click()
    page.get_by_label("Não recebi esta carga.").check()
    page.get_by_role("button", name="Guardar").click()
    shows(page, "Escreva por que a carga não é sua")
    page.get_by_label("Por quê, se não chegou").fill("O caminhão não passou na balança.")
    page.get_by_role("button", name="Guardar").click()
    page.get_by_text("A entidade que enviou a nota já o vê").wait_for()
    _find(page, load.number)
    shows(page, "negada", "table")


def _give_an_opinion(page: Any, key: str) -> None:
    page.get_by_label("O que espera").select_option("recebimento negado")
    page.get_by_role("button", name="Filtrar").click()
    assert key in page.inner_text("table")
    page.get_by_role("link", name="recebimento negado").click()
    shows(page, "O caminhão não passou na balança.")
    page.get_by_label("A massa não fica comprovada").check()
    page.get_by_label("O que você conferiu").fill("Sem ticket, sem MTR.")
    page.get_by_role("button", name="Guardar o parecer").click()
    page.get_by_text("Parecer guardado").wait_for()


def _propose(page: Any, key: str) -> None:
    page.get_by_label("Código").select_option("C03")
    _find(page, key)
    page.get_by_role("link", name="item contestado").first.click()
    shows(page, "≠", "table.beside")
    page.get_by_role("link", name="Ver a cadeia do item").first.click()
    assert page.locator("div.picture svg rect").count() >= 2
    page.get_by_role("link", name="4", exact=True).click()
    page.get_by_role("link", name="nota em exame").click()
    page.get_by_role("link", name="Decidir o item").first.click()
    page.locator("input[name=winner]").first.check()
    page.get_by_label("Por quê").fill("Romaneios de duas cargas.")
    page.get_by_role("button", name="Propor").click()
    page.get_by_text("Falta outra pessoa confirmar").wait_for()


def _sample_and_issue(page: Any, entity: str, to: Path) -> Any:
    """Draw, look at one item that is right and one that is not, issue the statement and read its data."""
    page.goto("/verificador/")
    page.locator(f'a[href="/verificador/{entity}/{YEAR}/amostra/"]').click()
    page.get_by_label("Semente").fill("loteria 5512")
    page.get_by_role("button", name="Sortear").click()
    page.get_by_text("Plano sorteado").wait_for()
    for answer, reason in (
        ("A massa inteira está comprovada.", "Ticket de balança visto."),
        ("Nada está comprovado.", "O romaneio é de outra carga."),
    ):
        page.get_by_label("Situação").select_option("a conferir")
        page.get_by_role("button", name="Filtrar").click()
        page.locator("tbody th a").first.click()
        page.get_by_label(answer).check()
        page.get_by_label("O que você conferiu").fill(reason)
        page.get_by_role("button", name="Guardar").click()
        page.get_by_text("Conferência guardada").wait_for()
    shows(page, "2 de ", "dl.sums")
    issue_statement(page, entity, year=YEAR)
    with page.expect_download() as kept:
        page.get_by_role("link", name="json").first.click()
    kept.value.save_as(to)
    return json.loads(to.read_text("utf-8"))
