"""What stands of a note of which a part came back: by lines and materials, and in a store in any order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.custody.port import Bears, Handed
from lastro.custody.returned import Goods, Return, left_of
from lastro.stores.postgres.auditing import custody_checks
from lastro.units import Mass
from tests.codes.c_claims import handed_in
from tests.custody.test_settle import BUYER, SELLER, A, B, balances, cancellation, give, key, note
from tests.evidence import vectors as v


def goods(*lines: tuple[str | None, int | None]) -> tuple[Goods, ...]:
    return tuple(
        Goods(n, material, None if mg is None else Mass(mg)) for n, (material, mg) in enumerate(lines, 1)
    )


def left(sold: tuple[Goods, ...], *returns: Return) -> dict[int, int] | None:
    found = left_of(sold, returns)
    return None if found is None else {line: limits[0].mass.mg for line, limits in found.items()}


LOAD = goods(("paper", 1000), ("glass", 300), ("paper", 500), (None, None))


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        (goods(("paper", 200)), {3: 300}),
        (goods(("paper", 700)), {3: 0, 1: 800}),
        (goods(("glass", 300)), {2: 0}),
        (goods(("paper", 1), (None, None), ("glass", 2)), {3: 499, 2: 298}),
        (goods(("paper", 1500), ("glass", 299)), {3: 0, 1: 0, 2: 1}),
        (goods(("paper", 1500), ("glass", 300)), None),
        (goods(("paper", 1501)), None),
        (goods(("plastic", 1)), None),
        (goods(("paper", None)), None),
        (goods((None, 5)), None),
        ((), None),
    ],
)
def test_a_return_takes_its_materials_from_the_last_lines(
    back: tuple[Goods, ...], expected: dict[int, int] | None
) -> None:
    assert left(LOAD, Return("k", back)) == expected


def test_one_note_that_returns_several_leaves_it_open_how_much_of_which() -> None:
    assert left(LOAD, Return("k", goods(("paper", 200)), notes=2)) is None
    assert left(LOAD, Return("k", goods(("paper", 200)), notes=0)) is None


def test_a_line_of_the_note_without_a_mass_leaves_it_open_too() -> None:
    assert left(goods(("paper", 1000), ("paper", None)), Return("k", goods(("paper", 200)))) is None


@given(st.lists(st.integers(1, 400), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_returns_add_up_in_any_order(parts: list[int], shuffle: object) -> None:
    sold = goods(("paper", 1000), ("paper", 500), ("glass", 200))
    returns = [Return(f"k{n}", goods(("paper", mg))) for n, mg in enumerate(parts)]
    first = left_of(sold, returns)
    assert first == left_of(sold, returns[::-1])
    total = sum(parts)
    if total > 1500:
        assert first is None
        return
    assert first is not None
    whole = {1: 1000, 2: 500}
    rest = sum(first[line][0].mass.mg if line in first else mg for line, mg in whole.items())
    assert rest == 1500 - total


def test_the_return_is_told_on_the_line_with_what_still_counts() -> None:
    found = left_of(LOAD, [Return("b", goods(("paper", 100))), Return("a", goods(("paper", 100)))])
    assert found is not None
    (limit,) = found[3]
    assert (limit.finding.code, limit.finding.severity.value) == ("N16", "warn")
    assert limit.finding.found.endswith("pela nota a, b")


# ── in a store ───────────────────────────────────────────────────────────────────────────────────────


def partly(number: int, mass: int, *, by: int = 100, of: tuple[int, ...] = ()) -> Handed:
    """Another note of the two parties, which returns so much of the note of this number."""
    parties = tuple(sorted((SELLER, BUYER)))
    bears = tuple(Bears(key(n), "N16", parties) for n in (number, *of))
    made = note(number + by, mass=mass, outcome="refused")
    return replace(made, bears=bears, issued_on=made.issued_on and made.issued_on.replace(day=20))


def test_what_did_not_come_back_stands_in_any_order(store) -> None:
    for number, order in enumerate(permutations(range(3)), start=1):
        papers = [note(number), partly(number, 250), partly(number, 150, by=200)]
        for place in order:
            give(store, A, papers[place])
        assert balances(store)[key(number), A] == 600, order


def test_all_of_it_came_back_and_a_cancelled_return_did_not(store) -> None:
    give(store, A, note(1), partly(1, 400))
    assert balances(store) == {(key(1), A): 600}
    give(store, A, partly(1, 600, by=200))
    assert balances(store) == {}
    give(store, A, cancellation(101))
    assert balances(store) == {(key(1), A): 400}


def test_a_return_of_several_notes_stops_each_until_people_tell(store) -> None:
    give(store, A, note(1), note(2), partly(1, 250, of=(2,)))
    assert balances(store) == {}


def test_claims_that_fit_no_longer_are_contested(store) -> None:
    give(store, A, note(1), mass=400)
    give(store, B, note(1), mass=600)
    give(store, A, partly(1, 1))
    assert balances(store) == {}


def test_claims_that_fit_in_what_is_left_stand(store) -> None:
    give(store, A, note(1), mass=400)
    give(store, B, note(1), mass=500)
    give(store, A, partly(1, 100))
    assert balances(store) == {(key(1), A): 400, (key(1), B): 500}


# ── from the very files ──────────────────────────────────────────────────────────────────────────────


def bought_back(kilograms: str, number: int) -> v.Note:
    """A return by the mill, of some of the cooperative's first note."""
    return v.Note(
        number=number,
        issuer=v.MILL,
        recipient=v.COOP,
        purpose="4",
        items=[v.Item(cfop="5202", quantity=kilograms, value="150.00")],
        references=(v.Note().access_key,),
    )


@pytest.mark.parametrize("first", ["sale", "return"])
def test_a_sale_and_the_return_of_a_part_of_it_leave_the_rest(store, first: str) -> None:
    back = bought_back("250.0000", 5)
    files = {"sale.xml": v.authorised(), "return.xml": v.authorised(back)}
    told = handed_in(store, dict(sorted(files.items(), reverse=first == "sale")))
    assert [lot.mass for lot in store.lots()] == [Mass.kg("1000")]
    assert (told["sale.xml"], "M09" in told["return.xml"]) == ({"N18", "N16"}, True)
    assert [check.name for check in custody_checks(store) if check.failed] == []
    handed_in(store, {"cancelled.xml": v.event(back.access_key, owner=v.MILL)})
    assert [lot.mass for lot in store.lots()] == [Mass.kg("1250")]


def test_a_sale_of_which_all_came_back_counts_nothing(store) -> None:
    handed_in(store, {"sale.xml": v.authorised(), "a.xml": v.authorised(bought_back("1000.0000", 5))})
    assert [lot.mass for lot in store.lots()] == [Mass.kg("250")]
    handed_in(store, {"b.xml": v.authorised(bought_back("250.0000", 6))})
    assert [lot.mass for lot in store.lots() if lot.mass] == []
