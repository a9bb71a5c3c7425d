"""The agency: is this CNPJ in order today, who is late, notices of default on both sides of the counter."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.errors import LastroError
from lastro.ids import masked
from lastro.web import office, tables, trail
from lastro.web.desks.requests import attached, day_of, done, files_of, office_of
from lastro.web.readings import default_notices as notices
from lastro.web.readings import late, order
from lastro.web.readings.requests import needed, party_of
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column


def _tax(request: HttpRequest) -> bool:
    """Whether who looks is of the fee staff, whom alone tax data reaches."""
    return office_of(request) == order.FEES


# ── is this CNPJ in order today ──────────────────────────────────────────────────────────────────────


@require_GET
@scope(Scope.ORDER_CHECK)
def check(request: HttpRequest) -> HttpResponse:
    """One field, one answer, with the reasons; every look at somebody is written in the trail."""
    typed, found, problem = request.GET.get("cnpj", "").strip()[:20], None, ""
    if typed:
        try:
            cnpj = party_of(typed)
            found = order.answer(cnpj, tax=_tax(request))
            trail.about(request, "establishment", cnpj)
        except LastroError as wrong:
            problem = str(wrong)
    context = {"typed": typed, "found": found, "problem": problem, "tax": _tax(request), "states": STATED}
    return render(request, "lastro/agency/check.html", context, status=400 if problem else 200)


check.confidential = True  # type: ignore[attr-defined]

STATED = (("sim", "em dia"), ("nao", "não está em dia"))


@require_POST
@scope(Scope.ORDER_CHECK)
def state(request: HttpRequest) -> HttpResponse:
    """The agency states what it knows from elsewhere of something that can't be told here."""
    user: Any = request.user
    typed = request.POST
    back = f"{reverse('order-check')}?{urlencode({'cnpj': typed.get('cnpj', '')})}"
    try:
        cnpj = party_of(typed.get("cnpj", ""))
        trail.about(request, "establishment", cnpj)
        parts = order.answer(cnpj, tax=_tax(request)).parts
        open_checks = {
            f"{p.regulation.norm.path}:{c.key}": c
            for p in parts
            for c in p.checks
            if p.tax == _tax(request) and c.met is None and c.counts
        }
        key = typed.get("dever", "")
        if key not in open_checks or typed.get("met") not in dict(STATED):
            raise LastroError("Escolha um dever que hoje não se saiba, e se está em dia ou não.")
        source = needed(
            typed.get("fonte", ""), "Escreva de onde se sabe: o processo, o documento, o dia.", 500
        )
        order.state(
            cnpj, open_checks[key], norm=key.partition(":")[0], who=office_of(request),
            met=typed["met"] == "sim", source=source, by=user.email,
        )  # fmt: skip
        messages.success(request, translate("Constatação registrada, com a fonte. O estabelecimento a vê."))
    except LastroError as wrong:
        messages.error(request, str(wrong))
    return redirect(back)


# ── who is late ──────────────────────────────────────────────────────────────────────────────────────

_LATE = (
    Column[late.Row](
        "cnpj", "CNPJ", lambda r: masked(r.cnpj), link=lambda r: f"{reverse('order-check')}?cnpj={r.cnpj}"
    ),
    Column[late.Row]("nome", "Nome", lambda r: r.name),
    Column[late.Row]("norma", "Norma", lambda r: r.norm, choice=True),
    Column[late.Row]("dever", "Dever", lambda r: r.check.asks, choice=True),
    Column[late.Row]("situacao", "Situação", lambda r: r.words, choice=True, tone=lambda r: r.tone),
    Column[late.Row]("achado", "O que se viu", lambda r: r.check.found),
    Column[late.Row]("desde", "Falta desde", lambda r: r.check.since),
    Column[late.Row]("artigo", "Artigo", lambda r: r.check.article),
    Column[late.Row]("aviso", "Notificação", lambda r: r.notice, choice=True),
)


@require_GET
@scope(Scope.ORDER_CHECK)
def late_list(request: HttpRequest) -> HttpResponse:
    """What every company lacks, or what can't be told of it, with since when and what was notified."""
    only = request.GET.get("ver", "faltas")
    rows = late.rows(tax=_tax(request), who=office_of(request), unknown=only == "tudo")
    found = tables.table(request, rows, _LATE, caption="Quem está atrasado")
    if isinstance(found, HttpResponse):
        return found
    here = reverse("late")
    context = {
        "title": "Quem está atrasado",
        "intro": [
            "O que falta a cada estabelecimento de empresa do cadastro, hoje, por norma e dever. O que não "
            "consta aqui não se chama de atraso: está em “o que não se sabe”."
        ],
        "links": [
            (here, "O que falta", only != "tudo"),
            (f"{here}?ver=tudo", "Também o que não se sabe", only == "tudo"),
        ],
        "table": found,
    }
    return render(request, "lastro/agency/list.html", context)


late_list.confidential = True  # type: ignore[attr-defined]


# ── notices, as the office sees them ─────────────────────────────────────────────────────────────────

_COMMON = (
    Column[notices.Notice]("assunto", "Assunto", lambda n: n.title),
    Column[notices.Notice]("em", "Enviada em", lambda n: n.sent[0].on),
    Column[notices.Notice]("ate", "Responder até", lambda n: n.due),
    Column[notices.Notice]("situacao", "Situação", lambda n: n.words, choice=True, tone=lambda n: n.tone),
)
_SENT = (
    Column[notices.Notice](
        "numero", "Notificação", lambda n: n.number, link=lambda n: reverse("default-one", args=[n.number])
    ),
    Column[notices.Notice](
        "quem", "Notificado", lambda n: f"{office.name_of(n.addressee)} ({masked(n.addressee)})"
    ),
    *_COMMON,
    Column[notices.Notice]("por", "Enviada por", lambda n: n.sent[0].by),
    Column[notices.Notice]("aberta", "Aberta em", lambda n: n.read.on if n.read else None),
)
_MINE = (
    Column[notices.Notice](
        "numero", "Notificação", lambda n: n.number,
        link=lambda n: reverse("my-default", args=[n.office, n.number]),
    ),
    Column[notices.Notice]("quem", "Quem notifica", lambda n: n.office_words),
    *_COMMON,
)  # fmt: skip


@require_GET
@scope(Scope.ORDER_CHECK)
def sent(request: HttpRequest) -> HttpResponse:
    """The notices of this office, with who sent and who opened each."""
    found = tables.table(request, notices.sent_by(office_of(request)), _SENT, caption="Notificações")
    if isinstance(found, HttpResponse):
        return found
    context = {
        "title": "Notificações",
        "intro": [
            "Cada notificação diz o que falta, com o artigo e o prazo; abertura e resposta ficam aqui."
        ],
        "links": [(reverse("default-new"), "Notificar um CNPJ", True)],
        "table": found,
    }
    return render(request, "lastro/agency/list.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.ORDER_CHECK)
def new(request: HttpRequest) -> HttpResponse:
    """Notify an establishment of what it lacks."""
    user: Any = request.user
    typed, problem, offered = request.POST, "", []
    cnpj = typed.get("cnpj", "") or request.GET.get("cnpj", "")
    if request.method == "POST":
        problem = done(
            request,
            lambda: notices.send(
                office_of(request), to=cnpj, keys=typed.getlist("dever"), text=typed.get("texto", ""),
                due=day_of(typed.get("ate", "")), by=user.email, files=files_of(request),
            ),
            "Notificação enviada. O notificado já a vê, e o dia em que a abrir fica registrado.",
        )  # fmt: skip
        if not problem:
            return redirect("defaults")
    if cnpj:
        try:
            offered = notices.offered(party_of(cnpj), tax=_tax(request))
        except LastroError as wrong:
            problem = problem or str(wrong)
    context = {
        "cnpj": cnpj, "offered": offered, "problem": problem, "typed": typed, "today": office.today(),
        "chosen": typed.getlist("dever"), "name": office.name_of(party_of(cnpj)) if offered else "",
    }  # fmt: skip
    return render(request, "lastro/agency/notice_new.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.ORDER_CHECK)
def one(request: HttpRequest, number: str) -> HttpResponse:
    """One notice of this office: whether it was opened, what was answered, its end."""
    user: Any = request.user
    who, problem = office_of(request), ""
    found = notices.one(who, number, seen_by=who)
    if found is None:
        raise Http404
    if request.method == "POST":
        text = request.POST.get("texto", "")
        problem = done(
            request, lambda: notices.close(found, text=text, by=user.email), "Notificação encerrada."
        )
        if not problem:
            return redirect(request.path)
    context = {"found": found, "problem": problem, "typed": request.POST, "mine": False}
    return render(request, "lastro/agency/notice.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.ORDER_CHECK)
def sent_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A file of a notice of this office, or of its answer."""
    return attached(notices.file(office_of(request), pk, name), name)


# ── notices, as the notified sees them ───────────────────────────────────────────────────────────────


@require_GET
@scope(Scope.REQUESTS_ANSWER)
def mine(request: HttpRequest) -> HttpResponse:
    """The notices to this establishment."""
    party: str = request.party  # type: ignore[attr-defined]
    found = tables.table(request, notices.sent_to(party), _MINE, caption="Notificações que recebi")
    if isinstance(found, HttpResponse):
        return found
    intro = ["Abrir uma notificação registra o dia e quem a abriu. Responda aqui, com arquivos se preciso."]
    context = {"title": "Notificações que recebi", "intro": intro, "table": found}
    return render(request, "lastro/agency/list.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.REQUESTS_ANSWER)
def mine_one(request: HttpRequest, office: str, number: str) -> HttpResponse:
    """One notice to this establishment; opening it is kept, and it is answered here."""
    user: Any = request.user
    party: str = request.party  # type: ignore[attr-defined]
    problem = ""
    found = notices.one(office, number, seen_by=party)
    if found is None or found.addressee != party:
        raise Http404
    found = notices.opened(found, by=user.email)
    if request.method == "POST":
        text = request.POST.get("texto", "")
        problem = done(
            request,
            lambda: notices.answer(found, text=text, by=user.email, files=files_of(request)),
            "Resposta enviada. Quem notificou a vê agora.",
        )
        if not problem:
            return redirect(request.path)
    context = {"found": found, "problem": problem, "typed": request.POST, "mine": True}
    return render(request, "lastro/agency/notice.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.REQUESTS_ANSWER)
def mine_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A file of a notice to this establishment, or of its answer."""
    return attached(notices.file(request.party, pk, name), name)  # type: ignore[attr-defined]


urls = [
    path("orgao/", check, name="order-check"),
    path("orgao/constatar/", state, name="order-state"),
    path("orgao/atrasos/", late_list, name="late"),
    path("orgao/notificacoes/", sent, name="defaults"),
    path("orgao/notificacoes/nova/", new, name="default-new"),
    path("orgao/notificacoes/arquivos/<int:pk>/<str:name>", sent_file, name="default-file"),
    path("orgao/notificacoes/<slug:number>/", one, name="default-one"),
    path("notificacoes/", mine, name="my-defaults"),
    path("notificacoes/arquivos/<int:pk>/<str:name>", mine_file, name="my-default-file"),
    path("notificacoes/<slug:office>/<slug:number>/", mine_one, name="my-default"),
]
