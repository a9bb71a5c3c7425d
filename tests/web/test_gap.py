"""The group that follows a system and the ministry: meetings, seats, sums, what is handed on and opened."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import TODAY, World, browser_of

ELECTRONICS, METAL = "br/decreto_10240_2020", "br/minuta_metal_2022"
EXAMPLE = (
    Path(__file__).parents[2] / "docs" / "examples" / "documentos" / "consolidado_eletroeletronicos.json"
)


def _file(name: str, body: bytes) -> Any:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile(name, body)


def test_the_next_meeting_is_due_a_hundred_and_eighty_days_after_the_last(
    world: World, people: dict[str, Any]
) -> None:
    gap = browser_of(people["gap"])
    assert "Nenhuma reunião registrada" in gap.get("/gap/").content.decode()
    day = TODAY - timedelta(days=179)
    sent = {"norma": ELECTRONICS, "dia": day.isoformat(), "titulo": "Ordinária", "texto": "Debateu-se."}
    assert gap.post("/gap/reunioes/", sent).status_code == 302
    due = day + timedelta(days=180)
    assert f"Reunir-se até {due:%d/%m/%Y}" in gap.get("/gap/").content.decode()
    ahead = sent | {"dia": (TODAY + timedelta(days=1)).isoformat()}
    answer = gap.post("/gap/reunioes/", ahead)
    assert answer.status_code == 400
    assert "hoje ou antes" in answer.content.decode()


def test_a_meeting_longer_ago_is_late(world: World, people: dict[str, Any]) -> None:
    gap = browser_of(people["gap"])
    day = TODAY - timedelta(days=181)
    sent = {"norma": METAL, "dia": day.isoformat(), "titulo": "Ordinária", "texto": "Debateu-se."}
    gap.post("/gap/reunioes/", sent)
    assert "Reunião atrasada desde" in gap.get("/gap/").content.decode()


def test_every_category_has_a_seat_or_is_named_as_lacking(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import gap as readings

    gap = browser_of(people["gap"])
    assert (
        "falta assento de fabricantes, importadores, distribuidores"
        in gap.get("/gap/assentos/").content.decode()
    )
    for category in readings.categories(ELECTRONICS):
        sent = {
            "norma": ELECTRONICS, "categoria": category, "entidade": f"Associação {category}",
            "pessoa": "Rita",
        }  # fmt: skip
        assert gap.post("/gap/assentos/", sent).status_code == 302
    assert "todas as categorias têm assento" in gap.get("/gap/assentos/").content.decode()
    number = readings.seats(ELECTRONICS)[0].id
    assert gap.post("/gap/assentos/", {"sair": str(number)}).status_code == 302
    assert "falta assento de" in gap.get("/gap/assentos/").content.decode()
    bad = gap.post(
        "/gap/assentos/", {"norma": METAL, "categoria": "entities", "entidade": "A", "pessoa": "B"}
    )
    assert bad.status_code == 400, "the draft names no categories"


def test_a_difficulty_is_named_assessed_and_over(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import gap as readings

    gap = browser_of(people["gap"])
    sent = {"norma": ELECTRONICS, "especie": "obstacle", "titulo": "Frete", "texto": "Falta transporte."}
    assert gap.post("/gap/dificuldades/", sent).status_code == 302
    (found,) = readings.difficulties()
    assert "Frete" in gap.get("/gap/dificuldades/").content.decode()
    over = {"avaliar": str(found.id), "texto": "Contratado.", "resolvida": "on"}
    assert gap.post("/gap/dificuldades/", over).status_code == 302
    text = gap.get("/gap/dificuldades/").content.decode()
    assert "Contratado." in text
    assert "resolvida" in text
    assert gap.post("/gap/dificuldades/", {"avaliar": "999999", "texto": "x"}).status_code == 400


def test_the_consolidated_report_equals_the_one_of_the_command_line_and_goes_to_the_ministry(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.lawkit import library
    from lastro.reports import form
    from lastro.web.readings import gap as readings

    text = EXAMPLE.read_text("utf-8")
    wanted = form.parse(library.find(ELECTRONICS), "ministry-report", text, today=TODAY)
    gap = browser_of(people["gap"])
    sent = {"norma": ELECTRONICS, "ano": "2025", "entregar": "1"}
    answer = gap.post("/gap/consolidado/", sent | {"arquivo": _file("c.json", text.encode())})
    assert (answer.status_code, answer["Location"]) == (302, "/gap/")
    assert "o ministério já vê" in gap.get("/gap/").content.decode()
    (came,) = readings.received("ministry")
    assert came.body["report"] == wanted.json()
    ministry = browser_of(people["ministry"])
    page = ministry.get(f"/ministerio/recebidos/{came.id}/").content.decode()
    assert "Entidade Gestora Exemplo" in page
    assert "700.000" in page
    body = ministry.get(f"/ministerio/recebidos/{came.id}/relatorio.json").content
    assert json.loads(body) == wanted.json()
    assert browser_of(people["company"]).get(f"/ministerio/recebidos/{came.id}/").status_code == 403


def test_what_is_typed_is_reckoned_and_what_is_lacking_is_no_zero(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.web.readings import gap as readings

    gap = browser_of(people["gap"])
    first = world.entities[0]
    sent = {
        "norma": ELECTRONICS, "ano": "2026", "cnpj": first, "nome": "Grupo",
        f"{first}-delivered_on": "2027-03-01", f"{first}-points": "4", f"{first}-received_kg": "1.355,90",
        f"{first}-destined_kg": "1.000,0", "entregar": "1",
    }  # fmt: skip
    answer = gap.post("/gap/consolidado/", sent)
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "1.355,9" in text
    assert "O que falta" in text
    assert readings.received("ministry") == []
    wrong = gap.post("/gap/consolidado/", sent | {f"{first}-received_kg": "1355.90"})
    assert "Escreva a massa em quilogramas" in wrong.content.decode()
    twice = gap.post("/gap/consolidado/", sent | {f"{first}-received_kg": "1.355"})
    assert "escreva 1355 se são milhares" in twice.content.decode()


def test_the_group_sees_sums_by_system_and_no_company(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import results

    rows = results.of_year("mt/decreto_1455_2025", 2026).systems
    assert {row.line.part for row in rows} & set(world.entities)
    text = browser_of(people["gap"]).get("/gap/").content.decode()
    assert "nunca o peso de uma empresa" in text


def test_an_audit_goes_to_the_group_and_to_nobody_else(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import gap as readings

    entity = browser_of(people["preparer"])
    sent = {"norma": ELECTRONICS, "ano": "2026", "auditor": "Auditora Exemplo"}
    assert "Mande o arquivo" in entity.post("/auditorias/", sent).content.decode()
    done = entity.post("/auditorias/", sent | {"arquivos": _file("auditoria.pdf", b"%PDF")})
    assert done.status_code == 302
    (came,) = readings.received("gap")
    gap = browser_of(people["gap"])
    assert "Auditora Exemplo" in gap.get(f"/gap/recebidos/{came.id}/").content.decode()
    assert gap.get(f"/gap/recebidos/{came.id}/auditoria.pdf").content == b"%PDF"
    assert browser_of(people["ministry"]).get(f"/ministerio/recebidos/{came.id}/").status_code == 404
    assert "Auditora" not in browser_of(people["other_preparer"]).get("/auditorias/").content.decode()


def test_the_ministry_opens_data_for_a_day_and_the_company_sees_it(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastro.web import office

    ministry, mine = browser_of(people["ministry"]), world.member(world.entities[0])
    bad = ministry.post("/acessos/", {"cnpj": mine, "base": f"{METAL}/data", "razao": " "})
    assert bad.status_code == 400
    assert "Nenhum órgão abriu" in browser_of(people["company"]).get("/pedidos/acessos/").content.decode()
    made = ministry.post("/acessos/", {"cnpj": mine, "base": f"{METAL}/data", "razao": "Conferir a soma."})
    assert made.status_code == 302
    page = ministry.get(made["Location"]).content.decode()
    assert "Comprovado" in page
    assert "Conferir a soma." in browser_of(people["company"]).get("/pedidos/acessos/").content.decode()
    assert browser_of(people["agency"]).get(made["Location"]).status_code == 404, "another office's opening"
    assert browser_of(people["gap"]).get(made["Location"]).status_code == 403
    monkeypatch.setattr(office, "today", lambda: TODAY + timedelta(days=1))
    later = ministry.get(made["Location"]).content.decode()
    assert "Comprovado" not in later
    assert "abra outro" in later


def test_of_an_entity_the_mass_in_lots_is_opened(world: World, people: dict[str, Any]) -> None:
    ministry = browser_of(people["ministry"])
    first = world.entities[0]
    made = ministry.post(
        "/acessos/", {"cnpj": first, "base": f"{ELECTRONICS}/data", "razao": "Ver os lotes."}
    )
    assert "Massa em lotes" in ministry.get(made["Location"]).content.decode()


def test_what_a_system_publishes_with_secrets_is_read_without_them(world: World) -> None:
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    first = world.entities[0]
    told = json.loads((EXAMPLE.parent / "desempenho_eletroeletronicos.json").read_text("utf-8"))
    assert [one["section"] for one in told["secrets"]] == ["recyclers"]
    subject = Subject(Kind.DOCUMENT, first, norm=ELECTRONICS, period="2025", name="performance")
    filed = Filings(office.store(), sees=first).add(
        subject, {"kind": "performance", "document": told}, by="ana", on=TODAY, public=True,
        files=[("inteiro.pdf", b"%PDF")],
    )  # fmt: skip
    page = browser_of().get(f"/publicacoes/{filed.id}/").content.decode()
    assert "Relatório de desempenho" in page
    assert "CDF-0001" in page
    assert "Recicladora Exemplo Um" not in page
    assert "inteiro.pdf" not in page
    assert browser_of().get(f"/publicacoes/{filed.id}/inteiro.pdf").status_code == 404
