"""A manifest and a certificate as all that was handed in of them has it, and what they weigh, by material."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from lastro.evidence import waste_mass
from lastro.facts import Finding
from lastro.ids import Material
from lastro.tables.sinir import materials_of_residue, recycling
from lastro.units import Mass, total
from lastro.waste import Residue

WHOLE = "*"
"""The pool of a paper whose residues may each be several materials: then all of it is one mass."""

Masses = Mapping[str, Mass | None]
"""A mass by pool (a material, or WHOLE); None where it is not known, which is not zero."""


@dataclass(frozen=True)
class Part:
    """One residue, weighed: which materials it may be (none known: any), and what becomes of it."""

    materials: frozenset[Material]
    indicated: Mass | None
    received: Mass | None
    fate: str


@dataclass(frozen=True)
class Load:
    """One manifest as all its versions have it, or several that stand for one load on several lorries.

    `parts` are those of each version that tells what was received, else of all. `step` tells legs of one
    journey apart: "origin", "process" or "" for an ordinary one.
    """

    numbers: frozenset[str]
    generator: str
    destination: str
    state: str
    step: str
    began_on: date | None
    shipped_on: date | None
    received_on: date | None
    plates: frozenset[str]
    versions: tuple[tuple[Part, ...], ...]
    certificates: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    complements: str = ""
    doubts: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        """Its number: the national one, or the smallest."""
        return min(self.numbers, key=lambda n: (-len(n), n))

    @property
    def key(self) -> str:
        """What tells it apart: numbers of two states may be the same, those of one generator are not."""
        return f"{self.name}/{self.generator}"

    @property
    def parties(self) -> frozenset[str]:
        return frozenset((self.generator, self.destination))

    @property
    def materials(self) -> frozenset[Material]:
        """Every material that it may carry; none: nobody can tell."""
        return _materials(self.versions)

    @property
    def exact(self) -> bool:
        return _exact(self.versions)

    def received(self, pool: str) -> Mass | None:
        """The smallest mass that a version says was received of a pool; None where none says it."""
        return _least(self.versions, pool, lambda part: part.received) if self.state == "received" else None

    def indicated(self, pool: str) -> Mass | None:
        return _least(self.versions, pool, lambda part: part.indicated)


@dataclass(frozen=True)
class Certified:
    """One CDF as all its versions have it; `alive` is False once one says that it was cancelled."""

    number: str
    generator: str
    destination: str
    alive: bool
    period: tuple[date | None, date | None]
    manifests: frozenset[str]
    versions: tuple[tuple[Part, ...], ...]
    doubts: tuple[Finding, ...] = ()

    @property
    def exact(self) -> bool:
        return _exact(self.versions)

    @property
    def materials(self) -> frozenset[Material]:
        """Every material that it may certify; none: nobody can tell."""
        return _materials(self.versions)

    def mass(self, pool: str, *, fates: Sequence[str]) -> Mass | None:
        """The smallest mass that a version certifies of a pool, of what had one of these fates."""
        if not any(self.versions):
            return None
        return _least(self.versions, pool, lambda part: part.received if part.fate in fates else Mass(0))

    def fates(self, pool: str) -> frozenset[str]:
        return frozenset(part.fate for parts in self.versions for part in parts if _in(part, pool))


def pool_of(material: Material, *, exact_: bool) -> str:
    """The pool that goods of a material draw on."""
    return material.value if exact_ else WHOLE


def _in(part: Part, pool: str) -> bool:
    return pool == WHOLE or pool in {m.value for m in part.materials}


def _materials(versions: Iterable[tuple[Part, ...]]) -> frozenset[Material]:
    parts = [part for version in versions for part in version]
    if any(not part.materials for part in parts):
        return frozenset()
    return frozenset(m for part in parts for m in part.materials)


def _exact(versions: Iterable[tuple[Part, ...]]) -> bool:
    return all(len(part.materials) == 1 for version in versions for part in version)


def _least(
    versions: Iterable[tuple[Part, ...]], pool: str, mass: Callable[[Part], Mass | None]
) -> Mass | None:
    found = []
    for parts in versions:
        masses = [mass(part) for part in parts if _in(part, pool)]
        known = [one for one in masses if one is not None]
        if masses and len(known) == len(masses):
            found.append(total(known))
    return min(found, key=lambda one: one.mg, default=None)


# ── weighing a residue ───────────────────────────────────────────────────────────────────────────────


def part_of(residue: Residue) -> Part:
    """A residue of a manifest or certificate as masses, weighed as its own verdict weighs it."""
    return Part(
        materials_of_residue(residue.code),
        waste_mass.indicated(residue).mass,
        waste_mass.received(residue).mass,
        recycling(residue.treatment),
    )
