"""What is published together tells of no company, whatever the tables' shape; and the attack is real."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.disclosure import Atom, Policy, policy, publishable, safe
from tests.blackbox.attack import attack, published, world


def _atoms(**sizes: int) -> dict[str, Atom]:
    return {name: Atom(name, size) for name, size in sizes.items()}


@pytest.mark.parametrize(
    ("sizes", "may"),
    [
        ((), False),
        ((5, 5), False),  # each finds the other by taking itself away
        ((5, 5, 0), False),  # who adds nothing hides nobody
        ((5, 5, 5), True),
        ((75, 15, 10), True),  # exactly at 75 %
        ((76, 14, 10), False),  # the first dominates
        ((50, 45, 5), True),  # exactly 10 % of the largest is left beside the two
        ((50, 46, 4), False),  # the second comes nearer than 10 % to the first
    ],
)
def test_a_sum_of_few_or_of_one_that_dominates_is_not_safe(sizes: tuple[int, ...], may: bool) -> None:
    assert safe(Atom(str(n), size) for n, size in enumerate(sizes)) is may


def test_a_company_counts_once_however_many_masses_it_has() -> None:
    assert not safe([Atom("A", 5), Atom("A", 5), Atom("B", 5), Atom("B", 1)])


def test_the_policy_says_where_it_comes_from() -> None:
    assert policy() == Policy(3, Fraction(3, 4), Fraction(1, 10))


def test_what_a_margin_would_give_away_is_kept_back_with_it() -> None:
    atoms = _atoms(A=5, B=5, C=5, D=5, E=5, F=5, G=5)
    sums = {"all": list(atoms), "many": ["A", "B", "C"], "few": ["D"], "rest": ["E", "F", "G"]}
    assert publishable(sums, atoms) == {"all", "many"}
    assert publishable({k: v for k, v in sums.items() if k != "all"}, atoms) == {"many", "rest"}


def test_a_second_edition_that_one_company_changed_is_not_published() -> None:
    atoms = {**_atoms(A=5, B=5, C=5), "more of A": Atom("A", 2)}
    assert publishable({"first": ["A", "B", "C"], "second": list(atoms)}, atoms) == {"first"}


_NAMES = "ABCDEFGHI"


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=9, max_size=9),
    st.lists(st.sets(st.sampled_from(_NAMES), min_size=1), min_size=1, max_size=6),
)
def test_no_sum_and_no_difference_of_two_sums_is_ever_unsafe(sizes: list[int], cells: list[set[str]]) -> None:
    atoms = _atoms(**dict(zip(_NAMES, sizes, strict=True)))
    told = publishable(dict(enumerate(cells)), atoms)
    shown = [cells[n] for n in told]
    for one in shown:
        assert safe(atoms[name] for name in one)
    for one, two in combinations(shown, 2):
        for left in (one - two, two - one, one & two):
            assert not left or safe(atoms[name] for name in left)


def test_three_years_of_tables_do_not_tell_a_mass_and_without_complements_they_do() -> None:
    made = world(7, companies=12)
    shown, tried, broken = attack(made)
    assert shown >= 5
    assert tried > 300
    assert broken == []
    _, _, found = attack(made, naive=True)
    assert found, "an attack that never succeeds proves nothing"
    assert len(published(made, naive=True)) > shown
