"""Taking a claim back: for good, in any order, and never of what was used."""

from __future__ import annotations

import pytest

from lastro.custody.withdraw import withdraw
from lastro.errors import LastroError
from lastro.facts import Refusal
from lastro.ids import Material
from lastro.stores.postgres.custody import custody
from lastro.units import Mass
from tests.custody.test_settle import TODAY, A, B, balances, give, key, note
from tests.ledger.worlds import VERIFIER


def take_back(
    store, who: str, number: int = 1, *, reason: str = "nota de outra carga", by: str = "p@x"
) -> None:
    with custody(store) as memory:
        withdraw(memory, key(number), 1, entity=who, reason=reason, by=by, on=TODAY)


def state(store, number: int = 1) -> tuple[str, str]:
    with custody(store) as memory:
        (row,) = memory.standing(key=key(number))
    return row.state, row.reason


def test_what_is_withdrawn_leaves_the_lot_and_says_why(store):
    give(store, A, note(1))
    assert balances(store)[key(1), A] == 1000
    take_back(store, A)
    assert balances(store) == {}
    assert state(store) == ("dead", "withdrawn")
    with store.transaction() as db:
        reasons = db.execute("select reason from entry where access_key = %s order by n", [key(1)]).fetchall()
    assert [r[0] for r in reasons] == ["enter", "withdrawn"]


def test_a_withdrawal_ends_a_contest_for_who_is_left(store):
    give(store, A, note(1))
    give(store, B, note(1))
    assert state(store) == ("contested", "C02")
    take_back(store, A)
    assert state(store) == ("counted", "")
    assert balances(store) == {(key(1), B): 1000}


def test_claiming_again_adds_nothing(store):
    give(store, A, note(1))
    take_back(store, A)
    give(store, A, note(1))
    assert balances(store) == {}


def test_saying_it_twice_is_refused_with_words(store):
    give(store, A, note(1))
    take_back(store, A)
    with pytest.raises(LastroError, match="não reivindica"):
        take_back(store, A)


def test_nobody_withdraws_anothers_claim(store):
    give(store, A, note(1))
    with pytest.raises(LastroError, match="não reivindica"):
        take_back(store, B)
    assert balances(store)[key(1), A] == 1000


@pytest.mark.parametrize(("reason", "by"), [("", "p@x"), ("  ", "p@x"), ("porque", " ")])
def test_a_withdrawal_has_a_reason_and_a_name(store, reason, by):
    give(store, A, note(1))
    with pytest.raises(LastroError, match="em branco"):
        take_back(store, A, reason=reason, by=by)


def test_what_was_used_is_not_taken_back(store):
    give(store, A, note(1))
    use(store, A)
    with pytest.raises(LastroError, match="se certificaram ou baixaram"):
        take_back(store, A)
    assert state(store) == ("counted", "")


def use(store, who: str) -> None:
    """Homologate the entity's lots and retire all of them."""
    said = store.homologate(who, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    assert not isinstance(said, Refusal)
    done = store.retire_lots(
        who, establishment=B, year=2026, materials=[Material.GLASS], mass=Mass(1000), request="r",
        happened_on=TODAY,
    )  # fmt: skip
    assert not isinstance(done, Refusal)
