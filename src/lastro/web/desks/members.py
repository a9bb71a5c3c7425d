"""An entity's members and terms: a sheet taken whole or sent back, who joins and leaves, what to tell."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lastro.errors import LastroError
from lastro.ids import bare
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.web import office, registering
from lastro.web.desks.reports import download
from lastro.web.readings import members as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table
from lastro.web.tags.shown import cnpj, day, place

_TONES = {"dentro": "good", "a começar": "asks", "encerrado": "plain"}
_LOADED = "Guardado. As notas em que isto pesa estão sendo julgadas de novo."
_SAME = "Nada mudou: o cadastro já dizia isto."


@require_GET
@scope(Scope.ENTITY_READ)
def member_list(request: HttpRequest) -> HttpResponse:
    """Who adheres to the entity, and since when."""
    party: str = request.party  # type: ignore[attr-defined]
    made = table(request, readings.members(party), _columns(request), caption="Aderentes")
    if isinstance(made, HttpResponse):
        return made
    waiting = len(readings.changes(party))
    context = {
        "title": "Aderentes", "table": made, "waiting": waiting, "judging": registering.last_judging(party),
    }  # fmt: skip
    return render(request, "lastro/entity/members.html", context)


def _columns(request: HttpRequest) -> list[Column[readings.Member]]:
    keeps = Scope.ENTITY_KEEP in request.user.scopes  # type: ignore[union-attr]

    def leaving(one: readings.Member) -> str:
        m = one.membership
        named = [m.establishment, m.period.start.isoformat()]
        return reverse("member-leave", args=named) + (f"?termo={m.term}" if m.term else "")

    columns: list[Column[readings.Member]] = [
        Column("nome", "Aderente", lambda x: x.name or cnpj(x.membership.establishment)),
        Column("cnpj", "CNPJ", lambda x: cnpj(x.membership.establishment)),
        Column("municipio", "Município", lambda x: x.municipality, words=place),
        Column("termo", "Termo", lambda x: x.membership.term, choice=True),
        Column("sistema", "Sistema", lambda x: x.scheme, choice=True),
        Column("de", "Desde", lambda x: x.membership.period.start),
        Column("ate", "Último dia", lambda x: x.membership.period.end),
        Column("situacao", "Situação", lambda x: x.state, choice=True, tone=lambda x: _TONES[x.state]),
    ]
    if keeps and "baixar" not in request.GET:
        columns.append(
            Column(
                "saida", "Saída", lambda x: "" if x.membership.period.end else "registrar saída",
                link=lambda x: "" if x.membership.period.end else leaving(x),
            )
        )  # fmt: skip
    return columns


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def load(request: HttpRequest) -> HttpResponse:
    """Take in a registry sheet: members, terms, vettings and establishments, whole or not at all."""
    taken, problem = None, ""
    if request.method == "POST":
        file = request.FILES.get("arquivo")
        if file is None:
            problem = "Escolha o arquivo."
        elif (file.size or 0) > settings.LASTRO_MOST_UPLOAD_BYTES:
            problem = "O arquivo é grande demais; divida-o em mais de um."
        else:
            try:
                taken = registering.take(
                    str(file.name or "cadastro"), file.read(), entity=_party(request), person=_me(request)
                )
            except LastroError as wrong:
                problem = str(wrong)
        if taken is not None and not taken.issues:
            messages.success(request, _counted(taken))
            return redirect(reverse("members"))
    context = {"taken": taken, "problem": problem, "shown": taken.issues[:100] if taken else ()}
    status = 400 if problem or taken else 200
    return render(request, "lastro/entity/registry_load.html", context, status=status)


def _counted(taken: registering.Taken) -> str:
    if not taken.fresh:
        return _SAME
    new = sum(count["new"] for count in taken.counts.values())
    changed = sum(count["changed"] for count in taken.counts.values())
    return f"Linhas novas: {new}; mudadas: {changed}. {_LOADED}"


def _party(request: HttpRequest) -> str:
    return str(request.party)  # type: ignore[attr-defined]


def _me(request: HttpRequest) -> Any:
    return request.user


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def join(request: HttpRequest) -> HttpResponse:
    """Write one establishment into the list of members."""
    typed = {
        name: request.POST.get(name, "").strip()[:200]
        for name in ("cnpj", "nome", "municipio", "termo", "sistema", "de")
    }
    taken = None
    if request.method == "POST":
        who = bare(typed["cnpj"])
        row = {
            "establishment": who, "entity": _party(request), "term": typed["termo"], "from": typed["de"],
            "scheme": typed["sistema"],
        }  # fmt: skip
        known = office.registry().party(who) is not None
        party = {"cnpj": who, "name": typed["nome"], "municipality": typed["municipio"]}
        others = () if known else (("parties", party),)
        taken = registering.take(
            registering.FORM, registering.typed("members", row, *others), entity=_party(request),
            person=_me(request),
        )  # fmt: skip
        if not taken.issues:
            messages.success(request, _LOADED if taken.fresh else _SAME)
            return redirect(reverse("members"))
    context = {
        "typed": typed, "issues": taken.issues if taken else (), "schemes": readings.SCHEMES.items(),
        "terms": [t.term.term for t in readings.terms(_party(request))],
        "today": office.today().isoformat(),
    }  # fmt: skip
    return render(request, "lastro/entity/join.html", context, status=400 if taken else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.ENTITY_KEEP)
def leave(request: HttpRequest, establishment: str, since: str) -> HttpResponse:
    """Write the last day of an establishment with the entity; the stay itself remains on the list."""
    party, term = _party(request), request.GET.get("termo")
    found = next(
        (
            m
            for m in readings.members(party)
            if m.membership.establishment == establishment
            and m.membership.period.start.isoformat() == since
            and term in (None, m.membership.term)
        ),
        None,
    )
    if found is None:
        raise Http404
    issues: tuple[Any, ...] = ()
    if request.method == "POST":
        m = found.membership
        row = {
            "establishment": m.establishment, "entity": party, "term": m.term, "from": since,
            "to": request.POST.get("ate", "").strip()[:20], "scheme": m.scheme,
        }  # fmt: skip
        taken = registering.take(
            registering.FORM, registering.typed("members", row), entity=party, person=_me(request)
        )
        issues = taken.issues
        if not issues and row["to"]:
            messages.success(request, _LOADED if taken.fresh else _SAME)
            return redirect(reverse("members"))
    context = {"member": found, "issues": issues, "today": office.today().isoformat()}
    return render(request, "lastro/entity/leave.html", context, status=400 if issues else 200)


@require_GET
@scope(Scope.ENTITY_READ)
def term_list(request: HttpRequest) -> HttpResponse:
    """The terms of commitment, with what is left of each."""
    made = table(request, readings.terms(_party(request)), _TERMS, caption="Termos de compromisso")
    if isinstance(made, HttpResponse):
        return made
    keeps = Scope.ENTITY_KEEP in request.user.scopes  # type: ignore[union-attr]
    context = {
        "title": "Termos de compromisso", "table": made,
        "intro": ["Certificado só vale sob termo que o admita. Termo novo entra pela planilha."],
        "links": [(reverse("registry-load"), "Carregar planilha", True)] if keeps else [],
    }  # fmt: skip
    return render(request, "lastro/entity/list.html", context)


_TERMS: list[Column[readings.TermShown]] = [
    Column("termo", "Termo", lambda x: x.term.term),
    Column("setor", "Setor", lambda x: x.term.sector),
    Column("assinado", "Assinado em", lambda x: x.term.signed_on),
    Column("de", "Vale desde", lambda x: x.term.period.start),
    Column("ate", "Último dia", lambda x: x.term.period.end),
    Column("dias", "Dias que faltam", lambda x: x.days_left),
    Column("certificados", "Admite certificados", lambda x: x.term.certificates_allowed, choice=True),
    Column("aderentes", "Aderentes hoje", lambda x: x.members),
    Column("situacao", "Situação", lambda x: x.state, choice=True, tone=lambda x: _TONES[x.state]),
]


@require_GET
@scope(Scope.ENTITY_READ)
def change_list(request: HttpRequest) -> HttpResponse:
    """What changed in the system since the SINIR or the state's system was last told (art. 66)."""
    party = _party(request)
    found, marks = readings.changes(party), readings.marks(party)
    keeps = Scope.ENTITY_KEEP in request.user.scopes  # type: ignore[union-attr]
    made = table(request, reversed(found), _CHANGES, caption="Mudanças por atualizar")
    if isinstance(made, HttpResponse):
        return made
    context = {
        "table": made, "marks": marks, "keeps": keeps and bool(found),
        "newest": found[-1].number if found else 0,
    }  # fmt: skip
    return render(request, "lastro/entity/changes.html", context)


@require_POST
@scope(Scope.ENTITY_KEEP)
def mark_sent(request: HttpRequest) -> HttpResponse:
    """Note that the changes that were looked at are in the other system now, with its receipt."""
    found, marks = readings.changes(_party(request)), readings.marks(_party(request))
    party, asked = _party(request), request.POST.get("ate", "")
    if not asked.isdigit() or int(asked) not in {one.number for one in found}:
        messages.error(request, translate("A lista mudou desde que você a abriu. Confira de novo."))
        return redirect(reverse("changes"))
    file = request.FILES.get("comprovante")
    files = [(str(file.name or "comprovante")[:200], file.read())] if file else []
    body = {
        "up_to": int(asked), "count": sum(one.number <= int(asked) for one in found),
        "system": "SINIR" if request.POST.get("sistema") == "sinir" else "sistema estadual",
        "protocol": request.POST.get("protocolo", "").strip()[:100],
    }  # fmt: skip
    try:
        Filings(office.store(), sees=party).add(
            readings.sent_subject(party), body, by=_me(request).email, on=office.today(),
            after=marks[0].version if marks else 0, files=files,
        )  # fmt: skip
    except ChangedMeanwhile as wrong:
        messages.error(request, str(wrong))
    else:
        told = {"count": body["count"], "day": day(office.today())}
        messages.success(request, translate("Registrado: %(count)s mudanças levadas em %(day)s.") % told)
    return redirect(reverse("changes"))


_CHANGES: list[Column[readings.Change]] = [
    Column("quando", "Guardada em", lambda x: x.on),
    Column("de", "De quê", lambda x: x.about, choice=True),
    Column("quem", "Quem", lambda x: x.who),
    Column("nome", "Nome", lambda x: x.name),
    Column("mudanca", "O que mudou", lambda x: x.what),
]


@require_GET
@scope(Scope.ENTITY_READ)
def filed(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """A file that came with a filing of the entity's, or with one addressed to it."""
    filings = Filings(office.store(), sees=_party(request))
    found = filings.one(number)
    mine = found is not None and _party(request) in (found.subject.party, found.addressee)
    body = filings.file(number, name) if mine else None
    if body is None:
        raise Http404
    return download(name, body)


urls = [
    path("entidade/aderentes/", member_list, name="members"),
    path("entidade/aderentes/incluir/", join, name="member-join"),
    path("entidade/aderentes/<slug:establishment>/<slug:since>/saida/", leave, name="member-leave"),
    path("entidade/cadastro/carregar/", load, name="registry-load"),
    path("entidade/termos/", term_list, name="terms"),
    path("entidade/mudancas/", change_list, name="changes"),
    path("entidade/mudancas/levadas/", mark_sent, name="changes-sent"),
    path("entidade/arquivos/<int:number>/<str:name>", filed, name="entity-file"),
]
