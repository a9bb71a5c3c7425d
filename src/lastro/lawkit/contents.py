"""What a norm asks a document to contain: its parts, their fields, and the provision behind each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol

from lastro.units import Mass, Money, Share

if TYPE_CHECKING:
    from lastro.lawkit.parameters import Law

Told = Mass | Money | Share | int | str | date | bool | None
Rows = Mapping[str, Sequence[Mapping[str, Told]]]
"""The rows of each part, by its key; a field that was not told is None."""


@dataclass(frozen=True)
class Field:
    """One thing that a line of a part says.

    Units: text, cnpj, date, town, flag, count, year, kg, brl, share, degrees, material, label, code or
    section (one of `words`), word (any, shown by its label where it has one). `needed`: a line without it is
    incomplete; `instead` names a field that may stand in its place.
    """

    name: str
    unit: str = "text"
    needed: bool = True
    instead: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """One part of a document: a single line (`many` False) or as many as there are, at least `least`.

    `sums` are the fields that are added up under the lines.
    """

    key: str
    article: str
    fields: tuple[Field, ...]
    many: bool = True
    least: int = 1
    sums: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """Something the norm asks of what the document says: what was found, what is asked, whether it holds.

    `met` None: it cannot be told, as something is missing. `stops`: what does not hold keeps the document
    from being handed in, under `code`.
    """

    key: str
    found: Told
    asked: Told
    unit: str
    met: bool | None
    article: str
    code: str = ""
    stops: bool = False


class Judges(Protocol):
    """What the norm asks of the lines of a document."""

    def __call__(self, law: Law, rows: Rows) -> tuple[Check, ...]: ...


@dataclass(frozen=True)
class Contents:
    """What a document on a year contains, and the last day to hand it in (None: the norm names none).

    `articles` has the citation behind parts that are computed and not told, by name. `targets`: the document
    tells how the year's targets stand. `series`: there are as many of these as there are things to tell of,
    each a document of its own. `public`: it is published. `until`: where it says its last day, as
    `part.field`; empty where it has none. `contract`: it is an agreement between parties.
    `by` is the role of who fills it in, `to` the office that it is handed to ("gap"), beside its own files.
    """

    articles: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    due: date | None = None
    judges: Judges | None = None
    targets: bool = False
    series: bool = False
    public: bool = False
    until: str = ""
    contract: bool = False
    by: str = "managing_entity"
    to: str = ""


class Lists(Protocol):
    """What a kind of document contains for a year."""

    def __call__(self, law: Law, *, year: int) -> Contents: ...
