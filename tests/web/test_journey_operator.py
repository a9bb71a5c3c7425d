"""An operator and a cooperative on a phone, from the log-in to the finished job."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro.filings import Kind, Subject
from lastro.incentives import filed as room
from lastro.incentives import granting
from tests.incentives.filing import NORM, Draft
from tests.web.conftest import TODAY, World
from tests.web.test_bolsa import _file as file_drafts
from tests.web.test_journeys import address, browser, come_in, crowd, shows  # noqa: F401 (fixtures)
from tests.web.test_operator import _notes as notes_of
from tests.web.test_operator import _xml as notes_in_files

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
PHOTO = b"\xff\xd8\xff\xe0 tiquete"


def test_an_operator_sends_a_zip_sees_what_does_not_count_and_sends_the_paper(
    crowd: World,  # noqa: F811
    come_in: Callable[..., Any],  # noqa: F811
    tmp_path: Path,
) -> None:
    entity = crowd.entities[0]
    operator = crowd.operators(entity)[0]
    refused = next(n for n in notes_of(crowd) if n.said and n.outcome.value == "refused")
    first, *others = notes_in_files(crowd, operator)[:3]
    with zipfile.ZipFile(tmp_path / "vendas.zip", "w") as archive:
        for file in others:
            archive.write(file, file.name)
        changed = re.sub(rb"(</(?:nfe:)?xProd>)", rb" LIMPO\1", first.read_bytes(), count=1)  # after signing
        assert changed != first.read_bytes()
        archive.writestr(first.name, changed)

    phone = come_in("operator", viewport=PHONE)
    shows(phone, "contam em")
    phone.get_by_role("main").get_by_role("link", name="Enviar notas").click()
    phone.get_by_label("Entidade que recebe").select_option(entity)
    phone.get_by_label("Arquivos das notas").set_input_files(tmp_path / "vendas.zip")
    phone.get_by_role("button", name="Enviar").click()
    phone.get_by_role("heading", name="O que se vê em cada nota").wait_for()
    text = phone.inner_text("main")
    assert "Espera a entidade" in text
    assert "não vai contar assim" in text
    assert "S02" in text
    assert "O que fazer:" in text
    parcel = phone.url

    taker = come_in("preparer")
    taker.get_by_role("link", name="Recebidos", exact=True).click()
    taker.get_by_role("link", name="vendas.zip").click()
    taker.get_by_role("button", name="Receber").click()
    taker.get_by_text("Ver os documentos deste envio").wait_for()
    phone.goto(parcel)
    shows(phone, "A entidade recebeu")

    phone.goto(f"/operador/notas/{refused.key}/")
    shows(phone, "Não conta.")
    assert refused.said[0].message in phone.inner_text("main")
    phone.get_by_role("link", name="Enviar um papel desta nota").click()
    photo = {"name": "tiquete.jpg", "mimeType": "image/jpeg", "buffer": PHOTO}
    phone.get_by_label("Arquivo ou foto do papel").set_input_files(photo)
    phone.get_by_role("button", name="Enviar").click()
    shows(phone, "Uma pessoa da entidade olha o papel")

    phone.goto("/operador/papeis/")
    phone.get_by_role("link", name="Alvará de funcionamento").first.click()
    phone.get_by_label("Arquivo ou foto do papel").set_input_files(photo)
    phone.get_by_label("Vale até").fill("2028-01-31")
    phone.get_by_role("button", name="Enviar papel").click()
    shows(phone, "vale até 31/01/2028")


def _committee(*said: tuple[Kind, str, str, dict[str, Any]]) -> None:
    """The committee's filings of a day: kind, period, name, body."""
    for kind, period, name, body in said:
        addressee = name if kind in (Kind.STEP, Kind.GRANT) else ""
        subject = Subject(kind, room.COMMITTEE, NORM, period, name)
        file_drafts(Draft(subject, body, TODAY, addressee, not addressee))


def test_a_cooperative_registers_fills_three_months_is_paid_and_hands_in_the_list(
    crowd: World,  # noqa: F811
    come_in: Callable[..., Any],  # noqa: F811
) -> None:
    cooperative = crowd.operators(crowd.entities[0])[0]
    rows = [{"material": "glass", "k": "2.0"}, {"material": "paper", "k": "1.0"}]
    money = {"annual_brl": "4000.00", "budget_brl": "1000.00", "closed": [], "step": "open"}
    act = {"act": "1/2026", "decided_on": "2026-02-01", "about": "coefficients", "coefficients": rows}
    _committee((Kind.ACT, "2026", "1/2026", act), (Kind.QUARTER, "2027-T1", "", money))

    phone = come_in("operator", viewport=PHONE)
    phone.get_by_role("main").get_by_role("link", name="Bolsa Reciclagem").click()
    phone.get_by_role("link", name="Fazer o cadastro").click()
    phone.get_by_label("O que ela é").select_option("cooperative")
    phone.get_by_label("Constituída em").fill("2015-03-10")
    counts = phone.locator('form.phone input[inputmode="numeric"]')
    for number, value in enumerate(("30", "30", "30", "12", "12")):
        counts.nth(number).fill(value)
    phone.get_by_role("button", name="Entregar o cadastro").click()
    shows(phone, "entregue, espera análise")
    _committee((Kind.STEP, "", cooperative, {"to": "validated", "recognised": True, "reason": "aprovado"}))

    phone.get_by_role("link", name="1º trimestre de 2027").click()
    phone.get_by_role("link", name="Preencher os três meses").click()
    for month in ("2027-01", "2027-02", "2027-03"):
        phone.locator(f'[id="{month}.glass"]').fill("1.000,5")
    phone.get_by_role("button", name="Guardar").click()
    phone.get_by_role("link", name="Entregar um comprovante").wait_for()
    assert phone.inner_text("main").count("1.000,5 kg") == 3

    phone.get_by_role("link", name="Entregar um comprovante").click()
    phone.get_by_label("Material").select_option("glass")
    phone.get_by_label("Quanto, em kg").fill("3000")
    phone.get_by_label("Por quanto, em reais").fill("450,00")
    phone.get_by_label("Vendido em").fill("2027-02-10")
    phone.get_by_label("Número do papel").fill("77")
    phone.get_by_label("Arquivo ou foto do papel").set_input_files(
        {"name": "nota.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4"}
    )
    phone.get_by_role("button", name="Entregar").click()
    shows(phone, "Previsão: R$ 1.000,00")  # alone in the quarter, it gets all of it
    text = phone.inner_text("main")
    assert "no mínimo R$ 900,00" in text
    _grant(cooperative)

    phone.reload()
    shows(phone, "Concedido: R$ 1.000,00")
    phone.get_by_role("link", name="Entregar a relação").click()
    phone.get_by_label("Chegou em").fill("2027-03-15")
    phone.get_by_label("Nome; valor em reais").fill("Maria Inventada; 500,00\nJosé Inventado; 400,00")
    phone.get_by_role("button", name="Entregar a relação").click()
    shows(phone, "R$ 900,00 a 2 pessoas")
    text = phone.inner_text("main")
    assert "B03" not in text

    stranger = come_in(viewport=PHONE)
    stranger.goto("/bolsa-reciclagem/2027/1/")
    shows(stranger, "R$ 1.000,00")
    assert "Inventad" not in stranger.content()


def _grant(cooperative: str) -> None:
    """The committee grants the quarter as it stands."""
    from lastro import incentives
    from lastro.lawkit import library
    from lastro.web.readings import bolsa

    facts = room.document(bolsa.everything(), year=2027, number=1)
    quarter, norm = incentives.parse(json.dumps(facts)), library.find(NORM)
    answer = incentives.answer(norm, quarter, incentives.granted(norm, quarter)[0])
    mine = dict(granting.each(answer, granted_on=date(2027, 3, 15)))[cooperative]
    sums = granting.published(answer, granted_on=date(2027, 3, 15))
    _committee((Kind.GRANT, "2027-T1", cooperative, mine), (Kind.GRANT, "2027-T1", "", sums))
