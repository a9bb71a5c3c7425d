"""The Bolsa Reciclagem for an organisation: registration, a quarter's measures, proofs of sale, transfers."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpRequest
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from lastro.filings import Kind
from lastro.incentives import filed as room
from lastro.units import MOST_CENTS, MOST_MG, Mass, Money
from lastro.web import office, typed
from lastro.web.api.keys import Opens
from lastro.web.api.lists import as_form
from lastro.web.api.plain import filing, kept, one
from lastro.web.api.shapes import WRONG, Done, Kept, Told, found, party, wrong
from lastro.web.desks import bolsa as desk
from lastro.web.desks import bolsa_forms as forms
from lastro.web.desks import bolsa_transfer as transfers
from lastro.web.readings import bolsa as readings
from lastro.web.scopes import Scope

router = Router(tags=["bolsa reciclagem"])
_FILES = Opens(Scope.INCENTIVE_FILE)
_KEPT: dict[int, Any] = {**WRONG, 200: Kept}


def _problems(problems: desk.Problems) -> Any:
    return wrong("Há campos a corrigir.", fields=[{"where": [n], "what": w} for n, w in problems.items()])


def _statement(statement: readings.Statement) -> dict[str, Any]:
    own = one(statement) | {"why": None, "sales": [filing(sale) for sale in statement.sales]}
    return own | {"state": statement.standing.state}


@router.get("", response=dict[str, Any], summary="Como está a organização", auth=_FILES)
def home(request: HttpRequest) -> Any:
    """The registration of the organisation, and its quarters, the latest first."""
    filed = readings.everything()
    stands = filed.registration(party(request))
    quarters = readings.quarters(party(request), today=office.today(), filed=filed)
    return {
        "state": filed.standing(party(request)).state, "registration": filing(stands) if stands else None,
        "quarters": [{"year": q.year, "quarter": q.number, "opened": q.opened} for q in quarters],
    }  # fmt: skip


class Registration(Schema):
    """What an organisation is, with counts of people and never their names; a draft may lack things."""

    submitted: bool
    kind: str = ""
    name: str = ""
    constituted_on: date | None = None
    members: int | None = Field(default=None, ge=0)
    members_capable: int | None = Field(default=None, ge=0)
    members_active: int | None = Field(default=None, ge=0)
    children_of_school_age: int | None = Field(default=None, ge=0)
    children_in_school: int | None = Field(default=None, ge=0)
    requirements_met: list[str] = Field(default_factory=list)


@router.post("/cadastro", response=_KEPT, summary="Entregar o cadastro", auth=_FILES)
def register(request: HttpRequest, said: Registration) -> Any:
    """Keep the registration as a draft, or hand it in for analysis."""
    as_form(request, {**said.dict(), "entregar": "sim" if said.submitted else ""})
    acts = [str(act["act"]) for act in room.requirements(readings.everything())]
    body, problems = forms.registration_said(request, acts)
    if problems:
        return _problems(problems)
    subject = desk.subject_of(request, Kind.REGISTRATION)
    return kept(desk.file_next(request, subject, body, addressee=room.READERS))


@router.get(
    "/{int:year}/{int:quarter}",
    response={200: dict[str, Any], 404: Told},
    summary="Um trimestre",
    auth=_FILES,
)
def quarter(request: HttpRequest, year: int, quarter: int) -> Any:
    """One quarter: what was filed, what will be paid, what is lacking and until when."""
    return _statement(desk.statement_of(request, year, quarter))


class Measures(Schema):
    """A month's mass of each material, in milligrams."""

    month: str = Field(pattern=r"^[0-9]{4}-[0-9]{2}$")
    by_material_mg: dict[str, int]


@router.post("/{int:year}/{int:quarter}/producao", response=_KEPT, summary="Produção de um mês", auth=_FILES)
def measure(request: HttpRequest, year: int, quarter: int, said: Measures) -> Any:
    """Keep the mass of each material in a month of the quarter."""
    found(next((m for m in desk.statement_of(request, year, quarter).months if m.name == said.month), None))
    names = readings.materials(readings.everything())
    strange = [n for n, mg in said.by_material_mg.items() if n not in names or not 0 <= mg <= MOST_MG]
    if strange or said.month > office.today().isoformat()[:7]:
        what = f"{strange[0]}: material ou massa fora do que se mede." if strange else "O mês não começou."
        return wrong(what, cure=f"Materiais: {', '.join(names)}.")
    body = {"by_material_kg": {name: Mass(mg).kg_text for name, mg in said.by_material_mg.items()}}
    subject = desk.subject_of(request, Kind.MEASURE, period=said.month)
    return kept(desk.file_next(request, subject, body, addressee=room.READERS))


class Sale(Schema):
    """A proof of sale: what, how much, for how much, when, and the paper that proves it."""

    material: str
    mass_mg: int = Field(gt=0, le=MOST_MG)
    value_cents: int = Field(gt=0, le=MOST_CENTS)
    sold_on: date
    proof: str
    paper: str = "nota fiscal"


@router.post(
    "/{int:year}/{int:quarter}/venda",
    response={**WRONG, 200: Done},
    summary="Entregar um comprovante",
    auth=_FILES,
)
def sell(request: HttpRequest, year: int, quarter: int, said: Form[Sale], file: File[UploadedFile]) -> Any:
    """Hand in one proof of sale; the same paper and material again is told, since it would be paid twice."""
    statement = desk.statement_of(request, year, quarter)
    told = {
        "mass_kg": typed.as_typed(Mass(said.mass_mg)),
        "value_brl": str(Money(said.value_cents)).removeprefix("R$ "),
    }
    as_form(request, {**said.dict(), **told}, {"arquivo": [file]})
    body, problems = forms.sale_said(request, statement, readings.materials(readings.everything()))
    problems = problems or forms.keep_sale(request, statement, body)
    return _problems(problems) if problems else {"id": body["proof"]}


@router.post(
    "/{int:year}/{int:quarter}/venda/{int:number}/retirar",
    response=_KEPT,
    summary="Retirar um comprovante",
    auth=_FILES,
)
def withdraw(request: HttpRequest, year: int, quarter: int, number: int) -> Any:
    """Take back a proof of sale; it stays among the versions, and counts no more."""
    sales = desk.statement_of(request, year, quarter).sales
    sale = found(next((s for s in sales if s.id == number), None))
    return kept(desk.file_next(request, sale.subject, sale.body, addressee=room.READERS, withdrawn=True))


class Passed(Schema):
    """What one picker got."""

    name: str = Field(min_length=1, max_length=200)
    amount_cents: int = Field(gt=0, le=MOST_CENTS)


class Transfer(Schema):
    """When the money of a quarter came, how much (where it was not granted here), and to whom it went."""

    received_on: date
    received_cents: int | None = Field(default=None, gt=0, le=MOST_CENTS)
    passed: list[Passed] = Field(min_length=1, max_length=2000)


@router.post(
    "/{int:year}/{int:quarter}/repasse",
    response={**WRONG, 200: dict[str, Any]},
    summary="Entregar a relação de repasses",
    auth=_FILES,
)
def transfer(request: HttpRequest, year: int, quarter: int, said: Transfer) -> Any:
    """Hand in what of a quarter's money went to each picker; the names go to the analysts alone."""
    statement = desk.statement_of(request, year, quarter)
    received = None if said.received_cents is None else str(Money(said.received_cents))
    lines = [f"{p.name.replace(';', ' ')}; {_reais(p.amount_cents)}" for p in said.passed]
    form = {"received_on": said.received_on, "rows": "\n".join(" ".join(x.split()) for x in lines)}
    as_form(request, {**form, "received_brl": received.removeprefix("R$ ") if received else None})
    body, rows, problems = transfers.transfer_said(request, statement)
    if problems:
        return _problems(problems)
    transfers.keep_transfer(request, room.period_of(year, quarter), body, rows)
    return body


def _reais(cents: int) -> str:
    return str(Money(cents)).removeprefix("R$ ")
