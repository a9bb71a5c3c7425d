"""Rows of targets: what counts among several, and what is known on a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from lastro.errors import TextMissing
from lastro.facts import Basis, TargetRow
from lastro.lawkit import library, listening
from lastro.lawkit.tables import in_force, known_by
from lastro.units import Share

ROW = TargetRow("embalagens_em_geral", "glass", 2026, "25%", "Diário A", loaded_on=date(2026, 3, 1))


def shares(*rows: TargetRow) -> list[str]:
    return [r.share for r in in_force(rows, sector=ROW.sector, material="glass", year=2026)]


def test_a_newer_row_of_a_source_replaces_the_older_whatever_the_order() -> None:
    newer = replace(ROW, share="20%", loaded_on=date(2026, 4, 1))
    assert shares(ROW, newer) == shares(newer, ROW) == ["20%"]


def test_rows_of_different_sources_stand_side_by_side() -> None:
    assert sorted(shares(ROW, replace(ROW, share="30%", source="Ato B"))) == ["25%", "30%"]


def test_official_rows_come_before_illustrative_ones() -> None:
    pretend = replace(ROW, share="90%", source="exemplo", basis=Basis.ILLUSTRATIVE)
    assert shares(pretend, ROW) == ["25%"]
    assert shares(pretend) == ["90%"]


def test_other_materials_years_and_sectors_say_nothing() -> None:
    others = [replace(ROW, material="paper"), replace(ROW, year=2027), replace(ROW, sector="pneus")]
    assert shares(*others) == []


def test_a_past_day_knows_only_what_was_loaded_by_then() -> None:
    assert known_by([ROW], as_of=date(2026, 2, 28)) == ()
    assert known_by([ROW], as_of=date(2026, 3, 1)) == (ROW,)
    assert known_by([replace(ROW, loaded_on=None)], as_of=date(2020, 1, 1)) != ()


def test_a_missing_row_says_what_is_missing_and_what_to_do() -> None:
    law = library.find("mt/decreto_1455_2025").law(date(2026, 12, 31), targets=[ROW])
    with pytest.raises(TextMissing) as missing:
        law.targets.shares(sector=ROW.sector, material="paper", year=2026)
    for part in (
        "meta não carregada",
        "embalagens_em_geral",
        "papel",
        "2026",
        "Anexo Único, Tabela 1",
        "law load",
    ):
        assert part in str(missing.value)


def test_reading_a_row_is_traced_with_source_day_and_basis() -> None:
    law = library.find("mt/decreto_1455_2025").law(
        date(2026, 12, 31), targets=[replace(ROW, basis=Basis.TEST)]
    )
    with listening("x") as root:
        assert law.targets.shares(sector=ROW.sector, material="glass", year=2026) == (Share.parse("25%"),)
    (read,) = root.children
    assert read.article.endswith("Anexo Único, Tabela 1; fonte: Diário A, carregada em 01/03/2026")
    assert root.worst_basis is Basis.TEST
