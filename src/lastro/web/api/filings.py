"""Papers in versions that the establishment filed, that were addressed to it, or that are public."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router

from lastro.filings import Kind
from lastro.stores.postgres.filings import Filings
from lastro.web import office, trail
from lastro.web.api.keys import Opens, own_word
from lastro.web.api.plain import filing
from lastro.web.api.shapes import Page, Told, part, party, person
from lastro.web.scopes import Scope

router = Router(tags=["papéis"])


def _seen(request: HttpRequest) -> Filings:
    if not party(request):  # what an office reads of others is told in the trail, as on its pages
        trail.write(request, person(request), status=200, act="papers-read")
    return Filings(office.store(), sees=own_word(person(request), party(request)))


@router.get(
    "",
    response={200: Page, 404: Told},
    summary="Papéis de uma espécie",
    auth=Opens(Scope.OWN),
)
def filings(request: HttpRequest, kind: str, norm: str | None = None, after: int = 0) -> Page:
    """The version that stands of each paper of a kind, the latest first."""
    if kind not in {one.value for one in Kind}:
        raise Http404
    found = _seen(request).standing(Kind(kind), norm=norm)
    return part([filing(one) for one in found], after=after)


@router.get(
    "/{int:number}", response={200: dict[str, Any], 404: Told}, summary="Um papel", auth=Opens(Scope.OWN)
)
def one(request: HttpRequest, number: int) -> dict[str, Any]:
    """One version of a paper."""
    found = _seen(request).one(number)
    if found is None:
        raise Http404
    return filing(found)


@router.get(
    "/{int:number}/arquivos/{name}",
    response={404: Told},
    summary="Um arquivo de um papel",
    auth=Opens(Scope.OWN),
)
def file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """A file that was handed in with a paper, as it came."""
    body = _seen(request).file(number, name)
    if body is None:
        raise Http404
    response = HttpResponse(body, content_type="application/octet-stream")
    response["Content-Disposition"] = 'attachment; filename="arquivo"'
    return response
