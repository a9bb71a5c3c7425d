"""The documents that norms ask of an entity: filled in by form or file, in versions, looked at, signed."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.errors import LastroError
from lastro.filings import Filing
from lastro.ids import bare
from lastro.jsonfile import JsonRefused
from lastro.reports import form
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.web import office, typed
from lastro.web.desks.reports import download
from lastro.web.readings import paper_form
from lastro.web.readings import papers as readings
from lastro.web.readings.reports import table_of
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table

_MOST_FILE = 20 * 1024 * 1024
_MORE = 2
"""How many empty lines a page offers under those that are filled in."""

_MANY = 8


def _party(request: HttpRequest) -> str:
    return str(request.party)  # type: ignore[attr-defined]


def _year(request: HttpRequest) -> int:
    said = request.POST if request.method == "POST" else request.GET
    return typed.year(said.get("ano", "")) or office.today().year


@require_GET
@scope(Scope.ENTITY_READ)
def paper_list(request: HttpRequest) -> HttpResponse:
    """What the entity filed, and which documents its norms ask for."""
    made = table(request, readings.filed(_party(request)), _FILED, caption="Documentos e contratos")
    if isinstance(made, HttpResponse):
        return made
    year = _year(request)
    context = {"table": made, "offers": readings.offers(year), "year": year}
    return render(request, "lastro/entity/papers.html", context)


def _tone(row: readings.Filed) -> str:
    return {"completo": "good", "vencido": "bad", "retirado": "plain"}.get(row.state, "asks")


_FILED: list[Column[readings.Filed]] = [
    Column(
        "documento", "Documento", lambda x: x.offer.title, link=lambda x: reverse("paper", args=[x.filing.id])
    ),
    Column("tipo", "Tipo", lambda x: "contrato" if x.offer.contents.contract else "documento", choice=True),
    Column("sobre", "De quê", lambda x: x.about),
    Column("norma", "Norma", lambda x: x.offer.regulation.norm.short_title, choice=True),
    Column("ano", "Ano", lambda x: str(x.year), choice=True),
    Column("versao", "Versão", lambda x: x.filing.version),
    Column("guardada", "Guardada em", lambda x: x.filing.on),
    Column("ate", "Vale até", lambda x: x.until),
    Column("dias", "Dias que faltam", lambda x: x.days_left),
    Column("publico", "Publicado", lambda x: x.filing.public, choice=True),
    Column("situacao", "Situação", lambda x: x.state, tone=_tone),
]


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def fill(request: HttpRequest, place: str, name: str, kind: str) -> HttpResponse:
    """Fill a document in, or a new version of one: typed, or as the file that the command line takes."""
    year = _year(request)
    before = version_looked_at(request)
    if before is not None:
        year = before.year
    found = readings.offer(f"{place}/{name}", kind, year)
    if found is None or (before is not None and before.offer.kind != kind):
        raise Http404
    problems: list[str] = []
    if request.method == "POST" and "mais" not in request.POST:
        done = keep_filled(request, found, year, before, problems)
        if done is not None:
            told = {"version": done.version}
            messages.success(
                request, translate("Guardada a versão %(version)s. Confira abaixo o que ela diz.") % told
            )
            return redirect(reverse("paper", args=[done.id]))
    posted = request.POST if request.method == "POST" else None
    told = before.filing.body["document"] if before else {}
    if posted is None and before is None and not found.contents.series:
        latest = Filings(office.store(), sees=_party(request)).latest(
            readings.subject_of(found, entity=_party(request), year=year, mark="")
        )
        if latest is not None:
            return redirect(f"{request.path}?de={latest.id}")
    context = {
        "offer": found, "year": year, "before": before, "problems": problems, "mark": uuid4(),
        "sheets": paper_form.sheets(found.contents, posted, told, _MANY if "mais" in request.POST else _MORE),
        "facts": found.contents.targets, "several": any(part.many for part in found.contents.parts),
    }  # fmt: skip
    return render(request, "lastro/entity/paper_fill.html", context, status=400 if problems else 200)


def version_looked_at(request: HttpRequest) -> readings.Filed | None:
    """The version that a new one comes after, where the address or the form names one."""
    asked = request.POST.get("de") or request.GET.get("de")
    number = typed.counting(asked or "")
    if asked and number is None:
        raise Http404
    if number is None:
        return None
    found = readings.one(_party(request), number)
    if found is None:
        raise Http404
    return found


def keep_filled(
    request: HttpRequest, found: readings.Offer, year: int, before: readings.Filed | None, problems: list[str]
) -> Filing | None:
    """File what was told, if it can be read; else None, and what to mend is in `problems`."""
    user: Any = request.user
    told = _told(request, found, year, before, problems)
    if told is None or problems:
        return None
    try:
        form.parse(found.regulation, found.kind, readings.text_of(told), today=office.today())
    except JsonRefused as wrong:
        problems += [paper_form.in_words(found, one) for one in wrong.problems]
        return None
    except LastroError as wrong:
        problems.append(str(wrong))
        return None
    files = _attached(request, before, problems)
    if problems:
        return None
    party = _party(request)
    mark = _mark(request)
    subject = (
        before.filing.subject if before else readings.subject_of(found, entity=party, year=year, mark=mark)
    )
    try:
        return Filings(office.store(), sees=party).add(
            subject, {"kind": found.kind, "document": told}, by=user.email, on=office.today(),
            after=before.filing.version if before else 0, public=found.contents.public, files=files,
            addressee=found.contents.to,
        )  # fmt: skip
    except ChangedMeanwhile as wrong:
        problems.append(str(wrong))
        return None


def _mark(request: HttpRequest) -> str:
    """What tells one of a series from the others; the same form sent twice is the same one."""
    try:
        return UUID(request.POST.get("pedido", "")).hex[:12]
    except ValueError:
        return uuid4().hex[:12]


def _told(
    request: HttpRequest, found: readings.Offer, year: int, before: readings.Filed | None, problems: list[str]
) -> dict[str, Any] | None:
    """What was typed, or the file that was handed in instead."""
    file = request.FILES.get("fatos")
    if file is None:
        facts = (before.filing.body["document"] if before else {}).get("facts")
        told, wrong = paper_form.document_of(
            found, request.POST.dict(), entity=_party(request), year=year, facts=facts
        )
        problems += wrong
        return told
    if (file.size or 0) > _MOST_FILE:
        problems.append("O arquivo passa de 20 MB.")
        return None
    try:
        text = file.read().decode("utf-8-sig")
        form.parse(found.regulation, found.kind, text, today=office.today())
    except UnicodeDecodeError:
        problems.append(f"{file.name}: não é um texto em UTF-8; salve-o de novo.")
        return None
    except JsonRefused as wrong:
        problems += [paper_form.in_words(found, one) for one in wrong.problems]
        return None
    except LastroError as wrong:
        problems.append(str(wrong))
        return None
    raw: dict[str, Any] = json.loads(text, parse_float=str)
    if bare(str(raw["entity"]["cnpj"])) != _party(request):
        problems.append(f"{file.name}: entity.cnpj deve ser o da sua entidade, {_party(request)}.")
    if raw.get("year") != year and (before is not None or not found.contents.series):
        problems.append(f"{file.name}: year deve ser {year}, o ano desta página.")
    return raw


def _attached(
    request: HttpRequest, before: readings.Filed | None, problems: list[str]
) -> list[tuple[str, bytes]]:
    """The files beside the document: the new ones, and those of the version before that keep their place."""
    new: dict[str, bytes] = {}
    for file in request.FILES.getlist("anexos"):
        if (file.size or 0) > _MOST_FILE:
            problems.append(f"{file.name} passa de 20 MB.")
            continue
        new[str(file.name or "anexo").replace("/", "-")[:200]] = file.read()
    if before is not None:
        filings = Filings(office.store(), sees=_party(request))
        for name, _ in before.filing.files:
            if name not in new and not name.endswith("-assinado.pdf"):
                new[name] = filings.file(before.filing.id, name) or b""
    return sorted(new.items())


@require_GET
@scope(Scope.ENTITY_READ)
def paper(request: HttpRequest, number: int) -> HttpResponse:
    """One version of a document as it reads, with what it lacks, its files and its history."""
    shown = readings.one(_party(request), number)
    if shown is None:
        raise Http404
    data = readings.data_of(shown.offer, shown.filing.body["document"])
    history = readings.versions(_party(request), shown.filing)
    user: Any = request.user
    context = {
        "shown": shown, "data": data, "history": history, "newest": history[0].id == shown.filing.id,
        "tables": [table_of(section) for section in data.sections if section.rows] if data else [],
        "keeps": Scope.ENTITY_KEEP in user.scopes, "signs": Scope.REPORT_SUBMIT in user.scopes,
    }  # fmt: skip
    return render(request, "lastro/entity/paper.html", context)


@require_GET
@scope(Scope.ENTITY_READ)
def paper_file(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    """A version as PDF, as sheets, or as the JSON of its data; `fatos` is what was filled in."""
    shown = readings.one(_party(request), number)
    if shown is None:
        raise Http404
    if kind == "fatos":
        return download(
            f"{shown.offer.kind}-{shown.year}.json", readings.text_of(shown.filing.body["document"]).encode()
        )
    files = readings.files_of(shown) if kind in ("pdf", "xlsx", "json") else {}
    found = next(((name, body) for name, body in files.items() if name.endswith(f".{kind}")), None)
    if found is None:
        raise Http404
    return download(*found)


@require_POST
@scope(Scope.REPORT_SUBMIT)
def sign(request: HttpRequest, number: int) -> HttpResponse:
    """Sign the standing version for the entity; the signed paper is kept as the next version."""
    shown = readings.one(_party(request), number)
    if shown is None:
        raise Http404
    data = readings.data_of(shown.offer, shown.filing.body["document"])
    if data is None or data.blocks or shown.filing.withdrawn:
        messages.error(request, translate("Só se assina o documento completo e em pé."))
        return redirect(reverse("paper", args=[number]))
    user: Any = request.user
    filings = Filings(office.store(), sees=_party(request))
    kept = [(name, filings.file(number, name) or b"") for name, _ in shown.filing.files]
    try:
        made = readings.signed_pdf(shown)
        done = filings.add(
            shown.filing.subject, {**shown.filing.body, "signed": True}, by=user.email, on=office.today(),
            after=shown.filing.version, public=shown.filing.public, addressee=shown.filing.addressee,
            files=[*(one for one in kept if one[0] != made[0]), made],
        )  # fmt: skip
    except LastroError as wrong:
        messages.error(request, str(wrong))
        return redirect(reverse("paper", args=[number]))
    messages.success(request, translate("Assinado. O papel está entre os arquivos desta versão."))
    return redirect(reverse("paper", args=[done.id]))


@require_POST
@scope(Scope.ENTITY_KEEP)
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """Take a document out of use, with the reason; what was filed stays to be seen."""
    shown = readings.one(_party(request), number)
    if shown is None:
        raise Http404
    reason = request.POST.get("razao", "").strip()[:500]
    user: Any = request.user
    if not reason:
        messages.error(request, translate("Escreva a razão."))
        return redirect(reverse("paper", args=[number]))
    try:
        done = Filings(office.store(), sees=_party(request)).add(
            shown.filing.subject, {**shown.filing.body, "reason": reason}, by=user.email, on=office.today(),
            after=shown.filing.version, public=shown.filing.public, withdrawn=True,
            addressee=shown.filing.addressee,
        )  # fmt: skip
    except ChangedMeanwhile as wrong:
        messages.error(request, str(wrong))
        return redirect(reverse("paper", args=[number]))
    messages.success(request, translate("Retirado. As versões anteriores continuam à vista."))
    return redirect(reverse("paper", args=[done.id]))


urls = [
    path("entidade/papeis/", paper_list, name="papers"),
    path("entidade/papeis/<int:number>/", paper, name="paper"),
    path("entidade/papeis/<int:number>/arquivo/<slug:kind>/", paper_file, name="paper-file"),
    path("entidade/papeis/<slug:place>/<slug:name>/<slug:kind>/", fill, name="paper-fill"),
    path("entidade/papeis/<int:number>/assinar/", sign, name="paper-sign"),
    path("entidade/papeis/<int:number>/retirar/", withdraw, name="paper-withdraw"),
]
