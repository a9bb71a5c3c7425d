"""The operator, on a phone: which sales counted, what cures the others; the papers of its homologation."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods

from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.web import office, typed
from lastro.web.readings import homologations
from lastro.web.readings import operator as readings
from lastro.web.readings.operator import Note
from lastro.web.readings.parcels import SUPPORT
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table

MOST_PAPER_BYTES = 10 * 1024 * 1024


@require_GET
@scope(Scope.OPERATOR_READ)
def home(request: HttpRequest) -> HttpResponse:
    """An operator's year: what counted, what did not, which papers run out."""
    party, today = request.party, office.today()  # type: ignore[attr-defined]
    context = {
        "home": readings.home(party, year=typed.year(request.GET.get("ano", "")), today=today),
        "homologations": homologations.homologations(party, today=today),
    }
    return render(request, "lastro/operator/home.html", context)


_LIST: list[Column[Note]] = [
    Column("nota", "Nota", lambda n: n.number or n.key, link=lambda n: _of(n)),
    Column("dia", "Emitida em", lambda n: n.issued_on),
    Column("comprador", "Vendida a", lambda n: n.buyer_name or n.buyer),
    Column("entidade", "Enviada à entidade", lambda n: office.name_of(n.whom.entity), choice=True),
    Column("situacao", "Situação", lambda n: n.fate, choice=True),
    Column("massa", "Conta", lambda n: n.mass),
    Column("falta", "O que falta", lambda n: n.main.message if n.main else None),
]  # fmt: skip


@require_GET
@scope(Scope.OPERATOR_READ)
def note_list(request: HttpRequest) -> HttpResponse:
    """Every sale of the operator that an entity handed in, with what became of it."""
    mine = [n for n in readings.notes(request.party) if n.key]  # type: ignore[attr-defined]
    made = table(request, mine, _LIST, caption="Minhas notas", page_size=20)
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/operator/notes.html", {"table": made})


@require_GET
@scope(Scope.OPERATOR_READ)
def note(request: HttpRequest, key: str) -> HttpResponse:
    """One sale, as each entity that has it is answered: what it lacks, who cures it, by when."""
    found = readings.notes(request.party, key=key)  # type: ignore[attr-defined]
    if not found:
        raise Http404
    lacks = any(n.by_paper for n in found)
    context = {"key": key, "notes": found, "first": found[0], "lacks_paper": lacks}
    return render(request, "lastro/operator/note.html", context)


@require_GET
@scope(Scope.OPERATOR_READ)
def papers(request: HttpRequest) -> HttpResponse:
    """How the operator stands with each entity, and the four papers of each homologation."""
    party, today = request.party, office.today()  # type: ignore[attr-defined]
    everywhere = request.GET.get("todas") == "sim"
    found = homologations.homologations(party, today=today, everywhere=everywhere)
    context = {"homologations": found, "everywhere": everywhere}
    return render(request, "lastro/operator/papers.html", context)


@require_http_methods(["GET", "POST"])
@scope(Scope.OPERATOR_SEND)
def paper(request: HttpRequest, entity: str, paper: str) -> HttpResponse:
    """Hand one paper of the homologation to an entity: a file, its number, and until when it holds."""
    if entity not in homologations.every_entity() or paper not in homologations.PAPERS:
        raise Http404
    words, provision = homologations.PAPERS[paper]
    context: dict[str, Any] = {
        "entity": entity, "name": office.name_of(entity), "paper": paper, "words": words,
        "article": homologations.regulation().norm.cite((provision,)), "most": MOST_PAPER_BYTES // 2**20,
        "typed": request.POST,
    }  # fmt: skip
    if request.method == "POST":
        context["problem"] = hand_in(request, entity, paper)
        if not context["problem"]:
            told = {"paper": words, "entity": office.name_of(entity)}
            messages.success(request, translate("%(paper)s: entregue a %(entity)s.") % told)
            return redirect("my-papers")
    status = 400 if context.get("problem") else 200
    return render(request, "lastro/operator/paper.html", context, status=status)


def hand_in(request: HttpRequest, entity: str, paper: str) -> str:
    """Keep the paper for the entity; what is wrong with it, in words, where it can't be kept."""
    user: Any = request.user
    file = request.FILES.get("arquivo")
    until = request.POST.get("validade", "").strip()
    problem = file_problem(file)
    day = day_typed(until)
    if not problem and until and day is None:
        problem = "A validade é um dia, como 31/12/2027; deixe em branco se o papel não vence."
    if not problem and day is not None and day < office.today():
        problem = f"Este papel venceu em {day:%d/%m/%Y}. Envie o renovado, ou o protocolo da renovação."
    if problem or file is None:
        return problem
    subject = homologations.paper_subject(request.party, entity, paper)  # type: ignore[attr-defined]
    filings = Filings(office.store(), sees=request.party)  # type: ignore[attr-defined]
    before = filings.latest(subject)
    body = {
        "number": request.POST.get("numero", "").strip()[:80],
        "valid_to": day.isoformat() if day else None,
    }
    try:
        filings.add(
            subject, body, by=user.email, on=office.today(), after=before.version if before else 0,
            addressee=entity, files=[(safe_name(file), file.read())],
        )  # fmt: skip
    except ChangedMeanwhile as wrong:
        return str(wrong)
    return ""


def file_problem(file: Any, kinds: tuple[str, ...] = SUPPORT) -> str:
    """Why a single file can't be taken, in words; empty when it can."""
    if file is None:
        return "Escolha o arquivo, ou tire a foto do papel."
    if not str(file.name).lower().endswith(kinds):
        return f"{file.name} não é {', '.join(kinds)}. Envie o PDF, ou uma foto do papel."
    if (file.size or 0) > MOST_PAPER_BYTES:
        return f"O arquivo passa de {MOST_PAPER_BYTES // 2**20} MB. Tire a foto de novo, com menos detalhe."
    return "" if file.size else "O arquivo está vazio. Escolha-o de novo."


def safe_name(file: Any) -> str:
    """The last part of a file's name, as long as a store takes it."""
    name = str(file.name).replace("\\", "/").rpartition("/")[2]
    return name[-120:] or "arquivo"


def day_typed(text: str) -> date | None:
    """A day as phones and people write it: 2027-12-31 or 31/12/2027."""
    try:
        if "/" in text:
            day, month, year = (int(part) for part in text.split("/"))
            return date(year, month, day)
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _of(note: Note) -> str:
    return reverse("operator-note", args=[note.key])


urls = [
    path("operador/", home, name="operator"),
    path("operador/notas/", note_list, name="operator-notes"),
    path("operador/notas/<slug:key>/", note, name="operator-note"),
    path("operador/papeis/", papers, name="my-papers"),
    path("operador/papeis/<slug:entity>/<slug:paper>/", paper, name="my-paper"),
]
