"""A position: what a company owes, what it proved, and whether that is enough, with the reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from lastro.facts import Basis, Retired
from lastro.lawkit import Note, Regulation, Step
from lastro.units import ExactMass, Mass, Share, total


@dataclass(frozen=True)
class Position:
    """Where one company stands in one material group and scope for one year.

    `obligation` None and `met` None: it cannot be told, and `code` says why (T01, T02, T03).
    """

    company: str
    material: str
    scope: str
    year: int
    base: ExactMass | None
    target: Share | None
    obligation: ExactMass | None
    achieved: Mass
    met: bool | None
    code: str
    message: str
    notes: tuple[Note, ...]
    basis: Basis
    trace: Step

    @property
    def obligation_mass(self) -> Mass | None:
        """The smallest whole number of milligrams that reaches the exact obligation (decision 8)."""
        return None if self.obligation is None else self.obligation.ceiling

    @property
    def balance(self) -> Mass | None:
        """What was proved less what is owed: negative falls short, positive is surplus."""
        owed = self.obligation_mass
        return None if owed is None else self.achieved - owed

    def json(self, *, explain: bool = False) -> dict[str, Any]:
        """The position as the contract writes it (contract §3)."""
        owed, balance = self.obligation_mass, self.balance
        out: dict[str, Any] = {
            "company": self.company,
            "material": self.material,
            "scope": self.scope,
            "year": self.year,
            "target": None if self.target is None else str(self.target),
            "obligation_mg": None if owed is None else owed.mg,
            "achieved_mg": self.achieved.mg,
            "balance_mg": None if balance is None else balance.mg,
            "met": self.met,
            "code": self.code or None,
            "message": self.message or None,
            "notes": [{"code": note.code or None, "text": note.text} for note in self.notes],
            "basis": self.basis.value,
        }
        if explain:
            out["trace"] = self.trace.json()
        return out


@dataclass(frozen=True)
class Fallen:
    """Retired mass whose evidence died later: what was retired of it, and which lot (in words)."""

    fact: Retired
    lot: str


def without_fallen(retired: Iterable[Retired], fallen: Iterable[Fallen]) -> tuple[Retired, ...]:
    """What still counts of retired mass: what fell is taken from the rows of its material, place and origin.

    A row of which all fell stays, with no mass: something was proved once, and nothing is left of it.
    """
    gone: defaultdict[tuple[object, ...], int] = defaultdict(int)
    for one in fallen:
        gone[_kind(one.fact)] += one.fact.mass.mg
    left = []
    for row in retired:
        taken = min(row.mass.mg, gone[_kind(row)])
        gone[_kind(row)] -= taken
        left.append(replace(row, mass=Mass(row.mass.mg - taken)))
    return tuple(left)


def _kind(fact: Retired) -> tuple[object, ...]:
    return fact.year, fact.material, fact.municipality, fact.origin


def with_stale(
    positions: Iterable[Position], fallen: Iterable[Fallen], *, regulation: Regulation, article: str = ""
) -> tuple[Position, ...]:
    """The positions, each that would lean on mass whose evidence died marked with T04, and the mass told.

    What was retired stands in the ledger until an entry corrects it (decision 2); it does not count any more,
    and `achieved` has to be without it (see `without_fallen`). `article` is where evidence is asked for.
    """
    every = tuple(fallen)
    return tuple(
        _marked(one, mine, article)
        if (mine := [f for f in every if regulation.group(f.fact.material) == one.material])
        else one
        for one in positions
    )


def _marked(position: Position, fallen: list[Fallen], article: str) -> Position:
    mass = total(one.fact.mass for one in fallen)
    step = Step("Baixada de notas que deixaram de valer depois: não conta", mass, article, kind="input")
    trace = replace(position.trace, children=[*position.trace.children, step])
    return replace(position, notes=(*position.notes, _stale(fallen, mass)), trace=trace)


def _stale(fallen: list[Fallen], mass: Mass) -> Note:
    lots = list(dict.fromkeys(one.lot for one in fallen))
    more = f" e mais {len(lots) - 3}" if len(lots) > 3 else ""
    return Note(
        f"{mass} do que foi baixado não contam: vêm de notas que deixaram de valer depois: "
        f"{'; '.join(lots[:3])}{more}.",
        "T04",
    )
