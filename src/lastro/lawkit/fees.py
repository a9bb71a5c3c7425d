"""The nouns of a fee that an establishment owes by the quarter: what is known of it, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol

from lastro.facts import Finding
from lastro.units import Money, Share

if TYPE_CHECKING:
    from lastro.lawkit.parameters import Law


@dataclass(frozen=True)
class Activity:
    """An activity of the annex that an establishment carries out, from a day to another (None: still)."""

    code: str
    began: date
    ended: date | None = None
    silviculture: bool = False


@dataclass(frozen=True)
class Exemption:
    """Why an establishment pays no fee, and what proves it."""

    kind: str  # "public" | "social" | "subsistence"
    recognised: bool = False
    distributes: bool = False
    in_the_country: bool = False
    books: bool = False
    refused: bool = False


@dataclass(frozen=True)
class CityFee:
    """A fee paid to the municipality for the same quarter, and the municipality's standing."""

    paid: Money
    inspection_fee: bool
    recognised: bool
    agreed_from: date | None
    agreed_to: date | None
    refunded: Money = field(default_factory=lambda: Money(0))
    refunded_on: date | None = None


@dataclass(frozen=True)
class Notice:
    """A notice to pay: the day it was received, and the last day that it sets."""

    received_on: date
    deadline: date


@dataclass(frozen=True)
class Charged:
    """Everything that the fee of one establishment for one quarter depends on.

    `revenue` is the whole company's of the year before, None where it is not known; `paid_on` None: not paid,
    and what is owed is told for `asked_on`. `selic` has the rate of each month, by its first day; `index`
    corrects a restored debt. `place` is the municipality's IBGE code; `local_days` whether its own days off
    are among `closed`.
    """

    cnpj: str
    year: int
    quarter: int
    person: str
    revenue: Money | None
    mei: bool
    excluded: bool
    activities: tuple[Activity, ...]
    closed: tuple[date, ...]
    asked_on: date
    paid_on: date | None = None
    exemption: Exemption | None = None
    city: CityFee | None = None
    notice: Notice | None = None
    forged: bool = False
    selic: Mapping[date, Share] = field(default_factory=dict)
    index: Share | None = None
    place: str = ""
    local_days: bool = True


@dataclass(frozen=True)
class Assessment:
    """The fee of a quarter, part by part. A part that is None cannot be told, and `findings` say why.

    `at_least`: another activity's fee cannot be told, so what is owed may be more. `notes` say what no
    finding does, such as why nothing is owed.
    """

    size: str | None
    due: date
    federal: Money | None
    fee: Money | None
    city_credit: Money | None
    amount: Money | None
    days_late: int
    fine: Money | None
    interest: Money | None
    total: Money | None
    forged_fine: Money | None
    restored: Money | None
    state_credit: Money | None
    federal_offset: Money | None
    findings: tuple[Finding, ...] = ()
    at_least: bool = False
    notes: tuple[str, ...] = ()


class Charges(Protocol):
    """What a norm charges for a quarter. Raises NotInForce, TextMissing or InputMissing."""

    def __call__(self, law: Law, charged: Charged) -> Assessment: ...
