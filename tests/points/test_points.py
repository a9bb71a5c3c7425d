"""Collection points: what is asked, what stands, and a proposal that is the best, against trying all."""

from __future__ import annotations

import itertools
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro import points
from lastro.cli import main
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library
from lastro.points.propose import FAR
from lastro.tables import box_of
from lastro.tables.populations import Place, in_state, places
from lastro.units import decimal_text

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "pontos"
EL, ME = "br/decreto_10240_2020", "br/minuta_metal_2022"
DAY = date(2026, 12, 31)


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    with pytest.raises(SystemExit) as ended:
        main(["points", *argv, "--json"])
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(capsys.readouterr().out)


def test_points_asked_for_follow_each_norms_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(capsys, EL, str(EXAMPLES / "eletronicos_mt.json"), "--year", "2026")
    assert code == 1
    towns = {one["code"]: one for one in answer["municipalities"]}
    assert towns["5103403"] == {
        "code": "5103403", "population": 682932, "required": 28, "installed": 2, "missing": 26,
    }  # fmt: skip
    assert towns["5101837"]["required"] is None
    assert towns["5101837"]["missing"] is None
    assert (answer["installed"], answer["unknown"]) == (3, 1)


def test_a_point_counts_on_the_days_on_which_it_works(capsys: pytest.CaptureFixture[str]) -> None:
    _, then = run(capsys, EL, str(EXAMPLES / "eletronicos_mt.json"), "--year", "2024")
    _, later = run(capsys, EL, str(EXAMPLES / "eletronicos_mt.json"), "--year", "2025")
    assert (then["installed"], later["installed"]) == (4, 3)


def test_a_municipality_counts_at_most_what_it_needs() -> None:
    law = library.find(EL).law(DAY)
    sites = library.find(EL).sites
    assert sites
    terms = sites(law)
    town = places()["5100102"]
    many = tuple(points.Point("5100102", "receiving", date(2022, 1, 1)) for _ in range(9))
    found = points.needs(terms, (town,), many, on=DAY)
    made = points.whole(terms, found, many, on=DAY, year_of_phase=None)
    assert (found[0].installed, made.required, made.installed) == (9, 1, 1)


def test_the_draft_asks_a_tenth_each_year_and_a_consolidation_point(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, answer = run(capsys, ME, str(EXAMPLES / "metal_rr.json"), "--year", "2026")
    # The phase began in the middle of 2023: by the end of 2026 three of its years have ended.
    assert answer["due"] == -(-answer["required"] * 3 // 10)
    assert answer["states_without_consolidation"] == []
    assert code == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"states": ["XX"]}, "states: encontrado"),
        ({"states": []}, "states: encontrado nada; esperado ao menos um estado ou município"),
        (
            {"points": [{"municipality": "5103403", "kind": "receiving", "since": "2021-01-01"}]},
            "points[0].municipality",
        ),
        (
            {"points": [{"municipality": "1400100", "kind": "receiving", "since": "2021-01-01"}]},
            "points[0].latitude",
        ),
        (
            {"points": [{"municipality": "1400100", "kind": "receiving", "since": "2021-01-01",
                         "latitude": "2.8", "longitude": "-60.6"}]},
            "points[0].datum",
        ),
        (
            {"points": [{"municipality": "1400100", "kind": "receiving", "since": "2021-01-01",
                         "latitude": "48.8", "longitude": "2.3", "datum": "SIRGAS 2000"}]},
            "points[0].latitude",
        ),
        (
            {"points": [{"municipality": "1400100", "kind": "receiving", "since": "2021-01-01",
                         "latitude": "-15.6", "longitude": "-60.6", "datum": "SIRGAS 2000"}]},
            "points[0].latitude: encontrado “-15.6”; esperado graus do estado do município (RR: entre",
        ),
        (
            {"points": [{"municipality": "1499999", "kind": "receiving", "since": "2021-01-01",
                         "latitude": "2.8", "longitude": "-60.6", "datum": "SIRGAS 2000"}]},
            "points[0].municipality: encontrado “1499999”; esperado o código IBGE de um município (este não",
        ),
    ],
)  # fmt: skip
def test_a_bad_document_is_refused_and_says_where(change: dict[str, Any], said: str) -> None:
    raw = json.loads((EXAMPLES / "metal_rr.json").read_text("utf-8")) | change
    with pytest.raises(JsonRefused) as refused:
        points.parse(json.dumps(raw), coordinates=True)
    assert said in str(refused.value)


def cost(towns: list[Place], metres: Any, sites: tuple[int, ...]) -> int:
    return sum(
        (one.population or 0) * min([FAR, *(int(metres[i][j]) for j in sites)]) for i, one in enumerate(towns)
    )


@pytest.mark.parametrize(("uf", "number", "open_in"), [("RR", 3, ()), ("AP", 2, ("1600303",)), ("AC", 2, ())])
def test_the_proposal_is_the_best_of_all(uf: str, number: int, open_in: tuple[str, ...]) -> None:
    pytest.importorskip("highspy", reason="needs the extra points")
    numpy = pytest.importorskip("numpy", reason="needs the extra points")
    from lastro.points.propose import _metres

    towns = [one for one in in_state(uf) if one.population]
    metres = _metres(numpy, towns)
    there = tuple(i for i, one in enumerate(towns) if one.code in open_in)
    rest = [i for i in range(len(towns)) if i not in there]
    best = min(cost(towns, metres, (*there, *some)) for some in itertools.combinations(rest, number))
    found = points.propose(in_state(uf), open_in, number=number)
    assert (found.cost, found.exact) == (best, True)
    assert found.bound <= best
    assert len(found.sites) == number
    assert not set(found.sites) & set(open_in)


def test_a_whole_state_is_solved_and_bounded() -> None:
    pytest.importorskip("highspy", reason="needs the extra points")
    found = points.propose(in_state("MT"), ("5103403",), number=5)
    assert found.exact
    assert found.bound <= found.cost < found.cost_before
    # The bound needs no trust in the solver: it is close, and never above what was found.
    assert found.cost - found.bound <= found.cost_before // 20


def test_more_points_never_lengthen_the_way() -> None:
    pytest.importorskip("highspy", reason="needs the extra points")
    ways = [points.propose(in_state("AC"), (), number=n).cost for n in (1, 2, 3)]
    assert ways == sorted(ways, reverse=True)


def test_a_schedule_says_what_is_due_by_a_year(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = json.loads((EXAMPLES / "eletronicos_mt.json").read_text("utf-8"))
    raw["schedule"] = [
        {"municipality": "5103403", "year": 2024, "points": 2},
        {"municipality": "5103403", "year": 2025, "points": 5},
        {"municipality": "5108402", "year": 2027, "points": 9},
    ]
    (tmp_path / "f.json").write_text(json.dumps(raw), "utf-8")
    dues = [
        run(capsys, EL, str(tmp_path / "f.json"), "--year", str(year))[1]["due"]
        for year in (2023, 2024, 2026, 2027)
    ]
    assert dues == [0, 2, 5, 14]


def test_the_proposal_is_one_json_and_no_open_point_is_no_way(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("highspy", reason="needs the extra points")
    raw = json.loads((EXAMPLES / "metal_rr.json").read_text("utf-8"))
    bare = tmp_path / "f.json"
    bare.write_text(json.dumps(raw | {"points": []}), "utf-8")
    argv = ["points", ME, str(bare), "--year", "2026", "--propose", "2"]
    with pytest.raises(SystemExit):
        main([*argv, "--json"])
    made = json.loads(capfd.readouterr().out)["proposal"]
    assert made["people_metres_before"] is None
    assert made["no_choice_below"] <= made["people_metres"]
    with pytest.raises(SystemExit):
        main(argv)
    out = capfd.readouterr().out
    assert "antes, sem nenhum ponto; com a proposta" in out
    assert "HiGHS" not in out


def test_a_point_is_taken_up_to_the_edge_of_its_states_box() -> None:
    raw = json.loads((EXAMPLES / "metal_rr.json").read_text("utf-8"))
    box = box_of("RR")
    assert box
    edge = {"latitude": decimal_text(box.north), "longitude": decimal_text(box.west)}
    place = {"municipality": "1400100", "kind": "receiving", "since": "2021-01-01", "datum": "SIRGAS 2000"}
    made = points.parse(json.dumps(raw | {"points": [place | edge]}), coordinates=True)
    assert (made.points[0].latitude, made.points[0].longitude) == (box.north, box.west)


@pytest.mark.parametrize(
    ("began", "on", "ended"),
    [
        (date(2023, 7, 16), date(2023, 12, 31), 0),
        (date(2023, 7, 16), date(2024, 7, 14), 0),
        (date(2023, 7, 16), date(2024, 7, 15), 1),
        (date(2024, 1, 1), date(2024, 12, 31), 1),
        (date(2024, 2, 29), date(2025, 2, 27), 0),
        (date(2024, 2, 29), date(2025, 2, 28), 1),
        (date(2027, 1, 1), date(2026, 12, 31), 0),
    ],
)
def test_a_year_of_the_phase_ends_on_the_eve_of_its_anniversary(began: date, on: date, ended: int) -> None:
    assert points.years_ended(began, on=on) == ended


def test_before_its_first_year_ends_the_phase_has_nothing_late(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = json.loads((EXAMPLES / "metal_rr.json").read_text("utf-8")) | {"points": []}
    for began, code, late in (("2026-07-16", 0, []), ("2026-01-01", 1, ["RR"])):
        (tmp_path / "f.json").write_text(json.dumps(raw | {"phase_began": began}), "utf-8")
        found, answer = run(capsys, ME, str(tmp_path / "f.json"), "--year", "2026")
        assert (found, answer["states_without_consolidation"]) == (code, late)
        assert (answer["due"] > 0) == bool(code)
