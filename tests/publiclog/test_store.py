"""Moves of certificates come into the log once, whatever is cut off; the verbs prove, watch and recount."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from lastro.publiclog.leaves import MOVES, Policy, wrong
from lastro.publiclog.notes import read, signs
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates
from lastro.stores.postgres.public_log import PublicLog
from tests.certificates.conftest import lastro  # noqa: F401 (a fixture)
from tests.certificates.worlds import authorise, issue, prepare
from tests.exit.test_export import fill
from tests.publiclog.test_watch import LOG, ORIGIN, secret


def draw(size: int) -> bytes:
    return hashlib.sha256(b"salt").digest()[:size]


def told(store: Store) -> list[tuple[str, str]]:
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT certificate, move FROM certificate_move WHERE move = ANY (%s)", [sorted(MOVES)]
        ).fetchall()
    return sorted((str(c), str(m)) for c, m in rows)


def test_each_move_that_is_told_has_one_leaf(store: Store) -> None:
    fill(store)
    log = PublicLog(store, ORIGIN)
    assert log.checkpoint() == ""
    note = log.integrate(secret(ORIGIN), draw)
    assert log.integrate(secret(ORIGIN), draw) == note == log.checkpoint()
    moves = told(store)
    assert {move for _, move in moves} == {"issue", "split", "retire", "cancel"}
    assert read(note).size == len(log.leaves(read(note).size)) == len(moves)
    assert signs(note, LOG)
    found = [proof for name in {c for c, _ in moves} for proof in log.proofs(name)]
    assert sorted((p.fields["certificate"], p.fields["move"]) for p in found) == moves
    assert [wrong(proof, Policy(LOG)) for proof in found] == [""] * len(moves)
    plain = b"".join(log.leaves(len(moves)))
    for proof in found:
        for name in ("number", "holder", "entity"):
            assert str(proof.fields[name]).encode() not in plain, "what is confidential is only committed to"


def test_what_comes_later_is_added_and_what_was_cut_off_is_not_there(store: Store) -> None:
    fill(store)
    log, book = PublicLog(store, ORIGIN), Certificates(store)
    first = log.integrate(secret(ORIGIN), draw)
    before = log.leaves(read(first).size)
    assert isinstance(prepare(book, "n", entity=told_entity(store)), dict)
    assert isinstance(authorise(book, "n"), dict)
    assert isinstance(issue(book, "n"), dict)

    def dies(size: int) -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        log.integrate(secret(ORIGIN), dies)
    assert log.checkpoint() == first
    later = log.integrate(secret(ORIGIN), draw)
    assert log.leaves(len(before)) == before
    assert read(later).size == len(before) + 1


def told_entity(store: Store) -> str:
    with store.snapshot() as db:
        row = db.execute("SELECT entity FROM certificate LIMIT 1").fetchone()
    assert row is not None
    return str(row[0])


def test_the_verbs_from_the_key_to_the_proof_of_a_lie(
    store: Store,
    lastro: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    fill(store)
    assert "lastro log begin" in lastro("log", "close", code=2)
    key = lastro("log", "begin", "--origin", ORIGIN).strip()
    assert "outra pasta" in lastro("log", "begin", "--origin", "outro.example", code=2)
    assert "lastro log close" in lastro("log", "files", tmp_path / "www", code=2)
    lastro("log", "close")
    assert "folhas em" in lastro("log", "files", tmp_path / "www")
    log = ("--log", key)
    seen = tmp_path / "visto.txt"
    watching = ("witness", tmp_path / "www", *log, "--name", "federacao.example", "--out", seen)
    witness_key = lastro(*watching).splitlines()[-1].rpartition(" ")[2]
    number = store_number(store)
    proofs = tmp_path / "provas.json"
    assert "provas em" in lastro("log", "prove", number, "--out", proofs)
    asked = ("log", "check", proofs, *log, "--witness", witness_key, "--needed", 1)
    assert "testemunhas" in lastro(*asked, code=1)
    assert f"issue de {number}" in lastro(*asked, "--note", seen)
    bent = json.loads(proofs.read_text("utf-8"))
    bent[0]["fields"]["mass_mg"] += 1
    proofs.write_text(json.dumps(bent), "utf-8")
    assert "Não prova" in lastro("log", "check", proofs, *log, code=1)
    assert "nenhuma se repete" in lastro("monitor", tmp_path / "www", *log, "--seen", seen)
    tile = next(iter(sorted((tmp_path / "www" / "tile" / "0").iterdir())))
    file = next(tile.iterdir()) if tile.is_dir() else tile
    file.write_bytes(bytes(32) + file.read_bytes()[32:])
    assert "A prova está em" in lastro(*watching, code=1)
    assert "não é o que as folhas dão" in lastro("monitor", tmp_path / "www", *log, code=1)
    assert "não respondeu" in lastro("monitor", tmp_path / "nada", *log, code=2)
    assert "chave pública" in lastro("monitor", tmp_path / "www", "--log", "x", code=2)


def store_number(store: Store) -> str:
    with store.snapshot() as db:
        row = db.execute(
            "SELECT n.number FROM certificate_number n JOIN certificate_move m USING (certificate)"
            " WHERE m.move = 'issue' ORDER BY n.number LIMIT 1"
        ).fetchone()
    assert row is not None
    return str(row[0])
