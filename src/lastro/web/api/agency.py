"""The agency's desk: is this CNPJ in order, who is late, notices of default, what was handed in, tables."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpRequest
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from lastro.errors import LastroError
from lastro.web import trail
from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.plain import kept, one, page
from lastro.web.api.shapes import WRONG, Kept, Page, Told, bureau, email, found, person
from lastro.web.readings import default_notices as notices
from lastro.web.readings import handed_in, late, official_tables, order
from lastro.web.readings.requests import MOST_BYTES, party_of
from lastro.web.scopes import Scope

router = Router(tags=["órgão"])
_CHECKS, _LOADS = Opens(Scope.ORDER_CHECK), Opens(Scope.TABLES_LOAD)
_KEPT: dict[int, Any] = {**WRONG, 200: Kept}

lists(
    router, "/notificacoes", Scope.ORDER_CHECK, "Notificações enviadas",
    lambda r: notices.sent_by(bureau(r)), name="defaults", also=("number", "state", "due"),
)  # fmt: skip
lists(
    router, "/entregas", Scope.AGENCY_WORK, "Entregas a analisar", lambda r: handed_in.queue(),
    name="handed", also=("state",),
)  # fmt: skip
lists(
    router, "/tabelas", Scope.TABLES_LOAD, "Tabelas carregadas",
    lambda r: official_tables.history(bureau(r)), name="tables",
)  # fmt: skip


def _tax(request: HttpRequest) -> bool:
    return Scope.FEE_WORK in person(request).scopes


def _looked(request: HttpRequest, cnpj: str) -> None:
    """Every look at somebody is written in the trail, a program's too."""
    trail.write(request, person(request), status=200, record=("establishment", cnpj), act="order-check")


@router.get("/em-dia", response={200: dict[str, Any], **WRONG}, summary="Está em dia?", auth=_CHECKS)
def check(request: HttpRequest, cnpj: str) -> Any:
    """Whether an establishment is in order today, with the reasons; the fee only for who keeps it."""
    who = party_of(cnpj[:20])
    answer = order.answer(who, tax=_tax(request))
    _looked(request, who)
    return one(answer, "met")


class Stated(Schema):
    """What the agency knows from elsewhere of a duty ("norm:key" of a check that can't be told here)."""

    cnpj: str
    duty: str
    met: bool
    source: str = Field(min_length=1, max_length=500)


@router.post("/constatacoes", response=_KEPT, summary="Constatar um dever", auth=_CHECKS)
def state(request: HttpRequest, said: Stated) -> Any:
    """State what is known from elsewhere, and from where; the establishment sees it."""
    cnpj = party_of(said.cnpj)
    open_checks = {
        f"{part.regulation.norm.path}:{c.key}": c
        for part in order.answer(cnpj, tax=_tax(request)).parts
        for c in part.checks
        if part.tax == _tax(request) and c.met is None and c.counts
    }
    if said.duty not in open_checks:
        raise LastroError(f"Escolha um dever que hoje não se saiba: {', '.join(open_checks) or 'não há'}.")
    norm = said.duty.partition(":")[0]
    return kept(
        order.state(
            cnpj, open_checks[said.duty], norm=norm, who=bureau(request), met=said.met, source=said.source,
            by=email(request),
        )
    )  # fmt: skip


@router.get("/atrasos", response=Page, summary="Quem está atrasado", auth=_CHECKS)
def late_list(request: HttpRequest, unknown: bool = False, after: int = 0) -> Page:
    """What every company lacks today; `unknown` adds what can't be told."""
    trail.write(request, person(request), status=200, act="late")
    return page(late.rows(tax=_tax(request), who=bureau(request), unknown=unknown), after=after)


class Notice(Schema):
    """Whom to notify, of which duties ("norm:key"), what to do and until when."""

    cnpj: str
    duties: list[str]
    text: str
    due: date


@router.post("/notificacoes", response=_KEPT, summary="Notificar um CNPJ", auth=_CHECKS)
def notify(request: HttpRequest, said: Notice) -> Any:
    """Notify an establishment of what it lacks; the day on which it opens the notice is kept."""
    return kept(
        notices.send(
            bureau(request), to=said.cnpj, keys=said.duties, text=said.text, due=said.due, by=email(request)
        )
    )


@router.get(
    "/notificacoes/{number}",
    response={200: dict[str, Any], 404: Told},
    summary="Uma notificação",
    auth=_CHECKS,
)
def notice(request: HttpRequest, number: str) -> Any:
    """One notice of this office: whether it was opened, what was answered, its end."""
    mine = found(notices.one(bureau(request), number, seen_by=bureau(request)))
    return one(mine, "number", "state", "due")


class Text(Schema):
    """What is said."""

    text: str = Field(min_length=1, max_length=8000)


@router.post(
    "/notificacoes/{number}/encerrar", response=_KEPT, summary="Encerrar uma notificação", auth=_CHECKS
)
def close(request: HttpRequest, number: str, said: Text) -> Any:
    """End a notice, and say how it ended."""
    mine = found(notices.one(bureau(request), number, seen_by=bureau(request)))
    return kept(notices.close(mine, text=said.text, by=email(request)))


class Review(Schema):
    """Which step the analysis takes, and the notes for who handed in."""

    to: str
    text: str = ""


@router.post("/entregas/{key}", response=_KEPT, summary="Analisar uma entrega", auth=Opens(Scope.AGENCY_WORK))
def review(request: HttpRequest, key: str, said: Review) -> Any:
    """Start on, return with notes or accept something handed in."""
    item = found(handed_in.one(key))
    return kept(handed_in.review(item, to=said.to, text=said.text, by=email(request)))


class Table(Schema):
    """Which table of which norm, from where and of which day."""

    table: str
    norm: str = ""
    source: str
    dated: date


@router.post("/tabelas", response=_KEPT, summary="Carregar uma tabela oficial", auth=_LOADS)
def propose(request: HttpRequest, said: Form[Table], file: File[UploadedFile]) -> Any:
    """Load a table; it counts once another person has confirmed it."""
    if said.table not in official_tables.tables_of(bureau(request)):
        raise LastroError("Escolha a tabela: cada órgão carrega as suas.")
    return kept(
        official_tables.propose(
            bureau(request), table=said.table, norm=said.norm, source=said.source, dated=said.dated,
            name=file.name or "tabela", data=file.read(MOST_BYTES), by=email(request),
        )
    )  # fmt: skip


@router.get("/tabelas/{number}", response={200: dict[str, Any], 404: Told}, summary="Uma tabela", auth=_LOADS)
def table(request: HttpRequest, number: str) -> Any:
    """One load, with what each row would change."""
    loaded = found(official_tables.one(bureau(request), number))
    waits = loaded.body["state"] == "proposed"
    return one(loaded) | {"changes": [one(c) for c in official_tables.changes(loaded)] if waits else []}


class Confirmed(Schema):
    """The second person's word."""

    yes: bool


@router.post("/tabelas/{number}", response=_KEPT, summary="Confirmar ou recusar uma tabela", auth=_LOADS)
def confirm(request: HttpRequest, number: str, said: Confirmed) -> Any:
    """Confirm or refuse, as another person than who loaded it."""
    loaded = found(official_tables.one(bureau(request), number))
    return kept(official_tables.confirm(loaded, yes=said.yes, by=email(request)))
