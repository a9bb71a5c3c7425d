"""Results against targets that everybody may see: sums of several companies, and never what one of them did.

A sum behind which fewer than three companies stand is not published; nor is one that could be found by taking
the others from the total: as many sums of the same total are kept back as it takes for three companies to
stand behind what is missing (T12). What is not known is not zero, and is told apart from what is kept back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from lastro.obligations import Position
from lastro.units import Mass, total

LEAST_COMPANIES = 3
"""How many companies stand at least behind a published sum: with two, each finds out the other's mass."""

FEW, UNKNOWN = "few", "unknown"

K = TypeVar("K")


@dataclass(frozen=True)
class Part:
    """What one company adds to a sum; `mass` None where it cannot be told."""

    company: str
    mass: Mass | None


@dataclass(frozen=True)
class Sum:
    """A sum as everybody sees it: a mass, or why there is none."""

    mass: Mass | None
    why: str = ""


def sums(cells: Mapping[K, Iterable[Part]]) -> dict[K, Sum]:
    """The sums of one total: each cell's, as far as it may be published beside the total of all cells."""
    parts = {key: tuple(found) for key, found in cells.items()}
    behind = {key: _companies(found) for key, found in parts.items()}
    kept_back = {key for key, who in behind.items() if len(who) < LEAST_COMPANIES}
    rest = sorted((k for k in parts if k not in kept_back), key=lambda k: (len(behind[k]), str(k)))
    while kept_back and rest and len(_union(behind, kept_back)) < LEAST_COMPANIES:
        kept_back.add(rest.pop(0))
    return {key: Sum(None, FEW) if key in kept_back else _sum(found) for key, found in parts.items()}


def _companies(parts: Iterable[Part]) -> frozenset[str]:
    """Who adds something to a sum; one that adds nothing hides nobody."""
    return frozenset(part.company for part in parts if part.mass is None or part.mass.mg)


def _union(behind: Mapping[K, frozenset[str]], keys: Iterable[K]) -> frozenset[str]:
    return frozenset[str]().union(*(behind[key] for key in keys))


def _sum(parts: tuple[Part, ...]) -> Sum:
    known = [part.mass for part in parts if part.mass is not None]
    return Sum(total(known)) if len(known) == len(parts) else Sum(None, UNKNOWN)


@dataclass(frozen=True)
class Line:
    """One line of the results: owed and proved in one material and one part of the whole."""

    material: str
    part: str
    owed: Sum
    proved: Sum


def results(positions: Iterable[Position], *, part_of: Callable[[str], str]) -> tuple[Line, ...]:
    """A norm's year by material and by what `part_of` says of a company (its sector, its system)."""
    owed: defaultdict[str, defaultdict[str, list[Part]]] = defaultdict(lambda: defaultdict(list))
    proved: defaultdict[str, defaultdict[str, list[Part]]] = defaultdict(lambda: defaultdict(list))
    for one in positions:
        part = part_of(one.company)
        owed[one.material][part].append(Part(one.company, one.obligation_mass))
        proved[one.material][part].append(Part(one.company, one.achieved))
    lines = []
    for material in owed:
        asked, done = sums(owed[material]), sums(proved[material])
        lines += [Line(material, part, asked[part], done[part]) for part in sorted(asked)]
    return tuple(lines)
