"""The whole year of the RAR in one walk, each person in turn: operator, entity, verifier, company, agency.

Nobody acts before the page says that the one before is done.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import World
from tests.web.own_verifier import contested_sales
from tests.web.test_journey_company import _use as use_certificate
from tests.web.test_journeys import address, browser, come_in, crowd, issue_statement, shows
from tests.web.test_operator import _xml as notes_of

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]


def test_from_an_operators_notes_to_the_agencys_answer(
    crowd: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    entity = crowd.entities[0]
    buyer = crowd.member(entity)
    contest = min((key, line) for key, line, whose, _ in contested_sales(crowd) if whose == entity)
    preparer, verifier, agency = come_in("preparer"), come_in("verifier"), come_in("agency")

    notes = _zip(crowd, crowd.operators(entity)[0], tmp_path / "vendas.zip")
    _send(come_in("operator"), entity, notes)
    _receive(preparer)
    _decide(verifier, agency, *contest, entity)
    _declare_lots(verifier, entity)

    preparer.get_by_role("link", name="Lotes").click()
    preparer.get_by_role("link", name="Por material, UF e ano").click()
    shows(preparer, "Vidro", "main table")
    prepared = _prepare(preparer, buyer)
    number = _authorise(authoriser := come_in("authoriser"), prepared)

    company = come_in("company")
    use_certificate(company, prepared.rstrip("/").rpartition("/")[2])
    company.get_by_text("contam na meta de 2026").wait_for()
    company.goto("/empresa/?ano=2026")
    assert number in company.inner_text("main")
    assert "Por quê: de onde vem cada número" in company.inner_text("main")

    issue_statement(verifier, entity)
    _report(preparer, authoriser)
    _check(agency, buyer)


def _zip(world: World, operator: str, to: Path) -> Path:
    with zipfile.ZipFile(to, "w") as archive:
        for path in notes_of(world, operator)[:3]:
            archive.write(path, path.name)
    return to


def _send(page: Any, entity: str, notes: Path) -> None:
    page.get_by_role("main").get_by_role("link", name="Enviar notas").click()
    page.get_by_label("Entidade que recebe").select_option(entity)
    page.get_by_label("Arquivos das notas").set_input_files(notes)
    page.get_by_role("button", name="Enviar").click()
    page.get_by_role("heading", name="O que se vê em cada nota").wait_for()


def _receive(page: Any) -> None:
    page.get_by_role("link", name="Recebidos", exact=True).click()
    page.get_by_role("link", name="vendas.zip").click()
    page.get_by_role("button", name="Receber").click()
    page.get_by_text("Ver os documentos deste envio").wait_for()


def _declare_lots(page: Any, entity: str) -> None:
    """The verifier declares what the decision let count; nothing else waited."""
    page.goto("/verificador/")
    page.locator(f'a[href="/verificador/{entity}/2026/"]').click()
    page.get_by_label("Verifiquei as notas destes lotes").check()
    page.get_by_role("button", name="Declarar", exact=True).click()
    page.get_by_text("Declarado").first.wait_for()


def _decide(verifier: Any, agency: Any, key: str, line: int, entity: str) -> None:
    """Two people of two offices end a contest: the line is the entity's."""
    verifier.goto(f"/contestados/nota/{key}/")
    verifier.get_by_role("link", name=f"Decidir o item {line}", exact=True).click()
    verifier.locator(f'input[name=winner][value="{entity}"]').first.check()
    verifier.get_by_label("Por quê").fill("Romaneios de duas cargas.")
    verifier.get_by_role("button", name="Propor").click()
    verifier.get_by_text("Falta outra pessoa confirmar").wait_for()
    agency.goto(f"/contestados/nota/{key}/")
    agency.get_by_role("link", name=f"Decidir o item {line}", exact=True).click()
    shows(agency, "Romaneios de duas cargas.")
    agency.get_by_role("button", name="Confirmar").click()
    agency.get_by_text("Decidido por duas pessoas").wait_for()


def _prepare(page: Any, buyer: str) -> str:
    """The address of a certificate that waits for another person."""
    page.get_by_role("link", name="Certificados", exact=True).click()
    page.get_by_role("link", name="Preparar certificado").click()
    page.get_by_label("Estabelecimento que compra").select_option(buyer)
    page.get_by_label("Material").select_option("glass")
    page.get_by_label("Massa em quilogramas").fill("12,5")
    page.get_by_label("Investimento realizado").fill("25,00")
    page.get_by_role("button", name="Preparar").click()
    page.get_by_text("Falta outra pessoa autorizar").wait_for()
    return str(page.url)


def _authorise(page: Any, certificate: str) -> str:
    """The number of the signed certificate."""
    page.goto(certificate)
    page.get_by_role("button", name="Autorizar e emitir").click()
    page.get_by_role("link", name="Baixar o PDF assinado").wait_for()
    return str(page.locator("h1").inner_text().split()[0])


def _report(preparer: Any, authoriser: Any) -> None:
    preparer.get_by_role("link", name="Relatório anual").click()
    preparer.get_by_role("button", name="Fazer a prévia").click()
    preparer.get_by_text("Prévia feita").wait_for()
    authoriser.get_by_role("link", name="Relatório anual").click()
    authoriser.get_by_role("button", name="Entregar a prévia").click()
    authoriser.get_by_text("Entregue: versão 1").wait_for()


def _check(page: Any, cnpj: str) -> None:
    """The agency asks of the buyer: in order, duty by duty with its article; what is open is told."""
    page.get_by_role("link", name="Está em dia?").click()
    page.get_by_label("CNPJ do estabelecimento").fill(cnpj)
    page.get_by_role("button", name="Consultar").click()
    page.get_by_role("heading", name="Em dia.", exact=True).wait_for()
    shows(page, "Declaração anual de embalagens de 2025 em dia")
    shows(page, "O ano ainda se prova até 30/07/2027; não conta na resposta.")
    shows(page, "Decreto MT 1.455/2025, art. 14, I e II, b")
