"""Every code of evidence and custody, with one case that brings it out and one near miss that does not.

A case is a function that builds documents, asks the product, and gives back the codes that it said:

    @triggers("N03")
    def wrong_check_digit() -> Codes:
        return of_note(v.Note(key_override=...))

    @near_miss("N03")
    def right_digit_of_a_key_with_letters() -> Codes:
        return of_note(v.Note(issuer=...))

`test_codes.py` runs them all: a trigger must say its code, and a near miss must not (it must be as close to
the trigger as one changed thing allows). It also fails while a code of families F, N, S, M, P, G or C has
no trigger or no near miss. A case stands in `tests/codes/<family>.py` (more files of a family may stand
beside it: `n_events.py`), imported by nobody: `cases()` finds it where it stands. A case may ask for
fixtures of pytest by the names of its parameters (`store`, `tmp_path`, `data`). What asks the product is in
`tests/codes/see.py`; add what you need there.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Codes = set[str]
Make = Callable[..., Codes]

FAMILIES = "FNSMPGC"
"""The families of codes that a document, a lot or a custody step can bring out."""


@dataclass(frozen=True)
class Case:
    """One way to bring a code out, or to come near it: `triggers` tells which."""

    code: str
    triggers: bool
    make: Make

    @property
    def name(self) -> str:
        """What a test run calls it."""
        return f"{self.code}-{'trigger' if self.triggers else 'near'}-{self.make.__name__}"


_cases: list[Case] = []


def _case(codes: tuple[str, ...], *, triggers: bool) -> Callable[[Make], Make]:
    def keep(make: Make) -> Make:
        _cases.extend(Case(code, triggers, make) for code in codes)
        return make

    return keep


def triggers(*codes: str) -> Callable[[Make], Make]:
    """The case brings out each of these codes."""
    return _case(codes, triggers=True)


def near_miss(*codes: str) -> Callable[[Make], Make]:
    """The case comes as near to each of these codes as one changed thing allows, and brings out none."""
    return _case(codes, triggers=False)


def cases() -> list[Case]:
    """All cases of all families, in the order of their codes."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("test_") and module.name != "see":
            importlib.import_module(f"{__name__}.{module.name}")
    return sorted(_cases, key=lambda case: case.name)


def fixtures_of(make: Make) -> tuple[Any, ...]:
    """The names of the fixtures that a case asks for."""
    return make.__code__.co_varnames[: make.__code__.co_argcount]
