"""A note that SEFAZ calls cancelled counts for nobody, whenever the answer comes."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime

import psycopg
import pytest

from lastro.custody.settle import hear
from lastro.errors import LastroError
from lastro.evidence.consulted import Consulted
from lastro.facts import Reached
from lastro.stores.postgres import fetched
from lastro.stores.postgres.auditing import custody_checks
from lastro.stores.postgres.custody import custody
from tests.custody.test_settle import A, B, give, key, note

TODAY = date(2026, 12, 31)
ADDRESS = "https://sefaz.example/consulta"


def said(store, number: int, status: str, *, day: int = 1) -> None:
    body = f"{number} {status} {day}".encode()
    digest = hashlib.sha256(body).hexdigest()
    answer = Consulted(key(number), status, datetime(2026, 11, day, tzinfo=UTC), digest="d", reason="x")
    with custody(store) as memory:
        hear(memory, {digest: answer}, address=ADDRESS, files={digest: body}, on=TODAY)


def standing(store) -> dict[tuple[str, int], int]:
    return {(at.lot.claimant, int(at.lot.access_key[25:34])): at.mass.mg for at in store.lots() if at.mass.mg}


def test_a_cancelled_note_counts_for_nobody_before_and_after(store):
    give(store, A, note(1), note(2))
    said(store, 1, "101")
    said(store, 3, "101")
    give(store, A, note(3))
    assert standing(store) == {(A, 2): 1000}
    with custody(store) as memory:
        assert memory.key_views([key(1)])[key(1)].blocked == "N10"
        assert {k: a.status for k, a in memory.consulted().items()} == {key(1): "101", key(3): "101"}
    assert not [c for c in custody_checks(store) if c.failed]


def test_an_answer_that_confirms_moves_nothing_and_a_later_one_does_not_revive(store):
    give(store, A, note(1))
    said(store, 1, "100", day=1)
    assert standing(store) == {(A, 1): 1000}
    said(store, 1, "101", day=2)
    said(store, 1, "100", day=3)
    said(store, 1, "100", day=3)
    assert standing(store) == {}
    assert not [c for c in custody_checks(store) if c.failed]


def test_answers_are_only_added(store):
    said(store, 1, "100")
    for change in ("update sefaz_answer set status = '101'", "delete from sefaz_answer"):
        with pytest.raises(psycopg.Error), store.transaction() as db:
            db.execute(change)


def test_the_position_of_an_establishment_is_its_latest(store):
    assert fetched.position(store, A, environment="1") == Reached()
    first = Reached(50, 120, None, (7, 9))
    last = Reached(120, 120, datetime(2026, 11, 30, 12, tzinfo=UTC))
    for reached in (first, last):
        fetched.say_position(store, A, reached, environment="1")
        assert fetched.position(store, A, environment="1") == reached
    assert fetched.position(store, A, environment="2") == Reached()
    assert fetched.position(store, B, environment="1") == Reached()


def test_two_do_not_fetch_for_one_establishment_at_once(store):
    with (
        fetched.alone(store, A),
        fetched.alone(store, B),
        pytest.raises(LastroError, match="Outro processo"),
        fetched.alone(store, A),
    ):
        pass
    with fetched.alone(store, A):
        pass


def test_what_was_never_asked_is_listed(store):
    give(store, A, note(1), note(2), note(3))
    said(store, 2, "100")
    assert fetched.unconfirmed(store, entity=A, most=9) == sorted([key(1), key(3)])
    assert fetched.unconfirmed(store, entity=A, most=1) == [key(1)]
    assert fetched.unconfirmed(store, entity=B, most=9) == []
