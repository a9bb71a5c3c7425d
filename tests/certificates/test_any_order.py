"""Any moves in any order: what the table allows happens, the rest leaves no trace, the audit agrees."""

from __future__ import annotations

import random
from datetime import date

import pytest

from lastro.certificates.states import STEPS, Move, State, on_day
from lastro.facts import Refusal
from lastro.stores.postgres import auditing
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass
from tests.certificates.worlds import LAST, ON, authorise, issue, prepare, refuse, retire
from tests.custody.test_settle import TODAY, A, give, note
from tests.ledger.worlds import VERIFIER

LATER = date(2028, 3, 16)
MOVES = {Move.AUTHORISE: authorise, Move.ISSUE: issue, Move.REFUSE: refuse, Move.RETIRE: retire}


@pytest.mark.parametrize("seed", range(6))
def test_a_random_life_of_many_certificates(store, seed):
    give(store, A, *(note(n, mass=50_000 + n) for n in range(1, 9)))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    book, rnd = Certificates(store), random.Random(seed)
    states: dict[str, State] = {}
    masses: dict[str, int] = {}
    free, moved = 400_036, 0
    for turn in range(70):
        on = rnd.choice([ON, LAST, LATER]) if turn > 45 else ON
        if rnd.random() < 0.3 or not states:
            name, grams = f"c{turn}", rnd.choice([1, 7, 50, 120])
            answer = prepare(book, name, grams, entity=A, on=on)
            assert isinstance(answer, Refusal) == (grams * 1_000 > free)
            if isinstance(answer, dict):
                states[name], masses[name] = State.PREPARED, grams * 1_000
                free -= grams * 1_000
            continue
        name, move = rnd.choice(sorted(states)), rnd.choice([*MOVES])
        on = ON if move is Move.ISSUE else on
        follows = STEPS[on_day(states[name], LAST, on)][move]
        answer = MOVES[move](book, name, on=on, by=f"p{turn}", request=f"r{turn}")
        if isinstance(follows, State):
            assert isinstance(answer, dict), (name, move, answer)
            states[name], moved = follows, moved + 1
            free += masses[name] if follows is State.REFUSED else 0
        else:
            assert answer.code == follows
    assert moved > 10
    assert sum(lot.mass.mg for lot in store.lots()) == free
    used = sum(masses[n] for n, s in states.items() if s is State.RETIRED)
    assert sum(r.fact.mass.mg for r in store.retired()) == used
    assert {c.id: c.stored for c in book.certificates()} == states
    assert all(c.mass == Mass(masses[c.id]) for c in book.certificates())
    assert [f for c in auditing.run(store) for f in c.failures] == []
