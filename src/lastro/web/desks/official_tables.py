"""Official tables: a file with its source and day, what it would change, and a second person who confirms."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from lastro.errors import LastroError
from lastro.filings import Filing
from lastro.lawkit import library
from lastro.web import office, tables
from lastro.web.desks.requests import day_of, done, office_of
from lastro.web.readings import official_tables as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column
from lastro.web.translating import said

_HISTORY = (
    Column[Filing](
        "numero", "Carga", lambda f: f.subject.name, link=lambda f: reverse("table", args=[f.subject.name])
    ),
    Column[Filing]("tabela", "Tabela", lambda f: said(readings.TABLES[f.body["table"]]), choice=True),
    Column[Filing]("norma", "Norma", lambda f: library.find(f.subject.norm).norm.short_title),
    Column[Filing]("fonte", "Fonte", lambda f: str(f.body["source"])),
    Column[Filing]("dia", "Dia da fonte", lambda f: day_of(str(f.body["dated"]))),
    Column[Filing]("linhas", "Linhas", lambda f: len(f.body["rows"])),
    Column[Filing](
        "situacao", "Situação", lambda f: said(readings.STATES[f.body["state"]][0]), choice=True,
        tone=lambda f: readings.STATES[f.body["state"]][1],
    ),
)  # fmt: skip


@require_http_methods(["GET", "POST"])
@scope(Scope.TABLES_LOAD)
def table_list(request: HttpRequest) -> HttpResponse:
    """The tables that were loaded, with their history, and a form for another."""
    user: Any = request.user
    who, posted, problem = office_of(request), request.POST, ""
    if request.method == "POST":
        problem = done(
            request, lambda: _propose(request, who, user.email), "Carregada. Falta outra pessoa confirmar."
        )
        if not problem:
            return redirect("tables")
    found = tables.table(request, readings.history(who), _HISTORY, caption="Tabelas carregadas")
    if isinstance(found, HttpResponse):
        return found
    context = {
        "table": found, "problem": problem, "typed": posted, "today": office.today(),
        "tables": readings.tables_of(who), "norms": readings.regulations(), "standing": readings.standing(),
    }  # fmt: skip
    return render(request, "lastro/agency/tables.html", context, status=400 if problem else 200)


def _propose(request: HttpRequest, who: str, by: str) -> Filing:
    """Load the file of the form. Raises LastroError."""
    posted, file = request.POST, request.FILES.get("arquivo")
    if posted.get("tabela") not in readings.tables_of(who):
        raise LastroError("Escolha a tabela: cada órgão carrega as suas.")
    return readings.propose(
        who, table=posted["tabela"], norm=posted.get("norma", ""), source=posted.get("fonte", ""),
        dated=day_of(posted.get("dia", "")), name=(file.name if file else "") or "tabela",
        data=file.read(readings.MOST_BYTES + 1) if file else b"", by=by,
    )  # fmt: skip


@require_http_methods(["GET", "POST"])
@scope(Scope.TABLES_LOAD)
def table_one(request: HttpRequest, number: str) -> HttpResponse:
    """One load: what each row would change, and the second person's word."""
    user: Any = request.user
    found, problem = readings.one(office_of(request), number), ""
    if found is None:
        raise Http404
    if request.method == "POST":
        yes = request.POST.get("passo") == "confirmar"
        problem = done(
            request,
            lambda: readings.confirm(found, yes=yes, by=user.email),
            "Confirmada: já conta." if yes else "Recusada: nada mudou.",
        )
        if not problem:
            return redirect(request.path)
    body = found.body
    words, tone = readings.STATES[body["state"]]
    context = {
        "found": found, "changes": readings.changes(found) if body["state"] == "proposed" else (),
        "words": (said(words), tone), "title": said(readings.TABLES[body["table"]]),
        "problem": problem,
    }  # fmt: skip
    return render(request, "lastro/agency/table.html", context, status=400 if problem else 200)


urls = [
    path("orgao/tabelas/", table_list, name="tables"),
    path("orgao/tabelas/<slug:number>/", table_one, name="table"),
]
