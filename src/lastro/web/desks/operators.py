"""An entity's operators and their homologation: what ends when, what is lacking, a new one by form."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.custody.port import For
from lastro.filings import Kind, Subject
from lastro.ids import bare
from lastro.stores.postgres.filings import Filings
from lastro.units import total
from lastro.web import office, registering
from lastro.web.desks.entity import whom_of
from lastro.web.readings import operators as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.tags.shown import cnpj, word

_SOON = (30, 60, 90)
_TONES = {"homologado": "good", "falta papel": "asks", "vencido": "bad", "sem homologação": "bad"}


@require_GET
@scope(Scope.ENTITY_READ)
def operator_list(request: HttpRequest) -> HttpResponse:
    """Who is homologated until when, and how many kilograms hang on it."""
    whom, known = whom_of(request)
    every = readings.operators(whom)
    soon = {days: [o for o in every if o.days_left is not None and o.days_left <= days] for days in _SOON}
    asked = request.GET.get("vence", "")
    chosen = soon.get(int(asked)) if asked in map(str, _SOON) else None
    if asked == "vencidos":
        chosen = [o for o in every if o.valid_to is None]
    shown = every if chosen is None else chosen
    made = table(request, shown, _columns(whom), caption=f"Operadores, massa de {whom.year}")
    if isinstance(made, HttpResponse):
        return made
    out = [o for o in every if o.valid_to is None]
    context = {
        "whom": whom, "known": known, "table": made, "asked": asked,
        "soon": [(days, len(found), total(o.counted for o in found)) for days, found in soon.items()],
        "out": (len(out), total(o.lost for o in out)), "judging": registering.last_judging(whom.entity),
    }  # fmt: skip
    return render(request, "lastro/entity/operators.html", context)


def _columns(whom: For) -> list[Column[readings.Operator]]:
    return [
        Column(
            "nome", "Operador", lambda x: x.name or cnpj(x.cnpj),
            link=lambda x: f"{reverse('operator-papers', args=[x.cnpj])}?ano={whom.year}",
        ),
        Column("cnpj", "CNPJ", lambda x: cnpj(x.cnpj)),
        Column("origem", "Origem", lambda x: x.origin, words=word, choice=True),
        Column("situacao", "Hoje", lambda x: x.state, choice=True, tone=lambda x: _TONES[x.state]),
        Column("falta", "Falta", lambda x: ", ".join(x.lacks)),
        Column("ate", "Vale até", lambda x: x.valid_to),
        Column("dias", "Dias", lambda x: x.days_left),
        Column("conta", "Conta", lambda x: x.counted),
        Column("perde", "Não conta", lambda x: x.lost),
    ]  # fmt: skip


@require_GET
@scope(Scope.ENTITY_READ)
def operator(request: HttpRequest, who: str) -> HttpResponse:
    """One operator: its homologations, the papers it sent, and its notes that wait."""
    whom, known = whom_of(request)
    found = readings.one(whom, bare(who))
    if found is None:
        raise Http404
    context = {"whom": whom, "known": known, "shown": found}
    return render(request, "lastro/entity/operator.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def vet(request: HttpRequest) -> HttpResponse:
    """Write a homologation: the four papers that were seen, from which day, with their files."""
    whom, _ = whom_of(request)
    said = request.POST if request.method == "POST" else request.GET
    typed = {name: said.get(name, "").strip()[:50] for name in ("operador", "de", "ate")}
    issues: tuple[Any, ...] = ()
    if request.method == "POST":
        issues = _vetted(request, whom, typed)
        if not issues:
            messages.success(
                request, translate("Homologação guardada. As notas em que pesa se julgam de novo.")
            )
            return redirect(f"{reverse('operators')}?ano={whom.year}")
    context = {
        "typed": typed, "issues": issues, "today": office.today().isoformat(), "whom": whom,
        "papers": [(*one, request.POST.get(one[0]) == "sim") for one in readings.articles(whom.norm)],
        "years": readings.vetting_years(whom.norm, office.today()),
    }  # fmt: skip
    return render(request, "lastro/entity/vet.html", context, status=400 if issues else 200)


def _vetted(request: HttpRequest, whom: For, typed: dict[str, str]) -> tuple[Any, ...]:
    """Load the row; the files of the papers are kept beside it. What is wrong, if anything is."""
    user: Any = request.user
    who = bare(typed["operador"])
    row = {
        "operator": who, "entity": whom.entity, "from": typed["de"], "to": typed["ate"],
        **{key: "sim" if request.POST.get(key) == "sim" else "não" for key in readings.PAPERS},
    }  # fmt: skip
    taken = registering.take(
        registering.FORM, registering.typed("vettings", row), entity=whom.entity, person=user
    )
    files = [
        (f"{key}-{file.name}"[:200].replace("/", "-"), file.read())
        for key in readings.PAPERS
        if (file := request.FILES.get(f"arquivo_{key}")) is not None
    ]
    if files and not taken.issues:
        filings = Filings(office.store(), sees=whom.entity)
        subject = Subject(Kind.VETTING, whom.entity, whom.norm, name=who)
        latest = filings.latest(subject)
        filings.add(
            subject, row, by=user.email, on=office.today(), after=latest.version if latest else 0, files=files
        )
    return taken.issues


urls = [
    path("entidade/operadores/", operator_list, name="operators"),
    path("entidade/operadores/homologar/", vet, name="operator-vet"),
    path("entidade/operadores/<slug:who>/", operator, name="operator-papers"),
]
