"""A table of targets is read whole or not at all, and says row by row what to mend."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from lastro.errors import LastroError
from lastro.facts import Basis, TargetRow
from lastro.lawkit.tables import TableRefused, read_targets

GROUPS = ("glass", "paper", "plastic", "metals")
DAY = date(2026, 3, 1)
GOOD = TargetRow("embalagens_em_geral", "glass", 2026, "25%", "Diário Oficial, p. 3", loaded_on=DAY)


def csv_of(folder: Path, *rows: str, head: str = "setor;material;ano;meta;fonte;base") -> Path:
    path = folder / "metas.csv"
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def test_a_csv_in_portuguese(tmp_path: Path) -> None:
    path = csv_of(
        tmp_path,
        "Embalagens em geral;Vidro;2026;25%;Diário Oficial, p. 3;",
        "Embalagens em geral;Plástico;2026;22,5 %;exemplo;ilustrativa",
    )
    glass, plastic = read_targets(path, groups=GROUPS, loaded_on=DAY)
    assert glass == GOOD
    assert (plastic.material, plastic.share, plastic.basis) == ("plastic", "22.5%", Basis.ILLUSTRATIVE)


def test_a_json_and_a_workbook_say_the_same(tmp_path: Path) -> None:
    row = {"sector": "embalagens_em_geral", "material": "glass", "year": 2026, "share": "25%",
           "source": "Diário Oficial, p. 3"}  # fmt: skip
    (tmp_path / "metas.json").write_text(json.dumps([row]), "utf-8")
    book = openpyxl.Workbook()
    book.active.append(list(row))
    book.active.append(list(row.values()))
    book.save(tmp_path / "metas.xlsx")
    for name in ("metas.json", "metas.xlsx"):
        assert read_targets(tmp_path / name, groups=GROUPS, loaded_on=DAY) == (GOOD,)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (";vidro;2026;25%;fonte;", "sector"),
        ("embalagens em geral;aço;2026;25%;fonte;", "material"),
        ("embalagens em geral;;2026;25%;fonte;", "material"),
        ("embalagens em geral;vidro;26;25%;fonte;", "year"),
        ("embalagens em geral;vidro;2026;25;fonte;", "share"),
        ("embalagens em geral;vidro;2026;0%;fonte;", "share"),
        ("embalagens em geral;vidro;2026;100.01%;fonte;", "share"),
        ("embalagens em geral;vidro;2026;-1%;fonte;", "share"),
        ("embalagens em geral;vidro;2026;;fonte;", "share"),
        ("embalagens em geral;vidro;2026;25%;;", "source"),
        ("embalagens em geral;vidro;2026;25%;fonte;talvez", "basis"),
    ],
)
def test_a_wrong_cell_is_named(tmp_path: Path, row: str, column: str) -> None:
    good = "embalagens em geral;papel;2026;25%;fonte;"
    with pytest.raises(TableRefused) as refused:
        read_targets(csv_of(tmp_path, good, row), groups=GROUPS)
    assert [(i.row, i.column) for i in refused.value.issues] == [(3, column)]


@pytest.mark.parametrize("share", ["100%", "0.01%"])
def test_shares_at_the_edges_are_taken(tmp_path: Path, share: str) -> None:
    path = csv_of(tmp_path, f"embalagens em geral;vidro;2026;{share};fonte;")
    assert read_targets(path, groups=GROUPS)[0].share == share


def test_all_issues_come_at_once(tmp_path: Path) -> None:
    path = csv_of(tmp_path, "embalagens em geral;aço;26;25;;x", "embalagens em geral;aço;26;25;;x")
    with pytest.raises(TableRefused) as refused:
        read_targets(path, groups=GROUPS)
    assert len(refused.value.issues) == 10


def test_two_rows_for_one_target_are_refused(tmp_path: Path) -> None:
    rows = [f"embalagens em geral;vidro;2026;{share};fonte;" for share in ("25%", "30%")]
    with pytest.raises(TableRefused, match="a linha 2 já a traz"):
        read_targets(csv_of(tmp_path, *rows), groups=GROUPS)


def test_missing_columns_and_empty_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableRefused, match="as colunas source"):
        read_targets(csv_of(tmp_path, "a;vidro;2026;25%", head="setor;material;ano;meta"), groups=GROUPS)
    with pytest.raises(TableRefused, match="ao menos uma linha"):
        read_targets(csv_of(tmp_path), groups=GROUPS)
    with pytest.raises(LastroError, match="não se abre"):
        read_targets(tmp_path / "none.csv", groups=GROUPS)


def test_a_number_without_its_percent_sign_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "metas.json").write_text(
        json.dumps(
            [{"setor": "embalagens_em_geral", "material": "vidro", "ano": 2026, "meta": 0.25, "fonte": "x"}]
        )
    )
    with pytest.raises(TableRefused, match="com o sinal %"):
        read_targets(tmp_path / "metas.json", groups=GROUPS)
