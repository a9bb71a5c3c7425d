"""What an entity says back about a document: it objects to a finding, or takes a claim back; who answers.

Nothing is edited. An objection goes to the verifier, who answers it; a withdrawal is the ledger's own move.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.custody.withdraw import withdraw as take_back
from lastro.errors import LastroError
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.web import office
from lastro.web.desks.entity import whom_of
from lastro.web.desks.reports import download
from lastro.web.readings import documents
from lastro.web.readings import objections as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table

_MOST_FILE = 20 * 1024 * 1024


def _found(request: HttpRequest, sha256: str, ordinal: int) -> tuple[Any, documents.Shown]:
    whom, _ = whom_of(request)
    found = documents.one(whom, sha256, ordinal)
    if found is None:
        raise Http404
    return whom, found


@require_POST
@scope(Scope.ENTITY_KEEP)
def withdraw(request: HttpRequest, sha256: str, ordinal: int) -> HttpResponse:
    """Take back the claim on one line of a note, with the reason; it holds for good."""
    whom, found = _found(request, sha256, ordinal)
    user: Any = request.user
    item = request.POST.get("item", "")
    back = f"{reverse('document', args=[sha256, ordinal])}?ano={whom.year}"
    if not item.isdigit() or int(item) not in {row.line for row in found.standing}:
        messages.error(request, translate("Este item não tem reivindicação sua em pé."))
        return redirect(back)
    try:
        with custody(office.store()) as memory:
            take_back(
                memory, found.document.access_key, int(item), entity=whom.entity,
                reason=request.POST.get("razao", "")[:500], by=user.email, on=office.today(),
            )  # fmt: skip
    except LastroError as wrong:
        messages.error(request, str(wrong))
    else:
        said = translate("Reivindicação do item %(item)s retirada. O livro já acompanhou.")
        messages.success(request, said % {"item": item})
    return redirect(back)


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def object_to(request: HttpRequest, sha256: str, ordinal: int) -> HttpResponse:
    """Object to a finding: say why it is wrong, with the paper that shows it; the verifier answers."""
    whom, found = _found(request, sha256, ordinal)
    codes = sorted({f.code for f in (*found.findings, *(f for x in found.lines for f in x.findings))})
    code = (request.POST if request.method == "POST" else request.GET).get("codigo", "")
    problem = ""
    if request.method == "POST":
        problem = _objected(request, whom, found, code, codes)
        if not problem:
            messages.success(
                request, translate("Objeção enviada ao verificador. O achado vale até que ele responda.")
            )
            return redirect(reverse("objections"))
    context = {
        "shown": found, "whom": whom, "codes": codes, "code": code, "problem": problem,
        "verifiers": readings.verifiers_of(whom.entity),
    }  # fmt: skip
    return render(request, "lastro/entity/object.html", context, status=400 if problem else 200)


def _objected(request: HttpRequest, whom: Any, found: documents.Shown, code: str, codes: list[str]) -> str:
    user: Any = request.user
    reason = request.POST.get("razao", "").strip()[:2000]
    if code not in codes:
        return "Escolha o achado de que discorda."
    if not reason:
        return "Escreva por que o achado está errado."
    files = request.FILES.getlist("provas")
    if any((file.size or 0) > _MOST_FILE for file in files):
        return "Um dos arquivos passa de 20 MB."
    try:
        readings.object_to(
            whom, found, code=code, reason=reason, by=user.email,
            files=[(str(file.name or "prova").replace("/", "-")[:200], file.read()) for file in files],
        )  # fmt: skip
    except ChangedMeanwhile:
        return "Já há uma objeção sua a este achado, mandada agora há pouco. Veja a lista."
    except LastroError as wrong:
        return str(wrong)
    return ""


@require_GET
@scope(Scope.ENTITY_READ)
def objection_list(request: HttpRequest) -> HttpResponse:
    """The objections of the entity, with what was answered."""
    made = table(
        request,
        readings.objections(request.party),  # type: ignore[attr-defined]
        _OBJECTIONS,
        caption="Objeções a achados",
    )
    if isinstance(made, HttpResponse):
        return made
    context = {
        "title": "Objeções a achados", "table": made,
        "intro": ["Objeta-se na página do documento. O achado vale enquanto o verificador não responde."],
    }  # fmt: skip
    return render(request, "lastro/entity/list.html", context)


_OBJECTIONS: list[Column[readings.Objection]] = [
    Column("documento", "Documento", lambda x: x.file, link=lambda x: x.address),
    Column("codigo", "Código", lambda x: x.code, choice=True),
    Column("razao", "Por que está errado", lambda x: x.reason),
    Column("quando", "Enviada em", lambda x: x.on),
    Column("quem", "Por", lambda x: x.by),
    Column("a", "A quem", lambda x: x.to),
    Column("resposta", "Resposta", lambda x: x.answer),
    Column(
        "situacao", "Situação", lambda x: x.state, choice=True,
        tone=lambda x: "good" if x.answered else "asks",
    ),
]  # fmt: skip


@require_GET
@scope(Scope.VERIFIER_READ)
def asked(request: HttpRequest) -> HttpResponse:
    """The objections that wait for this verifier, and those it answered."""
    made = table(
        request,
        readings.asked_of(request.party),  # type: ignore[attr-defined]
        _ASKED,
        caption="Objeções das entidades",
    )
    if isinstance(made, HttpResponse):
        return made
    context = {
        "title": "Objeções das entidades", "table": made,
        "intro": ["A resposta diz por quê. O achado só muda por outro papel ou por decisão de duas pessoas."],
    }  # fmt: skip
    return render(request, "lastro/entity/list.html", context)


_ASKED: list[Column[readings.Objection]] = [
    Column("nota", "Documento", lambda x: x.file, link=lambda x: reverse("objection", args=[x.filing.id])),
    Column("entidade", "Entidade", lambda x: x.entity_name, choice=True),
    Column("codigo", "Código", lambda x: x.code, choice=True),
    Column("razao", "Por que estaria errado", lambda x: x.reason),
    Column("quando", "Recebida em", lambda x: x.on),
    Column(
        "situacao", "Situação", lambda x: x.state, choice=True,
        tone=lambda x: "good" if x.answered else "asks",
    ),
]  # fmt: skip


@require_http_methods(["GET", "POST"])
@scope(Scope.VERIFIER_HOMOLOGATE)
def objection(request: HttpRequest, number: int) -> HttpResponse:
    """One objection with its papers, and the verifier's answer."""
    verifier: str = request.party  # type: ignore[attr-defined]
    found = next((one for one in readings.asked_of(verifier) if one.filing.id == number), None)
    if found is None:
        raise Http404
    problem = ""
    if request.method == "POST":
        text = request.POST.get("resposta", "").strip()[:2000]
        user: Any = request.user
        if not text:
            problem = "Escreva a resposta."
        else:
            readings.answer(found, verifier=verifier, text=text, by=user.email)
            messages.success(request, translate("Resposta enviada à entidade."))
            return redirect(reverse("objections-asked"))
    context = {"objection": found, "problem": problem}
    return render(request, "lastro/verifier/objection.html", context, status=400 if problem else 200)


@require_GET
@scope(Scope.VERIFIER_READ)
def proof(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """A paper that came with an objection addressed to this verifier."""
    filings = Filings(office.store(), sees=request.party)  # type: ignore[attr-defined]
    found = filings.one(number)
    mine = found is not None and found.addressee == request.party  # type: ignore[attr-defined]
    body = filings.file(number, name) if mine else None
    if body is None:
        raise Http404
    return download(name, body)


urls = [
    path("entidade/documentos/<slug:sha256>/<int:ordinal>/retirar/", withdraw, name="document-withdraw"),
    path("entidade/documentos/<slug:sha256>/<int:ordinal>/objetar/", object_to, name="document-object"),
    path("entidade/objecoes/", objection_list, name="objections"),
    path("objecoes/", asked, name="objections-asked"),
    path("objecoes/<int:number>/", objection, name="objection"),
    path("objecoes/<int:number>/<str:name>", proof, name="objection-file"),
]
