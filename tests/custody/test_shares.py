"""What is not enough is shared in whole milligrams, and nothing is cut that needs no cutting."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lastro.custody.shares import Asked, apportion, granted
from lastro.units import Mass


def test_the_milligrams_left_over_go_to_the_largest_remainders_and_then_by_name():
    assert apportion(10, {"a": 1, "b": 1, "c": 1}) == {"a": 4, "b": 3, "c": 3}
    assert apportion(10, {"c": 1, "b": 1, "a": 1}) == {"a": 4, "b": 3, "c": 3}
    assert apportion(3, {"a": 1, "b": 5}) == {"a": 1, "b": 2}
    assert apportion(0, {"a": 2, "b": 0}) == {"a": 0, "b": 0}


def test_a_load_gives_way_to_one_that_has_nowhere_else_to_go():
    asked = {"one": Asked(Mass(1000), ("p", "q")), "two": Asked(Mass(200), ("q",))}
    assert granted(asked, {"p": Mass(500), "q": Mass(700)}) == {"one": Mass(1000), "two": Mass(200)}
    short = granted(asked, {"p": Mass(500), "q": Mass(699)})
    assert sum(mass.mg for mass in short.values()) < 1200


WEIGHTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 10**15), min_size=1).filter(
    lambda weights: any(weights.values())
)


@given(st.integers(0, 10**15), WEIGHTS)
def test_parts_add_up_and_are_less_than_a_milligram_from_exact(total, weights):
    parts, whole = apportion(total, weights), sum(weights.values())
    assert sum(parts.values()) == total
    assert all(abs(parts[name] * whole - total * weight) < whole for name, weight in weights.items())


LOADS = st.dictionaries(
    st.integers(1, 5),
    st.builds(
        lambda mg, papers: Asked(Mass(mg), tuple(sorted(papers))),
        st.integers(0, 50),
        st.sets(st.sampled_from("pqr"), min_size=1),
    ),
    max_size=5,
)
ROOM = st.fixed_dictionaries({paper: st.integers(0, 60).map(Mass) for paper in "pqr"})


def feasible(loads, room) -> bool:
    """Hall's condition: the loads of any set of papers find room in them."""
    sets = [{p for i, p in enumerate("pqr") if bits >> i & 1} for bits in range(8)]
    return all(
        sum(one.mass.mg for one in loads.values() if set(one.papers) <= papers)
        <= sum(room[paper].mg for paper in papers)
        for papers in sets
    )


@given(LOADS, ROOM)
def test_nobody_gets_more_than_he_asked_nor_papers_give_more_than_they_have(loads, room):
    got = granted(loads, room)
    for papers in [{p for i, p in enumerate("pqr") if bits >> i & 1} for bits in range(8)]:
        only = [name for name, one in loads.items() if set(one.papers) <= papers]
        assert sum(got[name].mg for name in only) <= sum(room[paper].mg for paper in papers)
    assert all(got[name] <= one.mass for name, one in loads.items())


@given(LOADS, ROOM, st.randoms(use_true_random=False))
def test_all_are_whole_exactly_when_they_can_be_in_any_order(loads, room, random):
    got = granted(loads, room)
    if feasible(loads, room):
        assert got == {name: one.mass for name, one in loads.items()}
    names = list(loads)
    random.shuffle(names)
    assert granted({name: loads[name] for name in names}, room) == got
