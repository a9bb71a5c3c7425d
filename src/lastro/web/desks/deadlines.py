"""The year's deadlines of whoever is here: a list with what became of each, a picture, a calendar file."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from lastro.deadlines import calendar_text
from lastro.web import office, typed
from lastro.web.readings import deadlines as readings
from lastro.web.scopes import Scope, scope


@require_GET
@scope(Scope.DEADLINES_READ)
def year(request: HttpRequest) -> HttpResponse:
    """What the party of the session has to do in a year, by when and on which basis."""
    this = office.today().year
    context = {"found": _found(request), "years": range(this + 1, this - 3, -1), "today": office.today()}
    return render(request, "lastro/deadlines/year.html", context)


@require_GET
@scope(Scope.DEADLINES_READ)
def calendar_file(request: HttpRequest) -> HttpResponse:
    """The same tasks as a calendar that other programs take."""
    found = _found(request)
    text = calendar_text(found.tasks, today=office.today(), name=f"Prazos de {found.year}")
    response = HttpResponse(text.encode(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="prazos-{found.year}.ics"'
    return response


def _found(request: HttpRequest) -> readings.Year:
    user: Any = request.user
    asked = typed.year(request.GET.get("ano", "")) or office.today().year
    return readings.year_of(
        request.party,  # type: ignore[attr-defined]
        entity=Scope.ENTITY_READ in user.scopes,
        year=asked,
        norms=request.GET.getlist("norma"),
    )


urls = [
    path("prazos/", year, name="deadlines"),
    path("prazos/prazos.ics", calendar_file, name="deadlines-file"),
]
