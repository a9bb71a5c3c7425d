"""Results against targets, for anybody: sums by sector, material, municipality and year, and as open data."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from lastro.reports.open_results import LEAST_COMPANIES
from lastro.web import office
from lastro.web.readings import results as readings
from lastro.web.readings.company import answers
from lastro.web.scopes import Scope, scope
from lastro.web.translating import said

_BACK = 4


def _asked(request: HttpRequest) -> readings.Results:
    """The norm and year of the address; the first norm and the last whole year where it says nothing."""
    paths = [r.norm.path for r in readings.norms()]
    asked = request.GET.get("norma", "")
    year = request.GET.get("ano", "")
    known = {str(one): one for one in years()}
    return readings.of_year(asked if asked in paths else paths[0], known.get(year, office.today().year - 1))


def years() -> list[int]:
    """The years that may be asked for, the latest first."""
    this = office.today().year
    return list(range(this, this - _BACK - 1, -1))


@require_GET
@scope(Scope.PUBLIC)
def results(request: HttpRequest) -> HttpResponse:
    """What was proved of what was owed, for a norm and a year."""
    found = _asked(request)
    context = {
        "found": found, "norms": readings.norms(),
        "years": [year for year in years() if answers(found.regulation, year)], "today": office.today(),
        "why": {why: said(words) for why, words in readings.WHY.items()},
        "least": LEAST_COMPANIES, "kinds": readings.KINDS,
    }  # fmt: skip
    return render(request, "lastro/public/results.html", context)


@require_GET
@scope(Scope.PUBLIC)
def file(request: HttpRequest, kind: str) -> HttpResponse:
    """The same sums as open data."""
    if kind not in readings.KINDS:
        raise Http404
    found = _asked(request)
    place, name = found.regulation.norm.path.split("/")
    response = HttpResponse(readings.file(found, kind), content_type=readings.KINDS[kind])
    response["Content-Disposition"] = f'attachment; filename="resultados-{place}-{name}-{found.year}.{kind}"'
    return response


urls = [
    path("resultados/", results, name="results"),
    path("resultados/dados.<slug:kind>", file, name="results-file"),
]
