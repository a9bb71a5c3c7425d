"""Pages for anybody: how to take part, and how each kind of number is computed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from lastro.web.readings import how as readings
from lastro.web.scopes import Scope, scope


@require_GET
@scope(Scope.PUBLIC)
def how(request: HttpRequest) -> HttpResponse:
    """How a number is computed, with an example that is computed while the page is written."""
    return render(request, "lastro/public/how.html", {"kinds": readings.KINDS})


@require_GET
@scope(Scope.PUBLIC)
def take_part(request: HttpRequest) -> HttpResponse:
    """What people do with what they give back."""
    return render(request, "lastro/public/take_part.html", readings.consumer_articles())


urls = [
    path("como-se-calcula/", how, name="how"),
    path("como-participar/", take_part, name="take-part"),
]
