"""What the engines share: items gathered in batches, and a batch done with each failure told apart."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

Item = TypeVar("Item")

DIED = "o processo de leitura morreu"
"""What is said of an item on which a process ended."""

_BATCH_ITEMS = 32
BATCH_SIZE = 4_000_000
"""From this weight on a batch is full; an item that is heavier by itself is a batch by itself."""


@dataclass(frozen=True)
class Raised:
    """The function raised on this item, or ended its process."""

    what: str


def in_batches(items: Iterable[Item], size: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The items in their order, a few together: to send each alone would cost more than to do it."""
    batch: list[Item] = []
    weight = 0
    for item in items:
        batch.append(item)
        weight += size(item)
        if len(batch) >= _BATCH_ITEMS or weight >= BATCH_SIZE:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def run(function: Callable[[Any], Any], batch: list[Any]) -> list[Any]:
    """Apply the function to each item of a batch; an item it raises on is told apart from its results."""
    results = []
    for item in batch:
        try:
            results.append(function(item))
        except Exception as wrong:  # an engine cannot know what a function may raise, and must go on
            results.append(Raised(type(wrong).__name__))
    return results


def told(batch: list[Any], results: list[Any], failed: Callable[[Any, str], Any]) -> Iterator[Any]:
    """The results of a batch, with what `failed` makes of the items that have none."""
    for item, result in zip(batch, results, strict=True):
        yield failed(item, result.what) if isinstance(result, Raised) else result


def cores() -> int:
    """The cores this process may use, which in a container are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
