"""What offices may ask and what is published stand on provisions that the norm really has."""

from __future__ import annotations

from collections import Counter

import pytest

from lastro.lawkit import Regulation, library
from lastro.lawkit.provisions import provisions_of

OFFICES, WHO = {"agency", "ministry", "gap"}, {"entity", "company", "gap"}


@pytest.mark.parametrize("regulation", library.every(), ids=lambda r: r.norm.path)
def test_asks_and_publications_cite_what_is_there_and_is_coded(regulation: Regulation) -> None:
    known = {p.id: p.status for p in provisions_of(regulation.norm.package)}
    named = [(one.name, one.provisions) for one in (*regulation.asks, *regulation.publishes)]
    named += [("seals", regulation.seals.provisions)] if regulation.seals else []
    for name, cited in named:
        assert cited, name
        assert set(cited) <= set(known), name
    for ask in regulation.asks:
        assert any(known[one] == "coded" for one in ask.provisions), ask.name
        assert set(ask.offices) <= OFFICES
        assert set(ask.of) <= WHO


@pytest.mark.parametrize("regulation", library.every(), ids=lambda r: r.norm.path)
def test_each_is_told_apart_by_its_name(regulation: Regulation) -> None:
    for found in (regulation.asks, regulation.publishes):
        assert not [name for name, n in Counter(one.name for one in found).items() if n > 1]


def test_an_opening_of_data_is_given_by_the_two_federal_norms() -> None:
    opens = {r.norm.path for r in library.every() for ask in r.asks if ask.opens}
    assert opens == {"br/decreto_10240_2020", "br/minuta_metal_2022"}
