"""The fee: an establishment's own quarters, and the desk that charges, issues, receives and divides."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from lastro.errors import LastroError
from lastro.ids import bare
from lastro.units import MOST_CENTS, Money
from lastro.web import trail
from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.plain import kept, one, page
from lastro.web.api.requests import files_of
from lastro.web.api.shapes import NO_FILES, WRONG, Done, Kept, Page, Told, email, found, party, person
from lastro.web.readings import fee_desk, fees
from lastro.web.scopes import Scope

own = Router(tags=["taxa da empresa"])
desk = Router(tags=["taxa"])
_WORKS, _FILES = Opens(Scope.FEE_WORK), Opens(Scope.FEE_FILE)
_KEPT: dict[int, Any] = {**WRONG, 200: Kept}
_OWN = ("period", "words", "paid")

lists(
    own, "", Scope.COMPANY_READ, "Trimestres da taxa", lambda r: fees.quarters(party(r)), name="own_quarters",
    also=_OWN,
)  # fmt: skip
lists(desk, "/portarias", Scope.FEE_WORK, "Portarias", lambda r: fee_desk.ordinances(), name="ordinances")


# ── the establishment ────────────────────────────────────────────────────────────────────────────────


@own.post("", response={**WRONG, 200: Done}, summary="Calcular e guardar um trimestre", auth=_FILES)
def reckon(request: HttpRequest, said: dict[str, Any]) -> Any:
    """Keep the facts of a quarter, as `lastro fee` reads them, with what they come to."""
    charged = fees.keep(party(request), said, by=email(request))
    return {"id": f"{charged.year}/{charged.quarter}"}


@own.get(
    "/{int:year}/{int:quarter}",
    response={200: dict[str, Any], 404: Told},
    summary="Um trimestre",
    auth=Opens(Scope.COMPANY_READ),
)
def own_quarter(request: HttpRequest, year: int, quarter: int) -> Any:
    """One quarter: what it comes to, why, by when, and whether it was paid."""
    return one(found(fees.one_of(party(request), year, quarter)), *_OWN)


class Paid(Schema):
    """The day and the amount of a payment."""

    paid_on: date
    amount_cents: int = Field(gt=0, le=MOST_CENTS)


@own.post(
    "/{int:year}/{int:quarter}/pagamento",
    response={**WRONG, 200: Done},
    summary="Guardar um pagamento",
    auth=_FILES,
)
def pay(
    request: HttpRequest,
    year: int,
    quarter: int,
    said: Form[Paid],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Say that the quarter was paid, with the proof."""
    mine = found(fees.one_of(party(request), year, quarter))
    fees.pay(
        party(request), mine, on=said.paid_on, amount=Money(said.amount_cents), by=email(request),
        files=files_of(files)[:1],
    )  # fmt: skip
    return {"id": f"{year}/{quarter}"}


# ── the desk ─────────────────────────────────────────────────────────────────────────────────────────


def _told(request: HttpRequest, act: str, document: str = "") -> None:
    """Tax data: each look is written in the trail, a program's too."""
    record = ("establishment", document) if document else ("", "")
    trail.write(request, person(request), status=200, record=record, act=act)


@desk.get("/cadastro", response=Page, summary="Cadastro técnico estadual", auth=_WORKS)
def entries(request: HttpRequest, after: int = 0) -> Page:
    """Everybody in the register."""
    _told(request, "fee-register")
    return page(fee_desk.entries(), after=after)


@desk.get("/aberto", response=Page, summary="Trimestres em aberto", auth=_WORKS)
def unpaid(request: HttpRequest, after: int = 0) -> Page:
    """Every quarter that was charged and is not settled."""
    _told(request, "fee-unpaid")
    return page([q for q in fee_desk.quarters() if q.open], "state", after=after)


class Ordinance(Schema):
    """An ordinance that says how one registers; each field that it asks for on a line."""

    act: str
    decided_on: date
    fields: list[str] = Field(default_factory=list)


@desk.post("/portarias", response=_KEPT, summary="Registrar uma portaria", auth=_WORKS)
def set_ordinance(request: HttpRequest, said: Ordinance) -> Any:
    """Keep an ordinance; the register asks for its fields from then on."""
    asked = "\n".join(said.fields)
    made = fee_desk.set_ordinance(act=said.act, decided_on=said.decided_on, asked=asked, by=email(request))
    return kept(made)


class Activity(Schema):
    """An activity of the annex, from its first day to its last."""

    code: str
    began: str
    ended: str = ""


class Entry(Schema):
    """An establishment in the register, with the fields that the ordinance asks for, in their order."""

    document: str
    name: str
    municipality: str
    person: str
    registered_on: str
    activities: list[Activity]
    fields: list[str] = Field(default_factory=list)


@desk.post("/cadastro", response=_KEPT, summary="Inscrever ou atualizar", auth=_WORKS)
def register(request: HttpRequest, said: Entry) -> Any:
    """Write an establishment in the register, or update its entry."""
    typed = said.dict() | {f"campo-{n}": value for n, value in enumerate(said.fields)}
    rows = [(a.code, a.began, a.ended) for a in said.activities]
    return kept(fee_desk.register(typed, rows, by=email(request)))


@desk.get("/{document}", response={200: dict[str, Any], 404: Told}, summary="Um inscrito", auth=_WORKS)
def payer(request: HttpRequest, document: str) -> Any:
    """One entry with its quarters."""
    entry = found(fee_desk.entry(bare(document)))
    _told(request, "fee-payer", bare(document))
    return {"entry": one(entry), "quarters": [one(q, "state") for q in fee_desk.quarters(bare(document))]}


def _quarter(document: str, year: int, quarter: int) -> fee_desk.Quarter:
    if quarter not in (1, 2, 3, 4):
        raise Http404
    charged: fee_desk.Quarter = found(fee_desk.one(bare(document), year, quarter))
    return charged


@desk.get(
    "/{document}/{int:year}/{int:quarter}",
    response={200: dict[str, Any], 404: Told},
    summary="Um trimestre lançado",
    auth=_WORKS,
)
def charged(request: HttpRequest, document: str, year: int, quarter: int) -> Any:
    """What a quarter comes to and why, its papers to pay, its payments, its instalments."""
    mine = _quarter(document, year, quarter)
    _told(request, "fee-charge", bare(document))
    return one(mine, "state")


@desk.post("/{document}/{int:year}/{int:quarter}", response=_KEPT, summary="Lançar um trimestre", auth=_WORKS)
def charge(request: HttpRequest, document: str, year: int, quarter: int, said: dict[str, Any]) -> Any:
    """Charge a quarter by the register and what else is known, as a facts file says it."""
    found(fee_desk.entry(bare(document)))
    if quarter not in (1, 2, 3, 4):
        raise LastroError("O trimestre vai de 1 a 4.")
    return kept(fee_desk.charge(bare(document), year=year, quarter=quarter, more=said, by=email(request)))


class Issue(Schema):
    """Until when a paper is to be paid."""

    pay_by: date


@desk.post(
    "/{document}/{int:year}/{int:quarter}/emitir", response=_KEPT, summary="Emitir um documento", auth=_WORKS
)
def issue(request: HttpRequest, document: str, year: int, quarter: int, said: Issue) -> Any:
    """Issue a paper by which the quarter is paid."""
    mine = _quarter(document, year, quarter)
    return kept(fee_desk.issue(mine, pay_by=said.pay_by, by=email(request)))


class Settled(Schema):
    """What became of a paper: paid (with day and amount) or cancelled."""

    number: int
    paid_on: date | None = None
    paid_cents: int | None = Field(default=None, gt=0, le=MOST_CENTS)


@desk.post(
    "/{document}/{int:year}/{int:quarter}/baixar",
    response=_KEPT,
    summary="Registrar o pagamento ou cancelar",
    auth=_WORKS,
)
def settle(request: HttpRequest, document: str, year: int, quarter: int, said: Settled) -> Any:
    """Keep that a paper was paid, or cancel it where no amount is told."""
    mine, paid = _quarter(document, year, quarter), said.paid_cents
    return kept(
        fee_desk.settle(
            mine, said.number, state="cancelled" if paid is None else "paid", paid_on=said.paid_on,
            paid=None if paid is None else Money(paid), by=email(request),
        )
    )  # fmt: skip


class Divided(Schema):
    """Into how many instalments, by which act."""

    number: int
    act: str


@desk.post("/{document}/{int:year}/{int:quarter}/parcelar", response=_KEPT, summary="Parcelar", auth=_WORKS)
def divide(request: HttpRequest, document: str, year: int, quarter: int, said: Divided) -> Any:
    """Divide what is owed into instalments."""
    mine = _quarter(document, year, quarter)
    return kept(fee_desk.divide(mine, number=said.number, act=said.act, by=email(request)))
