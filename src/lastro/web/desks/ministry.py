"""The ministry's desk: what it received, and data that an office opens for a reason that is written down."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.ids import masked
from lastro.web import office, tables
from lastro.web.desks.gap import RECEIVED
from lastro.web.desks.requests import attached, office_of
from lastro.web.readings import gap, opened, requests
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column


@require_GET
@scope(Scope.MINISTRY_READ)
def received(request: HttpRequest) -> HttpResponse:
    """The reports that groups and systems handed in."""
    link = Column[Any](
        RECEIVED[0].name, RECEIVED[0].head, RECEIVED[0].of, link=lambda f: f"/ministerio/recebidos/{f.id}/"
    )
    table = tables.table(request, gap.received(gap.MINISTRY), (link, *RECEIVED[1:]), caption="Recebidos")
    if isinstance(table, HttpResponse):
        return table
    made = requests.made_by(gap.MINISTRY)
    context = {"table": table, "waiting": [r for r in made if r.state in ("open", "late", "answered")]}
    return render(request, "lastro/ministry/received.html", context)


@require_GET
@scope(Scope.MINISTRY_READ)
def received_one(request: HttpRequest, pk: int) -> HttpResponse:
    """One report that came in."""
    found = gap.received_one(gap.MINISTRY, pk)
    if found is None:
        raise Http404
    context = {"found": found, "file_url": "ministry-received-file", "back": "ministry"}
    return render(request, "lastro/gap/received_one.html", context)


@require_GET
@scope(Scope.MINISTRY_READ)
def received_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A file of a report that came in."""
    body = gap.received_file(gap.MINISTRY, pk, name)
    return attached(body, name)


_OPENINGS = (
    Column[requests.Opened](
        "acesso",
        "Acesso",
        lambda o: o.filing.subject.name,
        link=lambda o: f"/acessos/{o.filing.subject.name}/",
    ),
    Column[requests.Opened]("dia", "Dia", lambda o: o.filing.on),
    Column[requests.Opened](
        "de_quem", "Dados de", lambda o: office.name_of(o.filing.addressee) or masked(o.filing.addressee)
    ),
    Column[requests.Opened]("porque", "Por quê", lambda o: str(o.filing.body["reason"])),
    Column[requests.Opened]("quem", "Quem abriu", lambda o: o.filing.by),
)


@require_http_methods(["GET", "POST"])
@scope(Scope.DATA_OPEN)
def openings(request: HttpRequest) -> HttpResponse:
    """What this office opened, and a form to open the data of one more."""
    user: Any = request.user
    who, sent, problem = office_of(request), request.POST, ""
    if request.method == "POST":
        try:
            made = requests.open_data(
                who, of=sent.get("cnpj", ""), key=sent.get("base", ""), reason=sent.get("razao", ""),
                by=user.email,
            )  # fmt: skip
            return redirect(reverse("opening", args=[made.subject.name]))
        except LastroError as wrong:
            problem = str(wrong)
    table = tables.table(request, requests.openings(by_office=who), _OPENINGS, caption="Acessos a dados")
    if isinstance(table, HttpResponse):
        return table
    context = {
        "table": table, "rights": requests.rights(who, opens=True), "typed": sent, "problem": problem,
    }  # fmt: skip
    return render(request, "lastro/ministry/openings.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.DATA_OPEN, confidential=True)
def opening(request: HttpRequest, number: str) -> HttpResponse:
    """The data that an opening opens, on its day; afterwards what it said."""
    found = opened.opening(office_of(request), number)
    if found is None:
        raise Http404
    context = {"opening": found, "shown": opened.interest(found)}
    return render(request, "lastro/ministry/opening.html", context)


urls = [
    path("ministerio/", received, name="ministry"),
    path("ministerio/recebidos/<int:pk>/", received_one, name="ministry-received"),
    path("ministerio/recebidos/<int:pk>/<str:name>", received_file, name="ministry-received-file"),
    path("acessos/", openings, name="openings"),
    path("acessos/<slug:number>/", opening, name="opening"),
]
