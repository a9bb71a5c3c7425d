"""The entity's desk: what it loads, homologates, fills in, takes back and objects to."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.custody.port import For
from lastro.facts import Outcome
from lastro.ids import cnpj_check_digits
from lastro.units import Mass
from lastro.web import office
from lastro.web.readings import cures, documents, members, operators, papers, pools
from tests.web.conftest import NORM, YEAR, World, browser_of, people_of
from tests.web.own_entity import EL, INSTRUMENT


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def whom(world: World) -> For:
    return For(world.entities[0], NORM, YEAR)


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def cnpj(name: str) -> str:
    base = f"ZZ{name:0>6}0001"
    return base + cnpj_check_digits(base)


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────


def test_pools_add_up_to_those_of_the_command_line(crowd: tuple[World, dict[str, Any]]) -> None:
    first = crowd[0].entities[0]
    rows = pools.rows(first)
    assert rows
    for pool in office.store().pools(entity=first):
        mine = [r for r in rows if (r.year, r.material) == (pool.year, pool.material)]
        assert sum(r.verified.mg for r in mine) == pool.verified.mg
        assert sum(r.homologated.mg for r in mine) == pool.homologated.mg
        assert sum(r.lots for r in mine) == pool.lots
    answer = browser_of(crowd[1]["preparer"]).get("/entidade/conjuntos/", {"baixar": "xlsx"})
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert sheet.max_row == len(rows) + 1


def test_each_cure_tells_what_it_frees_by_itself_and_in_all(crowd: tuple[World, dict[str, Any]]) -> None:
    world = crowd[0]
    every = [r for r in documents.rows(whom(world)) if r.kind == "nfe" and r.outcome is not Outcome.ADMITTED]
    found = {one.code: one for one in cures.by_code(whom(world), apart=False)}
    refused = {"refuse", "review", "zero"}
    for code, one in found.items():
        mine = [r for r in every if code in {c for c, s in r.codes if s.value in refused}]
        alone = [r for r in mine if sum(s.value in refused for _, s in r.codes) == 1]
        assert one.whole.mg >= sum(r.waiting.mg for r in mine)
        assert one.alone.mg >= sum(r.waiting.mg for r in alone)
        assert one.alone <= one.whole
    apart = cures.by_code(whom(world), apart=True)
    for code, one in found.items():
        assert sum(o.whole.mg for o in apart if o.code == code) == one.whole.mg
    page = text_of(browser_of(crowd[1]["preparer"]).get("/entidade/achados/", {"por": "operador"}))
    assert "Libera sozinha" in page


# ── members ──────────────────────────────────────────────────────────────────────────────────────────


def sheet_of(world: World, **change: str) -> bytes:
    row = {"establishment": cnpj("NOVA"), "entity": world.entities[0], "from": "2026-05-01", **change}
    party = {"cnpj": row["establishment"], "name": "NOVA ADERENTE LTDA", "municipality": "5103403"}
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, body in (("members", row), ("parties", party)):
        page = book.create_sheet(name)
        page.append(list(body))
        page.append(list(body.values()))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def load(browser: Any, body: bytes, name: str = "aderentes.xlsx") -> Any:
    return browser.post("/entidade/cadastro/carregar/", {"arquivo": SimpleUploadedFile(name, body)})


def test_a_sheet_of_members_is_taken_whole_and_is_a_change_to_tell(
    world: World, people: dict[str, Any]
) -> None:
    browser, first = browser_of(people["preparer"]), world.entities[0]
    before = members.changes(first)
    assert load(browser, sheet_of(world)).status_code == 302
    (mine,) = [m for m in members.members(first) if m.membership.establishment == cnpj("NOVA")]
    assert (mine.name, mine.state) == ("NOVA ADERENTE LTDA", "dentro")
    after = members.changes(first)
    assert len(after) == len(before) + 2
    sent = {"ate": str(after[-1].number), "sistema": "sinir", "protocolo": "123"}
    assert browser.post("/entidade/mudancas/levadas/", sent).status_code == 302
    assert members.changes(first) == []
    assert browser.post("/entidade/mudancas/levadas/", sent).status_code == 302  # told again: nothing new
    assert len(members.marks(first)) == 1
    named = f"/entidade/aderentes/{cnpj('NOVA')}/2026-05-01/saida/"
    assert browser.post(named, {"ate": "2026-04-01"}).status_code == 400
    assert browser.post(named, {"ate": "2026-11-30"}).status_code == 302
    (change,) = members.changes(first)
    assert change.what == "último dia: nada → 30/11/2026"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"from": "2026-13-01"}, "data"),
        ({"establishment": "ZZABC123000199"}, "dígitos"),
        ({"to": "2026-01-01"}, "depois"),
    ],
)
def test_a_wrong_sheet_comes_back_with_its_errors_and_changes_nothing(
    world: World, people: dict[str, Any], change: dict[str, str], told: str
) -> None:
    browser = browser_of(people["preparer"])
    before = office.registry().version
    answer = load(browser, sheet_of(world, **change))
    assert answer.status_code == 400
    assert told in text_of(answer)
    assert office.registry().version == before
    address = answer.content.decode().split('href="/entidade/arquivos/')[1].split('"')[0]
    back = browser.get(f"/entidade/arquivos/{address}")
    page = openpyxl.load_workbook(io.BytesIO(back.content))["members"]
    heads = [cell.value for cell in page[1]]
    assert heads[-1] == "erros"
    assert page.cell(2, len(heads)).value
    assert browser_of(people["other_preparer"]).get(f"/entidade/arquivos/{address}").status_code == 404


def test_an_entity_writes_nothing_of_others(world: World, people: dict[str, Any]) -> None:
    browser, second = browser_of(people["preparer"]), world.entities[1]
    recycler = world.recyclers[0]
    before = office.registry().version
    for table, row in (
        ("members", {"establishment": cnpj("NOVA"), "entity": second, "from": "2026-05-01"}),
        ("roles", {"cnpj": cnpj("NOVA"), "role": "recycler", "from": "2026-05-01"}),
        ("contracts", {"verifier": cnpj("NOVA"), "entity": world.entities[0], "from": "2026-05-01"}),
        ("sizes", {"company": cnpj("NOVA")[:8], "year": "2026", "size": "mei"}),
        ("parties", {"cnpj": recycler, "name": "OUTRO NOME", "municipality": "5103403"}),
    ):
        answer = load(browser, json.dumps({table: [row]}).encode(), "cadastro.json")
        assert answer.status_code == 400, table
        assert "Apague a linha" in text_of(answer) or "apague a linha" in text_of(answer), table
    assert office.registry().version == before


# ── operators ────────────────────────────────────────────────────────────────────────────────────────


def test_a_homologation_by_form_cures_what_waited_for_it(world: World, people: dict[str, Any]) -> None:
    from lastro.web import jobs

    browser = browser_of(people["preparer"])
    waiting = next(o for o in operators.operators(whom(world)) if o.lost and o.valid_to is None)
    row = next(
        r for r in documents.rows(whom(world)) if r.parties and r.parties[0] == waiting.cnpj
        and "P03" in {c for c, _ in r.codes}
    )  # fmt: skip
    assert row.issued_on is not None
    said = {"operador": waiting.cnpj, "de": row.issued_on.isoformat(), "ano": str(YEAR)}
    three = dict.fromkeys(("cnpj_ok", "registrations_ok", "licence_ok"), "sim")
    assert browser.post("/entidade/operadores/homologar/", {**said, **three}).status_code == 302
    while jobs.work_on_one():
        pass
    again = next(o for o in operators.operators(whom(world)) if o.cnpj == waiting.cnpj)
    assert again.lost == waiting.lost, "three papers vet nobody"
    assert (
        browser.post("/entidade/operadores/homologar/", {**said, **three, "permit_ok": "sim"}).status_code
        == 302
    )
    while jobs.work_on_one():
        pass
    codes = {
        c for r in documents.rows(whom(world)) if r.sha256 == row.sha256 for c, _ in r.codes
    }  # fmt: skip
    assert "P03" not in codes
    found = operators.one(whom(world), waiting.cnpj)
    assert found is not None
    assert any(past.lacks == () for past in found.history)


def test_what_ends_soon_is_told_with_its_mass(crowd: tuple[World, dict[str, Any]]) -> None:
    every = operators.operators(whom(crowd[0]))
    page = text_of(browser_of(crowd[1]["preparer"]).get("/entidade/operadores/"))
    for days in (30, 60, 90):
        soon = [o for o in every if o.days_left is not None and o.days_left <= days]
        assert f"Vence em até {days} dias</span><strong>{len(soon)}</strong>" in page
    counted = Mass(sum(o.counted.mg for o in every))
    rows = [r for r in documents.rows(whom(crowd[0])) if r.kind == "nfe" and len(r.parties[0]) == 14]
    assert counted == Mass(sum(r.mass.mg for r in rows))


# ── papers ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_contract_is_filled_corrected_signed_and_withdrawn(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["preparer"])
    address = f"/entidade/papeis/{EL}/instrument/"
    lacking = {k: v for k, v in INSTRUMENT.items() if not k.endswith(".object")}
    kept = browser.post(address, {**lacking, "ano": "2026"})
    assert kept.status_code == 302, text_of(kept)
    page = text_of(browser.get(kept["Location"]))
    assert "falta “Objeto”" in page
    number = int(kept["Location"].strip("/").split("/")[-1])
    assert text_of(browser_of(people["authoriser"]).get(kept["Location"])).count("Assinar pela entidade") == 0
    fixed = browser.post(address, {**INSTRUMENT, "ano": "2026", "de": number})
    assert fixed.status_code == 302, text_of(fixed)
    assert (
        browser.post(address, {**INSTRUMENT, "ano": "2026", "de": number}).status_code == 400
    )  # not the last
    newer = int(fixed["Location"].strip("/").split("/")[-1])
    pdf = browser.get(f"/entidade/papeis/{newer}/arquivo/pdf/")
    assert pdf.content.startswith(b"%PDF")
    assert browser.post(f"/entidade/papeis/{newer}/assinar/").status_code == 403
    signer = browser_of(people["authoriser"])
    signed = signer.post(f"/entidade/papeis/{newer}/assinar/")["Location"]
    page = text_of(signer.get(signed))
    assert "assinado.pdf" in page
    (mine,) = papers.filed(world.entities[0])
    assert mine.signed
    assert mine.until is not None
    assert mine.until.isoformat() == "2027-06-30"
    name = mine.filing.files[0][0]
    body = signer.get(f"/entidade/arquivos/{mine.filing.id}/{name}").content
    assert b"/ByteRange" in body
    assert (
        browser.post(f"/entidade/papeis/{mine.filing.id}/retirar/", {"razao": "rescindido"}).status_code
        == 302
    )
    assert papers.filed(world.entities[0]) == []


def test_what_is_typed_makes_the_file_that_the_command_line_reads(
    world: World, people: dict[str, Any], tmp_path: Any
) -> None:
    """The same document, the same data set: money and mass as typed in Brazil, missing as missing."""
    from lastro.cli.report_facts import made_from
    from lastro.lawkit import library

    browser = browser_of(people["preparer"])
    typed = {
        "budget.0.stage": "disposed", "budget.0.cost": "1.355,90", "budget.0.funding": "1.400,00",
        "budget.0.origin_of_funds": "rateio", "budget.1.stage": "stored", "ano": "2026",
    }  # fmt: skip
    kept = browser.post(f"/entidade/papeis/{EL}/system-budget/", typed)
    number = int(kept["Location"].strip("/").split("/")[-1])
    file = tmp_path / "fatos.json"
    file.write_bytes(browser.get(f"/entidade/papeis/{number}/arquivo/fatos/").content)
    data = made_from(library.find(EL), "system-budget", file, today=office.today())
    found = papers.one(world.entities[0], number)
    assert found is not None
    shown = papers.data_of(found.offer, found.filing.body["document"])
    assert shown is not None
    assert shown.digest == data.digest
    assert data.cell("budget/1/cost").json()["value"] == "1355.90"
    assert data.cell("budget/2/cost").json()["value"] is None
    assert len(data.blocks) >= 4  # three things of the second line, and two stages without any


@pytest.mark.parametrize("wrong", ["1,2,3", "1355.90", "abc", "-5"])
def test_a_number_that_cannot_be_read_is_said_by_its_place(
    crowd: tuple[World, dict[str, Any]], wrong: str
) -> None:
    browser = browser_of(crowd[1]["preparer"])
    typed = {"budget.0.stage": "disposed", "budget.0.cost": wrong, "ano": "2026"}
    answer = browser.post(f"/entidade/papeis/{EL}/system-budget/", typed)
    assert answer.status_code == 400
    assert "linha 1, Custo (R$)" in text_of(answer)


def test_every_offered_document_has_a_form(crowd: tuple[World, dict[str, Any]]) -> None:
    browser = browser_of(crowd[1]["preparer"])
    offered = papers.offers(YEAR)
    assert {(o.norm, o.kind) for o in offered} >= {(EL, "performance"), (NORM, "operator-file")}
    for one in offered:
        answer = browser.get(f"/entidade/papeis/{one.norm}/{one.kind}/", {"ano": YEAR})
        assert answer.status_code in (200, 302), (one.norm, one.kind)
    assert browser.get(f"/entidade/papeis/{NORM}/packaging-declaration/").status_code == 404


def test_a_published_plan_is_seen_by_strangers_and_a_contract_is_not(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.filings import Kind
    from lastro.stores.postgres.filings import NOBODY, Filings

    browser = browser_of(people["preparer"])
    plan = {
        "system_plan.0.version": "1", "system_plan.0.on": "2026-04-01", "system_plan.0.document": "p.pdf",
        "ano": "2026",
    }  # fmt: skip
    assert browser.post(f"/entidade/papeis/{EL}/system-plan/", plan).status_code == 302
    assert (
        browser.post(f"/entidade/papeis/{EL}/instrument/", {**INSTRUMENT, "ano": "2026"}).status_code == 302
    )
    seen = Filings(office.store(), sees=NOBODY)
    assert [f.body["kind"] for f in seen.standing(Kind.DOCUMENT, norm=EL)] == ["system-plan"]
    assert seen.standing(Kind.CONTRACT) == []


# ── saying something back ────────────────────────────────────────────────────────────────────────────


def test_a_claim_is_taken_back_once_and_for_good(world: World, people: dict[str, Any]) -> None:
    second = world.entities[1]  # whose lots nobody homologated, so none is used
    browser = browser_of(people["other_preparer"])
    row = next(
        r for r in documents.rows(For(second, NORM, YEAR)) if r.outcome is Outcome.ADMITTED and r.mass
    )  # fmt: skip
    held = {lot.lot.access_key for lot in office.store().lots(entity=second) if lot.mass}
    assert row.key in held
    address = f"/entidade/documentos/{row.sha256}/{row.ordinal}/retirar/"
    found = documents.one(For(second, NORM, YEAR), row.sha256, row.ordinal)
    assert found is not None
    for item in {line.line for line in found.standing}:
        assert browser.post(address, {"item": item, "razao": "carga de outra entidade"}).status_code == 302
    held = {lot.lot.access_key for lot in office.store().lots(entity=second) if lot.mass}
    assert row.key not in held
    now = documents.one(For(second, NORM, YEAR), row.sha256, row.ordinal)
    assert now is not None
    assert "C13" in {c for c, _ in now.row.codes}
    assert now.row.mass == Mass(0)
    strange = browser_of(people["preparer"]).post(address, {"item": 1, "razao": "x"})
    assert strange.status_code == 404


def test_an_objection_is_answered_by_the_verifier_and_changes_no_finding(
    world: World, people: dict[str, Any]
) -> None:
    browser = browser_of(people["preparer"])
    row = next(r for r in documents.rows(whom(world)) if "P03" in {c for c, _ in r.codes})
    address = f"/entidade/documentos/{row.sha256}/{row.ordinal}/objetar/"
    assert browser.post(address, {"codigo": "N10", "razao": "x"}).status_code == 400
    assert browser.post(address, {"codigo": "P03", "razao": " "}).status_code == 400
    proof = SimpleUploadedFile("licenca.pdf", b"%PDF-1.7")
    said = {"codigo": "P03", "razao": "homologado em papel", "provas": proof}
    assert browser.post(address, said).status_code == 302
    verifier = browser_of(people["verifier"])
    page = verifier.get("/objecoes/").content.decode()
    (number,) = set(re.findall(r'"/objecoes/(\d+)/"', page))
    assert verifier.get(f"/objecoes/{number}/licenca.pdf").content == b"%PDF-1.7"
    assert browser_of(people["stray_verifier"]).get(f"/objecoes/{number}/").status_code == 404
    told = {"resposta": "falta o alvará"}
    assert verifier.post(f"/objecoes/{number}/", told).status_code == 302
    assert "falta o alvará" in text_of(browser.get("/entidade/objecoes/"))
    assert "P03" in {c for r in documents.rows(whom(world)) if r.sha256 == row.sha256 for c, _ in r.codes}


# ── points ───────────────────────────────────────────────────────────────────────────────────────────


def test_points_come_by_sheet_and_say_what_is_lacking(world: World, people: dict[str, Any]) -> None:
    from lastro.cli.points import command
    from lastro.web.readings import own_points

    assert command.name == "points"
    browser, first = browser_of(people["preparer"]), world.entities[0]
    body = "Município;Tipo;Desde;Nome;Materiais\n5103403;recebimento;01/02/2026;Ecoponto;eletrônicos\n"
    file = SimpleUploadedFile("pontos.csv", body.encode())
    answer = browser.post("/entidade/pontos/carregar/", {"norma": EL, "arquivo": file, "uf": ["MT"]})
    assert answer.status_code == 302, text_of(answer)
    regulation = next(r for r in own_points.regulations() if r.norm.path == EL)
    shown = own_points.shown(first, regulation, year=2026, number=0)
    assert shown.whole is not None
    assert (shown.whole.installed, len(shown.needs)) == (1, 142)
    capital = next(n for n in shown.needs if n.code == "5103403")
    assert capital.installed == 1
    assert capital.required is not None
    more = {
        "norma": EL,
        "municipality": "5107602",
        "kind": "receiving",
        "since": "2026-03-01",
        "name": "Novo",
    }
    assert browser.post("/entidade/pontos/incluir/", more).status_code == 302
    again = own_points.shown(first, regulation, year=2026, number=0)
    assert [r.town for r in again.rows] == ["Cuiabá", "Rondonópolis"]
    wrong = SimpleUploadedFile("pontos.csv", b"Municipio;Tipo;Desde\n9999999;recebimento;01/02/2026\n")
    answer = browser.post("/entidade/pontos/carregar/", {"norma": EL, "arquivo": wrong})
    assert answer.status_code == 400
    assert "código IBGE" in text_of(answer)
    assert own_points.shown(first, regulation, year=2026, number=0).rows == again.rows
