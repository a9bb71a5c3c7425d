"""What is handed in to the agency: its queue, with return and notes, and who handed it in."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods

from lastro.ids import masked
from lastro.web import office, tables
from lastro.web.desks.requests import attached, done, files_of
from lastro.web.readings import handed_in as readings
from lastro.web.readings.order import AGENCY
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column

_COMMON = (
    Column[readings.Item]("versao", "Versão", lambda i: i.version),
    Column[readings.Item]("dia", "Entregue em", lambda i: i.on),
    Column[readings.Item]("situacao", "Situação", lambda i: i.words, choice=True, tone=lambda i: i.tone),
)
_QUEUE = (
    Column[readings.Item]("que", "O que é", lambda i: i.what, link=lambda i: reverse("handed", args=[i.key])),
    Column[readings.Item]("quem", "De quem", lambda i: f"{office.name_of(i.who)} ({masked(i.who)})"),
    *_COMMON,
)
_MINE = (
    Column[readings.Item](
        "que", "O que é", lambda i: i.what, link=lambda i: reverse("handed-mine", args=[i.key])
    ),
    *_COMMON,
)


@require_GET
@scope(Scope.AGENCY_WORK)
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for the agency, the oldest first."""
    found = tables.table(request, readings.queue(), _QUEUE, caption="Entregas a analisar")
    if isinstance(found, HttpResponse):
        return found
    intro = ["Relatórios, planos, termos e outros papéis entregues. O que espera vem primeiro."]
    context = {"title": "Entregas", "intro": intro, "table": found}
    return render(request, "lastro/agency/list.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.AGENCY_WORK)
def handed(request: HttpRequest, key: str) -> HttpResponse:
    """One thing handed in, and what the agency says of it."""
    user: Any = request.user
    found, problem = readings.one(key), ""
    if found is None:
        raise Http404
    if request.method == "POST":
        posted = request.POST
        problem = done(
            request,
            lambda: readings.review(
                found, to=posted.get("para", ""), text=posted.get("texto", ""), by=user.email
            ),
            "Registrado. Quem entregou já vê.",
        )
        if not problem:
            return redirect(request.path)
    context = {"item": found, "problem": problem, "typed": request.POST, "mine": False}
    return render(request, "lastro/agency/handed.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.AGENCY_WORK)
def handed_file(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """A file of something handed in."""
    found = readings.one(key)
    return attached(readings.file(found, name, sees=AGENCY) if found else None, name)


@require_http_methods(["GET", "POST"])
@scope(Scope.REQUESTS_ANSWER)
def mine(request: HttpRequest) -> HttpResponse:
    """What this establishment handed in to the agency, and a form for more."""
    user: Any = request.user
    party: str = request.party  # type: ignore[attr-defined]
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.hand_in(
                party, sort=posted.get("especie", ""), title=posted.get("titulo", ""),
                text=posted.get("texto", ""), by=user.email, files=files_of(request),
            ),
            "Entregue ao órgão. A análise aparece aqui.",
        )  # fmt: skip
        if not problem:
            return redirect("handed-in")
    found = tables.table(request, readings.mine(party), _MINE, caption="O que entregamos ao órgão")
    if isinstance(found, HttpResponse):
        return found
    context = {"table": found, "problem": problem, "typed": posted, "sorts": readings.SORTS}
    return render(request, "lastro/agency/handed_in.html", context, status=400 if problem else 200)


def _one_of_mine(request: HttpRequest, key: str) -> readings.Item:
    party: str = request.party  # type: ignore[attr-defined]
    found = next((item for item in readings.mine(party) if item.key == key), None)
    if found is None:
        raise Http404
    return found


@require_GET
@scope(Scope.REQUESTS_ANSWER)
def mine_one(request: HttpRequest, key: str) -> HttpResponse:
    """One thing that this establishment handed in, with the agency's notes."""
    context = {"item": _one_of_mine(request, key), "mine": True}
    return render(request, "lastro/agency/handed.html", context)


@require_GET
@scope(Scope.REQUESTS_ANSWER)
def mine_file(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """A file of something that this establishment handed in."""
    party: str = request.party  # type: ignore[attr-defined]
    return attached(readings.file(_one_of_mine(request, key), name, sees=party), name)


urls = [
    path("orgao/entregas/", queue, name="queue-agency"),
    path("orgao/entregas/<slug:key>/", handed, name="handed"),
    path("orgao/entregas/<slug:key>/<str:name>", handed_file, name="handed-file"),
    path("entregas/", mine, name="handed-in"),
    path("entregas/<slug:key>/", mine_one, name="handed-mine"),
    path("entregas/<slug:key>/<str:name>", mine_file, name="handed-mine-file"),
]
