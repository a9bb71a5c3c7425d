"""What may be asked of the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from lastro.facts import Lot
from lastro.ids import Material, Origin
from lastro.units import Mass


class Reason(StrEnum):
    """Why mass moves; the list is closed, and the database keeps the same one."""

    ENTER = "enter"
    CONTESTED = "contested"
    CANCELLED = "cancelled"
    WITHDRAWN = "withdrawn"
    DECIDED = "decided"
    VERDICT = "verdict"
    RETIRE = "retire"
    ISSUE = "issue"
    REVERSE = "reverse"
    DIVIDE = "divide"
    ANNUL = "annul"


@dataclass(frozen=True)
class LotFacts:
    """What is known of a lot when it is first entered; it stays so (decision 1)."""

    material: Material
    issued_on: date
    issuer: str
    recipient: str
    year: int
    norm: str
    municipality: str | None = None
    municipality_source: str | None = None
    origin: Origin | None = None
    book: str = "TARGET"


@dataclass(frozen=True)
class Posting:
    """Mass that enters a lot (ENTER, with the lot's facts) or goes back from it to where it came from."""

    lot: Lot
    mass: Mass
    reason: Reason
    happened_on: date
    facts: LotFacts | None = None
    reference: str = ""

    def __post_init__(self) -> None:
        assert self.mass.mg > 0, "a posting moves something"
        assert self.facts is not None or self.reason is not Reason.ENTER, (
            "who enters mass knows the lot's facts"
        )

    def row(self) -> dict[str, Any]:
        """The posting as the database's function reads it."""
        facts = self.facts
        known = {} if facts is None else {
            "material": facts.material.value,
            "issued_on": facts.issued_on.isoformat(),
            "issuer": facts.issuer,
            "recipient": facts.recipient,
            "municipality": facts.municipality,
            "municipality_source": facts.municipality_source,
            "origin": facts.origin.value if facts.origin else None,
            "year": facts.year,
            "norm": facts.norm,
            "book": facts.book,
        }  # fmt: skip
        return {
            "reason": self.reason.value,
            "mass_mg": self.mass.mg,
            "access_key": self.lot.access_key,
            "line": self.lot.line,
            "claimant": self.lot.claimant,
            "happened_on": self.happened_on.isoformat(),
            "reference": self.reference,
            **known,
        }
