"""The cooperative's desk: what it files is what `lastro grant` reckons from; its people stay unnamed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.filings import Kind, Subject
from lastro.incentives import filed as room
from lastro.incentives import granting
from tests.incentives.filing import NORM, Draft, drafts
from tests.web.conftest import PASSWORD, World, browser_of

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "bolsa"
VALE, SERRA = "ZZBOLSA1000127", "ZZBOLSA2000171"
PDF = b"%PDF-1.4 nota"


def _facts(name: str = "trimestre") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    return found


def _text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def _filings(sees: Any) -> Any:
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    return Filings(office.store(), sees=sees)


def _file(*every: Draft) -> None:
    for one in every:
        filings = _filings(one.subject.party)
        before = filings.latest(one.subject)
        filings.add(
            one.subject, one.body, by="x", on=one.on, addressee=one.addressee, public=one.public,
            after=before.version if before else 0,
        )  # fmt: skip


def _person(name: str, party: str) -> Any:
    from lastro.web.models import Person
    from lastro.web.scopes import Role

    return Person.objects.create_user(
        f"{name}@exemplo.org", password=PASSWORD, role=Role.OPERATOR, name=name.title(), parties=[party]
    )


@pytest.fixture
def vale(world: World) -> Any:
    """Somebody of an organisation, in a world where nobody filed anything."""
    return browser_of(_person("vale", VALE), verified=False)


@pytest.fixture
def quarter(world: World) -> dict[str, Any]:
    """The example quarter, filed piece by piece."""
    facts = _facts()
    _file(*drafts(facts))
    return facts


def _granted(quarter: dict[str, Any]) -> dict[str, Any]:
    """The committee grants the quarter, as its desk does from the answer of the room."""
    from lastro import incentives
    from lastro.lawkit import library

    asked = incentives.parse(json.dumps(quarter))
    norm = library.find(NORM)
    answer = incentives.answer(norm, asked, incentives.granted(norm, asked)[0])
    day = date(2026, 5, 20)
    total = Subject(Kind.GRANT, room.COMMITTEE, NORM, "2026-T1")
    _file(Draft(total, granting.published(answer, granted_on=day), day, "", True))
    for cnpj, body in granting.each(answer, granted_on=day):
        _file(Draft(Subject(Kind.GRANT, room.COMMITTEE, NORM, "2026-T1", cnpj), body, day, cnpj))
    return answer


# ── what is paid ─────────────────────────────────────────────────────────────────────────────────────


def test_the_page_says_what_the_command_line_says(quarter: dict[str, Any], vale: Any) -> None:
    answer = _cli(EXAMPLES / "trimestre.json")
    mine = next(one for one in answer["organisations"] if one["cnpj"] == VALE)
    text = _text(vale.get("/bolsa/2026/1/"))
    assert "Previsão: R$ 43.396,23" in text
    assert mine["amount_brl"] == "43396.23"
    assert f"Ao todo, {mine['points']} pontos" in text
    assert "Aos catadores vão no mínimo R$ 39.056,61" in text
    assert "Comprovantes até 30/04/2026" in text
    assert "R$ 1.886,79" in text


def _cli(file: Path) -> dict[str, Any]:
    code = "import sys; from lastro.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "grant", NORM, str(file), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_own_facts_are_a_file_that_the_command_line_takes(
    quarter: dict[str, Any], vale: Any, tmp_path: Path
) -> None:
    body = vale.get("/bolsa/2026/1/fatos.json").content
    file = tmp_path / "fatos.json"
    file.write_bytes(body)
    (only,) = _cli(file)["organisations"]
    assert only["cnpj"] == VALE
    assert only["points"] == "23"
    assert SERRA not in body.decode()
    assert "Serra" not in body.decode()


def test_nothing_of_another_organisation_is_on_the_page(quarter: dict[str, Any], vale: Any) -> None:
    _granted(quarter)
    for address in ("/bolsa/", "/bolsa/2026/1/", "/bolsa/cadastro/", "/bolsa/2026/1/repasse/"):
        text = vale.get(address).content.decode()
        assert not [w for w in ("Serra", SERRA, "56.603,77", "ZZ.BOL.SA2") if w in text], address


@pytest.mark.parametrize(("name", "code"), [("suspensa_e_atrasada", "B05"), ("sem_coeficiente", "B01")])
def test_what_holds_a_payment_back_is_told_with_its_article(
    world: World, vale: Any, name: str, code: str
) -> None:
    facts = _facts(name)
    _file(*drafts(facts))
    address = f"/bolsa/{facts['year']}/{facts['quarter']}/"
    told = {}
    for one in facts["organisations"]:
        found = browser_of(_person(f"p{one['cnpj'][:8].lower()}", one["cnpj"]), verified=False).get(address)
        told[one["cnpj"]] = _text(found)
    with_code = [text for text in told.values() if code in text]
    assert with_code
    assert all("O que segura o pagamento" in text and "Decreto MG 45.975/2012" in text for text in with_code)


def test_a_quarter_that_is_not_open_says_so_and_takes_what_is_handed_in(vale: Any) -> None:
    text = _text(vale.get("/bolsa/2026/4/"))
    assert "Ainda não se pode dizer" in text
    assert "O Comitê ainda não abriu este trimestre" in text
    assert "Comprovantes até 29/01/2027" in text
    assert vale.get("/bolsa/2026/5/").status_code == 404
    assert vale.get("/bolsa/2011/1/").status_code == 404
    assert vale.get("/bolsa/2026/4/fatos.json").status_code == 404


# ── registration ─────────────────────────────────────────────────────────────────────────────────────

_WHOLE = {
    "name": "Associação do Vale", "kind": "association", "constituted_on": "2015-03-10", "members": "30",
    "members_capable": "30", "members_active": "30",
    "children_of_school_age": "12", "children_in_school": "12",
}  # fmt: skip


def test_a_registration_goes_to_the_offices_and_to_nobody_else(vale: Any) -> None:
    assert "ainda não entregue" in _text(vale.get("/bolsa/"))
    draft = vale.post("/bolsa/cadastro/", {"name": "Vale", "entregar": "nao"}, follow=True)
    assert "O rascunho está guardado" in _text(draft)
    sent = vale.post("/bolsa/cadastro/", {**_WHOLE, "entregar": "sim"}, follow=True)
    assert "entregue, espera análise" in _text(sent)
    (filing,) = _filings("bolsa").standing(Kind.REGISTRATION)
    assert (filing.version, filing.subject.party) == (2, VALE)
    assert filing.body["members"] == 30
    assert filing.body["submitted"] is True
    for other in (SERRA, "", "agency"):
        assert not _filings(other).standing(Kind.REGISTRATION)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"members_capable": "31"}, "No máximo 30"),
        ({"children_in_school": "13"}, "No máximo 12"),
        ({"members": ""}, "Escreva o número"),
        ({"members": "trinta"}, "Um número inteiro"),
        ({"kind": "empresa"}, "Escolha cooperativa"),
        ({"constituted_on": "2099-01-01"}, "Um dia que já passou"),
        ({"constituted_on": ""}, "Diga o dia"),
    ],
)
def test_what_a_registration_lacks_is_marked_at_its_field(
    vale: Any, change: dict[str, str], said: str
) -> None:
    answer = vale.post("/bolsa/cadastro/", {**_WHOLE, **change, "entregar": "sim"})
    assert answer.status_code == 400
    text = answer.content.decode()
    assert said in text
    assert 'aria-invalid="true"' in text
    assert not _filings("bolsa").standing(Kind.REGISTRATION)


def test_a_requirement_of_the_committee_is_asked_with_its_act(quarter: dict[str, Any], vale: Any) -> None:
    act = {
        "act": "3/2026",
        "decided_on": "2026-01-05",
        "about": "requirement",
        "what": "luvas",
        "since": "2026-02-01",
    }
    subject = Subject(Kind.ACT, room.COMMITTEE, NORM, "2026", "3/2026")
    _file(Draft(subject, act, date(2026, 1, 5), "", True))
    text = _text(vale.get("/bolsa/2026/1/"))
    assert "requisito do ato 3/2026" in text
    assert "art. 7º, parágrafo único" in text
    assert "Previsão: nada, por enquanto" in text
    assert "Luvas" in _text(vale.get("/bolsa/cadastro/"))
    vale.post("/bolsa/cadastro/", {**_WHOLE, "requirements_met": ["3/2026", "9/9999"], "entregar": "sim"})
    assert _filings("bolsa").standing(Kind.REGISTRATION, party=VALE)[0].body["requirements_met"] == ["3/2026"]


# ── measures and proofs ──────────────────────────────────────────────────────────────────────────────


def test_three_months_are_kept_as_they_were_typed(quarter: dict[str, Any], vale: Any) -> None:
    address = "/bolsa/2026/1/producao/"
    typed = {
        "2026-01.paper": "6000",
        "2026-01.glass": "",
        "2026-02.paper": "0",
        "2026-03.plastic": "1.355,90",
    }
    assert vale.post(address, typed).status_code == 302
    kept = {
        one.subject.period: one.body["by_material_kg"] for one in _filings("bolsa").standing(Kind.MEASURE)
    }
    assert kept == {"2026-01": {"paper": "6000"}, "2026-02": {"paper": "0"}, "2026-03": {"plastic": "1355.9"}}
    again = vale.get(address).content.decode()
    assert 'value="6000"' in again
    assert 'value="1355,9"' in again
    vale.post(address, {**typed, "2026-03.plastic": "1.355,9"})
    assert {one.version for one in _filings("bolsa").standing(Kind.MEASURE)} == {1}, (
        "nothing new, nothing filed"
    )
    wrong = vale.post(address, {"2026-01.paper": "6000.5"})
    assert wrong.status_code == 400
    assert "como 1.355,90" in wrong.content.decode()
    text = _text(vale.get("/bolsa/2026/1/"))
    assert "papel e papelão: 6.000 kg" in text
    assert "6.500 kg" in text, "the office's own measure stands beside it"


def test_a_month_to_come_is_not_measured(vale: Any) -> None:
    answer = vale.post("/bolsa/2027/2/producao/", {"2027-04.paper": "1"})
    assert answer.status_code == 400
    assert "Este mês ainda não começou" in answer.content.decode()


_SALE = {
    "material": "glass", "mass_kg": "1.500,5", "value_brl": "300,00", "sold_on": "2026-12-10",
    "paper": "nota fiscal", "proof": "4512",
}  # fmt: skip


def _paper() -> SimpleUploadedFile:
    return SimpleUploadedFile("nota.pdf", PDF)


def test_a_proof_is_delivered_on_the_day_it_came(vale: Any) -> None:
    vale.post("/bolsa/cadastro/", {**_WHOLE, "entregar": "sim"})
    assert vale.post("/bolsa/2026/4/venda/", {**_SALE, "arquivo": _paper()}).status_code == 302
    (sale,) = _filings("bolsa").standing(Kind.SALE)
    assert (sale.body["mass_kg"], sale.body["value_brl"], sale.subject.period) == (
        "1500.5",
        "300.00",
        "2026-T4",
    )
    assert _filings("bolsa").file(sale.id, "nota.pdf") == PDF
    assert not _filings(SERRA).standing(Kind.SALE)
    again = vale.post("/bolsa/2026/4/venda/", {**_SALE, "arquivo": _paper()})
    assert again.status_code == 400
    assert "já foi entregue" in again.content.decode()
    assert "1.500,5 kg" in _text(vale.get("/bolsa/2026/4/"))

    body = {"annual_brl": "400.00", "budget_brl": "100.00", "closed": [], "step": "open"}
    opened = Subject(Kind.QUARTER, room.COMMITTEE, NORM, "2026-T4")
    _file(Draft(opened, body, date(2026, 10, 1), "", True))
    facts = room.document(_everything(), year=2026, number=4)
    assert facts is None or not facts["organisations"], (
        "a registration of March comes after January's last day"
    )

    stranger = browser_of(_person("serra", SERRA), verified=False)
    assert stranger.post(f"/bolsa/2026/4/venda/{sale.id}/retirar/").status_code == 404
    assert vale.post(f"/bolsa/2026/4/venda/{sale.id}/retirar/").status_code == 302
    assert not _filings("bolsa").standing(Kind.SALE)
    assert "Nenhum entregue" in _text(vale.get("/bolsa/2026/4/"))
    assert vale.post("/bolsa/2026/4/venda/", {**_SALE, "arquivo": _paper()}).status_code == 302, (
        "handed in anew"
    )


def _everything() -> Any:
    from lastro.web.readings import bolsa

    return bolsa.everything()


def test_what_comes_late_is_told_late(quarter: dict[str, Any], vale: Any) -> None:
    sale = {**_SALE, "sold_on": "2026-02-10"}
    assert "o prazo passou" in _text(vale.get("/bolsa/2026/1/venda/"))
    vale.post("/bolsa/2026/1/venda/", {**sale, "arquivo": _paper()})
    text = _text(vale.get("/bolsa/2026/1/"))
    assert "B04" in text
    assert "entregue em 15/03/2027" in text
    assert "Previsão: R$ 43.396,23" in text, "a late proof adds nothing and takes nothing"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sold_on": "2026-09-30"}, "não é do 4º trimestre de 2026"),
        ({"sold_on": "2027-03-16"}, "que já passou"),
        ({"mass_kg": "1500.5"}, "como 1.355,90"),
        ({"mass_kg": "0"}, "maior que zero"),
        ({"value_brl": ""}, "Reais, como"),
        ({"material": "ouro"}, "Escolha o material"),
        ({"proof": ""}, "Escreva o número"),
        ({"arquivo": None}, "Escolha o arquivo"),
        ({"arquivo": ("a.exe", b"MZ")}, "a.exe não é"),
    ],
)
def test_what_a_proof_lacks_is_marked_at_its_field(vale: Any, change: dict[str, Any], said: str) -> None:
    data: dict[str, Any] = {**_SALE, "arquivo": _paper(), **change}
    if isinstance(data["arquivo"], tuple):
        data["arquivo"] = SimpleUploadedFile(*data["arquivo"])
    answer = vale.post("/bolsa/2026/4/venda/", {k: v for k, v in data.items() if v is not None})
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not _filings("bolsa").standing(Kind.SALE)


# ── the list of transfers ────────────────────────────────────────────────────────────────────────────

_LIST = "Maria Inventada; 20.000,00\nJosé Inventado; R$ 19.056,61\n"


def test_names_of_pickers_go_to_the_analysts_and_to_nobody_else(quarter: dict[str, Any], vale: Any) -> None:
    _granted(quarter)
    assert "Concedido: R$ 43.396,23" in _text(vale.get("/bolsa/2026/1/"))
    assert "O dinheiro chega até 20/08/2026" in _text(vale.get("/bolsa/2026/1/"))
    sent = vale.post("/bolsa/2026/1/repasse/", {"received_on": "2026-05-25", "rows": _LIST})
    assert sent.status_code == 302
    (listed,) = _filings("cmrr").standing(Kind.TRANSFER_LIST)
    assert listed.body["rows"][0] == {"name": "Maria Inventada", "amount_brl": "20000.00"}
    for other in ("bolsa", "committee", SERRA, "agency", ""):
        seen = _filings(other)
        assert not seen.standing(Kind.TRANSFER_LIST), other
        every = [one.body for kind in Kind for one in seen.standing(kind)]
        assert "Inventad" not in json.dumps(every, ensure_ascii=False), other
    (summed,) = _filings("bolsa").standing(Kind.TRANSFER, period="2026-T1")
    assert summed.body["passed_on_brl"] == summed.body["least_to_members_brl"] == "39056.61"
    assert summed.body["members"] == 2
    assert "a 2 pessoas" in _text(vale.get("/bolsa/2026/1/"))
    assert "Maria Inventada; 20.000,00" in vale.get("/bolsa/2026/1/repasse/").content.decode()
    serra = browser_of(_person("serra", SERRA), verified=False)
    stranger = browser_of()
    for browser in (serra, stranger):
        for address in (
            "/bolsa/2026/1/",
            "/bolsa/2026/1/repasse/",
            "/bolsa-reciclagem/",
            "/bolsa-reciclagem/2026/1/",
        ):
            assert "Inventad" not in browser.get(address).content.decode()


def test_a_list_that_is_corrected_keeps_what_arrived(quarter: dict[str, Any], vale: Any) -> None:
    data = {"received_brl": "1.000,00", "received_on": "2026-05-25", "rows": "Maria Inventada; 900,00"}
    assert vale.post("/bolsa/2026/1/repasse/", data).status_code == 302
    again = vale.get("/bolsa/2026/1/repasse/").content.decode()
    assert 'value="1.000,00"' in again
    assert vale.post("/bolsa/2026/1/repasse/", {**data, "received_brl": ""}).status_code == 400


def test_a_cent_below_nine_tenths_is_told(quarter: dict[str, Any], vale: Any) -> None:
    _granted(quarter)
    rows = _LIST.replace("19.056,61", "19.056,60")
    vale.post("/bolsa/2026/1/repasse/", {"received_on": "2026-05-25", "rows": rows})
    text = _text(vale.get("/bolsa/2026/1/"))
    assert "B03" in text
    assert "Faltam R$ 0,01" in text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"rows": "Maria 20"}, "Linha 1: esperado nome"),
        ({"rows": "Maria; 20\nJosé; vinte"}, "Linha 2: o valor é em reais"),
        ({"rows": ""}, "ao menos uma linha"),
        ({"rows": "Maria; 43.396,24"}, "passa do que chegou"),
        ({"rows": _LIST, "received_on": ""}, "O dia em que o dinheiro chegou"),
    ],
)
def test_a_list_that_does_not_add_up_is_told(
    quarter: dict[str, Any], vale: Any, data: dict[str, str], said: str
) -> None:
    _granted(quarter)
    answer = vale.post("/bolsa/2026/1/repasse/", {"received_on": "2026-05-25", **data})
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not _filings("cmrr").standing(Kind.TRANSFER_LIST)


def test_the_list_of_the_last_grant_opens_the_next(quarter: dict[str, Any], vale: Any) -> None:
    _granted(quarter)
    later = {**quarter, "quarter": 2}
    _file(*[one for one in drafts(later) if one.subject.kind is Kind.QUARTER])
    assert "relação de repasses" in _text(vale.get("/bolsa/2026/2/"))
    vale.post("/bolsa/2026/1/repasse/", {"received_on": "2026-05-25", "rows": _LIST})
    assert "relação de repasses" not in _text(vale.get("/bolsa/2026/2/"))


# ── for everybody ────────────────────────────────────────────────────────────────────────────────────


def test_everybody_reads_sums_and_takes_them_along(quarter: dict[str, Any]) -> None:
    stranger = browser_of()
    assert "Ainda nada foi concedido" in _text(stranger.get("/bolsa-reciclagem/2026/1/"))
    _granted(quarter)
    page = _text(stranger.get("/bolsa-reciclagem/"))
    assert "1º trimestre de 2026" in page
    assert "R$ 100.000,00" in page
    one = _text(stranger.get("/bolsa-reciclagem/2026/1/"))
    assert "não se mostra" in one, "of two sellers each would know what the other sold"
    for address in ("/bolsa-reciclagem/", "/bolsa-reciclagem/2026/1/"):
        for kind in ("csv", "json"):
            answer = stranger.get(address, {"baixar": kind})
            assert answer.status_code == 200
            assert "Vale" not in answer.content.decode()
            assert VALE not in answer.content.decode()
    rows = json.loads(stranger.get("/bolsa-reciclagem/2026/1/?baixar=json").content)
    assert {row["organizacoes"] for row in rows} == {"2"}
    assert stranger.get("/bolsa-reciclagem/2026/2/").status_code == 404
    assert stranger.get("/bolsa/").status_code == 302
