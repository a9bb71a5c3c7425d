"""A stranger finds a point and takes results along; the group sums up; the ministry asks and is answered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastro.ids import masked
from tests.web.conftest import NORM, World
from tests.web.test_journeys import address, browser, come_in, crowd, shows

pytestmark = pytest.mark.browser
__all__ = ["address", "browser", "come_in", "crowd"]

LIST = {
    "states": ["MT"],
    "points": [
        {
            "municipality": "5103403", "kind": "receiving", "since": "2026-01-10",
            "name": "Ecoponto do Centro",
            "address": "Rua Inventada, 10", "hours": "8h às 17h", "materials": ["glass"],
        },
        {"municipality": "5107909", "kind": "receiving", "since": "2026-01-10", "materials": ["electronics"]},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def published(crowd: World) -> World:
    from lastro.web.readings import points

    points.file_list(crowd.entities[0], NORM, json.dumps(LIST), by="ana")
    return crowd


def test_a_stranger_finds_a_point_and_takes_the_results_along(
    published: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    page = come_in(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("link", name="Onde entregar").click()
    page.get_by_label("O que quero entregar").select_option("glass")
    page.get_by_role("button", name="Procurar", exact=True).click()
    shows(page, "Ecoponto do Centro")
    assert "Sinop" not in page.inner_text("table")
    assert page.locator("svg.map circle.receiving").count() == 1
    with page.expect_download() as kept:
        page.get_by_role("link", name="Baixar em JSON").click()
    kept.value.save_as(tmp_path / "pontos.json")
    assert json.loads((tmp_path / "pontos.json").read_text("utf-8"))[0]["Endereço"] == "Rua Inventada, 10"
    page.get_by_role("contentinfo").get_by_role("link", name="Resultados").click()
    page.get_by_label("Ano da meta").select_option("2026")
    page.get_by_role("button", name="Ver", exact=True).click()
    with page.expect_download() as kept:
        page.get_by_role("link", name="CSV").click()
    kept.value.save_as(tmp_path / "resultados.csv")
    lines = (tmp_path / "resultados.csv").read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("norma;")
    assert len(lines) > 1
    page.get_by_role("link", name="Como cada número se calcula").click()
    assert "R$ 77,28" in page.content()


def test_the_group_meets_and_hands_the_consolidated_report_to_the_ministry(
    published: World, come_in: Callable[..., Any]
) -> None:
    first = published.entities[0]
    page = come_in("gap")
    assert "/gap/" in page.url
    page.get_by_role("link", name="Reuniões").first.click()
    page.get_by_label("Dia em que aconteceu").fill("2027-03-01")
    page.get_by_label("Assunto").fill("Reunião ordinária")
    page.get_by_label("O que se debateu e decidiu").fill("O cronograma do ano.")
    page.get_by_role("button", name="Registrar").click()
    page.get_by_text("Reunião registrada.").wait_for()
    page.get_by_role("link", name="Consolidado").click()
    page.get_by_label("CNPJ de quem responde pelo grupo").fill(masked(first))
    page.get_by_label("Nome", exact=True).fill("Secretaria do grupo")
    for entity in published.entities:
        block = page.locator("fieldset").filter(has_text=masked(entity))
        block.get_by_label("Entregou o relatório em").fill("2027-03-02")
        block.get_by_label("Municípios").fill("3")
        block.get_by_label("Pontos").fill("5")
        block.get_by_label("Recebido (kg)").fill("10.500,5")
        block.get_by_label("Destinado (kg)").fill("10000")
        if entity == first:
            block.get_by_label("Meta (kg)").fill("9000")
    page.get_by_role("button", name="Calcular").click()
    shows(page, "O que falta")
    for field in page.get_by_label("Meta (kg)").all():
        field.fill("9000")
    page.get_by_role("button", name="Calcular").click()
    shows(page, "Completo")
    page.get_by_role("button", name="Entregar ao ministério").click()
    shows(page, "Reunir-se até")

    ministry = come_in("ministry")
    ministry.get_by_role("link", name="Relatório consolidado de").click()
    assert "10.500,5" in ministry.inner_text("main") or "10500.5" in ministry.inner_text("main")


def test_the_ministry_asks_a_company_and_the_company_answers(
    published: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    mine = published.member(published.entities[0])
    ministry = come_in("other_ministry")
    ministry.goto("/pedidos/feitos/novo/")
    ministry.get_by_label("CNPJ de quem deve responder").fill(masked(mine))
    ministry.get_by_role("radio", name="Relatório para verificar o que cabe ao distribuidor").first.check()
    ministry.get_by_label("Assunto").fill("Relatório do distribuidor")
    ministry.get_by_label("O que se pede").fill("O relatório de 2026.")
    ministry.get_by_label("Por que se pede").fill("Conferir a soma do grupo.")
    ministry.get_by_label("Responder até").fill("2027-04-10")
    ministry.get_by_role("button", name="Enviar o pedido").click()
    ministry.get_by_text("Pedido enviado.").wait_for()

    company = come_in("second_company")
    company.get_by_role("link", name="Pedidos").first.click()
    company.get_by_role("link", name="Relatório do distribuidor").first.click()
    company.get_by_label("Resposta").fill("Segue o relatório.")
    report = tmp_path / "relatorio.txt"
    report.write_text("massa", "utf-8")
    company.get_by_label("Arquivos").set_input_files(report)
    company.get_by_role("button", name="Enviar a resposta").click()
    shows(company, "respondido")

    ministry.get_by_role("link", name="2027-0001").first.click()
    with ministry.expect_download() as kept:
        ministry.get_by_role("link", name="relatorio.txt").click()
    kept.value.save_as(tmp_path / "veio.txt")
    assert (tmp_path / "veio.txt").read_text("utf-8") == "massa"
    ministry.get_by_label("Como o pedido terminou").fill("Conferido.")
    ministry.get_by_role("button", name="Encerrar o pedido").click()
    shows(ministry, "encerrado")


_PAGES = (
    (
        "",
        [
            *("/", "/pontos/", "/pontos/?uf=SP", "/resultados/", "/resultados/?norma=br/minuta_metal_2022"),
            *("/como-se-calcula/", "/como-participar/", "/publicacoes/", "publication"),
        ],
    ),
    (
        "third_gap",
        [
            *("/gap/", "/gap/reunioes/", "/gap/assentos/", "/gap/dificuldades/", "/gap/recebidos/"),
            *("/gap/consolidado/", "/publicacoes/nossas/", "/pedidos/feitos/"),
        ],
    ),
    ("third_ministry", ["/ministerio/", "/acessos/", "/pedidos/feitos/novo/", "opening"]),
    ("company", ["/pedidos/", "/pedidos/acessos/", "/auditorias/", "request"]),
)


@pytest.fixture(scope="module")
def written(published: World) -> dict[str, str]:
    """One of each thing that has a page of its own."""
    from datetime import timedelta

    from lastro.web.readings import publications, requests
    from tests.web.conftest import TODAY

    first, mine = published.entities[0], published.member(published.entities[0])
    norm = "br/decreto_10240_2020"
    paper = publications.publish(
        first, key=f"{norm}/manual", title="Manual", text="Guarde seco.", by="ana", files=[("m.pdf", b"%PDF")]
    )
    asked = requests.ask(
        "gap", to=mine, key=f"{norm}/gap-results", title="Resultados", text="Mande.", reason="Somar.",
        due=TODAY + timedelta(days=9), by="paula",
    )  # fmt: skip
    opening = requests.open_data("ministry", of=mine, key=f"{norm}/data", reason="Ver.", by="raul")
    return {
        "publication": f"/publicacoes/{paper.id}/",
        "request": f"/pedidos/gap/{asked.subject.name}/",
        "opening": f"/acessos/{opening.subject.name}/",
    }


@pytest.fixture(scope="module", autouse=True)
def more_people(crowd: World) -> None:
    """A code serves once: each look of an office is somebody else's."""
    from lastro.web.models import Person
    from lastro.web.scopes import Role
    from tests.web.conftest import PASSWORD

    for role in (Role.GAP, Role.MINISTRY):
        for which in ("other", "third", "fourth"):
            name = f"{which}_{role.value}"
            Person.objects.create_user(f"{name}@exemplo.org", password=PASSWORD, role=role, name=name)


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_here_is_too_wide_or_shuts_anyone_out(
    written: dict[str, str], come_in: Callable[..., Any], width: int
) -> None:
    """Nothing to scroll sideways, nothing that axe objects to, and light pages for strangers."""
    from axe_playwright_python.sync_playwright import Axe

    wide, shut = [], []
    for name, addresses in _PAGES:
        who = name.replace("third", "fourth") if width > 400 else name
        page = come_in(who, viewport={"width": width, "height": 800}, bypass_csp=True)
        for one in addresses:
            answer = page.goto(written.get(one, one))
            assert answer.ok, one
            assert len(answer.body()) < 150_000, one
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wide.append(one)
            found = Axe().run(page).response["violations"]
            shut += [(one, wrong["id"], wrong["nodes"][0]["html"][:150]) for wrong in found]
    assert not wide
    assert not shut
