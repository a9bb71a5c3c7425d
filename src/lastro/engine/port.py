"""What every engine promises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Maps a pure, picklable function over a stream of items.

    The results come in the order of the items, with a bounded number of items under way. An item on which
    the function raises, or a worker dies, gives `failed(item, what)` instead; the others are not touched.
    """

    def map(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        failed: Callable[[Item, str], Result],
        size: Callable[[Item], int] = ...,
    ) -> Iterator[Result]: ...
