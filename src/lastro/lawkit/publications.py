"""What a norm wants to be published, by whom, and under which provisions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Publication:
    """A kind of paper for everybody to see: `what` in Portuguese; `by` says who publishes it.

    `by` holds "entity", "company" or "gap". `name` tells it apart within its norm.
    """

    name: str
    what: str
    provisions: tuple[str, ...]
    by: tuple[str, ...] = ("entity", "company")
