"""`lastro law load` adds rows and never overwrites; what was known on a day can be had again."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from lastro.cli import main
from lastro.lawkit import library
from lastro.obligations import settle
from lastro.obligations.facts_file import parse
from lastro.stores.postgres import Store
from lastro.stores.postgres import registry as kept

MT = "mt/decreto_1455_2025"
FACTS = Path(__file__).parents[2] / "docs" / "examples" / "art_07_massa_devida.json"


def load(file: Path, data: Path, capsys: pytest.CaptureFixture[str], *, today: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["law", "load", MT, "targets", str(file), "--data", str(data), "--today", today, "--json"])
    told = capsys.readouterr()
    assert ended.value.code == code, told
    return told.out + told.err


def test_loading_adds_and_the_past_stays(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "metas.csv"
    head = "setor;material;ano;meta;fonte;base\n"
    table.write_text(head + "embalagens em geral;vidro;2026;20%;exemplo;ilustrativa\n", "utf-8")
    assert json.loads(load(table, data, capsys, today="2026-03-01"))["added"] == 1
    assert json.loads(load(table, data, capsys, today="2026-04-01"))["added"] == 0
    table.write_text(head + "embalagens em geral;vidro;2026;30%;exemplo;ilustrativa\n", "utf-8")
    assert json.loads(load(table, data, capsys, today="2026-09-01"))["added"] == 1

    with Store.open(data) as store:
        rows = kept.targets(store, MT)
    (company,) = parse(FACTS.read_text("utf-8")).companies
    for as_of, met in [(date(2026, 8, 31), True), (date(2026, 9, 1), False)]:
        (position,) = settle(library.find(MT), company, year=2026, targets=rows, as_of=as_of)
        assert position.met is met
    (before,) = settle(library.find(MT), company, year=2026, targets=rows, as_of=date(2026, 2, 28))
    assert before.code == "T01"


def test_a_refused_table_adds_nothing(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "metas.csv"
    table.write_text(
        "setor;material;ano;meta;fonte\nembalagens em geral;vidro;2026;20%;x\n"
        "embalagens em geral;papel;2026;20;x\n"
    )
    assert "linha 3, coluna share" in load(table, data, capsys, today="2026-03-01", code=2)
    with Store.open(data) as store:
        assert kept.targets(store, MT) == ()
