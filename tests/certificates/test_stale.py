"""A note that dies after its mass was certified: nothing is deleted, and what leans on it says so."""

from __future__ import annotations

from datetime import date

import pytest

from lastro.facts import Refusal
from lastro.stores.postgres.certificates import Certificates, stale_certificates, stale_retired
from tests.certificates.worlds import authorise, issue, prepare, refuse, retire
from tests.custody.test_settle import TODAY, A, B, balances, cancellation, give, key, note
from tests.ledger.worlds import COMPANY, VERIFIER


@pytest.fixture
def book(store):
    """Two notes of the entity, homologated."""
    give(store, A, note(1, mass=60_000), note(2, mass=60_000))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    return Certificates(store)


def made(book, *moves, grams=100):
    assert isinstance(prepare(book, grams=grams, entity=A), dict)
    for move in moves:
        assert isinstance(move(book), dict)


def test_a_note_cancelled_after_issue_marks_the_certificate_with_the_reason(store, book):
    made(book, authorise, issue)
    assert stale_certificates(store) == []
    give(store, A, cancellation(2))
    (one,) = stale_certificates(store)
    assert [(d.access_key, d.line, d.reason) for d in one.dead] == [(key(2), 1, "N10")]
    assert stale_certificates(store, entity=B) == stale_certificates(store, year=2025) == []
    answer = retire(book)
    assert isinstance(answer, Refusal)
    assert answer.code == "K11"
    assert key(2) in answer.found
    assert stale_retired(store) == []


def test_a_note_cancelled_after_use_marks_what_was_retired(store, book):
    made(book, authorise, issue, retire)
    give(store, A, cancellation(2))
    ((row, dead),) = stale_retired(store, company=COMPANY[:8], year=2026)
    fact = row.fact
    assert (row.establishment, fact.year, fact.material, dead.access_key, dead.reason, fact.mass.mg) == (
        COMPANY,
        2026,
        "glass",
        key(2),
        "N10",
        40_000,
    )
    assert stale_retired(store, year=2025) == []
    assert book.find("c1").stale


@pytest.mark.parametrize("moves", [(), (authorise,)])
def test_dead_evidence_is_not_authorised_or_signed_and_what_lives_goes_back(store, book, moves):
    made(book, *moves)
    give(store, A, cancellation(1))
    answer = issue(book) if moves else authorise(book)
    assert answer.code == "K11"
    assert refuse(book)["mass_mg"] == 100_000
    assert balances(store) == {(key(2), A): 60_000}
    assert stale_certificates(store) == []


def test_a_claim_that_contests_a_certified_line_marks_it_too(store, book):
    made(book, authorise, issue, grams=60)
    give(store, B, note(1, mass=60_000))
    (one,) = stale_certificates(store)
    assert one.dead[0].reason == "C02"


def test_a_certificate_of_other_notes_stays_as_it_was(store, book):
    made(book, authorise, issue, grams=60)
    give(store, A, cancellation(2))
    assert stale_certificates(store) == []
    assert isinstance(retire(book, on=date(2027, 3, 16)), dict)
