"""What loads could not have done, each with what comes just as near and is possible."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.custody.trips import Trip, doubtful, km_apart
from lastro.ids import UF_BY_CODE, Material
from lastro.units import Mass
from tests.custody.test_settle import BUYER, SELLER, cnpj
from tests.custody.waste_papers import DAY, key

OTHER = cnpj("OUTRA")


def trip(n: int, tonnes: str = "20", *, material: Material = Material.GLASS, **more) -> Trip:
    values = {
        "issued_on": DAY, "seller": SELLER, "buyer": BUYER, "from_uf": "MT", "to_uf": "MT",
        "goods": ((material, Mass.parse(f"{tonnes} t")),), "plates": frozenset({f"ZZZ0A{n:02d}"}), **more,
    }  # fmt: skip
    return Trip(key(n), **values)


def codes(*trips: Trip, capacity=None) -> dict[int, list[str]]:
    found = doubtful(trips, capacity=capacity or {})
    return {int(at[25:34]): [seen.code for seen in said] for at, said in found.items()}


def test_a_usual_load_asks_nothing():
    assert codes(trip(1), trip(2, seller=OTHER), trip(3, issued_on=DAY + timedelta(1))) == {}


def test_a_load_above_the_heaviest_lorry_asks_people():
    assert codes(trip(1, "58.500001")) == {1: ["G05"]}


@pytest.mark.parametrize(
    "near",
    [
        trip(1, "58.5"),
        trip(1, "900", plates=frozenset()),
        trip(1, "900", by_road=False),
    ],
)
def test_what_a_lorry_may_weigh_and_what_is_no_lorry_does_not(near):
    assert codes(near) == {}


LORRY = frozenset({"ZZZ0A01"})


def test_one_lorry_cannot_leave_both_ends_of_the_country_on_one_day():
    far = [trip(1, from_uf="RS", plates=LORRY), trip(2, from_uf="RR", plates=LORRY, seller=OTHER)]
    assert codes(*far) == {1: ["G06"], 2: ["G06"]}


@pytest.mark.parametrize(
    "change",
    [
        {"from_uf": "PA"},
        {"issued_on": DAY + timedelta(1)},
        {"plates": frozenset({"ZZZ0B02"})},
        {"by_road": False},
        {"from_uf": "EX"},
    ],
)
def test_what_may_have_been_reached_or_is_not_told_asks_nothing(change):
    first = trip(1, from_uf="SP", plates=LORRY)
    other = replace(trip(2, from_uf="RR", plates=LORRY, seller=OTHER), **change)
    if change == {"from_uf": "PA"}:
        assert codes(first, other) == {}
    else:
        assert codes(replace(first, from_uf="RS"), other).get(1) is None


def test_the_distance_between_states_is_never_said_larger_than_it_is():
    assert km_apart("MT", "MS") == 0
    assert km_apart("RS", "SC") == 0
    assert 1_800 < km_apart("RS", "PA") < 2_700
    assert km_apart("RS", "EX") is None
    ufs = sorted(set(UF_BY_CODE.values()))
    assert all(km_apart(a, b) == km_apart(b, a) <= 4_400 for a in ufs for b in ufs)


def test_a_month_above_the_registered_capacity_asks_of_the_notes_beyond_it_in_order_of_day():
    notes = [trip(n, "20", issued_on=date(2026, 6, n)) for n in (1, 2, 3)]
    room = {SELLER: Mass.parse("40 t")}
    assert codes(*reversed(notes), capacity=room) == {3: ["G07"]}
    assert codes(*notes, trip(4, "1", issued_on=date(2026, 7, 1)), capacity=room) == {3: ["G07"]}


def test_a_month_within_the_capacity_or_without_one_asks_nothing():
    notes = [trip(n, "20", issued_on=date(2026, 6, n)) for n in (1, 2)]
    assert codes(*notes, capacity={SELLER: Mass.parse("40 t")}) == {}
    assert codes(*notes, capacity={BUYER: Mass.parse("1 t")}) == {}


BARE = {"from_uf": "MT", "to_uf": "SP", "plates": frozenset()}


def test_a_load_to_another_state_without_any_transport_asks_people():
    assert codes(trip(1, **BARE)) == {1: ["G08"]}


@pytest.mark.parametrize(
    "near",
    [
        {"to_uf": "MT"},
        {"to_uf": "EX"},
        {"to_uf": ""},
        {"plates": LORRY},
        {"carrier": OTHER},
        {"covered": True},
        {"by_road": False},
    ],
)
def test_a_named_lorry_carrier_manifest_or_the_same_state_does_not(near):
    assert codes(trip(1, **{**BARE, **near})) == {}


def test_two_firms_that_sell_each_other_one_material_ask_people():
    back = trip(2, seller=BUYER, buyer=SELLER, issued_on=DAY + timedelta(30))
    assert codes(trip(1), back) == {1: ["G09"], 2: ["G09"]}


@pytest.mark.parametrize(
    "near",
    [
        {"issued_on": DAY + timedelta(31)},
        {"goods": ((Material.PAPER, Mass(1)),)},
        {"buyer": OTHER},
    ],
)
def test_another_material_firm_or_time_is_another_sale(near):
    back = replace(trip(2, seller=BUYER, buyer=SELLER), **near)
    assert codes(trip(1), back) == {}


TRIPS = st.lists(
    st.builds(
        lambda n, back, tonnes, day, uf, plate: trip(
            n,
            str(tonnes),
            issued_on=DAY + timedelta(day),
            seller=BUYER if back else SELLER,
            buyer=SELLER if back else BUYER,
            from_uf=uf,
            plates=frozenset({plate} if plate else ()),
        ),
        st.integers(1, 6), st.booleans(), st.integers(1, 80), st.integers(0, 40),
        st.sampled_from(["RS", "RR", "MT"]), st.sampled_from(["", "ZZZ0A01"]),
    ),
    max_size=6,
    unique_by=lambda t: t.access_key,
)  # fmt: skip


@given(TRIPS, st.randoms(use_true_random=False))
def test_order_and_repetition_never_matter(trips, random):
    room = {SELLER: Mass.parse("60 t")}
    expected = doubtful(trips, capacity=room)
    mixed = [*trips, *trips[:2]]
    random.shuffle(mixed)
    assert doubtful(mixed, capacity=room) == expected
