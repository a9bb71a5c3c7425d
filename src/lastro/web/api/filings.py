"""Papers in versions that the establishment filed, that were addressed to it, or that are public."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router

from lastro.filings import Filing, Kind
from lastro.stores.postgres.filings import Filings
from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.api.shapes import Page, Told, part, party
from lastro.web.scopes import Scope

router = Router(tags=["papéis"])


def _seen(request: HttpRequest) -> Filings:
    return Filings(office.store(), sees=party(request))


def _json(found: Filing) -> dict[str, Any]:
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
    return part([_json(one) for one in found], after=max(after, 0))


@router.get(
    "/{int:number}", response={200: dict[str, Any], 404: Told}, summary="Um papel", auth=Opens(Scope.OWN)
)
def one(request: HttpRequest, number: int) -> dict[str, Any]:
    """One version of a paper."""
    found = _seen(request).one(number)
    if found is None:
        raise Http404
    return _json(found)


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
