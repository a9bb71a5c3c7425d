"""Whether a certificate is worth anything on a day, in one sentence: what every door answers first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from lastro.certificates.port import Certificate
from lastro.certificates.states import LABELS, State
from lastro.units import Mass, total


class Worth(StrEnum):
    """What a certificate is worth to who holds it."""

    WHOLE = "whole"  # issued, and all that backs it stands
    PART = "part"  # part of what backs it died (K11)
    NOTHING = "nothing"  # all that backs it died (K11)
    USED = "used"  # used once, by its holder
    OVER = "over"  # expired, refused, or never issued


@dataclass(frozen=True)
class Answered:
    """The worth of a certificate on a day, the mass still behind it, and the sentence that says so."""

    worth: Worth
    living: Mass
    mass: Mass
    words: str


def living(found: Certificate) -> Mass:
    """The mass of a certificate whose evidence still stands."""
    dead = {(one.access_key, one.line) for one in found.dead}
    return total(lot.mass for lot in found.lots if (lot.access_key, lot.line) not in dead)


def answered(found: Certificate, on: date) -> Answered:
    """What a certificate is worth on a day. Evidence that died (K11) comes before any other answer."""
    alive, state = living(found), found.state(on)
    if found.stale and not alive.mg:
        worth, words = Worth.NOTHING, f"perdeu a prova: não vale (dos {found.mass}, nada segue de pé)"
    elif found.stale:
        worth = Worth.PART
        words = f"perdeu parte da prova: vale só em parte (de {found.mass}, {alive} seguem de pé)"
    elif state is State.ISSUED:
        worth, words = Worth.WHOLE, "está em vigor"
    elif state is State.RETIRED:
        worth, words = Worth.USED, "já foi usado pela sua titular"
    elif state is State.EXPIRED:
        worth, words = Worth.OVER, "venceu sem ser usado"
    else:
        worth, words = Worth.OVER, f"está {LABELS[state]}"
    if found.stale and state is not State.ISSUED:
        words += f" e está {LABELS[state]}"
    return Answered(worth, alive, found.mass, words)


def certificate_json(found: Certificate, on: date) -> dict[str, Any]:
    """A certificate for a program: state on a day, masses, lots, moves, and what died."""
    return {
        "id": found.id,
        "number": found.number or None,
        "state": found.state(on).value,
        "entity": found.entity,
        "holder": found.holder,
        "year": found.year,
        "norm": found.norm,
        "mass_mg": found.mass.mg,
        "materials": {m.value: mass.mg for m, mass in found.by_material.items()},
        "investment_cents": found.investment.cents,
        "prepared": {"by": found.prepared_by, "on": found.prepared_on.isoformat()},
        "moves": [
            {"move": d.move, "by": d.by, "on": d.on.isoformat(), "reason": d.reason or None}
            for d in found.moves
        ],
        "issued_on": found.issued_on.isoformat() if found.issued_on else None,
        "valid_to": found.valid_to.isoformat() if found.valid_to else None,
        "basis": found.fields.get("basis"),
        "sha256": found.sha256 or None,
        "lots": [
            {
                "access_key": lot.access_key,
                "line": lot.line,
                "material": lot.material.value,
                "issued_on": lot.issued_on.isoformat(),
                "municipality": lot.municipality,
                "municipality_source": lot.municipality_source,
                "origin": lot.origin.value if lot.origin else None,
                "mass_mg": lot.mass.mg,
            }
            for lot in found.lots
        ],
        "stale": [{"access_key": d.access_key, "line": d.line, "reason": d.reason} for d in found.dead],
    }
