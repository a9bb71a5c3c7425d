"""A passkey made and used in a real browser, with a device that the browser plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PASSWORD, World
from tests.web.test_journeys import address, browser, come_in, crowd, shows

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]


def test_from_the_code_of_a_phone_to_a_passkey(
    crowd: World, come_in: Callable[..., Any], address: str
) -> None:
    page = come_in("second_agency")
    named = address.replace("127.0.0.1", "localhost")  # browsers keep passkeys for names, not for numbers
    cookies = page.context.cookies()
    page.context.add_cookies([{**one, "domain": "localhost"} for one in cookies])
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2", "transport": "internal", "hasUserVerification": True,
                "isUserVerified": True, "automaticPresenceSimulation": True, "hasResidentKey": True,
            }
        },
    )  # fmt: skip
    page.goto(f"{named}/conta/chaves-de-acesso/")
    page.get_by_label("Nome do aparelho").fill("telefone da mesa")
    page.get_by_role("button", name="Cadastrar").click()
    page.get_by_text("Chave de acesso guardada").wait_for()
    shows(page, "telefone da mesa", "main table")

    page.get_by_role("button", name="Sair").click()
    page.get_by_label("E-mail").fill("second_agency@exemplo.org")

    page.get_by_label("Senha").fill(PASSWORD)
    page.get_by_role("button", name="Continuar").click()
    page.get_by_role("button", name="Entrar com a chave de acesso").click()
    page.get_by_role("button", name="Sair").wait_for()
    assert "/entrar/" not in page.url
