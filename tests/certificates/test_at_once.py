"""Fifty at once never certify more than there is, and the same request moves once."""

from __future__ import annotations

from collections import Counter

import pytest

from lastro.facts import Refusal
from lastro.stores.postgres import auditing
from lastro.stores.postgres.certificates import Certificates
from tests.certificates.worlds import authorise, filled, issue, prepare, refuse, retire, walked
from tests.custody.test_settle import TODAY, A, B, cancellation, give, key, note
from tests.ledger.test_concurrency import WRITERS, at_once, sound
from tests.ledger.worlds import COMPANY, VERIFIER


def alone(store, job):
    def run():
        try:
            return job()
        finally:
            store.close()

    return run


@pytest.mark.parametrize("lots", [1, 5])
@pytest.mark.parametrize(("each", "served"), [(30, 33), (20, 50), (1_000, 1), (1_001, 0)])
def test_fifty_certificates_never_exceed_what_there_is(store, lots, each, served):
    book = filled(store, *[1_000 // lots] * lots)
    answers = at_once([alone(store, lambda n=n: prepare(book, f"c{n}", each)) for n in range(WRITERS)])
    refused = [a for a in answers if isinstance(a, Refusal)]
    assert {r.code for r in refused} <= {"K01"}
    assert len(answers) - len(refused) == served
    assert sum(c.mass.mg for c in book.certificates()) == served * each * 1_000
    assert sound(store)


def test_fifty_certificates_issued_and_used_at_once(store):
    book = filled(store, 300, 300, 400)

    def whole(name):
        first = prepare(book, name, 30)
        if isinstance(first, Refusal):
            return first
        authorise(book, name)
        issue(book, name)
        return retire(book, name)

    answers = at_once([alone(store, lambda n=n: whole(f"c{n}")) for n in range(WRITERS)])
    assert Counter(getattr(a, "code", "") for a in answers) == {"": 33, "K01": 17}
    assert sum(row.fact.mass.mg for row in store.retired(company=COMPANY)) == 33 * 30_000
    assert sound(store)


def test_fifty_times_the_same_request_make_one_certificate(store):
    book = filled(store, 1_000)
    answers = at_once([alone(store, lambda: prepare(book)) for _ in range(WRITERS)])
    assert Counter(a.get("repeated") for a in answers) == {None: 1, "K09": WRITERS - 1}
    assert len(book.certificates()) == 1


def test_of_fifty_who_use_it_one_does(store):
    book = filled(store, 100)
    walked(book, authorise, issue)
    answers = at_once([alone(store, lambda n=n: retire(book, by=f"p{n}")) for n in range(WRITERS)])
    assert Counter(getattr(a, "code", "") for a in answers) == {"": 1, "K03": WRITERS - 1}
    assert sum(row.fact.mass.mg for row in store.retired()) == 100_000


def test_it_is_issued_or_refused_and_never_both(store):
    book = filled(store, 1_000)
    for n in range(10):
        walked(book, authorise, name=f"c{n}")
    jobs = [alone(store, lambda n=n, m=m: m(book, f"c{n}")) for n in range(10) for m in (issue, refuse)]
    answers = at_once(jobs)
    for one, other in zip(answers[::2], answers[1::2], strict=True):
        assert sorted(isinstance(a, Refusal) for a in (one, other)) == [False, True]
    assert sound(store)


def test_refusals_contests_and_cancellations_at_once_never_block_each_other(store):
    """Whichever comes first, what is refused goes back only where its evidence lives, without an error."""
    give(store, A, *(note(n, mass=10_000) for n in range(1, 13)))
    give(store, B, *(note(n, mass=10_000) for n in range(21, 25)))
    for who in (A, B):
        store.homologate(who, verifier=VERIFIER, year=2026, lots=None, request=f"h{who}", happened_on=TODAY)
    book = Certificates(store)
    for n in range(6):
        assert isinstance(prepare(book, f"c{n}", 20, entity=A), dict)
    for n in range(2):
        assert isinstance(prepare(book, f"d{n}", 20, entity=B), dict)
    jobs = [alone(store, lambda n=n: refuse(book, n)) for n in ("c0", "c1", "c2", "c3", "d0", "d1")]
    jobs += [alone(store, lambda n=n: give(store, B, note(n, mass=10_000))) for n in (1, 3, 5)]
    jobs += [alone(store, lambda n=n: give(store, A, note(n, mass=10_000))) for n in (21, 22)]
    jobs += [alone(store, lambda n=n: give(store, A, cancellation(n))) for n in (2, 4, 10)]
    answers = at_once(jobs)
    assert all(isinstance(a, dict) for a in answers[:6])
    held = {(x.lot.access_key, x.lot.claimant): x.mass.mg for x in store.lots()}
    assert all(held[key(n), A] == 0 for n in (1, 2, 3, 4, 5))
    assert all(held[key(n), A] == 10_000 for n in (6, 7, 8))
    assert [f for c in auditing.run(store) for f in c.failures] == []
