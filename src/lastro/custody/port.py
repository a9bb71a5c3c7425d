"""What custody asks of its memory; a store implements it.

A memory lives as long as one transaction: what it wrote is there as a whole afterwards, or not at all.
Whoever settles keys calls `lock_keys` or `hold` first, so that what is read afterwards is what stands;
`hold` also finds the other notes whose count may change, and gives all keys to settle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from lastro.custody.chain import Party, Sale, Upstream
from lastro.custody.count import Decided, KeyView, LineCount
from lastro.custody.lots import Lots
from lastro.custody.similar import Sold, Twin
from lastro.evidence.consulted import Consulted
from lastro.ids import Material
from lastro.units import Mass


@dataclass(frozen=True)
class For:
    """On whose behalf, under which norm and for which year documents are handed in."""

    entity: str
    norm: str
    year: int


@dataclass(frozen=True)
class Bears:
    """That a note of another key is cancelled (N10), corrected (N11), returned (N16) or told anew (M15).

    `parties`, where given, are the two, in order, whose note it must be.
    """

    access_key: str
    code: str
    parties: tuple[str, ...] = ()


@dataclass(frozen=True)
class Handed:
    """One document as handed in by one claimant, with the answer it got; ready to be written.

    `authentic`: signed by whom it should be, under a trusted root, with nothing against its identity.
    `bears` is what it says of notes of other keys.
    """

    sha256: str
    ordinal: int
    access_key: str
    content_digest: str
    kind: str
    document: Mapping[str, Any]
    authentic: bool
    outcome: str
    verdict: Mapping[str, Any]
    known: str
    issued_on: date | None = None
    issuer: str = ""
    recipient: str = ""
    bears: tuple[Bears, ...] = ()


@dataclass(frozen=True)
class Answered:
    """One document with the latest verdict one claimant has on it, as the store kept them."""

    id: int
    sha256: str
    ordinal: int
    access_key: str
    content_digest: str
    kind: str
    known: str
    authentic: bool
    document: Mapping[str, Any]
    verdict: Mapping[str, Any]


Place = tuple[Material, Party]
"""A party and what it trades."""


@dataclass(frozen=True)
class Trade:
    """Whether a party sells and buys a material, by what is known."""

    sells: bool
    buys: bool

    @property
    def resells(self) -> bool:
        """Whether its sales hand on what others sold it: then it has a stock of clean and of spent mass."""
        return self.sells and self.buys


@dataclass(frozen=True)
class Kept:
    """What a line of a note moved, as kept, with what other notes were last found to say of it."""

    sold: Sold
    twins: tuple[Twin, ...] = ()
    upstream: Upstream = field(default_factory=Upstream)


class Memory(Protocol):
    """Custody's memory during one transaction."""

    def lock_keys(self, keys: Iterable[str]) -> None: ...

    def hold(
        self, keys: Iterable[str], write: Callable[[], None], *, besides: Iterable[str] = ()
    ) -> list[str]: ...

    def hold_chains(self, keys: Sequence[str]) -> None: ...

    def answered(
        self, whom: For, *, files: Sequence[str] | None = None, keys: Sequence[str] | None = None
    ) -> list[Answered]: ...

    def claimants(self) -> list[For]: ...

    def lots_said(self, entity: str) -> Lots: ...

    def say_lots(self, entity: str, lots: Lots) -> None: ...

    def file(self, sha256: str) -> bytes: ...

    def write_files(self, files: Mapping[str, bytes]) -> None: ...

    def write_answers(self, handed: Sequence[Handed], whom: For) -> None: ...

    def write_consulted(self, answers: Mapping[str, Consulted], *, address: str) -> None: ...

    def consulted(self) -> Mapping[str, Consulted]: ...

    def write_claims(self, claims: Iterable[tuple[str, int, Mass | None]], whom: For) -> None: ...

    def write_withdrawal(
        self, key: str, line: int, *, entity: str, reason: str, by: str, on: date
    ) -> None: ...

    def key_views(self, keys: Sequence[str]) -> dict[str, KeyView]: ...

    def entered(self, keys: Sequence[str]) -> dict[str, dict[tuple[int, str], Mass]]: ...

    def write_states(self, key: str, counts: Iterable[LineCount]) -> None: ...

    def hold_comparing(self) -> None: ...

    def write_sold(self, keys: Sequence[str], sold: Sequence[Sold]) -> None: ...

    def sold(self, keys: Sequence[str]) -> list[Kept]: ...

    def sold_like(self, sold: Sequence[Sold], *, within_mg: int, days: int) -> list[Kept]: ...

    def sold_that_day(self, sold: Sequence[Sold], *, days: int) -> list[Kept]: ...

    def write_twins(self, twins: Mapping[Sale, tuple[Twin, ...]]) -> None: ...

    def write_credited(self, credited: Mapping[Sale, tuple[int, bool]]) -> None: ...

    def trading(self, at: Iterable[Place]) -> Mapping[Place, Trade]: ...

    def partners(self, *, of_sellers: Iterable[Place], of_buyers: Iterable[Place]) -> set[Place]: ...

    def sold_around(self, traders: Iterable[Place], *, sellers: Iterable[Place]) -> list[Kept]: ...

    def write_upstream(self, upstream: Mapping[Sale, Upstream]) -> None: ...

    def propose(self, view: KeyView, decided: Decided, *, reason: str, by: str) -> int | None: ...

    def post(self, postings: Sequence[Mapping[str, Any]]) -> None: ...
