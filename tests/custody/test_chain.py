"""A resale counts what nobody counted before it, to the milligram, whatever the order of arrival."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.custody import chain_walk
from lastro.custody.chain import EARLY, Explained, Flow, Source, Upstream, World, lay, least_excess, upstream
from lastro.custody.chain_rule import can_compile, exact_part, part_in_pieces
from lastro.custody.chain_story import story
from lastro.ids import Material
from lastro.units import ZERO, Mass
from tests.custody.chain_worlds import KG, PAPER, Network, sale


def kg(amount: int) -> Mass:
    return Mass(amount * KG)


def twice(flows: list[Flow], world: World | None = None) -> dict[int, int]:
    """By number of the sale, the kilograms counted at an earlier one."""
    found = upstream(flows, world=world)
    return {int(key): answer.counted.mg // KG for (key, _), answer in found.items() if answer.counted}


@pytest.mark.parametrize("links", [2, 3, 5])
def test_a_load_counted_at_the_start_of_a_chain_is_not_counted_at_its_end(links):
    parties = ["C", *(f"D{n}" for n in range(links - 1)), "R"]
    flows = [sale(n, n, parties[n], parties[n + 1], 100) for n in range(links)]
    flows[0], flows[-1] = sale(0, 0, "C", "D0", 100, 100), sale(links - 1, 9, parties[-2], "R", 100, 100)
    assert twice(flows) == {links - 1: 100}


def test_a_load_nobody_counted_before_is_counted_at_the_end():
    assert upstream([sale(1, 1, "C", "D", 100), sale(2, 2, "D", "R", 100, 100)]) == {}


def test_a_legal_split_counts_each_part_once():
    flows = [sale(1, 1, "C", "D", 100, 40), sale(2, 2, "D", "R", 60, 60), sale(3, 3, "D", "R", 40)]
    assert upstream(flows) == {}


def test_of_a_sale_larger_than_what_is_clean_only_the_rest_was_counted_before():
    """The worked example of art. 28 of Decreto MT 1.455/2025: 100 t, of which 40 t were counted upstream."""
    flows = [sale(1, 1, "C", "D", 40, 40), sale(2, 1, "C", "D", 60), sale(3, 2, "D", "R", 100, 100)]
    assert twice(flows) == {3: 40}


def test_a_loop_of_two_dealers_ends_with_the_exact_mass():
    flows = [
        sale(1, 1, "C", "D", 100, 100),
        sale(2, 2, "D", "E", 100),
        sale(3, 3, "E", "D", 100),
        sale(4, 4, "D", "E", 100),
        sale(5, 5, "E", "R", 100, 70),
        sale(6, 6, "E", "R", 0, 0),
    ]
    assert twice(flows) == {5: 70}


def test_an_uncounted_sale_hands_on_what_was_counted_in_the_proportion_of_the_stock():
    flows = [
        sale(1, 1, "C", "D", 30, 30),
        sale(2, 1, "C", "D", 60),
        sale(3, 2, "D", "E", 30),
        sale(4, 3, "E", "R", 30, 30),
        sale(5, 3, "D", "R", 60, 60),
    ]
    assert twice(flows) == {4: 10, 5: 20}


def test_the_indivisible_milligram_stays_with_what_was_counted():
    flows = [
        Flow("1" * 44, 1, 1, "C", "D", PAPER, 1, 1),
        Flow("2" * 44, 1, 1, "C", "D", PAPER, 2, 0),
        Flow("3" * 44, 1, 2, "D", "E", PAPER, 1, 0),
        Flow("4" * 44, 1, 3, "E", "R", PAPER, 1, 1),
        Flow("5" * 44, 1, 3, "D", "R", PAPER, 2, 2),
    ]
    assert upstream(flows) == {("4" * 44, 1): Upstream(Mass(1), ZERO)}


def test_a_purchase_after_the_sale_does_not_explain_it():
    flows = [sale(1, 1, "C", "D", 10), sale(2, 2, "D", "R", 50, 50), sale(3, 3, "C", "D", 40)]
    late = (Explained(flows[2].access_key, kg(40), late=True),)
    assert upstream(flows) == {(flows[1].access_key, 1): Upstream(ZERO, kg(40), late)}


def test_on_one_day_the_key_says_what_comes_first():
    before = [sale(1, 1, "C", "D", 50, 50), sale(2, 1, "D", "R", 50, 50)]
    after = [sale(2, 1, "C", "D", 50, 50), sale(1, 1, "D", "R", 50, 50)]
    assert twice(before) == {2: 50}
    late = (Explained(after[0].access_key, kg(50), late=True),)
    assert upstream(after) == {(after[1].access_key, 1): Upstream(ZERO, kg(50), late)}


def test_what_was_sold_is_explained_by_purchases_of_the_month_after_and_each_kilogram_once():
    month = EARLY
    flows = [
        sale(1, 0, "C", "D", 1),
        sale(2, 10, "D", "R", 30, 31 - 1),
        sale(3, 20, "D", "R", 30, 30),
        sale(4, 10 + month, "C", "D", 40),
        sale(5, 20 + month + 1, "C", "D", 40),
    ]
    first, second = upstream(flows)[flows[1].sale], upstream(flows)[flows[2].sale]
    assert first == Upstream(ZERO, kg(29), (Explained(flows[3].access_key, kg(29), late=True),))
    assert second == Upstream(ZERO, kg(30), (Explained(flows[3].access_key, kg(11), late=True),))
    assert upstream(flows[::-1]) == upstream(flows)


def test_a_purchase_that_waits_makes_no_stock_and_is_named_where_it_is_sold_on():
    counted, copy = sale(1, 1, "C", "D", 50, 50), replace(sale(2, 1, "C", "D", 50), waits=True)
    honest = sale(3, 1, "C", "D", 20)
    resale = sale(4, 2, "D", "R", 80, 80)
    waiting = (Explained(copy.access_key, kg(10), late=False),)
    assert upstream([counted, copy, honest, resale]) == {resale.sale: Upstream(kg(50), kg(10), waiting)}
    decided = replace(copy, waits=False)
    assert upstream([counted, decided, honest, resale]) == {resale.sale: Upstream(kg(10), ZERO)}


def test_what_was_used_of_a_purchase_that_waits_has_been_counted():
    used = replace(sale(1, 1, "C", "D", 50, 30), waits=True)
    resale = sale(2, 2, "D", "R", 40, 40)
    waiting = (Explained(used.access_key, kg(10), late=False),)
    assert upstream([used, resale]) == {resale.sale: Upstream(kg(30), kg(10), waiting)}


def test_another_material_explains_nothing():
    flows = [
        sale(1, 1, "C", "D", 50, 50),
        sale(2, 1, "C", "D", 50, material=Material.GLASS),
        sale(3, 2, "D", "R", 50, 50),
    ]
    assert twice(flows) == {3: 50}


def test_who_collects_and_buys_sells_what_it_bought_first_and_then_its_own():
    flows = [
        sale(1, 1, "D", "C", 40, 40),
        sale(2, 2, "C", "E", 100),
        sale(3, 3, "E", "R", 60, 60),
        sale(4, 4, "E", "R", 40, 40),
        sale(5, 5, "D", "C", 10, 10),
        sale(6, 6, "C", "R", 70, 70),
    ]
    world = World(mixed=frozenset({("C", PAPER)}))
    assert upstream(flows, world=world) == {
        (flows[3].sale): Upstream(kg(40), ZERO),
        (flows[5].sale): Upstream(kg(10), ZERO),
    }


def test_mass_begins_with_a_collector_even_where_it_also_buys():
    flows = [sale(1, 1, "P", "C", 10, 10), sale(2, 2, "C", "R", 50, 50)]
    assert upstream(flows) == {(flows[1].access_key, 1): Upstream(kg(10), kg(40))}
    assert upstream(flows, world=World(frozenset({("C", PAPER)}))) == {}


def test_a_declared_source_is_clean_up_to_its_cap_and_from_its_day():
    flows = [sale(1, 1, "P", "C", 10, 10), sale(2, 5, "C", "R", 50, 50)]
    said = Upstream(kg(10), kg(15))
    assert upstream(flows, world=World(sources=(Source("C", PAPER, 3, kg(25)),))) == {flows[1].sale: said}
    too_late = World(sources=(Source("C", PAPER, 6, kg(25)),))
    assert upstream(flows, world=too_late) == {flows[1].sale: Upstream(kg(10), kg(40))}


def test_who_declares_a_source_has_no_more_than_that():
    flows = [sale(1, 5, "C", "R", 50, 50)]
    assert upstream(flows) == {}
    capped = World(sources=(Source("C", PAPER, 1, kg(30)),))
    assert upstream(flows, world=capped) == {flows[0].sale: Upstream(ZERO, kg(20))}


def test_what_is_lost_in_sorting_is_not_left_to_sell():
    flows = [sale(1, 1, "C", "D", 50, 50), sale(2, 1, "C", "D", 50), sale(3, 2, "D", "R", 90, 90)]
    world = World(yields={PAPER: Fraction(9, 10)})
    assert upstream(flows, world=world) == {flows[2].sale: Upstream(kg(45), ZERO)}


def test_the_balance_of_a_party_says_the_least_that_is_wrong_whatever_the_routing():
    flows = [sale(1, 1, "C", "D", 50, 50), sale(2, 1, "C", "D", 50), sale(3, 2, "D", "R", 90, 90)]
    assert least_excess(flows) == {("D", PAPER): kg(40)}
    assert least_excess([*flows[:2], sale(3, 2, "D", "R", 50, 50)]) == {}


def test_the_same_load_claimed_by_two_entities_upstream_and_downstream_counts_once():
    """The chain sees what everyone counted together: the dealer's sale has nothing left for another."""
    flows = [sale(1, 1, "C", "D", 100, 60), sale(2, 2, "D", "R", 100, 100)]
    assert twice(flows) == {2: 60}


def test_a_planted_network_of_200_000_notes_is_resolved_to_the_milligram_in_any_order():
    network = Network(200_000, seed=7)
    assert len(network.twice) > 50_000
    found = [upstream(network.shuffled(seed)) for seed in (1, 2, 3)]
    assert {s: u.counted.mg for s, u in found[0].items()} == network.twice
    assert all(not u.unknown for u in found[0].values())
    assert found[1] == found[0]
    assert found[2] == found[0]


@pytest.mark.skipif(not can_compile(), reason="numba (the extra speed) is not installed")
def test_machine_code_says_what_python_says(monkeypatch):
    flows = tangle(3000, seed=3, scale=10**13)
    answers = []
    for limit in (1, 10**9):
        monkeypatch.setattr(chain_walk, "_COMPILE_FROM", limit)
        assert lay(flows).stock.arrays is (limit == 1)
        answers.append((upstream(flows), least_excess(flows)))
    assert answers[0] == answers[1]
    assert len(answers[0][0]) > 100


def tangle(size: int, *, seed: int, scale: int) -> list[Flow]:
    """Sales among few dealers, all ways round, with masses up to `scale` milligrams."""
    rnd = random.Random(seed)
    flows = []
    for number in range(size):
        seller, buyer = rnd.sample("CDEFGR", 2)
        mass = rnd.randrange(1, scale)
        counted = rnd.choice([0, 0, mass, rnd.randrange(mass + 1)])
        flows.append(
            Flow(
                f"{number:044d}",
                1,
                rnd.randrange(size),
                seller,
                buyer,
                rnd.choice(list(Material)[:2]),
                mass,
                counted,
            )
        )
    return flows


def test_walking_on_from_an_earlier_month_ends_as_walking_all(monkeypatch):
    flows = sorted(tangle(2000, seed=5, scale=10**10), key=lambda f: (f.at, f.access_key))
    for limit in (1, 10**9) if can_compile() else (10**9,):
        monkeypatch.setattr(chain_walk, "_COMPILE_FROM", limit)
        laid = lay(flows)
        whole = chain_walk.walk(laid.sales, laid.stock.copy())
        early, late = (
            chain_walk.Sales(*(c[part] for c in laid.sales)) for part in (slice(0, 1500), slice(1500, None))
        )
        stock = laid.stock.copy()
        first = chain_walk.walk(early, stock)
        assert stock.takes(late)
        assert not stock.takes(early)
        second = chain_walk.walk(late, stock)
        assert [*first.twice, *second.twice] == list(whole.twice)
        assert [*first.beyond, *second.beyond] == list(whole.beyond)


def test_a_stock_is_not_walked_on_when_a_party_turns_out_to_buy():
    laid = lay([sale(1, 1, "C", "D", 10), sale(2, 2, "D", "R", 10)])
    chain_walk.walk(laid.sales, laid.stock)
    to_seller = chain_walk.Sales([1], [0], [0], [1], [0], [9])
    assert not laid.stock.takes(to_seller)
    laid = lay([sale(1, 1, "C", "D", 10), sale(2, 2, "D", "R", 10)], world=World(frozenset({("C", PAPER)})))
    assert laid.stock.takes(to_seller)


@given(
    c=st.integers(1, 2**61 - 1),
    b=st.fractions(0, 1),
    a=st.integers(0, 2**62 - 1),
)
@settings(max_examples=500)
def test_a_product_in_pieces_is_the_exact_one(a, b, c):
    part = int(c * b)
    assert part_in_pieces(a, part, c) == exact_part(a, part, c)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_sale_counts_more_twice_than_it_counts_and_order_never_matters(data):
    flows = tangle(data.draw(st.integers(1, 40)), seed=data.draw(st.integers(0, 10**6)), scale=1000)
    found = upstream(flows)
    by_sale = {flow.sale: flow for flow in flows}
    for at, answer in found.items():
        assert answer.counted.mg + answer.unknown.mg <= by_sale[at].credited_mg
    mixed = list(flows)
    random.Random(data.draw(st.integers(0, 10**6))).shuffle(mixed)
    assert upstream(mixed) == found
    named = sum(a.counted.mg + a.unknown.mg for a in found.values())
    assert named >= sum(most.mg for most in least_excess(flows).values())


def test_a_sale_tells_its_story():
    flows = [
        sale(1, 1, "C", "D", 40, 40),
        sale(2, 1, "C", "D", 60),
        sale(3, 2, "C", "E", 9, 9),
        sale(4, 3, "D", "R", 100, 100),
        sale(5, 4, "C", "D", 5),
    ]
    told = story(reversed(flows), flows[3].sale)
    assert told is not None
    assert told.answer == Upstream(kg(40), ZERO)
    assert not told.begins
    assert [(s.flow, s.bought, s.clean, s.spent) for s in told.steps] == [
        (flows[0], True, ZERO, kg(40)),
        (flows[1], True, kg(60), kg(40)),
        (flows[3], False, ZERO, ZERO),
    ]
    first = story(flows, flows[0].sale)
    assert first is not None
    assert first.begins
    assert first.answer == Upstream()
    assert story(flows, ("9" * 44, 1)) is None
