"""The verifier of results: its entities, and the statement that makes their lots usable (art. 60)."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from lastro import delivery
from lastro.errors import LastroError
from lastro.facts import Refusal
from lastro.ids import masked
from lastro.reports import Case
from lastro.reports.standing import Version
from lastro.stores.postgres.sampling import Samples
from lastro.units import Mass
from lastro.web import office
from lastro.web.desks.reports import download
from lastro.web.readings import loads, reports
from lastro.web.readings.refusals import in_words
from lastro.web.readings.verifier import Year, entities_of, hand_of, years
from lastro.web.scopes import Scope, scope


@require_GET
@scope(Scope.VERIFIER_READ)
def entities(request: HttpRequest) -> HttpResponse:
    """The entities under contract with the session's verifier."""
    mine = entities_of(request.party)  # type: ignore[attr-defined]
    rows = [
        (
            entity,
            office.name_of(entity),
            [(year, _statements(request, entity, year)) for year in years(entity)],
        )
        for entity in mine
    ]
    return render(request, "lastro/verifier/entities.html", {"rows": rows})


def _statements(request: HttpRequest, entity: str, year: Year) -> list[Version]:
    case = reports.case(office.default_norm(), entity, year.year)
    return reports.statements_of(case, request.party)  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
@scope(Scope.VERIFIER_HOMOLOGATE)
def homologate(request: HttpRequest, entity: str, year: int) -> HttpResponse:
    """Declare that the lots of an entity's year were verified; asked twice, it is declared once."""
    if entity not in entities_of(request.party):  # type: ignore[attr-defined]
        raise Http404
    found = next((one for one in years(entity) if one.year == year), None)
    if found is None:
        raise Http404
    into, out = loads.to_homologate(entity, year, verifier=request.party)  # type: ignore[attr-defined]
    refusal = None
    if request.method == "POST":
        answer = office.store().homologate(
            entity,
            verifier=request.party,  # type: ignore[attr-defined]
            year=year,
            lots=into if out else None,
            request=f"homologate/{_request_id(request)}",
            happened_on=office.today(),
        )
        if not isinstance(answer, Refusal):
            mass = Mass(int(answer["mass_mg"]))
            told = {"lots": answer["lots"], "entity": masked(entity), "mass": mass}
            one = _("Declarado 1 lote de %(entity)s: %(mass)s.")
            many = _("Declarados %(lots)s lotes de %(entity)s: %(mass)s.")
            messages.success(request, (one if answer["lots"] == 1 else many) % told)
            return redirect(reverse("verifier"))
        refusal = in_words(answer)
    context = {"entity": entity, "name": office.name_of(entity), "year": found, "refusal": refusal}
    context |= {"into": len(into), "out": out}
    context["request_id"] = uuid4()
    return render(request, "lastro/verifier/homologate.html", context, status=409 if refusal else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.VERIFIER_HOMOLOGATE)
def statement(request: HttpRequest, entity: str, year: int) -> HttpResponse:
    """Issue the statement on what was homologated; what nobody looked at by hand asks for a reason first."""
    verifier: str = request.party  # type: ignore[attr-defined]
    if entity not in entities_of(verifier):
        raise Http404
    case = reports.case(office.default_norm(), entity, year)
    samples = delivery.samples(office.store(), case, verifier)
    problem = _leave(request, samples) if request.method == "POST" else ""
    looked = samples.by_hand()
    if request.method == "POST" and not problem and not looked.unsaid:
        return _issue(request, case, verifier)
    context = {"entity": entity, "name": office.name_of(entity), "year": year, "problem": problem}
    context |= {"looked": looked, "posted": request.POST}
    status = 400 if request.method == "POST" else 200
    return render(request, "lastro/verifier/statement.html", context, status=status)


def _leave(request: HttpRequest, samples: Samples) -> str:
    """Keep why not everything was looked at, where the form says it; what is wrong with it, if anything."""
    if "reason" not in request.POST:
        return ""
    if "sure" not in request.POST:
        return _("Marque que a declaração sai sem o que falta conferir, ou confira antes.")
    try:
        reason = request.POST["reason"][:1000]
        samples.leave(reason=reason, by=request.user.email, on=office.today())  # type: ignore[union-attr]
    except LastroError as wrong:
        return str(wrong)
    return ""


def _issue(request: HttpRequest, case: Case, verifier: str) -> HttpResponse:
    entity = case.entity
    try:
        done = delivery.issue_statement(office.store(), case, verifier=verifier, sign=hand_of(verifier))
    except LastroError as wrong:
        messages.error(request, str(wrong))
        return redirect("verifier")
    if isinstance(done, Refusal):
        said = in_words(done)
        messages.error(request, f"{said.code}: {said.message} {said.found} {said.cure}")
    else:
        told = {"number": done.number, "entity": masked(entity)}
        same = _("Declaração %(number)s de %(entity)s continua valendo: nada mudou.")
        issued = _("Declaração %(number)s de %(entity)s emitida e assinada.")
        messages.success(request, (same if done.repeated else issued) % told)
    return redirect("verifier")


@require_GET
@scope(Scope.VERIFIER_READ)
def statement_file(request: HttpRequest, entity: str, year: int, digest: str) -> HttpResponse:
    """A file of a statement that this verifier issued."""
    case = reports.case(office.default_norm(), entity, year)
    found = reports.statements_of(case, request.party)  # type: ignore[attr-defined]
    names = {sha: name for version in found for name, sha in version.files.items()}
    body = delivery.stored_file(office.store(), digest) if digest in names else None
    if body is None:
        raise Http404
    return download(names[digest], body)


def _request_id(request: HttpRequest) -> UUID:
    """The mark of the form that was sent, so that a second click repeats and does not add."""
    try:
        return UUID(request.POST.get("pedido", ""))
    except ValueError:
        return uuid4()


urls = [
    path("verificador/", entities, name="verifier"),
    path("verificador/<slug:entity>/<int:year>/", homologate, name="homologate"),
    path("verificador/<slug:entity>/<int:year>/declaracao/", statement, name="statement"),
    path(
        "verificador/<slug:entity>/<int:year>/declaracao/<slug:digest>/",
        statement_file,
        name="statement-file",
    ),
]
