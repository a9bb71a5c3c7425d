"""The norms, for anybody: which are here, what each fixes today, how it is read, where they disagree."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from lastro.lawkit.provisions import STATUSES
from lastro.web import downloads, office
from lastro.web.readings import norms as readings
from lastro.web.scopes import Scope, scope


@require_GET
@scope(Scope.PUBLIC)
def every(request: HttpRequest) -> HttpResponse:
    """The norms that are here, and where they disagree."""
    context = {"norms": readings.every(), "conflicts": readings.all_conflicts()}
    return render(request, "lastro/norms/list.html", context)


@require_GET
@scope(Scope.PUBLIC)
def one(request: HttpRequest, place: str, name: str) -> HttpResponse:
    """One norm, whole."""
    found = _found(place, name)
    asked = request.GET.get("situacao", "")
    status = asked if asked in STATUSES else ""
    words = request.GET.get("busca", "").strip()[:100]
    context = {
        "found": found, "today": office.today(), "status": status, "words": words,
        "statuses": [(key, readings.KEPT[key]) for key in STATUSES],
        "lines": readings.chosen(found.lines, status=status, words=words),
    }  # fmt: skip
    return render(request, "lastro/norms/one.html", context)


@require_GET
@scope(Scope.PUBLIC)
def file_of_one(request: HttpRequest, place: str, name: str, what: str, kind: str) -> HttpResponse:
    """One of the lists of a norm, to take along."""
    found = _found(place, name)
    if what not in readings.LISTS or kind not in downloads.KINDS:
        raise Http404
    return downloads.answer(readings.listed(found, what), kind=kind, name=f"{place}-{name}-{what}")


@require_GET
@scope(Scope.PUBLIC)
def file_of_all(request: HttpRequest, what: str, kind: str) -> HttpResponse:
    """The list of the norms, or of all their disagreements."""
    if what not in ("normas", "divergencias") or kind not in downloads.KINDS:
        raise Http404
    disagree = what == "divergencias"
    found = readings.conflicts_listed(readings.all_conflicts()) if disagree else readings.norms_listed()
    return downloads.answer(found, kind=kind, name=what)


def _found(place: str, name: str) -> readings.Whole:
    at = f"{place}/{name}"
    if not readings.known(at):
        raise Http404
    return readings.whole(at, on=office.today())


urls = [
    path("normas/", every, name="norms"),
    path("normas/<slug:what>.<slug:kind>", file_of_all, name="norms-file"),
    path("normas/<slug:place>/<slug:name>/", one, name="norm"),
    path("normas/<slug:place>/<slug:name>/<slug:what>.<slug:kind>", file_of_one, name="norm-file"),
]
