"""The language of an answer: Portuguese, unless whoever asks has chosen English."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

COOKIE = "lastro_idioma"
LANGUAGES = ("pt-br", "en")


def spoken(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer in the language that was chosen; what the browser prefers by itself is not asked.

    The office works in Portuguese: a browser that was set up in another language changes nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        chosen = request.COOKIES.get(COOKIE, "")
        with translation.override(chosen if chosen in LANGUAGES else settings.LANGUAGE_CODE):
            response = get_response(request)
        response.headers.setdefault("Content-Language", "en" if chosen == "en" else "pt-BR")
        return response

    return middleware
