"""Passkeys of a person: a list, a new one, one less; and coming in with one."""

from __future__ import annotations

from typing import Any

import django_otp
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_http_methods, require_POST

from lastro.web import passkeys
from lastro.web.passkey_models import Passkey
from lastro.web.scopes import Scope, scope


@require_http_methods(["GET", "POST"])
@scope(Scope.OWN)
def mine(request: HttpRequest) -> HttpResponse:
    """The person's passkeys; a new one is made by whoever came in with both factors, or had no second yet."""
    user: Any = request.user
    may = user.is_verified() or not user.has_second_factor
    problem = ""
    if request.method == "POST" and may:
        problem = passkeys.keep_new(request, request.POST.get("resposta", ""), request.POST.get("nome", ""))
        if not problem:
            messages.success(request, translate("Chave de acesso guardada. Da próxima vez, entre com ela."))
            return redirect("passkeys")
    context = {
        "passkeys": Passkey.objects.filter(user=user).order_by("pk"), "may": may, "problem": problem,
        "possible": passkeys.possible(request),
        "options": passkeys.ask_for_new(request) if may and passkeys.possible(request) else "",
    }  # fmt: skip
    return render(request, "lastro/passkeys.html", context, status=400 if problem else 200)


@require_POST
@scope(Scope.OWN)
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    """One passkey less; the last second factor of who needs one stays."""
    user: Any = request.user
    found = Passkey.objects.filter(pk=pk, user=user).first()
    if found is None:
        raise Http404
    if user.needs_second_factor and sum(1 for _ in django_otp.devices_for_user(user)) == 1:
        messages.error(
            request, translate("É o seu único segundo fator: cadastre outro antes de apagar este.")
        )
    else:
        found.delete()
        messages.success(request, translate("Chave de acesso apagada."))
    return redirect("passkeys")


urls = [
    path("conta/chaves-de-acesso/", mine, name="passkeys"),
    path("conta/chaves-de-acesso/<int:pk>/apagar/", forget, name="passkey-forget"),
]
