"""A position: what a company owes, what it proved, and whether that is enough, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from lastro.facts import Basis
from lastro.ids import Material
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
    """Retired mass whose evidence died later: of which material, how much, and which lot (in words)."""

    material: Material
    mass: Mass
    lot: str


def with_stale(
    positions: Iterable[Position], fallen: Iterable[Fallen], *, regulation: Regulation
) -> tuple[Position, ...]:
    """The positions, each that leans on mass whose evidence died marked with T04.

    What was retired stands until it is corrected by an entry (decision 2); who reads the position is told.
    """
    every = tuple(fallen)
    return tuple(
        replace(one, notes=(*one.notes, _stale(mine)))
        if (mine := [f for f in every if regulation.group(f.material) == one.material])
        else one
        for one in positions
    )


def _stale(fallen: list[Fallen]) -> Note:
    lots = [one.lot for one in fallen]
    more = f" e mais {len(lots) - 3}" if len(lots) > 3 else ""
    return Note(
        f"{total(f.mass for f in fallen)} do que foi baixado vêm de notas que deixaram de valer depois: "
        f"{'; '.join(lots[:3])}{more}.",
        "T04",
    )
