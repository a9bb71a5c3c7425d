"""The geographic target of Mato Grosso: municipalities served by band, and what lacks is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastro.cli import main

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
MT = "mt/decreto_1455_2025"
LARGE = (
    "5103403",
    "5108402",
    "5107602",
    "5107909",
    "5107925",
)  # Cuiabá, Várzea Grande, Rondonópolis, Sinop, Sorriso


def notes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any]
) -> list[tuple[str, str]]:
    raw = json.loads((EXAMPLES / "art_07_massa_devida.json").read_text("utf-8"))
    raw["companies"][0] |= change
    (tmp_path / "f.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(SystemExit):
        main(["assess", MT, str(tmp_path / "f.json"), "--json"])
    (position,) = json.loads(capsys.readouterr().out)["positions"]
    return [(n["code"] or "", n["text"]) for n in position["notes"] if "eográfica" in n["text"]]


def glass(*codes: str) -> list[dict[str, Any]]:
    return [
        {
            "year": 2026,
            "material": "glass",
            "uf": "MT",
            "origin": "picker_entity",
            "municipality": code,
            "mass_kg": "1",
        }
        for code in codes
    ]


def test_bands_are_counted_by_their_municipalities(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = notes(tmp_path, capsys, {"retired": glass(*LARGE)})
    assert [code for code, _ in seen] == ["", "T07", "T07"]
    assert "5 de 6 municípios atendidos, 2 pedidos (25%)" in seen[0][1]
    assert "0 de 6 municípios atendidos, 2 pedidos (20%)" in seen[1][1]
    assert "0 de 129 municípios atendidos, 20 pedidos (15%)" in seen[2][1]


def test_two_notes_of_one_municipality_serve_it_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = glass("5103403", "5103403")
    rows[1]["origin"] = "municipal"
    seen = notes(tmp_path, capsys, {"retired": rows})
    assert seen[0][1].endswith("1 de 6 municípios atendidos, 2 pedidos (25%).")
    assert seen[0][0] == "T07"


def test_a_company_may_name_where_it_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = {"option": "municipalities", "codes": ["5103403", "5108402"]}
    seen = notes(tmp_path, capsys, {"retired": glass("5103403"), "elections": [named]})
    assert [m for _, m in seen] == [
        "Meta geográfica, 100.000 habitantes ou mais: 1 de 2 municípios atendidos, 1 pedidos (25%)."
    ]


def test_mass_without_a_place_is_told_and_nothing_is_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = glass("5103403", "5108402")
    del rows[1]["municipality"]
    seen = notes(tmp_path, capsys, {"retired": rows})
    assert [code for code, _ in seen] == ["T02"]


def test_mass_that_does_not_count_serves_no_municipality(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A dealer's material is of no origin that the decree lists, and cans of aerosol meet no target."""
    rows = glass("5103403", "5108402", "5107602")
    rows[1]["origin"] = "dealer"
    rows[2]["aerosol_kg"] = "1"
    seen = notes(tmp_path, capsys, {"retired": rows})
    assert "1 de 6 municípios atendidos" in seen[0][1]
    assert "0 de 6" in notes(tmp_path, capsys, {"retired": rows[1:]})[0][1]
