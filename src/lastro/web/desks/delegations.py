"""Letting an accountant act: for one establishment, some rights, until a day, and taking it back at once."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_http_methods, require_POST

from lastro.web import delegations as room
from lastro.web import office
from lastro.web.models import Delegation
from lastro.web.readings import delegations as readings
from lastro.web.scopes import DELEGABLE, Scope, scope
from lastro.web.translating import said


@require_http_methods(["GET", "POST"])
@scope(Scope.DELEGATE)
def delegations(request: HttpRequest) -> HttpResponse:
    """Who acts for this establishment by delegation, and a form for one more."""
    user: Any = request.user
    problem = _given(request) if request.method == "POST" else ""
    if request.method == "POST" and not problem:
        return redirect("delegations")
    may = room.offered(user)
    context = {
        "given": readings.of_party(request.party, today=office.today()),  # type: ignore[attr-defined]
        "offered": [(one.value, said(words)) for one, words in DELEGABLE.items() if one in may],
        "chosen": request.POST.getlist("alcance"),
        "email": request.POST.get("email", ""),
        "until": request.POST.get("ate", ""),
        "last": office.today() + timedelta(days=room.LONGEST_DAYS),
        "today": office.today(),
        "problem": problem,
    }
    return render(request, "lastro/delegations.html", context, status=400 if problem else 200)


def _given(request: HttpRequest) -> str:
    """Delegate what the form says; what is wrong with it, in words."""
    user: Any = request.user
    may = {one.value: one for one in room.offered(user)}
    try:
        until = date.fromisoformat(request.POST.get("ate", ""))
    except ValueError:
        return "Diga até que dia a delegação vale."
    found = room.give(
        user,
        party=request.party,  # type: ignore[attr-defined]
        email=request.POST.get("email", "")[:254],
        scopes=[may[asked] for asked in request.POST.getlist("alcance") if asked in may],
        until=until,
        today=office.today(),
    )
    if isinstance(found, str):
        return found
    told = {"email": found.to.email, "day": f"{until:%d/%m/%Y}"}
    messages.success(request, translate("%(email)s age por este estabelecimento até %(day)s.") % told)
    return ""


@require_POST
@scope(Scope.DELEGATE)
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a delegation of this establishment back at once."""
    user: Any = request.user
    one = Delegation.objects.filter(pk=pk, party=request.party).select_related("to").first()  # type: ignore[attr-defined]
    if one is None:
        raise Http404
    room.revoke(one, by=user)
    said = translate("%(email)s não age mais por este estabelecimento por esta delegação.")
    messages.success(request, said % {"email": one.to.email})
    return redirect("delegations")


@require_POST
@scope(Scope.OWN)
def give_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Give back what was delegated to oneself."""
    user: Any = request.user
    one = Delegation.objects.filter(pk=pk, to_id=user.pk).first()
    if one is None:
        raise Http404
    room.revoke(one, by=user)
    messages.success(
        request, translate("Delegação devolvida: você não age mais por este estabelecimento por ela.")
    )
    return redirect("account")


urls = [
    path("delegacoes/", delegations, name="delegations"),
    path("delegacoes/<int:pk>/revogar/", revoke, name="delegation-revoke"),
    path("conta/delegacoes/<int:pk>/devolver/", give_back, name="delegation-give-back"),
]
