"""Something new known gives a new verdict, and the ledger follows (decision 3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.walk.conftest import Typist, entities

pytestmark = pytest.mark.walk


def test_notes_entered_before_trust_and_registry_count_once_these_are_known(
    world: Path, tmp_path: Path
) -> None:
    late, plain = Typist(tmp_path / "late"), Typist(tmp_path / "plain")
    entity = entities(world)[0]
    late.type(*late.enter_words(world, entity), codes=(0, 1))
    assert late.standing()[0] == []
    late.set_up(world)
    plain.set_up(world)
    plain.type(*plain.enter_words(world, entity), codes=(0, 1))
    assert late.standing() == plain.standing()
    assert len(plain.standing()[0]) > 20
    late.type("audit")


def test_a_vetting_that_ends_takes_the_lots_back_and_says_so(world: Path, tmp_path: Path) -> None:
    typist = Typist(tmp_path)
    typist.set_up(world)
    entity = entities(world)[0]
    typist.type(*typist.enter_words(world, entity), codes=(0, 1))
    before = typist.standing()[0]
    registry = json.loads((world / "cadastro.json").read_text())
    struck = next(v["operator"] for v in registry["vettings"] if v["entity"] == entity)
    rows = [{**v, "licence_ok": False} for v in registry["vettings"] if v["operator"] == struck]
    changed = tmp_path / "mudanca.json"
    changed.write_text(json.dumps({"vettings": rows}))
    said = typist.type("registry", "load", changed)
    assert "julgados de novo" in said
    after = typist.standing()[0]
    assert {x[0] for x in before} > {x[0] for x in after}
    assert all(struck in x[0] for x in set(before) - set(after))
    typist.type("registry", "load", world / "cadastro.json")
    assert typist.standing()[0] == before
    typist.type("audit")


def test_the_same_files_again_give_the_earlier_answer(world: Path, tmp_path: Path) -> None:
    typist = Typist(tmp_path)
    typist.set_up(world)
    words = typist.enter_words(world, entities(world)[1])
    first = _answers(typist, words)
    again = _answers(typist, words)
    assert first.keys() == again.keys()
    for key, (verdict, codes) in first.items():
        kept = "F01" not in codes  # what runs is let go, so that nobody can know it again
        assert again[key] == (verdict, codes | {"F11"} if kept else codes)


def _answers(typist: Typist, words: list[str | Path]) -> dict[tuple[str, str, str], tuple[str, set[str]]]:
    lines = typist.type(*words, "--json", codes=(0, 1)).splitlines()
    return {
        (row["file"], row["member"], row["access_key"]): (
            row["verdict"],
            {f["code"] for f in row["findings"]},
        )
        for row in map(json.loads, lines)
    }
