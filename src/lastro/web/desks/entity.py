"""The managing entity: how its documents stand, each document, its lots, and what others contest."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from lastro.custody.port import For
from lastro.facts import Outcome
from lastro.ids import Material, bare
from lastro.web import office
from lastro.web.models import Job
from lastro.web.readings import dashboard, documents
from lastro.web.scopes import Scope, scope

_PAGE = 50


def whom_of(request: HttpRequest) -> tuple[For, list[For]]:
    """Whose page it is, and under which norm and year: the party of the session, the year asked for."""
    party: str = request.party  # type: ignore[attr-defined]
    known = office.claimed(party)
    asked = (
        request.GET.get("norma") or request.POST.get("norma"),
        request.GET.get("ano") or request.POST.get("ano"),
    )
    for whom in known:
        if (not asked[0] or whom.norm == asked[0]) and (not asked[1] or str(whom.year) == asked[1]):
            return whom, known
    return (known[0] if known else For(party, office.default_norm(), office.today().year)), known


@require_GET
@scope(Scope.ENTITY_READ)
def panel(request: HttpRequest) -> HttpResponse:
    """How everything of the entity stands in a year."""
    whom, known = whom_of(request)
    return render(
        request,
        "lastro/entity/panel.html",
        {"whom": whom, "known": known, "panel": dashboard.panel(whom)},
    )


@require_GET
@scope(Scope.ENTITY_READ)
def document_list(request: HttpRequest) -> HttpResponse:
    """The entity's documents, narrowed by verdict, code, operator, words or upload."""
    whom, known = whom_of(request)
    chosen = documents.Filter(
        outcome=_one_of(request.GET.get("situacao", ""), [o.value for o in Outcome]),
        code=request.GET.get("codigo", "")[:3].upper(),
        operator=bare(request.GET.get("operador", "")),
        words=request.GET.get("busca", "").strip()[:100],
        digests=_digests(request, whom.entity),
    )
    every = documents.rows(whom)
    found = [row for row in every if chosen.keeps(row)]
    page = Paginator(found, _PAGE).get_page(request.GET.get("pagina"))
    context = {
        "whom": whom, "known": known, "page": page, "filter": chosen, "outcomes": list(Outcome),
        "codes": documents.codes_of(every), "upload": request.GET.get("envio", ""), "every": len(every),
    }  # fmt: skip
    return render(request, "lastro/entity/documents.html", context)


def _one_of(text: str, known: list[str]) -> str:
    return text if text in known else ""


def _digests(request: HttpRequest, party: str) -> frozenset[str] | None:
    """The files of one upload of this party, if the list is narrowed to it."""
    asked = request.GET.get("envio")
    if not asked:
        return None
    try:
        job = Job.objects.filter(pk=asked, party=party, kind="upload").first()
    except ValueError as wrong:
        raise Http404 from wrong
    except Exception as wrong:  # a text that is no UUID
        raise Http404 from wrong
    if job is None:
        raise Http404
    return frozenset(job.answer.get("digests", []))


@require_GET
@scope(Scope.ENTITY_READ)
def document(request: HttpRequest, sha256: str, ordinal: int) -> HttpResponse:
    """One document: its answer, its facts, its family, and where its mass went."""
    whom, known = whom_of(request)
    shown = documents.one(whom, sha256, ordinal)
    if shown is None:
        raise Http404
    return render(request, "lastro/entity/document.html", {"whom": whom, "known": known, "shown": shown})


@require_GET
@scope(Scope.ENTITY_READ)
def lots(request: HttpRequest) -> HttpResponse:
    """The lots of the entity in a year: what each holds, where it came from, whether it may be used."""
    whom, known = whom_of(request)
    asked = request.GET.get("material", "")
    material = Material(asked) if asked in {m.value for m in Material} else None
    held = [
        lot for lot in office.store().lots(entity=whom.entity, year=whom.year, material=material) if lot.mass
    ]
    page = Paginator(held, _PAGE).get_page(request.GET.get("pagina"))
    context: dict[str, Any] = {
        "whom": whom, "known": known, "page": page, "material": asked, "materials": list(Material),
    }  # fmt: skip
    return render(request, "lastro/entity/lots.html", context)


urls = [
    path("entidade/", panel, name="entity"),
    path("entidade/documentos/", document_list, name="documents"),
    path("entidade/documentos/<slug:sha256>/<int:ordinal>/", document, name="document"),
    path("entidade/lotes/", lots, name="lots"),
]
