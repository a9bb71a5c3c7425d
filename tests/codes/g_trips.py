"""Loads that could not have been, and such as could just have been."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from lastro.custody.trips import Trip, doubtful
from lastro.units import Mass
from tests.codes import Codes, near_miss, triggers
from tests.custody.test_settle import BUYER, SELLER
from tests.custody.test_trips import BARE, LORRY, OTHER, trip
from tests.custody.waste_papers import DAY


def said(*trips: Trip, capacity: Mapping[str, Mass] | None = None) -> Codes:
    """The codes on any of the trips."""
    return {f.code for found in doubtful(trips, capacity=capacity or {}).values() for f in found}


@triggers("G05")
def more_than_the_heaviest_lorry_may_weigh() -> Codes:
    return said(trip(1, "58.500001"))


@near_miss("G05")
def just_what_the_heaviest_lorry_may_weigh() -> Codes:
    return said(trip(1, "58.5"))


@triggers("G06")
def one_lorry_at_both_ends_of_the_country() -> Codes:
    return said(trip(1, from_uf="RS", plates=LORRY), trip(2, from_uf="RR", plates=LORRY, seller=OTHER))


@near_miss("G06")
def two_lorries_at_both_ends_of_the_country() -> Codes:
    return said(trip(1, from_uf="RS", plates=LORRY), trip(2, from_uf="RR", seller=OTHER))


@triggers("G07")
def a_month_above_what_the_operator_can_handle() -> Codes:
    return said(trip(1), trip(2), capacity={SELLER: Mass.parse("39.999 t")})


@near_miss("G07")
def a_month_of_just_what_the_operator_can_handle() -> Codes:
    return said(trip(1), trip(2), capacity={SELLER: Mass.parse("40 t")})


@triggers("G08")
def to_another_state_without_any_transport() -> Codes:
    return said(trip(1, **BARE))


@near_miss("G08")
def to_another_state_on_a_lorry_that_is_named() -> Codes:
    return said(trip(1, **{**BARE, "plates": LORRY}))


@triggers("G09")
def two_firms_that_sell_each_other_the_same() -> Codes:
    return said(trip(1), trip(2, seller=BUYER, buyer=SELLER, issued_on=DAY + timedelta(30)))


@near_miss("G09")
def two_firms_that_sold_each_other_the_same_a_day_later() -> Codes:
    return said(trip(1), trip(2, seller=BUYER, buyer=SELLER, issued_on=DAY + timedelta(31)))
