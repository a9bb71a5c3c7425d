"""What somebody is told of, and which programs are called: a list, a choice, and the calls that were made."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.connectors import hooks
from lastro.web.api.keys import own_word, shown_word
from lastro.web.models import Person
from lastro.web.notice_models import Call, Hook, Notice
from lastro.web.notices import EVENTS
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table

_MOST_HOOKS = 10


@require_GET
@scope(Scope.OWN)
def notices(request: HttpRequest) -> HttpResponse:
    """The person's notices, the latest first; looking at them is reading them."""
    user: Any = request.user
    mine = Notice.objects.filter(person=user).order_by("-pk")[:1000]
    columns = [
        Column[Notice]("aviso", "Aviso", lambda x: x.title, link=lambda x: x.link),
        Column[Notice]("detalhe", "Detalhe", lambda x: x.text),
        Column[Notice]("dia", "Dia", lambda x: timezone.localtime(x.made_at).date()),
        Column[Notice]("lido", "Lido antes", lambda x: x.read_at is not None, choice=True),
    ]
    found = table(request, list(mine), columns, caption="Avisos")
    Notice.objects.filter(person=user, read_at=None).update(read_at=timezone.now())
    if isinstance(found, HttpResponse):
        return found
    return render(request, "lastro/notices/list.html", {"table": found})


@require_POST
@scope(Scope.OWN)
def by_mail(request: HttpRequest) -> HttpResponse:
    """Whether the person is told by e-mail too."""
    user: Any = request.user
    wanted = request.POST.get("email") == "sim"
    Person.objects.filter(pk=user.pk).update(mail_notices=wanted)
    messages.success(
        request,
        translate("Os avisos vão também por e-mail.") if wanted else translate("Sem avisos por e-mail."),
    )
    return redirect("notices")


@require_http_methods(["GET", "POST"])
@scope(Scope.KEYS_MANAGE)
def hook_list(request: HttpRequest) -> HttpResponse:
    """The addresses that are called for the establishment of the session, and a form for another."""
    party = _word(request)
    problem, secret = "", ""
    if request.method == "POST":
        problem, secret = _made(request)
    mine = Hook.objects.filter(party=party).order_by("ended_at", "-pk")
    calls = Call.objects.filter(hook__party=party).select_related("hook").order_by("-pk")[:100]
    context = {
        "hooks": mine, "calls": calls, "events": EVENTS.items(), "problem": problem, "secret": secret,
        "party_name": shown_word(request.user, request.party),  # type: ignore[arg-type, attr-defined]
    }  # fmt: skip
    return render(request, "lastro/notices/hooks.html", context, status=400 if problem else 200)


def _word(request: HttpRequest) -> str:
    """The establishment of the session, or the office that the person works in."""
    user: Any = request.user
    return own_word(user, request.party)  # type: ignore[attr-defined]


def _made(request: HttpRequest) -> tuple[str, str]:
    """Note the address that the form names: what is wrong with it, or the secret that signs the calls."""
    user: Any = request.user
    party = _word(request)
    url = request.POST.get("endereco", "").strip()[:300]
    events = [event for event in request.POST.getlist("evento") if event in EVENTS]
    problem = hooks.problem_of(url)
    if problem:
        return problem, ""
    if not events:
        return "Marque ao menos um acontecimento.", ""
    if Hook.objects.filter(party=party, ended_at=None).count() >= _MOST_HOOKS:
        return f"São até {_MOST_HOOKS} endereços; encerre um antes.", ""
    secret = hooks.new_secret()
    Hook.objects.create(person=user, party=party, url=url, secret=secret, events=events)
    return "", secret


@require_POST
@scope(Scope.KEYS_MANAGE)
def hook_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Call an address no more."""
    mine = Hook.objects.filter(pk=pk, party=_word(request))
    if not mine.exists():
        raise Http404
    mine.filter(ended_at=None).update(ended_at=timezone.now())
    messages.success(request, translate("Esse endereço não é mais chamado."))
    return redirect("hooks")


urls = [
    path("avisos/", notices, name="notices"),
    path("avisos/email/", by_mail, name="notices-mail"),
    path("avisos/programas/", hook_list, name="hooks"),
    path("avisos/programas/<int:pk>/encerrar/", hook_end, name="hook-end"),
]
