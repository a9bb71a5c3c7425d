"""What each desk does: contests ended by two, lots declared, the report submitted, the position explained."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from lastro.custody.port import For
from lastro.desk import settle_companies
from lastro.facts import Kin, Outcome
from lastro.ids import masked
from lastro.pipeline import Seen, answers
from lastro.stores.postgres.custody import custody
from lastro.units import Mass, total
from lastro.web import office
from lastro.web.readings import contests, dashboard, documents, verifier
from tests.web.conftest import NORM, TODAY, UNCHECKED, YEAR, World, browser_of


def _whom(world: World, n: int = 0) -> For:
    return For(world.entities[n], NORM, YEAR)


# ── the managing entity ──────────────────────────────────────────────────────────────────────────────


def test_the_panel_counts_what_the_rooms_answer(world: World, people: dict[str, Any]) -> None:
    """Counted a second way: straight from the pipeline, document by document."""
    whom = _whom(world)
    with custody(office.store()) as memory:
        digests = {row.sha256 for row in memory.answered(whom)}
    told = list(
        answers([Seen("", None, d, False) for d in sorted(digests)], whom=whom, remember=office.remember())
    )
    notes = [verdict.outcome for document, verdict in told if document.kind.value == "nfe"]
    panel = dashboard.panel(whom)
    assert panel.standing.documents == len(notes) > 20
    assert panel.standing.outcomes == {o: notes.count(o) for o in Outcome}
    pools = office.store().pools(entity=whom.entity, year=YEAR)
    assert panel.verified == total(p.verified for p in pools)
    page = browser_of(people["preparer"]).get("/entidade/").content.decode()
    assert str(panel.verified) in page
    assert "até 30/07/2027" in page
    assert "faltam 137 dias" in page


def test_a_document_shows_the_other_notes_of_its_mass(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = [row for row in documents.rows(_whom(world)) if row.kind == "nfe"][:2]
    family = (Kin(other.key, "referred_by", "M15"), Kin("9" * 44, "twin", "M15"))
    shown = documents.one
    monkeypatch.setattr(
        documents,
        "one",
        lambda *asked: replace(
            found := shown(*asked),
            kin=documents.kin_of(replace(found.document, family=family), documents.rows(_whom(world))),
        ),
    )
    page = browser_of(people["preparer"]).get(
        f"/entidade/documentos/{mine.sha256}/{mine.ordinal}/?ano={YEAR}"
    )
    text = " ".join(re.sub("<[^>]+>", " ", page.content.decode()).split())
    grouped = " ".join(other.key[n : n + 4] for n in range(0, 44, 4))
    assert f"Esta nota é referida por {other.file} , {grouped} (M15)" in text
    assert "Esta nota pode ser a mesma carga que 9999" in text


def test_the_list_is_narrowed_by_what_is_asked(world: World, people: dict[str, Any]) -> None:
    every = documents.rows(_whom(world))
    browser = browser_of(people["preparer"])
    refused = [row for row in every if row.outcome is Outcome.REFUSED]
    code = refused[0].codes[0][0]
    operator = next(row for row in every if row.parties).parties[0]
    for query, kept in (
        ({"situacao": "refused"}, refused),
        ({"codigo": code}, [r for r in every if code in {c for c, _ in r.codes}]),
        ({"operador": masked(operator)}, [r for r in every if operator in r.parties]),
        ({"busca": refused[0].key[:30]}, [r for r in every if refused[0].key[:30] in r.key + r.file]),
        ({"situacao": "nada"}, list(every)),
        ({"codigo": "Z99"}, []),
    ):
        page = browser.get("/entidade/documentos/", {**query, "ano": YEAR}).content.decode()
        assert f"{len(kept)} de {len(every)} documentos" in page, query


def test_a_list_is_made_anew_when_something_was_handed_in(world: World, people: dict[str, Any]) -> None:
    before = documents.rows(_whom(world))
    assert documents.rows(_whom(world)) is before
    folder = world.folder / "notas" / world.entities[1]
    world.type("enter", folder, "--entity", world.entities[0], "--norm", NORM, "--year", "2026")
    assert len(documents.rows(_whom(world))) > len(before)


def test_a_document_tells_findings_facts_family_and_moves(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["preparer"])
    rows = documents.rows(_whom(world))
    cancelled = next(r for r in rows if r.kind == "nfe" and any(c == "N10" for c, _ in r.codes))
    page = browser.get(f"/entidade/documentos/{cancelled.sha256}/{cancelled.ordinal}/").content.decode()
    assert "A nota foi cancelada" in page
    assert "O que fazer" in page
    counted = next(r for r in rows if r.outcome is Outcome.ADMITTED and r.mass)
    page = browser.get(f"/entidade/documentos/{counted.sha256}/{counted.ordinal}/").content.decode()
    assert str(counted.mass) in page
    assert "entrou no lote" in page
    twice = next((r for r in rows if sum(o.key == r.key for o in rows) > 1 and r.key), None)
    if twice is not None:
        page = browser.get(f"/entidade/documentos/{twice.sha256}/{twice.ordinal}/").content.decode()
        assert page.count("/entidade/documentos/") > 2


# ── contests ─────────────────────────────────────────────────────────────────────────────────────────


def _contest(world: World) -> contests.Contest:
    return next(c for c in contests.contests(None) if len(c.contents) == 1 and len(c.claims) > 1)


def test_two_people_end_a_contest_and_one_does_not(world: World, people: dict[str, Any]) -> None:
    found = _contest(world)
    winner, loser = found.claims[0].entity, found.claims[1].entity
    address = f"/contestados/{found.key}/{found.line}/"
    said = {"winner": winner, "reason": "romaneio do operador"}
    first, second = browser_of(people["agency"]), browser_of(people["second_agency"])
    for _ in range(2):
        first.post(address, said)  # the same person, twice, decides nothing
    assert "Falta uma segunda pessoa" in second.get(address).content.decode()
    assert ">Confirmar<" in second.get(address).content.decode()
    own = first.get(address).content.decode()
    assert "A sua palavra já está aí" in own
    assert ">Confirmar<" not in own
    assert contests.contest(found.key, found.line, None) is not None
    second.post(address, {**said, "winner": loser})  # another opinion confirms nothing
    assert contests.contest(found.key, found.line, None) is not None
    assert second.post(address, said).status_code == 302
    assert contests.contest(found.key, found.line, None) is None
    held = {lot.lot.claimant for lot in office.store().lots() if lot.lot.access_key == found.key and lot.mass}
    assert held == {winner}
    assert first.get(address).status_code == 404


def test_a_decision_says_why_and_names_a_claimant(world: World, people: dict[str, Any]) -> None:
    found = _contest(world)
    address = f"/contestados/{found.key}/{found.line}/"
    browser = browser_of(people["agency"])
    assert browser.post(address, {"winner": found.claims[0].entity, "reason": " "}).status_code == 400
    stranger = world.establishment(world.companies[0])
    answer = browser.post(address, {"winner": stranger, "reason": "x"})
    assert answer.status_code == 400
    assert "não reivindica" in answer.content.decode()


def test_a_verifier_sees_the_contests_of_its_entities_only(world: World, people: dict[str, Any]) -> None:
    mine = set(verifier.entities_of(world.verifier(world.entities[0])))
    page = browser_of(people["verifier"]).get("/contestados/").content.decode()
    for found in contests.contests(None):
        seen = f"/contestados/{found.key}/{found.line}/" in page
        assert seen == bool({c.entity for c in found.claims} & mine)
    none = browser_of(people["stray_verifier"]).get("/contestados/").content.decode()
    assert "Nenhum item contestado" in none


# ── the verifier ─────────────────────────────────────────────────────────────────────────────────────


def test_a_declaration_makes_lots_usable_once(world: World, people: dict[str, Any]) -> None:
    second = next(e for e in world.entities[1:] if world.verifier(world.entities[0]) == world.verifier(e))
    (year,) = verifier.years(second)
    assert year.waiting
    address, mark = f"/verificador/{second}/{YEAR}/", str(uuid4())
    browser = browser_of(people["verifier"])
    assert str(year.waiting) in browser.get(address).content.decode()
    for _ in range(2):
        assert browser.post(address, {"pedido": mark, "sure": "on"}).status_code == 302
    (after,) = verifier.years(second)
    assert (after.waiting, after.homologated) == (Mass(0), year.waiting + year.homologated)
    with office.store().transaction() as db:
        row = db.execute("select count(*) from statement where entity = %s", [second]).fetchone()
    assert row == (1,)


def test_a_statement_is_issued_and_its_files_are_the_verifiers(world: World, people: dict[str, Any]) -> None:
    browser, first = browser_of(people["verifier"]), world.entities[0]
    browser.post(f"/verificador/{first}/{YEAR}/declaracao/", UNCHECKED)
    page = browser.get("/verificador/").content.decode()
    links = re.findall(rf'"(/verificador/{first}/{YEAR}/declaracao/[0-9a-f]+/)"', page)
    assert len(links) == 3
    kinds = {browser.get(link)["Content-Type"] for link in links}
    assert {"application/pdf", "application/json"} < kinds
    assert {browser_of(people["stray_verifier"]).get(link).status_code for link in links} == {404}


# ── the report ───────────────────────────────────────────────────────────────────────────────────────


def test_a_report_goes_from_preview_to_submission_and_tells_when_it_is_stale(
    world: World, people: dict[str, Any]
) -> None:
    first = world.entities[0]
    browser_of(people["verifier"]).post(f"/verificador/{first}/{YEAR}/declaracao/", UNCHECKED)
    preparer, authoriser = browser_of(people["preparer"]), browser_of(people["authoriser"])
    assert authoriser.post("/entidade/relatorio/entregar/", {"ano": YEAR}).status_code == 409  # no preview
    assert preparer.post("/entidade/relatorio/previa/", {"ano": YEAR}).status_code == 302
    assert preparer.post("/entidade/relatorio/entregar/", {"ano": YEAR}).status_code == 403
    answer = authoriser.post("/entidade/relatorio/entregar/", {"ano": YEAR})
    assert answer.status_code == 302, re.findall(r"[KT]\d\d[^<]*", answer.content.decode())
    page = authoriser.get("/entidade/relatorio/").content.decode()
    links = re.findall(r'"(/entidade/relatorio/arquivos/[0-9a-f]{64}/)\?', page)
    assert len(links) >= 6
    assert {authoriser.get(link).status_code for link in links} == {200}
    assert {browser_of(people["other_preparer"]).get(link).status_code for link in links} == {404}
    assert "T04" not in page
    again = authoriser.post("/entidade/relatorio/entregar/", {"ano": YEAR, "reason": "de novo"}, follow=True)
    assert "Nada mudou, e nada foi entregue de novo" in again.content.decode()
    source = ("--from", "lots", "--entity", first, "--to", world.member(first))
    world.type("retire", *source, "--material", "glass", "--kg", "5", "--year", "2026")
    page = authoriser.get("/entidade/relatorio/").content.decode()
    assert ("T04" in page, "Refazer a prévia" in page, "Entregar a prévia" in page) == (True, True, False)
    assert "Massa recuperada › Vidro › Total (kg): era " in page
    assert "T04" in authoriser.post("/entidade/relatorio/entregar/", {"ano": YEAR}).content.decode()


def test_a_number_of_the_report_shows_what_it_is_made_of(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["preparer"])
    page = browser.get("/entidade/relatorio/").content.decode()
    links = re.findall(r'"(/entidade/relatorio/numero/[^"]+?/)\?ano', page)
    assert links
    assert browser.get(links[0]).status_code == 200
    assert browser.get("/entidade/relatorio/numero/nada/nada/nada/").status_code == 404


# ── the company ──────────────────────────────────────────────────────────────────────────────────────


def test_a_company_reads_its_position_and_every_step_behind_it(world: World, people: dict[str, Any]) -> None:
    root = world.member(world.entities[0])[:8]
    ((_, positions),) = settle_companies(
        office.store(), NORM, year=YEAR, company=root, data=world.data, today=TODAY
    )
    page = browser_of(people["company"]).get("/empresa/", {"ano": YEAR}).content.decode()
    for position in positions:
        assert position.obligation_mass is not None
        assert str(position.obligation_mass) in page
        short = position.balance is not None and position.balance.mg < 0
        assert not short or f"faltam {Mass(-position.balance.mg)}" in page  # type: ignore[union-attr]
        for step in position.trace.walk():
            assert step.label in page
            assert not step.article or step.article in page
    assert "Não cumpro todas as metas" in page
    assert "30/07/2027" in page


def test_a_year_without_a_declaration_is_no_zero(world: World, people: dict[str, Any]) -> None:
    page = browser_of(people["company"]).get("/empresa/", {"ano": 2024}).content.decode()
    assert "Cumpro todas as metas" not in page


def test_a_set_up_that_is_wrong_says_what_to_do(world: World, people: dict[str, Any]) -> None:
    """A trust folder with a file that is no certificate: the page says so, in words."""
    stray = world.data / "trust" / "test-estranho.pem"
    stray.write_text("isto não é um certificado")
    try:
        answer = browser_of(people["company"]).get("/empresa/")
    finally:
        stray.unlink()
    assert answer.status_code == 503
    assert "estranho" in answer.content.decode()
