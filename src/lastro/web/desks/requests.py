"""Requests of offices, on both sides of the counter: who asks and who answers. And data that was opened."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.ids import masked
from lastro.web import office, tables
from lastro.web.readings import requests as readings
from lastro.web.scopes import OFFICE_OF, Role, Scope, scope
from lastro.web.tables import Column


def office_of(request: HttpRequest) -> str:
    """The office that the person of this session works in."""
    user: Any = request.user
    return OFFICE_OF[Role(user.role)]


def _named(cnpj: str) -> str:
    name = office.name_of(cnpj)
    return f"{name} ({masked(cnpj)})" if name else masked(cnpj)


_COMMON = (
    Column[readings.Request]("assunto", "Assunto", lambda r: r.title),
    Column[readings.Request]("artigo", "Com base em", lambda r: r.article),
    Column[readings.Request]("ate", "Responder até", lambda r: r.due),
    Column[readings.Request]("situacao", "Situação", lambda r: r.words, choice=True),
)
_TO_ME = (
    Column[readings.Request](
        "pedido", "Pedido", lambda r: r.number, link=lambda r: f"/pedidos/{r.office}/{r.number}/"
    ),
    Column[readings.Request]("quem", "Quem pede", lambda r: r.office_words, choice=True),
    *_COMMON,
)
_BY_ME = (
    Column[readings.Request](
        "pedido", "Pedido", lambda r: r.number, link=lambda r: f"/pedidos/feitos/{r.number}/"
    ),
    Column[readings.Request]("a_quem", "A quem", lambda r: _named(r.addressee)),
    *_COMMON,
)
_OPENED = (
    Column[readings.Opened]("acesso", "Acesso", lambda o: o.filing.subject.name),
    Column[readings.Opened]("dia", "Dia", lambda o: o.filing.on),
    Column[readings.Opened]("quem", "Quem abriu", lambda o: f"{o.office_words}: {o.filing.by}"),
    Column[readings.Opened]("porque", "Por quê", lambda o: str(o.filing.body["reason"])),
    Column[readings.Opened]("artigo", "Com base em", lambda o: str(o.filing.body["article"])),
)


@require_GET
@scope(Scope.REQUESTS_ANSWER)
def to_me(request: HttpRequest) -> HttpResponse:
    """What offices ask of this establishment."""
    party: str = request.party  # type: ignore[attr-defined]
    found = tables.table(
        request, readings.made_to(party), _TO_ME, caption="Pedidos de órgãos a este estabelecimento"
    )
    if isinstance(found, HttpResponse):
        return found
    context = {"table": found, "waiting": readings.open_of(party)}
    return render(request, "lastro/requests/to_me.html", context)


@require_GET
@scope(Scope.REQUESTS_ANSWER)
def opened(request: HttpRequest) -> HttpResponse:
    """Which offices opened this establishment's data, when and why."""
    party: str = request.party  # type: ignore[attr-defined]
    found = tables.table(
        request, readings.openings(of=party), _OPENED, caption="Acessos de órgãos aos nossos dados"
    )
    return (
        found
        if isinstance(found, HttpResponse)
        else render(request, "lastro/requests/opened.html", {"table": found})
    )


@require_http_methods(["GET", "POST"])
@scope(Scope.REQUESTS_ANSWER)
def answer(request: HttpRequest, office: str, number: str) -> HttpResponse:
    """One request to this establishment, and the form for its answer."""
    user: Any = request.user
    found = readings.one(office, number, seen_by=request.party)  # type: ignore[attr-defined]
    if found is None or found.addressee != request.party:  # type: ignore[attr-defined]
        raise Http404
    problem = ""
    if request.method == "POST":
        typed = request.POST
        problem = done(
            request,
            lambda: readings.answer(
                found, text=typed.get("texto", ""), by=user.email, files=files_of(request),
                secret=typed.get("sigilo", ""), ground=typed.get("fundamento", ""),
            ),
            "Resposta enviada. Quem pediu a vê agora.",
        )  # fmt: skip
        if not problem:
            return redirect(request.path)
    context = {"found": found, "problem": problem, "typed": request.POST, "mine": True}
    return render(request, "lastro/requests/one.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.REQUESTS_ASK)
def by_me(request: HttpRequest) -> HttpResponse:
    """What this office asked, of whom, and what came of it."""
    found = tables.table(
        request, readings.made_by(office_of(request)), _BY_ME, caption="Pedidos feitos por este órgão"
    )
    return (
        found
        if isinstance(found, HttpResponse)
        else render(request, "lastro/requests/by_me.html", {"table": found})
    )


@require_http_methods(["GET", "POST"])
@scope(Scope.REQUESTS_ASK)
def new(request: HttpRequest) -> HttpResponse:
    """Ask a company or an entity for information."""
    user: Any = request.user
    typed, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.ask(
                office_of(request), to=typed.get("cnpj", ""), key=typed.get("base", ""),
                title=typed.get("titulo", ""), text=typed.get("texto", ""), reason=typed.get("razao", ""),
                due=day_of(typed.get("ate", "")), by=user.email, files=files_of(request),
            ),
            "Pedido enviado. Quem deve responder já o vê.",
        )  # fmt: skip
        if not problem:
            return redirect("requests-by-me")
    context = {
        "rights": readings.rights(office_of(request)), "problem": problem, "typed": typed,
        "to": typed.get("cnpj", "") or request.GET.get("cnpj", ""), "today": office.today(),
    }  # fmt: skip
    return render(request, "lastro/requests/new.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.REQUESTS_ASK)
def asked(request: HttpRequest, number: str) -> HttpResponse:
    """One request of this office: its answers, what is still lacking, its end."""
    user: Any = request.user
    who = office_of(request)
    found = readings.one(who, number, seen_by=who)
    if found is None:
        raise Http404
    typed, problem = request.POST, ""
    if request.method == "POST":
        text = typed.get("texto", "")
        if typed.get("passo") == "mais":
            step: Callable[[], object] = lambda: readings.ask_more(  # noqa: E731
                found, text=text, due=day_of(typed.get("ate", "")), by=user.email
            )
            problem = done(request, step, "Complemento pedido.")
        else:
            problem = done(
                request, lambda: readings.close(found, text=text, by=user.email), "Pedido encerrado."
            )
        if not problem:
            return redirect(request.path)
    context = {"found": found, "problem": problem, "typed": typed, "mine": False, "today": office.today()}
    return render(request, "lastro/requests/one.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.REQUESTS_ANSWER)
def file_to_me(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A file of a request to this establishment, or of its answer."""
    return _file(readings.file(request.party, pk, name), name)  # type: ignore[attr-defined]


@require_GET
@scope(Scope.REQUESTS_ASK)
def file_by_me(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A file of a request of this office, or of an answer to it."""
    return _file(readings.file(office_of(request), pk, name), name)


def _file(body: bytes | None, name: str) -> HttpResponse:
    return attached(body, name)


def attached(body: bytes | None, name: str) -> HttpResponse:
    """A file as it came, to be kept and never opened in the page. Raises Http404 where there is none."""
    if body is None:
        raise Http404
    from django.utils.http import content_disposition_header

    response = HttpResponse(body, content_type="application/octet-stream")
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response


def done(request: HttpRequest, step: Callable[[], object], words: str) -> str:
    """Take a step and say so; what is wrong, if it was not taken."""
    try:
        step()
    except LastroError as wrong:
        return str(wrong)
    messages.success(request, words)
    return ""


def files_of(request: HttpRequest) -> list[tuple[str, bytes]]:
    """The files of a form, each no longer than it takes to refuse it."""
    most = readings.MOST_BYTES + 1  # one more byte is enough to be refused
    return [(one.name or "arquivo", one.read(most)) for one in request.FILES.getlist("arquivos")]


def day_of(typed: str) -> date | None:
    """A day as a form sends it; None for anything else."""
    try:
        return date.fromisoformat(typed)
    except ValueError:
        return None


urls = [
    path("pedidos/", to_me, name="requests"),
    path("pedidos/acessos/", opened, name="openings-of-mine"),
    path("pedidos/arquivos/<int:pk>/<str:name>", file_to_me, name="request-file"),
    path("pedidos/feitos/", by_me, name="requests-by-me"),
    path("pedidos/feitos/novo/", new, name="request-new"),
    path("pedidos/feitos/arquivos/<int:pk>/<str:name>", file_by_me, name="request-asked-file"),
    path("pedidos/feitos/<slug:number>/", asked, name="request-asked"),
    path("pedidos/<slug:office>/<slug:number>/", answer, name="request"),
]
