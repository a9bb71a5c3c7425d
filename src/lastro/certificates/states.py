"""What a certificate can be, and which moves each state takes: one table, read by code, database and tests.

A certificate is prepared (its mass is set apart, and it has no number), authorised by another person, issued
(sold once, numbered, signed) and retired (used for the year of its holder). It may be refused until it is
issued; then its mass goes back. It expires by time alone. Nothing else happens to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum


class State(StrEnum):
    """What a certificate is on a day."""

    PREPARED = "prepared"
    AUTHORISED = "authorised"
    ISSUED = "issued"
    RETIRED = "retired"
    EXPIRED = "expired"
    REFUSED = "refused"


class Move(StrEnum):
    """What may be asked of a certificate that exists."""

    AUTHORISE = "authorise"
    ISSUE = "issue"
    REFUSE = "refuse"
    RETIRE = "retire"
    TRANSFER = "transfer"


_SOLD = {Move.AUTHORISE: "K03", Move.ISSUE: "K03", Move.REFUSE: "K03", Move.TRANSFER: "K08"}
"""What was issued cannot be issued, authorised or refused again; and Mato Grosso knows no resale."""

STEPS: Mapping[State, Mapping[Move, State | str]] = {
    State.PREPARED: {
        Move.AUTHORISE: State.AUTHORISED,
        Move.ISSUE: "K08",
        Move.REFUSE: State.REFUSED,
        Move.RETIRE: "K08",
        Move.TRANSFER: "K08",
    },
    State.AUTHORISED: {
        Move.AUTHORISE: "K08",
        Move.ISSUE: State.ISSUED,
        Move.REFUSE: State.REFUSED,
        Move.RETIRE: "K08",
        Move.TRANSFER: "K08",
    },
    State.ISSUED: {**_SOLD, Move.RETIRE: State.RETIRED},
    State.RETIRED: {**_SOLD, Move.RETIRE: "K03"},
    State.EXPIRED: {**_SOLD, Move.RETIRE: "K04"},
    State.REFUSED: dict.fromkeys(Move, "K08"),
}
"""For each state and move: the state that follows, or the code of the refusal."""

TERMINAL = frozenset(
    state for state, moves in STEPS.items() if not any(isinstance(after, State) for after in moves.values())
)
"""The states that nothing leaves."""


def on_day(stored: State, valid_to: date | None, on: date) -> State:
    """What a certificate is on a day: an issued one is expired after its last day, which nobody writes."""
    if stored is State.ISSUED and valid_to is not None and on > valid_to:
        return State.EXPIRED
    return stored


def stood(stored: State, moves: Sequence[tuple[str, date]], on: date) -> State:
    """What a certificate was on a day, given what it is now and its moves in their order, each with its day.

    On a day before it was prepared it is said to be prepared: nothing stands for less.
    """
    later = [Move(move) for move, day in moves if day > on]
    if not later:
        return stored
    if later[0] is Move.REFUSE:
        authorised = any(move == Move.AUTHORISE for move, _ in moves)
        return State.AUTHORISED if authorised else State.PREPARED
    return _BEFORE[later[0]]


_BEFORE = {Move.AUTHORISE: State.PREPARED, Move.ISSUE: State.AUTHORISED, Move.RETIRE: State.ISSUED}
"""The one state that each move leaves, but for a refusal, which leaves two."""


def after(state: State, move: Move) -> State | str:
    """The state that follows a move, or the code of the refusal."""
    return STEPS[state][move]


LABELS: Mapping[State, str] = {
    State.PREPARED: "preparado",
    State.AUTHORISED: "autorizado",
    State.ISSUED: "emitido",
    State.RETIRED: "baixado",
    State.EXPIRED: "vencido",
    State.REFUSED: "recusado",
}
"""The states as people read them."""
