"""Custody counted again: what the ledger holds of every key against what is known of it.

Comes in: everything known of the keys, what is entered, and the cache of states. Goes out: what does not
agree, in words; nothing where all is well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lastro.custody.count import KeyView, LineCount, count_once, postings
from lastro.units import ZERO, Mass


def recount(view: KeyView, entered: Mapping[tuple[int, str], Mass]) -> Iterator[str]:
    """Say where the lots of a key do not hold what a fresh count of all claims makes of them."""
    for change in postings(count_once(view), entered):
        holds = entered.get((change.line, change.entity), ZERO)
        yield (
            f"item {change.line} de {view.access_key}, {change.entity}: entraram {holds}, "
            f"a contagem dá {Mass(holds.mg + change.change_mg)}"
        )


def backed(view: KeyView, entered: Mapping[tuple[int, str], Mass]) -> Iterator[str]:
    """Say which lines of a key hold more than the line weighs, or weigh nothing that any content says."""
    for line in sorted({line for line, _ in entered}):
        held = sum(mass.mg for (at, _), mass in entered.items() if at == line)
        whole = max((content.masses.get(line, ZERO).mg for content in view.contents.values()), default=0)
        if held > whole:
            yield f"item {line} de {view.access_key}: contados {Mass(held)}, o item pesa {Mass(whole)}"


def states(view: KeyView, kept: Mapping[int, tuple[str, str, frozenset[str]]]) -> Iterator[str]:
    """Say where a line's cached state, reason or stale claimants are not what a fresh count says."""
    fresh = {count.line: _state(count) for count in count_once(view)}
    for line in sorted({*fresh, *kept}):
        if fresh.get(line) != kept.get(line):
            yield f"item {line} de {view.access_key}: guardado {kept.get(line)}, recontado {fresh.get(line)}"


def _state(count: LineCount) -> tuple[str, str, frozenset[str]]:
    return count.state.value, count.reason, count.stale
