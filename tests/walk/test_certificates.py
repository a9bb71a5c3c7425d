"""From signed notes to a signed certificate, and what a cancellation does that arrives too late."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from lastro.sample.events import Event, event_file
from lastro.sample.world import make_bench
from tests.walk.conftest import NORM, YEAR, Typist

pytestmark = pytest.mark.walk


def test_a_cancellation_after_issue_and_one_after_use(world: Path, tmp_path: Path) -> None:
    typist, registry = Typist(tmp_path / "data"), json.loads((world / "cadastro.json").read_text())
    typist.set_up(world)
    typist.type("law", "load", NORM, "targets", world / "metas_ilustrativas.csv")
    bench = make_bench(7, 60)  # the world's own people and keys
    entity = bench.entity(0)
    buyer = next(m["establishment"] for m in registry["members"] if m["entity"] == entity.cnpj)
    (declared,) = (world / "declaracoes").glob(f"{buyer[:8]}.*")
    typist.type("declare", declared, "--company", buyer)

    notes = [
        bench.draft(entity, family="glass", issued=dt.datetime(2026, 2, n, 9, 30).astimezone(dt.UTC))
        for n in (3, 4)
    ]
    folder = tmp_path / "notas"
    folder.mkdir()
    for note in notes:
        (folder / f"{note.key}.xml").write_bytes(bench.seal(note).data())
    typist.type(*typist.enter_words(world, entity.cnpj, folder), codes=(0, 1))
    verifier = next(c["verifier"] for c in registry["contracts"] if c["entity"] == entity.cnpj)
    typist.type("homologate", "--verifier", verifier, "--entity", entity.cnpj, "--year", YEAR)

    made, used = {}, {}
    for note in notes:  # one certificate on all of the glass of each note, oldest first
        kg = sum(x["mass_mg"] for x in typist.rows("lots") if note.key in x["account"]) // 1_000
        used[note.key] = kg * 1_000
        (made[note.key],) = typist.rows(
            *("issue", "--entity", entity.cnpj, "--to", buyer, "--material", "glass", "--year", YEAR),
            *("--kg", f"{kg // 1000}.{kg % 1000:03d}000", "--investment", "10.00", "--id", f"v{note.key}"),
        )
    typist.type("retire", "--certificate", f"v{notes[0].key}")
    for note in notes:
        checked = typist.rows("certificate", "verify", made[note.key]["file"])[0]
        assert checked["holds"], checked
        assert {lot["access_key"] for lot in checked["certificate"]["lots"]} == {note.key}

    late = tmp_path / "tarde"
    late.mkdir()
    for note in notes:
        event = Event(
            note, 110111, note.authorised + dt.timedelta(hours=20), "Venda desfeita entre as partes"
        )
        signer = bench.wallet.signer(note.issuer, event.when)
        (late / f"{note.key}-can.xml").write_bytes(event_file(event, signer))
    before = _positions(typist, buyer[:8])
    typist.type(*typist.enter_words(world, entity.cnpj, late), codes=(0, 1))

    for note in notes:
        (shown,) = typist.rows("certificate", "show", f"v{note.key}")
        assert {(d["access_key"], d["reason"]) for d in shown["stale"]} == {(note.key, "N10")}
        assert typist.type("certificate", "verify", made[note.key]["file"], codes=(1,)).count("K11") == 1
    refused = typist.type("retire", "--certificate", f"v{notes[1].key}", "--json", codes=(1,))
    assert json.loads(refused)["refusal"] == "K11"
    after = _positions(typist, buyer[:8])
    glass = {p["material"]: p for p in after}["glass"]
    assert [n["code"] for n in glass["notes"]].count("T04") == 1
    lost = {p["material"]: p["achieved_mg"] - q["achieved_mg"] for p, q in zip(before, after, strict=True)}
    assert {material: mg for material, mg in lost.items() if mg} == {"glass": used[notes[0].key]}
    typist.type("audit")


def _positions(typist: Typist, company: str) -> list[dict[str, Any]]:
    words = ("settle", "--norm", NORM, "--year", YEAR, "--company", company, "--json")
    return [json.loads(line) for line in typist.type(*words, codes=(0, 1)).splitlines()]
