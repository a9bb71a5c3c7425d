"""Parcels: an operator sends notes, keys or a paper; the entity takes them in or gives them back."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.filings import Filing, Kind, Subject
from lastro.ids import masked
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.web import jobs, office, parcels, presence, typed
from lastro.web.desks.operator import file_problem, safe_name
from lastro.web.models import Job
from lastro.web.readings import homologations
from lastro.web.readings import operator as own
from lastro.web.readings import parcels as readings
from lastro.web.readings.parcels import Parcel
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table


def _party(request: HttpRequest) -> str:
    return str(request.party)  # type: ignore[attr-defined]


def _email(request: HttpRequest) -> str:
    user: Any = request.user
    return str(user.email)


# ── the operator ─────────────────────────────────────────────────────────────────────────────────────


@require_http_methods(["GET", "POST"])
@scope(Scope.OPERATOR_SEND)
def send(request: HttpRequest) -> HttpResponse:
    """Send notes to an entity: files, or keys; with `nota`, a paper that speaks for one note."""
    party = _party(request)
    about = readings.plain_key(request.POST.get("nota") or request.GET.get("nota", ""))
    notes = own.notes(party, key=about) if about else []
    if about and not notes:
        raise Http404
    mine = [n.whom.entity for n in notes] or homologations.entities_of(party)
    context: dict[str, Any] = {
        "entities": [(one, office.name_of(one) or masked(one)) for one in mine],
        "most": settings.LASTRO_MOST_UPLOAD_BYTES // 2**20,
        "typed": request.POST,
        "note": notes[0] if notes else None,
    }
    if request.method == "POST":
        entity = request.POST.get("entidade", "")
        problem = problem_of(request, entity if entity in mine else "", support=bool(about))
        if not problem:
            return redirect(reverse("operator-parcel", args=[keep(request, entity, about=about).id]))
        context["problem"] = problem
    return render(
        request, "lastro/operator/send.html", context, status=400 if context.get("problem") else 200
    )


def problem_of(request: HttpRequest, entity: str, *, support: bool) -> str:
    """Why this can't be sent, in words; empty when it can."""
    if not entity:
        return "Escolha a entidade gestora que recebe."
    files = request.FILES.getlist("arquivos")
    if support:
        if not files:
            return file_problem(None)
        return next((said for file in files if (said := file_problem(file))), "")
    keys = _keys(request)
    if not files and not keys:
        return "Escolha ao menos um arquivo, ou escreva a chave da nota."
    strange = [str(file.name) for file in files if not str(file.name).lower().endswith(readings.NOTES)]
    if strange:
        return f"{strange[0]} não é XML, zip, nem PDF de MTR ou CDF. Peça o XML da nota a quem a emitiu."
    most = settings.LASTRO_MOST_UPLOAD_BYTES
    if sum(file.size or 0 for file in files) > most:
        return f"Os arquivos passam de {most // 2**20} MB; divida em mais de um envio."
    wrong = [(key, readings.key_problem(key)) for key in keys]
    return next((f"{key[:50]}: {said}" for key, said in wrong if said), "")


def _keys(request: HttpRequest) -> list[str]:
    """The keys that were typed, one a line, each once."""
    lines = request.POST.get("chaves", "").splitlines()[:200]
    return list(dict.fromkeys(readings.plain_key(line) for line in lines if line.strip()))


def keep(request: HttpRequest, entity: str, *, about: str) -> Filing:
    """Keep the parcel for the entity, and have its notes looked at beforehand."""
    party, whom = _party(request), readings.whom_of(entity)
    files = _named_apart(request.FILES.getlist("arquivos"))
    body = {"about": about} if about else {"keys": _keys(request)}
    filings = Filings(office.store(), sees=party)
    subject = Subject(Kind.PARCEL, party, whom.norm, name=uuid4().hex)
    kept = filings.add(subject, body, by=_email(request), on=office.today(), addressee=entity, files=files)
    if files and not about:
        user: Any = request.user
        asked = {"parcel": kept.id, "norm": whom.norm, "year": whom.year}
        jobs.ask("parcel", party=party, person=user, title=files[0][0], asked=asked)
    return kept


def _named_apart(files: list[Any]) -> list[tuple[str, bytes]]:
    """The files under their names; of two alike the second gets a number before it."""
    kept: dict[str, bytes] = {}
    for number, file in enumerate(files, 1):
        name = safe_name(file)
        kept[name if name not in kept else f"{number}-{name}"] = file.read()
    return list(kept.items())


@require_GET
@scope(Scope.OPERATOR_READ)
def sent_list(request: HttpRequest) -> HttpResponse:
    """What the operator sent, and where each parcel is."""
    made = table(request, readings.parcels_from(_party(request)), _SENT, caption="Meus envios", page_size=20)
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/operator/sent.html", {"table": made})


_SENT: list[Column[Parcel]] = [
    Column(
        "envio", "Envio", lambda p: p.title, link=lambda p: reverse("operator-parcel", args=[p.filing.id])
    ),
    Column("dia", "Enviado em", lambda p: p.filing.on),
    Column("entidade", "Para", lambda p: office.name_of(p.filing.addressee), choice=True),
    Column("situacao", "Situação", lambda p: p.state, choice=True),
]


def looked(parcel: Parcel) -> Parcel:
    job = Job.objects.filter(kind="parcel", party=parcel.filing.subject.party, asked__parcel=parcel.filing.id)
    return readings.looked_at(parcel, job.order_by("-asked_at").first())


@require_GET
@scope(Scope.OPERATOR_READ)
def sent_one(request: HttpRequest, number: int) -> HttpResponse:
    """One parcel: what was seen in it beforehand, and what the entity did with it."""
    found = readings.sent(_party(request), number)
    if found is None:
        raise Http404
    return render(request, "lastro/operator/parcel.html", _shown(looked(found)))


@require_GET
@scope(Scope.OPERATOR_READ)
def sent_progress(request: HttpRequest, number: int) -> HttpResponse:
    """The part of that page that changes, for the script that asks again."""
    found = readings.sent(_party(request), number)
    if found is None:
        raise Http404
    shown = looked(found)
    response = render(request, "lastro/operator/_look.html", _shown(shown))
    response["X-Lastro-Over"] = "sim" if shown.look is None or shown.look.over else "nao"
    return response


def _shown(parcel: Parcel) -> dict[str, Any]:
    waits = parcel.look is not None and not parcel.look.over
    return {
        "parcel": parcel,
        "entity": office.name_of(parcel.filing.addressee) or masked(parcel.filing.addressee),
        "waits": waits,
        "nobody": waits and not presence.anybody(),
    }


# ── the entity ───────────────────────────────────────────────────────────────────────────────────────


_WORDS_HERE: dict[str, str] = {
    "espera a entidade": "por receber",
    "a entidade recebeu": "recebido",
    "a entidade devolveu": "devolvido",
}

_RECEIVED: list[Column[Parcel]] = [
    Column("envio", "Envio", lambda p: p.title, link=lambda p: reverse("parcel", args=[p.filing.id])),
    Column("dia", "Chegou em", lambda p: p.filing.on),
    Column("operador", "De", lambda p: office.name_of(p.filing.subject.party), choice=True),
    Column("situacao", "Situação", lambda p: _WORDS_HERE.get(p.state, p.state), choice=True),
]


@require_GET
@scope(Scope.ENTITY_READ)
def received_list(request: HttpRequest) -> HttpResponse:
    """What operators sent to the entity, and what still waits."""
    made = table(request, readings.parcels_to(_party(request)), _RECEIVED, caption="Recebidos de operadores")
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/entity/parcels.html", {"table": made})


def _received(request: HttpRequest, number: int) -> Parcel:
    found = readings.received(_party(request), number)
    if found is None:
        raise Http404
    return found


@require_GET
@scope(Scope.ENTITY_READ)
def received_one(request: HttpRequest, number: int) -> HttpResponse:
    """One parcel of an operator: its files, its keys, and whether to take it in."""
    found = _received(request, number)
    context = {
        "parcel": found,
        "sender": office.name_of(found.filing.subject.party) or masked(found.filing.subject.party),
        "whom": readings.whom_of(_party(request)),
        "missing": [key for key, here in found.keys.items() if not here],
    }
    return render(request, "lastro/entity/parcel.html", context)


@require_GET
@scope(Scope.ENTITY_READ)
def received_file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """A file of a parcel, as it came."""
    found = _received(request, number)
    body = Filings(office.store(), sees=_party(request)).file(found.filing.id, name)
    if body is None:
        raise Http404
    response = HttpResponse(body, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = 'attachment; filename="arquivo"'
    return response


@scope(Scope.ENTITY_UPLOAD)
@require_POST
def take(request: HttpRequest, number: int) -> HttpResponse:
    """Take a parcel in: its notes become the entity's claim, as if it had handed them in itself."""
    found = _received(request, number)
    if found.answer is not None:
        return redirect("parcel", number=number)
    body = take_in(request, found)
    if "job" in body:
        return redirect("upload", job=body["job"])
    messages.success(request, translate("Recebido. O operador já vê."))
    return redirect("parcels")


def take_in(request: HttpRequest, found: Parcel) -> dict[str, Any]:
    """Take the notes of a parcel in for the year that was asked, and tell the operator so."""
    number, whom = found.filing.id, readings.whom_of(_party(request))
    year = typed.year(request.POST.get("ano", "")) or whom.year
    body: dict[str, Any] = {"parcel": number, "taken": True}
    if found.filing.files and not found.support:
        user: Any = request.user
        job = jobs.ask(
            "upload", party=whom.entity, person=user, title=found.title,
            asked={"norm": whom.norm, "year": year, "parcel": number},
            files=list(parcels.files_of(found.filing, sees=whom.entity)),
        )  # fmt: skip
        body["job"] = str(job.pk)
    _answer(request, found, body)
    return body


@scope(Scope.ENTITY_UPLOAD)
@require_POST
def give_back(request: HttpRequest, number: int) -> HttpResponse:
    """Give a parcel back with the reason, which the operator reads."""
    found = _received(request, number)
    reason = request.POST.get("razao", "").strip()[:500]
    if found.answer is None and not reason:
        messages.error(request, translate("Escreva a razão da devolução: o operador a lê."))
    elif found.answer is None:
        send_back(request, found, reason)
        messages.success(request, translate("Devolvido, com a razão."))
    return redirect("parcel", number=number)


def send_back(request: HttpRequest, found: Parcel, reason: str) -> None:
    """Give a parcel back, with the reason that the operator reads."""
    _answer(request, found, {"parcel": found.filing.id, "taken": False, "reason": reason})


def _answer(request: HttpRequest, parcel: Parcel, body: dict[str, Any]) -> None:
    """Say what became of a parcel, once; a second click finds it said."""
    try:
        Filings(office.store(), sees=_party(request)).add(
            readings.answered(parcel.filing, entity=_party(request)), body, by=_email(request),
            on=office.today(), addressee=parcel.filing.subject.party,
        )  # fmt: skip
    except ChangedMeanwhile:
        messages.info(request, translate("Outra pessoa já respondeu a este envio."))


urls = [
    path("operador/enviar/", send, name="operator-send"),
    path("operador/envios/", sent_list, name="operator-sent"),
    path("operador/envios/<int:number>/", sent_one, name="operator-parcel"),
    path("operador/envios/<int:number>/andamento/", sent_progress, name="operator-parcel-progress"),
    path("entidade/recebidos/", received_list, name="parcels"),
    path("entidade/recebidos/<int:number>/", received_one, name="parcel"),
    path("entidade/recebidos/<int:number>/arquivos/<str:name>", received_file, name="parcel-file"),
    path("entidade/recebidos/<int:number>/receber/", take, name="parcel-take"),
    path("entidade/recebidos/<int:number>/devolver/", give_back, name="parcel-return"),
]
