"""Certificates: prepared by one person, authorised by another, used by their holder."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router, Schema
from pydantic import Field

from lastro.certificates import counter as room
from lastro.certificates.answer import certificate_json
from lastro.certificates.port import Part
from lastro.certificates.states import State
from lastro.facts import Refusal
from lastro.ids import bare
from lastro.units import MOST_CENTS, MOST_MG, Mass, Money
from lastro.web import office, trail
from lastro.web.api.keys import Opens
from lastro.web.api.shapes import Done, Refused, Told, party, person, refused, wrong
from lastro.web.desks.certificates import ask_for_paper, paper_of
from lastro.web.readings import certificates as readings
from lastro.web.readings.offers import issued_one
from lastro.web.scopes import Scope

router = Router(tags=["certificados"])
_ANSWERS: dict[int, Any] = {200: Done, 400: Told, 404: Told, 409: Refused}


def _json(found: readings.Shown) -> dict[str, Any]:
    return certificate_json(found.certificate, office.today())


@router.get(
    "", response=list[dict[str, Any]], summary="Certificados da entidade", auth=Opens(Scope.ENTITY_READ)
)
def certificates(request: HttpRequest) -> list[dict[str, Any]]:
    """Every certificate of the entity, with its state today."""
    return [_json(found) for found in readings.of_entity(party(request))]


class Offered(Schema):
    """The mass to offer to whoever buys. `request` names this request, however often it is sent."""

    request: str = Field(pattern=r"^[0-9A-Za-z-]{8,40}$")
    group: str
    year: int
    mass_mg: int = Field(gt=0, le=MOST_MG)


@router.post("/ofertas", response=_ANSWERS, summary="Oferecer", auth=Opens(Scope.CERTIFICATE_PREPARE))
def offer(request: HttpRequest, said: Offered) -> Any:
    """Set mass apart for whoever buys: without a holder, without a number."""
    counter = readings.counter()
    materials = readings.materials_of(counter.regulation, said.group)
    if not materials:
        known = ", ".join(counter.regulation.groups)
        return wrong(f"Não há o grupo de materiais «{said.group}».", cure=f"Há: {known}.")
    identity = f"{party(request)}-{said.request}"
    answer = room.offer(
        counter,
        identity,
        entity=party(request),
        materials=materials,
        mass=Mass(said.mass_mg),
        year=said.year,
        by=person(request).email,
        on=office.today(),
    )
    if isinstance(answer, Refusal):
        return refused(answer)
    trail.about(request, "certificate", identity)
    return {"id": identity}


@router.get(
    "/{name}",
    response={200: dict[str, Any], 404: Told},
    summary="Um certificado da entidade",
    auth=Opens(Scope.ENTITY_READ),
)
def one(request: HttpRequest, name: str) -> dict[str, Any]:
    """One certificate: state, masses, lots, moves, and what died under it."""
    return _json(_mine(request, name))


def _mine(request: HttpRequest, name: str) -> readings.Shown:
    found = readings.one_of(name, entity=party(request))
    if found is None:
        raise Http404
    return found


class Prepared(Schema):
    """The mass to set apart, and for whom. `request` names this request, however often it is sent."""

    request: str = Field(pattern=r"^[0-9A-Za-z-]{8,40}$")
    group: str
    holder: str
    year: int
    mass_mg: int = Field(gt=0, le=MOST_MG)
    investment_cents: int | None = Field(default=None, gt=0, le=MOST_CENTS)


@router.post(
    "",
    response=_ANSWERS,
    summary="Preparar um certificado",
    auth=Opens(Scope.CERTIFICATE_PREPARE),
)
def prepare(request: HttpRequest, said: Prepared) -> Any:
    """Set mass apart for a buyer; another person authorises."""
    counter = readings.counter()
    materials = readings.materials_of(counter.regulation, said.group)
    if not materials:
        known = ", ".join(counter.regulation.groups)
        return wrong(f"Não há o grupo de materiais «{said.group}».", cure=f"Há: {known}.")
    identity = f"{party(request)}-{said.request}"
    answer = room.prepare(
        counter,
        identity,
        entity=party(request),
        holder=bare(said.holder),
        materials=materials,
        mass=Mass(said.mass_mg),
        year=said.year,
        investment=Money(said.investment_cents) if said.investment_cents is not None else None,
        by=person(request).email,
        on=office.today(),
    )
    if isinstance(answer, Refusal):
        return refused(answer)
    trail.about(request, "certificate", identity)
    return {"id": identity}


@router.post(
    "/{name}/autorizar",
    response=_ANSWERS,
    summary="Autorizar, por outra pessoa",
    auth=Opens(Scope.CERTIFICATE_AUTHORISE),
)
def authorise(request: HttpRequest, name: str) -> Any:
    """Allow the sale, as another person than who prepared it; the paper is then written and signed."""
    found = _mine(request, name)
    if found.state is not State.AUTHORISED:
        answer = readings.book().authorise(found.certificate.id, by=person(request).email, on=office.today())
        if isinstance(answer, Refusal):
            return refused(answer)
    ask_for_paper(request, found)
    return {"id": found.certificate.id}


class Why(Schema):
    """The reason of a refusal."""

    reason: str = Field(min_length=1, max_length=500)


@router.post(
    "/{name}/recusar",
    response=_ANSWERS,
    summary="Recusar: a massa volta aos lotes",
    auth=Opens(Scope.CERTIFICATE_AUTHORISE),
)
def refuse(request: HttpRequest, name: str, said: Why) -> Any:
    """Give the mass back to its lots, with the reason."""
    found = _mine(request, name)
    answer = readings.book().refuse(
        found.certificate.id, reason=said.reason, by=person(request).email, on=office.today()
    )
    return refused(answer) if isinstance(answer, Refusal) else {"id": found.certificate.id}


@router.get(
    "/{name}/papel.pdf", response={404: Told}, summary="O papel assinado", auth=Opens(Scope.ENTITY_READ)
)
def paper(request: HttpRequest, name: str) -> HttpResponse:
    """The signed PDF, as it was kept."""
    return paper_of(_mine(request, name))


class Used(Schema):
    """For which year a certificate is used."""

    year: int
    request: str = Field(pattern=r"^[0-9A-Za-z-]{8,40}$")


@router.post(
    "/{name}/usar",
    response=_ANSWERS,
    summary="Usar um certificado recebido",
    auth=Opens(Scope.CERTIFICATE_USE),
)
def use(request: HttpRequest, name: str, said: Used) -> Any:
    """Use a certificate for a year, whole and once; it can't be undone."""
    found = readings.one_of(name, holder=party(request))
    if found is None:
        raise Http404
    answer = room.retire(
        readings.counter(found.certificate.norm),
        found.certificate.id,
        by=person(request).email,
        on=office.today(),
        holder=party(request),
        year=said.year,
        request=f"retire/{found.certificate.id}/{said.request}",
    )
    return refused(answer) if isinstance(answer, Refusal) else {"id": found.certificate.id}


# ── offers, and what may be taken back ───────────────────────────────────────────────────────────────


class Sold(Schema):
    """The part of an offer that is sold, and to whom; the rest stays offered."""

    request: str = Field(pattern=r"^[0-9A-Za-z-]{8,40}$")
    holder: str
    mass_mg: int = Field(gt=0, le=MOST_MG)
    investment_cents: int = Field(gt=0, le=MOST_CENTS)


@router.post(
    "/{name}/vender",
    response=_ANSWERS,
    summary="Preparar uma venda de uma oferta",
    auth=Opens(Scope.CERTIFICATE_PREPARE),
)
def sell(request: HttpRequest, name: str, said: Sold) -> Any:
    """Prepare a certificate out of an offer, for one buyer; another person authorises."""
    found = _mine(request, name).certificate
    identity = f"{party(request)}-{said.request}"
    sold = Part(identity, Mass(said.mass_mg), bare(said.holder), Money(said.investment_cents))
    answer = room.sell(
        readings.counter(found.norm),
        found.id,
        sold=sold,
        by=person(request).email,
        on=office.today(),
        request=f"sell/{identity}",
    )
    return refused(answer) if isinstance(answer, Refusal) else {"id": identity}


@router.post(
    "/{name}/retirar",
    response=_ANSWERS,
    summary="Retirar o que não foi emitido",
    auth=Opens(Scope.CERTIFICATE_PREPARE),
)
def withdraw(request: HttpRequest, name: str, said: Why) -> Any:
    """Take back what was offered or prepared: the mass goes back to its lots."""
    found = _mine(request, name)
    answer = readings.book().withdraw(
        found.certificate.id, reason=said.reason, by=person(request).email, on=office.today()
    )
    return refused(answer) if isinstance(answer, Refusal) else {"id": found.certificate.id}


@router.post(
    "/{number}/cancelar",
    response=_ANSWERS,
    summary="Cancelar, pelo órgão",
    auth=Opens(Scope.AGENCY_WORK),
)
def cancel(request: HttpRequest, number: str, said: Why) -> Any:
    """Take an issued certificate away, also after its use: what was used of it is missing from a target."""
    found = issued_one(number)
    if found is None:
        raise Http404
    known = found.certificate
    trail.about(request, "certificate", known.id)
    counter = readings.counter(known.norm)
    answer = room.cancel(counter, known.id, reason=said.reason, by=person(request).email, on=office.today())
    return refused(answer) if isinstance(answer, Refusal) else {"id": known.id}
