"""From a folder of notes to a submitted report, typed; counted again; stale when evidence falls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reports.recount import recount
from tests.walk.conftest import NORM, TODAY, YEAR, Typist, entities, world

__all__ = ["world"]
pytestmark = pytest.mark.walk
UNCHECKED = ("--unchecked", "Nada foi sorteado neste ensaio.")


def walked(typist: Typist, world: Path) -> None:
    """Everything up to the point where a report can be made."""
    typist.set_up(world)
    typist.type("law", "load", NORM, "targets", world / "metas_ilustrativas.csv")
    registry = json.loads((world / "cadastro.json").read_text())
    for entity in entities(world):
        typist.type(*typist.enter_words(world, entity), codes=(0, 1))
        verifier = next(row["verifier"] for row in registry["contracts"] if row["entity"] == entity)
        typist.type("homologate", "--verifier", verifier, "--entity", entity, "--year", YEAR)
    for sheet in sorted((world / "declaracoes").iterdir()):
        company = next((p["cnpj"] for p in registry["parties"] if p["cnpj"].startswith(sheet.stem)), None)
        if company is not None:
            typist.type("declare", sheet, "--company", company)
    rows = (world / "retiradas.csv").read_text().splitlines()
    heads = rows[0].split(",")
    for line in rows[1:]:
        row = dict(zip(heads, line.split(","), strict=True))
        typist.type(
            *("retire", "--from", "lots", "--entity", row["entity"], "--to", row["establishment"]),
            *("--material", row["material"], "--kg", row["kg"], "--year", row["year"]),
            codes=(0, 1),
        )


def masses(report: dict[str, Any]) -> dict[str, int]:
    """Every mass of a report's JSON by its cell, but zeros; targets are not the ledger's and stay apart."""
    return {
        f"{section['key']}/{row['key']}/{name}": cell["mass_mg"]
        for section in report["sections"]
        if section["key"] in ("placed", "recovered", "origins", "geography", "beside", "fallen")
        for row in section["rows"]
        for name, cell in row["cells"].items()
        if cell.get("mass_mg")
    }


def test_reports_of_the_sample_world(world: Path, tmp_path: Path, base: Any) -> None:
    data = tmp_path / "data"
    typist = Typist(data, {"DATABASE_URL": base.url(), "LASTRO_OWNER_URL": base.url("lastro_owner")})
    walked(typist, world)
    registry = json.loads((world / "cadastro.json").read_text())
    for entity in entities(world):
        which = ("--year", YEAR, "--entity", entity)
        verifier = next(row["verifier"] for row in registry["contracts"] if row["entity"] == entity)
        (statement,) = typist.rows("report", "verification", *which, "--verifier", verifier, *UNCHECKED)
        assert statement["number"] == f"DV-{YEAR}-001"
        (made,) = typist.rows("report", "rar-mt", *which)
        counted = recount(base.conninfo("lastro_app"), entity, int(YEAR))
        assert masses(made) == {path: mg for path, mg in counted.items() if mg}
        assert len(masses(made)) > 20
        out = tmp_path / entity
        typist.type("report", "rar-mt", *which, "--submit", "--by", "ana", "--out", out)
        assert sorted(path.suffix for path in out.iterdir()) == [".json", ".pdf", ".xlsx"]
        (kept,) = [json.loads(path.read_text()) for path in out.glob("*.json")]
        assert (kept["status"], kept["version"], kept["digest"]) == ("submitted", 1, made["digest"])
    _a_contest_is_ended(typist, entities(world)[0], tmp_path)
    _an_operator_is_struck_off(typist, world, entities(world)[0], tmp_path)


def _a_contest_is_ended(typist: Typist, entity: str, tmp_path: Path) -> None:
    """A statement tells what collides, and how it ended once two people decided."""
    verifier = next(
        v["verifier"] for v in typist.rows("report", "versions", "--year", YEAR, "--entity", entity)
    )
    words = ("report", "verification", "--year", YEAR, "--entity", entity)
    words = (*words, "--verifier", verifier, *UNCHECKED)
    typist.type(*words, "--out", tmp_path / "before")
    before = _collisions(tmp_path / "before")
    tests = _section(tmp_path / "before", "tests")
    found = {row["key"]: row["cells"]["documents"]["value"] for row in tests["rows"]}
    assert {"C02", "N15"} <= {cells["code"] for cells in before.values()}
    assert min(found["C02"], found["N15"], found["N18"]) > 0
    assert found["F02"] == 0
    lot = next(key for key, cells in before.items() if cells["code"] == "C02" and cells["claimants"] > 1)
    key, _, line = lot.partition(".")
    for who in ("ana", "bia"):
        typist.type("decide", f"{key}/{line}", "--for", entity, "--reason", "contrato exclusivo", "--by", who)
    typist.type(*words, "--out", tmp_path / "after")
    after = _collisions(tmp_path / "after")
    assert (before[lot]["decided"], after[lot]["decided"], after[lot]["won"]) == (False, True, True)


def _section(folder: Path, name: str) -> dict[str, Any]:
    (path,) = folder.glob("*.json")
    found: dict[str, Any] = next(s for s in json.loads(path.read_text())["sections"] if s["key"] == name)
    return found


def _collisions(folder: Path) -> dict[str, dict[str, Any]]:
    rows = _section(folder, "collisions")["rows"]
    return {row["key"]: {name: cell["value"] for name, cell in row["cells"].items()} for row in rows}


def _an_operator_is_struck_off(typist: Typist, world: Path, entity: str, tmp_path: Path) -> None:
    """What was retired of its notes stays, is named, and blocks the next submission."""
    which = ("--year", YEAR, "--entity", entity)
    rows = _made_of(typist, which, "recovered/total/total")
    struck = min(row["access_key"][6:20] for row in rows)
    registry = json.loads((world / "cadastro.json").read_text())
    vettings = [{**v, "licence_ok": False} for v in registry["vettings"] if v["operator"] == struck]
    (tmp_path / "mudanca.json").write_text(json.dumps({"vettings": vettings}))
    typist.type("registry", "load", tmp_path / "mudanca.json")
    said = typist.type("report", "versions", *which, codes=(1,))
    assert "não vale mais como está (T04)" in said
    (made,) = [json.loads(typist.type("report", "rar-mt", *which, "--json", codes=(1,)))]
    fallen = next(section for section in made["sections"] if section["key"] == "fallen")
    assert {row["key"][6:20] for row in fallen["rows"]} == {struck}
    assert {block["code"] for block in made["blocks"]} == {"T04"}
    words = ("report", "rar-mt", *which, "--submit", "--by", "ana", "--reason", "x", "--json")
    answer = json.loads(typist.type(*words, codes=(1,)))
    assert answer["refusal"] == "T04"
    told = typist.type("report", "versions", *which, "--json", codes=(1,)).splitlines()
    assert [(v["report"], v["version"], v["submitted_on"]) for v in map(json.loads, told)] == [
        ("verification", 1, TODAY),
        ("verification", 2, TODAY),
        ("rar-mt", 1, TODAY),
    ]


def _made_of(typist: Typist, which: tuple[str, ...], cell: str) -> list[dict[str, Any]]:
    (answer,) = typist.rows("report", "made-of", *which, "--cell", cell)
    assert sum(row["mass_mg"] for row in answer["rows"]) == answer["mass_mg"]
    found: list[dict[str, Any]] = answer["rows"]
    return found
