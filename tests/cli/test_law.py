"""`lastro law` shows what is known, runs one rule, and takes a table whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lastro.cli import main

MT = "mt/decreto_1455_2025"
RETURNABLES = (
    "returnables_discount",
    "--on",
    "2026-12-31",
    "target=32%",
    "returnable=230 t",
    "placed=1000 t",
)


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["law", *argv])
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def test_norms_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list")
    assert code == 0
    assert "mt/decreto_1455_2025" in out
    assert "em vigor" in out
    _, out, _ = run(capsys, "list", "--json")
    assert MT in [norm["norm"] for norm in json.loads(out)]


def test_a_norm_is_shown_on_a_day(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", MT, "--on", "2026-12-31", "--json")
    shown = json.loads(out)
    values = {p["name"]: p["value"] for p in shown["parameters"]}
    assert (code, values["returnables.step"], values["targets"]) == (0, "5%", "não carregada")
    assert len(shown["provisions"]) == 147
    _, out, _ = run(capsys, "show", MT, "--on", "2025-05-25", "--json")
    assert {p["value"] for p in json.loads(out)["parameters"]} == {"não estava em vigor"}
    _, out, _ = run(capsys, "show", MT)
    assert "O texto que temos não traz" in out


def test_coverage_counts_every_provision_and_finds_no_problem(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "coverage", "--json")
    (decree,) = [c for c in json.loads(out) if c["norm"] == MT]
    assert (code, decree["total"], decree["problems"]) == (0, 147, [])
    assert sum(decree["counts"].values()) == 147
    assert run(capsys, "coverage")[0] == 0


def test_coverage_against_a_list_fails_on_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "list.tsv"
    listed.write_text("id\tactor\nmt-1455-2025:art999\tx\n", "utf-8")
    code, out, _ = run(capsys, "coverage", "--against", str(listed))
    assert code == 1
    assert "falta art999" in out


def test_a_rule_is_run_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "eval", MT, *RETURNABLES)
    assert code == 0
    assert out.splitlines()[0] == (
        "Desconto por embalagens retornáveis = 4%  "
        "[Decreto MT 1.455/2025, art. 46, §§ 1º e 2º; leitura: retornaveis-degraus-inteiros]"
    )
    _, out, _ = run(capsys, "eval", MT, *RETURNABLES, "--json")
    assert json.loads(out)["value"] == "4%"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("eval", MT, "nada", "--on", "2026-12-31"), "Regra desconhecida"),
        (("eval", MT, "base_year", "--on", "2026-12-31"), "year (falta)"),
        (("eval", MT, "base_year", "--on", "2026-12-31", "year=2026", "x=1"), "x (a regra não o recebe)"),
        (("eval", MT, "base_year", "--on", "2026-12-31", "year"), "Escreva nome=valor"),
        (("eval", MT, "base_year", "--on", "2026-12-31", "year=2026", "year=2025"), "year (dado mais de uma"),
        (
            ("eval", MT, "attained_share", "--on", "2026-12-31", "achieved=-1 kg", "placed=1 kg"),
            "achieved: encontrado “-1 kg”; esperada uma massa ou um valor de zero para cima",
        ),
        (("eval", MT, "base_year", "--on", "2026-12-31", "year=vinte"), "esperado um número inteiro"),
        (("eval", MT, "base_year", "--on", "2025-05-25", "year=2025"), "não estava em vigor"),
        (
            ("eval", MT, "attained_share", "--on", "2026-12-31", "achieved=1 kg", "placed=0 kg"),
            "dividiria por zero",
        ),
        (("show", "mt/nada"), "Normas conhecidas"),
        (("load", MT, "nada", "x.csv"), "Tabela desconhecida"),
        (("load", MT, "targets", "x.csv"), "não se abre"),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_to_do(
    argv: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *argv)
    assert (code, out) == (2, "")
    assert said in err
