"""A managing entity's year in a real browser: members, notes, a cure, a pool, a certificate, the report."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import World
from tests.web.test_entity_desk import cnpj, sheet_of
from tests.web.test_journeys import _zip, address, browser, come_in, crowd, issue_statement, shows

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]

_DROP = """(body) => {
    const bytes = Uint8Array.from(atob(body), (c) => c.charCodeAt(0));
    const moved = new DataTransfer();
    moved.items.add(new File([bytes], "notas.zip", {type: "application/zip"}));
    return moved;
}"""


def test_from_members_to_the_submitted_report(
    crowd: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    from lastro.web.readings import operators
    from tests.web.test_entity_desk import whom

    sheet = tmp_path / "aderentes.xlsx"
    joined = {"from": "2027-02-01"}  # with the year before it has nothing to do, and declared nothing of it
    sheet.write_bytes(sheet_of(crowd, **joined))
    page = come_in("preparer")
    page.get_by_role("link", name="Aderentes", exact=True).click()
    page.get_by_role("link", name="Carregar planilha").click()
    page.get_by_label("Arquivo").set_input_files(sheet)
    page.get_by_role("button", name="Carregar").click()
    page.get_by_text("Linhas novas: 2").wait_for()
    page.get_by_role("link", name="Mudanças por atualizar").click()
    shows(page, "NOVA ADERENTE LTDA")
    assert cnpj("NOVA")[:2] == "ZZ"

    page.get_by_role("link", name="Envios", exact=True).click()
    page.get_by_role("link", name="Enviar notas").click()
    body = base64.b64encode(_zip(crowd, crowd.entities[0], tmp_path / "notas.zip").read_bytes()).decode()
    page.dispatch_event("[data-drop]", "drop", {"dataTransfer": page.evaluate_handle(_DROP, body)})
    page.get_by_role("button", name="Enviar").click()
    page.get_by_role("link", name="Ver os documentos deste envio").wait_for()

    page.get_by_role("link", name="Achados").click()
    page.get_by_role("link", name="Por operador").click()
    shows(page, "P03")
    waiting = next(o for o in operators.operators(whom(crowd)) if o.lost and o.valid_to is None)
    page.get_by_role("link", name="Operadores", exact=True).click()
    page.get_by_role("link", name="Homologar um operador").click()
    page.get_by_label("CNPJ do operador").fill(waiting.cnpj)
    page.get_by_label("Homologado desde").fill("2026-01-01")
    for box in page.get_by_label("em ordem").all():
        box.check()
    page.get_by_role("button", name="Guardar a homologação").click()
    page.get_by_text("Homologação guardada").wait_for()

    page.get_by_role("link", name="Lotes").click()
    page.get_by_role("link", name="Por material, UF e ano").click()
    shows(page, "Vidro")
    page.get_by_role("link", name="Certificados", exact=True).click()
    page.get_by_role("link", name="Preparar certificado").click()
    page.get_by_label("Estabelecimento que compra").select_option(crowd.member(crowd.entities[0]))
    page.get_by_label("Material").select_option("glass")
    page.get_by_label("Massa em quilogramas").fill("10,5")
    page.get_by_label("Investimento realizado").fill("20,00")
    page.get_by_role("button", name="Preparar").click()
    page.get_by_text("Falta outra pessoa autorizar").wait_for()

    authoriser = come_in("authoriser")
    authoriser.goto(page.url)
    authoriser.get_by_role("button", name="Autorizar e emitir").click()
    authoriser.get_by_role("link", name="Baixar o PDF assinado").wait_for()

    verifier = come_in("verifier")
    issue_statement(verifier, crowd.entities[0])  # the preview must already have it

    page.get_by_role("link", name="Relatório anual").click()
    page.get_by_role("button", name="Fazer a prévia").click()
    page.get_by_text("Prévia feita").wait_for()
    authoriser.get_by_role("link", name="Relatório anual").click()
    authoriser.wait_for_url("**/entidade/relatorio/**")
    authoriser.get_by_role("button", name="Entregar a prévia").click()
    authoriser.get_by_text("Entregue: versão 1").wait_for()
