"""Trips in a real store: what people are asked of a load follows from all loads, in any order."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

import pytest

from lastro.custody.port import Handed
from lastro.stores.postgres.registry import load as load_registry
from tests.custody.test_papers import kilograms, load, paper, reasons, sound
from tests.custody.test_settle import BUYER, SELLER, TODAY, A, B, cnpj, give
from tests.custody.waste_papers import mtr, residue

OTHER = cnpj("OUTRA")


def trip(
    number: int, kg: int, *, seller: str = SELLER, buyer: str = BUYER, day: int = 10, **road: str
) -> Handed:
    """A load of glass, with what its note says of the road."""
    made = load(number, kg, plates=(road.pop("plate"),) if "plate" in road else ())
    invoice = {
        **made.document["invoice"], "issuer": seller, "issuer_uf": "MT", "recipient_uf": "MT", **road,
    }  # fmt: skip
    return replace(
        made, issuer=seller, recipient=buyer, issued_on=date(2026, 6, day), document={"invoice": invoice}
    )


def test_a_load_to_another_state_waits_for_its_transport_and_a_manifest_is_one(store):
    give(store, A, trip(1, 1000, recipient_uf="SP"))
    assert (kilograms(store), reasons(store)) == ({}, {1: ("contested", "G08")})
    give(store, A, paper(mtr(1, residue("1000"), mentions=("1",))))
    assert (kilograms(store), reasons(store)) == ({1: 1000}, {1: ("counted", "")})


def test_two_firms_that_sell_each_other_wait_and_a_cancelled_sale_frees_the_other(store):
    from tests.custody.test_papers import cancelled

    give(store, A, trip(1, 1000))
    give(store, B, trip(2, 500, seller=BUYER, buyer=SELLER, day=20))
    assert kilograms(store) == {}
    assert reasons(store)[1] == ("contested", "G09")
    give(store, B, cancelled(2))
    assert kilograms(store) == {1: 1000}
    assert sound(store)


def test_a_month_above_what_the_registry_says_waits(store):
    row = {"cnpj": SELLER, "name": "Cooperativa inventada", "capacity_kg_month": "2000"}
    load_registry(store, {"parties": [row]}, source="cadastro", on=TODAY)
    for number, day in ((3, 12), (1, 10), (2, 11)):
        give(store, A, trip(number, 900 + number, day=day))
    assert kilograms(store) == {1: 901, 2: 902}
    assert reasons(store)[3] == ("contested", "G07")


@pytest.mark.parametrize("seed", range(4))
def test_order_never_matters(store, seed):
    acts = [
        (A, trip(1, 70_000, plate="ZZZ0A01")),
        (A, trip(2, 20_000, plate="ZZZ-0B02", issuer_uf="RS", recipient_uf="RS")),
        (B, trip(3, 21_000, plate="ZZZ0B02", seller=OTHER, issuer_uf="RR", recipient_uf="RR")),
        (A, trip(4, 1_000, recipient_uf="PA")),
        (A, trip(5, 1_000, recipient_uf="PA", carrier=OTHER)),
        (B, trip(6, 700, seller=BUYER, buyer=OTHER, day=20)),
    ]
    random.Random(seed).shuffle(acts)
    for whom, handed in acts + acts[:2]:
        give(store, whom, handed)
    assert {n: why for n, (_, why) in reasons(store).items()} == {
        1: "G05", 2: "G06", 3: "G06", 4: "G08", 5: "", 6: "G09",
    }  # fmt: skip
    assert sound(store)
