"""Coming in by the provider that was named when the program started; not found where none was."""

from __future__ import annotations

import logging
from typing import Any

import jwt
import requests
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_GET
from mozilla_django_oidc.views import OIDCAuthenticationCallbackView, OIDCAuthenticationRequestView

from lastro.web import single_sign_on
from lastro.web.scopes import Scope, scope

_log = logging.getLogger("lastro.web.sign_on")


class _Back(OIDCAuthenticationCallbackView):  # type: ignore[misc]
    """The way back, where a refusal says what to do."""

    def login_failure(self) -> HttpResponse:
        return single_sign_on.not_let_in(self.request)


_out, _back = OIDCAuthenticationRequestView, _Back


def _known() -> None:
    if not getattr(settings, "LASTRO_OIDC_ISSUER", ""):
        raise Http404


@require_GET
@scope(Scope.PUBLIC)
def out(request: HttpRequest) -> HttpResponse:
    """To the provider, with a state, a nonce and a PKCE challenge of this session."""
    _known()
    answer: Any = _out.as_view()(request)
    return answer  # type: ignore[no-any-return]


@require_GET
@scope(Scope.PUBLIC)
def back(request: HttpRequest) -> HttpResponse:
    """Back from the provider: whoever it vouches for and is known here comes in."""
    _known()
    try:
        answer: Any = _back.as_view()(request)
    except (SuspiciousOperation, requests.RequestException, jwt.PyJWTError, ValueError) as wrong:
        _log.warning("a entrada pelo provedor falhou: %s", type(wrong).__name__)
        return single_sign_on.not_let_in(request)
    return answer  # type: ignore[no-any-return]


urls = [
    path("entrar/provedor/", out, name="single-sign-on"),
    path("entrar/provedor/volta/", back, name="single-sign-on-back"),
]
