"""From an invitation to a right that ends: administration, company and accountant, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from lastro.ids import masked
from tests.web.conftest import TODAY, World
from tests.web.test_journeys import address, browser, come_in, crowd, shows

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]

EMAIL, CHOSEN = "sonia@contabilidade.example", "a-senha-que-sonia-quis"


def test_invited_delegated_to_and_revoked(crowd: World, come_in: Callable[..., Any]) -> None:
    admin = come_in("admin")
    admin.get_by_label("Nome").fill("Sônia")
    admin.get_by_label("E-mail").fill(EMAIL)
    admin.get_by_label("Papel").last.select_option("accountant")
    admin.get_by_role("button", name="Convidar").click()
    link = admin.locator(".note code").inner_text()

    accountant = come_in()
    accountant.goto(link)
    shows(accountant, "Contabilidade: age por delegação")
    for field in accountant.locator("input[type=password]").all():
        field.fill(CHOSEN)
    accountant.get_by_role("button", name="Guardar a senha").click()
    accountant.get_by_label("E-mail").fill(EMAIL)
    accountant.get_by_label("Senha").fill(CHOSEN)
    accountant.get_by_role("button", name="Continuar").click()
    accountant.get_by_label("Código").fill(accountant.locator("code.big").inner_text())
    accountant.get_by_role("button", name="Entrar", exact=True).click()
    shows(accountant, "Por nenhum estabelecimento, por enquanto")

    company = come_in("other_company")
    company.get_by_role("link", name="Delegações").click()
    company.get_by_label("E-mail de quem vai agir").fill(EMAIL)
    company.get_by_label("ver a posição, os certificados, os documentos e a taxa da empresa").check()
    company.get_by_label("Até que dia").fill((TODAY + timedelta(days=30)).isoformat())
    company.get_by_role("button", name="Delegar").click()
    shows(company, "Sônia", "main table")
    theirs = company.locator(".who .quiet").first.inner_text()

    accountant.goto("/")
    assert "/empresa/" in accountant.url
    assert theirs in accountant.inner_text("header")
    shows(accountant, "por delegação, até 14/04/2027", "header")
    mine = masked(crowd.member(crowd.entities[0]))
    assert mine not in accountant.content()
    assert accountant.get_by_role("link", name="Chaves").count() == 0
    assert accountant.goto("/prazos/").status == 403

    company.get_by_role("button", name="Revogar a delegação de Sônia").click()
    shows(company, "revogada", "main table")
    assert accountant.goto("/empresa/").status == 403

    admin.get_by_role("link", name="Trilha").click()
    shows(admin, "delegou", "main table")
    table = admin.inner_text("main table")
    assert "aceitou o convite e escolheu a senha" in table
    assert "revogou uma delegação" in table
