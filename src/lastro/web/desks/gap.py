"""The desk of the group that follows a system: meetings, seats, difficulties, what came in, the sums."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.web import office, tables, typed
from lastro.web.desks.requests import attached, done, files_of
from lastro.web.readings import gap as readings
from lastro.web.readings import requests, results
from lastro.web.readings.reports import table_of
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column


def named(party: str) -> str:
    """An office or an establishment by the name that people know."""
    return requests.OFFICES.get(party) or office.name_of(party) or party


RECEIVED = (
    Column[Any]("titulo", "O quê", lambda f: f.body.get("title") or f.subject.name),
    Column[Any]("de_quem", "De quem", lambda f: named(f.subject.party), choice=True),
    Column[Any]("sobre", "Sobre", lambda f: f.subject.period),
    Column[Any]("dia", "Recebido em", lambda f: f.on),
    Column[Any]("versao", "Versão", lambda f: f.version),
)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@require_GET
@scope(Scope.GAP_READ)
def panel(request: HttpRequest) -> HttpResponse:
    """How each system's group stands, and what each system did, as sums."""
    chosen = readings.norm(request.GET.get("norma", ""))
    year = typed.year(request.GET.get("ano", "")) or office.today().year - 1
    context = {
        "groups": [readings.following(r) for r in readings.norms()], "chosen": chosen, "year": year,
        "rows": results.of_year(chosen.norm.path, year).systems, "norms": readings.norms(),
        "open": [d for d in readings.difficulties() if not d.body.get("solved")],
        "received": len(readings.received(readings.GAP)),
        "years": range(office.today().year, office.today().year - 5, -1),
    }  # fmt: skip
    return render(request, "lastro/gap/panel.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.GAP_WORK)
def meetings(request: HttpRequest) -> HttpResponse:
    """The group's meetings, and a form for one that took place."""
    user: Any = request.user
    sent, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.meet(
                readings.norm(sent.get("norma", "")).norm.path, day=_day(sent.get("dia", "")),
                title=sent.get("titulo", ""), text=sent.get("texto", ""), by=user.email,
                files=files_of(request),
            ),
            "Reunião registrada.",
        )  # fmt: skip
        if not problem:
            return redirect("gap-meetings")
    context = {
        "found": readings.meetings(), "norms": readings.norms(), "typed": sent, "problem": problem,
        "today": office.today(),
    }  # fmt: skip
    return render(request, "lastro/gap/meetings.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.GAP_WORK)
def seats(request: HttpRequest) -> HttpResponse:
    """Who sits in the group, category by category."""
    user: Any = request.user
    sent, problem = request.POST, ""
    if request.method == "POST":
        if "sair" in sent:
            number = typed.counting(sent["sair"]) or 0
            problem = done(request, lambda: readings.leave_seat(number, by=user.email), "Assento encerrado.")
        else:
            problem = done(
                request,
                lambda: readings.seat(
                    readings.norm(sent.get("norma", "")).norm.path, category=sent.get("categoria", ""),
                    holder=sent.get("entidade", ""), person=sent.get("pessoa", ""),
                    deputy=sent.get("suplente", ""), by=user.email,
                ),
                "Assento registrado.",
            )  # fmt: skip
        if not problem:
            return redirect("gap-seats")
    named = [(r, readings.categories(r.norm.path)) for r in readings.norms()]
    context = {
        "groups": [readings.following(r) for r, c in named if c], "found": readings.seats(),
        "named": [one for one in named if one[1]], "typed": sent, "problem": problem,
    }  # fmt: skip
    return render(request, "lastro/gap/seats.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.GAP_WORK)
def difficulties(request: HttpRequest) -> HttpResponse:
    """What stands in the way of the system, and what the group makes of it."""
    user: Any = request.user
    sent, problem = request.POST, ""
    if request.method == "POST":
        text = sent.get("texto", "")
        if "avaliar" in sent:
            number, over = typed.counting(sent["avaliar"]) or 0, "resolvida" in sent
            problem = done(
                request,
                lambda: readings.assess(number, text=text, solved=over, by=user.email),
                "Avaliação registrada.",
            )
        else:
            problem = done(
                request,
                lambda: readings.name_difficulty(
                    readings.norm(sent.get("norma", "")).norm.path, kind=sent.get("especie", ""),
                    title=sent.get("titulo", ""), text=text, by=user.email,
                ),
                "Registrada.",
            )  # fmt: skip
        if not problem:
            return redirect("gap-difficulties")
    context = {
        "found": readings.difficulties(), "kinds": readings.DIFFICULTIES, "norms": readings.norms(),
        "typed": sent, "problem": problem,
    }  # fmt: skip
    return render(request, "lastro/gap/difficulties.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.GAP_READ)
def received(request: HttpRequest) -> HttpResponse:
    """Reports and audits that systems handed in."""
    link = Column[Any](
        RECEIVED[0].name, RECEIVED[0].head, RECEIVED[0].of, link=lambda f: f"/gap/recebidos/{f.id}/"
    )
    table = tables.table(request, readings.received(readings.GAP), (link, *RECEIVED[1:]), caption="Recebidos")
    if isinstance(table, HttpResponse):
        return table
    return render(request, "lastro/gap/received.html", {"table": table})


@require_GET
@scope(Scope.GAP_READ)
def received_one(request: HttpRequest, pk: int) -> HttpResponse:
    """One report or audit that came in."""
    found = readings.received_one(readings.GAP, pk)
    if found is None:
        raise Http404
    context = {"found": found, "file_url": "gap-received-file", "back": "gap-received"}
    return render(request, "lastro/gap/received_one.html", context)


@require_GET
@scope(Scope.GAP_READ)
def received_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A file of something that came in."""
    body = readings.received_file(readings.GAP, pk, name)
    return attached(body, name)


@require_http_methods(["GET", "POST"])
@scope(Scope.GAP_WORK)
def consolidate(request: HttpRequest) -> HttpResponse:
    """The group's report to the ministry: sums by system, what is lacking, and handing it on."""
    sent = request.POST
    asked = sent if request.method == "POST" else request.GET
    chosen = readings.norm(asked.get("norma", ""))
    year = typed.year(asked.get("ano", "")) or office.today().year - 1
    systems = readings.systems(chosen.norm.path, sent)
    context: dict[str, Any] = {
        "chosen": chosen, "year": year, "systems": systems, "fields": readings.FIELDS, "typed": sent,
        "norms": readings.norms(), "problem": "",
        "years": range(office.today().year, office.today().year - 5, -1),
    }  # fmt: skip
    if request.method == "POST":
        answer = _consolidated(request, chosen.norm.path, year, systems, context)
        if answer is not None:
            return answer
    status = 400 if context["problem"] else 200
    return render(request, "lastro/gap/consolidate.html", context, status=status)


def _consolidated(
    request: HttpRequest, norm: str, year: int, systems: list[readings.System], context: dict[str, Any]
) -> HttpResponse | None:
    """Reckon what was typed or sent, and hand it on if asked to."""
    user: Any = request.user
    sent, file = request.POST, request.FILES.get("arquivo")
    try:
        if file is not None:
            text = file.read(requests.MOST_BYTES).decode("utf-8-sig")
        else:
            text = readings.document(year, sent.get("cnpj", ""), sent.get("nome", ""), systems)
        data = readings.consolidated(norm, text)
        context |= {
            "tables": [table_of(one) for one in data.sections if one.rows],
            "blocks": data.blocks,
            "ready": not data.blocks,
        }
        if "entregar" in sent:
            readings.hand_on(data, text, by=user.email)
            messages.success(request, translate("Entregue: o ministério já vê o relatório consolidado."))
            return redirect("gap")
    except UnicodeDecodeError:
        context["problem"] = "O arquivo não é um JSON em UTF-8."
    except LastroError as wrong:
        context["problem"] = str(wrong)
    return None


@require_http_methods(["GET", "POST"])
@scope(Scope.REQUESTS_ANSWER)
def audits(request: HttpRequest) -> HttpResponse:
    """The audits that this company or entity handed to the group, and a form for one."""
    user: Any = request.user
    party: str = request.party  # type: ignore[attr-defined]
    sent, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.hand_audit(
                party, sent.get("norma", ""), year=sent.get("ano", ""), auditor=sent.get("auditor", ""),
                text=sent.get("texto", ""), by=user.email, files=files_of(request),
            ),
            "Relatório entregue ao grupo de acompanhamento.",
        )  # fmt: skip
        if not problem:
            return redirect("audits")
    context = {
        "found": readings.audits_of(party), "norms": readings.norms(), "typed": sent, "problem": problem,
    }  # fmt: skip
    return render(request, "lastro/gap/audits.html", context, status=400 if problem else 200)


urls = [
    path("gap/", panel, name="gap"),
    path("gap/reunioes/", meetings, name="gap-meetings"),
    path("gap/assentos/", seats, name="gap-seats"),
    path("gap/dificuldades/", difficulties, name="gap-difficulties"),
    path("gap/recebidos/", received, name="gap-received"),
    path("gap/recebidos/<int:pk>/", received_one, name="gap-received-one"),
    path("gap/recebidos/<int:pk>/<str:name>", received_file, name="gap-received-file"),
    path("gap/consolidado/", consolidate, name="gap-consolidate"),
    path("auditorias/", audits, name="audits"),
]
