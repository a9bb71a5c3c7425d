"""Contested lines: entities see their own; a verifier's or agency's people end them, two of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.custody.decide import decide
from lastro.errors import LastroError
from lastro.stores.postgres.custody import custody
from lastro.web import office
from lastro.web.readings import contests as readings
from lastro.web.readings.verifier import entities_of
from lastro.web.scopes import Scope, scope


@require_GET
@scope(Scope.ENTITY_READ)
def own(request: HttpRequest) -> HttpResponse:
    """The contested lines that the session's entity claims; it sees them and decides none."""
    found = readings.contests([request.party])  # type: ignore[attr-defined]
    return render(request, "lastro/contests/list.html", {"contests": found, "may_decide": False})


def sight(request: HttpRequest) -> Collection[str] | None:
    """Whose contests someone who decides may see: an agency all, a verifier those of its entities."""
    user: Any = request.user
    if Scope.VERIFIER_READ not in user.scopes:
        return None
    return entities_of(request.party)  # type: ignore[attr-defined]


@require_GET
@scope(Scope.CONTEST_DECIDE)
def every(request: HttpRequest) -> HttpResponse:
    """The contested lines that this person may help to decide."""
    seen = sight(request)
    context = {"contests": readings.contests(seen), "may_decide": True, "sight": seen}
    return render(request, "lastro/contests/list.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.CONTEST_DECIDE)
def one(request: HttpRequest, key: str, line: int) -> HttpResponse:
    """One contested line: the first person proposes, another confirms by saying the same."""
    found = readings.contest(key, line, sight(request))
    if found is None:
        raise Http404
    problem = ""
    if request.method == "POST":
        problem = _decide(request, found)
        if not problem:
            return redirect(reverse("contests"))
    user: Any = request.user
    own_word = found.waiting is not None and found.waiting["by_user"] == user.email
    context = {"contest": found, "problem": problem, "sight": sight(request), "own_word": own_word}
    return render(request, "lastro/contests/one.html", context, status=400 if problem else 200)


def _decide(request: HttpRequest, found: readings.Contest) -> str:
    user: Any = request.user
    winner, reason = request.POST.get("winner", ""), request.POST.get("reason", "").strip()
    if not reason:
        return "Escreva a razão: o documento ou fato que decide."
    try:
        with custody(office.store()) as memory:
            confirmed = decide(
                memory,
                found.key,
                found.line,
                entity=winner,
                content=request.POST.get("content", ""),
                reason=reason[:1000],
                by=user.email,
                on=office.today(),
            )
    except LastroError as wrong:
        return str(wrong)
    done = translate("Decidido por duas pessoas: o livro já acompanhou.")
    messages.success(
        request, done if confirmed else translate("Proposta registrada. Falta outra pessoa confirmar.")
    )
    return ""


urls = [
    path("entidade/contestados/", own, name="entity-contests"),
    path("contestados/", every, name="contests"),
    path("contestados/<slug:key>/<int:line>/", one, name="contest"),
]
