"""`lastro verify` on manifests and certificates of destination, in a folder, in a zip and among notes."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from lastro.cli import app
from lastro.sample import waste
from tests.evidence import vectors as v
from tests.evidence import waste as w

OPEN = replace(
    w.TRIP, number="240001460712", situation="Salvo", received=None, loads=(replace(w.PAPER, received=None),)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A note, two manifests in one JSON, their report, a certificate inside a zip, and the registry."""
    files = tmp_path / "notas"
    files.mkdir()
    (files / "a.xml").write_bytes(v.authorised(v.Note(number=1)))
    (files / "b.json").write_bytes(waste.json_bytes([waste.manifest(w.TRIP), waste.manifest(OPEN)]))
    (files / "c.xlsx").write_bytes(waste.report_bytes(waste.report_rows([w.TRIP, OPEN])))
    with zipfile.ZipFile(files / "d.zip", "w") as package:
        package.writestr("cdf.pdf", waste.certificate_pdf(w.CERTIFICATE))
    parties = [
        {"cnpj": cnpj, "name": name, "municipality": "5107909", "uf": "MT"}
        for cnpj, name in ((w.GENERATOR, "Cooperativa"), (w.DESTINATION, "Papeleira"))
    ]
    roles = [{"cnpj": w.DESTINATION, "role": "recycler", "from": "2025-01-01"}]
    (tmp_path / "cadastro.json").write_text(json.dumps({"parties": parties, "roles": roles}), "utf-8")
    return tmp_path


def _call(folder: Path) -> list[str]:
    return ["verify", str(folder / "notas"), "--today", "2026-11-30", "--data", str(folder / "data")]


def verified(folder: Path, *options: str) -> list[dict[str, Any]]:
    call = [*_call(folder), "--json", "--norm", "mt/decreto_1455_2025", "--year", "2026"]
    result = CliRunner().invoke(app, [*call, "--registry", str(folder / "cadastro.json"), *options])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_paper_is_answered_with_its_place_and_its_mass(folder: Path) -> None:
    told = [
        (a["kind"], a["member"], a.get("part"), a["verdict"], [line["mass_mg"] for line in a["lines"]])
        for a in verified(folder)[1:]
    ]
    assert told == [
        ("mtr", None, "[0]", "admitted", [1_450_000_000]),
        ("mtr", None, "[1]", "review", [None]),
        ("mtr", None, "Relatório, linha 4", "admitted", [1_450_000_000]),
        ("mtr", None, "Relatório, linha 5", "review", [None]),
        ("cdf", "cdf.pdf", None, "admitted", [1_450_000_000, 790_000_000]),
    ]


def test_none_of_them_counts_mass(folder: Path) -> None:
    assert not any(line["counts"] for a in verified(folder)[1:] for line in a["lines"])
    assert "Material aceito" not in CliRunner().invoke(app, _call(folder)).stdout


def test_they_go_into_the_tables(folder: Path) -> None:
    verified(folder, "--out", str(folder / "saida"))
    asked = "select kind, issuer, verdict from read_parquet(?) where kind in ('mtr', 'cdf') order by document"
    rows = duckdb.execute(asked, [str(folder / "saida" / "documents.parquet")]).fetchall()
    assert len(rows) == 5
    assert rows[-1] == ("cdf", w.DESTINATION, "admitted")
