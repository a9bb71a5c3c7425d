"""What anybody may read, without a key: the norms, the values they fix, and how they are read."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from ninja import Router

from lastro.web import office
from lastro.web.api.shapes import Told
from lastro.web.downloads import Listed
from lastro.web.readings import norms as readings

router = Router(tags=["normas"])


def _rows(listed: Listed) -> list[dict[str, str]]:
    return [dict(zip(listed.heads, row, strict=True)) for row in listed.rows]


@router.get("", response=list[dict[str, str]], summary="As normas", auth=None)
def norms(request: HttpRequest) -> list[dict[str, str]]:
    """The norms that are here, with their state."""
    return _rows(readings.norms_listed())


@router.get(
    "/{place}/{name}/{what}",
    response={200: list[dict[str, str]], 404: Told},
    summary="Lista de uma norma",
    auth=None,
)
def listed(request: HttpRequest, place: str, name: str, what: str) -> list[dict[str, str]]:
    """The values in force today, the readings, the provisions or the disagreements of one norm."""
    at = f"{place}/{name}"
    if not readings.known(at) or what not in readings.LISTS:
        raise Http404
    return _rows(readings.listed(readings.whole(at, on=office.today()), what))
