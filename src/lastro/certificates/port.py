"""A certificate as it is kept, and what the room asks of who keeps it; a store implements it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from lastro.certificates.states import GIVES_BACK, STEPS, Move, State, on_day, stood
from lastro.facts import Refusal
from lastro.ids import Material, Origin
from lastro.units import Mass, Money, total

Answer = dict[str, Any] | Refusal
ALLOWED = frozenset(Move) - {Move.TRANSFER, Move.SPLIT}
"""What a certificate takes that is sold once and passed on to nobody."""


NOTHING = Money(0)


@dataclass(frozen=True)
class BackedBy:
    """One lot, or the part of it, that backs a certificate, with the facts that its entry carries."""

    access_key: str
    line: int
    material: Material
    mass: Mass
    issued_on: date
    issuer: str
    recipient: str
    municipality: str | None
    municipality_source: str | None
    origin: Origin | None


@dataclass(frozen=True)
class Dead:
    """A lot whose evidence no longer stands, and why: a code (N10, N16 …), `verdict` or `decided`."""

    access_key: str
    line: int
    reason: str


@dataclass(frozen=True)
class Done:
    """A move that was made: by whom, when, and why where a reason was asked for."""

    move: str
    by: str
    on: date
    reason: str = ""


@dataclass(frozen=True)
class Certificate:
    """A certificate with all that happened to it; `dead` is asked anew each time and never kept.

    An offer has no holder. `allows` are the moves that its norm allows to its kind; `parent` is the
    certificate in whose place it stands, `parts` those that stand in its own.
    """

    id: str
    entity: str
    holder: str
    year: int
    norm: str
    materials: tuple[Material, ...]
    mass: Mass
    investment: Money
    prepared_by: str
    prepared_on: date
    stored: State
    moves: tuple[Done, ...] = ()
    lots: tuple[BackedBy, ...] = ()
    dead: tuple[Dead, ...] = ()
    number: str = ""
    issued_on: date | None = None
    valid_to: date | None = None
    sha256: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "CRE"
    allows: frozenset[Move] = ALLOWED
    begins: State = State.PREPARED
    parent: str = ""
    parts: tuple[str, ...] = ()

    def state(self, on: date) -> State:
        """What it is on a day, or was: a move that was made later is not yet known on it."""
        then = stood(self.stored, [(one.move, one.on) for one in self.moves], on, begins=self.begins)
        return on_day(then, self.valid_to, on)

    def takes(self, move: Move, on: date) -> bool:
        """Whether the move is open to it on a day, as far as states, its norm and its evidence say."""
        open_ = isinstance(STEPS[self.state(on)][move], State) and move in self.allows
        return open_ and (move in GIVES_BACK or not self.stale)

    @property
    def stale(self) -> bool:
        """Whether evidence that backs it died (K11)."""
        return bool(self.dead)

    def done(self, move: str) -> Done | None:
        """The move of that name, if it was made."""
        return next((one for one in self.moves if one.move == move), None)

    @property
    def by_material(self) -> Mapping[Material, Mass]:
        """How much of each material backs it."""
        found = sorted({lot.material for lot in self.lots})
        return {m: total(lot.mass for lot in self.lots if lot.material is m) for m in found}


@dataclass(frozen=True)
class Part:
    """A certificate that is to stand in the place of another: its id, its mass, and for whom (or nobody)."""

    id: str
    mass: Mass
    holder: str = ""
    investment: Money = NOTHING


class Book(Protocol):
    """What the room asks of the store: every move is all or nothing, and a repeated request moves nothing."""

    def prepare(
        self,
        certificate: str,
        *,
        entity: str,
        holder: str | None,
        year: int,
        norm: str,
        materials: Iterable[Material],
        mass: Mass,
        investment: Money,
        by: str,
        on: date,
        request: str = "",
        kind: str = "CRE",
        allows: Iterable[Move] = ALLOWED,
    ) -> Answer: ...

    def divide(
        self, certificate: str, move: Move, parts: Sequence[Part], *, by: str, on: date, request: str = ""
    ) -> Answer: ...

    def withdraw(self, certificate: str, *, reason: str, by: str, on: date, request: str = "") -> Answer: ...

    def cancel(self, certificate: str, *, reason: str, by: str, on: date, request: str = "") -> Answer: ...

    def authorise(self, certificate: str, *, by: str, on: date, request: str = "") -> Answer: ...

    def allot(self, certificate: str, *, number: str, on: date) -> Answer: ...

    def issue(
        self,
        certificate: str,
        *,
        number: str,
        issued_on: date,
        valid_to: date,
        fields: Mapping[str, Any],
        pdf: bytes,
        by: str,
        request: str = "",
    ) -> Answer: ...

    def refuse(self, certificate: str, *, reason: str, by: str, on: date, request: str = "") -> Answer: ...

    def retire(self, certificate: str, *, by: str, on: date, request: str = "") -> Answer: ...

    def find(self, name: str) -> Certificate | None: ...

    def paper(self, certificate: str) -> bytes | None: ...

    def certificates(
        self, *, entity: str | None = None, holder: str | None = None, year: int | None = None
    ) -> list[Certificate]: ...
