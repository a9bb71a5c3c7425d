"""Conflicts and defects: every side is cited, and a company sees what touches its norm."""

from __future__ import annotations

import json

import pytest

from lastro.cli import main
from lastro.lawkit import library
from lastro.lawkit.conflicts import conflicts, conflicts_of
from lastro.lawkit.provisions import provisions_of, reading_texts_of, readings_of


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(argv))
    assert isinstance(ended.value.code, int)
    return ended.value.code, capsys.readouterr().out


def test_every_conflict_has_sides_with_articles_and_says_what_is_taken() -> None:
    for one in conflicts():
        assert one.sides
        assert one.taken
        assert all(side.article and side.says for side in one.sides)
    assert len({one.topic for one in conflicts()}) == len(conflicts())


def test_every_provision_that_a_conflict_names_is_a_provision_of_its_norm() -> None:
    import tomllib
    from importlib.resources import files

    raw = tomllib.loads(files("lastro.law").joinpath("conflicts.toml").read_text("utf-8"))
    for one in raw["conflict"]:
        for norm, side in one["between"].items():
            known = {p.id for p in provisions_of(library.find(norm).norm.package)}
            assert set(side["provisions"]) <= known


def test_both_norms_of_a_conflict_show_it() -> None:
    shared = "Notas que valem para a meta de um ano"
    for norm in ("mt/decreto_1455_2025", "br/minuta_metal_2022"):
        assert shared in {one.topic for one in conflicts_of(norm)}
    assert shared not in {one.topic for one in conflicts_of("mt/lei_11096_2020")}


def test_a_person_sees_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "law", "conflicts", "br/minuta_metal_2022")
    assert code == 0
    assert "Decreto MT 1.455/2025, art. 70: só as notas do próprio ano." in out
    assert "art. 23, § 6º: as do ano e do anterior." in out
    code, out = run(capsys, "law", "conflicts", "--json")
    assert len(json.loads(out)) == len(conflicts())


@pytest.mark.parametrize("regulation", library.every(), ids=lambda r: r.norm.path)
def test_every_reading_has_a_reason_and_every_rule_that_leans_on_one_finds_it(regulation) -> None:  # type: ignore[no-untyped-def]
    texts = reading_texts_of(regulation.norm.package)
    assert set(texts) == set(readings_of(regulation.norm.package))
    assert all(len(text) > 40 for text in texts.values())
    assert {r.reading for r in regulation.rules.values() if r.reading} <= set(texts)


def test_defects_are_listed_with_the_reading_taken(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "law", "defects", "mg/decreto_45975_2012")
    assert code == 0
    assert "k n × T n" in out
    code, out = run(capsys, "law", "defects", "--json")
    assert {one["norm"] for one in json.loads(out)} == set(library.paths())
