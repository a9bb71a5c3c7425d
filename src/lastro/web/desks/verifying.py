"""The verifier at work: what waits for a person, loads that buyers deny, and what is checked by hand."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.ids import masked
from lastro.reports.sampling import Drawn, Item, Unit, draw, frame_of
from lastro.stores.postgres.sampling import Samples, units_of
from lastro.units import Mass
from lastro.web import office, typed
from lastro.web.readings import loads, queue
from lastro.web.readings.sample import Shown, shown, told
from lastro.web.readings.verifier import entities_of
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.tags.shown import capitalised, plain_words

_QUEUE: tuple[Column[queue.Waiting], ...] = (
    Column("o_que", "O que espera", lambda r: r.what, choice=True, link=lambda r: r.address),
    Column("massa", "Massa", lambda r: r.mass),
    Column("emitida", "Nota de", lambda r: r.issued_on),
    Column("desde", "Espera desde", lambda r: r.since),
    Column("codigo", "Código", lambda r: r.code, choice=True),
    Column("por_que", "Por quê, e o que olhar", lambda r: f"{r.why} {plain_words(r.look_at)}"),
    Column("passo", "O que falta", lambda r: r.step, choice=True),
    Column("entidade", "Entidade", lambda r: masked(r.entity), choice=True),
    Column("nota", "Chave", lambda r: f"{r.key}/{r.line}" if r.line else r.key),
)


@require_GET
@scope(Scope.VERIFIER_READ)
def waiting(request: HttpRequest) -> HttpResponse:
    """What waits for a person among the verifier's entities, the heaviest first; or the oldest, if asked."""
    party: str = request.party  # type: ignore[attr-defined]
    rows = queue.queue(entities_of(party), verifier=party)
    made = table(request, rows, _QUEUE, caption="Fila do verificador", order="-massa")
    if isinstance(made, HttpResponse):
        return made
    mine = sum(row.step != "a entidade traz o papel" for row in rows)
    return render(request, "lastro/verifier/queue.html", {"table": made, "every": len(rows), "mine": mine})


# ── loads that a buyer denies ────────────────────────────────────────────────────────────────────────


@require_http_methods(["GET", "POST"])
@scope(Scope.VERIFIER_HOMOLOGATE)
def look(request: HttpRequest, key: str, recycler: str) -> HttpResponse:
    """What a buyer said of a load, and what the verifier's person finds of it."""
    party: str = request.party  # type: ignore[attr-defined]
    said = [
        one
        for one in loads.receipts(entities_of(party))
        if (one.key, one.recycler) == (key, recycler) and one.asks
    ]
    if not said:
        raise Http404
    problem = ""
    if request.method == "POST":
        problem = _look(request, said)
        if not problem:
            messages.success(request, translate("Parecer guardado. A entidade já o vê."))
            return redirect("queue")
    found = [(one, loads.looked(party).get((one.key, one.recycler, one.entity))) for one in said]
    context = {"said": found, "key": key, "recycler": recycler, "problem": problem}
    context["name"] = office.name_of(recycler)
    return render(request, "lastro/verifier/load.html", context, status=400 if problem else 200)


def _look(request: HttpRequest, said: list[loads.Receipt]) -> str:
    user: Any = request.user
    try:
        for one in said:
            loads.look(
                one,
                verifier=request.party,  # type: ignore[attr-defined]
                finding=request.POST.get("finding", ""),
                reason=request.POST.get("reason", "")[:1000],
                by=user.email,
                on=office.today(),
            )
    except LastroError as wrong:
        return str(wrong)
    return ""


# ── checking by hand ─────────────────────────────────────────────────────────────────────────────────


def _samples(request: HttpRequest, entity: str, year: int) -> Samples:
    party: str = request.party  # type: ignore[attr-defined]
    if entity not in entities_of(party):
        raise Http404
    return Samples(office.store(), verifier=party, entity=entity, norm=office.default_norm(), year=year)


_ITEMS: tuple[Column[Shown], ...] = (
    Column("nota", "Nota e item", lambda r: r.lot, link=lambda r: r.address),
    Column("estrato", "Estrato", lambda r: r.stratum, choice=True),
    Column("material", "Material", lambda r: capitalised(r.drawn.unit.material.value), choice=True),
    Column("massa", "Massa no livro", lambda r: r.drawn.unit.mass),
    Column("estado", "Situação", lambda r: r.state, choice=True),
    Column("certa", "Massa comprovada", lambda r: r.right),
    Column("razao", "O que se conferiu", lambda r: r.reason),
)


@require_http_methods(["GET", "POST"])
@scope(Scope.VERIFIER_HOMOLOGATE)
def sample(request: HttpRequest, entity: str, year: int) -> HttpResponse:
    """The plan of what is checked by hand of an entity's year, and what it told so far; or a new draw."""
    samples = _samples(request, entity, year)
    units = units_of(office.store(), entity=entity, norm=office.default_norm(), year=year)
    problem = ""
    if request.method == "POST":
        problem = _draw(request, samples, units)
        if not problem:
            return redirect("sample", entity, year)
    standing = samples.standing()
    made = None
    if standing is not None:
        made = table(request, shown(standing, entity, year), _ITEMS, caption="Itens a conferir à mão")
        if isinstance(made, HttpResponse):
            return made
    context = {
        "entity": entity, "name": office.name_of(entity), "year": year, "sampled": standing, "table": made,
        "result": standing.result if standing else None, "units": len(units), "problem": problem,
        "plans": samples.plans(), "fresh": secrets.token_hex(8),
    }  # fmt: skip
    if standing is not None:
        context |= {"stale": frame_of(units) != standing.plan.frame, **told(standing)}
    return render(request, "lastro/verifier/sample.html", context, status=400 if problem else 200)


def _draw(request: HttpRequest, samples: Samples, units: list[Unit]) -> str:
    user: Any = request.user
    least = request.POST.get("threshold", "").strip()
    try:
        threshold = typed.mass(least) if least else None
        seed = request.POST.get("seed", "").strip()[:100]
        if not seed:
            return "Escreva a semente do sorteio: com ela qualquer pessoa sorteia os mesmos itens."
        if not units:
            return "Não há lote neste ano: não há o que sortear."
        after = typed.counting(request.POST.get("after", "0")) or 0
        reason = request.POST.get("reason", "")[:500]
        plan = draw(units, seed=seed, threshold=threshold)
        samples.draw(plan, reason=reason, by=user.email, on=office.today(), after=after)
    except (LastroError, ValueError) as wrong:
        return str(wrong)
    told = {"items": len(plan.drawn)}
    messages.success(request, translate("Plano sorteado: %(items)s itens a conferir.") % told)
    return ""


@require_http_methods(["GET", "POST"])
@scope(Scope.VERIFIER_HOMOLOGATE)
def check(request: HttpRequest, entity: str, year: int, key: str, line: int) -> HttpResponse:
    """One item of the plan: what was looked at, and the mass that it proves."""
    samples = _samples(request, entity, year)
    standing = samples.standing()
    item = (key, line)
    drawn = next((one for one in standing.plan.drawn if one.unit.item == item), None) if standing else None
    if standing is None or drawn is None:
        raise Http404
    problem = ""
    if request.method == "POST":
        problem = _check(request, samples, item, drawn)
        if not problem:
            messages.success(request, translate("Conferência guardada."))
            return redirect("sample", entity, year)
    context = {
        "entity": entity, "year": year, "drawn": drawn, "checked": standing.checks.get(item),
        "problem": problem, "posted": request.POST,
    }  # fmt: skip
    return render(request, "lastro/verifier/check.html", context, status=400 if problem else 200)


def _check(request: HttpRequest, samples: Samples, item: Item, drawn: Drawn) -> str:
    user: Any = request.user
    result = request.POST.get("result", "")
    try:
        if result == "right":
            right = drawn.unit.mass
        elif result == "none":
            right = Mass(0)
        elif result == "other":
            right = typed.mass(request.POST.get("right", ""))
        else:
            return "Diga o que a conferência mostrou."
        reason = request.POST.get("reason", "")[:1000]
        samples.check(item, right=right, reason=reason, by=user.email, on=office.today())
    except (LastroError, ValueError) as wrong:
        return str(wrong)
    return ""


urls = [
    path("verificador/fila/", waiting, name="queue"),
    path("verificador/cargas/<slug:key>/<slug:recycler>/", look, name="load-look"),
    path("verificador/<slug:entity>/<int:year>/amostra/", sample, name="sample"),
    path("verificador/<slug:entity>/<int:year>/amostra/<slug:key>/<int:line>/", check, name="sample-check"),
]
