"""Household electronics: the fifth year's target, credits, and a target that ran out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.cli import main
from lastro.lawkit import library
from lastro.units import ExactMass, Mass

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "eletroeletronicos"
BR = "br/decreto_10240_2020"
KG = 1_000_000
# file: exit code, owed kg, proved kg, met, code
EXPECTED: dict[str, tuple[int, int | None, int, bool | None, str | None]] = {
    "quinto_ano": (0, 102_000, 102_000, True, None),
    "quinto_ano_curto": (1, 102_000, 101_999, False, None),
    "com_sobra_de_2024": (0, 102_000, 100_000, True, None),
    "fase_1": (0, 6_000, 0, True, None),
    "meta_vencida": (1, None, 102_000, None, "T01"),
    "sem_base": (1, None, 102_000, None, "T02"),
}


def asked(capsys: pytest.CaptureFixture[str], file: Path) -> tuple[int, dict[str, Any]]:
    with pytest.raises(SystemExit) as ended:
        main(["assess", BR, str(file), "--json"])
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(capsys.readouterr().out)


def test_every_example_is_expected_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_gives_the_right_milligram(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, owed, proved, met, why = EXPECTED[name]
    got, answer = asked(capsys, EXAMPLES / f"{name}.json")
    (position,) = answer["positions"]
    assert got == code
    assert position["obligation_mg"] == (None if owed is None else owed * KG)
    assert (position["achieved_mg"], position["met"], position["code"]) == (proved * KG, met, why)


def test_a_target_that_ran_out_is_told_and_not_applied(capsys: pytest.CaptureFixture[str]) -> None:
    _, answer = asked(capsys, EXAMPLES / "meta_vencida.json")
    (position,) = answer["positions"]
    assert "a meta de 2025 (17%) está vencida e não se aplica a 2026" in position["message"]


@pytest.mark.parametrize(
    ("election", "said"),
    [
        ({"option": "surplus", "year": 2024}, "falta “mass_kg”"),
        ({"option": "surplus", "mass_kg": "2000"}, "falta “year”"),
        ({"option": "base_year", "grounds": True}, "falta “year”"),
    ],
)
def test_an_election_that_lacks_a_part_is_told(
    election: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = json.loads((EXAMPLES / "quinto_ano_curto.json").read_text("utf-8"))
    raw["companies"][0]["elections"] = [election]
    (tmp_path / "fatos.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["assess", BR, str(tmp_path / "fatos.json")])
    out, err = capsys.readouterr()
    assert ended.value.code in (1, 2)
    assert said in out + err


@given(st.integers(0, 10**12), st.lists(st.integers(0, 10**12), max_size=4))
def test_credit_covers_a_shortfall_and_never_more(short: int, credits: list[int]) -> None:
    regulation = library.find(BR)
    law = regulation.law(regulation.norm.in_force_since)
    used = regulation.rules["credit_used"](
        law, shortfall=Mass(short).exact, credits=tuple(Mass(one) for one in credits)
    )
    assert used == ExactMass(Mass(min(short, sum(credits))).exact.mg)
