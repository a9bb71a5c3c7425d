"""Sales in columns, walked in the order of their dates; later ones from where earlier ones ended.

Comes in: for each sale who sold to whom (small whole numbers), when, which material, its mass and how much of
it is counted, in milligrams. Goes out: for each sale how much was counted before and how much has no known
origin, and what every party holds in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from lastro.custody.chain_rule import MOST, Rule, can_compile, compiled, plain

_COMPILE_FROM = 100_000
"""Sales from which machine code pays: making it takes longer than walking fewer in Python."""

Numbers = Any
"""Whole numbers in a row: a list, or an array of the same ones."""


class Sales(NamedTuple):
    """Sales in columns, all of one length; `seller` -1 is a declared source, `buyer` -1 nobody known.

    `at` is any whole number that grows with time. Sales of one `at` are walked as they stand, so who builds
    the columns orders them (by key and line).
    """

    seller: Numbers
    buyer: Numbers
    material: Numbers
    mass: Numbers
    credited: Numbers
    at: Numbers


@dataclass
class Stock:
    """What every party holds of every material (party × kinds + material): a place from which to walk on.

    `begins` says where mass begins: with `collectors` and parties that nobody sells to (1); in part (2) with
    those that collect and buy.
    """

    kinds: int
    begins: Numbers
    collectors: frozenset[int]
    clean: Numbers
    spent: Numbers
    yields: Numbers
    until: int | None = None
    total: int = 0

    @property
    def arrays(self) -> bool:
        return not isinstance(self.clean, list)

    def copy(self) -> Stock:
        """The same stock, to be walked on from without changing this one."""
        return replace(self, clean=self.clean.copy(), spent=self.spent.copy())

    def takes(self, sales: Sales) -> bool:
        """Whether these sales may be walked on from here.

        Not where one is earlier than what was walked, or gives stock to a party that was taken for one where
        mass begins: then all must be walked anew.
        """
        ready = _ready(sales, self.arrays)
        if not len(ready.at):
            return True
        first = int(ready.at.min()) if self.arrays else min(ready.at)
        if self.until is not None and first < self.until:
            return False
        return self.collectors.issuperset(self._without_stock(ready))

    def _without_stock(self, ready: Sales) -> set[int]:
        """Where mass begins, of all who buy here."""
        if self.arrays:
            buying = ready.buyer >= 0
            states = ready.buyer[buying].astype("int64") * self.kinds + ready.material[buying]
            return set(states[self.begins[states] == 1].tolist())
        pairs = zip(ready.buyer, ready.material, strict=True)
        return {b * self.kinds + m for b, m in pairs if b >= 0 and self.begins[b * self.kinds + m] == 1}


class Walked(NamedTuple):
    """Milligrams of each sale that were counted at an earlier one (`twice`) or have no origin (`beyond`)."""

    twice: Numbers
    beyond: Numbers


def opened(
    sales: Sales,
    *,
    parties: int,
    kinds: int,
    collectors: Iterable[int] = (),
    mixed: Iterable[int] = (),
    yields: Sequence[tuple[int, int]] | None = None,
) -> Stock:
    """An empty stock in which mass begins with collectors and with all to whom none of these sales go.

    `sales` are all that are known, or at least name every party that buys. A collector is named as party ×
    kinds + material, and so are `mixed`, who collect and also buy. `yields` is, of each material, the share
    (two whole numbers) of what is bought that is left to sell; all of it where nothing is said.
    """
    shares = list(yields) if yields is not None else [(1, 1)] * kinds
    assert len(shares) == kinds
    assert all(0 <= kept <= of < MOST and of > 0 for kept, of in shares)
    states, given, also = parties * kinds, frozenset(collectors), sorted(mixed)
    if not isinstance(sales.at, list) or (can_compile() and len(sales.at) >= _COMPILE_FROM):
        import numpy as np

        begins = np.ones(states + kinds, np.uint8)
        begins[np.asarray(sales.buyer, np.int64) * kinds + np.asarray(sales.material, np.int64)] = 0
        begins = begins[:states]
        begins[sorted(given)] = 1
        begins[also] = 2
        made = np.zeros(states, np.int64), np.zeros(states, np.int64)
        return Stock(kinds, begins, given, *made, np.array(shares, np.int64))
    flags = [1] * (states + kinds)
    for buyer, material in zip(sales.buyer, sales.material, strict=True):
        flags[buyer * kinds + material] = 0
    for state in given:
        flags[state] = 1
    for state in also:
        flags[state] = 2
    return Stock(kinds, flags[:states], given, [0] * states, [0] * states, shares)


def walk(sales: Sales, stock: Stock) -> Walked:
    """Walk sales on from a stock, which moves on with them; they are ones that it `takes`."""
    ready = _ready(sales, stock.arrays)
    stock.total += int(ready.mass.sum()) if stock.arrays else sum(ready.mass)
    assert stock.total < MOST, "more mass than the rule can walk"
    order, (twice, beyond) = _order(ready.at, stock.arrays), _zeros(ready, stock.arrays)
    if len(order):
        stock.until = int(ready.at[order[-1]])
    state = stock.begins, stock.yields, stock.clean, stock.spent, twice, beyond
    if not stock.arrays:
        _rule(stock).walk(order, ready[:5], *state)
        return Walked(twice, beyond)
    # Columns put in order first: reading them here and there takes four times as long as all the rest.
    _rule(stock).walk(_counting(order), tuple(column[order] for column in ready[:5]), *state)
    return Walked(_put_back(twice, order), _put_back(beyond, order))


def _counting(order: Numbers) -> Numbers:
    import numpy as np

    return np.arange(len(order), dtype=order.dtype)


def _put_back(found: Numbers, order: Numbers) -> Numbers:
    """What was found of each sale in the order of time, where the sale stood; most of it is nothing."""
    import numpy as np

    made, at = np.zeros(len(found), np.int64), found.nonzero()[0]
    made[order[at]] = found[at]
    return made


class Change(NamedTuple):
    """What one party holds of one material after a sale of its own or to it, and what was said of that."""

    sale: int
    clean: int
    spent: int
    twice: int
    beyond: int


def watch(sales: Sales, stock: Stock, state: int) -> Iterator[Change]:
    """Walk sales on, stopping after each one that a party (× kinds + material) made, or that went to it."""
    ready = _ready(sales, stock.arrays)
    order, (twice, beyond) = _order(ready.at, stock.arrays), _zeros(ready, stock.arrays)
    rule, waiting = _rule(stock), 0
    for place, at in enumerate(order):
        kind = ready.material[at]
        if state not in (ready.buyer[at] * stock.kinds + kind, ready.seller[at] * stock.kinds + kind):
            continue
        part, waiting = order[waiting : place + 1], place + 1
        rule.walk(part, ready[:5], stock.begins, stock.yields, stock.clean, stock.spent, twice, beyond)
        yield Change(*map(int, (at, stock.clean[state], stock.spent[state], twice[at], beyond[at])))


def excess(sales: Sales, stock: Stock) -> list[int]:
    """For each party and material, the least mass that was counted twice or has no origin (level 1).

    It is the most, over time, by which what the party sold counted exceeds what it bought uncounted, whatever
    purchase went into whatever sale. `stock` is one opened for these sales, and is not changed. Where a
    material has a yield, so much less was left to sell, and the true excess is larger.
    """
    ready = _ready(sales, stock.arrays)
    balance, worst = stock.clean.copy(), stock.clean.copy()
    for at in range(0 if stock.arrays else len(balance)):
        balance[at] = worst[at] = 0
    if stock.arrays:
        balance[:], worst[:] = 0, 0
    _rule(stock).weigh(_order(ready.at, stock.arrays), ready[:5], stock.begins, stock.kinds, balance, worst)
    return [-int(most) for most in worst]


def _rule(stock: Stock) -> Rule:
    return compiled() if stock.arrays else plain()


def _ready(sales: Sales, arrays: bool) -> Sales:
    """The columns in the form in which they are walked."""
    if arrays:
        import numpy as np

        return Sales(
            *(column if isinstance(column, np.ndarray) else np.array(column, np.int64) for column in sales)
        )
    return Sales(*(column if isinstance(column, list) else column.tolist() for column in sales))


def _order(at: Numbers, arrays: bool) -> Numbers:
    """Where each sale stands in time; those of one time stay as they are."""
    if not arrays:
        return sorted(range(len(at)), key=at.__getitem__)
    import numpy as np

    if len(at) and int(at.max()) - int(at.min()) < 65_536:
        return np.argsort((at - at.min()).astype(np.uint16), kind="stable")
    return np.argsort(at, kind="stable")


def _zeros(sales: Sales, arrays: bool) -> tuple[Numbers, Numbers]:
    size = len(sales.at)
    if not arrays:
        return [0] * size, [0] * size
    import numpy as np

    return np.zeros(size, np.int64), np.zeros(size, np.int64)
