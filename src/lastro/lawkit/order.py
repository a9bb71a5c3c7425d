"""The nouns of being in order: what is known of an establishment on a day, and what a norm finds of it.

A check that is met is proved; one that is not met is a lack with the day since when; None cannot be told,
and says what would tell it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lastro.lawkit.parameters import Law


@dataclass(frozen=True)
class Stated:
    """What the agency says that it knows from elsewhere: a paper, a case, a system."""

    met: bool
    source: str
    on: date


@dataclass(frozen=True)
class Cover:
    """An establishment's place in an entity's list, and the terms of that entity under which it stands."""

    entity: str
    name: str
    start: date
    end: date | None
    term: str = ""
    term_ends: date | None = None
    """The last day of the term; None where it has none, or where no term is named."""


@dataclass(frozen=True)
class Delivered:
    """A report on a year: who owes it here, and when its first version came in (None: not here)."""

    year: int
    by: str
    on: date | None


@dataclass(frozen=True)
class Quarter:
    """The fee of a quarter as it stands: its day, what is left of it, and whether it was ever assessed."""

    year: int
    number: int
    due: date
    paid: bool


@dataclass(frozen=True)
class Known:
    """Everything that being in order depends on, as it was known on a day.

    `positions` has, for each year, the groups of materials with whether each target was met (None: cannot be
    told). `declared` names the years whose placed mass was declared. `registered_on` is the day of the entry
    in the register, `began` the first day of an activity of it. `stated` is by check, or "check/year".
    """

    cnpj: str
    on: date
    sizes: Mapping[int, str] = field(default_factory=dict)
    licence_to: date | None = None
    covers: tuple[Cover, ...] = ()
    alone: bool = False
    reports: tuple[Delivered, ...] = ()
    declared: frozenset[int] = frozenset()
    positions: Mapping[int, tuple[tuple[str, bool | None], ...]] = field(default_factory=dict)
    registered_on: date | None = None
    began: date | None = None
    quarters: tuple[Quarter, ...] = ()
    closed: tuple[date, ...] = ()
    stated: Mapping[str, Stated] = field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """One thing that a norm asks, as it stands on a day; one that does not count is only told.

    `key` names it ("report/2025"), `since` the first day of the lack, `until` a day by which it may be cured.
    """

    key: str
    asks: str
    met: bool | None
    found: str
    article: str
    cure: str = ""
    since: date | None = None
    until: date | None = None
    counts: bool = True


class Orders(Protocol):
    """What a norm asks of an establishment on a day, one check for each thing."""

    def __call__(self, law: Law, known: Known) -> tuple[Check, ...]: ...


def in_order(checks: tuple[Check, ...]) -> bool | None:
    """One answer of many: a lack is a no, a gap in what is known is no answer, and without checks too."""
    met = {one.met for one in checks if one.counts}
    if not met:
        return None
    return False if False in met else None if None in met else True


def with_stated(check: Check, stated: Mapping[str, Stated]) -> Check:
    """The check, told by what the agency stated where the store could not tell it."""
    said = stated.get(check.key)
    if said is None or check.met is not None:
        return check
    found = f"Constatado pelo órgão em {said.on:%d/%m/%Y}: {said.source}"
    return Check(
        check.key, check.asks, said.met, found, check.article,
        "" if said.met else check.cure, None if said.met else said.on, check.until, check.counts,
    )  # fmt: skip
