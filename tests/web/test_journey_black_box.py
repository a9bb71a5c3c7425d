"""A company seals in a real browser; the verifier alone opens; the entity reads sums; nobody else a mass."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastro.blackbox.seal import ROW_BYTES, Row
from lastro.blackbox.totals import ALL, Sealed, open_all, sign, statement, sums, uncounted
from lastro.ids import company_of
from lastro.units import Mass
from tests.web.conftest import YEAR, World
from tests.web.own_verifier import SECRET, publish_key
from tests.web.test_journeys import address, browser, come_in, crowd, shows

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]


@pytest.fixture(scope="module")
def verifier(crowd: World) -> str:
    """The verifier with its key published, before there is a browser: its loop shuts Django out of here."""
    who = crowd.verifier(crowd.entities[0])
    publish_key(who)
    return who


def test_what_is_sealed_in_the_browser_never_reaches_the_server_open(
    verifier: str, crowd: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    page, sent = come_in("company"), []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    page.goto(f"/empresa/lacrar/?ano={YEAR}")
    page.get_by_role("button", name="Lacrar no meu navegador").click()
    page.get_by_text("Nada foi lacrado").wait_for()
    for n, (material, mass, returnable) in enumerate(
        (("glass", "987654,321", "12345,6"), ("paper", "5", "")), 1
    ):
        page.get_by_label(f"Material, linha {n}").select_option(material)
        page.get_by_label(f"UF, linha {n}").select_option("MT")
        page.get_by_label(f"Massa em quilogramas, linha {n}").fill(mass)
        page.get_by_label(f"Retornável em quilogramas, linha {n}").fill(returnable)
    page.get_by_role("button", name="Lacrar no meu navegador").click()
    with page.expect_download() as kept:
        page.get_by_role("link", name="Guardar as minhas linhas").click()
    kept.value.save_as(tmp_path / "guardada.json")
    page.get_by_role("button", name="Enviar a declaração lacrada").click()
    shows(page, "O que já lacrei")

    posted = [one for one in sent if "lacrada=" in one]
    assert len(posted) == 1
    for one in sent:
        assert not [word for word in ("987654", "glass", "paper", "mass_mg") if word in one]

    mine = _fetched(come_in("verifier"), tmp_path / "lacrada.json", crowd.member(crowd.entities[0]))
    rows = open_all([mine], SECRET, verifier=verifier)
    told = [(r.placement.material.value, r.placement.mass, r.placement.returnable) for r in rows]
    assert told == [
        ("glass", Mass(987_654_321_000), Mass(12_345_600_000)),
        ("paper", Mass(5_000_000), Mass(0)),
    ]
    texts = json.loads((tmp_path / "guardada.json").read_text())
    open_rows = [Row.of_plain(text.encode().ljust(ROW_BYTES)) for text in texts]
    said = statement(rows, sums(rows, group_of=lambda _: ALL), verifier=verifier, year=YEAR, missing=[])
    assert [_known(one) for one in open_rows] == [_known(one) for one in rows]
    _hand_totals(come_in("verifier"), tmp_path / "totais.json", sign(said, SECRET), crowd.entities[0])
    preparer = come_in("preparer")
    preparer.goto("/entidade/caixa-preta/")
    shows(preparer, "não se diz (T12)")
    assert "987" not in preparer.locator("main").inner_text()
    assert uncounted(rows, said) == []


def _known(row: Row) -> tuple[Any, ...]:
    return row.company, row.placement, row.salt


def _fetched(page: Any, at: Path, party: str) -> Sealed:
    page.goto("/verificador/caixa-preta/")
    shows(page, "O que as empresas lacraram")
    with page.expect_download() as boxes:
        page.locator("main td a[href^='/verificador/caixa-preta/']").first.click()
    boxes.value.save_as(at)
    found = Sealed.of_json(json.loads(at.read_text()))
    assert found.company == company_of(party)
    return found


def _hand_totals(page: Any, at: Path, told: Any, entity: str) -> None:
    at.write_text(json.dumps(told))
    page.goto("/verificador/caixa-preta/")
    page.get_by_label("Entidade").select_option(entity)
    page.get_by_label("Totais assinados").set_input_files(at)
    page.get_by_role("button", name="Entregar os totais").click()
    shows(page, "Totais entregues", "body")
