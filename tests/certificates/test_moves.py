"""The moves of a certificate in the store: each once, in its order, and every other refused with its code."""

from __future__ import annotations

from datetime import date

import pytest

from lastro.certificates.states import STEPS, Move, State
from lastro.facts import Refusal
from lastro.ids import Material
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass
from tests.certificates.worlds import (
    LAST,
    ON,
    authorise,
    filled,
    issue,
    prepare,
    refuse,
    retire,
    walked,
)  # fmt: skip
from tests.custody.test_settle import A, give, note
from tests.ledger.worlds import COMPANY, DAY, ENTITY, OTHER, VERIFIER, enter, key

MOVES = {Move.AUTHORISE: authorise, Move.ISSUE: issue, Move.REFUSE: refuse, Move.RETIRE: retire}
WAYS = {
    State.PREPARED: (),
    State.AUTHORISED: (authorise,),
    State.ISSUED: (authorise, issue),
    State.RETIRED: (authorise, issue, retire),
    State.EXPIRED: (authorise, issue),
    State.REFUSED: (refuse,),
}


def code(answer):
    return answer.code if isinstance(answer, Refusal) else ""


def held(store):
    return {row.lot.access_key: row.mass.mg for row in store.lots()}


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("state", WAYS)
def test_every_state_takes_the_moves_of_the_table_and_refuses_the_others(store, state, move):
    book = filled(store, 300)
    walked(book, *WAYS[state])
    on = date(2028, 3, 16) if state is State.EXPIRED else ON
    assert book.find("c1").state(on) is state
    before = held(store), list(store.entries())
    follows = STEPS[state][move]
    answer = MOVES[move](book, by="zoe", on=on, request="another")
    if isinstance(follows, State):
        assert code(answer) == ""
        assert book.find("c1").state(on) is follows
    else:
        assert code(answer) == follows
        assert book.find("c1").state(on) is state
        assert (held(store), list(store.entries())) == before


def test_a_certificate_takes_the_oldest_notes_first_and_a_part_of_the_last(store):
    days = [date(2026, 6, 3), date(2026, 6, 1), date(2026, 6, 2)]
    store.post([enter(n, 100_000, day=day) for n, day in enumerate(days, 1)], request="r")
    store.homologate(ENTITY, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=DAY)
    book = Certificates(store)
    prepare(book, grams=150)
    assert [(x.access_key, x.mass.mg) for x in book.find("c1").lots] == [(key(2), 100_000), (key(3), 50_000)]
    assert held(store) == {key(1): 100_000, key(2): 0, key(3): 50_000}


def test_notes_of_one_day_go_by_key_and_then_by_line(store):
    store.post([enter(2, 1000), enter(1, 1000, line=2), enter(1, 1000, line=1)], request="r")
    store.homologate(ENTITY, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=DAY)
    book = Certificates(store)
    prepare(book, grams=3)
    assert [(x.access_key, x.line) for x in book.find("c1").lots] == [(key(1), 1), (key(1), 2), (key(2), 1)]


def test_a_lot_finer_than_a_gram_gives_its_milligrams_and_the_certificate_is_whole(store):
    store.post([enter(1, 1_500), enter(2, 900)], request="r")
    store.homologate(ENTITY, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=DAY)
    book = Certificates(store)
    prepare(book, grams=2)
    assert sum(x.mass.mg for x in book.find("c1").lots) == 2_000
    assert held(store) == {key(1): 0, key(2): 400}


@pytest.mark.parametrize("grams", [100, 101])
def test_there_is_enough_or_it_is_said_how_much_there_is(store, grams):
    book = filled(store, 60, 40)
    answer = prepare(book, grams=grams)
    assert code(answer) == ("K01" if grams > 100 else "")
    if grams > 100:
        assert answer.found == "0,1 kg"
        assert answer.detail["available_mg"] == 100_000
        assert book.find("c1") is None


def test_mass_that_no_verifier_named_or_that_is_anothers_backs_nothing(store):
    store.post([enter(1, 9_000), enter(2, 9_000, claimant=OTHER), enter(3, 9_000, year=2025)], request="r")
    store.post([enter(4, 9_000, material=Material.PAPER), enter(5, 9_000, book="INCENTIVE")], request="s")
    for number, (entity, year) in enumerate([(OTHER, 2026), (ENTITY, 2025)]):
        store.homologate(
            entity, verifier=VERIFIER, year=year, lots=None, request=f"h{number}", happened_on=DAY
        )
    assert code(prepare(Certificates(store), grams=1)) == "K01"


def test_only_lots_judged_under_the_norm_back_its_certificates(store):
    book = filled(store, 10)
    assert code(prepare(book, grams=1, norm="xx/another")) == "K01"


@pytest.mark.parametrize(
    ("who", "same"), [("ana", "ana"), ("ana", "ANA"), ("ana", " ana "), ("Érica", "érica\t"), ("Voß", "VOSS")]
)
def test_who_prepared_does_not_authorise(store, who, same):
    book = filled(store, 100)
    prepare(book, by=who)
    answer = authorise(book, by=same)
    assert (answer.code, answer.expected) == ("K02", "outra pessoa")
    assert book.find("c1").stored is State.PREPARED
    assert authorise(book, by="bia")["move"] == "authorise"


def test_a_double_click_makes_one_certificate(store):
    book = filled(store, 300)
    first = prepare(book)
    again = prepare(book, on=date(2027, 3, 16))
    assert again == {**first, "repeated": "K09"}
    assert held(store) == {key(1): 200_000}
    for move in (authorise, issue, retire):
        once = move(book)
        assert move(book) == {**once, "repeated": "K09"}


def test_a_request_that_asks_for_something_else_is_told_the_first_answer(store):
    book = filled(store, 300)
    first = prepare(book)
    other = prepare(book, grams=50)
    assert (other.code, other.detail["first"]) == ("K09", first)
    assert held(store) == {key(1): 200_000}


def test_the_id_of_another_certificate_is_taken(store):
    book = filled(store, 300)
    prepare(book)
    assert code(prepare(book, request="new")) == "K03"


def test_refusing_gives_the_mass_back_to_the_same_lots(store):
    give(store, A, *(note(n, mass=60_000) for n in (1, 2, 3)))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=DAY)
    book = Certificates(store)
    prepare(book, entity=A)
    authorise(book)
    assert sorted(held(store).values()) == [0, 20_000, 60_000]
    assert refuse(book)["mass_mg"] == 100_000
    assert sorted(held(store).values()) == [60_000, 60_000, 60_000]
    assert [d.move for d in book.find("c1").moves] == ["authorise", "refuse"]
    assert book.find("c1").done("refuse").reason == "desistência"
    prepare(book, "c2", 180, entity=A)
    assert book.find("c2").mass == Mass(180_000)


def test_a_certificate_is_used_whole_for_its_holder_with_place_and_origin(store):
    book = filled(store, 60, 60)
    walked(book, authorise, issue, retire)
    (row,) = store.retired(company=COMPANY[:8])
    assert (row.establishment, row.fact.year, row.fact.mass) == (COMPANY, 2026, Mass(100_000))
    assert (row.fact.municipality, row.fact.origin) == ("5103403", "picker_entity")
    assert [x.mass.mg for x in book.find("c1").lots] == [60_000, 40_000]


@pytest.mark.parametrize(("on", "answer"), [(LAST, ""), (date(2028, 3, 16), "K04")])
def test_a_certificate_is_used_up_to_its_last_day(store, on, answer):
    book = filled(store, 100)
    walked(book, authorise, issue)
    assert code(retire(book, on=on)) == answer


def test_an_expired_certificate_keeps_its_mass_which_was_sold(store):
    book = filled(store, 100)
    walked(book, authorise, issue)
    assert book.find("c1").state(date(2028, 3, 16)) is State.EXPIRED
    assert held(store) == {key(1): 0}
    assert code(refuse(book, on=date(2028, 3, 16))) == "K03"


def test_the_number_is_given_once_and_shown_when_the_paper_stands(store):
    book = filled(store, 100)
    walked(book, authorise)
    first = book.allot("c1", number="CRE-2026-AAAA-AAAA-AAAA-AAAA-AAAA", on=ON)
    assert book.find("c1").number == ""
    again = book.allot("c1", number="CRE-2026-BBBB-BBBB-BBBB-BBBB-BBBB", on=ON)
    assert again["number"] == first["number"] == "CRE-2026-AAAA-AAAA-AAAA-AAAA-AAAA"
    issue(book)
    assert book.find("CRE-2026-AAAA-AAAA-AAAA-AAAA-AAAA") == book.find("c1")
    assert book.find("c1").number == first["number"]
    assert book.paper("c1") == b"%PDF"
    assert book.paper("another") is None


def test_the_first_paper_stands_whoever_signs_again(store):
    book = filled(store, 100)
    walked(book, authorise, issue)
    again = issue(book, pdf=b"%PDF signed a second time")
    assert code(again) == "K03" or again["repeated"] == "K09"
    assert book.paper("c1") == b"%PDF"


def test_a_refused_certificate_whose_paper_was_being_signed_is_not_issued(store):
    book = filled(store, 100)
    walked(book, authorise)
    book.allot("c1", number="CRE-2026-AAAA-AAAA-AAAA-AAAA-AAAA", on=ON)
    refuse(book)
    answer = book.issue(
        "c1",
        number="CRE-2026-AAAA-AAAA-AAAA-AAAA-AAAA",
        issued_on=ON,
        valid_to=LAST,
        fields={},
        pdf=b"x",
        by="bia",
    )
    assert code(answer) == "K08"
    assert book.paper("c1") is None


def test_lists_are_by_entity_holder_company_and_year(store):
    book = filled(store, 100)
    walked(book)
    for asked in ({}, {"entity": ENTITY}, {"holder": COMPANY}, {"holder": COMPANY[:8]}, {"year": 2026}):
        assert [c.id for c in book.certificates(**asked)] == ["c1"]
    for asked in ({"entity": OTHER}, {"holder": OTHER}, {"year": 2025}):
        assert book.certificates(**asked) == []
