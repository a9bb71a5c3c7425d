"""B4: mass through chains of sales, five million of them in whole milligrams, beside a plain loop in Python.

Both walk the same sales in the order of their days and must say the same of every one of them. Ours is what
custody calls (`lastro.custody.chain_walk`). A last month alone is walked on from the stock that the months
before it left.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from bench.figures import spread, table
from lastro.custody.chain_walk import Sales, Stock, Walked, opened, walk

_PARTIES, _KINDS, _DAYS, _MONTH = 30_000, 8, 730, 700
"""Companies, materials, days of two years, and the day on which the last of their 24 months begins."""

_COLLECTORS, _DEALERS = 12_000, 12_000
_MOST_MG = 30_000_000_000


def market(size: int, *, seed: int = 1) -> Sales:
    """Sales of cooperatives to dealers, among dealers, and to recyclers; some counted, some in part."""
    import numpy as np

    rnd = np.random.default_rng(seed)
    kind = rnd.choice(4, size, p=[0.4, 0.08, 0.4, 0.12])

    def some(first: int, amount: int) -> Any:
        """Companies of a trade, small ones rare: the smaller of two draws."""
        return first + np.minimum(rnd.integers(0, amount, size), rnd.integers(0, amount, size))

    dealers = some(_COLLECTORS, _DEALERS), some(_COLLECTORS, _DEALERS)
    recycler = some(_COLLECTORS + _DEALERS, _PARTIES - _COLLECTORS - _DEALERS)
    seller = np.where((kind == 0) | (kind == 3), some(0, _COLLECTORS), dealers[0])
    buyer = np.where(kind == 0, dealers[0], np.where(kind == 1, dealers[1], recycler))
    buyer = np.where(buyer == seller, _COLLECTORS + (buyer - _COLLECTORS + 1) % _DEALERS, buyer)
    mass = np.minimum(rnd.integers(1, _MOST_MG, size), rnd.integers(1, _MOST_MG, size)) | 1
    counted = rnd.random(size) < np.choose(kind, [0.15, 0.1, 0.5, 0.8])
    share = np.where(rnd.random(size) < 0.1, mass // 2, mass)
    return Sales(
        seller=seller.astype(np.int32),
        buyer=buyer.astype(np.int32),
        material=rnd.integers(0, _KINDS, size, dtype=np.int32),
        mass=mass,
        credited=np.where(counted, share, 0),
        at=rnd.integers(0, _DAYS, size),
    )


def ours(sales: Sales) -> Walked:
    """All of it, from the columns as they come."""
    return walk(sales, opened(sales, parties=_PARTIES, kinds=_KINDS))


def plain(sales: Sales) -> tuple[list[int], list[int]]:
    """The same rule as one would write it: events in order, two dictionaries, whole numbers of any size.

    It is helped where that is fair: numpy sorts the days and puts a party and its material into one number.
    """
    import numpy as np

    order = np.argsort(sales.at.astype(np.uint16), kind="stable")
    source, goal = (side.astype(np.int64) * _KINDS + sales.material for side in (sales.seller, sales.buyer))
    buys = set(goal.tolist())
    clean: dict[int, int] = {}
    spent: dict[int, int] = {}
    twice, beyond = [0] * len(order), [0] * len(order)
    columns = (column[order].tolist() for column in (source, goal, sales.mass, sales.credited))
    for i, s, b, fresh, taken in zip(order.tolist(), *columns, strict=True):
        fresh, counted = fresh - taken, taken
        if s in buys:
            has, had = clean.get(s, 0), spent.get(s, 0)
            if taken:
                first = has if has < taken else taken
                again = had if had < taken - first else taken - first
                has, had = has - first, had - again
                twice[i], beyond[i] = again, taken - first - again
            stock = has + had
            moved = fresh if fresh < stock else stock
            fresh = has * moved // stock if moved else 0
            clean[s], spent[s] = has - fresh, had - (moved - fresh)
            counted += moved - fresh
        clean[b] = clean.get(b, 0) + fresh
        spent[b] = spent.get(b, 0) + counted
    return twice, beyond


def halves(sales: Sales) -> tuple[Sales, Sales]:
    """The first 23 months, and the last one."""
    early = sales.at < _MONTH
    return Sales(*(column[early] for column in sales)), Sales(*(column[~early] for column in sales))


def run(*, edges: int, rounds: int) -> None:
    """Print the table of B4. Raises AssertionError where two ways do not say the same of a sale."""
    sales = market(edges)
    early, late = halves(sales)
    before = opened(sales, parties=_PARTIES, kinds=_KINDS)
    ours(early)  # machine code is made here, once, and not measured
    first = walk(early, before)
    whole, gone = [], []
    loop, month = [], []
    for _ in range(rounds):
        spent, answer = _timed(lambda: ours(sales))
        whole.append(spent)
        spent, other = _timed(lambda: plain(sales))
        loop.append(spent)
        assert answer.twice.tolist() == other[0], "as duas formas discordam do que foi contado antes"
        assert answer.beyond.tolist() == other[1], "as duas formas discordam do que não tem origem"
        spent, more = _timed(lambda: _month(late, before))
        month.append(spent)
        _agree(sales, answer, first, more)
        gone.append((int(answer.twice.sum()), int(answer.beyond.sum())))
    assert len(set(gone)) == 1, "rodadas discordam"
    _print(edges, rounds, gone[0], whole, loop, month, len(late.at))


def _month(late: Sales, before: Stock) -> Walked:
    stock = before.copy()
    assert stock.takes(late), "o último mês segue os outros"
    return walk(late, stock)


def _agree(sales: Sales, whole: Walked, first: Walked, more: Walked) -> None:
    early = sales.at < _MONTH
    assert whole.twice[early].tolist() == first.twice.tolist(), "o estado dos meses anteriores"
    assert whole.twice[~early].tolist() == more.twice.tolist(), "o mês a mais não termina como o todo"
    assert whole.beyond[~early].tolist() == more.beyond.tolist(), "o mês a mais não termina como o todo"


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


def _print(
    edges: int,
    rounds: int,
    found: tuple[int, int],
    whole: list[float],
    loop: list[float],
    month: list[float],
    late: int,
) -> None:
    rows = [
        ("", "s de CPU (só informa)"),
        ("laço simples em Python", spread(loop)),
        ("lastro", spread(whole)),
    ]
    rows.append((f"lastro, o 24º mês ({late} vendas)", spread(month, digits=3)))
    table(
        f"B4, {edges} vendas, {rounds} rodadas; contado duas vezes {found[0]} mg, sem origem {found[1]} mg",
        rows,
    )
    print(f"  laço / lastro: {spread([a / b for a, b in zip(loop, whole, strict=True)], digits=1)}")
    parts = [100 * a / b for a, b in zip(month, whole, strict=True)]
    print(f"  um mês a mais, em % do todo: {spread(parts, digits=1)}; todas as vendas iguais nas três formas")
