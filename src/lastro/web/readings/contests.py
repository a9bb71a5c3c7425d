"""Lines that more than one party wants: who claims what, and what two people said of it so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lastro.stores.postgres.custody import LotStanding, custody
from lastro.units import Mass
from lastro.web import office


@dataclass(frozen=True)
class Claimed:
    """What one party claims of a line: a mass, or all of it (None)."""

    entity: str
    mass: Mass | None
    content: str


@dataclass(frozen=True)
class Contest:
    """A contested line."""

    key: str
    line: int
    reason: str
    claims: tuple[Claimed, ...]
    said: tuple[Mapping[str, Any], ...] = ()

    @property
    def waiting(self) -> Mapping[str, Any] | None:
        """The proposal that waits for a second person, if there is one."""
        confirmed = {row["confirms"] for row in self.said if row["confirms"] is not None}
        open_ones = [r for r in self.said if r["confirms"] is None and r["id"] not in confirmed]
        return open_ones[-1] if open_ones else None

    @property
    def contents(self) -> tuple[str, ...]:
        return tuple(sorted({claim.content for claim in self.claims}))


def contests(entities: Collection[str] | None) -> list[Contest]:
    """Contested lines: those that any of these entities claims, or all (None)."""
    with custody(office.store()) as memory:
        return [_contest(row, ()) for row in memory.standing(state="contested") if _seen_by(row, entities)]


def contest(key: str, line: int, entities: Collection[str] | None) -> Contest | None:
    """One contested line, with what was said of it; None if it isn't contested or isn't theirs to see."""
    with custody(office.store()) as memory:
        for row in memory.standing(state="contested", key=key):
            if row.line == line and _seen_by(row, entities):
                return _contest(row, memory.proposals(key, line))
    return None


def _seen_by(row: LotStanding, entities: Collection[str] | None) -> bool:
    return entities is None or bool(set(row.claims) & set(entities))


def _contest(row: LotStanding, said: Sequence[Mapping[str, Any]]) -> Contest:
    claims = tuple(
        Claimed(who, Mass(claim["mass_mg"]) if claim["mass_mg"] else None, claim["content"])
        for who, claim in sorted(row.claims.items())
    )
    return Contest(row.access_key, row.line, row.reason, claims, tuple(said))
