"""The nouns of collection points: how many a norm asks for, by when, and what each has to tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lastro.lawkit.parameters import Law


@dataclass(frozen=True)
class SiteTerms:
    """What a norm asks of receiving points.

    `required` is the number in a municipality, by its people; `by_year` how many of a whole are due by a year
    of the phase (None: all at once); `consolidation` how many consolidation points each state has (0: none is
    asked for); `coordinates` whether a point has to tell where it stands.
    """

    required: Callable[[int], int]
    by_year: Callable[[int, int], int] | None
    consolidation: int
    coordinates: bool
    article: str


class Sites(Protocol):
    """The terms of points. Raises NotInForce or TextMissing."""

    def __call__(self, law: Law) -> SiteTerms: ...
