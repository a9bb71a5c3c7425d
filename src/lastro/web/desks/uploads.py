"""Handing files in: a form, a job in the background, and how far it got."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.findings import catalogue
from lastro.web import jobs, presence, typed
from lastro.web.desks.entity import whom_of
from lastro.web.models import Job
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.tags.shown import tone
from lastro.web.translating import tongue

_KINDS = (".xml", ".zip", ".csv", ".json", ".xlsx", ".pdf", ".gz")


@require_GET
@scope(Scope.ENTITY_READ)
def upload_list(request: HttpRequest) -> HttpResponse:
    """What was handed in through the web, latest first."""
    mine = Job.objects.filter(party=request.party, kind="upload").order_by("-asked_at")  # type: ignore[attr-defined]
    made = table(request, mine.select_related("person"), _LIST, caption="Envios")
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/entity/uploads.html", {"table": made})


_LIST: list[Column[Job]] = [
    Column("envio", "Envio", lambda job: job.title, link=lambda job: reverse("upload", args=[job.pk])),
    Column(
        "quando",
        "Quando",
        lambda job: job.asked_at,
        words=lambda at: localtime(at).strftime("%d/%m/%Y %H:%M"),
    ),
    Column("quem", "Quem", lambda job: job.person.name if job.person else None),
    Column(
        "andamento",
        "Andamento",
        lambda job: Job.State(job.state).label,
        choice=True,
        tone=lambda job: tone(job.state),
    ),
    Column("arquivos", "Arquivos", lambda job: job.answer.get("files")),
    Column("corrige", "Por que de novo", lambda job: job.asked.get("reason")),
]

_MOST_NAMED = 20


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_UPLOAD)
def upload_new(request: HttpRequest) -> HttpResponse:
    """Hand in notes, events, manifests and certificates: files or zips, with a lots file if there is one."""
    whom, _ = whom_of(request)
    problem = ""
    if request.method == "POST":
        files = request.FILES.getlist("files")
        year = typed.year(request.POST.get("ano", ""))
        problem = problem_of(files, year)
        if not problem:
            job = jobs.ask(
                "upload",
                party=whom.entity,
                person=_me(request),
                title=title_of(files),
                asked={"norm": whom.norm, "year": year} | _correction(request),
                files=[(file.name or "arquivo", file.read()) for file in files],
            )
            return redirect(reverse("upload", args=[job.pk]))
    most = settings.LASTRO_MOST_UPLOAD_BYTES // (1024 * 1024)
    said = request.POST if request.method == "POST" else request.GET
    context = {
        "whom": whom, "problem": problem, "most": most, "corrects": said.get("corrige", "")[:200],
        "reason": said.get("motivo", "")[:300],
    }  # fmt: skip
    return render(request, "lastro/entity/upload_new.html", context, status=400 if problem else 200)


def _correction(request: HttpRequest) -> dict[str, str]:
    """Which file these stand in for and why, where that was said; what was handed in before stays."""
    corrects, reason = request.POST.get("corrige", "")[:200], request.POST.get("motivo", "").strip()[:300]
    return {"corrects": corrects, "reason": f"no lugar de {corrects}: {reason}"} if corrects else {}


def _me(request: HttpRequest) -> Any:
    return request.user


def title_of(files: list[Any]) -> str:
    first = str(files[0].name)
    return first if len(files) == 1 else f"{first} e mais {len(files) - 1}"


def problem_of(files: list[Any], year: int | None) -> str:
    """Why these files can't be taken, in words; empty when they can."""
    most = settings.LASTRO_MOST_UPLOAD_BYTES
    if not files:
        return translate("Escolha ao menos um arquivo.")
    if year is None:
        return translate("Diga o ano da meta com quatro algarismos.")
    strange = [str(file.name) for file in files if not str(file.name).lower().endswith(_KINDS)]
    if strange:
        return _strange(strange)
    if sum(file.size or 0 for file in files) > most:
        told = {"most": most // (1024 * 1024)}
        return translate("Os arquivos passam de %(most)s MB; divida em mais de um envio.") % told
    return ""


def _strange(names: list[str]) -> str:
    """Every file that is of no kind read here, so that one look tells what to take out."""
    more = len(names) - _MOST_NAMED
    told = "; ".join(names[:_MOST_NAMED]) + (
        translate(" e mais %(more)s") % {"more": more} if more > 0 else ""
    )
    said = translate(
        "Nada foi enviado. Não se lê aqui: %(files)s. Tire e envie o resto, ou mande como %(kinds)s."
    )
    return said % {"files": told, "kinds": ", ".join(_KINDS)}


@require_GET
@scope(Scope.ENTITY_READ)
def upload(request: HttpRequest, job: str) -> HttpResponse:
    """How far one upload got, and what became of its files."""
    found = _mine(request, job)
    return render(request, "lastro/entity/upload.html", _shown(found))


@require_GET
@scope(Scope.ENTITY_READ)
def upload_progress(request: HttpRequest, job: str) -> HttpResponse:
    """The part of that page that changes, for the script that asks again."""
    found = _mine(request, job)
    response = render(request, "lastro/entity/_progress.html", _shown(found))
    response["X-Lastro-Over"] = "sim" if found.over else "nao"
    return response


def _mine(request: HttpRequest, job: str) -> Job:
    found = Job.objects.filter(pk=job, party=request.party, kind="upload").first()  # type: ignore[attr-defined]
    if found is None:
        raise Http404
    return found


def _shown(job: Job) -> dict[str, Any]:
    known = catalogue()
    codes = sorted(job.answer.get("codes", {}).items(), key=lambda item: (-item[1], item[0]))
    return {
        "job": job,
        "nobody": not job.over and not presence.anybody(),
        "outcomes": job.answer.get("outcomes", {}),
        "codes": [
            (code, known[code].severity, known[code].message[tongue()], known[code].cure[tongue()], n)
            for code, n in codes
        ],
        "part": job.done * 1000 // job.total if job.total else 0,
    }


urls = [
    path("entidade/envios/", upload_list, name="uploads"),
    path("entidade/envios/novo/", upload_new, name="upload-new"),
    path("entidade/envios/<uuid:job>/", upload, name="upload"),
    path("entidade/envios/<uuid:job>/andamento/", upload_progress, name="upload-progress"),
]
