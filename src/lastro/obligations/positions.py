"""A position: what a company owes, what it proved, and whether that is enough, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lastro.facts import Basis
from lastro.lawkit import Note, Step
from lastro.units import ExactMass, Mass, Share


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
