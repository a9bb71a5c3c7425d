"""What the systems of the waste manifest (MTR) write: units, treatments, situations, residues; their sense.

Each row has its source and date. Which treatment is recycling, and which material a residue is, is the
project's reading of the law and of IN Ibama 13/2012; where the list leaves room the answer is "maybe", for a
person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from lastro.ids import Material
from lastro.tables import plain, rows


@dataclass(frozen=True)
class Measure:
    """What a unit of a manifest measures: "mass" (`scale` in mg), "litres" (`scale` in litres) or "count"."""

    kind: str
    scale: int


def folded(text: str) -> str:
    """A name as it is compared: capitals, no accents, single blanks; m³ is M3."""
    return " ".join(re.sub(r"[^A-Z0-9]+", " ", plain(text.replace("³", "3"))).split())


@cache
def _units() -> dict[str, Measure]:
    return {row["unit"]: Measure(row["measure"], int(row["scale"] or 0)) for row in rows("sinir_units")}


@lru_cache(maxsize=1024)
def measure_of(unit: str) -> Measure | None:
    """What a written unit measures, or None for one that the systems do not use."""
    return _units().get(folded(unit))


@cache
def _treatments() -> dict[str, str]:
    return {folded(row["treatment"]): row["class"] for row in rows("sinir_treatments")}


@lru_cache(maxsize=1024)
def recycling(treatment: str) -> str:
    """Whether a treatment is recycling: "recycling", "maybe" (a person decides), "no", or "" if unknown."""
    return _treatments().get(folded(treatment), "")


@cache
def treatment_names() -> tuple[str, ...]:
    """Every treatment of the list, folded, the longest first."""
    return tuple(sorted(_treatments(), key=lambda name: (-len(name), name)))


@cache
def _situations() -> dict[str, str]:
    return {folded(row["situation"]): row["state"] for row in rows("sinir_situations")}


@lru_cache(maxsize=1024)
def state_of(situation: str) -> str:
    """Where a manifest stands: "open", "received", "cancelled", or "" for an unknown situation."""
    return _situations().get(folded(situation), "")


@cache
def _residues() -> dict[str, frozenset[Material]]:
    return {
        row["prefix"]: frozenset(Material(name) for name in row["materials"].split("|"))
        for row in rows("sinir_residues")
    }


@lru_cache(maxsize=4096)
def materials_of_residue(code: str) -> frozenset[Material]:
    """The materials that a residue may be, by the longest known beginning of its code; none for others."""
    for length in range(len(code), 3, -1):
        if code[:length] in _residues():
            return _residues()[code[:length]]
    return frozenset()
