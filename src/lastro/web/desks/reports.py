"""The annual report of an entity: a preview to look at, the submission by another role, its files."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_POST

from lastro import delivery
from lastro.facts import Refusal
from lastro.reports.desk import Case
from lastro.web import office, typed
from lastro.web.desks.entity import whom_of
from lastro.web.readings import reports
from lastro.web.readings.refusals import Refused, in_words
from lastro.web.scopes import Scope, scope

_TYPES = {
    "pdf": "application/pdf",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def _case(request: HttpRequest) -> tuple[Case, Any, Any]:
    whom, known = whom_of(request)
    return reports.case(whom.norm, whom.entity, whom.year), whom, known


@require_GET
@scope(Scope.ENTITY_READ)
def report(request: HttpRequest) -> HttpResponse:
    """The report as things stand, its versions, and whether what was submitted still holds."""
    return _page(request, None)


def _page(request: HttpRequest, refusal: Refused | None, detail: Any = None) -> HttpResponse:
    case, whom, known = _case(request)
    user: Any = request.user
    context = {
        "whom": whom, "known": known, "report": reports.shown(case), "refusal": refusal, "detail": detail,
        "may_submit": Scope.REPORT_SUBMIT in user.scopes,
    }  # fmt: skip
    return render(request, "lastro/reports/report.html", context, status=409 if refusal else 200)


@require_POST
@scope(Scope.ENTITY_READ)
def preview(request: HttpRequest) -> HttpResponse:
    """Keep the report as it stands now as a preview."""
    case, whom, _ = _case(request)
    delivery.preview_report(office.store(), case)
    messages.success(request, translate("Prévia feita. Confira os números antes de entregar."))
    return redirect(f"{reverse('report')}?ano={whom.year}")


@require_POST
@scope(Scope.REPORT_SUBMIT)
def submit(request: HttpRequest) -> HttpResponse:
    """Submit the preview that was looked at, if it still says what stands."""
    case, whom, _ = _case(request)
    user: Any = request.user
    asked = request.POST.get("previa", "")
    done = delivery.submit_report(
        office.store(),
        case,
        by=user.email,
        reason=request.POST.get("reason", "").strip()[:500],
        number=typed.counting(asked),
    )
    if isinstance(done, Refusal):
        return _page(request, in_words(done), reports.why(done))
    if done.repeated:
        messages.info(request, delivery.repeated_line(done))
    else:
        messages.success(request, translate("Entregue: versão %(version)s.") % {"version": done.version})
    return redirect(f"{reverse('report')}?ano={whom.year}")


@require_GET
@scope(Scope.ENTITY_READ)
def file(request: HttpRequest, digest: str) -> HttpResponse:
    """A file of a version or statement of this entity, as it was handed over."""
    case, _, _ = _case(request)
    name = reports.file_name(case, digest)
    body = delivery.stored_file(office.store(), digest) if name else None
    if not name or body is None:
        raise Http404
    return download(name, body)


def download(name: str, body: bytes) -> HttpResponse:
    """Bytes as a file to keep; its type is told by its name."""
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    response = HttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_GET
@scope(Scope.ENTITY_READ)
def made_of(request: HttpRequest, cell: str) -> HttpResponse:
    """What one number of the report is made of, row by row."""
    case, whom, _ = _case(request)
    found = reports.made_of(case, cell)
    if found is None:
        raise Http404
    return render(request, "lastro/reports/made_of.html", {"whom": whom, "made": found})


urls = [
    path("entidade/relatorio/", report, name="report"),
    path("entidade/relatorio/previa/", preview, name="report-preview"),
    path("entidade/relatorio/entregar/", submit, name="report-submit"),
    path("entidade/relatorio/arquivos/<slug:digest>/", file, name="report-file"),
    path("entidade/relatorio/numero/<path:cell>/", made_of, name="report-cell"),
]
