"""What a report is written from: everything that stands for one entity and year at one moment.

A store hands it over; masses come grouped and with a digest of their entries, so that a chain of a hundred
thousand entries makes a report no larger than one of a hundred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from lastro.facts import Placement, TargetRow
from lastro.ids import Material, Origin
from lastro.registry import Registry
from lastro.reports.cells import Source
from lastro.units import Mass


@dataclass(frozen=True)
class Moved:
    """Mass retired for one establishment: entries that agree in all of this, added up."""

    establishment: str
    material: Material
    way: str  # "lots" | "certificates"
    municipality: str
    municipality_source: str
    origin: Origin | None
    mass: Mass
    entries: int
    digest: str


@dataclass(frozen=True)
class Held:
    """Mass that stands in accounts of one kind: lots (homologated or not), or certificates not used yet."""

    account: str  # "lot" | "certificate"
    material: Material
    homologated: bool
    mass: Mass
    accounts: int
    digest: str


@dataclass(frozen=True)
class Declared:
    """One declaration that holds: of a whole company, or of one of its establishments."""

    number: int
    company: str
    establishment: str | None
    year: int
    placements: tuple[Placement, ...]
    digest: str


@dataclass(frozen=True)
class Fallen:
    """Mass retired for one establishment from a lot whose evidence no longer carries it.

    It stands in the ledger and counts for nobody any more.
    """

    establishment: str
    access_key: str
    line: int
    material: Material
    municipality: str
    origin: Origin | None
    mass: Mass
    reason: str
    entries: int
    digest: str

    @property
    def lot(self) -> str:
        """The lot by key and line."""
        return f"{self.access_key}/{self.line}"


@dataclass(frozen=True)
class Covered:
    """One lot that a verifier's statement names, and what stands entered in it now."""

    access_key: str
    line: int
    material: Material
    issued_on: date
    content: str
    stated: Mass
    entered: Mass
    state: str  # "counted" | "contested" | "dead" | "waiting"
    homologated_on: date
    verifier: str


@dataclass(frozen=True)
class Contest:
    """A line that was, or is, claimed beyond what it holds; `decided` tells that two people ended it."""

    access_key: str
    line: int
    code: str
    claimants: int
    decided: bool
    won: bool


@dataclass(frozen=True)
class Judged:
    """How an entity's documents of a year were judged: by kind, by outcome, and by finding code."""

    kinds: Mapping[str, int]
    outcomes: Mapping[str, int]
    codes: Mapping[str, int]
    digest: str


@dataclass(frozen=True)
class Partnership:
    """A formal partnership as the entity registers it in its report."""

    cnpj: str
    name: str
    instrument: str
    start: date
    end: date | None = None


@dataclass(frozen=True)
class Standing:
    """Everything that stands for one entity, norm and year at one moment."""

    entity: str
    norm: str
    year: int
    through: int
    registry: Registry
    row_numbers: Mapping[str, Mapping[str, int]]
    retired: Sequence[Moved] = ()
    held: Sequence[Held] = ()
    declared: Sequence[Declared] = ()
    targets: Sequence[TargetRow] = ()
    fallen: Sequence[Fallen] = ()
    contested: int = 0
    covered: Sequence[Covered] = ()
    contests: Sequence[Contest] = ()
    judged: Judged = field(default_factory=lambda: Judged({}, {}, {}, ""))
    partnerships: Sequence[Partnership] = ()

    def source(self, kind: str, **where: Any) -> Source:
        """A source in this entity's chain, up to where it stood."""
        return Source(kind, ref=self.entity, where=where, through=self.through)


@dataclass(frozen=True)
class Version:
    """A report as it was submitted (or a statement as it was issued): kept whole, never changed."""

    id: int
    kind: str
    norm: str
    entity: str
    verifier: str
    year: int
    version: int
    number: str
    digest: str
    data: Mapping[str, Any]
    files: Mapping[str, str]
    submitted_on: date
    by: str
    reason: str
    mark: str  # "" | "late" | "rectification"
    repeated: bool = field(default=False, compare=False)  # asked for again: nothing new was made


@dataclass(frozen=True)
class Made:
    """A preview: a report as it was computed on a day, to be looked at and submitted later."""

    id: int
    kind: str
    norm: str
    entity: str
    verifier: str
    year: int
    digest: str
    data: Mapping[str, Any]
    made_on: date


class Memory(Protocol):
    """What reports ask of a store, in one transaction."""

    def standing(self, entity: str, *, norm: str, year: int, as_of: date) -> Standing: ...

    def hold(self, kind: str, entity: str, year: int) -> None: ...

    def last_made(
        self, kind: str, norm: str, entity: str, year: int, *, verifier: str = ""
    ) -> Made | None: ...

    def made(self, number: int) -> Made | None: ...

    def write_made(
        self,
        kind: str,
        norm: str,
        entity: str,
        year: int,
        *,
        digest: str,
        data: Mapping[str, Any],
        on: date,
        verifier: str = "",
    ) -> Made: ...

    def versions(self, kind: str, norm: str, entity: str, year: int) -> list[Version]: ...

    def write_version(
        self,
        made: Made,
        *,
        version: int,
        number: str,
        files: Mapping[str, bytes],
        on: date,
        by: str,
        reason: str,
        mark: str,
    ) -> Version: ...
