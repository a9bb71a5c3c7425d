"""Offers: an entity offers, sells a part and withdraws; a company looks; the agency cancels what was sold."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.certificates import counter as room
from lastro.certificates.port import NOTHING, Answer, Part
from lastro.facts import Refusal
from lastro.ids import bare
from lastro.web import office, trail, typed
from lastro.web.readings import certificates, offers
from lastro.web.readings.refusals import in_words
from lastro.web.scopes import Scope, scope


def _mark(request: HttpRequest) -> str:
    try:
        return UUID(request.POST.get("pedido", "")).hex
    except ValueError:
        return uuid4().hex


@require_http_methods(["GET", "POST"])
@scope(Scope.CERTIFICATE_PREPARE)
def offer(request: HttpRequest) -> HttpResponse:
    """Set mass apart for whoever buys; a second click on the same form offers nothing more."""
    entity: str = request.party  # type: ignore[attr-defined]
    counter = certificates.counter()
    said = {name: request.POST.get(name, "").strip()[:100] for name in ("group", "kg", "ano")}
    refusal, problem = None, ""
    if request.method == "POST":
        identity = f"{entity}-{_mark(request)}"
        answer = _offered(request, counter, identity, said)
        if isinstance(answer, str):
            problem = answer
        elif isinstance(answer, Refusal):
            refusal = in_words(answer)
        else:
            messages.success(request, _("Oferecido: a massa está separada para quem comprar."))
            return redirect(reverse("certificate", args=[identity]))
    context = {
        "groups": counter.regulation.groups, "typed": said, "problem": problem, "refusal": refusal,
        "mark": uuid4(),
        "years": sorted({pool.year for pool in office.store().pools(entity=entity)}, reverse=True),
    }  # fmt: skip
    status = 409 if refusal else 400 if problem else 200
    return render(request, "lastro/certificates/offer.html", context, status=status)


def _offered(request: HttpRequest, counter: Any, identity: str, said: dict[str, str]) -> Answer | str:
    user: Any = request.user
    materials = certificates.materials_of(counter.regulation, said["group"])
    if not materials:
        return _("Escolha o material.")
    year = typed.year(said["ano"])
    if year is None:
        return _("Diga o ano das notas com quatro algarismos.")
    try:
        mass = typed.mass(said["kg"])
    except ValueError as wrong:
        return str(wrong)
    return room.offer(
        counter,
        identity,
        entity=request.party,  # type: ignore[attr-defined]
        materials=materials,
        mass=mass,
        year=year,
        by=user.email,
        on=office.today(),
    )


@require_http_methods(["GET", "POST"])
@scope(Scope.CERTIFICATE_PREPARE)
def sell(request: HttpRequest, name: str) -> HttpResponse:
    """Prepare a certificate out of an offer for one buyer; the rest stays offered."""
    found = _mine(request, name)
    said = {field: request.POST.get(field, "").strip()[:100] for field in ("holder", "kg", "investment")}
    refusal, problem = None, ""
    if request.method == "POST":
        identity = f"{found.certificate.entity}-{_mark(request)}"
        answer = _sold(request, found, identity, said)
        if isinstance(answer, str):
            problem = answer
        elif isinstance(answer, Refusal):
            refusal = in_words(answer)
        else:
            messages.success(request, _("Preparado: falta outra pessoa autorizar. O resto segue oferecido."))
            return redirect(reverse("certificate", args=[identity]))
    context = {
        "shown": found, "buyers": certificates.buyers(found.certificate.entity), "typed": said,
        "problem": problem, "refusal": refusal, "mark": uuid4(),
    }  # fmt: skip
    status = 409 if refusal else 400 if problem else 200
    return render(request, "lastro/certificates/sell.html", context, status=status)


def _sold(
    request: HttpRequest, found: certificates.Shown, identity: str, said: dict[str, str]
) -> Answer | str:
    user: Any = request.user
    try:
        paid = typed.money(said["investment"])
        part = Part(identity, typed.mass(said["kg"]), bare(said["holder"]), paid or NOTHING)
    except ValueError as wrong:
        return str(wrong)
    if not part.holder:
        return _("Escolha o estabelecimento que compra.")
    counter = certificates.counter(found.certificate.norm)
    request_id = f"sell/{identity}"
    return room.sell(
        counter, found.certificate.id, sold=part, by=user.email, on=office.today(), request=request_id
    )


@require_POST
@scope(Scope.CERTIFICATE_PREPARE)
def withdraw(request: HttpRequest, name: str) -> HttpResponse:
    """Take back what was offered or prepared: the mass goes back to its lots."""
    found, user = _mine(request, name), _user(request)
    reason = request.POST.get("reason", "").strip()[:500]
    page = redirect(reverse("certificate", args=[found.certificate.id]))
    if not reason:
        messages.error(request, _("Escreva por que se retira."))
        return page
    answer = certificates.book().withdraw(
        found.certificate.id, reason=reason, by=user.email, on=office.today()
    )
    if isinstance(answer, Refusal):
        messages.error(request, in_words(answer).message)
    else:
        messages.success(request, _("Retirado: a massa voltou aos lotes."))
    return page


def _mine(request: HttpRequest, name: str) -> certificates.Shown:
    found = certificates.one_of(name, entity=request.party)  # type: ignore[attr-defined]
    if found is None:
        raise Http404
    return found


def _user(request: HttpRequest) -> Any:
    return request.user


@require_GET
@scope(Scope.COMPANY_READ)
def offered(request: HttpRequest) -> HttpResponse:
    """What is offered to the company by the entities to which it adheres."""
    found = offers.for_company(request.party)  # type: ignore[attr-defined]
    return render(request, "lastro/company/offers.html", {"found": found})


# ── what leans on evidence that died ─────────────────────────────────────────────────────────────────


@require_GET
@scope(Scope.COMPANY_READ)
def company_falls(request: HttpRequest) -> HttpResponse:
    """What the company holds or used and lost its evidence, what it lacks by when."""
    found = offers.falls_of_company(request.party)  # type: ignore[attr-defined]
    return render(request, "lastro/certificates/falls.html", {"found": found, "own": "company"})


@require_GET
@scope(Scope.ENTITY_READ)
def entity_falls(request: HttpRequest) -> HttpResponse:
    """What the entity claimed and lost its evidence, and whom that reaches."""
    found = offers.falls_of_entity(request.party)  # type: ignore[attr-defined]
    return render(request, "lastro/certificates/falls.html", {"found": found, "own": "entity"})


# ── the agency ───────────────────────────────────────────────────────────────────────────────────────


@require_http_methods(["GET", "POST"])
@scope(Scope.AGENCY_WORK)
def cancel(request: HttpRequest) -> HttpResponse:
    """Look a certificate up by its number, and cancel it with a reason: also after it was used."""
    asked = (request.POST if request.method == "POST" else request.GET).get("numero", "").strip()[:60]
    found = offers.issued_one(asked) if asked else None
    refusal, problem = None, ""
    if asked and found is None:
        problem = _("Nenhum certificado emitido aqui tem esse número. Copie de novo, com o dígito.")
    elif found is not None:
        trail.about(request, "certificate", found.certificate.id)
    if request.method == "POST" and found is not None:
        reason = request.POST.get("reason", "").strip()[:500]
        answer = _cancelled(request, found, reason) if reason else None
        if answer is None:
            problem = _("Escreva por que o órgão cancela.")
        elif isinstance(answer, Refusal):
            refusal = in_words(answer)
        else:
            messages.success(
                request, _("Cancelado: não vale mais, e o que foi usado falta à meta da titular.")
            )
            return redirect(f"{reverse('certificate-cancel')}?numero={found.certificate.number}")
    context = {"typed": asked, "shown": found, "refusal": refusal, "problem": problem}
    status = 409 if refusal else 400 if problem else 200
    return render(request, "lastro/agency/cancel.html", context, status=status)


def _cancelled(request: HttpRequest, found: certificates.Shown, reason: str) -> Answer:
    counter = certificates.counter(found.certificate.norm)
    by = _user(request).email
    return room.cancel(counter, found.certificate.id, reason=reason, by=by, on=office.today())


urls = [
    path("entidade/ofertas/nova/", offer, name="offer"),
    path("entidade/ofertas/<str:name>/vender/", sell, name="offer-sell"),
    path("entidade/certificados/<str:name>/retirar/", withdraw, name="certificate-withdraw"),
    path("entidade/quedas/", entity_falls, name="entity-falls"),
    path("empresa/ofertas/", offered, name="offers"),
    path("empresa/quedas/", company_falls, name="company-falls"),
    path("orgao/certificados/", cancel, name="certificate-cancel"),
]
