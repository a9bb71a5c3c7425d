"""Sharing what is not enough, in whole milligrams, the same whatever the order in which it is asked.

Pro rata by largest remainder: everyone gets the floor of his exact part, and the milligrams left over go to
the largest remainders; of equal remainders the smaller name comes first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from lastro.units import Mass

Name = TypeVar("Name", bound=Hashable)


def apportion(total: int, weights: Mapping[Name, int]) -> dict[Name, int]:
    """Split a whole number by weights that are not negative and not all zero; the parts add up to it."""
    whole = sum(weights.values())
    assert whole > 0, "something must weigh"
    floors = {name: total * weight // whole for name, weight in weights.items()}
    left = total - sum(floors.values())
    by_rest: Any = sorted(weights, key=lambda name: (-(total * weights[name] % whole), name))
    for name in by_rest[:left]:
        floors[name] += 1
    return floors


@dataclass(frozen=True)
class Asked:
    """What one load weighs, and by the names of which papers it may have been received."""

    mass: Mass
    papers: tuple[str, ...]


def granted(asked: Mapping[Name, Asked], capacity: Mapping[str, Mass]) -> dict[Name, Mass]:
    """How much of each load the papers received: never more than it weighs, nor than a paper received.

    Loads that hang together by their papers are looked at together. Where some way to share the papers leaves
    every load whole, all stay whole. Else a load splits what it still misses over its papers by what is left
    of them, and a paper that is asked for more than it has shares pro rata; each round exhausts a paper or is
    the last.
    """
    out: dict[Name, Mass] = {}
    for names in _together(asked):
        mine = {name: asked[name] for name in names}
        whole = _all_fit(mine, capacity)
        out |= {name: one.mass for name, one in mine.items()} if whole else _pro_rata(mine, capacity)
    return out


def _together(asked: Mapping[Name, Asked]) -> list[list[Name]]:
    """The loads, in groups that share no paper with each other."""
    groups: list[tuple[set[str], list[Name]]] = []
    for name, one in asked.items():
        papers, names = set(one.papers), [name]
        rest = []
        for known, members in groups:
            if known & papers:
                papers |= known
                names = members + names
            else:
                rest.append((known, members))
        groups = [*rest, (papers, names)]
    return [names for _, names in groups]


def _all_fit(asked: Mapping[Name, Asked], capacity: Mapping[str, Mass]) -> bool:
    """Whether every load can be received whole: each is poured in, moving others to their other papers."""
    room = {paper: mass.mg for paper, mass in capacity.items()}
    poured: defaultdict[tuple[Any, str], int] = defaultdict(int)
    for name, one in asked.items():
        left = one.mass.mg
        while left:
            way = _way(name, asked, room, poured)
            if way is None:
                return False
            steps = list(zip(way[::2], way[1::2], strict=True))
            back = list(zip(way[2::2], way[1::2], strict=False))
            most = min([left, room[way[-1]], *(poured[at] for at in back)])
            for at in steps:
                poured[at] += most
            for at in back:
                poured[at] -= most
            room[way[-1]] -= most
            left -= most
    return True


def _way(
    start: Any, asked: Mapping[Any, Asked], room: Mapping[str, int], poured: Mapping[tuple[Any, str], int]
) -> list[Any] | None:
    """From a load to a paper with room: load, paper, load that leaves it, paper …; or None."""
    came: dict[str, list[Any]] = {}
    queue = [[start]]
    for way in queue:
        for paper in asked[way[-1]].papers:
            if paper in came:
                continue
            came[paper] = [*way, paper]
            if room[paper] > 0:
                return came[paper]
            queue += [[*came[paper], name] for name, at in poured if at == paper and poured[name, at] > 0]
    return None


def _pro_rata(asked: Mapping[Name, Asked], capacity: Mapping[str, Mass]) -> dict[Name, Mass]:
    left = {name: one.mass.mg for name, one in asked.items()}
    room = {paper: capacity[paper].mg for one in asked.values() for paper in one.papers}
    while wishes := _wishes(asked, left, room):
        for paper, wished in wishes.items():
            given = wished if sum(wished.values()) <= room[paper] else apportion(room[paper], wished)
            for name, mg in given.items():
                left[name] -= mg
                room[paper] -= mg
    return {name: Mass(one.mass.mg - left[name]) for name, one in asked.items()}


def _wishes(
    asked: Mapping[Name, Asked], left: Mapping[Name, int], room: Mapping[str, int]
) -> dict[str, dict[Name, int]]:
    """By paper with room left, what each load asks of it."""
    found: defaultdict[str, dict[Name, int]] = defaultdict(dict)
    for name, one in asked.items():
        open_ = {paper: room[paper] for paper in one.papers if room[paper] > 0}
        if left[name] and open_:
            for paper, mg in apportion(left[name], open_).items():
                if mg:
                    found[paper][name] = mg
    return found
