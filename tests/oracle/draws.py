"""Random facts, each set from a seed of its own: a set that fails can be drawn again by its number."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from random import Random

ROUNDS = int(os.environ.get("LASTRO_ORACLE", "400"))


def rounds(name: str) -> Iterator[tuple[str, Random]]:
    """As many seeded generators as are asked for, each with the name that draws it again."""
    for number in range(ROUNDS):
        seed = f"{name} {number}"
        yield seed, Random(seed)


def near(rng: Random, *edges: int) -> int:
    """A number on an edge, just beside one, or anywhere up to twice the largest."""
    edge = rng.choice(edges)
    if rng.random() < 0.6:
        return max(0, edge + rng.choice((-1, 0, 1)))
    return rng.randrange(0, 2 * max(edges) + 2)


def mostly(rng: Random) -> bool:
    """Yes, nineteen times in twenty."""
    return rng.random() < 0.95


def percent(rng: Random, top: int = 100) -> Fraction:
    """A rate: whole points more often than not, else to hundredths of a point."""
    if rng.random() < 0.6:
        return Fraction(rng.randint(0, top), 100)
    return Fraction(rng.randint(0, 100 * top), 10_000)


def day(rng: Random, first: date, last: date) -> date:
    """A day of a span; the ends of February and of years more often than their share."""
    found = first + timedelta(days=rng.randint(0, (last - first).days))
    odd = rng.choice(((2, 28), (2, 29), (12, 31), (1, 1), (3, 1), None, None, None, None))
    if odd is not None:
        try:
            moved = found.replace(month=odd[0], day=odd[1])
        except ValueError:
            moved = found
        if first <= moved <= last:
            found = moved
    return found
