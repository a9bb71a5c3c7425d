"""Faults of other registries of credits, rows 1 to 24 of the study of peers: what lastro does instead."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from lastro.certificates.port import Part
from lastro.certificates.states import Move, State
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass, Money, total
from tests.certificates.test_life import audited, offer, parts, sell, withdraw
from tests.certificates.worlds import ON, authorise, filled, issue, number_of, prepare
from tests.custody.test_settle import TODAY, A, give, note
from tests.ledger.test_concurrency import at_once
from tests.ledger.worlds import COMPANY, VERIFIER


@drawn(st.lists(st.integers(0, 10**12), max_size=20))
def test_row2_what_is_shown_of_the_lines_adds_up_to_what_is_shown_of_the_total(mgs):
    assert sum(_read(Mass(mg)) for mg in mgs) == _read(total(map(Mass, mgs)))


def _read(mass):
    """The number that a person reads off a page."""
    return Decimal(str(mass).removesuffix(" kg").replace(".", "").replace(",", "."))


@pytest.mark.parametrize("year", [2024, 2025, 2027, 2028])
def test_row4_notes_of_one_year_make_no_certificate_of_another(store, year):
    book = filled(store, 300)
    assert prepare(book, year=year).code == "K01"
    assert offer(book, year=year).code == "K01"
    assert isinstance(prepare(book), dict)
    assert {lot.issued_on.year for lot in book.find("c1").lots} == {book.find("c1").year}


def test_row7_what_is_offered_or_prepared_is_there_and_not_available(store):
    book = filled(store, 300)
    offer(book, grams=200)
    assert prepare(book, "c9", 101).code == "K01"
    assert isinstance(prepare(book, "c8", 100), dict)
    assert sum(lot.mass.mg for lot in store.lots()) == 0
    assert {one.mass.mg for one in book.certificates()} == {200_000, 100_000}


def test_row15_a_division_is_seen_whole_or_not_at_all(store):
    book = filled(store, 1_000)
    for n in range(8):
        offer(book, f"o{n}", 100)
    many = [[Part(f"o{n}.{i}", Mass(10_000), COMPANY, Money(1)) for i in range(10)] for n in range(8)]

    def sold(n):
        def run():
            try:
                return book.divide(f"o{n}", Move.SELL, many[n], by="ana", on=ON)
            finally:
                store.close()

        return run

    def seen():
        try:
            found = Certificates(store).certificates()
            return sum(one.mass.mg for one in found if one.stored is not State.REPLACED)
        finally:
            store.close()

    answers = at_once([job for n in range(8) for job in (sold(n), seen)])
    assert set(answers[1::2]) == {800_000}
    assert len(book.certificates(holder=COMPANY)) == 80


@pytest.mark.parametrize("count", [1, 2, 5])
def test_row16_one_sale_of_n_parts_leaves_the_lots_as_n_sales_do(store, count):
    book = filled(store, 70, 70, 70)
    offer(book, "o1", 100)
    each = 100 // count
    book.divide("o1", Move.SELL, parts(*((f"s{i}", each, COMPANY) for i in range(count))), by="ana", on=ON)
    withdrawn = {}
    for i in range(count):
        withdrawn[i] = [(x.access_key, x.line, x.mass.mg) for x in book.find(f"s{i}").lots]
        assert withdraw(book, f"s{i}")["mass_mg"] == each * 1000
    assert sum(mg for lots in withdrawn.values() for _, _, mg in lots) == 100_000
    assert audited(store) == []


def test_row16_a_sale_of_no_parts_is_none(store):
    book = filled(store, 300)
    offer(book)
    answer = None
    with pytest.raises(Exception, match="all of it"):
        answer = book.divide("o1", Move.SELL, [], by="ana", on=ON)
    assert answer is None
    assert book.find("o1").stored is State.OFFERED


def test_row19_neither_an_id_nor_a_number_serves_twice_also_after_it_was_withdrawn(store):
    give(store, A, note(1, mass=1_000_000))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    book = Certificates(store)
    prepare(book, entity=A)
    offer(book, entity=A)
    prepare(book, "c2", 100, entity=A)
    for name in ("c1", "c2"):
        authorise(book, name)
    book.allot("c1", number=number_of("c1"), on=ON)
    withdraw(book)
    assert prepare(book, by="eva", request="de novo", entity=A).code == "K03"
    assert sell(book, "o1", ("c1", 300, COMPANY)).code == "K03"
    with pytest.raises(Exception, match="unique"):
        book.allot("c2", number=number_of("c1"), on=ON)
    assert isinstance(issue(book, "c2"), dict)
    assert book.find("c2").number != number_of("c1")
