"""What the notes of other keys change in a line, whenever they come: twins (C03), earlier sales (C04).

A new note may make a twin of an old one, and a purchase that is counted, cancelled or refused changes what
its buyer's sales count. So whoever settles keys settles with them every key of which other notes now say
something else; the order in which they came plays no part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from lastro.custody.chain import Sale, Upstream, World, upstream
from lastro.custody.count import KeyView, count_once
from lastro.custody.port import Kept, Memory, Place
from lastro.custody.similar import (
    HABIT_DAYS,
    NEAR_DAYS,
    NEAR_MG,
    WHOLE_DAYS,
    Sold,
    Twin,
    similar,
    similar_notes,
    told,
    told_whole,
)

_REACH_MG = 2 * NEAR_MG
_REACH_DAYS = HABIT_DAYS + NEAR_DAYS
"""How far from a sale the answer on another may change by it; what that answer looks at is as far again."""

_MOVED = ("", "N11")
"""By what a note is stopped: goods of these reached the buyer; those of others never did, or came back."""


_ONE_LOAD = ("C03", "M15")
"""The questions whether a note is a load of its own: until people say so, no stock is made of it."""


def views_of(memory: Memory, keys: Sequence[str]) -> dict[str, KeyView]:
    """Everything known of these keys, and of every other one that they change, ready to be counted.

    The keys are held by this transaction. From here on it alone compares notes with one another, and the
    chains of all who claim what it counts are held.
    """
    memory.hold_comparing()
    memory.hold_chains(keys)
    views, before = memory.key_views(keys), memory.sold(keys)
    known = {kept.sold.sale: kept.sold for kept in before}
    fresh = {sold.sale: sold for view in views.values() for sold in _moved(view)}
    if fresh or known:
        # What stands of a sale is counted later, when its twins are known; until then it is as it was.
        stood = {sale: known.get(sale, sold) for sale, sold in fresh.items()}
        fresh = {
            sale: replace(sold, credited_mg=stood[sale].credited_mg, waits=stood[sale].waits)
            for sale, sold in fresh.items()
        }
        memory.write_sold(keys, list(fresh.values()))
        changed = {*fresh.values()} ^ {*known.values()}
        _tell_twins(memory, views, changed)
        changed |= _tell_credited(memory, views)
        _tell_upstream(memory, views, changed)
    return views


def _moved(view: KeyView) -> list[Sold]:
    """The lines of a note that moved mass, each with whether anybody's claim on it is admitted."""
    if view.blocked not in _MOVED:
        return []
    claimed = {claim.line for claim in view.claims} if not view.blocked else set()
    other = {count.line for count in count_once(view) if count.reason == "decided"} if view.echo else set()
    return [
        replace(sold, claimed=sold.line in claimed)
        for sold in view.sold
        if not view.echo or sold.line in other  # what another note tells too moved once, else people say so
    ]


def _tell_twins(memory: Memory, views: dict[str, KeyView], changed: Iterable[Sold]) -> None:
    """Say anew which notes look like one another, line by line and as wholes, as far as these sales reach."""
    wanted = list(changed)
    if not wanted:
        return
    near = memory.sold_like(wanted, within_mg=2 * _REACH_MG, days=2 * _REACH_DAYS)
    days = memory.sold_that_day(wanted, days=2 * WHOLE_DAYS)
    lines, wholes = _line_twins(near), _whole_twins(days)
    news: dict[Sale, tuple[Twin, ...]] = {}
    for kept in {one.sold.sale: one for one in (*near, *days)}.values():
        sold = kept.sold
        mine = tuple(twin for twin in kept.twins if twin.line)
        whole = tuple(twin for twin in kept.twins if not twin.line)
        if any(_reached(sold, by) for by in wanted):
            mine = lines.get(sold.sale, ())
        if any(_that_day(sold, by) for by in wanted):
            whole = wholes.get(sold.sale, ())
        if (*mine, *whole) != kept.twins:
            news[sold.sale] = (*mine, *whole)
    if news:
        memory.write_twins(news)
    by = {one.access_key for one in wanted}  # a twin that is claimed from now on is asked about from now on
    asked = {k.sold.sale for k in (*near, *days) if any(twin.access_key in by for twin in k.twins)}
    if again := {*news, *asked}:
        _read_again(memory, views, again)


def _line_twins(kept: Iterable[Kept]) -> dict[Sale, tuple[Twin, ...]]:
    sold = {one.sold.sale: one.sold for one in kept}
    return {
        sale: tuple(Twin(*other.sale, told(sold[sale], other)) for other in others)
        for sale, others in similar(sold.values()).items()
    }


def _whole_twins(kept: Iterable[Kept]) -> dict[Sale, tuple[Twin, ...]]:
    sold = {one.sold.sale: one.sold for one in kept}
    notes: defaultdict[str, list[Sold]] = defaultdict(list)
    for one in sold.values():
        notes[one.access_key].append(one)
    return {
        sale: tuple(Twin(*other.sale, told_whole(sold[sale], notes[sale[0]], other)) for other in others)
        for sale, others in similar_notes(sold.values()).items()
    }


def _that_day(sold: Sold, by: Sold) -> bool:
    return sold.pair == by.pair and abs(sold.day - by.day) <= timedelta(WHOLE_DAYS)


def _reached(sold: Sold, by: Sold) -> bool:
    return (
        sold.pair == by.pair
        and abs(sold.mass_mg - by.mass_mg) <= _REACH_MG
        and abs(sold.day - by.day) <= timedelta(_REACH_DAYS)
    )


def recompared(kept: Iterable[Kept], views: Mapping[str, KeyView]) -> Iterator[str]:
    """Say where what is kept of notes beside one another is not what comparing all of them again makes of it.

    `kept` is all that is kept, `views` all keys. Each answer is made from what is kept of the others.
    """
    rows = {one.sold.sale: one for one in kept}
    for key, view in views.items():
        stands = _alone(view)
        for sold in _moved(view):
            twins = rows[sold.sale].twins if sold.sale in rows else ()
            now = _standing(Kept(sold, twins), stands)
            if sold.sale not in rows or rows[sold.sale].sold != now:
                yield f"item {sold.line} de {key}: a venda guardada não é a que a nota diz"
    gone = [sale for sale in rows if not any(sold.sale == sale for sold in _moved(views[sale[0]]))]
    yield from (f"item {line} de {key}: guarda-se uma venda que não houve" for key, line in gone)
    lines, wholes = _line_twins(rows.values()), _whole_twins(rows.values())
    before = upstream((one.sold.flow for one in rows.values()), world=_world(rows.values(), _resellers(rows)))
    for sale, one in sorted(rows.items()):
        if one.twins != (*lines.get(sale, ()), *wholes.get(sale, ())):
            yield f"item {sale[1]} de {sale[0]}: as notas parecidas guardadas não são as recontadas"
        if one.upstream != before.get(sale, Upstream()):
            yield f"item {sale[1]} de {sale[0]}: o contado antes, {one.upstream}, não é o recontado"


def _resellers(rows: Mapping[Sale, Kept]) -> set[Place]:
    """Who sells on what it buys, among all sales."""
    sold = [one.sold for one in rows.values()]
    return {(s.material, s.seller) for s in sold} & {(s.material, s.buyer) for s in sold}


def _tell_credited(memory: Memory, views: Mapping[str, KeyView]) -> set[Sold]:
    """Keep what stands of each sale by itself; those of which that changed, as they were and as they are."""
    changed: set[Sold] = set()
    news: dict[Sale, tuple[int, bool]] = {}
    stands = {key: _alone(view) for key, view in views.items()}
    for kept in memory.sold(list(views)):
        now = _standing(kept, stands[kept.sold.access_key])
        if now != kept.sold:
            changed |= {kept.sold, now}
            news[now.sale] = now.credited_mg, now.waits
    if news:
        memory.write_credited(news)
    return changed


def _standing(kept: Kept, stands: Mapping[int, tuple[int, bool]]) -> Sold:
    """The sale with what stands of it by itself, and whether it waits: also where nobody claims it, so that
    nobody can be asked, and it looks like a copy."""
    sold = kept.sold
    mg, waits = stands.get(sold.line, (0, False))
    copy = bool(kept.twins) and not sold.claimed
    return replace(sold, credited_mg=min(mg, sold.mass_mg), waits=waits or copy)


def _alone(view: KeyView) -> dict[int, tuple[int, bool]]:
    """What would stand of each line, or was used of it, if nothing of it had been counted upstream; and
    whether it waits, since another note may tell the same load.

    Of what was counted upstream is asked only where something stands, so a decision over the other questions
    was taken before.
    """
    limits = {
        line: tuple(one for one in found if one.finding.code != "C04") for line, found in view.limits.items()
    }
    doubts = {line: tuple(one for one in found if one.code != "C04") for line, found in view.doubts.items()}
    counts = count_once(replace(view, limits=limits, doubts=doubts))
    own = {count.line for count in counts if count.reason == "decided"}
    stands = {count.line: sum(mass.mg for mass in count.shares.values()) for count in counts}
    asked = {line for line, found in doubts.items() if any(one.code in _ONE_LOAD for one in found)}
    return {line: (stands.get(line, 0), line in asked - own) for line in {*stands, *asked}}


def _tell_upstream(memory: Memory, views: dict[str, KeyView], changed: Iterable[Sold]) -> None:
    """Say anew what was counted at earlier sales, of all that is sold on from or to these parties."""
    seeds = {(sold.material, party) for sold in changed for party in (sold.seller, sold.buyer)}
    kept, resellers = _around(memory, seeds)
    answers = upstream((one.sold.flow for one in kept), world=_world(kept, resellers))
    news = {
        one.sold.sale: answer
        for one in kept
        if (answer := answers.get(one.sold.sale, Upstream())) != one.upstream
    }
    if news:
        memory.write_upstream(news)
        _read_again(memory, views, news)


def behind(memory: Memory, sale: Sale) -> tuple[list[Kept], World]:
    """All sales that may have to do with one, itself among them, and where their mass begins."""
    own = [one for one in memory.sold([sale[0]]) if one.sold.sale == sale]
    seeds = {(one.sold.material, party) for one in own for party in (one.sold.seller, one.sold.buyer)}
    kept, resellers = _around(memory, seeds)
    every = {one.sold.sale: one for one in (*kept, *own)}
    return list(every.values()), _world(every.values(), resellers)


def _world(kept: Iterable[Kept], resellers: set[Place]) -> World:
    """Mass begins with everyone among these sales who does not sell on what it buys, or who collects too."""
    sold = [one.sold for one in kept]
    collect = {(one.seller, one.material) for one in sold if one.collects}
    return World(
        frozenset(
            (party, one.material)
            for one in sold
            for party in (one.seller, one.buyer)
            if (one.material, party) not in resellers
        ),
        frozenset((party, material) for material, party in resellers if (party, material) in collect),
    )


def _around(memory: Memory, seeds: Iterable[Place]) -> tuple[list[Kept], set[Place]]:
    """All sales by or to those who sell on what these parties handle, near or far, and who these are.

    Whoever sells on a material has a stock: what others sell it reaches it, and what it sells reaches its
    buyers. Where mass begins or ends nothing is handed on. The seeds' own buyers are looked at in any case: a
    seed may have sold on until now.
    """
    edge, seen, resellers = set(seeds), set(seeds), set[Place]()
    first = True
    while edge:
        selling_on = {place for place, trade in memory.trading(edge).items() if trade.resells}
        resellers |= selling_on
        found = memory.partners(of_sellers=edge if first else selling_on, of_buyers=selling_on)
        edge, first = found - seen, False
        seen |= edge
    return memory.sold_around(resellers, sellers=seen), resellers


def _read_again(memory: Memory, views: dict[str, KeyView], sales: Iterable[Sale]) -> None:
    keys = sorted({key for key, _ in sales})
    memory.hold_chains(keys)
    views.update(memory.key_views(keys))
