"""The company's place on record and in plans; what it asks of an entity, and the entity's answer."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.errors import LastroError
from lastro.web import office
from lastro.web.readings import membership as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table


def _party(request: HttpRequest) -> str:
    return str(request.party)  # type: ignore[attr-defined]


def _me(request: HttpRequest) -> str:
    user: Any = request.user
    return str(user.email)


def _profile(request: HttpRequest, problem: str = "") -> HttpResponse:
    party, year = _party(request), office.today().year
    known = office.registry()
    context = {
        "establishments": readings.establishments(party), "asked": readings.asked_by(party),
        "entities": readings.entities(), "problem": problem, "typed": request.POST,
        "sizes": [(y, known.size(party[:8], y), known.scheme(party[:8], y)) for y in (year, year - 1)],
    }  # fmt: skip
    return render(request, "lastro/company/profile.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.COMPANY_READ)
def profile(request: HttpRequest) -> HttpResponse:
    """The company's establishments, its size, its plans, and what it asked of entities."""
    return _profile(request)


@require_POST
@scope(Scope.COMPANY_JOIN)
def ask(request: HttpRequest) -> HttpResponse:
    """Ask an entity to take the establishment in, or to let it go."""
    try:
        since = date.fromisoformat(request.POST.get("desde", ""))
    except ValueError:
        since = None
    try:
        readings.ask(
            _party(request), entity=request.POST.get("entidade", ""), wants=request.POST.get("quer", ""),
            since=since, text=request.POST.get("texto", "").strip(), by=_me(request),
        )  # fmt: skip
    except LastroError as wrong:
        return _profile(request, str(wrong))
    messages.success(request, translate("Pedido enviado. A resposta da entidade aparece aqui."))
    return redirect(reverse("company-profile"))


_ASKED: list[Column[readings.Asked]] = [
    Column(
        "quem", "Estabelecimento", lambda x: x.company_name or x.filing.subject.party,
        link=lambda x: reverse("joining", args=[x.filing.id]),
    ),
    Column("quer", "Pede para", lambda x: x.wants, choice=True),
    Column("desde", "A partir de", lambda x: date.fromisoformat(str(x.filing.body["since"]))),
    Column("dia", "Pedido em", lambda x: x.filing.on),
    Column("situacao", "Situação", lambda x: x.words, choice=True, tone=lambda x: x.tone),
]  # fmt: skip


@require_GET
@scope(Scope.ENTITY_READ)
def joining_list(request: HttpRequest) -> HttpResponse:
    """What establishments ask of the entity: to be taken in, or let go."""
    made = table(request, readings.asked_of(_party(request)), _ASKED, caption="Pedidos de adesão e de saída")
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/entity/joinings.html", {"table": made})


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def joining(request: HttpRequest, number: int) -> HttpResponse:
    """One of them, and the entity's answer."""
    found = readings.one_asked(_party(request), number)
    if found is None:
        raise Http404
    problem = ""
    if request.method == "POST":
        accepted = request.POST.get("resposta")
        try:
            if accepted not in ("sim", "nao"):
                raise LastroError("Diga se o pedido é aceito.")
            readings.answer(
                _party(request), found, accepted=accepted == "sim",
                text=request.POST.get("texto", "").strip(), by=_me(request),
            )  # fmt: skip
        except LastroError as wrong:
            problem = str(wrong)
        else:
            messages.success(
                request, translate("Resposta enviada. A lista de aderentes se muda em Aderentes.")
            )
            return redirect(reverse("joinings"))
    context = {"found": found, "problem": problem}
    return render(request, "lastro/entity/joining.html", context, status=400 if problem else 200)


urls = [
    path("empresa/cadastro/", profile, name="company-profile"),
    path("empresa/cadastro/pedir/", ask, name="company-ask"),
    path("entidade/adesoes/", joining_list, name="joinings"),
    path("entidade/adesoes/<int:number>/", joining, name="joining"),
]
