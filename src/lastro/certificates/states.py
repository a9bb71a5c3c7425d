"""What a certificate can be, and which moves each state takes: one table, read by code, database and tests.

Mass is offered (set apart for whoever buys, without a number) or prepared for one buyer, authorised by
another person, issued (sold once, numbered, signed) and retired (used for the year of its holder). Until it
is issued it may be withdrawn or refused: its mass goes back. The agency cancels what was issued, also after
it was used. It expires by time alone. What is sold out of an offer, divided or passed on stands in new
certificates in its place. Which of these moves a kind of certificate takes at all is said by its norm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class State(StrEnum):
    """What a certificate is on a day."""

    OFFERED = "offered"
    PREPARED = "prepared"
    AUTHORISED = "authorised"
    ISSUED = "issued"
    RETIRED = "retired"
    EXPIRED = "expired"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    CANCELLED = "cancelled"
    REPLACED = "replaced"


class Move(StrEnum):
    """What may be asked of a certificate that exists."""

    SELL = "sell"
    AUTHORISE = "authorise"
    ISSUE = "issue"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"
    RETIRE = "retire"
    CANCEL = "cancel"
    TRANSFER = "transfer"
    SPLIT = "split"


class Who(StrEnum):
    """Who may make a move."""

    SELLER = "seller"  # a person of the managing entity
    SECOND = "second"  # another person of the managing entity than who prepared
    HOLDER = "holder"  # the establishment whose certificate it is
    AGENCY = "agency"  # the environmental agency


class Effect(StrEnum):
    """What a move does to the certificate's mass."""

    NOTHING = "nothing"
    RELEASE = "release"  # back to the lots it came from
    RETIRE = "retire"  # to the year of its holder
    ANNUL = "annul"  # to no one: it counts for nobody and can't be certified again
    DIVIDE = "divide"  # to the certificates that stand in its place


@dataclass(frozen=True)
class Rule:
    """Who may make a move, and what it does to the mass."""

    who: Who
    effect: Effect


RULES: Mapping[Move, Rule] = {
    Move.SELL: Rule(Who.SELLER, Effect.DIVIDE),
    Move.AUTHORISE: Rule(Who.SECOND, Effect.NOTHING),
    Move.ISSUE: Rule(Who.SECOND, Effect.NOTHING),
    Move.REFUSE: Rule(Who.SECOND, Effect.RELEASE),
    Move.WITHDRAW: Rule(Who.SELLER, Effect.RELEASE),
    Move.RETIRE: Rule(Who.HOLDER, Effect.RETIRE),
    Move.CANCEL: Rule(Who.AGENCY, Effect.ANNUL),
    Move.TRANSFER: Rule(Who.HOLDER, Effect.DIVIDE),
    Move.SPLIT: Rule(Who.HOLDER, Effect.DIVIDE),
}

_NOT_YET = dict.fromkeys(Move, "K08")
"""What is no certificate yet, or none any more, takes no move but those named."""
_SOLD = {**dict.fromkeys(Move, "K03"), Move.TRANSFER: "K08"}
"""What was issued cannot be issued, authorised or taken back again."""

STEPS: Mapping[State, Mapping[Move, State | str]] = {
    State.OFFERED: {**_NOT_YET, Move.SELL: State.REPLACED, Move.WITHDRAW: State.WITHDRAWN},
    State.PREPARED: {
        **_NOT_YET,
        Move.AUTHORISE: State.AUTHORISED,
        Move.REFUSE: State.REFUSED,
        Move.WITHDRAW: State.WITHDRAWN,
    },
    State.AUTHORISED: {
        **_NOT_YET,
        Move.ISSUE: State.ISSUED,
        Move.REFUSE: State.REFUSED,
        Move.WITHDRAW: State.WITHDRAWN,
    },
    State.ISSUED: {
        **_SOLD,
        Move.RETIRE: State.RETIRED,
        Move.CANCEL: State.CANCELLED,
        Move.TRANSFER: State.REPLACED,
        Move.SPLIT: State.REPLACED,
    },
    State.RETIRED: {**_SOLD, Move.CANCEL: State.CANCELLED},
    State.EXPIRED: {**_SOLD, Move.RETIRE: "K04", Move.CANCEL: "K04", Move.SPLIT: "K04"},
    State.REFUSED: _NOT_YET,
    State.WITHDRAWN: _NOT_YET,
    State.CANCELLED: _NOT_YET,
    State.REPLACED: dict.fromkeys(Move, "K03"),
}
"""For each state and move: the state that follows, or the code of the refusal."""

BIRTHS = frozenset({State.OFFERED, State.PREPARED, State.AUTHORISED})
"""The states in which a certificate may begin: the last is that of what a sold one was divided into."""

TERMINAL = frozenset(
    state for state, moves in STEPS.items() if not any(isinstance(after, State) for after in moves.values())
)
"""The states that nothing leaves."""

GIVES_BACK = frozenset(move for move, rule in RULES.items() if rule.effect in (Effect.RELEASE, Effect.ANNUL))
"""The moves that stay open where evidence died (K11): they take a certificate away and lean on nothing."""


def on_day(stored: State, valid_to: date | None, on: date) -> State:
    """What a certificate is on a day: an issued one is expired after its last day, which nobody writes."""
    if stored is State.ISSUED and valid_to is not None and on > valid_to:
        return State.EXPIRED
    return stored


def stood(
    stored: State, moves: Sequence[tuple[str, date]], on: date, *, begins: State = State.PREPARED
) -> State:
    """What a certificate was on a day, given how it began and its moves in their order, each with its day.

    On a day before it was made it is said to be what it began as: nothing stands for less.
    """
    if not any(day > on for _, day in moves):
        return stored
    state = begins
    for move, day in moves:
        if day > on:
            break
        following = STEPS[state][Move(move)]
        assert isinstance(following, State), "what happened was allowed"
        state = following
    return state


def after(state: State, move: Move) -> State | str:
    """The state that follows a move, or the code of the refusal."""
    return STEPS[state][move]


LABELS: Mapping[State, str] = {
    State.OFFERED: "oferecido",
    State.PREPARED: "preparado",
    State.AUTHORISED: "autorizado",
    State.ISSUED: "emitido",
    State.RETIRED: "baixado",
    State.EXPIRED: "vencido",
    State.REFUSED: "recusado",
    State.WITHDRAWN: "retirado",
    State.CANCELLED: "cancelado pelo órgão",
    State.REPLACED: "substituído",
}
"""The states as people read them."""

MOVE_LABELS: Mapping[Move, str] = {
    Move.SELL: "venda de uma oferta",
    Move.AUTHORISE: "autorização",
    Move.ISSUE: "emissão",
    Move.REFUSE: "recusa",
    Move.WITHDRAW: "retirada",
    Move.RETIRE: "baixa",
    Move.CANCEL: "cancelamento pelo órgão",
    Move.TRANSFER: "transferência",
    Move.SPLIT: "divisão",
}
"""The moves as people read them."""
