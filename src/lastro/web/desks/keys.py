"""The keys of an establishment: made for some scopes and a time, shown once, taken back at any moment."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as translate
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.web import office
from lastro.web.api import api
from lastro.web.api.keys import LONGEST_DAYS, make, own_word, shown_word
from lastro.web.models import ApiKey
from lastro.web.readings.keys import offered
from lastro.web.scopes import Scope, scope


@never_cache
@require_http_methods(["GET", "POST"])
@scope(Scope.KEYS_MANAGE)
def keys(request: HttpRequest) -> HttpResponse:
    """The person's keys for the establishment of the session, and a form for a new one."""
    user: Any = request.user
    party = _word(request)
    problem, text = "", ""
    if request.method == "POST":
        problem, text = _made(request)
    mine = ApiKey.objects.filter(person=user, party=party).order_by("-made_at")
    context = {
        "keys": mine, "offered": offered(user.scopes), "problem": problem, "text": text,
        "longest": LONGEST_DAYS, "today": office.today(),
        "party_name": shown_word(user, request.party),  # type: ignore[attr-defined]
    }  # fmt: skip
    return render(request, "lastro/keys.html", context, status=400 if problem else 200)


def _word(request: HttpRequest) -> str:
    """The establishment of the session, or the office that the person works in."""
    user: Any = request.user
    return own_word(user, request.party)  # type: ignore[attr-defined]


def _made(request: HttpRequest) -> tuple[str, str]:
    """Make the key that the form asks for: what is wrong with it, or the key's text."""
    user: Any = request.user
    name, days = request.POST.get("nome", "").strip()[:80], request.POST.get("dias", "")
    known = {needed.value: needed for needed, _ in offered(user.scopes)}
    wanted = [known[asked] for asked in request.POST.getlist("alcance") if asked in known]
    if not name:
        return "Dê um nome à chave: o programa que vai usá-la.", ""
    if not wanted:
        return "Marque ao menos uma coisa que a chave possa fazer.", ""
    if not days.isdecimal() or not 1 <= int(days[:4]) <= LONGEST_DAYS:
        return f"Diga por quantos dias a chave vale, de 1 a {LONGEST_DAYS}.", ""
    _, text = make(
        user,
        party=_word(request),
        name=name,
        scopes=wanted,
        days=int(days),
        today=office.today(),
    )
    return "", text


@require_POST
@scope(Scope.KEYS_MANAGE)
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a key back at once."""
    user: Any = request.user
    mine = ApiKey.objects.filter(pk=pk, person=user, party=_word(request))
    if not mine.exists():
        raise Http404
    mine.filter(revoked_at=None).update(revoked_at=timezone.now())
    messages.success(request, translate("A chave não abre mais nada."))
    return redirect("keys")


@require_GET
@scope(Scope.PUBLIC)
def guide(request: HttpRequest) -> HttpResponse:
    """What the API offers, route by route, for people; programs read its description in OpenAPI."""
    described = api.get_openapi_schema()
    routes = [
        (address, verb.upper(), told.get("summary", ""), told.get("description", ""))
        for address, verbs in described["paths"].items()
        for verb, told in verbs.items()
    ]
    return render(request, "lastro/api.html", {"routes": routes})


urls = [
    path("chaves/", keys, name="keys"),
    path("chaves/<int:pk>/revogar/", revoke, name="key-revoke"),
    path("api/", guide, name="api-guide"),
]
