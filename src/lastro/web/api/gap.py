"""The group that follows a system, and the ministry: meetings, seats, difficulties, reports that came in."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile

from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.plain import kept, one
from lastro.web.api.requests import files_of
from lastro.web.api.shapes import NO_FILES, WRONG, Kept, Told, email, found
from lastro.web.desks.requests import attached
from lastro.web.readings import gap as readings
from lastro.web.scopes import Scope

router = Router(tags=["grupo de acompanhamento"])
ministry = Router(tags=["ministério"])
_WORKS = Opens(Scope.GAP_WORK)
_KEPT: dict[int, Any] = {**WRONG, 200: Kept}

lists(
    router, "/recebidos", Scope.GAP_READ, "Recebidos", lambda r: readings.received(readings.GAP),
    name="gap_received",
)  # fmt: skip
lists(
    ministry, "/recebidos", Scope.MINISTRY_READ, "Recebidos", lambda r: readings.received(readings.MINISTRY),
    name="ministry_received",
)  # fmt: skip
lists(router, "/reunioes", Scope.GAP_WORK, "Reuniões", lambda r: readings.meetings(), name="gap_meetings")
lists(router, "/assentos", Scope.GAP_WORK, "Assentos", lambda r: readings.seats(), name="gap_seats")
lists(
    router, "/dificuldades", Scope.GAP_WORK, "Dificuldades", lambda r: readings.difficulties(),
    name="difficulties",
)  # fmt: skip


@router.get("", response=list[dict[str, Any]], summary="Como está cada grupo", auth=Opens(Scope.GAP_READ))
def panel(request: HttpRequest) -> Any:
    """Of each system's group: its last meeting, when the next is due, which seats are empty."""
    return [one(readings.following(regulation)) for regulation in readings.norms()]


class Meeting(Schema):
    """A meeting of the group under a norm."""

    norm: str
    day: date
    title: str
    text: str


@router.post("/reunioes", response=_KEPT, summary="Registrar uma reunião", auth=_WORKS)
def meet(
    request: HttpRequest,
    said: Form[Meeting],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Keep a meeting that took place."""
    path = readings.norm(said.norm).norm.path
    return kept(
        readings.meet(
            path, day=said.day, title=said.title, text=said.text, by=email(request), files=files_of(files)
        )
    )


class Seat(Schema):
    """Who sits in the group for a category."""

    norm: str
    category: str
    holder: str
    person: str
    deputy: str = ""


@router.post("/assentos", response=_KEPT, summary="Registrar um assento", auth=_WORKS)
def seat(request: HttpRequest, said: Seat) -> Any:
    """Keep who sits in the group."""
    path = readings.norm(said.norm).norm.path
    return kept(
        readings.seat(
            path, category=said.category, holder=said.holder, person=said.person, deputy=said.deputy,
            by=email(request),
        )
    )  # fmt: skip


@router.post("/assentos/{int:number}/encerrar", response=_KEPT, summary="Encerrar um assento", auth=_WORKS)
def leave_seat(request: HttpRequest, number: int) -> Any:
    """End a seat."""
    return kept(readings.leave_seat(number, by=email(request)))


class Difficulty(Schema):
    """What stands in the way of a system."""

    norm: str
    kind: str
    title: str
    text: str


@router.post("/dificuldades", response=_KEPT, summary="Registrar uma dificuldade", auth=_WORKS)
def name_difficulty(request: HttpRequest, said: Difficulty) -> Any:
    """Keep what stands in the way of a system."""
    path = readings.norm(said.norm).norm.path
    return kept(
        readings.name_difficulty(path, kind=said.kind, title=said.title, text=said.text, by=email(request))
    )


class Assessed(Schema):
    """What the group makes of a difficulty."""

    text: str
    solved: bool = False


@router.post("/dificuldades/{int:number}", response=_KEPT, summary="Avaliar uma dificuldade", auth=_WORKS)
def assess(request: HttpRequest, number: int, said: Assessed) -> Any:
    """Keep what the group makes of a difficulty."""
    return kept(readings.assess(number, text=said.text, solved=said.solved, by=email(request)))


class Consolidated(Schema):
    """The group's report: the norm, and the document as the command line takes it."""

    norm: str
    document: dict[str, Any]
    hand_on: bool = False


@router.post(
    "/consolidado", response={**WRONG, 200: dict[str, Any]}, summary="Calcular ou entregar o consolidado",
    auth=_WORKS,
)  # fmt: skip
def consolidate(request: HttpRequest, said: Consolidated) -> Any:
    """Sum the systems up, say what is lacking, and hand it on to the ministry if asked to."""
    text = json.dumps(said.document, ensure_ascii=False)
    data = readings.consolidated(readings.norm(said.norm).norm.path, text)
    made = readings.hand_on(data, text, by=email(request)) if said.hand_on else None
    return {"data": data.json(), "filed": kept(made).dict() if made else None}


@router.get(
    "/recebidos/{int:number}/arquivos/{name}", response={404: Told}, summary="Um arquivo recebido",
    auth=Opens(Scope.GAP_READ),
)  # fmt: skip
def gap_file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """A file of something that came in."""
    return attached(found(readings.received_file(readings.GAP, number, name)), name)


@ministry.get(
    "/recebidos/{int:number}/arquivos/{name}", response={404: Told}, summary="Um arquivo recebido",
    auth=Opens(Scope.MINISTRY_READ),
)  # fmt: skip
def ministry_file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """A file of a report that came in."""
    return attached(found(readings.received_file(readings.MINISTRY, number, name)), name)
