"""An entity's collection points: its list, by sheet, file or form, and where the next ones serve most."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.errors import LastroError
from lastro.lawkit import Regulation
from lastro.points import points_sheet
from lastro.points.need import Need
from lastro.tables.populations import places
from lastro.web import office, typed
from lastro.web.readings import own_points as readings
from lastro.web.readings import points as public
from lastro.web.readings.papers import text_of
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.tags.shown import number

_MOST = 20
"""How many places are proposed at most; more is a study for the command line."""

_MOST_FILE = 10 * 1024 * 1024


def _which(request: HttpRequest) -> Regulation:
    asked = request.POST.get("norma") or request.GET.get("norma")
    every = readings.regulations()
    found = next((one for one in every if one.norm.path == asked), None)
    if asked and found is None:
        raise Http404
    return found or every[0]


def _party(request: HttpRequest) -> str:
    return str(request.party)  # type: ignore[attr-defined]


@require_GET
@scope(Scope.ENTITY_READ)
def point_list(request: HttpRequest) -> HttpResponse:
    """The points, what each municipality lacks at the end of a year, and a proposal where one is asked."""
    regulation = _which(request)
    year = typed.year(request.GET.get("ano", "")) or office.today().year
    wanted = min(typed.counting(request.GET.get("propor", "")) or 0, _MOST)
    shown = readings.shown(_party(request), regulation, year=year, number=wanted)
    lacking = request.GET.get("lista") == "faltam"
    made = (
        table(request, shown.needs, _NEEDS, caption=f"Pontos por município em {year}", order="-faltam")
        if lacking
        else table(request, shown.rows, _POINTS, caption="Pontos")
    )
    if isinstance(made, HttpResponse):
        return made
    context = {
        "shown": shown, "table": made, "regulations": readings.regulations(), "year": year,
        "lacking": lacking, "number": wanted, "most": _MOST,
        "sites": [places()[code].name for code in shown.proposal.sites] if shown.proposal else [],
    }  # fmt: skip
    return render(request, "lastro/entity/points.html", context)


_POINTS: list[Column[readings.Row]] = [
    Column("nome", "Ponto", lambda x: x.body["name"] or f"Ponto de {x.kind}"),
    Column("tipo", "Tipo", lambda x: x.kind, choice=True),
    Column("municipio", "Município", lambda x: x.town, choice=True),
    Column("endereco", "Endereço", lambda x: x.body["address"]),
    Column("desde", "Desde", lambda x: x.body["since"], words=lambda day: _day(day)),
    Column("ate", "Último dia", lambda x: x.body["until"], words=lambda day: _day(day)),
    Column(
        "hoje", "Hoje", lambda x: "opera" if x.works else "não opera", choice=True,
        tone=lambda x: "good" if x.works else "plain",
    ),
]  # fmt: skip
_NEEDS: list[Column[Need]] = [
    Column("municipio", "Município", lambda x: places()[x.code].name),
    Column("habitantes", "Habitantes", lambda x: x.population, words=number),
    Column("pedidos", "Pedidos", lambda x: x.required),
    Column("operam", "Em operação", lambda x: x.installed),
    Column("faltam", "Faltam", lambda x: x.missing),
]


def _day(iso: str) -> str:
    return "/".join(reversed(iso.split("-")))


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def load(request: HttpRequest) -> HttpResponse:
    """Take a whole list in, as a sheet or as the file of `lastro points`; the one before stays to be seen."""
    regulation, problem = _which(request), ""
    before = readings.standing(_party(request), regulation.norm.path)
    if request.method == "POST":
        file = request.FILES.get("arquivo")
        if file is None or (file.size or 0) > _MOST_FILE:
            problem = "Escolha um arquivo de até 10 MB."
        else:
            told = before.body["file"] if before else {}
            states = [uf for uf in request.POST.getlist("uf") if uf in public.UFS]
            try:
                text = _text(str(file.name or "pontos"), file.read(), told, states)
                problem = _kept(request, regulation, text, before)
            except LastroError as wrong:
                problem = str(wrong)
            if not problem:
                return redirect(_address(regulation))
    context = {
        "regulation": regulation, "problem": problem, "before": before, "ufs": public.UFS,
        "chosen": before.body["file"].get("states", []) if before else [],
        "heads": ", ".join(head.name for head in points_sheet.HEADS),
    }  # fmt: skip
    return render(request, "lastro/entity/points_load.html", context, status=400 if problem else 200)


def _text(name: str, data: bytes, told: dict[str, Any], states: list[str]) -> str:
    """The document, from a sheet or as it came."""
    if PurePath(name).suffix.lower() != ".json":
        rows = points_sheet.rows_of(name, data)
        return text_of(points_sheet.document(rows, before=told, states=states))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise LastroError(f"{name}: não é um texto em UTF-8; salve-o de novo.") from wrong


def _kept(request: HttpRequest, regulation: Regulation, text: str, before: Any) -> str:
    """File the list; what is wrong with it, if anything is."""
    user: Any = request.user
    try:
        done = public.file_list(
            _party(request), regulation.norm.path, text, by=user.email, after=before.version if before else 0
        )
    except LastroError as wrong:
        return str(wrong)
    messages.success(
        request, f"Guardada e publicada a versão {done.version}: {len(done.body['points'])} pontos."
    )
    return ""


def _address(regulation: Regulation) -> str:
    return f"{reverse('own-points')}?{urlencode({'norma': regulation.norm.path})}"


@require_POST
@scope(Scope.ENTITY_KEEP)
def add(request: HttpRequest) -> HttpResponse:
    """Add one point to the list, as typed."""
    regulation = _which(request)
    before = readings.standing(_party(request), regulation.norm.path)
    told = before.body["file"] if before else {}
    names = ("municipality", "kind", "since", "name", "address", "hours", "latitude", "longitude")
    row = {name: text for name in names if (text := request.POST.get(name, "").strip()[:300])}
    for name in ("latitude", "longitude"):
        if name in row:
            row[name] = row[name].replace(",", ".")
            row["datum"] = "SIRGAS 2000"
    document = {**told, "points": [*told.get("points", ()), row]}
    if not document.get("states") and not document.get("municipalities"):
        document["municipalities"] = [row.get("municipality", "")]
    problem = _kept(request, regulation, json.dumps(document, ensure_ascii=False), before)
    if problem:
        messages.error(request, problem)
    return redirect(_address(regulation))


urls = [
    path("entidade/pontos/", point_list, name="own-points"),
    path("entidade/pontos/carregar/", load, name="own-points-load"),
    path("entidade/pontos/incluir/", add, name="own-points-add"),
]
