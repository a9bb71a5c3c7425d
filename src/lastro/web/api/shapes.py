"""What requests and answers of the API look like, beyond the JSON that the rooms write themselves."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Schema, Status
from ninja.files import UploadedFile
from pydantic import Field

from lastro.facts import Refusal
from lastro.findings import refusal_json
from lastro.web.scopes import OFFICE_OF, Role

NO_FILES: list[UploadedFile] = []
"""What a request has that sends none."""

MOST = 500
"""How many rows one answer holds; the next are asked for with `after`."""


class Page(Schema):
    """A part of a list: how many there are, the rows, and where the next part begins (null at the end)."""

    count: int
    rows: list[dict[str, Any]]
    next: int | None = None


class Told(Schema):
    """Why something was not done: a code, what is wrong, what to do, the article where there is one.

    `fields` names fields that can't be read, `issues` the cells of a sheet or the rows to be mended.
    """

    code: str
    what: str
    cure: str = ""
    article: str = ""
    fields: list[dict[str, Any]] = Field(default_factory=list)
    issues: list[dict[str, Any]] = Field(default_factory=list)


class Refused(Told):
    """Why the law or the ledger says no, with what was found and what was expected."""

    found: str = ""
    expected: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)


class Done(Schema):
    """A move that was made, or had been made by the same request before."""

    id: str


class Kept(Schema):
    """What was filed: its number and its version."""

    id: int
    version: int
    name: str = ""


WRONG: dict[int, Any] = {400: Told, 404: Told, 409: Refused, 422: Told}
"""The answers that any writing route may end with."""


def part(rows: list[dict[str, Any]], *, after: int) -> Page:
    """A part of a list, from a place on."""
    after = max(after, 0)
    shown = rows[after : after + MOST]
    more = after + len(shown)
    return Page(count=len(rows), rows=shown, next=more if more < len(rows) else None)


def told(code: str, what: str, *, cure: str = "", article: str = "", **more: Any) -> dict[str, Any]:
    """An error in the one shape that all have."""
    return {"code": code, "what": what, "cure": cure, "article": article, **more}


def wrong(what: str, *, cure: str = "Corrija o pedido e mande de novo.", **more: Any) -> Status[Any]:
    """A request that can't be done as it was written."""
    return Status(400, told("pedido", what, cure=cure, **more))


def refused(refusal: Refusal) -> Status[dict[str, Any]]:
    """A refusal as the answer of a route."""
    said = refusal_json(Refusal(refusal.code, refusal.found, refusal.expected, refusal.article))
    named = {"code": said.pop("refusal"), "what": said.pop("message")}
    return Status(409, {**named, **said, "detail": dict(refusal.detail)})


def party(request: HttpRequest) -> str:
    """The establishment that the key acts for; empty for the key of an office."""
    found: str = request.party  # type: ignore[attr-defined]
    return found


def bureau(request: HttpRequest) -> str:
    """The office that the key acts for."""
    return OFFICE_OF[Role(person(request).role)]


def person(request: HttpRequest) -> Any:
    """Who made the key."""
    return request.user


def email(request: HttpRequest) -> str:
    """Who did it, as rooms and filings name people."""
    return str(person(request).email)


def found(one: Any) -> Any:
    """What was asked for. Raises Http404 where there is none, or it is somebody else's."""
    if one is None:
        raise Http404
    return one
