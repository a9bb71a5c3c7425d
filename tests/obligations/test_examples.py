"""The worked examples of docs/examples, asked at the command line: the right milligram, with its articles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastro.cli import main

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
MT = "mt/decreto_1455_2025"
KG = 1_000_000
REST = ("paper", "plastic", "metals")

# file: (exit code, {material: (owed kg, proved kg, met, code)}, articles that the trace must name)
Result = tuple[int | None, int, bool | None, str | None]
EXPECTED: dict[str, tuple[int, dict[str, Result], tuple[str, ...]]] = {
    "art_07_massa_devida": (1, {"glass": (50_000, 48_000, False, None)}, ("art. 7º, § 5º; art. 69",)),
    "art_28_reciclador": (0, {"plastic": (60_000, 60_000, True, None)}, ("art. 28",)),
    "art_29_aerossois": (0, {"metals": (9_000, 9_000, True, None)}, ("art. 29",)),
    "art_40_termo": (0, {"glass": (40_000, 40_000, True, None)}, ("art. 7º, § 3º; art. 40",)),
    "art_42_por_material": (
        1,
        {"plastic": (30_000, 20_000, False, None), "paper": (60_000, 90_000, True, None)},
        ("arts. 42 e 57",),
    ),
    "art_44_estruturante": (
        0,
        {"plastic": (30_000, 15_000, True, None), "paper": (60_000, 80_000, True, None)},
        ("art. 44, II", "art. 44, I e II"),
    ),
    "art_44_metade_curta": (
        1,
        {"plastic": (30_000, 14_000, False, None), "paper": (60_000, 100_000, True, None)},
        ("art. 44, II",),
    ),
    "art_46_retornaveis": (
        0,
        {"glass": (43_120, 43_120, True, None)},
        ("art. 46, §§ 1º e 2º", "art. 46, § 1º", "art. 6º, § 1º, I, l; art. 46, § 4º"),
    ),
    "art_46_teto": (0, {"glass": (1_600, 1_600, True, None)}, ("art. 46, § 2º",)),
    "art_49_certificados": (1, {"glass": (49_280, 43_120, False, None)}, ("arts. 49 e 50",)),
    "art_70_janela": (0, {"paper": (12_000, 12_000, True, None)}, ("arts. 57 e 70",)),
    "art_72_icms": (0, {"glass": (100_000, 100_000, True, None)}, ("art. 72",)),
    "sem_declaracao": (
        1,
        {"glass": (None, 50_000, None, "T02")} | dict.fromkeys(REST, (None, 0, None, "T02")),
        ("art. 7º, § 5º; art. 69",),
    ),
    "sem_tabela": (
        1,
        {"glass": (50_000, 50_000, True, None), "paper": (None, 30_000, None, "T01")},
        ("Anexo Único, Tabela 1",),
    ),
    "zero_declarado": (0, {"glass": (0, 0, True, None)}, ("art. 7º, § 5º; art. 69",)),
}  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(argv))
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def articles(step: dict[str, Any]) -> set[str]:
    own = {step["article"].removeprefix("Decreto MT 1.455/2025, ")} if step["article"] else set()
    return own.union(*(articles(child) for child in step["children"]))


def test_every_example_is_expected_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_gives_the_right_milligram_and_says_why(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, expected, cited = EXPECTED[name]
    got, out, _ = run(capsys, "assess", MT, str(EXAMPLES / f"{name}.json"), "--explain", "--json")
    answer = json.loads(out)
    assert got == code
    assert {
        p["material"]: (p["obligation_mg"], p["achieved_mg"], p["met"], p["code"])
        for p in answer["positions"]
    } == {
        material: (None if owed is None else owed * KG, proved * KG, met, why)
        for material, (owed, proved, met, why) in expected.items()
    }
    named = set().union(*(articles(p["trace"]) for p in answer["positions"]))
    for article in cited:
        assert any(
            one == article or one.startswith((f"{article}; fonte", f"{article}, desde")) for one in named
        )


def test_a_person_reads_portuguese_with_articles_and_basis(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "assess", MT, str(EXAMPLES / "art_46_retornaveis.json"), "--explain")
    assert (code, err) == (0, "")
    for part in ("43.120 kg", "28%", "cumprida", "ilustrativa", "Decreto MT 1.455/2025, art. 46, §§ 1º e 2º"):
        assert part in out


def test_without_a_table_the_position_says_so_and_the_exit_code_is_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "assess", MT, str(EXAMPLES / "sem_tabela.json"))
    assert code == 1
    assert "T01 · Papel e papelão: meta não carregada" in out
    assert "não apurável" in out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "não é um JSON bem formado"),
        ('{"norm": "mt/decreto_1455_2025", "year": 2026}', "companies: encontrado nada; esperado"),
        ('{"norm": "br/outra", "year": 2026, "companies": [{"cnpj": "ZZEX0001", "size": "me",'
         ' "scheme": "individual"}]}',
         "os fatos são para br/outra"),
    ],
)  # fmt: skip
def test_a_bad_file_ends_with_2_and_says_where(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fatos.json").write_text(content, "utf-8")
    code, out, err = run(capsys, "assess", MT, str(tmp_path / "fatos.json"))
    assert (code, out) == (2, "")
    assert said in err


def test_a_target_for_a_group_that_the_norm_does_not_have_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (EXAMPLES / "art_07_massa_devida.json").read_text("utf-8")
    (tmp_path / "fatos.json").write_text(
        text.replace('"material": "glass", "year": 2026', '"material": "steel", "year": 2026', 1)
    )
    code, _, err = run(capsys, "assess", MT, str(tmp_path / "fatos.json"))
    assert code == 2
    assert "metas para steel" in err


def test_an_unknown_norm_or_file_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "assess", "mt/nada", str(EXAMPLES / "sem_tabela.json"))[0] == 2
    assert run(capsys, "assess", MT, str(tmp_path / "nada.json"))[0] == 2
    (tmp_path / "latin.json").write_bytes('{"é"}'.encode("latin-1"))
    assert run(capsys, "assess", MT, str(tmp_path / "latin.json"))[0] == 2
