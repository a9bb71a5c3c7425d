"""An entity's own desk: members, operators, points, what operators sent, what buyers and verifiers say."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest
from ninja import File, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from lastro.custody.port import For
from lastro.custody.withdraw import withdraw as take_back
from lastro.ids import bare
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.filings import Filings
from lastro.web import office, registering
from lastro.web.api.evidence import whom
from lastro.web.api.keys import Opens
from lastro.web.api.lists import as_form, lists
from lastro.web.api.plain import kept, one, page
from lastro.web.api.shapes import WRONG, Done, Kept, Page, Told, email, found, party, person, wrong
from lastro.web.desks import parcels as parcels_desk
from lastro.web.readings import (
    documents,
    loads,
    members,
    membership,
    objections,
    operators,
    own_points,
    parcels,
    points,
    pools,
)
from lastro.web.scopes import Scope

router = Router(tags=["entidade"])


class Loaded(Schema):
    """What became of rows for the registry: how many said something new, or what to mend in each."""

    fresh: int
    issues: list[dict[str, Any]] = Field(default_factory=list)


def _loaded(taken: registering.Taken) -> Any:
    if not taken.issues:
        return Loaded(fresh=taken.fresh)
    issues = [{n: getattr(i, n) for n in i.__dataclass_fields__} for i in taken.issues]
    return wrong("Há linhas a corrigir; nada foi guardado.", issues=issues)


def _row(request: HttpRequest, table: str, row: dict[str, Any], *others: tuple[str, Any]) -> Any:
    data = registering.typed(table, row, *others)
    return _loaded(registering.take(registering.FORM, data, entity=party(request), person=person(request)))


_IN: dict[int, Any] = {**WRONG, 200: Loaded}
_KEEPS = Opens(Scope.ENTITY_KEEP)

lists(
    router, "/aderentes", Scope.ENTITY_READ, "Aderentes", lambda r: members.members(party(r)), name="members"
)
lists(
    router, "/termos", Scope.ENTITY_READ, "Termos de compromisso", lambda r: members.terms(party(r)),
    name="terms",
)  # fmt: skip
lists(
    router, "/mudancas", Scope.ENTITY_READ, "Mudanças por levar ao SINIR",
    lambda r: members.changes(party(r)), name="changes",
)  # fmt: skip
lists(
    router, "/conjuntos", Scope.ENTITY_READ, "Massa por material, UF e ano", lambda r: pools.rows(party(r)),
    name="pools",
)  # fmt: skip
lists(
    router, "/recebimentos", Scope.ENTITY_READ, "O que compradores disseram das cargas",
    lambda r: loads.told(party(r)), name="told",
)  # fmt: skip
lists(
    router, "/objecoes", Scope.ENTITY_READ, "Objeções a achados",
    lambda r: objections.objections(party(r)), name="objections", also=("state",),
)  # fmt: skip
lists(
    router, "/adesoes", Scope.ENTITY_READ, "Pedidos de adesão e de saída",
    lambda r: membership.asked_of(party(r)), name="joinings", also=("state", "wants"),
)  # fmt: skip
lists(
    router, "/recebidos", Scope.ENTITY_READ, "O que operadores enviaram",
    lambda r: parcels.parcels_to(party(r)), name="parcels", also=("state", "title"),
)  # fmt: skip


class Member(Schema):
    """An establishment that adheres from a day on; name and municipality only where it is not known yet."""

    cnpj: str
    since: str
    term: str = ""
    scheme: str = ""
    name: str = ""
    municipality: str = ""


@router.post("/aderentes", response=_IN, summary="Incluir um aderente", auth=_KEEPS)
def join(request: HttpRequest, said: Member) -> Any:
    """Write an establishment into the list of members."""
    who = bare(said.cnpj)
    row = {
        "establishment": who, "entity": party(request), "term": said.term, "from": said.since,
        "scheme": said.scheme,
    }  # fmt: skip
    new = {"cnpj": who, "name": said.name, "municipality": said.municipality}
    return _row(request, "members", row, *(() if office.registry().party(who) else (("parties", new),)))


class Left(Schema):
    """The last day of a stay, named by its establishment and first day."""

    cnpj: str
    since: str
    until: str = Field(min_length=10, max_length=10)
    term: str | None = None


@router.post("/aderentes/saida", response=_IN, summary="Registrar a saída de um aderente", auth=_KEEPS)
def leave(request: HttpRequest, said: Left) -> Any:
    """Write the last day of an establishment with the entity."""
    stay = next(
        (
            m.membership
            for m in members.members(party(request))
            if m.membership.establishment == bare(said.cnpj)
            and m.membership.period.start.isoformat() == said.since
            and said.term in (None, m.membership.term)
        ),
        None,
    )
    if stay is None:
        raise Http404
    row = {
        "establishment": stay.establishment, "entity": party(request), "term": stay.term,
        "from": said.since, "to": said.until, "scheme": stay.scheme,
    }  # fmt: skip
    return _row(request, "members", row)


@router.post("/cadastro", response=_IN, summary="Carregar aderentes, termos e homologações", auth=_KEEPS)
def load(request: HttpRequest, file: File[UploadedFile]) -> Any:
    """Take a registry file (.xlsx, .csv, .json) whole, or none of it."""
    name = file.name or "cadastro"
    return _loaded(registering.take(name, file.read(), entity=party(request), person=person(request)))


class Sent(Schema):
    """Up to which change the other system was told, and its receipt."""

    up_to: int
    system: str = Field(pattern="^(sinir|estadual)$")
    protocol: str = Field(default="", max_length=100)


@router.post("/mudancas/levadas", response={**WRONG, 200: Kept}, summary="Mudanças levadas", auth=_KEEPS)
def told_elsewhere(request: HttpRequest, said: Sent) -> Any:
    """Note that the changes up to one are in the other system now."""
    mine, marks = members.changes(party(request)), members.marks(party(request))
    if said.up_to not in {change.number for change in mine}:
        return wrong("A lista mudou, ou não tem esta mudança.", cure="Peça a lista de novo.")
    body = {
        "up_to": said.up_to, "count": sum(change.number <= said.up_to for change in mine),
        "system": "SINIR" if said.system == "sinir" else "sistema estadual", "protocol": said.protocol,
    }  # fmt: skip
    after = marks[0].version if marks else 0
    filings = Filings(office.store(), sees=party(request))
    subject = members.sent_subject(party(request))
    return kept(filings.add(subject, body, by=email(request), on=office.today(), after=after))


@router.get("/operadores", response=Page, summary="Operadores", auth=Opens(Scope.ENTITY_READ))
def operator_list(request: HttpRequest, year: int | None = None, norm: str = "", after: int = 0) -> Page:
    """Who is homologated until when, what is lacking, and how many kilograms hang on it."""
    return page(operators.operators(whom(request, year, norm)), "state", after=after)


@router.get(
    "/operadores/{who}",
    response={200: dict[str, Any], 404: Told},
    summary="Um operador",
    auth=Opens(Scope.ENTITY_READ),
)
def operator(request: HttpRequest, who: str, year: int | None = None, norm: str = "") -> Any:
    """One operator with its homologations and the papers that it sent."""
    return one(found(operators.one(whom(request, year, norm), bare(who))))


class Vetted(Schema):
    """A homologation: which of the four papers were seen in order, from which day, to which."""

    operator: str
    since: str
    until: str = ""
    cnpj_ok: bool
    registrations_ok: bool
    licence_ok: bool
    permit_ok: bool


@router.post("/operadores", response=_IN, summary="Homologar um operador", auth=_KEEPS)
def vet(request: HttpRequest, said: Vetted) -> Any:
    """Write a homologation; the notes in which it weighs are judged again."""
    papers = {key: "sim" if getattr(said, key) else "não" for key in operators.PAPERS}
    row = {"operator": bare(said.operator), "entity": party(request), "from": said.since, "to": said.until}
    return _row(request, "vettings", {**row, **papers})


class Answer(Schema):
    """The answer to an asking."""

    accepted: bool
    text: str = Field(default="", max_length=1000)


@router.post(
    "/adesoes/{int:number}", response={**WRONG, 200: Kept}, summary="Responder a um pedido", auth=_KEEPS
)
def answer(request: HttpRequest, number: int, said: Answer) -> Any:
    """Answer who asks to be taken in or let go; the list of members is written apart."""
    asked = found(membership.one_asked(party(request), number))
    return kept(
        membership.answer(
            party(request), asked, accepted=said.accepted, text=said.text.strip(), by=email(request)
        )
    )


class Taken(Schema):
    """Whether a parcel is taken in (for which year), or given back and why."""

    taken: bool
    year: int | None = None
    reason: str = Field(default="", max_length=500)


@router.post(
    "/recebidos/{int:number}",
    response={**WRONG, 200: dict[str, Any]},
    summary="Receber ou devolver um envio",
    auth=Opens(Scope.ENTITY_UPLOAD),
)
def take(request: HttpRequest, number: int, said: Taken) -> Any:
    """Take an operator's parcel in, or give it back with the reason; once."""
    parcel = found(parcels.received(party(request), number))
    if parcel.answer is None and not said.taken and not said.reason.strip():
        return wrong("Escreva a razão da devolução: o operador a lê.")
    as_form(request, {"ano": said.year})
    if parcel.answer is None:
        if said.taken:
            parcels_desk.take_in(request, parcel)
        else:
            parcels_desk.send_back(request, parcel, said.reason.strip())
    return {"id": str(number), "state": found(parcels.received(party(request), number)).state}


class Reason(Schema):
    """Why."""

    reason: str = Field(min_length=1, max_length=2000)


def _document(request: HttpRequest, sha256: str, ordinal: int) -> tuple[For, documents.Shown]:
    asked = whom(request, None, "")
    for claimed in [asked, *office.claimed(party(request))]:
        shown = documents.one(claimed, sha256, ordinal)
        if shown is not None:
            return claimed, shown
    raise Http404


@router.post(
    "/documentos/{sha256}/{int:ordinal}/itens/{int:line}/retirar",
    response={**WRONG, 200: Done},
    summary="Retirar a reivindicação de um item",
    auth=_KEEPS,
)
def withdraw(request: HttpRequest, sha256: str, ordinal: int, line: int, said: Reason) -> Any:
    """Take back the claim on one line of a note; it holds for good."""
    claimed, shown = _document(request, sha256, ordinal)
    if line not in {row.line for row in shown.standing}:
        raise Http404
    with custody(office.store()) as memory:
        take_back(
            memory, shown.document.access_key, line, entity=claimed.entity, reason=said.reason[:500],
            by=email(request), on=office.today(),
        )  # fmt: skip
    return {"id": f"{shown.document.access_key}/{line}"}


@router.post(
    "/documentos/{sha256}/{int:ordinal}/achados/{code}/objetar",
    response={**WRONG, 200: Kept},
    summary="Objetar a um achado",
    auth=_KEEPS,
)
def object_to(request: HttpRequest, sha256: str, ordinal: int, code: str, said: Reason) -> Any:
    """Object to a finding; the verifier answers, and the finding holds until then."""
    claimed, shown = _document(request, sha256, ordinal)
    if code not in {f.code for f in (*shown.findings, *(f for x in shown.lines for f in x.findings))}:
        raise Http404
    return kept(
        objections.object_to(claimed, shown, code=code, reason=said.reason, by=email(request), files=[])
    )


@router.get(
    "/pontos",
    response={200: dict[str, Any], 404: Told},
    summary="Pontos e o que falta por município",
    auth=Opens(Scope.ENTITY_READ),
)
def point_list(request: HttpRequest, norm: str = "", year: int | None = None) -> Any:
    """The list of points that stands, and what each municipality lacks at the end of a year."""
    shown = own_points.shown(party(request), _sited(norm), year=year or office.today().year, number=0)
    needs = [one(need) for need in shown.needs]
    return {
        "norm": shown.regulation.norm.path, "article": shown.article, "problem": shown.problem,
        "version": shown.filing.version if shown.filing else None,
        "points": [dict(row.body) | {"works": row.works} for row in shown.rows], "needs": needs,
    }  # fmt: skip


def _sited(norm: str) -> Any:
    every = own_points.regulations()
    return found(next((r for r in every if norm in ("", r.norm.path)), None))


@router.post("/pontos", response={**WRONG, 200: Kept}, summary="Publicar a lista de pontos", auth=_KEEPS)
def publish_points(request: HttpRequest, said: dict[str, Any], norm: str = "") -> Any:
    """Keep and publish a whole list, in the format of `lastro points`; the one before stays to be seen."""
    regulation = _sited(norm)
    before = own_points.standing(party(request), regulation.norm.path)
    after = before.version if before else 0
    text = json.dumps(said, ensure_ascii=False)
    return kept(points.file_list(party(request), regulation.norm.path, text, by=email(request), after=after))
