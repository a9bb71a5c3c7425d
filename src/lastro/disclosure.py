"""Which sums of several companies may be published side by side, so that together they tell of no company.

One function for every published table. Sums are sets of *atoms* (one company's mass in one place of all the
tables). Publishing a sum cuts the atoms it is made of out of what nothing is said of, and cuts every block
told before in what is inside and what is outside; it is done only where all that comes out is safe. All that
is published can be reckoned from the sums of the blocks, so that whoever has all tables, of all years, knows
at most those: a suppressed cell never follows from a margin (complementary suppression), whatever the shape
of the tables. Exact numbers; those of the policy are in disclosure.toml, with their source.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypeVar

from lastro.units import Share

K = TypeVar("K", bound=Hashable)
A = TypeVar("A", bound=Hashable)

_DARK = 0
"""The block of which no sum is told: what stays in it needs no protection."""


@dataclass(frozen=True)
class Policy:
    """What a published sum must hide: how many stand behind it, and how near they come to one another."""

    fewest: int
    first: Fraction
    near: Fraction


@cache
def policy() -> Policy:
    """The policy of this base."""
    told = tomllib.loads((Path(__file__).parent / "disclosure.toml").read_text("utf-8"))
    return Policy(int(told["fewest"]), Share.parse(told["first"]).of_one, Share.parse(told["near"]).of_one)


@dataclass(frozen=True)
class Atom:
    """What one company adds; `size` is never below zero (mg, or what else is summed)."""

    company: str
    size: int | Fraction


def safe(atoms: Iterable[Atom], rule: Policy | None = None) -> bool:
    """Whether the sum of these may be known: of itself it tells nobody's part, not even to one of them.

    Three tests: the minimum count, the dominance of the largest, and the p % rule: the second largest takes
    its own away and is still `near` of the largest's mass off.
    """
    rule = rule or policy()
    of: defaultdict[str, int | Fraction] = defaultdict(int)
    for atom in atoms:
        assert atom.size >= 0, "a mass below zero hides nobody"
        of[atom.company] += atom.size
    sizes = sorted((size for size in of.values() if size), reverse=True)
    if len(sizes) < max(rule.fewest, 3):
        return False
    whole, most, next_one = sum(sizes), sizes[0], sizes[1]
    return most <= rule.first * whole and whole - most - next_one >= rule.near * most


def publishable(
    sums: Mapping[K, Collection[A]], atoms: Mapping[A, Atom], *, rule: Policy | None = None
) -> frozenset[K]:
    """The sums that may all be published together; those named first have the right of way."""
    block_of: dict[A, int] = dict.fromkeys(atoms, _DARK)
    blocks: dict[int, set[A]] = {_DARK: set(atoms)}
    told = []
    for key, inside in sums.items():
        cut: defaultdict[int, set[A]] = defaultdict(set)
        for name in inside:
            cut[block_of[name]].add(name)
        rest = {b: blocks[b] - found for b, found in cut.items()}
        made = [*cut.values(), *(left for b, left in rest.items() if left and b != _DARK)]
        if not made or not all(safe((atoms[name] for name in part), rule) for part in made):
            continue
        told.append(key)
        for b, found in cut.items():
            if rest[b] or b == _DARK:
                new = len(blocks)
                blocks[b], blocks[new] = rest[b], found
                block_of.update(dict.fromkeys(found, new))
    return frozenset(told)
