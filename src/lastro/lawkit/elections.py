"""The nouns of targets by region that a company may shift: the case, a choice, and how it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from lastro.facts import CompanyFacts
from lastro.units import ExactMass, Share

if TYPE_CHECKING:
    from lastro.lawkit.parameters import Law


@dataclass(frozen=True)
class Regional:
    """One company's targets of one metal and year: indices, mass placed and mass achieved, by region.

    Regions that are not named in `placed` or `achieved` have none of it.
    """

    index: Mapping[str, Share]
    national: Share
    placed: Mapping[str, ExactMass]
    achieved: Mapping[str, ExactMass]
    deducted: ExactMass = field(default_factory=lambda: ExactMass(Fraction(0)))


@dataclass(frozen=True)
class Choice:
    """What a company chooses: where the mass of regions without sales goes, which regions switch index.

    `moved` is the mass added to each region; `switched` names for each region that switches the one that
    receives its difference.
    """

    moved: Mapping[str, ExactMass] = field(default_factory=dict)
    switched: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Options:
    """What there is to choose: each region's own target, the mass to be moved, the difference of a switch."""

    own: Mapping[str, ExactMass]
    to_move: ExactMass
    may_switch: Mapping[str, ExactMass]
    national: ExactMass


@dataclass(frozen=True)
class Judged:
    """A choice as the norm judges it. `refused` says why it is not allowed; then nothing else counts."""

    targets: Mapping[str, ExactMass]
    met: Mapping[str, bool]
    national_met: bool
    all_met: bool
    refused: tuple[str, ...] = ()


class Elects(Protocol):
    """A norm whose targets may be shifted among regions."""

    def regional(self, law: Law, company: CompanyFacts, *, year: int, group: str) -> Regional: ...

    def options(self, law: Law, case: Regional) -> Options: ...

    def judge(self, law: Law, case: Regional, choice: Choice) -> Judged: ...
