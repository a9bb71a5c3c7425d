"""What is published of several companies never tells what one or two of them did."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lastro.lawkit import Step
from lastro.obligations import Position
from lastro.reports.open_results import FEW, LEAST_COMPANIES, UNKNOWN, Part, Retired, Sum, results, sums
from lastro.units import Mass, total


def _parts(*masses: tuple[str, int | None]) -> list[Part]:
    return [Part(company, None if mg is None else Mass(mg)) for company, mg in masses]


def test_two_companies_are_too_few_and_three_are_enough() -> None:
    two, three = _parts(("A", 1), ("B", 2)), _parts(("A", 1), ("B", 2), ("C", 3))
    assert sums({"x": two})["x"] == Sum(None, FEW)
    assert sums({"x": three})["x"] == Sum(Mass(6))


def test_one_company_counts_once_and_one_that_adds_nothing_hides_nobody() -> None:
    assert sums({"x": _parts(("A", 1), ("A", 2), ("B", 3))})["x"] == Sum(None, FEW)
    assert sums({"x": _parts(("A", 1), ("B", 2), ("C", 0))})["x"] == Sum(None, FEW)
    assert sums({"x": _parts(("A", 0), ("B", 0), ("C", 0))})["x"] == Sum(None, FEW)


def test_what_the_total_would_give_away_takes_another_sum_with_it() -> None:
    many = _parts(("A", 1), ("B", 2), ("C", 3), ("D", 4))
    less = _parts(("E", 1), ("F", 2), ("G", 3))
    found = sums({"alone": _parts(("H", 9)), "less": less, "many": many})
    assert found == {"alone": Sum(None, FEW), "less": Sum(None, FEW), "many": Sum(Mass(10))}


def test_what_is_not_known_is_neither_zero_nor_kept_back() -> None:
    found = sums({"x": _parts(("A", 1), ("B", 2), ("C", None))})
    assert found["x"] == Sum(None, UNKNOWN)


_CELLS = st.dictionaries(
    st.sampled_from("abcdef"),
    st.lists(st.tuples(st.sampled_from("ABCDEFGH"), st.integers(0, 5)), max_size=7),
    max_size=6,
)


@given(_CELLS)
def test_no_sum_and_no_difference_from_the_total_is_of_fewer_than_three(
    cells: dict[str, list[tuple[str, int]]],
) -> None:
    made = {key: _parts(*rows) for key, rows in cells.items()}
    found = sums(made)
    whole = sums({"total": [part for rows in made.values() for part in rows]})["total"]
    for key, told in found.items():
        if told.mass is not None:
            assert told.mass == total(p.mass for p in made[key] if p.mass is not None)
            assert len({p.company for p in made[key] if p.mass}) >= LEAST_COMPANIES
    hidden = [key for key, told in found.items() if told.mass is None and made[key]]
    if whole.mass is not None and hidden:
        behind = {p.company for key in hidden for p in made[key] if p.mass}
        assert len(behind) >= LEAST_COMPANIES


def test_sums_and_places_are_not_crossed() -> None:
    """Three companies of one sector and one of another, all in one town: crossed, they tell the one."""
    where = [("A", 10), ("B", 10), ("C", 10), ("D", 10), ("E", 10), ("F", 10), ("G", 10)]
    retired = [
        Retired(who, "glass", "glass", "5103403" if who in "ABCD" else "5107602", Mass(mg))
        for who, mg in where
    ]
    positions = [_position(who, mg) for who, mg in where]
    cuts = {"all": lambda _: "all", "sector": lambda who: "food" if who in "ABC" else "drinks"}
    told = results(positions, cuts=cuts, retired=retired)
    assert [line.proved.mass for line in told.cuts["all"]] == [Mass(70)]
    assert {line.part: line.proved.mass for line in told.cuts["sector"]} == {
        "food": Mass(30),
        "drinks": Mass(40),
    }
    assert told.places == {
        ("glass", "5103403"): Sum(None, FEW),
        ("glass", "5107602"): Sum(None, FEW),
    }
    alone = results(positions, cuts={"all": lambda _: "all"}, retired=retired)
    assert {town: found.mass for (_, town), found in alone.places.items()} == {
        "5103403": Mass(40),
        "5107602": Mass(30),
    }


def _position(company: str, mg: int) -> Position:
    return Position(
        company=company, material="glass", scope="state", year=2026, base=None, target=None, obligation=None,
        achieved=Mass(mg), met=None, code="T01", message="", notes=(), basis="test", trace=Step("x", None),
    )  # fmt: skip
