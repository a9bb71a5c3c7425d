"""Where the next points serve most: the sites that shorten people's ways most, and how good that is for sure.

The cost is every municipality's people times the metres from its seat to the nearest site, along the
ellipsoid of SIRGAS 2000 (GRS 80). Metres and people are whole, so a choice's cost is exact. An exact
solver proposes. What it proposes is weighed here anew, and a bound that needs no trust in it (Lagrange
multipliers in whole numbers) says how far from the best any choice can be.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from lastro.errors import LastroError
from lastro.tables.populations import Place

EXACT_PLACES = 400
"""Up to how many places the exact solver is asked; beyond, the best site is taken one after the other."""

ROUNDS = 150
FAR = 6_000_000
"""Farther than any two places of the country, in metres."""


@dataclass(frozen=True)
class Proposal:
    """The sites to add, what they leave people to go (people × metres), and a cost that none goes below.

    `cost_before` is None where no point is open: there is no way to go, which is not a way of zero.
    """

    sites: tuple[str, ...]
    cost_before: int | None
    cost: int
    bound: int
    exact: bool


def propose(towns: Sequence[Place], open_in: Sequence[str], *, number: int) -> Proposal:
    """The best sites for so many new points beside those that are open.

    Municipalities without known people are left out. Raises LastroError where the libraries of the extra are
    not installed.
    """
    np = _numpy()
    known = [one for one in towns if one.population]
    number = min(number, sum(one.code not in open_in for one in known))
    metres = _metres(np, known)
    people = np.array([one.population for one in known], dtype=np.int64)
    there = [i for i, one in enumerate(known) if one.code in open_in]
    now = metres[:, there].min(axis=1) if there else np.full(len(known), FAR, dtype=np.int64)
    saved = np.maximum(0, (now[:, None] - metres) * people[:, None])
    chosen, exact = _chosen(np, saved, there, number)
    before = int((now * people).sum())
    gained = int(saved[:, chosen].max(axis=1).sum()) if chosen else 0
    most = _most_saved(np, saved, there, number, gained)
    return Proposal(
        tuple(known[i].code for i in chosen), before if there else None, before - gained, before - most, exact
    )


def _chosen(np: Any, saved: Any, there: Sequence[int], number: int) -> tuple[list[int], bool]:
    greedy = _one_after_the_other(np, saved, there, number)
    if len(saved) > EXACT_PLACES or number <= 1:
        return greedy, number <= 1
    found = _solved(np, saved, there, number)
    if found is None:
        return greedy, False
    worth = [int(saved[:, sites].max(axis=1).sum()) for sites in (found, greedy)]
    return (found, True) if worth[0] >= worth[1] else (greedy, False)


def _one_after_the_other(np: Any, saved: Any, there: Sequence[int], number: int) -> list[int]:
    best = np.zeros(len(saved), dtype=np.int64)
    chosen: list[int] = []
    for _ in range(number):
        gains = np.maximum(0, saved - best[:, None]).sum(axis=0)
        gains[[*there, *chosen]] = -1
        site = int(gains.argmax())
        chosen.append(site)
        best = np.maximum(best, saved[:, site])
    return sorted(chosen)


def _solved(np: Any, saved: Any, there: Sequence[int], number: int) -> list[int] | None:
    """The choice of the exact solver; None where it did not prove one the best."""
    highspy = _library("highspy")
    rows, columns = np.nonzero(saved)
    places, ways = saved.shape[1], len(rows)
    with _unheard():
        solver = highspy.Highs()
        solver.silent()
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("time_limit", 120.0)
    scale = float(saved.max() or 1)
    yes = [solver.addBinary(obj=0.0) for _ in range(places)]
    for site in there:
        solver.changeColBounds(yes[site].index, 0.0, 0.0)
    taken = [
        solver.addVariable(0.0, 1.0, obj=-float(saved[i, j]) / scale)
        for i, j in zip(rows, columns, strict=True)
    ]
    by_row: dict[int, list[Any]] = {}
    for n in range(ways):
        by_row.setdefault(int(rows[n]), []).append(taken[n])
        solver.addConstr(taken[n] <= yes[int(columns[n])])
    for mine in by_row.values():
        solver.addConstr(sum(mine[1:], mine[0]) <= 1)
    solver.addConstr(sum(yes[1:], yes[0]) == number)
    solver.minimize()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return [j for j in range(places) if solver.val(yes[j]) > 0.5]


@contextmanager
def _unheard() -> Iterator[None]:
    """What the solver says of itself as it starts, before it can be told to be silent, is no answer of ours.

    It writes past Python's own output, so the file behind it is put aside meanwhile.
    """
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _most_saved(np: Any, saved: Any, there: Sequence[int], number: int, gained: int) -> int:
    """A saving that no choice exceeds: whole multipliers, their sum and the best sites' rests bound it."""
    multipliers = saved.max(axis=1) // 2
    best, step = int(saved.max(axis=1).sum()), 2.0
    for _ in range(ROUNDS if number else 0):
        rests = np.maximum(0, saved - multipliers[:, None])
        worth = rests.sum(axis=0)
        worth[list(there)] = -1
        sites = np.argsort(-worth, kind="stable")[:number]
        value = int(multipliers.sum()) + int(worth[sites].sum())
        best = min(best, value)
        served = (rests[:, sites] > 0).sum(axis=1)
        slope = 1 - served
        size = int((slope * slope).sum())
        if size == 0 or best <= gained:
            break
        step *= 0.97
        move = max(1, int(step * (value - gained) / size))
        multipliers = np.maximum(0, multipliers - slope * move)
    return max(best, gained)


def _metres(np: Any, towns: Sequence[Place]) -> Any:
    """The whole metres between the seats of any two places, along the ellipsoid."""
    geod = _library("pyproj").Geod(ellps="GRS80")
    longitude = np.array([float(one.longitude) for one in towns])
    latitude = np.array([float(one.latitude) for one in towns])
    made = np.zeros((len(towns), len(towns)), dtype=np.int64)
    for i in range(len(towns)):
        here = np.full(len(towns), longitude[i]), np.full(len(towns), latitude[i])
        made[i] = np.rint(geod.inv(*here, longitude, latitude)[2]).astype(np.int64)
    return made


def _numpy() -> Any:
    _library("highspy")
    return _library("numpy")


def _library(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError as wrong:
        raise LastroError(
            f"Propor pontos pede a biblioteca {name}, que não está aqui. Instale o extra: lastro[points]."
        ) from wrong
