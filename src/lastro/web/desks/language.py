"""In which language one reads: a person says so once, and their browser and their account remember it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from lastro.web.language import LANGUAGES, remember
from lastro.web.models import Person
from lastro.web.scopes import Scope, scope


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
        remember(response, wanted)
        if request.user.is_authenticated:
            Person.objects.filter(pk=request.user.pk).update(language=wanted)
    return response


urls = [path("idioma/", choose, name="language")]
