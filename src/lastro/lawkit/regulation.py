"""What a norm is, and the offices it may hold.

Rooms ask the law by office, never by name: `regulation.admits(law, candidate)`. An office a norm does not
hold is None.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.resources import files
from types import ModuleType
from typing import Any, Protocol

from lastro.facts import Candidate, CompanyFacts, Objection, TargetRow
from lastro.ids import Material
from lastro.lawkit.asks import Ask, Seals
from lastro.lawkit.citation import cite
from lastro.lawkit.contents import Lists
from lastro.lawkit.elections import Elects
from lastro.lawkit.fees import Charges
from lastro.lawkit.grants import Pays
from lastro.lawkit.order import Orders
from lastro.lawkit.parameters import Law, load
from lastro.lawkit.publications import Publication
from lastro.lawkit.rules import Rule
from lastro.lawkit.schedules import Duty
from lastro.lawkit.sites import Sites
from lastro.units import ExactMass, Mass, Share


@dataclass(frozen=True)
class Norm:
    """One legal act: its names, its days, its state, and what our text of it lacks."""

    path: str
    package: str
    title: str
    short_title: str
    kind: str
    number: str
    dated: date
    published: date
    in_force_since: date
    jurisdiction: str
    status: str  # "in_force" | "draft" | "revoked"
    provisions: str
    lacking: tuple[str, ...] = ()
    citations: Mapping[str, str] = field(default_factory=dict)
    _cited: dict[tuple[str, ...], str] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def read(cls, package: str) -> Norm:
        """Read norm.toml of a norm's package, such as lastro.law.mt.decreto_1455_2025."""
        raw = tomllib.loads(files(package).joinpath("norm.toml").read_text("utf-8"))
        return cls(
            path="/".join(package.split(".")[-2:]),
            package=package,
            title=raw["title"],
            short_title=raw["short_title"],
            kind=raw["kind"],
            number=raw["number"],
            dated=raw["date"],
            published=raw["published"],
            in_force_since=raw["in_force_since"],
            jurisdiction=raw["jurisdiction"],
            status=raw["status"],
            provisions=raw["provisions"],
            lacking=tuple(raw.get("lacking", ())),
            citations=raw.get("citations", {}),
        )

    def cite(self, provisions: Sequence[str]) -> str:
        """The full citation of some provisions: "Decreto MT 1.455/2025, art. 46, §§ 1º e 2º"."""
        key = tuple(provisions)
        if key not in self._cited:
            self._cited[key] = f"{self.short_title}, {cite(key, names=self.citations)}"
        return self._cited[key]


@dataclass(frozen=True)
class Note:
    """Something a position says beside its numbers; `code` is a code of the catalogue, or empty."""

    text: str
    code: str = ""


@dataclass(frozen=True)
class Obliged:
    """What a norm asks of one company for one material group: an exact mass, and how it came about."""

    mass: ExactMass
    base: ExactMass
    target: Share | None  # None: nothing was placed, so no target was asked for
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Settled:
    """What a company proved for one material group, and whether the norm takes it as enough.

    `met` None: it cannot be told (a target it depends on is not known).
    """

    achieved: Mass
    met: bool | None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class ReportTerms:
    """What a norm says of the report on a year: the base year of placed mass, the last day, and its parts.

    `articles` has the citation behind each part of the report, by the part's name; `make_up` whether a
    missed target may be made up in the next year.
    """

    base_year: int
    due: date
    articles: Mapping[str, str]
    make_up: bool


@dataclass(frozen=True)
class CertificateTerms:
    """What a norm says of a certificate on a year's invoices that is issued on a day.

    `last_sale` is the last day on which it may be sold, `valid_to` the last on which it may be used; its mass
    is a multiple of `step`. `sells` says whether a system may issue any, by whether its term foresees them;
    `buys` whether an establishment may buy, by whether it adheres to that term; `attained` what share of the
    mass placed is proved. `articles` has the citation behind each demand, and behind each item of the paper.
    `kind` is the letters before its number, `moves` all that the norm allows to happen to it: `transfer` and
    `split` stand there where it may be passed on.
    """

    title: str
    last_sale: date
    valid_to: date
    step: Mass
    resale: bool
    sells: Callable[[bool], bool]
    buys: Callable[[bool], bool]
    attained: Callable[[Mass, ExactMass], Share]
    articles: Mapping[str, str]
    kind: str = "CRE"
    moves: frozenset[str] = frozenset(
        {"sell", "authorise", "issue", "refuse", "withdraw", "retire", "cancel"}
    )


class Certifies(Protocol):
    """The terms of a certificate. Raises NotInForce or TextMissing."""

    def __call__(self, law: Law, *, year: int, on: date) -> CertificateTerms: ...


class Reports(Protocol):
    """The terms of the report on the results of a year."""

    def __call__(self, law: Law, *, year: int) -> ReportTerms: ...


class Admits(Protocol):
    """What a norm has against one line; nothing is an empty tuple."""

    def __call__(self, law: Law, candidate: Candidate) -> tuple[Objection, ...]: ...


class Obliges(Protocol):
    """The mass a company owes for a material group. Raises TextMissing, NotInForce or InputMissing."""

    def __call__(self, law: Law, company: CompanyFacts, *, year: int, group: str) -> Obliged: ...


class Settles(Protocol):
    """What a company proved in one material group, and whether it is enough.

    `owed` holds what it owes in every group in question (None: not known): some schemes weigh them together.
    """

    def __call__(
        self,
        law: Law,
        company: CompanyFacts,
        *,
        year: int,
        group: str,
        owed: Mapping[str, Obliged | None],
    ) -> Settled: ...


@dataclass(frozen=True)
class Option:
    """An option that a norm leaves to a company, with the keys that a facts file may give beside its name.

    A key is of a kind ("mass", "year", "day", "flag" or "towns") or one of the words listed. Two options of a
    company that agree in all of `by` answer one question, and neither may silently win.
    """

    keys: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Regulation:
    """One norm with the offices it holds, each an optional plain function."""

    norm: Norm
    rules: Mapping[str, Rule[..., Any]]
    groups: tuple[str, ...] = ()
    grouping: Mapping[Material, str] = field(default_factory=dict)
    uncomputed: tuple[str, ...] = ()  # what the norm also asks and is not computed here, and why
    covers: Callable[..., Any] | None = None
    admits: Admits | None = None
    vets: Callable[[Law], int] | None = None  # how many years the vetting of an operator stands
    obliges: Obliges | None = None
    settles: Settles | None = None
    certifies: Certifies | None = None
    reports: Reports | None = None
    elects: Elects | None = None
    sites: Sites | None = None
    pays: Pays | None = None
    charges: Charges | None = None
    orders: Orders | None = None  # whether an establishment is in order on a day
    options: Mapping[str, Option] = field(default_factory=dict)  # what a company may choose or declare
    schedules: tuple[Duty, ...] = ()
    documents: Mapping[str, Lists] = field(default_factory=dict)  # what each kind of document contains
    asks: tuple[Ask, ...] = ()  # what offices may ask of those whom the norm binds
    seals: Seals | None = None  # how what is protected is marked
    publishes: tuple[Publication, ...] = ()  # what is published under the norm, and by whom

    def law(self, on: date, *, targets: Sequence[TargetRow] = ()) -> Law:
        """The norm as it stood on a day, with the rows of targets loaded by then."""
        return Law(self.norm, on, load(self.norm.package), targets=targets)

    def group(self, material: Material) -> str | None:
        """The norm's own group of a material, or None where it has none."""
        return self.grouping.get(material)


def rules_of(module: ModuleType) -> dict[str, Rule[..., Any]]:
    """The rules of a module, by name, in the order they are written."""
    return {name: found for name, found in vars(module).items() if isinstance(found, Rule)}
