"""A workbook is hundreds of thousands of cells that all stay until the last is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cells_stay() -> Iterator[None]:
    """Within this block nobody looks for cells to throw away, which took a third of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
