"""Fifty at once: nothing is used twice, and whoever comes too late is told so in words, not by an error."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from lastro.facts import Refusal
from lastro.ids import Material
from lastro.ledger import Reason
from lastro.ledger.audit import audit
from lastro.units import Mass
from tests.ledger.worlds import COMPANY, DAY, ENTITY, OTHER, VERIFIER, back, enter

WRITERS = 50


def at_once(jobs):
    """Run every job in a thread with a connection of its own, all starting together."""
    gate = Barrier(len(jobs))

    def run(job):
        gate.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def sound(store):
    with store.book() as book:
        checks = audit(book)
    return [failure for check in checks for failure in check.failures] == []


@pytest.fixture
def retire(store):
    def one(mg, request):
        try:
            return store.retire_lots(
                ENTITY,
                establishment=COMPANY,
                year=2026,
                materials=[Material.GLASS],
                mass=Mass(mg),
                request=request,
                happened_on=DAY,
            )
        finally:
            store.close()

    return one


def homologate(store):
    store.homologate(ENTITY, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=DAY)


@pytest.mark.parametrize("lots", [1, 5])
@pytest.mark.parametrize(("each", "served"), [(30, 33), (20, 50), (1_000, 1), (1_001, 0)])
def test_fifty_retirements_never_exceed_what_there_is(store, retire, lots, each, served):
    store.post([enter(n, 1_000 // lots) for n in range(1, lots + 1)], request="r1")
    homologate(store)
    answers = at_once([lambda n=n: retire(each, f"t{n}") for n in range(WRITERS)])
    refused = [a for a in answers if isinstance(a, Refusal)]
    assert {r.code for r in refused} <= {"K01"}
    assert len(answers) - len(refused) == served
    assert sum(row.fact.mass.mg for row in store.retired()) == served * each
    assert sound(store)


def test_fifty_times_the_same_request_move_once(store, retire):
    store.post([enter(1, 1_000)], request="r1")
    homologate(store)
    answers = at_once([lambda: retire(10, "t1") for _ in range(WRITERS)])
    assert Counter(answer.get("repeated") for answer in answers) == {None: 1, "K09": WRITERS - 1}
    assert sum(row.fact.mass.mg for row in store.retired()) == 10


def test_posts_over_two_entities_in_either_order_never_block_each_other(store):
    def job(n):
        pair = [enter(n, 5), enter(n, 7, claimant=OTHER), enter(1, 1), enter(1, 1, claimant=OTHER)]

        def run():
            try:
                return store.post(pair if n % 2 else pair[::-1], request=f"r{n}")
            finally:
                store.close()

        return run

    answers = at_once([job(n) for n in range(2, 2 + WRITERS)])
    assert sum(link["entered_mg"] for a in answers for link in a["links"]) == WRITERS * 14
    assert sound(store)


def test_mass_is_contested_while_it_is_retired(store, retire):
    """Whichever comes first: what was retired stands, and what goes back is never more than what is left."""
    store.post([enter(n, 100) for n in range(1, 6)], request="r1")
    homologate(store)

    def contest(n):
        def run():
            try:
                return store.post([back(n, 100, Reason.CONTESTED)], request=f"c{n}")
            except Exception as error:
                return error
            finally:
                store.close()

        return run

    answers = at_once(
        [contest(n) for n in range(1, 6)] + [lambda n=n: retire(50, f"t{n}") for n in range(10)]
    )
    retired = sum(row.fact.mass.mg for row in store.retired())
    contested = sum(1 for a in answers[:5] if isinstance(a, dict)) * 100
    held = sum(lot.mass.mg for lot in store.lots())
    assert retired + contested + held == 500
    assert all(isinstance(a, dict) or a.code == "K01" for a in answers[5:])
    assert sound(store)
