"""Where norms disagree on one fact, or a text with itself: what each says, and what is taken."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lastro.lawkit.library import find


@dataclass(frozen=True)
class Side:
    """What one norm says, with its citation."""

    norm: str
    says: str
    article: str


@dataclass(frozen=True)
class Conflict:
    """One fact on which the texts disagree; `taken` is what is done about it."""

    topic: str
    sides: tuple[Side, ...]
    taken: str


@cache
def conflicts() -> tuple[Conflict, ...]:
    """Every conflict that is known, in the order of the file."""
    raw = tomllib.loads(files("lastro.law").joinpath("conflicts.toml").read_text("utf-8"))
    return tuple(
        Conflict(
            one["topic"],
            tuple(
                Side(norm, side["says"], find(norm).norm.cite(side["provisions"]))
                for norm, side in one["between"].items()
            ),
            one["taken"],
        )
        for one in raw["conflict"]
    )


def conflicts_of(norm: str) -> tuple[Conflict, ...]:
    """The conflicts that a norm is part of."""
    return tuple(one for one in conflicts() if any(side.norm == norm for side in one.sides))
