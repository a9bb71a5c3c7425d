"""What a norm lets an office ask of those whom it binds, and how they mark what is protected.

An office is a word: "agency" (a state's environmental agency), "ministry", "gap" (the monitoring group).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lastro.lawkit.parameters import Law

ENTITY, COMPANY = "entity", "company"


@dataclass(frozen=True)
class Ask:
    """A right of an office to be told something, or to look at it where it is kept.

    `name` tells it apart within its norm; `what` says in Portuguese what may be asked; `of` names who is
    bound to answer. `opens` is true where the office may look by itself at what is kept here.
    """

    name: str
    offices: tuple[str, ...]
    provisions: tuple[str, ...]
    what: str
    of: tuple[str, ...] = (ENTITY, COMPANY)
    opens: bool = False


@dataclass(frozen=True)
class Seals:
    """How a norm wants protected information to be marked: its provisions, and when a mark is well made."""

    provisions: tuple[str, ...]
    marked: Callable[[Law, bool, bool], Any]
    """Told whether the mark is express and whether it has a ground."""
