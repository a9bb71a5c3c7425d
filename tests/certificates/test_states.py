"""The table of states: the same in the room and in the database, and nothing leaves where nothing should."""

from __future__ import annotations

from datetime import date

from lastro.certificates.states import (
    BIRTHS,
    GIVES_BACK,
    LABELS,
    MOVE_LABELS,
    RULES,
    STEPS,
    TERMINAL,
    Move,
    State,
    Who,
    on_day,
    stood,
)


def test_the_table_names_every_state_with_every_move():
    assert set(STEPS) == set(State) == set(LABELS)
    assert all(set(moves) == set(Move) for moves in STEPS.values())
    assert set(RULES) == set(Move) == set(MOVE_LABELS)


def test_what_ended_takes_no_move():
    assert {
        State.EXPIRED,
        State.REFUSED,
        State.WITHDRAWN,
        State.CANCELLED,
        State.REPLACED,
    } == TERMINAL
    assert not BIRTHS & TERMINAL


def test_only_these_ways_exist():
    ways = {(s, m, a) for s, moves in STEPS.items() for m, a in moves.items() if isinstance(a, State)}
    assert ways == {
        (State.OFFERED, Move.SELL, State.REPLACED),
        (State.OFFERED, Move.WITHDRAW, State.WITHDRAWN),
        (State.PREPARED, Move.AUTHORISE, State.AUTHORISED),
        (State.PREPARED, Move.REFUSE, State.REFUSED),
        (State.PREPARED, Move.WITHDRAW, State.WITHDRAWN),
        (State.AUTHORISED, Move.REFUSE, State.REFUSED),
        (State.AUTHORISED, Move.WITHDRAW, State.WITHDRAWN),
        (State.AUTHORISED, Move.ISSUE, State.ISSUED),
        (State.ISSUED, Move.RETIRE, State.RETIRED),
        (State.ISSUED, Move.CANCEL, State.CANCELLED),
        (State.ISSUED, Move.TRANSFER, State.REPLACED),
        (State.ISSUED, Move.SPLIT, State.REPLACED),
        (State.RETIRED, Move.CANCEL, State.CANCELLED),
    }


def test_only_the_agency_touches_what_was_used():
    leaving = {m for m, a in STEPS[State.RETIRED].items() if isinstance(a, State)}
    assert {RULES[move].who for move in leaving} == {Who.AGENCY}
    assert {Move.REFUSE, Move.WITHDRAW, Move.CANCEL} == GIVES_BACK


def test_the_database_keeps_the_same_table(store):
    with store.transaction() as db:
        rows = db.execute("select state, move, coalesce(following, code) from certificate_step").fetchall()
        rules = db.execute("select move, who, effect from certificate_rule").fetchall()
    assert {(s, m): a for s, m, a in rows} == {
        (s, m): a for s, moves in STEPS.items() for m, a in moves.items()
    }
    assert {move: (who, effect) for move, who, effect in rules} == {
        move: (rule.who, rule.effect) for move, rule in RULES.items()
    }


def test_an_issued_certificate_holds_on_its_last_day_and_not_after():
    last = date(2028, 3, 15)
    assert on_day(State.ISSUED, last, last) is State.ISSUED
    assert on_day(State.ISSUED, last, date(2028, 3, 16)) is State.EXPIRED
    assert on_day(State.RETIRED, last, date(2028, 3, 16)) is State.RETIRED


def test_on_an_earlier_day_it_was_what_it_was_then():
    days = [date(2027, 3, n) for n in (10, 12, 12, 20)]
    moves = list(zip(("authorise", "issue", "retire"), days[1:], strict=True))
    told = [stood(State.RETIRED, moves, date(2027, 3, n)) for n in (11, 12, 19, 20)]
    assert told == [State.PREPARED, State.ISSUED, State.ISSUED, State.RETIRED]
    refused = [("authorise", date(2027, 3, 11)), ("refuse", date(2027, 3, 15))]
    assert stood(State.REFUSED, refused, date(2027, 3, 14)) is State.AUTHORISED
    assert stood(State.REFUSED, refused[1:], date(2027, 3, 14)) is State.PREPARED
    assert stood(State.REFUSED, refused, date(2027, 3, 15)) is State.REFUSED
    sold = [("sell", date(2027, 3, 15))]
    assert stood(State.REPLACED, sold, date(2027, 3, 14), begins=State.OFFERED) is State.OFFERED


def test_every_move_leaves_the_state_that_it_left():
    for state, moves in STEPS.items():
        way = _way_to(state)
        for move, following in moves.items():
            if isinstance(following, State):
                began, done = way
                told = [*done, (move, date(2027, 3, 15))]
                assert stood(following, told, date(2027, 3, 14), begins=began) is state


def _way_to(wanted: State) -> tuple[State, list[tuple[str, date]]]:
    """Moves, on one day, from a birth to a state."""
    day, ways = date(2027, 3, 1), {state: (state, []) for state in sorted(BIRTHS)}
    for _ in STEPS:
        for state, (began, done) in list(ways.items()):
            for move, following in STEPS[state].items():
                if isinstance(following, State):
                    ways.setdefault(following, (began, [*done, (move, day)]))
    return ways.get(wanted, (wanted, []))
