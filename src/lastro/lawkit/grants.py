"""The nouns of an incentive that is paid by the quarter: what is known of it, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from lastro.facts import Finding
from lastro.units import Mass, Money

if TYPE_CHECKING:
    from lastro.lawkit.parameters import Law


@dataclass(frozen=True)
class Sale:
    """One line of a proof of sale. `proof`: the paper's number, where given.

    `recognised_on`: since when its kind of paper is recognised.
    """

    material: str
    subclass: str
    mass: Mass
    value: Money
    invoice: bool
    sold_on: date
    delivered_on: date
    recognised_on: date | None = None
    proof: str = ""

    @property
    def name(self) -> str:
        return f"{self.material}/{self.subclass}" if self.subclass else self.material


@dataclass(frozen=True)
class Coefficient:
    """A coefficient that the committee set for a material or for one of its subclasses, by a numbered act."""

    name: str
    value: Fraction
    decided_on: date
    act: str


@dataclass(frozen=True)
class Requirement:
    """What an act of the committee asks besides the decree, from one day to another (None: until further)."""

    act: str
    what: str
    since: date
    until: date | None = None

    def binds(self, on: date) -> bool:
        return self.since <= on and (self.until is None or on <= self.until)


@dataclass(frozen=True)
class Organisation:
    """What is known of one organisation of pickers for a quarter. Of people there are only counts.

    `measured` has one mass for each month of the quarter, None where the agency did not measure. `place` is
    its place in the committee's order of priority. `meets` names the acts whose requirement it meets.
    """

    cnpj: str
    name: str
    kind: str
    constituted_on: date
    members: int
    capable: int
    active: int
    school_age: int
    in_school: int
    updated_on: date
    state: str
    recognised: bool
    earlier_grant: bool
    list_delivered: bool
    place: int
    measured: tuple[Mass | None, ...]
    sales: tuple[Sale, ...]
    meets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quarter:
    """Everything that the incentive of one quarter depends on.

    `closed` are the days off that matter to its last day; `admitted` how many places the guidelines admit
    (None: all); `by_tonne` whether coefficients are reais per tonne and not weights.
    """

    year: int
    number: int
    annual: Money
    budget: Money
    donations: Money
    other: Money
    organisations: tuple[Organisation, ...]
    coefficients: tuple[Coefficient, ...]
    closed: tuple[date, ...] = ()
    admitted: int | None = None
    by_tonne: bool = False
    requirements: tuple[Requirement, ...] = ()


@dataclass(frozen=True)
class Granted:
    """What one organisation gets for a quarter, and what stands against it.

    `amount` None: it cannot be told. `by_material` has the points that each material brought.
    """

    cnpj: str
    sold: Mapping[str, Mass]
    points: Fraction | None
    amount: Money | None
    least_to_members: Money | None
    findings: tuple[Finding, ...] = ()
    by_material: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class QuarterGranted:
    """The incentive of a quarter. `blocked` says why nothing can be granted, where that is so.

    `coefficients` are those in force for the quarter's sales.
    """

    due: date
    available: Money
    minimum: Money
    granted: tuple[Granted, ...]
    left: Money
    unit_values: Mapping[str, Fraction] = field(default_factory=dict)
    blocked: tuple[str, ...] = ()
    coefficients: Mapping[str, Fraction] = field(default_factory=dict)


class Pays(Protocol):
    """What a norm pays for a quarter. Raises NotInForce or TextMissing."""

    def __call__(self, law: Law, quarter: Quarter) -> QuarterGranted: ...
