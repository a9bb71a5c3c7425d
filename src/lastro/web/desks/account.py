"""Coming in and going out: e-mail and password, then a second factor; and on whose behalf one works."""

from __future__ import annotations

from base64 import b32encode
from binascii import unhexlify
from typing import Any

import django_otp
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as translate
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from lastro.papers.square import qr_svg
from lastro.web import office, parties, passkeys
from lastro.web.readings import delegations
from lastro.web.scopes import Scope, scope

_LONGEST_EMAIL = 254

_HOMES = (
    (Scope.ENTITY_READ, "entity"),
    (Scope.VERIFIER_READ, "queue"),
    (Scope.COMPANY_READ, "company"),
    (Scope.OPERATOR_READ, "operator"),
    (Scope.RECYCLER_READ, "recycler"),
    (Scope.CONTEST_DECIDE, "contests"),
    (Scope.GAP_READ, "gap"),
    (Scope.MINISTRY_READ, "ministry"),
    (Scope.FEE_WORK, "fee-register"),
    (Scope.INCENTIVE_ANALYSE, "analysts"),
    (Scope.INCENTIVE_DECIDE, "committee"),
    (Scope.PEOPLE_MANAGE, "people"),
)


@require_GET
@scope(Scope.PUBLIC)
def home(request: HttpRequest) -> HttpResponse:
    """The first page: of each role, or what strangers can do here."""
    if request.user.is_authenticated:
        return _own_home(request)
    return render(request, "lastro/public/home.html")


@scope(Scope.OWN)
def _own_home(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    return redirect(next((name for needed, name in _HOMES if needed in user.scopes), "account"))


@require_GET
@scope(Scope.OWN)
def account(request: HttpRequest) -> HttpResponse:
    """Who one is here, and for whom one may act."""
    user: Any = request.user
    context = {
        "own": [(party, office.name_of(party)) for party in user.bound],
        "lent_to_me": [(one, office.name_of(one.one.party)) for one in delegations.of_person(user)],
    }
    return render(request, "lastro/account.html", context)


class LoginForm(AuthenticationForm):
    """E-mail and password, whatever the case of the e-mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "E-mail"
        self.fields["username"].widget.attrs.update({"type": "email", "autocomplete": "username"})
        self.fields["password"].label = translate("Senha")
        self.error_messages["invalid_login"] = translate("E-mail ou senha não conferem.")

    def clean_username(self) -> str:
        typed = str(self.cleaned_data["username"]).strip().lower()
        if len(typed) > _LONGEST_EMAIL:  # nobody has it, and the count of attempts could not keep it
            raise ValidationError(translate("E-mail ou senha não conferem."))
        return typed


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@scope(Scope.PUBLIC)
def log_in(request: HttpRequest) -> HttpResponse:
    """First step: e-mail and password."""
    form = LoginForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return redirect(_next(request))
    context = {
        "form": form, "next": request.GET.get("next", ""),
        "sign_on": getattr(settings, "LASTRO_OIDC_NAME", ""),
    }  # fmt: skip
    return render(request, "lastro/login.html", context)


def _next(request: HttpRequest) -> str:
    """Where someone wanted to go, if it is a place of ours."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if safe else "home"


@require_http_methods(["GET", "POST"])
@scope(Scope.PUBLIC)
def second_factor(request: HttpRequest) -> HttpResponse:
    """Second step: a code of the person's phone; who has none yet is shown how to get one."""
    user: Any = request.user
    if not user.is_authenticated:
        return redirect("login")
    device = TOTPDevice.objects.filter(user=user).order_by("-confirmed", "pk").first()
    if device is None:
        device = TOTPDevice.objects.create(user=user, name="telefone", confirmed=False)
    if request.method == "POST" and request.POST.get("resposta"):
        passkey = passkeys.proven(request, request.POST["resposta"])
        if passkey is not None:
            django_otp.login(request, passkey)
            return redirect(_next(request))
        messages.error(request, translate("A chave de acesso não confere. Tente de novo, ou use o código."))
    elif request.method == "POST" and (device.confirmed or not user.has_second_factor):
        if device.verify_token(request.POST.get("code", "").replace(" ", "")):
            TOTPDevice.objects.filter(pk=device.pk).update(confirmed=True)
            device.confirmed = True
            django_otp.login(request, device)
            return redirect(_next(request))
        messages.error(request, _why_not(device))
    return render(request, "lastro/second_factor.html", _factor(request, device))


def _why_not(device: TOTPDevice) -> str:
    allowed, _ = device.verify_is_allowed()
    return (
        translate("O código não confere. Veja se o relógio do telefone está certo.")
        if allowed
        else translate("O código não confere. Espere alguns segundos antes de tentar de novo.")
    )


def _factor(request: HttpRequest, device: TOTPDevice) -> dict[str, Any]:
    user: Any = request.user
    new = not device.confirmed and not user.has_second_factor  # who has one can't make another without it
    shown = office.site().demo and office.is_test()
    secret = b32encode(unhexlify(device.key)).decode()
    return {
        "new": new,
        "secret": " ".join(secret[n : n + 4] for n in range(0, len(secret), 4)) if new else "",
        "by_code": new or device.confirmed,
        "passkey": passkeys.ask_for_proof(request) if passkeys.possible(request) else "",
        "demo_code": f"{_now(device):06d}" if shown else "",
        "next": request.GET.get("next", ""),
    }


def _now(device: TOTPDevice) -> int:
    """The code that opens the door now: the next one, if this one was used already."""
    import time

    totp = TOTP(unhexlify(device.key), device.step, device.t0, device.digits, device.drift)
    totp.time = time.time()
    if device.last_t >= totp.t():
        totp.drift += 1
    return int(totp.token())


@require_GET
@scope(Scope.PUBLIC)
def factor_picture(request: HttpRequest) -> HttpResponse:
    """The new secret as a square to photograph; never of a device that is in use."""
    user: Any = request.user
    device = TOTPDevice.objects.filter(user=user, confirmed=False).first() if user.is_authenticated else None
    if device is None or user.has_second_factor:
        raise Http404
    return HttpResponse(qr_svg(device.config_url), content_type="image/svg+xml")


@require_POST
@scope(Scope.PUBLIC)
def log_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("login")


@require_POST
@scope(Scope.OWN)
def choose_party(request: HttpRequest) -> HttpResponse:
    """Work on behalf of another of one's establishments."""
    if not parties.choose(request, request.POST.get("party", "")):
        raise Http404
    return redirect("home")


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@scope(Scope.OWN)
def change_password(request: HttpRequest) -> HttpResponse:
    """Choose another password; other sessions of the person end with it."""
    user: Any = request.user
    form = PasswordChangeForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(
            request, translate("Senha trocada. As outras sessões abertas com a antiga se encerraram.")
        )
        return redirect("home")
    return render(request, "lastro/password.html", {"form": form})


urls = [
    path("", home, name="home"),
    path("entrar/", log_in, name="login"),
    path("entrar/codigo/", second_factor, name="second-factor"),
    path("entrar/codigo/quadrado.svg", factor_picture, name="factor-picture"),
    path("sair/", log_out, name="logout"),
    path("conta/", account, name="account"),
    path("senha/", change_password, name="change-password"),
    path("parte/", choose_party, name="choose-party"),
]
