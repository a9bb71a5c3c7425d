"""What was done with a record, by whom; and all that was done, for the administration."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_GET

from lastro.web import rows
from lastro.web.readings import trail as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import table


@require_GET
@scope(Scope.OWN)
def of_record(request: HttpRequest, kind: str, record: str) -> HttpResponse:
    """What was done with one record, for those who may read it; for others it is not there."""
    user: Any = request.user
    party: str = request.party  # type: ignore[attr-defined]
    if kind not in readings.KINDS or not readings.may_read(user, party, kind, record):
        raise Http404
    lines = (
        _of_person(record) if kind == "person" else readings.of_record(kind, record, person=user, party=party)
    )
    caption = f"Trilha: {readings.KINDS[kind]}"
    made = table(request, lines, readings.columns(whole=False), caption=caption)
    if isinstance(made, HttpResponse):
        return made
    context = {"table": made, "kind": readings.KINDS[kind], "record": record}
    return render(request, "lastro/trail.html", context)


def _of_person(record: str) -> list[readings.Line]:
    with rows.seen(rows.EVERYTHING):
        return readings.of_person(int(record))


@require_GET
@scope(Scope.PEOPLE_MANAGE)
def whole(request: HttpRequest) -> HttpResponse:
    """All that was done in some days; thirty unless others are asked for."""
    last = _day(request, "ate") or timezone.localdate()
    first = _day(request, "de") or last - timedelta(days=30)
    lines, more = readings.whole(first, last)
    made = table(request, lines, readings.columns(whole=True), caption="Trilha")
    if isinstance(made, HttpResponse):
        return made
    context = {"table": made, "first": first, "last": last, "more": more, "most": readings.MOST}
    return render(request, "lastro/admin/trail.html", context)


def _day(request: HttpRequest, name: str) -> date | None:
    try:
        return date.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return None


urls = [
    path("trilha/<slug:kind>/<path:record>/", of_record, name="trail-of"),
    path("administracao/trilha/", whole, name="trail"),
]
