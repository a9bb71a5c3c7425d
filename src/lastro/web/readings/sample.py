"""The items of a sampling plan as a verifier ticks them off."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse

from lastro.reports.checked_by_hand import stratum_said
from lastro.reports.sampling import Checked, Drawn, Sampled
from lastro.units import MG_PER_KG, Mass, decimal_text, portuguese


@dataclass(frozen=True)
class Shown:
    """One item of the plan, and what was found of it so far."""

    drawn: Drawn
    checked: Checked | None
    address: str

    @property
    def lot(self) -> str:
        return f"{self.drawn.unit.access_key}/{self.drawn.unit.line}"

    @property
    def stratum(self) -> str:
        return stratum_said(self.drawn.stratum)

    @property
    def state(self) -> str:
        if self.checked is None:
            return "a conferir"
        return "confere" if self.checked.right == self.drawn.unit.mass else "não confere"

    @property
    def right(self) -> Mass | None:
        return self.checked.right if self.checked else None

    @property
    def reason(self) -> str:
        return self.checked.reason if self.checked else ""


def told(sampled: Sampled) -> dict[str, object]:
    """What the page tells of the plan as a whole: the projection in kilograms and percent, and its strata."""
    result = sampled.result
    projected, rate = result.projected_mg, result.rate
    said = ""
    if projected is not None and rate is not None:
        mass = portuguese_cut(projected / MG_PER_KG, most=6)
        said = f"{mass} kg ({portuguese_cut(rate * 100, most=4)}%)"
    return {"projected": said, "strata": [(stratum_said(row.stratum.name), row) for row in result.rows]}


def portuguese_cut(value: Fraction, *, most: int) -> str:
    """An exact number as people read it; one that does not end is cut and marked."""
    text = decimal_text(value, most=most)
    return portuguese(text.rstrip("…")) + ("…" if text.endswith("…") else "")


def shown(sampled: Sampled, entity: str, year: int) -> list[Shown]:
    """The items of the plan, in its order."""
    return [
        Shown(
            one,
            sampled.checks.get(one.unit.item),
            reverse("sample-check", args=[entity, year, one.unit.access_key, one.unit.line]),
        )
        for one in sampled.plan.drawn
    ]
