"""`lastro hub`, from the keys of each role to the proof that the agency checks."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lastro.cli import app, hub_files, hub_proofs, hub_rounds
from lastro.connectors.hub import HttpWire
from lastro.hub.closing import Closing, close
from lastro.hub.hub import Hub
from lastro.hub.keeper import Keeper, key_of
from lastro.ids import cnpj_check_digits
from lastro.stores.postgres import Store
from lastro.stores.postgres.hub import PostgresHub, PostgresKeeper
from lastro.units import Mass
from lastro.web.hub_door import Door
from tests.conftest import fresh_base
from tests.custody.test_settle import A, B, key
from tests.hub.test_custody import _claim
from tests.hub.test_door import Inside
from tests.hub.worlds import DAY

VERIFIER = "ZZVERI01" + "0001" + cnpj_check_digits("ZZVERI010001")


class Party:
    """Somebody with a folder and a base of their own."""

    def __init__(self, folder: Path, base: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.base, self._patch = folder, base, monkeypatch
        folder.mkdir()
        self.store = Store(base.conninfo())

    def __call__(self, *words: str, exit: int = 0) -> str:
        self._patch.setenv("DATABASE_URL", self.base.url())
        self._patch.setenv("LASTRO_OWNER_URL", self.base.url("lastro_owner"))
        asked = ["--data", str(self.folder), "--today", DAY.isoformat(), "hub", *words]
        answer = CliRunner().invoke(app, asked, standalone_mode=False)
        assert answer.exception is None, (answer.output, answer.exception)
        assert answer.return_value == exit, answer.output
        return answer.output


@pytest.fixture
def parties(base: Any, pg_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    with fresh_base(pg_server) as other:
        both = Party(tmp_path / "a", base, monkeypatch), Party(tmp_path / "b", other, monkeypatch)
        yield both
        for one in both:
            one.store.close()


def _roster(a: Party, b: Party, tmp: Path) -> Path:
    """All roles but one entity are the first party's; both adopt one roster."""
    pieces = []
    for party, role, name in (
        (a, "hub", "centro"), (a, "keeper", "orgao"), (a, "verifier", VERIFIER), (a, "member", A),
        (b, "member", B),
    ):  # fmt: skip
        piece = tmp / f"{role}-{name}.json"
        eras = ["--era", "2026"] if role == "keeper" else []
        party("join", "--as", role, "--name", name, *eras, "--out", str(piece))
        assert "secret" not in piece.read_text()
        pieces.append(str(piece))
    path = tmp / "rol.json"
    sizes = ["--size", "4", "--pace", "1", "--out", str(path)]
    said = a("roster", *pieces, "--origin", "centro.example/1", *sizes)
    assert said.splitlines()[-1] in b("roster", "--take", str(path))
    return path


def _line(a: Party) -> Inside:
    made = hub_files.own_roster(a.folder)
    hub = Hub(made, secret=hub_files.role_of(a.folder, "hub").secrets["signs"], shelf=PostgresHub(a.store))
    role = hub_files.role_of(a.folder, "keeper")
    keeper = Keeper(
        made, signs=role.secrets["signs"], secrets={"2026": key_of(role.secrets["seed"], "2026")},
        shelf=PostgresKeeper(a.store), draw=os.urandom,
    )  # fmt: skip
    doors = {
        "hub": Door(made, today=lambda: DAY, hub=hub),
        "orgao": Door(made, today=lambda: DAY, keeper=keeper),
    }
    line = Inside(doors)
    line.hub = hub  # type: ignore[attr-defined]
    return line


def test_the_whole_way(parties: tuple[Party, Party], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = parties
    _roster(a, b, tmp_path)
    line: Any = _line(a)
    wire = HttpWire(line, hub="https://hub", keepers={"orgao": "https://orgao"})
    for module in (hub_rounds, hub_proofs):
        monkeypatch.setattr(module, "wire_to", lambda address, keepers: wire)
    _claim(a.store, A, mass=None)
    _claim(b.store, B, mass=Mass(1))
    for party, entity in ((a, A), (b, B)):
        out = party("send", "--entity", entity, "--hub", "https://hub", exit=1)
        assert "1 feitos, 1 enviados, 0 respondidos" in out
        assert "Espera: hub: " in out
    line.hub.close(day=DAY)
    for party, entity in ((a, A), (b, B)):
        told = json.loads(party("send", "--entity", entity, "--hub", "https://hub", "--json"))
        assert (told["made"], told["sent"], told["heard"], told["met"]) == (0, 0, 1, 1)
    dossier, opened, proof = (tmp_path / name for name in ("dossie.json", "aberto.json", "prova.json"))
    assert key(1) in b("matches", "--entity", B, "--out", str(dossier))
    assert dossier.stat().st_mode & 0o077 == 0
    shown = json.loads(a("open", str(dossier), "--out", str(opened), "--json", exit=1))
    assert (shown["fit"], shown["line_mg"], shown["asked_mg"]) == ("exceeds", 1000, {A: 1000, B: 1})
    assert "1 itens mudaram" in b("settle", str(opened), "--entity", B)
    assert "0 itens mudaram" in b("settle", str(opened), "--entity", B)
    assert "Prova gravada" in b("prove", str(opened), f"{key(1)}/1", "--entity", B, "--out", str(proof))
    said = a("check", str(proof))
    assert "não cabem no item" in said
    assert "0,000001" in said
    bent = json.loads(proof.read_text())
    bent["line"]["line"] = 2
    proof.write_text(json.dumps(bent))
    assert "Não prova" in a("check", str(proof), exit=1)


def test_two_closings_that_differ_accuse_the_hub(parties: tuple[Party, Party], tmp_path: Path) -> None:
    a, b = parties
    _roster(a, b, tmp_path)
    secret = hub_files.role_of(a.folder, "hub").secrets["signs"]
    files = []
    for name in ("x", "y"):
        one: Closing = close(
            secret,
            origin="centro.example/1",
            size=3,
            roots=(name.encode() * 32, b"m" * 32),
            day=DAY.isoformat(),
        )
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text(one.note, "utf-8")
    assert "Iguais" in b("compare", str(files[0]), str(files[0]))
    assert "prova-contra-o-centro-split" in b("compare", str(files[0]), str(files[1]), exit=1)
    (evidence,) = (b.folder / "hub").glob("prova-contra-*.json")
    assert "mentiu" in a("accuse", str(evidence))
    evidence.write_text(evidence.read_text().replace('"split"', '"hidden"'))
    assert "Não prova" in a("accuse", str(evidence), exit=1)


def test_what_is_missing_is_said(parties: tuple[Party, Party], tmp_path: Path) -> None:
    a, b = parties
    assert "rol" in str(_error(a, "send", "--entity", A, "--hub", "https://hub"))
    assert "anos" in str(_error(a, "join", "--as", "keeper", "--name", "orgao"))
    _roster(a, b, tmp_path)
    assert "lastro hub join" in str(_error(b, "serve"))
    assert "NOME=ENDEREÇO" in str(_error(a, "send", "--entity", A, "--hub", "https://h", "--keeper", "orgao"))
    assert "endereço do centro" in str(_error(a, "send", "--entity", A))
    assert "não se lê" in str(_error(a, "open", str(tmp_path / "nada.json")))
    (tmp_path / "outro.json").write_text("{}")
    assert "dossiê" in str(_error(a, "open", str(tmp_path / "outro.json")))
    assert "participante" not in str(_error(a, "roster", str(tmp_path / "outro.json"), "--origin", "x"))


def _error(party: Party, *words: str) -> Exception:
    from lastro.errors import LastroError

    party._patch.setenv("DATABASE_URL", party.base.url())
    party._patch.setenv("LASTRO_OWNER_URL", party.base.url("lastro_owner"))
    asked = ["--data", str(party.folder), "hub", *words]
    answer = CliRunner().invoke(app, asked)
    assert isinstance(answer.exception, LastroError), (answer.output, answer.exception)
    return answer.exception
