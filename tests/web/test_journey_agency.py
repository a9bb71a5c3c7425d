"""The offices in a browser: a CNPJ checked and notified, a quarter of the fee, a quarter of the Bolsa."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import World
from tests.web.test_committee import SEATS, file_registration
from tests.web.test_journeys import address, browser, come_in, crowd, shows

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]


def _other_company(world: World) -> str:
    """The establishment that `other_company` acts for: of a company too large to declare alone."""
    mine = world.member(world.entities[0])
    return world.establishment(next(c for c in world.companies if c != mine[:8]))


def test_the_agency_checks_a_cnpj_and_notifies_and_the_company_answers(
    crowd: World, come_in: Callable[..., Any]
) -> None:
    page = come_in("agency")
    page.get_by_role("link", name="Está em dia?").click()
    page.get_by_label("CNPJ do estabelecimento").fill(_other_company(crowd))
    page.get_by_role("button", name="Consultar").click()
    page.get_by_role("heading", name="Não está em dia.").wait_for()
    page.get_by_role("link", name="Notificar", exact=True).click()
    page.get_by_label("Relatório Anual de Resultados de 2025").check()
    page.get_by_label("O que se pede").fill("Entregue o relatório de 2025.")
    page.get_by_label("Responder até").fill("2027-04-20")
    page.get_by_role("button", name="Enviar a notificação").click()
    page.locator(".pill", has_text="enviada, ainda não aberta").wait_for()

    theirs = come_in("other_company", viewport={"width": 360, "height": 740})
    theirs.goto("/notificacoes/")
    theirs.get_by_role("link", name="2027-0001").click()
    shows(theirs, "obrigação de relevante interesse ambiental")
    assert theirs.evaluate("document.documentElement.scrollWidth") <= 360
    theirs.get_by_label("Resposta").fill("O relatório segue em abril.")
    theirs.get_by_role("button", name="Enviar a resposta").click()
    theirs.get_by_text("Resposta enviada").wait_for()

    page.get_by_role("link", name="2027-0001").click()
    shows(page, "O relatório segue em abril.")
    page.get_by_label("Como a notificação terminou").fill("Entregue e conferido.")
    page.get_by_role("button", name="Encerrar a notificação").click()
    page.get_by_text("Notificação encerrada.").wait_for()


def test_a_quarter_of_the_fee_is_charged_paid_and_in_order(
    crowd: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    cnpj = crowd.member(crowd.entities[0])
    page = come_in("fee_staff")
    page.get_by_role("link", name="Cadastro e taxa").click()
    page.get_by_role("link", name="Inscrever").click()
    page.get_by_label("CNPJ ou CPF").fill(cnpj)
    page.get_by_label("Nome").fill("Fábrica de ensaio")
    page.get_by_label("Município (código").fill("5103403")
    page.get_by_label("Dia da inscrição").fill("2027-01-20")
    page.get_by_label("Código do Anexo Único").first.select_option("15")
    page.get_by_label("Começou em").first.fill("2026-10-02")
    page.get_by_role("button", name="Guardar a inscrição").click()
    page.get_by_role("heading", name="Fábrica de ensaio").wait_for()

    facts = tmp_path / "fatos.json"
    facts.write_text(json.dumps({"selic": [{"month": "2027-02", "rate": "0.83%"}]}), "utf-8")
    page.get_by_label("Ano", exact=True).fill("2026")
    page.get_by_label("Trimestre", exact=True).select_option("4")
    page.get_by_label("Receita da empresa inteira").fill("9.000.000,00")
    page.get_by_text("Taxa municipal a compensar").click()
    page.get_by_label("Outros fatos").set_input_files(facts)
    page.get_by_role("button", name="Lançar").click()
    page.get_by_text("vencida").first.wait_for()
    page.get_by_label("Pagar até").fill("2027-03-15")
    page.get_by_role("button", name="Emitir").click()
    paper = page.locator("section.card", has_text="emitido")
    amount = paper.inner_text().split("R$ ")[1].split(",")
    value = f"{amount[0]},{amount[1][:2]}"

    theirs = come_in("company")
    theirs.goto("/empresa/taxa/")
    shows(theirs, "4º de 2026")

    paper.get_by_label("Pago em").fill("2027-03-15")
    paper.get_by_label("Valor (R$)").fill(value)
    paper.get_by_role("button", name="Registrar o pagamento").click()
    page.locator(".pill.big.good").wait_for()
    page.goto(f"/orgao/?cnpj={cnpj}")
    told = page.locator("section.card", has_text="Lei MT 11.096/2020").first.inner_text()
    assert "Todos pagos ou sem valor." in told


def test_a_quarter_of_the_bolsa_goes_from_analysis_to_the_payment_list(
    crowd: World, come_in: Callable[..., Any]
) -> None:
    cnpj = crowd.operators(crowd.entities[0])[0]
    file_registration(cnpj)
    page = come_in("cmrr")
    page.get_by_role("link", name="Organizações").click()
    page.get_by_role("link", name="Cooperativa Inventada").click()
    page.get_by_label("Razão", exact=True).fill("Documentos recebidos.")
    page.get_by_role("button", name="Dar o passo").click()
    page.get_by_text("Passo dado.").wait_for()
    for month in ("2026-10", "2026-11", "2026-12"):
        page.get_by_label("Mês", exact=True).fill(month)
        page.get_by_label("Massa medida (kg)").fill("380,5")
        page.get_by_label("Como se mediu").fill("Visita")
        page.get_by_role("button", name="Guardar a medição").click()
        page.get_by_text("Medição guardada.").wait_for()
    page.get_by_label("Razão", exact=True).fill("Completo.")
    page.get_by_role("button", name="Dar o passo").click()
    page.get_by_text("analisado: espera o Comitê").wait_for()

    page = come_in("committee")
    _seats_and_meeting(page)
    _vote(page, "Validar a cooperativa")
    page.get_by_role("link", name="Organizações").click()
    page.get_by_role("link", name="Cooperativa Inventada").click()
    page.get_by_label("Validar o cadastro").check()
    page.get_by_label("Razão", exact=True).fill("Em ordem.")
    page.get_by_label("Reconhecida como organização").check()
    page.get_by_label("Votação em que se apoia").select_option("2027-0001/1")
    page.get_by_role("button", name="Decidir").click()
    page.get_by_text("validado").first.wait_for()

    _vote(page, "Coeficientes")
    page.get_by_role("link", name="Atos").click()
    page.get_by_label("Número").fill("1/2026")
    page.get_by_label("Dia", exact=True).fill("2026-03-02")
    page.get_by_label("Coeficientes k").check()
    page.get_by_label("Coeficientes, um por linha").fill("plastic; 2,5")
    page.get_by_label("Votação em que se apoia").select_option("2027-0001/2")
    page.get_by_role("button", name="Registrar o ato").click()
    page.get_by_role("heading", name="Ato 1/2026").wait_for()

    _vote(page, "Abrir o trimestre")
    page.get_by_role("link", name="Trimestres").click()
    page.get_by_label("Ano", exact=True).fill("2026")
    page.get_by_label("Trimestre", exact=True).select_option("4")
    page.get_by_label("Previsto no ano").fill("200.000,00")
    page.get_by_label("Orçamento do trimestre").fill("50.000,00")
    page.get_by_label("Votação em que se apoia").select_option("2027-0001/3")
    page.get_by_role("button", name="Abrir").click()
    page.get_by_text("Trimestre aberto.").wait_for()

    _vote(page, "Conceder")
    page.get_by_role("link", name="Trimestres").click()
    page.get_by_role("link", name="4º trimestre de 2026").click()
    page.get_by_label("Votação em que se apoia").select_option("2027-0001/4")
    page.get_by_role("button", name="Conceder o trimestre").click()
    page.get_by_role("heading", name="Lista de pagamento").wait_for()
    row = page.locator("tbody tr").inner_text()
    assert "Cooperativa Inventada" in row
    assert "50.000,00" in row
    assert "45.000,00" in row


def _seats_and_meeting(page: Any) -> None:
    page.get_by_role("link", name="Assentos").click()
    for seat in SEATS:
        page.get_by_label("Assento", exact=True).select_option(seat)
        page.get_by_label("Titular").fill(f"Titular {seat}")
        page.get_by_label("Suplente").fill(f"Suplente {seat}")
        page.get_by_label("Ofício da indicação").fill("Ofício 1/2027")
        page.get_by_role("button", name="Guardar").click()
        page.get_by_text("Assento preenchido.").wait_for()
    page.get_by_role("link", name="Reuniões").click()
    page.get_by_label("Dia", exact=True).fill("2027-03-01")
    for seat in SEATS:
        page.locator(f'input[name="presente"][value="{seat}"]').check()
    page.get_by_label("Pauta").fill("O quarto trimestre.")
    page.get_by_role("button", name="Registrar").click()
    page.get_by_text("com quórum").first.wait_for()


def _vote(page: Any, matter: str) -> None:
    page.get_by_role("link", name="Reuniões").first.click()
    page.get_by_role("link", name="2027-0001").click()
    page.get_by_label("Matéria").fill(matter)
    for seat in SEATS:
        page.locator(f'input[name="voto-{seat}"][value="sim"]').check()
    page.get_by_role("button", name="Registrar a votação").click()
    page.get_by_text("Votação registrada.").wait_for()
