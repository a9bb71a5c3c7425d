"""What if: only what the change reaches moves, and nothing that is known is touched."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from lastro.cli import main
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.obligations.facts_file import Facts, parse
from lastro.obligations.simulate import Change, changed, parse_change, simulate, totals

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "simulacao"
MT = "mt/decreto_1455_2025"
TODAY = date(2027, 1, 15)


def facts() -> Facts:
    return parse((EXAMPLES / "populacao.json").read_text("utf-8"))


def change(name: str) -> Change:
    return parse_change((EXAMPLES / f"{name}.json").read_text("utf-8"))


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", MT, str(EXAMPLES / "populacao.json"), *argv])
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def test_a_target_moves_its_own_material_and_no_other() -> None:
    rows = simulate(library.find(MT), facts(), change("meta_maior"), as_of=TODAY)
    moved = {
        (r.company, r.material)
        for r in rows
        if r.before and r.after and r.before.obligation != r.after.obligation
    }
    assert moved == {(c, "glass") for c in ("ZZSIMU01", "ZZSIMU02", "ZZSIMU03")}
    before, after = totals(r.before for r in rows), totals(r.after for r in rows)
    assert (before.met, before.unmet) == (6, 0)
    assert (after.met, after.unmet) == (3, 3)
    assert after.owed_mg - before.owed_mg == 330_000 * 10**6 * 2 / 100


def test_what_is_supposed_takes_the_place_of_what_is_and_of_nothing_else() -> None:
    one = facts()
    made = changed(one, change("parcerias"))
    assert [t.share for t in made.targets] == ["25%", "24%"]
    assert [c.elections for c in made.companies] == [(), (), ({"option": "art43"},)]
    assert one == facts()


def test_no_change_changes_nothing() -> None:
    one = facts()
    same = Change(targets=one.targets)
    for row in simulate(library.find(MT), one, same, as_of=TODAY):
        assert row.before is not None
        assert row.after is not None
        assert row.before.json() == row.after.json()


def test_a_company_may_be_supposed_anew_or_added() -> None:
    one = facts()
    grown = replace(one.companies[0], cnpj="ZZSIMU09")
    rows = simulate(library.find(MT), one, Change(companies=(grown,)), as_of=TODAY)
    added = [r for r in rows if r.company == "ZZSIMU09"]
    assert [(r.before is None, r.after is not None) for r in added] == [(True, True)] * 2


def test_the_table_the_json_and_the_file_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, str(EXAMPLES / "meta_maior.json"), "--json", "--csv", str(tmp_path / "a.csv"))
    answer: dict[str, Any] = json.loads(out)
    assert code == 0
    lines = (tmp_path / "a.csv").read_text("utf-8-sig").splitlines()
    assert len(lines) == 1 + len(answer["rows"])
    code, out, _ = run(capsys, str(EXAMPLES / "meta_maior.json"))
    assert code == 0
    assert "Mudam 3 de 6 posições." in out
    assert "Depois: 3 cumpridas, 3 não cumpridas, 0 não apuráveis" in out


def test_a_change_that_supposes_nothing_is_refused() -> None:
    with pytest.raises(JsonRefused) as refused:
        parse_change("{}")
    assert "ao menos uma mudança" in str(refused.value)
    with pytest.raises(JsonRefused) as refused:
        parse_change('{"targets": [{"sector": "a"}]}')
    assert "targets[0].share" in str(refused.value)


def test_the_file_has_plain_numbers_that_a_sheet_adds_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "a.csv"
    _, out, _ = run(capsys, str(EXAMPLES / "meta_maior.json"), "--json", "--csv", str(made))
    rows = list(csv.DictReader(made.read_text("utf-8-sig").splitlines(), delimiter=";"))
    answer = json.loads(out)
    for side, key in (("before", "devido antes (kg)"), ("after", "devido depois (kg)")):
        whole = sum((Fraction(row[key].replace(",", ".")) for row in rows), Fraction(0))
        assert whole == Fraction(answer[side]["owed_kg"])
        assert whole > 0


def test_the_file_takes_the_place_of_neither_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    supposed = tmp_path / "m.json"
    supposed.write_bytes((EXAMPLES / "meta_maior.json").read_bytes())
    code, _, err = run(capsys, str(supposed), "--csv", str(supposed))
    assert (code, "dê outro nome ao que se grava" in err) == (2, True)
    assert supposed.read_bytes() == (EXAMPLES / "meta_maior.json").read_bytes()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"elections": [{"company": "ZZSIMU99", "option": "art43"}]},
            "elections[0].company: encontrado “ZZSIMU99”",
        ),
        ({"elections": [{"company": "*", "option": "artt43"}]}, "elections[0].option: encontrado “artt43”"),
        ({"elections": [{"company": "*", "option": "art43"}] * 2}, "elections[1]: encontrado"),
        ({"companies": [{"cnpj": "ZZSIMU01"}] * 2}, "companies[1]: encontrado “ZZSIMU01”"),
    ],
)
def test_a_change_that_reaches_nothing_is_refused(change: dict[str, Any], said: str) -> None:
    known = [one.cnpj for one in facts().companies]
    with pytest.raises(JsonRefused) as refused:
        parse_change(json.dumps(change), options=library.find(MT).options, companies=known)
    assert said in str(refused.value)


def test_a_target_supposed_twice_is_refused() -> None:
    (row,) = json.loads((EXAMPLES / "parcerias.json").read_text("utf-8"))["targets"]
    with pytest.raises(JsonRefused) as refused:
        parse_change(json.dumps({"targets": [row, row | {"share": "30%"}]}))
    assert "targets[1]: encontrado" in str(refused.value)
