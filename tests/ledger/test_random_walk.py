"""Whatever is asked, in whatever order: the database ends where a model of a few lines ends."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import timedelta

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.facts import Refusal
from lastro.ids import Material
from lastro.ledger import Reason
from lastro.ledger.audit import audit, recount
from lastro.units import Mass
from tests.ledger.worlds import COMPANY, DAY, ENTITY, OTHER, VERIFIER, back, enter, lot

BACK = [Reason.CONTESTED, Reason.CANCELLED, Reason.WITHDRAWN, Reason.DECIDED, Reason.VERDICT]


class Model:
    """What the ledger should hold, written as plainly as can be."""

    def __init__(self) -> None:
        self.held: dict[str, int] = defaultdict(int)
        self.order: dict[str, tuple] = {}
        self.usable: set[str] = set()
        self.retired = 0

    def post(self, postings) -> bool:
        after = dict(self.held)
        for posting in postings:
            name = posting.lot.account
            sign = 1 if posting.reason is Reason.ENTER else -1
            if sign < 0 and name not in after:
                return False
            after[name] = after.get(name, 0) + sign * posting.mass.mg
            if after[name] < 0:
                return False
        self.held.update(after)
        for posting in postings:
            if posting.facts:
                key = (posting.facts.issued_on, posting.lot.access_key, posting.lot.line)
                self.order.setdefault(posting.lot.account, key)
        return True

    def retire(self, entity: str, mg: int) -> bool:
        lots = sorted((n for n in self.usable if n.endswith(entity)), key=self.order.__getitem__)
        if sum(self.held[n] for n in lots) < mg:
            return False
        self.retired += mg
        for name in lots:
            taken = min(mg, self.held[name])
            self.held[name] -= taken
            mg -= taken
        return True


def a_post(chance: random.Random):
    postings = []
    for _ in range(chance.randint(1, 6)):
        number, whom = chance.randint(1, 8), chance.choice([ENTITY, OTHER])
        if chance.random() < 0.6:
            day = DAY + timedelta(days=number * 7 % 5)
            postings.append(enter(number, chance.randint(1, 100), claimant=whom, day=day))
        else:
            postings.append(back(number, chance.randint(1, 60), chance.choice(BACK), claimant=whom))
    return postings


@pytest.mark.parametrize("seed", range(8))
def test_the_ledger_ends_where_the_model_ends(store, seed):
    chance, model = random.Random(seed), Model()
    for step in range(60):
        whom, request = chance.choice([ENTITY, OTHER]), f"{seed}/{step}"
        act = chance.choice(["post", "post", "post", "homologate", "retire", "retire"])
        if act == "post":
            postings = a_post(chance)
            try:
                store.post(postings, request=request)
                done = True
            except (psycopg.errors.CheckViolation, psycopg.errors.RaiseException):
                done = False
            assert done == model.post(postings)
        elif act == "homologate":
            store.homologate(whom, verifier=VERIFIER, year=2026, lots=None, request=request, happened_on=DAY)
            model.usable |= {n for n, mg in model.held.items() if mg and n.endswith(whom)}
        else:
            mg = chance.randint(1, 150)
            answer = store.retire_lots(
                whom,
                establishment=COMPANY,
                year=2026,
                materials=[Material.GLASS],
                mass=Mass(mg),
                request=request,
                happened_on=DAY,
            )
            assert isinstance(answer, Refusal) != model.retire(whom, mg)
    assert {held.lot.account: held.mass.mg for held in store.lots()} == model.held
    assert sum(row.fact.mass.mg for row in store.retired()) == model.retired
    with store.book() as book:
        assert [failure for check in audit(book) for failure in check.failures] == []


def test_one_batch_and_many_single_posts_end_the_same(store):
    store.post([enter(n, n * 10) for n in range(1, 21)], request="batch")
    for n in range(1, 21):
        store.post([enter(n, n * 10, claimant=OTHER)], request=f"single {n}")
    held = {(row.lot.claimant, row.lot.access_key): row.mass for row in store.lots()}
    assert len(held) == 40
    for n in range(1, 21):
        assert held[ENTITY, lot(n).access_key] == held[OTHER, lot(n).access_key] == Mass(n * 10)


def test_nothing_posted_is_no_move(store):
    assert store.post([], request="r1") == {"links": []}
    assert list(store.entries()) == []
    with store.book() as book:
        assert not any(check.failed for check in audit(book))
    assert "repeated" not in store.post([enter(1, 5)], request="r1")


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 10**15)), max_size=20))
def test_a_recount_adds_up_to_zero_whatever_was_entered(moves):
    from lastro.ledger.book import BookEntry

    entries = [
        BookEntry(
            n, "source", lot(number).account, mg, "enter", lot(number).access_key, 1, ENTITY, "glass", DAY,
            "", "", None, None, None, 2026, "", "TARGET", DAY, "",
        )
        for n, (number, mg) in enumerate(moves, 1)
    ]  # fmt: skip
    balances = recount(entries)
    assert sum(balances.values()) == 0
    assert -balances["source"] == sum(mg for _, mg in moves)
