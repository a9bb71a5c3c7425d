"""A stranger reads on in English, where they were, with the keyboard alone and without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.test_journeys import address, browser, come_in, crowd

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]


def test_one_reads_on_in_english_by_keyboard_and_without_scripts(come_in: Callable[..., Any]) -> None:
    page = come_in(java_script_enabled=False)
    page.goto("/resultados/?ano=2026")
    page.get_by_role("button", name="English").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="Results").wait_for()
    assert page.url.endswith("/resultados/?ano=2026")
    page.get_by_role("contentinfo").get_by_role("link", name="Norms").click()
    page.get_by_role("heading", level=1, name="Norms").wait_for()
    assert page.locator("html").get_attribute("lang") == "en"
    assert "1.234,5 kg is one thousand" in page.inner_text("footer")
    page.get_by_role("button", name="Português").click()
    page.get_by_role("heading", level=1, name="Normas").wait_for()
    assert page.locator("html").get_attribute("lang") == "pt-BR"
