"""The language of an answer: Portuguese, unless whoever asks has chosen English."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse
from django.utils import translation

COOKIE = "lastro_idioma"
LANGUAGES = ("pt-br", "en")
_YEAR = 365 * 24 * 3600


def spoken(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer in the language that was chosen; what the browser prefers by itself is not asked.

    The office works in Portuguese: a browser that was set up in another language changes nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        chosen = request.COOKIES.get(COOKIE, "") if not request.path_info.startswith("/api/") else ""
        with translation.override(chosen if chosen in LANGUAGES else settings.LANGUAGE_CODE):
            response = get_response(request)
        if kept := getattr(request, "language_kept", ""):
            remember(response, kept)
        response.headers.setdefault("Content-Language", "en" if chosen == "en" else "pt-BR")
        return response

    return middleware


def remember(response: HttpResponse, chosen: str) -> None:
    """Let the browser say for a year in which language its person reads."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(COOKIE, chosen, max_age=_YEAR, httponly=True, samesite="Lax", secure=secure)


def watch_log_ins() -> None:
    """Who logs in reads on in the language that they chose last, on whatever browser."""
    user_logged_in.connect(_greet, dispatch_uid="lastro.web.language")


def _greet(request: HttpRequest | None = None, user: Any = None, **_: Any) -> None:
    if request is not None and user.language in LANGUAGES:
        request.language_kept = user.language  # type: ignore[attr-defined]
