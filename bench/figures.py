"""Medians with their spread, and tables of them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def spread(values: Sequence[float], *, digits: int = 2) -> str:
    """A median with the least and the most: "2,20 [2,05–2,41]"."""
    text = [f"{v:.{digits}f}".replace(".", ",") for v in (median(values), min(values), max(values))]
    return f"{text[0]} [{text[1]}–{text[2]}]"


def table(title: str, rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows in columns, the first one wide."""
    print(f"\n{title}")
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        print("  " + "   ".join(cells).rstrip())
