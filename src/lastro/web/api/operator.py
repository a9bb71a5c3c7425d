"""The operator's desk: its sales and what became of them, its papers, what it sends to entities."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from lastro.evidence.answer import document_json
from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.api.lists import as_form, lists
from lastro.web.api.plain import kept, one, page
from lastro.web.api.shapes import NO_FILES, WRONG, Done, Kept, Page, Told, found, party, wrong
from lastro.web.desks import operator as desk
from lastro.web.desks import parcels as parcels_desk
from lastro.web.readings import homologations, parcels
from lastro.web.readings import operator as readings
from lastro.web.scopes import Scope

router = Router(tags=["operador"])
_READS, _SENDS = Opens(Scope.OPERATOR_READ), Opens(Scope.OPERATOR_SEND)

lists(
    router, "/envios", Scope.OPERATOR_READ, "O que o operador enviou",
    lambda r: parcels.parcels_from(party(r)), name="sent", also=("state", "title"),
)  # fmt: skip


@router.get("/ano", response=dict[str, Any], summary="O ano do operador", auth=_READS)
def year(request: HttpRequest, year: int | None = None) -> Any:
    """What counted in a year, month by month, and what asks for something."""
    home = readings.home(party(request), year=year, today=office.today())
    months = [one(month) | {"bar": None} for month in home.months]
    asks = [_note(note) for note in home.asks]
    return {
        "year": home.year, "counted_mg": home.counted.mg, "counts": home.counts, "months": months,
        "asks": asks, "cures": [one(said) | {"notes": count} for said, count in home.cures],
    }  # fmt: skip


def _note(note: readings.Note) -> dict[str, Any]:
    return {
        "access_key": note.key,
        "entity": note.whom.entity,
        "norm": note.whom.norm,
        "year": note.whom.year,
        "verdict": note.outcome.value,
        "due": note.due.isoformat() if note.due else None,
        "said": [one(said) for said in note.said],
    }


@router.get("/notas", response=Page, summary="As notas do operador", auth=_READS)
def notes(request: HttpRequest, after: int = 0) -> Page:
    """Every sale of the operator that an entity handed in, with what became of it."""
    from lastro.web.api.shapes import part

    return part([_note(note) for note in readings.notes(party(request)) if note.key], after=after)


@router.get("/notas/{key}", response={200: list[dict[str, Any]], 404: Told}, summary="Uma nota", auth=_READS)
def note(request: HttpRequest, key: str) -> Any:
    """One sale, as each entity that has it is answered."""
    mine = readings.notes(party(request), key=key)
    if not mine:
        raise Http404
    return [_note(n) | {"document": document_json(n.document, n.verdict)} for n in mine]


@router.get("/homologacoes", response=Page, summary="Homologações e papéis", auth=_READS)
def standing(request: HttpRequest, everywhere: bool = False, after: int = 0) -> Page:
    """How the operator stands with each entity, and the four papers of each homologation."""
    every = homologations.homologations(party(request), today=office.today(), everywhere=everywhere)
    return page(every, after=after)


class Paper(Schema):
    """A paper's number, and until when it holds."""

    number: str = Field(default="", max_length=80)
    valid_to: str = ""


@router.post(
    "/homologacoes/{entity}/{paper}", response={**WRONG, 200: Done}, summary="Entregar um papel", auth=_SENDS
)
def hand_in(
    request: HttpRequest, entity: str, paper: str, said: Form[Paper], file: File[UploadedFile]
) -> Any:
    """Hand one paper of the homologation to an entity."""
    if entity not in homologations.every_entity() or paper not in homologations.PAPERS:
        raise Http404
    as_form(request, {"numero": said.number, "validade": said.valid_to}, {"arquivo": [file]})
    problem = desk.hand_in(request, entity, paper)
    return wrong(problem) if problem else {"id": f"{entity}/{paper}"}


class Parcel(Schema):
    """To whom notes are sent; keys stand one a line; `note` where a paper speaks for one note."""

    entity: str
    keys: str = ""
    note: str = ""


@router.post("/envios", response={**WRONG, 200: Kept}, summary="Enviar notas ou um papel", auth=_SENDS)
def send(
    request: HttpRequest,
    said: Form[Parcel],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Send notes (files or keys) to an entity, or the paper that cures one note."""
    about = parcels.plain_key(said.note) if said.note else ""
    mine = readings.notes(party(request), key=about) if about else []
    if about and not mine:
        raise Http404
    as_form(request, {"entidade": said.entity, "chaves": said.keys, "nota": said.note}, {"arquivos": files})
    allowed = [n.whom.entity for n in mine] or homologations.entities_of(party(request))
    entity = said.entity if said.entity in allowed else ""
    problem = parcels_desk.problem_of(request, entity, support=bool(about))
    return wrong(problem) if problem else kept(parcels_desk.keep(request, entity, about=about))


@router.get(
    "/envios/{int:number}", response={200: dict[str, Any], 404: Told}, summary="Um envio", auth=_READS
)
def parcel(request: HttpRequest, number: int) -> Any:
    """One parcel: what was seen in it beforehand, and what the entity did with it."""
    shown = parcels_desk.looked(found(parcels.sent(party(request), number)))
    return one(shown, "state", "title") | {"look": shown.look.state if shown.look else None}
