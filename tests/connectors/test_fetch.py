"""`lastro fetch`, typed against services that speak the protocols: what comes stands, and weighs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lastro import trust
from lastro.cli import app
from lastro.cli import fetch as verb
from lastro.evidence.read import read
from lastro.facts import Kind, Reached
from lastro.stores.postgres import fetched
from lastro.stores.postgres.auditing import custody_checks
from tests.connectors import servers
from tests.connectors.servers import PASSWORD, START, Reply, batch, standing
from tests.evidence import vectors
from tests.evidence.vectors import COOP, ENTITY, MILL

NORM = ["--norm", "mt/decreto_1455_2025", "--year", "2026"]
NOTE = vectors.Note()
REGISTRY = {
    "parties": [
        {"cnpj": COOP, "name": "Cooperativa Inventada", "municipality": "5103403", "uf": "MT"},
        {"cnpj": MILL, "name": "Papeleira Inventada", "municipality": "5107602", "uf": "MT"},
        {"cnpj": ENTITY, "name": "Entidade Inventada", "municipality": "5103403", "uf": "MT"},
    ],
    "roles": [
        {"cnpj": COOP, "role": "operator", "origin": "picker_entity", "from": "2025-01-01"},
        {"cnpj": MILL, "role": "recycler", "from": "2025-01-01"},
        {"cnpj": ENTITY, "role": "managing_entity", "from": "2025-01-01"},
    ],
    "vettings": [
        {
            **{"operator": COOP, "entity": ENTITY, "from": "2025-06-01", "to": "2028-12-31"},
            **dict.fromkeys(("cnpj_ok", "registrations_ok", "licence_ok", "permit_ok"), True),
        }
    ],
}


class Desk:
    """Types verbs on one data folder."""

    def __init__(self, data: Path, folder: Path, store: Any) -> None:
        self.data, self.folder, self.store = data, folder, store
        self.p12 = folder / "empresa.p12"
        self.p12.write_bytes(servers.p12())

    def type(self, *words: str | Path) -> Result:
        line = ["--data", str(self.data), "--today", vectors.TODAY.isoformat(), *map(str, words)]
        return CliRunner().invoke(app, line, standalone_mode=False)

    def rows(self, *words: str | Path, code: int = 0) -> list[dict[str, Any]]:
        done = self.type(*words, "--json")
        assert done.exception is None, done.exception
        assert done.return_value == code, done.output
        return [json.loads(line) for line in done.stdout.splitlines()]

    def enter(self, data: bytes, name: str = "nota.xml") -> dict[str, Any]:
        path = self.folder / name
        path.write_bytes(data)
        done = self.type("enter", path, "--entity", ENTITY, *NORM, "--workers", "1", "--json")
        assert done.exception is None, done.exception
        return json.loads(done.stdout.splitlines()[-1])

    def status(self, service: servers.Service, *words: str, code: int = 0) -> list[dict[str, Any]]:
        asked = ["fetch", "status", *words, "--p12", self.p12, "--address", service.url]
        return self.rows(*asked, code=code)

    def nfe(self, service: servers.Service, *words: str | Path, code: int = 0) -> list[dict[str, Any]]:
        asked = ["fetch", "nfe", "--entity", ENTITY, "--p12", self.p12, "--address", service.url, *words]
        return self.rows(*asked, code=code)

    def masses(self) -> int:
        return sum(lot.mass.mg for lot in self.store.lots(entity=ENTITY))


@pytest.fixture
def desk(
    data: Path,
    tmp_path: Path,
    store: Any,
    time: servers.FakeTime,
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("LASTRO_P12_PASSWORD", PASSWORD)
    monkeypatch.setattr(verb, "_clock", lambda: time.clock)
    for number, der in enumerate(vectors.TRUST):
        trust.add(data / "trust", f"{number}.der", der, kind="test", today=vectors.TODAY)
    made = Desk(data, tmp_path, store)
    (tmp_path / "cadastro.json").write_text(json.dumps(REGISTRY))
    assert made.type("registry", "load", tmp_path / "cadastro.json").return_value == 0
    return made


def codes(row: dict[str, Any]) -> set[str]:
    return {f["code"] for f in row["findings"]}


def digest() -> str:
    found = re.search(rb"<digVal>([^<]+)</digVal>", vectors.authorised())
    assert found
    return found.group(1).decode()


# ── the standing of keys ─────────────────────────────────────────────────────────────────────────────


def test_an_answer_of_sefaz_confirms_a_note_and_nothing_moves(desk, sefaz):
    before = desk.enter(vectors.authorised())
    assert (before["verdict"], before["status_source"], codes(before)) == ("admitted", "file", {"N18"})
    held = desk.masses()
    assert held == 1_250_000_000
    sefaz.in_turn(Reply(standing(NOTE.access_key, digest=digest())))
    (row,) = desk.status(sefaz, NOTE.access_key)
    assert row == {
        "access_key": NOTE.access_key,
        "status": "authorised",
        "status_source": "sefaz",
        "cstat": "100",
        "reason": "Situação 100",
        "asked_at": START.isoformat(),
        "problem": None,
    }
    after = desk.enter(vectors.authorised())
    assert (after["verdict"], after["status_source"], codes(after)) == ("admitted", "sefaz", {"F11"})
    assert desk.masses() == held
    assert not [c for c in custody_checks(desk.store) if c.failed]


def test_a_note_that_sefaz_calls_cancelled_falls_whatever_its_file_says(desk, sefaz):
    desk.enter(vectors.authorised())
    sefaz.in_turn(Reply(standing(NOTE.access_key, "101")))
    (row,) = desk.status(sefaz, NOTE.access_key, code=1)
    assert (row["status"], row["status_source"]) == ("cancelled", "sefaz")
    assert desk.masses() == 0
    again = desk.enter(vectors.authorised())
    assert (again["verdict"], again["status"]) == ("refused", "cancelled")
    assert "N10" in codes(again)
    assert "N18" not in codes(again)
    assert not [c for c in custody_checks(desk.store) if c.failed]


def test_a_cancellation_known_before_the_note_comes_counts_too(desk, sefaz):
    sefaz.in_turn(Reply(standing(NOTE.access_key, "151")))
    desk.status(sefaz, NOTE.access_key, code=1)
    assert "N10" in codes(desk.enter(vectors.authorised()))
    assert desk.masses() == 0


def test_another_content_than_the_authorised_one_does_not_count(desk, sefaz):
    desk.enter(vectors.authorised())
    sefaz.in_turn(Reply(standing(NOTE.access_key, digest="AAAAAAAAAAAAAAAAAAAAAAAAAAA=")))
    desk.status(sefaz, NOTE.access_key)
    assert desk.masses() == 0
    assert "N08" in codes(desk.enter(vectors.authorised()))


def test_a_note_that_was_not_there_yet_comes_back(desk, sefaz, time):
    desk.enter(vectors.authorised())
    sefaz.in_turn(Reply(standing(NOTE.access_key, "217")))
    desk.status(sefaz, NOTE.access_key, code=1)
    assert desk.masses() == 0
    time.sleep(3600)
    sefaz.in_turn(Reply(standing(NOTE.access_key, digest=digest())))
    desk.status(sefaz, NOTE.access_key)
    assert desk.masses() == 1_250_000_000
    assert not [c for c in custody_checks(desk.store) if c.failed]


def test_sefaz_ends_a_contest_between_two_contents_of_one_key(desk, sefaz):
    other = vectors.authorised(vectors.Note(items=[vectors.Item(quantity="2000.0000", value="1200.00")]))
    desk.enter(vectors.authorised())
    assert "N15" in codes(desk.enter(other, "outra.xml"))
    assert desk.masses() == 0
    sefaz.in_turn(Reply(standing(NOTE.access_key, digest=digest())))
    desk.status(sefaz, NOTE.access_key)
    assert desk.masses() == 1_250_000_000
    assert codes(desk.enter(other, "outra.xml")) == {"F11", "N08"}
    assert codes(desk.enter(vectors.authorised())) == {"F11"}
    assert not [c for c in custody_checks(desk.store) if c.failed]


def test_the_same_answer_in_a_file_weighs_nothing(desk):
    desk.enter(vectors.authorised())
    row = desk.enter(standing(NOTE.access_key, "101").encode(), "resposta.xml")
    assert (row["kind"], codes(row)) == ("answer", {"N01"})
    assert desk.masses() == 1_250_000_000
    assert codes(desk.enter(vectors.authorised())) == {"F11", "N18"}


def test_the_notes_of_an_entity_that_nobody_asked_about_are_asked_about_once(desk, sefaz):
    desk.enter(vectors.authorised())
    sefaz.in_turn(Reply(standing(NOTE.access_key, digest=digest())))
    assert len(desk.status(sefaz, "--entity", ENTITY)) == 1
    assert desk.status(sefaz, "--entity", ENTITY) == []
    assert len(sefaz.asked) == 1


def test_a_service_that_is_down_or_locks_out_is_left_alone(desk, sefaz):
    keys = [vectors.Note(number=n).access_key for n in (1, 2, 3)]
    sefaz.in_turn(Reply(standing(keys[0], digest="x=")), Reply(standing(keys[1], "656")))
    rows = desk.status(sefaz, *keys, code=1)
    assert len(sefaz.asked) == 2
    by_key = {row["access_key"]: row for row in rows}
    assert by_key[keys[0]]["status_source"] == "sefaz"
    assert all("consumo indevido" in by_key[key]["problem"] for key in keys[1:])


def test_a_lock_out_is_respected_by_the_next_call_and_ends(desk, sefaz, time):
    sefaz.in_turn(Reply(standing(NOTE.access_key, "656")), Reply(standing(NOTE.access_key, digest="x=")))
    desk.status(sefaz, NOTE.access_key, code=1)
    (row,) = desk.status(sefaz, NOTE.access_key, code=1)
    assert "a partir de 30/11/2026 13:00 UTC" in row["problem"]
    assert len(sefaz.asked) == 1
    time.sleep(3600)
    assert desk.status(sefaz, NOTE.access_key)[0]["status"] == "authorised"


def test_one_strange_answer_does_not_hold_the_others_up(desk, sefaz):
    keys = [vectors.Note(number=n).access_key for n in (1, 2)]
    sefaz.in_turn(Reply(standing("5" * 44)), Reply(standing(keys[1], digest="x=")))
    rows = desk.status(sefaz, *keys, code=1)
    assert {row["access_key"]: bool(row["problem"]) for row in rows} == {keys[0]: True, keys[1]: False}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Diga as chaves"),
        (["123"], "não é uma chave"),
        ([NOTE.access_key[:43] + str((int(NOTE.access_key[43]) + 1) % 10)], "dígito verificador"),
        ([vectors.Note(model="65").access_key], "modelo 65"),
    ],
)
def test_what_is_no_key_is_not_asked_about(desk, sefaz, words, said):
    done = desk.type("fetch", "status", *words, "--p12", desk.p12, "--address", sefaz.url)
    assert said in str(done.exception)
    assert sefaz.asked == []


# ── who may answer ───────────────────────────────────────────────────────────────────────────────────


def test_a_test_never_asks_a_real_service(desk):
    done = desk.type("fetch", "status", NOTE.access_key, "--p12", desk.p12)
    assert "raízes de teste" in str(done.exception)


def test_a_real_store_asks_only_where_the_table_says(desk, sefaz):
    for path in (desk.data / "trust").iterdir():
        path.rename(path.with_name(path.name.replace("test-", "real-")))
    done = desk.type("fetch", "status", NOTE.access_key, "--p12", desk.p12, "--address", sefaz.url)
    assert "só vale num depósito de teste" in str(done.exception)
    assert sefaz.asked == []


def test_an_address_without_tls_is_refused(desk):
    done = desk.type("fetch", "status", NOTE.access_key, "--p12", desk.p12, "--address", "http://127.0.0.1:1")
    assert "https://" in str(done.exception)


def test_a_server_under_another_authority_gives_no_answer(desk, tmp_path):
    folder = tmp_path / "outra"
    folder.mkdir()
    with servers.service(folder, issuer="Raiz falsa", client=False) as running:
        (row,) = desk.status(running, NOTE.access_key, code=1)
    assert "não confere" in row["problem"]
    assert fetched.unconfirmed(desk.store, entity=ENTITY, most=1) == []


def test_a_p12_that_is_not_there_or_of_another_password(desk, sefaz, monkeypatch):
    done = desk.type("fetch", "status", NOTE.access_key, "--p12", desk.folder / "nada.p12")
    assert "nada.p12" in str(done.exception)
    monkeypatch.setenv("LASTRO_P12_PASSWORD", "errada-mesmo")
    done = desk.type("fetch", "status", NOTE.access_key, "--p12", desk.p12, "--address", sefaz.url)
    assert "senha está errada" in str(done.exception)
    assert "errada-mesmo" not in str(done.exception) + done.output


# ── documents ────────────────────────────────────────────────────────────────────────────────────────

RESUME = f'<resNFe xmlns="{servers.NFE}" versao="1.01"><chNFe>{NOTE.access_key}</chNFe></resNFe>'.encode()
PACKETS = (
    (1, "resNFe_v1.01.xsd", RESUME),
    (2, "procNFe_v4.00.xsd", vectors.authorised()),
    (3, "procEventoNFe_v1.00.xsd", vectors.event(vectors.Note(number=9).access_key)),
    (4, "resEvento_v1.01.xsd", b'<resEvento xmlns="http://www.portalfiscal.inf.br/nfe"/>'),
)
END = START.replace(hour=13).isoformat()


def test_documents_come_into_a_folder_each_told_apart(desk, sefaz):
    sefaz.in_turn(Reply(batch(*PACKETS, last=4, highest=4)))
    out = desk.folder / "chegaram"
    (told,) = desk.nfe(sefaz, "--out", out)
    assert told == {
        "establishment": ENTITY,
        "brought": {"procEventoNFe": 1, "procNFe": 1, "resEvento": 1, "resNFe": 1},
        "last_nsu": 4,
        "highest_nsu": 4,
        "missing": [],
        "not_before": END,
    }
    found = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
    assert found == {f"nsu-{nsu:015d}-{schema.split('_')[0]}.xml": data for nsu, schema, data in PACKETS}
    kinds = [read(data)[0].kind for data in found.values()]
    assert kinds == [Kind.SUMMARY, Kind.NFE, Kind.EVENT, Kind.SUMMARY]


def test_documents_come_straight_in_and_count(desk, sefaz):
    sefaz.in_turn(Reply(batch(*PACKETS, last=4, highest=4)))
    *rows, told = desk.nfe(sefaz, *NORM, code=1)
    assert {row["kind"]: row["verdict"] for row in rows} == {
        "summary": "refused",
        "nfe": "admitted",
        "event": "admitted",
    }
    assert desk.masses() == 1_250_000_000
    assert told["last_nsu"] == 4
    assert fetched.position(desk.store, ENTITY, environment="1").last_nsu == 4


def test_the_next_call_goes_on_where_the_last_one_stood(desk, sefaz, time):
    sefaz.in_turn(Reply(batch(*PACKETS[:2], last=2, highest=2)))
    out = desk.folder / "chegaram"
    desk.nfe(sefaz, "--out", out)
    (told,) = desk.nfe(sefaz, "--out", out, code=1)
    assert (told["brought"], told["not_before"]) == ({}, END)
    assert len(sefaz.asked) == 1
    time.sleep(3600)
    sefaz.in_turn(Reply(batch(*PACKETS[2:], last=4, highest=4)))
    desk.nfe(sefaz, "--out", out)
    assert "<ultNSU>000000000000002</ultNSU>" in sefaz.asked[1].body
    assert len(list(out.iterdir())) == 4


def test_what_could_not_be_kept_is_brought_again(desk, sefaz):
    sefaz.in_turn(Reply(batch(*PACKETS, last=4, highest=4)))
    (desk.folder / "arquivo").write_bytes(b"")
    done = desk.type(
        *("fetch", "nfe", "--entity", ENTITY, "--p12", desk.p12),
        *("--address", sefaz.url, "--out", desk.folder / "arquivo" / "x"),
    )
    assert "não se consegue gravar" in str(done.exception)
    assert fetched.position(desk.store, ENTITY, environment="1") == Reached()
    desk.nfe(sefaz, "--out", desk.folder / "chegaram")
    assert len(list((desk.folder / "chegaram").iterdir())) == 4


def test_a_lock_out_is_told_and_remembered(desk, sefaz):
    sefaz.in_turn(Reply(batch(last=0, highest=0, status="656")))
    out = desk.folder / "chegaram"
    done = desk.type(
        *("fetch", "nfe", "--entity", ENTITY, "--p12", desk.p12, "--address", sefaz.url, "--out", out)
    )
    assert done.return_value == 1
    assert "consumo indevido" in done.stderr
    assert "30/11/2026 13:00 UTC" in done.stdout
    desk.nfe(sefaz, "--out", out, code=1)
    assert len(sefaz.asked) == 1


def test_a_broken_packet_is_told_and_the_rest_stands(desk, sefaz):
    broken = (2, "procNFe_v4.00.xsd", servers.zipped(vectors.authorised())[:400])
    sefaz.script = lambda given: Reply(
        batch(broken, last=3, highest=3)
        if "consNSU" in given.body
        else batch(PACKETS[0], broken, PACKETS[2], last=3, highest=3)
    )
    out = desk.folder / "chegaram"
    (told,) = desk.nfe(sefaz, "--out", out, code=1)
    assert told["missing"] == [2]
    assert len(list(out.iterdir())) == 2
    assert fetched.position(desk.store, ENTITY, environment="1").missing == (2,)


def test_documents_of_another_company_are_not_asked_for(desk, sefaz):
    done = desk.type(
        *("fetch", "nfe", "--entity", ENTITY, "--establishment", MILL, "--p12", desk.p12),
        *("--address", sefaz.url, "--out", desk.folder / "x"),
    )
    assert "mesma empresa" in str(done.exception)
    assert sefaz.asked == []


def test_a_person_reads_what_came(desk, sefaz):
    sefaz.in_turn(Reply(batch(*PACKETS, last=4, highest=4)))
    done = desk.type("fetch", "nfe", "--entity", ENTITY, "--p12", desk.p12, "--address", sefaz.url, *NORM)
    assert done.return_value == 1
    for words in ("4 documentos novos", "Último NSU 4, de 4.", "só o resumo", "13:00 UTC", "aceitas"):
        assert words in done.stdout


# ── manifests ────────────────────────────────────────────────────────────────────────────────────────


def envelope(thing: Any, *, wrong: bool = False, message: str = "") -> str:
    return json.dumps({"mensagem": message, "objetoResposta": thing, "totalRecords": None, "erro": wrong})


@pytest.fixture
def sinir(tmp_path: Path):
    folder = tmp_path / "sinir"
    folder.mkdir()
    with servers.service(folder, client=False) as running:

        def script(given: servers.Given) -> Reply:
            if given.path == "/token":
                return Reply(envelope("Bearer acesso"))
            if given.path.endswith("240001234567"):
                return Reply(envelope({"manNumero": "240001234567"}))
            if "/retornaLista" in given.path:
                return Reply(envelope([]))
            return Reply(envelope(None, wrong=True, message="MTR não encontrado"))

        running.script = script
        yield running


def test_manifests_come_into_a_folder(desk, sinir, monkeypatch):
    monkeypatch.setenv("LASTRO_SINIR_TOKEN", "integracao-secreta\n")
    out = desk.folder / "mtr"
    rows = desk.rows(
        *("fetch", "mtr", "240001234567", "240009999999", "--address", sinir.url, "--out", out, "--lists"),
        code=1,
    )
    assert [row.get("number") for row in rows[:2]] == ["240001234567", "240009999999"]
    assert rows[1]["problem"] == "MTR não encontrado"
    assert json.loads((out / "mtr-240001234567.json").read_bytes())["objetoResposta"]
    assert len(list(out.iterdir())) == 7
    assert sinir.asked[0].headers["Authorization"] == "Bearer integracao-secreta"


def test_manifests_need_a_way_in(desk, sinir, monkeypatch):
    for name in ("TOKEN", "USER", "PASSWORD", "UNIT"):
        monkeypatch.delenv(f"LASTRO_SINIR_{name}", raising=False)
    done = desk.type("fetch", "mtr", "240001234567", "--address", sinir.url, "--out", desk.folder / "mtr")
    assert "LASTRO_SINIR_TOKEN" in str(done.exception)
    assert "Diga o número" in str(desk.type("fetch", "mtr", "--out", desk.folder / "mtr").exception)
    assert sinir.asked == []
