"""What is published: the list for anybody, and the page on which systems and the group publish."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_GET, require_http_methods

from lastro.web import tables
from lastro.web.desks.requests import attached, done, files_of
from lastro.web.readings import publications as readings
from lastro.web.scopes import OFFICE_OF, Role, Scope, scope
from lastro.web.tables import Column

_COLUMNS = (
    Column[readings.Published](
        "titulo", "Título", lambda p: p.title, link=lambda p: f"/publicacoes/{p.last.id}/"
    ),
    Column[readings.Published]("que", "O que é", lambda p: p.what, choice=True),
    Column[readings.Published]("quem", "Quem publica", lambda p: p.who, choice=True),
    Column[readings.Published]("norma", "Norma", lambda p: p.norm, choice=True),
    Column[readings.Published]("versao", "Versão", lambda p: p.last.version),
    Column[readings.Published]("dia", "Publicado em", lambda p: p.last.on),
)


@require_GET
@scope(Scope.PUBLIC)
def every(request: HttpRequest) -> HttpResponse:
    """Plans, manuals, lists and results that were published."""
    found = tables.table(request, readings.every(), _COLUMNS, caption="Publicações")
    if isinstance(found, HttpResponse):
        return found
    return render(request, "lastro/public/publications.html", {"table": found})


@require_GET
@scope(Scope.PUBLIC)
def one(request: HttpRequest, pk: int) -> HttpResponse:
    """One published paper, with the history of its versions."""
    found = readings.one(pk)
    if found is None:
        raise Http404
    shown = next(version for version in found.versions if version.id == pk)
    context = {
        "found": found, "shown": shown, "title": readings.title_of(shown), "tables": readings.tables(shown),
        "files": readings.files_of(shown),
    }  # fmt: skip
    return render(request, "lastro/public/publication.html", context)


@require_GET
@scope(Scope.PUBLIC)
def file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A file of a published version."""
    body = readings.file(pk, name)
    return attached(body, name)


def _party(request: HttpRequest) -> str:
    user: Any = request.user
    return OFFICE_OF.get(Role(user.role), "") or request.party  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
@scope(Scope.PUBLISH)
def publish(request: HttpRequest) -> HttpResponse:
    """Publish a paper or a new version of it, or take one out of the list."""
    user: Any = request.user
    party, typed, problem = _party(request), request.POST, ""
    if request.method == "POST":
        if "retirar" in typed:
            number = int(typed["retirar"]) if typed["retirar"].isdecimal() else 0
            problem = done(
                request,
                lambda: readings.withdraw(party, number, by=user.email, why=typed.get("porque", "")),
                "Retirado da lista. As versões continuam guardadas.",
            )
        else:
            problem = done(
                request,
                lambda: readings.publish(
                    party, key=typed.get("que", ""), title=typed.get("titulo", ""),
                    text=typed.get("texto", ""), period=typed.get("ano", ""), by=user.email,
                    files=files_of(request),
                ),
                "Publicado: qualquer um já pode ler.",
            )  # fmt: skip
        if not problem:
            return redirect("publish")
    context = {
        "mine": readings.of_party(party), "offered": readings.offered(party), "problem": problem,
        "typed": typed,
    }  # fmt: skip
    return render(request, "lastro/public/publish.html", context, status=400 if problem else 200)


urls = [
    path("publicacoes/", every, name="publications"),
    path("publicacoes/nossas/", publish, name="publish"),
    path("publicacoes/<int:pk>/", one, name="publication"),
    path("publicacoes/<int:pk>/<str:name>", file, name="publication-file"),
]
