"""The recycler: which loads came, what they weighed, which certificates are missing, what differs."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.ids import masked
from lastro.web import office, typed
from lastro.web.readings import recycler as readings
from lastro.web.readings.loads import Told
from lastro.web.readings.loads import told as loads_told
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table

_LOADS: tuple[Column[readings.Load], ...] = (
    Column("nota", "Nota", lambda r: r.number, link=lambda r: reverse("recycler-load", args=[r.key])),
    Column("emitida", "Emitida em", lambda r: r.issued_on),
    Column("vende", "Quem vendeu", lambda r: r.seller, choice=True),
    Column("material", "Material", lambda r: r.materials, choice=True),
    Column("massa", "Pela nota", lambda r: r.mass),
    Column("mtr", "MTR", lambda r: r.manifest_numbers),
    Column("mtr_massa", "Pelo MTR", lambda r: r.manifest_mass),
    Column("diferenca", "MTR menos nota", lambda r: r.difference),
    Column("cdf", "CDF", lambda r: r.certificate_numbers),
    Column("papeis", "Papéis", lambda r: r.papers, choice=True),
    Column("situacao", "Você disse", lambda r: r.state, choice=True),
)


@require_GET
@scope(Scope.RECYCLER_READ)
def loads(request: HttpRequest) -> HttpResponse:
    """The loads that notes say this recycler bought, to confirm or to deny."""
    rows = readings.loads(request.party)  # type: ignore[attr-defined]
    made = table(request, rows, _LOADS, caption="Cargas que vieram para você")
    if isinstance(made, HttpResponse):
        return made
    context = {
        "table": made,
        "open": sum(row.state == readings.TO_CONFIRM for row in rows),
        "missing": sum(row.papers == "sem CDF" for row in rows),
        "denied": sum(row.state == readings.DENIED for row in rows),
    }
    return render(request, "lastro/recycler/loads.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.RECYCLER_CONFIRM)
def load(request: HttpRequest, key: str) -> HttpResponse:
    """One load: what the papers say, and what the recycler says came of it."""
    found = readings.load(request.party, key)  # type: ignore[attr-defined]
    if found is None:
        raise Http404
    problem = ""
    if request.method == "POST":
        problem = _say(request, found)
        if not problem:
            messages.success(request, translate("Guardado. A entidade que enviou a nota já o vê."))
            return redirect("recycler")
    context = {"load": found, "problem": problem, "posted": request.POST}
    return render(request, "lastro/recycler/load.html", context, status=400 if problem else 200)


def _say(request: HttpRequest, found: readings.Load) -> str:
    user: Any = request.user
    answer = request.POST.get("answer", "")
    if answer not in ("received", "denied"):
        return "Diga se a carga chegou ou não."
    received, on = None, None
    try:
        if answer == "received":
            received = typed.mass(request.POST.get("mass", ""))
            on = _day(request.POST.get("day", ""))
        readings.say(
            found,
            recycler=request.party,  # type: ignore[attr-defined]
            received=received,
            received_on=on,
            reason=request.POST.get("reason", "")[:1000],
            by=user.email,
            on=office.today(),
        )
    except (LastroError, ValueError) as wrong:
        return str(wrong)
    return ""


def _day(text: str) -> date:
    """The day of a form. Raises ValueError, in Portuguese."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise ValueError("Escreva o dia em que a carga chegou à balança.") from None


_CERTIFICATES: tuple[Column[readings.Certificate], ...] = (
    Column("cdf", "CDF", lambda r: r.number),
    Column("declarado", "Declarado", lambda r: r.declared_on),
    Column("periodo", "Período", lambda r: r.period),
    Column("gerador", "Gerador", lambda r: r.generator, choice=True),
    Column("mtrs", "MTR listados", lambda r: r.listed),
    Column("recebida", "Nos MTR", lambda r: r.received),
    Column("certificada", "Certificada", lambda r: r.certified),
    Column("diferenca", "CDF menos MTR", lambda r: r.difference),
    Column("notas", "Nas notas", lambda r: r.noted),
    Column("soma", "Soma do ano", lambda r: r.running),
)


@require_GET
@scope(Scope.RECYCLER_READ)
def certificates(request: HttpRequest) -> HttpResponse:
    """The certificates of destination that this recycler declared, against its manifests and its notes."""
    party: str = request.party  # type: ignore[attr-defined]
    known = readings.loads(party)
    rows = readings.certificates(party, known)
    made = table(request, rows, _CERTIFICATES, caption="Certificados de destinação final (CDF)")
    if isinstance(made, HttpResponse):
        return made
    missing = [row for row in known if row.papers == "sem CDF"]
    return render(request, "lastro/recycler/certificates.html", {"table": made, "missing": missing})


_TOLD: tuple[Column[Told], ...] = (
    Column("nota", "Chave da nota", lambda r: r.receipt.key),
    Column("quem", "Quem compra", lambda r: office.name_of(r.receipt.recycler) or masked(r.receipt.recycler)),
    Column("disse", "Disse", lambda r: r.answer, choice=True),
    Column("massa", "Pela nota", lambda r: r.receipt.stated),
    Column("recebida", "Na balança", lambda r: r.receipt.received),
    Column("quando", "Dito em", lambda r: r.receipt.on),
    Column("razao", "Por quê", lambda r: r.receipt.reason),
    Column("parecer", "O verificador", lambda r: r.found),
)


@require_GET
@scope(Scope.ENTITY_READ)
def told(request: HttpRequest) -> HttpResponse:
    """What buyers said of the loads that the session's entity handed in."""
    rows = loads_told(request.party)  # type: ignore[attr-defined]
    made = table(request, rows, _TOLD, caption="O que os compradores disseram das cargas")
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/recycler/told.html", {"table": made})


urls = [
    path("entidade/recebimentos/", told, name="receipts"),
    path("reciclador/", loads, name="recycler"),
    path("reciclador/cargas/<slug:key>/", load, name="recycler-load"),
    path("reciclador/cdf/", certificates, name="recycler-certificates"),
]
