"""The company: does it comply, by when, what does it lack, and why."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from lastro.web import office, typed
from lastro.web.desks.certificates import paper_of
from lastro.web.readings import certificates, company, next_steps
from lastro.web.readings.deadlines import handed_in_for
from lastro.web.scopes import Scope, scope


@require_GET
@scope(Scope.COMPANY_READ)
def position(request: HttpRequest) -> HttpResponse:
    """The company's positions of a year under a norm, each with its whole explanation."""
    norms = company.norms()
    latest = office.today().year
    asked = typed.year(request.GET.get("ano", ""))
    year = asked if asked is not None and asked <= latest else latest - 1
    wanted = [r for r in norms if r.norm.path == request.GET.get("norma")]
    found = company.under_any(request.party, wanted or norms, year)  # type: ignore[attr-defined]
    years = [y for y in range(latest, latest - 4, -1) if company.answers(found.regulation, y)]
    mine = certificates.of_company(request.party)  # type: ignore[attr-defined]
    party: str = request.party  # type: ignore[attr-defined]
    context = {
        "found": found, "years": years, "norms": norms, "certificates": mine,
        "steps": next_steps.steps(party, found),
        "handed_in": handed_in_for(party, found.regulation.norm.path, found.year),
    }  # fmt: skip
    return render(request, "lastro/company/position.html", context)


@require_GET
@scope(Scope.COMPANY_READ)
def certificate(request: HttpRequest, name: str) -> HttpResponse:
    """A certificate that was issued to the company."""
    return render(request, "lastro/company/certificate.html", {"shown": _mine(request, name)})


@require_GET
@scope(Scope.COMPANY_READ)
def paper(request: HttpRequest, name: str) -> HttpResponse:
    """Its signed PDF."""
    return paper_of(_mine(request, name))


def _mine(request: HttpRequest, name: str) -> certificates.Shown:
    found = certificates.one_of(name, holder=request.party)  # type: ignore[attr-defined]
    if found is None:
        raise Http404
    return found


urls = [
    path("empresa/", position, name="company"),
    path("empresa/certificados/<str:name>/", certificate, name="company-certificate"),
    path("empresa/certificados/<str:name>/papel.pdf", paper, name="company-paper"),
]
