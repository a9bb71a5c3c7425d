"""Requests of offices and their answers, notices of default to an establishment, and what it hands in."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from lastro.web import trail
from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.plain import kept, one
from lastro.web.api.shapes import NO_FILES, WRONG, Kept, Told, bureau, email, found, party, person
from lastro.web.readings import default_notices, gap, handed_in, opened
from lastro.web.readings import requests as readings
from lastro.web.scopes import Scope

router = Router(tags=["pedidos"])
notified = Router(tags=["notificações"])
deliveries = Router(tags=["entregas"])
_ANSWERS, _ASKS, _OPENS = (
    Opens(scope) for scope in (Scope.REQUESTS_ANSWER, Scope.REQUESTS_ASK, Scope.DATA_OPEN)
)
_KEPT: dict[int, Any] = {**WRONG, 200: Kept}
_WORDS = ("number", "title", "article", "due", "state", "office")


def files_of(files: list[UploadedFile]) -> list[tuple[str, bytes]]:
    """The files of a request, each no longer than it takes to refuse it."""
    return [(one.name or "arquivo", one.read(readings.MOST_BYTES + 1)) for one in files]


lists(
    router, "", Scope.REQUESTS_ANSWER, "Pedidos a este estabelecimento",
    lambda r: readings.made_to(party(r)), name="requests_to_me", also=_WORDS,
)  # fmt: skip
lists(
    router, "/acessos", Scope.REQUESTS_ANSWER, "Acessos de órgãos aos nossos dados",
    lambda r: readings.openings(of=party(r)), name="openings_of_mine",
)  # fmt: skip
lists(
    router, "/feitos", Scope.REQUESTS_ASK, "Pedidos feitos por este órgão",
    lambda r: readings.made_by(bureau(r)), name="requests_by_me", also=_WORDS,
)  # fmt: skip
lists(
    router, "/feitos/acessos", Scope.DATA_OPEN, "Acessos que este órgão abriu",
    lambda r: readings.openings(by_office=bureau(r)), name="openings_by_me",
)  # fmt: skip
lists(
    notified, "", Scope.REQUESTS_ANSWER, "Notificações a este estabelecimento",
    lambda r: default_notices.sent_to(party(r)), name="defaults_to_me",
    also=("number", "office", "state", "due"),
)  # fmt: skip
lists(
    deliveries, "", Scope.REQUESTS_ANSWER, "O que entregamos ao órgão",
    lambda r: handed_in.mine(party(r)), name="handed_by_me", also=("state",),
)  # fmt: skip
lists(
    deliveries, "/auditorias", Scope.REQUESTS_ANSWER, "Auditorias entregues ao grupo",
    lambda r: gap.audits_of(party(r)), name="audits_by_me",
)  # fmt: skip


class Asking(Schema):
    """Whom an office asks, on which basis ("norm/ask"), for what, why, until when."""

    cnpj: str
    basis: str
    title: str
    text: str
    reason: str
    due: date


@router.post("/feitos", response=_KEPT, summary="Pedir informação", auth=_ASKS)
def ask(
    request: HttpRequest,
    said: Form[Asking],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Ask a company or an entity for information."""
    return kept(
        readings.ask(
            bureau(request), to=said.cnpj, key=said.basis, title=said.title, text=said.text,
            reason=said.reason, due=said.due, by=email(request), files=files_of(files),
        )
    )  # fmt: skip


class Opening(Schema):
    """Whose data an office opens, on which basis, and why."""

    cnpj: str
    basis: str
    reason: str


@router.post("/feitos/acessos", response=_KEPT, summary="Abrir dados de um estabelecimento", auth=_OPENS)
def open_data(request: HttpRequest, said: Opening) -> Any:
    """Open the data of a company or entity, which sees that it was done, by whom and why."""
    made = readings.open_data(
        bureau(request), of=said.cnpj, key=said.basis, reason=said.reason, by=email(request)
    )
    return kept(made)


@router.get(
    "/feitos/acessos/{number}",
    response={200: dict[str, Any], 404: Told},
    summary="O que um acesso abre",
    auth=_OPENS,
)
def opening(request: HttpRequest, number: str) -> Any:
    """The opening, and the data that it opens on its day; each look is written in the trail."""
    mine = found(opened.opening(bureau(request), number))
    shown = opened.interest(mine)
    trail.write(request, person(request), status=200, record=("filing", str(mine.id)), act="opening")
    return {"opening": one(mine), "data": one(shown) if shown is not None else None}


class Step(Schema):
    """What is still lacking and until when; without a day, how the request ended."""

    text: str = Field(min_length=1, max_length=8000)
    due: date | None = None


@router.post("/feitos/{number}", response=_KEPT, summary="Pedir complemento ou encerrar", auth=_ASKS)
def step(request: HttpRequest, number: str, said: Step) -> Any:
    """Say what an answer still lacks (with a day), or end the request (without)."""
    mine = found(readings.one(bureau(request), number, seen_by=bureau(request)))
    if said.due is None:
        return kept(readings.close(mine, text=said.text, by=email(request)))
    return kept(readings.ask_more(mine, text=said.text, due=said.due, by=email(request)))


class Answered(Schema):
    """The answer; `secret` marks what of it is protected, and `ground` says by what."""

    text: str = Field(min_length=1, max_length=8000)
    secret: str = ""
    ground: str = ""


@router.post("/{office}/{number}", response=_KEPT, summary="Responder a um pedido", auth=_ANSWERS)
def answer(
    request: HttpRequest,
    office: str,
    number: str,
    said: Form[Answered],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Answer what an office asked."""
    asked = found(readings.one(office, number, seen_by=party(request)))
    if asked.addressee != party(request):
        raise Http404
    return kept(
        readings.answer(
            asked, text=said.text, by=email(request), files=files_of(files), secret=said.secret,
            ground=said.ground,
        )
    )  # fmt: skip


@notified.post("/{office}/{number}", response=_KEPT, summary="Responder a uma notificação", auth=_ANSWERS)
def answer_notice(
    request: HttpRequest,
    office: str,
    number: str,
    said: Form[Answered],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Open a notice, which is kept, and answer it."""
    notice = found(default_notices.one(office, number, seen_by=party(request)))
    if notice.addressee != party(request):
        raise Http404
    seen = default_notices.opened(notice, by=email(request))
    return kept(default_notices.answer(seen, text=said.text, by=email(request), files=files_of(files)))


class Delivery(Schema):
    """What is handed in to the agency."""

    sort: str
    title: str
    text: str = ""


@deliveries.post("", response=_KEPT, summary="Entregar um documento ao órgão", auth=_ANSWERS)
def hand_in(
    request: HttpRequest,
    said: Form[Delivery],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Hand a document in to the agency, or a new version of it."""
    return kept(
        handed_in.hand_in(
            party(request), sort=said.sort, title=said.title, text=said.text, by=email(request),
            files=files_of(files),
        )
    )  # fmt: skip


class Audit(Schema):
    """An audit report for the group."""

    norm: str
    year: str
    auditor: str
    text: str = ""


@deliveries.post("/auditorias", response=_KEPT, summary="Entregar uma auditoria ao grupo", auth=_ANSWERS)
def hand_audit(
    request: HttpRequest,
    said: Form[Audit],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Hand an audit report to the group that follows the system."""
    return kept(
        gap.hand_audit(
            party(request), said.norm, year=said.year, auditor=said.auditor, text=said.text,
            by=email(request), files=files_of(files),
        )
    )  # fmt: skip
