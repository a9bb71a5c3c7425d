"""The whole life of a certificate: offers, parts, passing on, cancelling; and nothing after the end."""

from __future__ import annotations

import itertools
import random
from datetime import date

import psycopg
import pytest

from lastro.certificates import number as numbers
from lastro.certificates.port import ALLOWED, Part
from lastro.certificates.states import STEPS, TERMINAL, Move, State
from lastro.facts import Refusal
from lastro.ids import company_of
from lastro.ledger.audit import recount
from lastro.stores.postgres import auditing
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass, Money
from tests.certificates.worlds import (
    LAST,
    ON,
    authorise,
    filled,
    issue,
    number_of,
    prepare,
    refuse,
    retire,
    walked,
)
from tests.ledger.test_concurrency import WRITERS, at_once, sound
from tests.ledger.worlds import COMPANY, OTHER

LATER = date(2028, 3, 16)
EVERY = frozenset(Move)


def offer(book, name="o1", grams=300, **more):
    return prepare(book, name, grams, **({"holder": None} | more))


def parts(*said):
    """Parts by id, grams and holder."""
    return [Part(name, Mass(grams * 1000), holder, Money(1500)) for name, grams, holder in said]


def sell(book, name="o1", *said, by="ana", **more):
    asked = parts(*(said or [("c1", 100, COMPANY), ("o2", 200, "")]))
    return book.divide(name, Move.SELL, asked, by=by, on=more.pop("on", ON), **more)


def transfer(book, name="c1", by="duda", on=ON, to=OTHER, **more):
    asked = parts((f"{name}.t", 100, to))
    return book.divide(name, Move.TRANSFER, asked, by=by, on=on, **more)


def split(book, name="c1", by="duda", on=ON, **more):
    asked = parts((f"{name}.a", 30, COMPANY), (f"{name}.b", 70, COMPANY))
    return book.divide(name, Move.SPLIT, asked, by=by, on=on, **more)


def withdraw(book, name="c1", by="ana", on=ON, **more):
    return book.withdraw(name, reason="desistência", by=by, on=on, **more)


def cancel(book, name="c1", by="agente", on=ON, **more):
    return book.cancel(name, reason="laudo falso", by=by, on=on, **more)


DO = {
    Move.SELL: sell,
    Move.AUTHORISE: authorise,
    Move.ISSUE: issue,
    Move.REFUSE: refuse,
    Move.WITHDRAW: withdraw,
    Move.RETIRE: retire,
    Move.CANCEL: cancel,
    Move.TRANSFER: transfer,
    Move.SPLIT: split,
}
WAYS = {
    State.REFUSED: (refuse,),
    State.WITHDRAWN: (authorise, withdraw),
    State.CANCELLED: (authorise, issue, retire, cancel),
    State.REPLACED: (authorise, issue, transfer),
    State.EXPIRED: (authorise, issue),
}


def audited(store):
    checks = [*auditing.ledger_checks(store), *auditing.certificate_checks(store)]
    return [f"{c.name}: {f}" for c in checks for f in c.failures]


def held(store):
    with store.book() as book:
        return +recount(e for link in book.links() for e in link.entries)


@pytest.mark.parametrize("ended", sorted(TERMINAL))
@pytest.mark.parametrize("move", Move)
def test_what_ended_takes_no_move_whoever_asks(store, ended, move):
    book = filled(store, 1_000)
    assert isinstance(prepare(book, allows=EVERY), dict)
    for one in WAYS[ended]:
        assert isinstance(one(book), dict)
    on = LATER if ended is State.EXPIRED else ON
    before = held(store)
    assert book.find("c1").state(on) is ended
    answer = DO[move](book, "c1", on=on, by="outra", request="depois do fim")
    assert isinstance(answer, Refusal)
    assert answer.code == STEPS[ended][move]
    assert held(store) == before
    assert audited(store) == []


def test_an_offer_is_sold_in_part_and_the_rest_is_kept(store):
    book = filled(store, 120, 120, 120)
    assert isinstance(offer(book), dict)
    assert book.find("o1").holder == ""
    assert book.find("o1").number == ""
    assert isinstance(sell(book), dict)
    sold, rest = book.find("c1"), book.find("o2")
    assert (sold.stored, rest.stored) == (State.PREPARED, State.OFFERED)
    assert (sold.holder, sold.mass, rest.mass) == (COMPANY, Mass(100_000), Mass(200_000))
    assert [lot.mass.mg for lot in sold.lots] == [100_000]
    assert [lot.mass.mg for lot in rest.lots] == [20_000, 120_000, 60_000]
    assert book.find("o1").parts == ("c1", "o2")
    for move in (authorise, issue, retire):
        assert isinstance(move(book), dict)
    assert withdraw(book, "o2")["mass_mg"] == 200_000
    assert audited(store) == []


def test_who_prepares_a_sale_out_of_an_offer_does_not_authorise_it(store):
    book = filled(store, 300)
    offer(book, by="caio")
    sell(book, by="ana")
    assert authorise(book, by="ANA").code == "K02"
    assert isinstance(authorise(book, by="caio"), dict)


def test_more_than_is_offered_is_refused_and_less_than_all_of_it_is_a_callers_mistake(store):
    book = filled(store, 300)
    offer(book)
    assert sell(book, "o1", ("c1", 301, COMPANY)).code == "K01"
    with pytest.raises(psycopg.errors.RaiseException):
        sell(book, "o1", ("c1", 299, COMPANY), request="r2")
    assert book.find("o1").stored is State.OFFERED
    assert isinstance(sell(book, "o1", ("c1", 300, COMPANY), request="r3"), dict)


def test_a_kind_that_may_be_passed_on_gets_a_new_number_and_no_longer_life(store):
    book = filled(store, 1_000)
    prepare(book, allows=EVERY, kind="CCRLR")
    authorise(book)
    first = numbers.draw(2026, random.Random(1).randbytes, kind="CCRLR")
    assert isinstance(issue(book, number=_allot(book, "c1", first)), dict)
    assert isinstance(transfer(book), dict)
    child = book.find("c1.t")
    assert (child.stored, child.holder, child.kind) == (State.AUTHORISED, OTHER, "CCRLR")
    second = _allot(book, "c1.t", numbers.draw(2026, random.Random(2).randbytes, kind="CCRLR"))
    with pytest.raises(psycopg.errors.CheckViolation):
        issue(book, "c1.t", number=second, valid_to=LATER)
    assert isinstance(issue(book, "c1.t", number=second, by="bia"), dict)
    assert book.find(first).stored is State.REPLACED
    assert refuse(book, "c1.t", by="eva").code == "K03"
    assert isinstance(retire(book, "c1.t"), dict)
    assert sum(row.fact.mass.mg for row in store.retired(company=company_of(OTHER))) == 100_000
    assert audited(store) == []


def _allot(book, name, number):
    given = book.allot(name, number=number, on=ON)
    assert given["number"] == number
    return number


def test_a_number_of_another_kind_is_never_allotted(store):
    book = filled(store, 300)
    prepare(book, kind="CERE")
    authorise(book)
    with pytest.raises(psycopg.errors.CheckViolation):
        issue(book, number=number_of("c1"))
    assert book.find("c1").number == ""


def test_what_was_passed_on_and_not_yet_issued_is_not_given_back_to_who_sold_it(store):
    book = filled(store, 100)
    prepare(book, allows=EVERY)
    for move in (authorise, issue, split):
        assert isinstance(move(book), dict)
    for child, move in itertools.product(("c1.a", "c1.b"), (refuse, withdraw)):
        assert move(book, child).code == "K08"
    assert sum(lot.mass.mg for lot in store.lots()) == 0


@pytest.mark.parametrize("move", [transfer, split])
def test_a_certificate_of_mato_grosso_is_not_passed_on_nor_divided(store, move):
    book = filled(store, 1_000)
    walked(book, authorise, issue)
    assert book.find("c1").allows == ALLOWED
    assert move(book).code == "K08"


def test_the_agency_cancels_what_was_used_and_the_holders_year_falls_short_by_it(store):
    book = filled(store, 60, 60)
    walked(book, authorise, issue, retire)
    assert sum(row.fact.mass.mg for row in store.retired(company=COMPANY)) == 100_000
    assert isinstance(cancel(book), dict)
    assert store.retired(company=COMPANY) == []
    assert sum(lot.mass.mg for lot in store.lots()) == 20_000  # nothing goes back to be sold again
    assert held(store)["annulled/c1"] == 100_000
    assert book.find("c1").done("cancel").reason == "laudo falso"
    assert book.find("c1").state(ON) is State.CANCELLED
    assert audited(store) == []


def test_a_cancellation_without_a_reason_is_none(store):
    book = filled(store, 300)
    walked(book, authorise, issue)
    with pytest.raises(psycopg.errors.RaiseException):
        book.cancel("c1", reason="  ", by="agente", on=ON)
    assert book.find("c1").stored is State.ISSUED


@pytest.mark.parametrize(
    ("first", "second", "begun"),
    [
        (transfer, cancel, (authorise, issue)),
        (retire, cancel, (authorise, issue)),
        (transfer, retire, (authorise, issue)),
        (split, transfer, (authorise, issue)),
        (refuse, withdraw, (authorise,)),
        (withdraw, issue, (authorise,)),
    ],
)
def test_of_two_moves_at_once_one_result_stands(store, first, second, begun):
    book = filled(store, 1_000)
    for n in range(6):
        assert isinstance(prepare(book, f"c{n}", allows=EVERY), dict)
        for move in begun:
            assert isinstance(move(book, f"c{n}"), dict)
    jobs = [_alone(store, lambda n=n, m=m: m(book, f"c{n}")) for n in range(6) for m in (first, second)]
    answers = at_once(jobs)
    both = {first, second} == {retire, cancel}  # the agency may also cancel after the use
    for one, other in zip(answers[::2], answers[1::2], strict=True):
        done = [not isinstance(a, Refusal) for a in (one, other)]
        assert sum(done) == 1 or (both and all(done))
    assert sound(store)
    assert audited(store) == []


def test_of_many_who_buy_the_same_offer_at_once_one_does(store):
    book = filled(store, 1_000)
    offer(book)
    answers = at_once(
        [
            _alone(store, lambda n=n: sell(book, "o1", (f"c{n}", 300, COMPANY), by=f"p{n}"))
            for n in range(WRITERS)
        ]
    )
    assert sorted(getattr(a, "code", "") for a in answers) == ["", *["K03"] * (WRITERS - 1)]
    assert len(book.certificates(holder=COMPANY)) == 1
    assert sound(store)


@pytest.mark.parametrize("move", [sell, withdraw, cancel])
def test_the_same_request_moves_once_and_with_other_content_not_at_all(store, move):
    book = filled(store, 1_000)
    if move is cancel:
        walked(book, authorise, issue)
        name = "c1"
    else:
        offer(book)
        name = "o1"
    first = move(book, name, request="clique")
    again = move(book, name, request="clique")
    assert again == {**first, "repeated": "K09"}
    answer = move(book, name, request="clique", by="outra")
    assert isinstance(answer, Refusal)
    assert answer.code == "K09"
    assert audited(store) == []


def _alone(store, job):
    def run():
        try:
            return job()
        finally:
            store.close()

    return run


@pytest.mark.parametrize("kind", sorted(numbers.KINDS))
def test_every_kind_has_numbers_of_its_own(kind):
    chance = random.Random(kind)
    for _ in range(50):
        number = numbers.draw(2026, chance.randbytes, kind=kind)
        assert numbers.parse(number.lower()) == number
        others = {other: number.replace(kind, other, 1) for other in numbers.KINDS if other != kind}
        assert {numbers.parse(other) for other in others.values()} == {None}
        assert numbers.looks_like(number)


def test_an_old_row_of_the_table_is_what_it_was(store):
    """What the earlier functions wrote is a CRE that was sold once: the columns say so by themselves."""
    book: Certificates = filled(store, 300)
    walked(book, authorise, issue)
    found = book.find("c1")
    assert (found.kind, found.begins, found.parent, found.valid_to) == ("CRE", State.PREPARED, "", LAST)
