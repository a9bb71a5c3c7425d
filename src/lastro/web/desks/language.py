"""In which language one reads: a person says so once, and their browser remembers it for a year."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from lastro.web.language import COOKIE, LANGUAGES
from lastro.web.scopes import Scope, scope

_YEAR = 365 * 24 * 3600


@csrf_exempt  # strangers' pages keep no cookie, and a foreign form could change no more than the words
@require_POST
@scope(Scope.PUBLIC)
def choose(request: HttpRequest) -> HttpResponse:
    """Go on in the language that was chosen, on the page that one was on."""
    back = request.POST.get("voltar", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(back if safe else "/", status=303)
    wanted = request.POST.get("idioma", "")
    if wanted in LANGUAGES:
        response.set_cookie(
            COOKIE,
            wanted,
            max_age=_YEAR,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response


urls = [path("idioma/", choose, name="language")]
