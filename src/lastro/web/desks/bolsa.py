"""Bolsa Reciclagem for a cooperative: its quarters, what each pays and why; and the sums for everybody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_GET

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.incentives import filed as room
from lastro.lawkit.glossary import label
from lastro.stores.postgres.filings import Filings
from lastro.units import Mass, Money
from lastro.web import office, typed
from lastro.web.downloads import Listed, answer
from lastro.web.marked import gettext_noop
from lastro.web.readings import bolsa as readings
from lastro.web.readings import bolsa_public
from lastro.web.readings.bolsa import Statement
from lastro.web.readings.bolsa_public import Public
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.translating import said

Problems = dict[str, str]
"""What is wrong in a form, by the name of the field."""

_QUARTERS = range(1, 5)

STATES = {
    "draft": gettext_noop("ainda não entregue"),
    "submitted": gettext_noop("entregue, espera análise"),
    "in_analysis": gettext_noop("em análise"),
    "analysed": gettext_noop("analisado, espera o Comitê"),
    "validated": gettext_noop("validado"),
    "rejected": gettext_noop("recusado pelo Comitê"),
    "suspended": gettext_noop("suspenso"),
}
STEPS = {
    "open": gettext_noop("aberto"),
    "proofs_closed": gettext_noop("comprovantes encerrados"),
    "consolidated": gettext_noop("consolidado"),
    "calculated": gettext_noop("calculado"),
    "validated": gettext_noop("conta validada"),
    "granted": gettext_noop("concedido"),
    "transferred": gettext_noop("transferido"),
    "closed": gettext_noop("encerrado"),
}


def state_words(state: str) -> str:
    """How a registration stands, in the language of the page."""
    return said(STATES[state])


def step_of(quarter: Mapping[str, Any]) -> str:
    """How far a quarter has come, in the language of the page; nothing for one that never began."""
    step = STEPS.get(str(quarter.get("step")))
    return said(step) if step else ""


def party_of(request: HttpRequest) -> str:
    """The organisation of the session."""
    return str(request.party)  # type: ignore[attr-defined]


def statement_of(request: HttpRequest, year: int, quarter: int) -> Statement:
    """The quarter that an address names; none that the norm does not know."""
    if quarter not in _QUARTERS:
        raise Http404
    try:
        return readings.statement(party_of(request), year=year, number=quarter)
    except LastroError as wrong:
        raise Http404 from wrong


def filings_of(request: HttpRequest) -> Filings:
    return Filings(office.store(), sees=party_of(request))


def subject_of(request: HttpRequest, kind: Kind, *, period: str = "", name: str = "") -> Subject:
    return Subject(kind, party_of(request), readings.regulation().norm.path, period, name)


def file_next(request: HttpRequest, subject: Subject, body: Mapping[str, Any], **more: Any) -> Filing:
    """File the version after the one that stands. Raises ChangedMeanwhile if another came in between."""
    user: Any = request.user
    filings = filings_of(request)
    before = filings.latest(subject)
    after = before.version if before else 0
    return filings.add(subject, body, by=user.email, on=office.today(), after=after, **more)


def text_of(request: HttpRequest, name: str) -> str:
    """What was typed in a field."""
    return request.POST.get(name, "").strip()[:200]


def money_typed(written: str) -> Money | None:
    """An amount typed in reais; None for anything else."""
    try:
        return Money.brl(typed.plain(written))
    except ValueError:
        return None


@require_GET
@scope(Scope.INCENTIVE_FILE)
def home(request: HttpRequest) -> HttpResponse:
    """How the organisation stands: its registration, and its quarters."""
    filed = readings.everything()
    standing = filed.standing(party_of(request))
    context = {
        "standing": standing,
        "state": state_words(standing.state),
        "registration": filed.registration(party_of(request)),
        "quarters": readings.quarters(party_of(request), today=office.today(), filed=filed),
        "norm": readings.regulation().norm,
    }
    return render(request, "lastro/bolsa/home.html", context)


@require_GET
@scope(Scope.INCENTIVE_FILE)
def quarter(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """One quarter: what was filed, what will be paid and why, what is lacking and until when."""
    found = statement_of(request, year, quarter)
    context = {"found": found, "state": STATES[found.standing.state], "today": office.today()}
    return render(request, "lastro/bolsa/quarter.html", context)


@require_GET
@scope(Scope.INCENTIVE_FILE)
def facts(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """The organisation's own facts of a quarter, as the file that the command line reckons from."""
    statement_of(request, year, quarter)
    found = room.document(readings.everything(), year=year, number=quarter)
    if found is None:
        raise Http404
    own = [one for one in found["organisations"] if one["cnpj"] == party_of(request)]
    body = json.dumps({**found, "organisations": own}, ensure_ascii=False, indent=1) + "\n"
    response = HttpResponse(body, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="bolsa-{year}-T{quarter}.json"'
    return response


# ── for everybody ────────────────────────────────────────────────────────────────────────────────────


_PUBLIC: list[Column[Public]] = [
    Column("trimestre", "Trimestre", lambda q: q.name, link=lambda q: _of(q)),
    Column("situacao", "Situação", lambda q: step_of(q.quarter) or None, choice=True),
    Column("disponivel", "Disponível", lambda q: q.money("available_brl")),
    Column("concedido", "Concedido", lambda q: q.money("granted_brl")),
    Column("organizacoes", "Organizações pagas", lambda q: (q.grant or {}).get("organisations_paid")),
    Column("dia", "Concedido em", lambda q: str((q.grant or {}).get("granted_on", ""))),
]  # fmt: skip


def _of(one: Public) -> str:
    return reverse("bolsa-public-quarter", args=[one.year, one.number])


@require_GET
@scope(Scope.PUBLIC)
def public(request: HttpRequest) -> HttpResponse:
    """The quarters of the Bolsa Reciclagem in sums, and the committee's acts, for whoever wants to see."""
    made = table(request, bolsa_public.public(), _PUBLIC, caption="Trimestres da Bolsa Reciclagem")
    if isinstance(made, HttpResponse):
        return made
    context = {"table": made, "acts": bolsa_public.acts(), "norm": readings.regulation().norm}
    return render(request, "lastro/bolsa/public.html", context)


@require_GET
@scope(Scope.PUBLIC)
def public_quarter(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """One quarter in sums by material, on a page or as a file."""
    found = next((q for q in bolsa_public.public() if (q.year, q.number) == (year, quarter)), None)
    if found is None:
        raise Http404
    kind = request.GET.get("baixar", "")
    if kind in ("csv", "json"):
        return answer(_listed(found), kind=kind, name=f"bolsa-reciclagem-{year}-T{quarter}")
    step = step_of(found.quarter) or "—"
    return render(request, "lastro/bolsa/public_quarter.html", {"found": found, "step": step})


def _listed(found: Public) -> Listed:
    heads = ("trimestre", "material", "organizacoes", "massa_kg", "reais_por_tonelada")
    rows = tuple(
        (found.period, _material(name), str(sellers), _kg(mass), value)
        for name, sellers, mass, value in found.materials
    )
    return Listed(heads, rows)


def _kg(mass: Mass | None) -> str:
    return "" if mass is None else mass.kg_text


def _material(name: str) -> str:
    material, _, subclass = name.partition("/")
    return f"{label(material)}/{subclass}" if subclass else label(material)


urls = [
    path("bolsa/", home, name="bolsa"),
    path("bolsa/<int:year>/<int:quarter>/", quarter, name="bolsa-quarter"),
    path("bolsa/<int:year>/<int:quarter>/fatos.json", facts, name="bolsa-facts"),
    path("bolsa-reciclagem/", public, name="bolsa-public"),
    path("bolsa-reciclagem/<int:year>/<int:quarter>/", public_quarter, name="bolsa-public-quarter"),
]
