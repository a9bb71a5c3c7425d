"""Declaring what was placed on the market: by a form, or by a sheet that comes back with its errors told."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.filings import Filing
from lastro.ids import masked
from lastro.lawkit.glossary import capital, label
from lastro.web import jobs, office, presence, typed
from lastro.web.models import Job
from lastro.web.readings import declaration as readings
from lastro.web.readings.declaration_model import model
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table


def _whose(establishment: str) -> str:
    return masked(establishment) if establishment else "empresa inteira"


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_COLUMNS: list[Column[readings.Line]] = [
    Column("material", "Material", lambda x: capital(label(x.placement.material.value)), choice=True),
    Column("uf", "UF", lambda x: x.placement.uf, choice=True),
    Column("massa", "Massa", lambda x: x.placement.mass),
    Column("retornavel", "Retornável", lambda x: x.placement.returnable),
    Column("estabelecimento", "Estabelecimento", lambda x: _whose(x.establishment), choice=True),
]
_ISSUES: list[Column[dict[str, Any]]] = [
    Column("linha", "Linha", lambda x: x["row"]),
    Column("coluna", "Coluna", lambda x: x["column"], choice=True),
    Column("achado", "O que está lá", lambda x: x["found"] or "vazio"),
    Column("esperado", "O que se espera", lambda x: x["expected"]),
    Column("cura", "Como corrigir", lambda x: x["cure"]),
    Column("codigo", "Código", lambda x: x["code"]),
]


def _party(request: HttpRequest) -> str:
    party: str = request.party  # type: ignore[attr-defined]
    return party


def _year(request: HttpRequest) -> int:
    """The year that the address or the form names, none after this one; else the one that ended last."""
    today = office.today().year
    asked = typed.year(request.POST.get("ano", "") or request.GET.get("ano", ""))
    return asked if asked is not None and asked <= today else today - 1


@require_GET
@scope(Scope.COMPANY_READ)
def declaration(request: HttpRequest) -> HttpResponse:
    """What stands declared of a year, how to declare or correct it, and every version before."""
    return _page(request, _year(request))


def _page(request: HttpRequest, year: int, problem: str = "", reason: str = "") -> HttpResponse:
    party = _party(request)
    made = table(request, readings.lines(party, year), _COLUMNS, caption=f"Massa declarada em {year}")
    if isinstance(made, HttpResponse):
        return made
    context = {
        "year": year, "years": range(office.today().year, office.today().year - 5, -1), "table": made,
        "versions": readings.versions(party, year), "back": readings.sent_back(party, year),
        "problem": problem, "reason": reason, "most": readings.MOST_BYTES // 1_000_000,
    }  # fmt: skip
    return render(request, "lastro/declaration/year.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.COMPANY_READ)
def declaration_model(request: HttpRequest) -> HttpResponse:
    """The workbook to fill in, with what stands already in it."""
    party, year = _party(request), _year(request)
    response = HttpResponse(model(party, year, readings.lines(party, year)), content_type=_XLSX)
    response["Content-Disposition"] = f'attachment; filename="declaracao-{year}.xlsx"'
    return response


@require_http_methods(["GET", "POST"])
@scope(Scope.COMPANY_DECLARE)
def declaration_sheet(request: HttpRequest) -> HttpResponse:
    """A sheet is handed in: a small one is answered at once, a large one by a worker."""
    year, file = _year(request), request.FILES.get("planilha")
    if request.method == "GET":
        return redirect(f"{reverse('declaration')}?ano={year}")
    reason = request.POST.get("motivo", "").strip()[:1000]
    problem = _problem(file)
    if not problem and not reason and readings.needs_reason(_party(request), year):
        problem = readings.REASON
    if problem:
        return _page(request, year, problem, reason)
    assert file is not None, "a file that is lacking is a problem"
    handed = _handed(request, str(file.name), file.read(), year, reason)
    if len(handed.data) > readings.AT_ONCE_BYTES:
        return redirect(reverse("declaration-job", args=[_asked(request, handed).pk]))
    try:
        return _taken(readings.take(handed))
    except LastroError as wrong:
        return _page(request, year, str(wrong), reason)


def _problem(file: Any) -> str:
    if file is None:
        return "Escolha a planilha."
    if (file.size or 0) > readings.MOST_BYTES:
        return f"A planilha passa de {readings.MOST_BYTES // 1_000_000} MB: divida-a por estabelecimento."
    return ""


def _handed(
    request: HttpRequest, name: str, data: bytes, year: int, reason: str, how: str = "sheet"
) -> readings.Handed:
    user: Any = request.user
    plain = name.replace("\\", "/").rpartition("/")[2][:120] or "planilha"
    return readings.Handed(plain, data, _party(request), year, reason, user.email, how)


def _asked(request: HttpRequest, handed: readings.Handed) -> Job:
    user: Any = request.user
    return jobs.ask(
        "declare",
        party=handed.party,
        person=user,
        title=handed.name,
        asked={"year": handed.year, "reason": handed.reason, "by": handed.by},
        files=[(handed.name, handed.data)],
    )


def _taken(filing: Filing) -> HttpResponse:
    return redirect(reverse("declaration-filed", args=[filing.id]))


@require_http_methods(["GET", "POST"])
@scope(Scope.COMPANY_DECLARE)
def declaration_form(request: HttpRequest) -> HttpResponse:
    """A form with a line for each material and place; nothing of it is kept while a line is wrong."""
    party, year = _party(request), _year(request)
    reason = request.POST.get("motivo", "").strip()[:1000]
    problem = ""
    if request.method == "POST":
        lines = readings.typed_lines(dict(request.POST.lists()))
        handed = _handed(
            request, f"formulario-{year}.csv", readings.as_sheet(year, lines), year, reason, "form"
        )
        found = readings.read(handed)
        lines = readings.with_problems(lines, found.issues)
        whole = [str(one.expected) for one in found.issues if one.row is None]
        if found.issues:
            problem = "Há o que corrigir: veja as linhas marcadas. Nada foi guardado."
            problem = f"Nada foi guardado: espera-se {whole[0]} com massa preenchida." if whole else problem
        elif readings.needs_reason(party, year) and not reason:
            problem = readings.REASON
        else:
            return _taken(readings.take(handed, found))
    else:
        standing = readings.form_lines(party, year)
        if standing is None:
            messages.info(
                request,
                translate("O que está declarado é longo, ou por estabelecimento: corrija pela planilha."),
            )
            return redirect(f"{reverse('declaration')}?ano={year}")
        lines = standing
    context = {
        "year": year, "lines": lines, "materials": readings.materials(party), "places": readings.places(),
        "problem": problem, "reason": reason, "changes": readings.needs_reason(party, year),
    }  # fmt: skip
    return render(request, "lastro/declaration/form.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.COMPANY_READ)
def declaration_filed(request: HttpRequest, pk: int) -> HttpResponse:
    """What became of a declaration: the receipt, or each cell that has to be mended."""
    found = _mine(request, pk)
    made = table(request, list(found.body.get("issues", [])), _ISSUES, caption="Células a corrigir")
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/declaration/filed.html", {"filing": found, "table": made})


@require_GET
@scope(Scope.COMPANY_READ)
def declaration_file(request: HttpRequest, pk: int) -> HttpResponse:
    """The sheet of a declaration as it came, or as it went back."""
    file = readings.file_of(_party(request), _mine(request, pk))
    if file is None:
        raise Http404
    name, body = file
    response = HttpResponse(body, content_type="application/octet-stream")
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    response["Content-Disposition"] = f'attachment; filename="{safe}"'
    return response


def _mine(request: HttpRequest, pk: int) -> Filing:
    found = readings.filed(_party(request), pk)
    if found is None:
        raise Http404
    return found


@require_GET
@scope(Scope.COMPANY_READ)
def declaration_job(request: HttpRequest, job: str) -> HttpResponse:
    """How far the reading of a large sheet got."""
    found = _job(request, job)
    return render(request, "lastro/declaration/job.html", {"job": found, "nobody": _nobody(found)})


@require_GET
@scope(Scope.COMPANY_READ)
def declaration_progress(request: HttpRequest, job: str) -> HttpResponse:
    """The part of that page that changes, for the script that asks again."""
    found = _job(request, job)
    response = render(request, "lastro/declaration/_progress.html", {"job": found, "nobody": _nobody(found)})
    response["X-Lastro-Over"] = "sim" if found.over else "nao"
    return response


def _job(request: HttpRequest, job: str) -> Job:
    found = Job.objects.filter(pk=job, party=_party(request), kind="declare").first()
    if found is None:
        raise Http404
    return found


def _nobody(job: Job) -> bool:
    return not job.over and not presence.anybody()


urls = [
    path("empresa/declaracao/", declaration, name="declaration"),
    path("empresa/declaracao/modelo.xlsx", declaration_model, name="declaration-model"),
    path("empresa/declaracao/planilha/", declaration_sheet, name="declaration-sheet"),
    path("empresa/declaracao/formulario/", declaration_form, name="declaration-form"),
    path("empresa/declaracao/<int:pk>/", declaration_filed, name="declaration-filed"),
    path("empresa/declaracao/<int:pk>/planilha/", declaration_file, name="declaration-file"),
    path("empresa/declaracao/envios/<uuid:job>/", declaration_job, name="declaration-job"),
    path(
        "empresa/declaracao/envios/<uuid:job>/andamento/", declaration_progress, name="declaration-progress"
    ),
]
