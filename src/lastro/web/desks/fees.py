"""The fee of an establishment by the quarter: facts in, the assessment with its why, what was paid."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.errors import LastroError
from lastro.quarters import quarter_of
from lastro.reports.fee_statement import ASSESSMENT
from lastro.stores.postgres.filings import Filings
from lastro.units import Money
from lastro.web import office, typed
from lastro.web.readings import fees as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table

_MOST_FACTS = 200_000
_MOST_PROOF = 5_000_000
_QUARTERS: list[Column[readings.Quarter]] = [
    Column(
        "trimestre", "Trimestre", lambda q: q.period, words=lambda p: f"{p[-1]}º de {p[:4]}",
        link=lambda q: reverse("fee", args=[q.year, q.quarter]),
    ),
    Column("vence", "Vencimento", lambda q: q.made.due if q.made else None),
    Column("total", "Total no dia", lambda q: q.made.total if q.made else None),
    Column("pago", "Pago", lambda q: q.paid if q.payments else None),
    Column("situacao", "Situação", lambda q: q.words, choice=True, tone=lambda q: q.tone),
]  # fmt: skip


def _party(request: HttpRequest) -> str:
    party: str = request.party  # type: ignore[attr-defined]
    return party


def _me(request: HttpRequest) -> str:
    user: Any = request.user
    return str(user.email)


@require_GET
@scope(Scope.COMPANY_READ)
def fee_list(request: HttpRequest) -> HttpResponse:
    """The quarters of the establishment: due, owed, paid."""
    made = table(request, readings.quarters(_party(request)), _QUARTERS, caption="Taxa por trimestre")
    if isinstance(made, HttpResponse):
        return made
    context = {"table": made, "norm": readings.regulation().norm}
    return render(request, "lastro/fees/list.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.FEE_FILE)
def fee_new(request: HttpRequest) -> HttpResponse:
    """Facts by a form or by a file; they are kept with what they come to."""
    problem = ""
    if request.method == "POST":
        try:
            charged = readings.keep(_party(request), _facts(request), by=_me(request))
        except LastroError as wrong:
            problem = str(wrong)
        else:
            return redirect(reverse("fee", args=[charged.year, charged.quarter]))
    return render(request, "lastro/fees/new.html", _form(request, problem), status=400 if problem else 200)


def _facts(request: HttpRequest) -> dict[str, Any]:
    file = request.FILES.get("fatos")
    if file is None:
        return readings.facts_typed(_party(request), dict(request.POST.lists()))
    if (file.size or 0) > _MOST_FACTS:
        raise LastroError("O arquivo de fatos é grande demais: é um JSON de um trimestre só.")
    return readings.read_facts(file.read())


def _form(request: HttpRequest, problem: str) -> dict[str, Any]:
    today, posted = office.today(), request.POST
    rows = list(zip(*(posted.getlist(name) for name in ("atividade", "comecou", "terminou")), strict=False))
    blank = ("", "", "")
    return {
        "problem": problem,
        "year": posted.get("ano") or today.year,
        "quarter": posted.get("trimestre") or str(quarter_of(today)),
        "town": posted.get("municipio") or office.registry().municipality(_party(request)) or "",
        "person": posted.get("pessoa") or "company",
        "persons": readings.PERSONS,
        "revenue": posted.get("receita", ""),
        "mei": bool(posted.get("mei")),
        "rows": (rows + [blank] * readings.MOST_ACTIVITIES)[: readings.MOST_ACTIVITIES],
        "activities": readings.activities(),
        "norm": readings.regulation().norm,
    }


@require_GET
@scope(Scope.COMPANY_READ)
def fee(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """One quarter: what it comes to, why, by when, and whether it was paid."""
    return render(request, "lastro/fees/quarter.html", _shown(_mine(request, year, quarter)))


def _shown(found: readings.Quarter, problem: str = "") -> dict[str, Any]:
    return {"found": found, "norm": readings.regulation().norm, "problem": problem, "today": office.today()}


def _mine(request: HttpRequest, year: int, quarter: int) -> readings.Quarter:
    found = readings.one_of(_party(request), year, quarter)
    if found is None:
        raise Http404
    return found


@require_GET
@scope(Scope.COMPANY_READ)
def fee_paper(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """The assessment on paper."""
    found = _mine(request, year, quarter)
    if found.made is None:
        raise Http404
    response = HttpResponse(readings.paper(found, ASSESSMENT), content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="taxa-{found.period}.pdf"'
    return response


@require_POST
@scope(Scope.FEE_FILE)
def fee_pay(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """Say that the quarter was paid, with the proof."""
    found = _mine(request, year, quarter)
    try:
        on, amount, files = _payment(request)
        readings.pay(_party(request), found, on=on, amount=amount, by=_me(request), files=files)
    except LastroError as wrong:
        return render(request, "lastro/fees/quarter.html", _shown(found, str(wrong)), status=400)
    messages.success(request, translate("Pagamento guardado. Os servidores da taxa o veem."))
    return redirect(reverse("fee", args=[year, quarter]))


def _payment(request: HttpRequest) -> tuple[date, Money, list[tuple[str, bytes]]]:
    try:
        on = date.fromisoformat(request.POST.get("dia", ""))
    except ValueError:
        raise LastroError("Diga o dia do pagamento.") from None
    try:
        amount = Money.brl(typed.plain(request.POST.get("valor", "")))
    except ValueError:
        raise LastroError("Escreva o valor pago em reais, como 1.234,56.") from None
    if amount.cents <= 0:
        raise LastroError("O valor pago é maior que zero.")
    file = request.FILES.get("comprovante")
    if file is None:
        return on, amount, []
    if (file.size or 0) > _MOST_PROOF:
        raise LastroError("O comprovante passa de 5 MB.")
    name = str(file.name).replace("\\", "/").rpartition("/")[2][:120] or "comprovante"
    return on, amount, [(name, file.read())]


@require_GET
@scope(Scope.COMPANY_READ)
def fee_proof(request: HttpRequest, year: int, quarter: int, pk: int) -> HttpResponse:
    """The proof that was handed in with a payment."""
    found = _mine(request, year, quarter)
    filing = next((one for one in found.payments if one.id == pk and one.files), None)
    if filing is None:
        raise Http404
    name = filing.files[0][0]
    body = Filings(office.store(), sees=_party(request)).file(pk, name)
    if body is None:
        raise Http404
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    response = HttpResponse(body, content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{safe}"'
    return response


urls = [
    path("empresa/taxa/", fee_list, name="fees"),
    path("empresa/taxa/calcular/", fee_new, name="fee-new"),
    path("empresa/taxa/<int:year>/<int:quarter>/", fee, name="fee"),
    path("empresa/taxa/<int:year>/<int:quarter>/papel.pdf", fee_paper, name="fee-paper"),
    path("empresa/taxa/<int:year>/<int:quarter>/pagamento/", fee_pay, name="fee-pay"),
    path("empresa/taxa/<int:year>/<int:quarter>/comprovante/<int:pk>/", fee_proof, name="fee-proof"),
]
