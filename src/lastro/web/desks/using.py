"""Using a certificate: its holder says for which year, looks at what will happen, and gets a receipt.

One person is enough, as on the command line: two made the certificate, and its use takes nobody's mass but
the holder's own. It asks for the second factor all the same, since it can't be undone.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods

from lastro.certificates import counter as room
from lastro.certificates.port import Answer
from lastro.facts import Refusal
from lastro.web import office, typed
from lastro.web.readings import certificates
from lastro.web.readings.refusals import in_words
from lastro.web.scopes import Scope, scope


@require_http_methods(["GET", "POST"])
@scope(Scope.CERTIFICATE_USE)
def use(request: HttpRequest, name: str) -> HttpResponse:
    """First the year, then what will happen, then it is done; a second click moves nothing more."""
    found = _mine(request, name)
    asked = request.POST.get("ano", "").strip()[:10]
    year = typed.year(asked)
    context: dict[str, Any] = {"shown": found, "typed": asked, "mark": _mark(request)}
    if request.method == "GET":
        return render(request, "lastro/company/use.html", context)
    if year is None:
        problem = "Diga o ano da meta com quatro algarismos."
        return render(request, "lastro/company/use.html", {**context, "problem": problem}, status=400)
    sure = request.POST.get("confirma") == "sim"
    answer = _use(request, found, year) if sure else _may(request, found, year)
    if isinstance(answer, Refusal):
        context["refusal"] = in_words(answer)
        return render(request, "lastro/company/use.html", context, status=409)
    if sure:
        return redirect(reverse("company-receipt", args=[found.certificate.id]))
    return render(request, "lastro/company/use.html", {**context, "confirming": True, "year": year})


def _mark(request: HttpRequest) -> str:
    """What names this request, however often it is sent."""
    try:
        return str(UUID(request.POST.get("pedido", "")))
    except ValueError:
        return str(uuid4())


def _may(request: HttpRequest, found: certificates.Shown, year: int) -> Refusal | None:
    counter = certificates.counter(found.certificate.norm)
    party: str = request.party  # type: ignore[attr-defined]
    return room.not_its_own(counter, found.certificate, on=office.today(), holder=party, year=year)


def _use(request: HttpRequest, found: certificates.Shown, year: int) -> Answer:
    user: Any = request.user
    return room.retire(
        certificates.counter(found.certificate.norm),
        found.certificate.id,
        by=user.email,
        on=office.today(),
        holder=request.party,  # type: ignore[attr-defined]
        year=year,
        request=f"retire/{found.certificate.id}/{_mark(request)}",
    )


@require_GET
@scope(Scope.COMPANY_READ)
def receipt(request: HttpRequest, name: str) -> HttpResponse:
    """What was used, for whom and for which year; there is none before."""
    found = _mine(request, name)
    used = found.certificate.done("retire")
    if used is None:
        raise Http404
    return render(request, "lastro/company/receipt.html", {"shown": found, "used": used})


def _mine(request: HttpRequest, name: str) -> certificates.Shown:
    found = certificates.one_of(name, holder=request.party)  # type: ignore[attr-defined]
    if found is None:
        raise Http404
    return found


urls = [
    path("empresa/certificados/<str:name>/usar/", use, name="company-use"),
    path("empresa/certificados/<str:name>/recibo/", receipt, name="company-receipt"),
]
