"""Certificates of a managing entity: one person prepares, another authorises, a job writes and signs."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.certificates import counter as room
from lastro.certificates.states import Move, State
from lastro.facts import Refusal
from lastro.ids import bare
from lastro.units import MG_PER_KG
from lastro.web import jobs, office, presence
from lastro.web import typed as typing
from lastro.web.models import Job
from lastro.web.readings import certificates
from lastro.web.readings.refusals import Refused, in_words
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.tags.shown import cnpj, tone, word


@require_GET
@scope(Scope.ENTITY_READ)
def certificate_list(request: HttpRequest) -> HttpResponse:
    """Every certificate of the session's entity."""
    found = certificates.of_entity(request.party)  # type: ignore[attr-defined]
    made = table(request, found, _LIST, caption="Certificados")
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/certificates/list.html", {"table": made})


_LIST: list[Column[certificates.Shown]] = [
    Column(
        "numero", "Certificado", lambda x: x.certificate.number or "ainda sem número",
        link=lambda x: reverse("certificate", args=[x.certificate.id]),
    ),
    Column("titular", "Titular", lambda x: x.holder_name if x.certificate.holder else "oferta"),
    Column("cnpj", "CNPJ do titular", lambda x: cnpj(x.certificate.holder) if x.certificate.holder else ""),
    Column("ano", "Ano", lambda x: str(x.certificate.year), choice=True),
    Column("material", "Material", lambda x: ", ".join(word(m.value) for m in x.materials), choice=True),
    Column(
        "estado", "Estado", lambda x: x.words + (" (K11)" if x.certificate.stale else ""),
        choice=True, tone=lambda x: "asks" if x.certificate.stale else tone(x.state.value),
    ),
    Column("massa", "Massa", lambda x: x.certificate.mass),
]  # fmt: skip


@require_http_methods(["GET", "POST"])
@scope(Scope.CERTIFICATE_PREPARE)
def prepare(request: HttpRequest) -> HttpResponse:
    """Set mass apart for a buyer; a second click on the same form prepares nothing more."""
    entity: str = request.party  # type: ignore[attr-defined]
    counter = certificates.counter()
    typed = {
        name: request.POST.get(name, "").strip()[:100]
        for name in ("group", "kg", "holder", "investment", "ano")
    }
    refusal, problem = None, ""
    if request.method == "POST":
        identity = f"{entity}-{_mark(request)}"
        answer = _prepare(request, counter, entity, identity, typed)
        if isinstance(answer, str):
            problem = answer
        elif isinstance(answer, Refusal):
            refusal = in_words(answer)
        else:
            messages.success(
                request, translate("Preparado: a massa está separada. Falta outra pessoa autorizar.")
            )
            return redirect(reverse("certificate", args=[identity]))
    context = {
        "groups": counter.regulation.groups, "buyers": certificates.buyers(entity), "typed": typed,
        "problem": problem, "refusal": refusal, "mark": uuid4(),
        "years": sorted({pool.year for pool in office.store().pools(entity=entity)}, reverse=True),
    }  # fmt: skip
    status = 409 if refusal else 400 if problem else 200
    return render(request, "lastro/certificates/prepare.html", context, status=status)


def _mark(request: HttpRequest) -> str:
    try:
        return UUID(request.POST.get("pedido", "")).hex
    except ValueError:
        return uuid4().hex


def _prepare(request: HttpRequest, counter: Any, entity: str, identity: str, typed: dict[str, str]) -> Any:
    """Read the form and ask the room; a text is what is wrong with the form."""
    user: Any = request.user
    materials = certificates.materials_of(counter.regulation, typed["group"])
    if not materials:
        return "Escolha o material."
    year = typing.year(typed["ano"])
    if year is None:
        return "Diga o ano das notas com quatro algarismos."
    try:
        mass, investment = typing.mass(typed["kg"]), typing.money(typed["investment"])
    except ValueError as wrong:
        return str(wrong)
    if mass.mg % (MG_PER_KG // 1000):
        return "Escreva a massa até o grama: no máximo três casas depois da vírgula."
    return room.prepare(
        counter,
        identity,
        entity=entity,
        holder=bare(typed["holder"]),
        materials=materials,
        mass=mass,
        year=year,
        investment=investment,
        by=user.email,
        on=office.today(),
    )


@require_GET
@scope(Scope.ENTITY_READ)
def one(request: HttpRequest, name: str) -> HttpResponse:
    """One certificate: what it is, what happened to it, what may be done next."""
    return _page(request, _mine(request, name), None)


def _mine(request: HttpRequest, name: str) -> certificates.Shown:
    found = certificates.one_of(name, entity=request.party)  # type: ignore[attr-defined]
    if found is None:
        raise Http404
    return found


def _page(request: HttpRequest, found: certificates.Shown, refusal: Refused | None) -> HttpResponse:
    user: Any = request.user
    today = office.today()
    job = (
        Job.objects.filter(kind="issue", asked__certificate=found.certificate.id)
        .order_by("-asked_at")
        .first()
    )
    context = {
        "shown": found,
        "refusal": refusal,
        "may_authorise": Scope.CERTIFICATE_AUTHORISE in user.scopes and found.state is State.PREPARED,
        "may_refuse": Scope.CERTIFICATE_AUTHORISE in user.scopes
        and found.state in (State.PREPARED, State.AUTHORISED),
        "may_issue_again": Scope.CERTIFICATE_AUTHORISE in user.scopes
        and found.state is State.AUTHORISED
        and (job is None or job.over),
        "may_sell": Scope.CERTIFICATE_PREPARE in user.scopes and found.certificate.takes(Move.SELL, today),
        "may_withdraw": Scope.CERTIFICATE_PREPARE in user.scopes
        and found.certificate.takes(Move.WITHDRAW, today),
        "job": job,
        "nobody": job is not None and not job.over and not presence.anybody(),
        "own": found.certificate.prepared_by == user.email,
    }
    return render(request, "lastro/certificates/one.html", context, status=409 if refusal else 200)


@require_POST
@scope(Scope.CERTIFICATE_AUTHORISE)
def authorise(request: HttpRequest, name: str) -> HttpResponse:
    """Allow the sale, as another person than who prepared it; the paper is then written and signed."""
    found, user = _mine(request, name), _me(request)
    if found.state is not State.AUTHORISED:
        answer = certificates.book().authorise(found.certificate.id, by=user.email, on=office.today())
        if isinstance(answer, Refusal):
            return _page(request, found, in_words(answer))
    ask_for_paper(request, found)
    return redirect(reverse("certificate", args=[found.certificate.id]))


def _me(request: HttpRequest) -> Any:
    return request.user


def ask_for_paper(request: HttpRequest, found: certificates.Shown) -> None:
    """One job at a time writes the paper of a certificate; asked again after a failure, a new one does."""
    mine = Job.objects.filter(kind="issue", asked__certificate=found.certificate.id)
    if mine.exclude(state__in=[Job.State.DONE, Job.State.FAILED]).exists():
        return
    jobs.ask(
        "issue",
        party=found.certificate.entity,
        person=_me(request),
        title=f"Certificado de {found.certificate.mass}",
        asked={"certificate": found.certificate.id, "by": _me(request).email},
    )


@require_POST
@scope(Scope.CERTIFICATE_AUTHORISE)
def refuse(request: HttpRequest, name: str) -> HttpResponse:
    """Give the mass back to its lots, with the reason."""
    found = _mine(request, name)
    reason = request.POST.get("reason", "").strip()[:500]
    if not reason:
        messages.error(request, translate("Escreva a razão da recusa."))
        return redirect(reverse("certificate", args=[found.certificate.id]))
    answer = certificates.book().refuse(
        found.certificate.id, reason=reason, by=_me(request).email, on=office.today()
    )
    if isinstance(answer, Refusal):
        return _page(request, found, in_words(answer))
    messages.success(request, translate("Recusado: a massa voltou aos lotes."))
    return redirect(reverse("certificate", args=[found.certificate.id]))


@require_GET
@scope(Scope.ENTITY_READ)
def progress(request: HttpRequest, name: str) -> HttpResponse:
    """The part of the page that changes while the paper is made."""
    found = _mine(request, name)
    job = (
        Job.objects.filter(kind="issue", asked__certificate=found.certificate.id)
        .order_by("-asked_at")
        .first()
    )
    nobody = job is not None and not job.over and not presence.anybody()
    response = render(request, "lastro/certificates/_progress.html", {"job": job, "nobody": nobody})
    response["X-Lastro-Over"] = "sim" if job is None or job.over else "nao"
    return response


@require_GET
@scope(Scope.ENTITY_READ)
def paper(request: HttpRequest, name: str) -> HttpResponse:
    """The signed PDF, as it was kept."""
    return paper_of(_mine(request, name))


def paper_of(found: certificates.Shown) -> HttpResponse:
    """A certificate's signed PDF as a download. Raises Http404 while there is none."""
    body = certificates.book().paper(found.certificate.id)
    if body is None:
        raise Http404
    response = HttpResponse(body, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{found.certificate.number}.pdf"'
    return response


urls = [
    path("entidade/certificados/", certificate_list, name="certificates"),
    path("entidade/certificados/preparar/", prepare, name="certificate-prepare"),
    path("entidade/certificados/<str:name>/", one, name="certificate"),
    path("entidade/certificados/<str:name>/autorizar/", authorise, name="certificate-authorise"),
    path("entidade/certificados/<str:name>/recusar/", refuse, name="certificate-refuse"),
    path("entidade/certificados/<str:name>/andamento/", progress, name="certificate-progress"),
    path("entidade/certificados/<str:name>/papel.pdf", paper, name="certificate-paper"),
]
