"""The managing entity: how its documents stand, each document, its lots, and what others contest."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from lastro.custody.port import For
from lastro.facts import Outcome
from lastro.ids import Material, bare
from lastro.stores.postgres.view import HeldLot
from lastro.web import office
from lastro.web.models import Job
from lastro.web.readings import cures, dashboard, documents, pools
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.tags import shown


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
    made = table(request, found, _document_columns(whom), caption=f"Documentos de {whom.year}")
    if isinstance(made, HttpResponse):
        return made
    context = {
        "whom": whom, "known": known, "table": made, "filter": chosen, "outcomes": list(Outcome),
        "codes": documents.codes_of(every), "upload": request.GET.get("envio", ""), "every": len(every),
    }  # fmt: skip
    return render(request, "lastro/entity/documents.html", context)


def _document_columns(whom: For) -> list[Column[documents.Row]]:
    def address(row: documents.Row) -> str:
        return f"{reverse('document', args=[row.sha256, row.ordinal])}?ano={whom.year}"

    return [
        Column("arquivo", "Documento", lambda r: r.file, link=address),
        Column("especie", "Espécie", lambda r: r.kind, words=shown.word),
        Column("chave", "Chave", lambda r: r.key, words=lambda key: " ".join(shown.in_fours(key))),
        Column("emitida", "Emitida", lambda r: r.issued_on),
        Column("vende", "Vende", lambda r: r.seller),
        Column("compra", "Compra", lambda r: r.buyer),
        Column(
            "situacao",
            "Situação",
            lambda r: r.outcome,
            words=shown.word,
            tone=lambda r: shown.tone(r.outcome),
        ),
        Column("codigos", "Códigos", lambda r: " ".join(code for code, _ in r.worst)),
        Column("massa", "Massa que conta", lambda r: r.mass if r.kind == "nfe" else None),
    ]


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
    found = documents.one(whom, sha256, ordinal)
    if found is None:
        raise Http404
    return render(request, "lastro/entity/document.html", {"whom": whom, "known": known, "shown": found})


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
    made = table(request, held, _LOTS, caption=f"Lotes de {whom.year}")
    if isinstance(made, HttpResponse):
        return made
    context: dict[str, Any] = {
        "whom": whom, "known": known, "table": made, "material": asked, "materials": list(Material),
    }  # fmt: skip
    return render(request, "lastro/entity/lots.html", context)


_LOTS: list[Column[HeldLot]] = [
    Column("chave", "Nota", lambda x: x.lot.access_key, words=lambda key: " ".join(shown.in_fours(key))),
    Column("item", "Item", lambda x: x.lot.line),
    Column("material", "Material", lambda x: x.material.value, words=shown.capitalised),
    Column("emitida", "Emitida", lambda x: x.issued_on),
    Column("vende", "Vende", lambda x: shown.cnpj(x.issuer)),
    Column("compra", "Compra", lambda x: shown.cnpj(x.recipient)),
    Column("municipio", "Município", lambda x: x.municipality, words=shown.place),
    Column("origem", "Origem", lambda x: x.origin.value if x.origin else None, words=shown.word),
    Column(
        "homologado", "Homologado", lambda x: x.homologated, choice=True,
        tone=lambda x: "good" if x.homologated else "asks",
    ),
    Column("massa", "Massa", lambda x: x.mass),
]  # fmt: skip


@require_GET
@scope(Scope.ENTITY_READ)
def pool_list(request: HttpRequest) -> HttpResponse:
    """What is left to use, by year, material and state of collection."""
    party: str = request.party  # type: ignore[attr-defined]
    made = table(request, pools.rows(party), _POOLS, caption="Massa em lotes por material, UF e ano")
    if isinstance(made, HttpResponse):
        return made
    intro = ["Um conjunto é uma pergunta feita aos lotes: o que ainda não foi certificado nem baixado."]
    context = {"title": "Massa em lotes por material, UF e ano", "intro": intro, "table": made}
    return render(request, "lastro/entity/list.html", context)


def _lots_of(row: pools.Row) -> str:
    return f"{reverse('lots')}?{urlencode({'ano': row.year, 'material': row.material.value})}"


_POOLS: list[Column[pools.Row]] = [
    Column(
        "material",
        "Material",
        lambda x: x.material.value,
        words=shown.capitalised,
        choice=True,
        link=_lots_of,
    ),
    Column("ano", "Ano", lambda x: str(x.year), choice=True),
    Column("uf", "UF da coleta", lambda x: x.uf, choice=True),
    Column("lotes", "Lotes", lambda x: x.lots),
    Column("verificada", "Verificada", lambda x: x.verified),
    Column("homologada", "Homologada", lambda x: x.homologated),
    Column("espera", "Espera o verificador", lambda x: x.waiting),
]


@require_GET
@scope(Scope.ENTITY_READ)
def cure_list(request: HttpRequest) -> HttpResponse:
    """What holds notes back, by code or by operator, and how many kilograms each cure frees."""
    whom, known = whom_of(request)
    apart = request.GET.get("por") == "operador"
    found = cures.by_code(whom, apart=apart)
    made = table(request, found, _cure_columns(whom, apart), caption=f"Achados de {whom.year}")
    if isinstance(made, HttpResponse):
        return made
    here = f"{reverse('cures')}?ano={whom.year}"
    context = {
        "whom": whom, "known": known, "table": made, "title": f"Achados de {whom.year}: o que libera massa",
        "intro": [
            "“Libera sozinha” é a massa das notas que só este achado segura; “de todas” soma também as "
            "que têm outro achado. Cada linha leva às notas."
        ],
        "links": [(here, "Por código", not apart), (f"{here}&por=operador", "Por operador", apart)],
    }  # fmt: skip
    return render(request, "lastro/entity/list.html", context)


def _cure_columns(whom: For, apart: bool) -> list[Column[cures.Freed]]:
    def notes(row: cures.Freed) -> str:
        asked: dict[str, str | int] = {"ano": whom.year, "codigo": row.code}
        if row.operator:
            asked["operador"] = row.operator
        return f"{reverse('documents')}?{urlencode(asked)}"

    columns: list[Column[cures.Freed]] = [
        Column("codigo", "Código", lambda x: x.code, link=notes, choice=True),
        Column(
            "grau", "Grau", lambda x: x.severity, words=shown.word, choice=True,
            tone=lambda x: shown.tone(x.severity),
        ),
        Column("visto", "O que se viu", lambda x: x.message),
        Column("cura", "O que fazer", lambda x: x.cure),
        Column("notas", "Notas", lambda x: x.notes),
        Column("sozinha", "Libera sozinha", lambda x: x.alone),
        Column("todas", "De todas", lambda x: x.whole),
        Column("incerta", "Itens sem massa dita", lambda x: x.untold),
    ]  # fmt: skip
    if apart:
        who: Column[cures.Freed] = Column(
            "operador", "Operador",
            lambda x: f"{x.operator_name} {shown.cnpj(x.operator)}".strip() if x.operator else None,
        )  # fmt: skip
        columns.insert(1, who)
    return columns


urls = [
    path("entidade/", panel, name="entity"),
    path("entidade/documentos/", document_list, name="documents"),
    path("entidade/documentos/<slug:sha256>/<int:ordinal>/", document, name="document"),
    path("entidade/lotes/", lots, name="lots"),
    path("entidade/conjuntos/", pool_list, name="pools"),
    path("entidade/achados/", cure_list, name="cures"),
]
