"""What requests and answers of the API look like, beyond the JSON that the rooms write themselves."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Schema, Status

from lastro.facts import Refusal
from lastro.findings import refusal_json

MOST = 500
"""How many rows one answer holds; the next are asked for with `after`."""


class Page(Schema):
    """A part of a list: how many there are, the rows, and where the next part begins (null at the end)."""

    count: int
    rows: list[dict[str, Any]]
    next: int | None = None


class Told(Schema):
    """Why something was not done."""

    message: str


class Refused(Schema, extra="allow"):
    """Why the law or the ledger says no: code, article, what was found and expected, and what to do."""

    refusal: str
    message: str
    cure: str
    article: str
    found: str = ""
    expected: str = ""


class Done(Schema, extra="allow"):
    """A move that was made, or had been made by the same request before."""

    id: str


def part(rows: list[dict[str, Any]], *, after: int) -> Page:
    """A part of a list, from a place on."""
    shown = rows[after : after + MOST]
    more = after + len(shown)
    return Page(count=len(rows), rows=shown, next=more if more < len(rows) else None)


def refused(refusal: Refusal) -> Status[dict[str, Any]]:
    """A refusal as the answer of a route."""
    return Status(409, refusal_json(refusal))


def party(request: HttpRequest) -> str:
    """The establishment that the key acts for."""
    found: str = request.party  # type: ignore[attr-defined]
    return found


def person(request: HttpRequest) -> Any:
    """Who made the key."""
    return request.user
