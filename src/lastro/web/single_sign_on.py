"""Coming in by an OpenID Connect provider, such as gov.br: who a person is, never what they may do.

The provider is named when the program starts. Nobody is made by it: whoever comes in was added here before,
and is found by the e-mail that the provider vouches for; from then on by the provider's own name for them,
of which a keyed digest is kept (at gov.br that name is a CPF). The second factor is asked for all the same.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from mozilla_django_oidc.auth import OIDCAuthenticationBackend

from lastro.web.models import Person


class Backend(OIDCAuthenticationBackend):  # type: ignore[misc]
    """Finds the person of a token; makes nobody."""

    def verify_token(self, token: str, **given: Any) -> Any:
        """The library checks signature and nonce; that the token is of this provider and for us, we do."""
        payload = super().verify_token(token, **given)
        meant = payload.get("aud")
        if payload.get("iss") != settings.LASTRO_OIDC_ISSUER:
            raise SuspiciousOperation("the token is of another issuer")
        if settings.OIDC_RP_CLIENT_ID not in ([meant] if isinstance(meant, str) else meant or []):
            raise SuspiciousOperation("the token is for another client")
        self._subject = str(payload.get("sub") or "")
        return payload

    def verify_claims(self, claims: Mapping[str, Any]) -> bool:
        """Nobody is known by an e-mail that the provider doesn't vouch for, nor by another's answer."""
        vouched = claims.get("email_verified") in (True, "true")
        named = bool(self._subject) and str(claims.get("sub") or "") == self._subject
        return vouched and named and bool(claims.get("email"))

    def filter_users_by_claims(self, claims: Mapping[str, Any]) -> Any:
        """Who was linked to this name before; else who has the e-mail and no link yet."""
        linked = Person.objects.filter(sign_on=_digest(self._subject))
        if linked.exists():
            return linked
        return Person.objects.filter(email=str(claims["email"]).lower(), sign_on="")

    def create_user(self, claims: Mapping[str, Any]) -> None:
        """Nobody comes in who was not added."""

    def update_user(self, user: Person, claims: Mapping[str, Any]) -> Person:
        """From now on this person is known by the provider's own name for them."""
        if not user.sign_on:
            user.sign_on = _digest(self._subject)
            user.save(update_fields=["sign_on"])
        return user


def _digest(subject: str) -> str:
    told = f"{settings.LASTRO_OIDC_ISSUER}\n{subject}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), told, hashlib.sha256).hexdigest()


def comes_by_provider(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> bool:
    """Whether somebody comes by the provider: no password is guessed here, so nothing is counted."""
    return request.path_info == reverse("single-sign-on-back")


def not_let_in(request: HttpRequest) -> HttpResponse:
    """The provider knows the person, and we don't; or something went wrong on the way."""
    messages.error(
        request,
        f"{settings.LASTRO_OIDC_NAME} não confirmou ninguém que tenha acesso aqui. Peça a quem administra "
        "que acrescente o seu e-mail, o mesmo que está confirmado lá.",
    )
    return redirect("login")
