"""The table of states: the same in the room and in the database, and nothing leaves where nothing should."""

from __future__ import annotations

from datetime import date

from lastro.certificates.states import STEPS, TERMINAL, Move, State, on_day, stood


def test_the_table_names_every_state_with_every_move():
    assert set(STEPS) == set(State)
    assert all(set(moves) == set(Move) for moves in STEPS.values())


def test_what_ended_takes_no_move_and_nobody_may_pass_a_certificate_on():
    assert {State.RETIRED, State.EXPIRED, State.REFUSED} == TERMINAL
    assert {moves[Move.TRANSFER] for moves in STEPS.values()} == {"K08"}


def test_only_these_ways_exist():
    ways = {(s, m, a) for s, moves in STEPS.items() for m, a in moves.items() if isinstance(a, State)}
    assert ways == {
        (State.PREPARED, Move.AUTHORISE, State.AUTHORISED),
        (State.PREPARED, Move.REFUSE, State.REFUSED),
        (State.AUTHORISED, Move.REFUSE, State.REFUSED),
        (State.AUTHORISED, Move.ISSUE, State.ISSUED),
        (State.ISSUED, Move.RETIRE, State.RETIRED),
    }


def test_the_database_keeps_the_same_table(store):
    with store.transaction() as db:
        rows = db.execute("select state, move, coalesce(following, code) from certificate_step").fetchall()
    assert {(s, m): a for s, m, a in rows} == {
        (s, m): a for s, moves in STEPS.items() for m, a in moves.items()
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


def test_every_move_but_a_refusal_leaves_one_state():
    for state, moves in STEPS.items():
        for move, following in moves.items():
            if isinstance(following, State) and move is not Move.REFUSE:
                assert stood(following, [(move, date(2027, 3, 15))], date(2027, 3, 14)) is state
