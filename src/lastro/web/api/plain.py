"""What readings give, as JSON: masses in milligrams, money in cents, days as ISO, each under its unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from fractions import Fraction
from typing import Any
from uuid import UUID

from lastro.filings import Filing
from lastro.lawkit import Regulation
from lastro.lawkit.trace import Step
from lastro.units import Mass, Money
from lastro.web.api.shapes import Kept, Page, part

_WITHOUT = frozenset({"by", "data", "person"})
"""What is left out: whose hand wrote it is told by the trail, files have addresses of their own."""


def filing(found: Filing) -> dict[str, Any]:
    """One version of a filing."""
    return {
        "id": found.id,
        "kind": found.subject.kind.value,
        "party": found.subject.party,
        "addressee": found.addressee or None,
        "norm": found.subject.norm or None,
        "period": found.subject.period or None,
        "name": found.subject.name or None,
        "version": found.version,
        "public": found.public,
        "withdrawn": found.withdrawn,
        "on": found.on.isoformat(),
        "body": dict(found.body),
        "files": [{"name": name, "sha256": digest} for name, digest in found.files],
    }


def kept(found: Filing) -> Kept:
    """That a version was filed."""
    return Kept(id=found.id, version=found.version, name=found.subject.name)


def one(found: Any, *also: str) -> dict[str, Any]:
    """A thing that a reading gives, field by field, and what it says of itself in words (`also`)."""
    if isinstance(found, Filing):
        return filing(found)
    assert is_dataclass(found), "readings give nouns"
    named = {field.name: getattr(found, field.name) for field in fields(found) if field.name not in _WITHOUT}
    return _mapping(named | {name: getattr(found, name) for name in also})


def page(rows: Iterable[Any], *also: str, after: int) -> Page:
    """Things that a reading lists, in parts."""
    return part([one(row, *also) for row in rows], after=after)


def _mapping(found: Mapping[Any, Any]) -> dict[str, Any]:
    return {_named(str(_plain(name)), value): _plain(value) for name, value in found.items()}


def _named(name: str, value: Any) -> str:
    if isinstance(value, Mass):
        return f"{name}_mg"
    return f"{name}_cents" if isinstance(value, Money) else name


def _plain(value: Any) -> Any:
    match value:
        case None | bool() | int() | str() if not isinstance(value, Enum):
            return value
        case Enum():
            return value.value
        case Mass():
            return value.mg
        case Money():
            return value.cents
        case date() | datetime():
            return value.isoformat()
        case UUID() | Fraction():
            return str(value)
        case Regulation():
            return value.norm.path
        case Step():
            return value.json()
        case Mapping():
            return _mapping(value)
        case set() | frozenset():
            return sorted(map(_plain, value), key=str)
        case list() | tuple():
            return [_plain(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        return one(value)
    return None if callable(value) else str(value)
