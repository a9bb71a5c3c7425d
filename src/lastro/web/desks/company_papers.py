"""The documents that norms ask of a company, such as a brand owner's statement: filled in, in versions."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.stores.postgres.filings import Filings
from lastro.web import office, typed
from lastro.web.desks import papers as desk
from lastro.web.desks.reports import download
from lastro.web.readings import paper_form
from lastro.web.readings import papers as readings
from lastro.web.readings.reports import table_of
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table

BY = "company"
_MORE = 2


def _party(request: HttpRequest) -> str:
    return str(request.party)  # type: ignore[attr-defined]


def _year(request: HttpRequest) -> int:
    said = request.POST if request.method == "POST" else request.GET
    return typed.year(said.get("ano", "")) or office.today().year


_FILED: list[Column[readings.Filed]] = [
    Column(
        "documento", "Documento", lambda x: x.offer.title,
        link=lambda x: reverse("company-document", args=[x.filing.id]),
    ),
    Column("sobre", "De quê", lambda x: x.about),
    Column("norma", "Norma", lambda x: x.offer.regulation.norm.short_title, choice=True),
    Column("ano", "Ano", lambda x: str(x.year), choice=True),
    Column("versao", "Versão", lambda x: x.filing.version),
    Column("guardada", "Guardada em", lambda x: x.filing.on),
    Column("situacao", "Situação", lambda x: x.state, tone=lambda x: "asks" if x.blocks else "good"),
]  # fmt: skip


@require_GET
@scope(Scope.COMPANY_READ)
def paper_list(request: HttpRequest) -> HttpResponse:
    """What the company filed, and which documents the norms ask of companies."""
    made = table(request, readings.filed(_party(request)), _FILED, caption="Documentos da empresa")
    if isinstance(made, HttpResponse):
        return made
    year = _year(request)
    context = {"table": made, "offers": readings.offers(year, by=BY), "year": year}
    return render(request, "lastro/company/papers.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.COMPANY_PAPERS)
def fill(request: HttpRequest, place: str, name: str, kind: str) -> HttpResponse:
    """Fill a document in, or its next version: typed, or as the file that the command line takes."""
    year, party = _year(request), _party(request)
    found = readings.offer(f"{place}/{name}", kind, year, by=BY)
    if found is None:
        raise Http404
    before = desk.version_looked_at(request) or _standing(found, party, year)
    problems: list[str] = []
    if request.method == "POST" and "mais" not in request.POST:
        done = desk.keep_filled(request, found, year, before, problems)
        if done is not None:
            told = {"version": done.version}
            messages.success(
                request, translate("Guardada a versão %(version)s. Confira abaixo o que ela diz.") % told
            )
            return redirect(reverse("company-document", args=[done.id]))
    posted = request.POST if request.method == "POST" else None
    told = before.filing.body["document"] if before else {}
    context = {
        "offer": found, "year": year, "before": before, "problems": problems, "mark": uuid4(),
        "sheets": paper_form.sheets(found.contents, posted, told, _MORE),
        "several": any(part.many for part in found.contents.parts),
    }  # fmt: skip
    return render(request, "lastro/company/paper_fill.html", context, status=400 if problems else 200)


def _standing(found: readings.Offer, party: str, year: int) -> readings.Filed | None:
    """The version that stands of a document of which there is one a year."""
    if found.contents.series:
        return None
    subject = readings.subject_of(found, entity=party, year=year, mark="")
    last = Filings(office.store(), sees=party).latest(subject)
    return readings.one(party, last.id) if last else None


def _mine(request: HttpRequest, number: int) -> readings.Filed:
    found = readings.one(_party(request), number)
    if found is None:
        raise Http404
    return found


@require_GET
@scope(Scope.COMPANY_READ)
def paper(request: HttpRequest, number: int) -> HttpResponse:
    """One version of a document as it reads, with what it lacks, its files and its history."""
    shown = _mine(request, number)
    data = readings.data_of(shown.offer, shown.filing.body["document"])
    history = readings.versions(_party(request), shown.filing)
    context = {
        "shown": shown, "data": data, "history": history, "newest": history[0].id == shown.filing.id,
        "tables": [table_of(section) for section in data.sections if section.rows] if data else [],
    }  # fmt: skip
    return render(request, "lastro/company/paper.html", context)


@require_GET
@scope(Scope.COMPANY_READ)
def paper_file(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    """A version as PDF, as sheets, as the JSON of its data, or one of the files beside it by its place."""
    shown = _mine(request, number)
    if kind.startswith("anexo-"):
        place = typed.counting(kind.removeprefix("anexo-"))
        names = [name for name, _ in shown.filing.files]
        if place is None or not 1 <= place <= len(names):
            raise Http404
        body = Filings(office.store(), sees=_party(request)).file(number, names[place - 1])
        return download(names[place - 1], body or b"")
    files = readings.files_of(shown) if kind in ("pdf", "xlsx", "json") else {}
    found = next(((name, body) for name, body in files.items() if name.endswith(f".{kind}")), None)
    if found is None:
        raise Http404
    return download(*found)


urls = [
    path("empresa/documentos/", paper_list, name="company-papers"),
    path("empresa/documentos/<int:number>/", paper, name="company-document"),
    path("empresa/documentos/<int:number>/arquivo/<slug:kind>/", paper_file, name="company-document-file"),
    path("empresa/documentos/<slug:place>/<slug:name>/<slug:kind>/", fill, name="company-fill"),
]
