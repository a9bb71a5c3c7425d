"""The solver of the metal draft: never worse than trying everything, and the norm judges what it finds."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.cli import main
from lastro.lawkit import library
from lastro.lawkit.elections import Choice, Options, Regional
from lastro.obligations.elections import propose
from lastro.units import ExactMass, Share

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "metal"
ME = "br/minuta_metal_2022"
METAL = library.find(ME)
LAW = METAL.law(date(2026, 12, 31))
assert METAL.elects
ELECTS = METAL.elects
EXPECTED: dict[str, tuple[int, bool | None, str | None]] = {
    "sem_escolha": (1, False, None),
    "com_escolha": (0, True, None),
    "regiao_falha": (1, False, None),
    "sem_tabela": (1, None, "T01"),
}


def mass(units: int | Fraction) -> ExactMass:
    return ExactMass(Fraction(units))


def splits(whole: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every way to put whole units into places."""
    if places == 1:
        yield (whole,)
        return
    for first in range(whole + 1):
        for rest in splits(whole - first, places - 1):
            yield (first, *rest)


def every_choice(case: Regional, options: Options) -> Iterator[Choice]:
    """All choices in whole units, with and without each switch."""
    sold = sorted(options.own)
    regions = sorted(options.may_switch)
    ways = [[None, *(to for to in sold if to != region)] for region in regions]
    for picked in itertools.product(*ways):
        switched = {r: to for r, to in zip(regions, picked, strict=True) if to is not None}
        for parts in splits(int(options.to_move.mg), len(sold)):
            yield Choice({r: mass(n) for r, n in zip(sold, parts, strict=True) if n}, switched)


def brute(case: Regional) -> tuple[Fraction, bool]:
    """The least shortfall of all allowed choices, and whether any meets everything."""
    options = ELECTS.options(LAW, case)
    best, any_met = None, False
    for choice in every_choice(case, options):
        judged = ELECTS.judge(LAW, case, choice)
        if judged.refused:
            continue
        any_met = any_met or judged.all_met
        short = sum(
            (max(Fraction(0), t.mg - case.achieved.get(r, mass(0)).mg) for r, t in judged.targets.items()),
            Fraction(0),
        )
        best = short if best is None else min(best, short)
    assert best is not None
    return best, any_met


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.integers(0, 5), min_size=3, max_size=3),
    st.lists(st.sampled_from([0, 10, 20, 30]), min_size=3, max_size=3).filter(any),
    st.lists(st.integers(0, 12), min_size=3, max_size=3),
)
def test_the_solver_is_as_good_as_trying_everything(
    tenths: list[int], placed: list[int], achieved: list[int]
) -> None:
    names = ("A", "B", "C")
    index = {n: Share(Fraction(t, 10)) for n, t in zip(names, tenths, strict=True)}
    case = Regional(
        index=index,
        national=Share(Fraction(sum(tenths), 10)),
        placed={n: mass(p) for n, p in zip(names, placed, strict=True)},
        achieved={n: mass(a) for n, a in zip(names, achieved, strict=True)},
    )
    found = propose(METAL, LAW, case)
    least, any_met = brute(case)
    assert found.shortfall.mg == least
    assert found.judged.all_met == any_met
    assert not found.judged.refused


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(1, 30), min_size=5, max_size=5),
    st.lists(st.integers(0, 10**6), min_size=5, max_size=5).filter(any),
    st.lists(st.integers(0, 10**6), min_size=5, max_size=5),
)
def test_five_regions_keep_their_sum_and_the_norm_takes_what_is_found(
    percents: list[int], placed: list[int], achieved: list[int]
) -> None:
    names = ("N", "NE", "CO", "SE", "S")
    index = {n: Share(Fraction(p, 150)) for n, p in zip(names, percents, strict=True)}
    national = Share(Fraction(sum(percents), 150))
    case = Regional(
        index,
        national,
        {n: mass(p) for n, p in zip(names, placed, strict=True)},
        {n: mass(a) for n, a in zip(names, achieved, strict=True)},
    )
    found = propose(METAL, LAW, case)
    assert not found.judged.refused
    assert sum(t.mg for t in found.judged.targets.values()) == national.of_one * sum(placed)
    short = sum(
        (max(Fraction(0), t.mg - case.achieved[r].mg) for r, t in found.judged.targets.items()), Fraction(0)
    )
    assert short == found.shortfall.mg


def test_the_worked_example_of_the_draft() -> None:
    case = Regional(
        {
            n: Share.parse(s)
            for n, s in zip(("N", "NE", "CO", "SE", "S"), ("4%", "11%", "5%", "22%", "8%"), strict=True)
        },
        Share.parse("50%"),
        {"NE": mass(150), "CO": mass(60), "SE": mass(600), "S": mass(190)},
        {"NE": mass(80), "CO": mass(30), "SE": mass(298), "S": mass(110)},
    )
    options = ELECTS.options(LAW, case)
    assert (options.to_move, options.national) == (mass(40), mass(500))
    assert options.may_switch == {"NE": mass(35), "CO": mass(20)}
    found = propose(METAL, LAW, case)
    assert found.judged.all_met
    short = Regional(case.index, case.national, case.placed, {**case.achieved, "CO": mass(28)})
    assert propose(METAL, LAW, short).shortfall == mass(2)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (Choice({}, {}), "somam-se"),
        (Choice({"N": mass(40)}, {}), "N: a empresa não coloca massa"),
        (Choice({"SE": mass(40)}, {"SE": "S"}), "SE: a meta não passa do índice nacional"),
        (Choice({"SE": mass(40)}, {"NE": "NE"}), "NE: a diferença vai a outra região"),
        (Choice({"SE": mass(80), "S": mass(-40)}, {}), "não é negativa"),
    ],
)
def test_a_choice_that_is_not_allowed_says_which_part_of_the_article(choice: Choice, said: str) -> None:
    case = Regional(
        {"N": Share.parse("4%"), "NE": Share.parse("11%"), "SE": Share.parse("25%"), "S": Share.parse("10%")},
        Share.parse("50%"),
        {"NE": mass(150), "SE": mass(660), "S": mass(190)},
        {"NE": mass(500)},
    )
    judged = ELECTS.judge(LAW, case, choice)
    assert any(said in why for why in judged.refused)
    assert not judged.all_met


def test_without_the_national_target_nobody_switches() -> None:
    case = Regional(
        {"A": Share.parse("40%"), "B": Share.parse("10%")},
        Share.parse("50%"),
        {"A": mass(20), "B": mass(80)},
        {"A": mass(10), "B": mass(39)},
    )
    assert propose(METAL, LAW, case).choice.switched == {}
    judged = ELECTS.judge(LAW, case, Choice({}, {"A": "B"}))
    assert "inciso IV pede a meta nacional cumprida" in judged.refused[0]


def run(capsys: pytest.CaptureFixture[str], verb: str, name: str) -> tuple[int, dict[str, Any]]:
    with pytest.raises(SystemExit) as ended:
        main([verb, ME, str(EXAMPLES / f"{name}.json"), "--json"])
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(capsys.readouterr().out)


def test_every_example_is_expected_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_is_assessed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, met, why = EXPECTED[name]
    got, answer = run(capsys, "assess", name)
    (position,) = answer["positions"]
    assert (got, position["met"], position["code"]) == (code, met, why)
    assert "Simulação" in answer["not_computed"][0]


def test_the_verb_proposes_what_the_company_did_not_choose(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(capsys, "elections", "sem_escolha")
    (one,) = answer["proposals"]
    assert (code, one["met"], one["shortfall_kg"]) == (0, True, "0 kg")
    code, answer = run(capsys, "elections", "sem_tabela")
    assert code == 1
    assert "não carregada" in answer["proposals"][0]["message"]
