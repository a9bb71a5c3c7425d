"""Choosing among regions, as a draft would let a company: the best choice, and the one that was made."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.errors import LastroError
from lastro.web.readings import choices as readings
from lastro.web.scopes import Scope, scope


def _party(request: HttpRequest) -> str:
    return str(request.party)  # type: ignore[attr-defined]


def _me(request: HttpRequest) -> str:
    user: Any = request.user
    return str(user.email)


def _list(request: HttpRequest, problem: str = "") -> HttpResponse:
    context = {
        "found": readings.every(_party(request)), "problem": problem, "regulation": readings.regulation(),
        "chosen": readings.CHOSEN,
    }  # fmt: skip
    return render(request, "lastro/company/choices.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.COMPANY_DECLARE)
def choices(request: HttpRequest) -> HttpResponse:
    """The years simulated, and the file of facts for another."""
    if request.method == "GET":
        return _list(request)
    file = request.FILES.get("fatos")
    try:
        if file is None:
            raise LastroError("Escolha o arquivo de fatos.")
        kept = readings.keep(_party(request), file.read(), by=_me(request))
    except LastroError as wrong:
        return _list(request, str(wrong))
    return redirect(reverse("choice", args=[int(kept.subject.period)]))


@require_GET
@scope(Scope.COMPANY_READ)
def choice(request: HttpRequest, year: int) -> HttpResponse:
    """What is proposed for a year, group by group, and what was chosen."""
    found = readings.one(_party(request), year)
    if found is None:
        raise Http404
    context = {
        "found": found,
        "year": year,
        "regulation": readings.regulation(),
        "ways": readings.CHOSEN.items(),
    }
    return render(request, "lastro/company/choice.html", context)


@require_POST
@scope(Scope.COMPANY_DECLARE)
def choose(request: HttpRequest, year: int) -> HttpResponse:
    """Keep one of the choices."""
    if readings.one(_party(request), year) is None:
        raise Http404
    try:
        readings.choose(_party(request), year, request.POST.get("escolha", ""), by=_me(request))
    except LastroError as wrong:
        messages.error(request, str(wrong))
    else:
        messages.success(request, translate("Escolha guardada. É simulação: nada se exige por ela."))
    return redirect(reverse("choice", args=[year]))


urls = [
    path("empresa/escolhas/", choices, name="choices"),
    path("empresa/escolhas/<int:year>/", choice, name="choice"),
    path("empresa/escolhas/<int:year>/guardar/", choose, name="choice-keep"),
]
