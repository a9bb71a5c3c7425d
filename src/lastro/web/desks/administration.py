"""Looking after the whole: keys, work in the background, copies and recounts."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.web import caretaking, jobs, office, trail
from lastro.web.models import ApiKey, Job
from lastro.web.presence import anybody
from lastro.web.readings import administration as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import table


@require_GET
@scope(Scope.PEOPLE_MANAGE)
def keys(request: HttpRequest) -> HttpResponse:
    """Every key ever made: whose, for whom, until when, last used when."""
    found = ApiKey.objects.select_related("person").order_by("-pk")
    made = table(request, found, readings.KEYS, caption="Chaves")
    if isinstance(made, HttpResponse):
        return made
    live = [key for key in found if readings.key_state(key) == "vale"]
    return render(request, "lastro/admin/keys.html", {"table": made, "live": live})


@require_POST
@scope(Scope.PEOPLE_MANAGE)
def revoke_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Take anybody's key back at once."""
    found = ApiKey.objects.filter(pk=pk, revoked_at=None)
    if not found.update(revoked_at=timezone.now()):
        raise Http404
    messages.success(request, translate("A chave não abre mais nada."))
    return redirect("admin-keys")


@require_GET
@scope(Scope.PEOPLE_MANAGE)
def work(request: HttpRequest) -> HttpResponse:
    """Everybody's work in the background: how it stands, what failed and why, what nobody has in hand."""
    found = readings.work()
    made = table(request, found, readings.WORK, caption="Trabalhos")
    if isinstance(made, HttpResponse):
        return made
    context = {
        "table": made,
        "failed": [one for one in found if one.job.state == Job.State.FAILED][:50],
        "worker": anybody(),
    }
    return render(request, "lastro/admin/jobs.html", context)


@require_POST
@scope(Scope.PEOPLE_MANAGE)
def retry(request: HttpRequest, job: str) -> HttpResponse:
    """Have a failed job done again, or throw its files away."""
    found = Job.objects.filter(pk=job).first()
    if found is None:
        raise Http404
    trail.about(request, "job", str(found.pk))
    if request.POST.get("do") == "discard":
        done, said = caretaking.discard(found), "Os arquivos deste trabalho foram descartados."
    else:
        done, said = caretaking.retry(found), "O trabalho voltou para a fila."
    if done:
        messages.success(request, said)
    else:
        messages.error(
            request, translate("Este trabalho não está entre os que falharam, ou não tem mais arquivos.")
        )
    return redirect("admin-jobs")


@require_http_methods(["GET", "POST"])
@scope(Scope.PEOPLE_MANAGE)
def backups(request: HttpRequest) -> HttpResponse:
    """Where everything is kept, when it was last copied as far as anybody said, what a recount found."""
    user: Any = request.user
    problem = ""
    if request.method == "POST" and request.POST.get("do") == "audit":
        jobs.ask("audit", party="", person=user, title="Recontagem", asked={})
        messages.success(request, translate("A recontagem foi para a fila; o resultado aparece aqui."))
        return redirect("backups")
    if request.method == "POST":
        problem = readings.tell_backup(
            where=request.POST.get("onde", ""),
            day=request.POST.get("dia", ""),
            digest=request.POST.get("sha256", ""),
            by=user.email,
            today=office.today(),
        )
        if not problem:
            messages.success(request, translate("A cópia ficou registrada."))
            return redirect("backups")
    context = {
        "kept": caretaking.kept(),
        "copies": readings.backups(),
        "audit": readings.last_audit(),
        "problem": problem,
        "typed": request.POST,
        "today": office.today(),
    }
    return render(request, "lastro/admin/backups.html", context, status=400 if problem else 200)


urls = [
    path("administracao/chaves/", keys, name="admin-keys"),
    path("administracao/chaves/<int:pk>/revogar/", revoke_key, name="admin-key-revoke"),
    path("administracao/trabalhos/", work, name="admin-jobs"),
    path("administracao/trabalhos/<uuid:job>/", retry, name="job-retry"),
    path("administracao/copias/", backups, name="backups"),
]
