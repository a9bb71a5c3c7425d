"""The black box: a company seals in its browser, the verifier fetches the boxes, the entity reads sums."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from lastro.ids import UF_BY_CODE, Material, company_of
from lastro.lawkit.glossary import capital, label
from lastro.web import office, typed
from lastro.web.desks.requests import done
from lastro.web.readings import black_box as readings
from lastro.web.readings.verifier import entities_of
from lastro.web.scopes import Scope, scope

_LINES = 6


@require_http_methods(["GET", "POST"])
@scope(Scope.COMPANY_DECLARE)
def seal(request: HttpRequest) -> HttpResponse:
    """Rows that are sealed in the browser; what is posted is boxes, which nobody here opens."""
    party: str = request.party  # type: ignore[attr-defined]
    user: Any = request.user
    sent, keys, problem = request.POST, readings.keys(), ""
    year = typed.year(sent.get("ano", "") or request.GET.get("ano", "")) or office.today().year - 1
    asked = sent.get("verificador", "") or request.GET.get("verificador", "")
    key = next((one for one in keys if one.subject.party == asked), keys[0] if keys else None)
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.hand_in(
                party, sent.get("lacrada", ""), verifier=asked, year=year, by=user.email
            ),
            _("Declaração lacrada enviada. Só o verificador a abre."),
        )
        if not problem:
            return redirect("seal")
    context = {
        "keys": [(one, office.name_of(one.subject.party)) for one in keys], "key": key, "year": year,
        "company": company_of(party), "lines": range(1, _LINES + 1),
        "places": ["BR", *sorted(UF_BY_CODE.values())],
        "materials": [(one.value, capital(label(one.value))) for one in Material],
        "sent": readings.sealed_by(party), "problem": problem,
    }  # fmt: skip
    return render(request, "lastro/black_box/seal.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.VERIFIER_HOMOLOGATE)
def received(request: HttpRequest) -> HttpResponse:
    """The verifier's key, what was sealed to it, and handing an entity its signed totals."""
    party: str = request.party  # type: ignore[attr-defined]
    user: Any = request.user
    mine, problem = entities_of(party), ""
    if request.method == "POST":
        file, entity = request.FILES.get("arquivo"), request.POST.get("entidade", "")
        data = file.read(readings.MOST_BYTES) if file else b""
        if entity in mine:
            problem = done(
                request,
                lambda: readings.hand_totals(party, data, entity=entity, by=user.email),
                _("Totais entregues à entidade."),
            )
        else:
            problem = done(
                request, lambda: readings.publish_key(party, data, by=user.email), _("Chave publicada.")
            )
        if not problem:
            return redirect("black-box")
    context = {
        "key": readings.key_of(party), "sent": readings.sealed_to(party), "problem": problem,
        "entities": [(one, office.name_of(one)) for one in mine],
    }  # fmt: skip
    return render(request, "lastro/black_box/received.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.VERIFIER_HOMOLOGATE)
def boxes(request: HttpRequest, pk: int) -> HttpResponse:
    """The boxes of one declaration, to be opened where the verifier's key is."""
    body = readings.sealed_file(request.party, pk)  # type: ignore[attr-defined]
    if body is None:
        raise Http404
    response = HttpResponse(body, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="lacrada-{pk}.json"'
    return response


@require_GET
@scope(Scope.ENTITY_READ)
def totals(request: HttpRequest) -> HttpResponse:
    """The sums that verifiers signed for this entity."""
    found = readings.totals_of(request.party)  # type: ignore[attr-defined]
    return render(request, "lastro/black_box/totals.html", {"found": found})


urls = [
    path("empresa/lacrar/", seal, name="seal"),
    path("verificador/caixa-preta/", received, name="black-box"),
    path("verificador/caixa-preta/caixas/<int:pk>/", boxes, name="black-box-sealed"),
    path("entidade/caixa-preta/", totals, name="black-box-totals"),
]
