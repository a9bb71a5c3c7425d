"""A company in a real browser: a broken sheet, the mended one, the position, a certificate, the fee."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.web.conftest import World
from tests.web.test_access import _issued
from tests.web.test_journeys import address, browser, come_in, crowd, shows

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]

PAGES = (
    *("/empresa/", "/empresa/?ano=2026", "/empresa/declaracao/?ano=2025"),
    *("/empresa/declaracao/formulario/?ano=2025", "/empresa/cadastro/", "/empresa/documentos/"),
    *("/empresa/taxa/", "/empresa/taxa/calcular/", "/empresa/taxa/2027/1/", "/empresa/escolhas/", "returned"),
)


@pytest.fixture(scope="module")
def certificate(crowd: World) -> str:
    """A certificate for the company, made before there is a browser: its loop shuts Django out of here."""
    return _issued(crowd)


def test_a_company_declares_corrects_uses_a_certificate_and_reckons_its_fee(
    certificate: str, crowd: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    page = come_in("company")
    shows(page, "O que fazer agora")
    page.get_by_label("Principal").get_by_role("link", name="Declaração").click()
    with page.expect_download() as kept:
        page.goto("/empresa/declaracao/?ano=2025")
        page.get_by_role("link", name="Baixe o modelo").click()
    model = tmp_path / "declaracao.xlsx"
    kept.value.save_as(model)
    book = openpyxl.load_workbook(model)
    book["Declaração"]["D7"] = "12 t"
    book.save(model)

    _send(page, model)
    shows(page, "A planilha voltou")
    with page.expect_download() as kept:
        page.get_by_role("link", name="Baixar a planilha com as marcas").click()
    returned = tmp_path / kept.value.suggested_filename
    kept.value.save_as(returned)
    book = openpyxl.load_workbook(returned)
    assert "sem unidade" in book["Declaração"]["D7"].comment.text
    book["Declaração"]["D7"] = 9_000_000
    book.save(returned)
    page.get_by_role("link", name="Enviar a corrigida").click()
    _send(page, returned)
    shows(page, "guardada")

    page.get_by_role("link", name="Ver minha posição").click()
    shows(page, "Não cumpro todas as metas")
    _use(page, certificate)
    _fee(page)

    for width in (360, 1280):
        _look(page, width, tmp_path)


def _send(page: Any, sheet: Path) -> None:
    page.get_by_label("Planilha de 2025").set_input_files(sheet)
    page.get_by_label("Por que a declaração muda").fill("a nota de dezembro faltava")
    page.get_by_role("button", name="Enviar a planilha").click()


def _use(page: Any, certificate: str) -> None:
    page.goto(f"/empresa/certificados/{certificate}/")
    page.get_by_role("link", name="Usar este certificado").click()
    page.get_by_label("Código").fill(page.locator("code.big").inner_text())
    page.get_by_role("button", name="Entrar", exact=True).click()
    page.get_by_label("Ano da meta").fill("2026")
    page.get_by_role("button", name="Continuar").click()
    page.get_by_role("button", name="Usar o certificado").click()
    shows(page, "contam na meta de 2026")


def _fee(page: Any) -> None:
    page.get_by_label("Principal").get_by_role("link", name="Taxa").click()
    page.get_by_role("link", name="Calcular um trimestre").click()
    page.get_by_label("Ano", exact=True).fill("2027")
    page.get_by_label("Trimestre").select_option("1")
    page.get_by_label("Receita bruta").fill("9.000.000,00")
    page.get_by_label("Atividade 1").select_option("15")
    page.get_by_label("Começou em").first.fill("2015-03-02")
    page.get_by_role("button", name="Calcular e guardar").click()
    shows(page, "A recolher: R$")
    text = page.inner_text("main")
    assert "Vencimento" in text


def _look(page: Any, width: int, folder: Path) -> None:
    """Every page of the desk at one width: nothing wider than the screen, nothing that shuts anyone out."""
    page.set_viewport_size({"width": width, "height": 800})
    for one in PAGES:
        if one == "returned":
            page.goto("/empresa/declaracao/?ano=2025")
            with page.expect_navigation():
                page.locator("#antes ~ table tbody a").first.click()
        else:
            page.goto(one)
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, (one, width)
        page.screenshot(
            path=folder / f"{one.strip('/').replace('/', '-').replace('?', '-')}-{width}.png", full_page=True
        )
