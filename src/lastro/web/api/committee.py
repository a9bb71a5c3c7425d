"""The two offices of the Bolsa Reciclagem: who analyses, and the committee that decides by votes."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router, Schema
from pydantic import Field

from lastro.units import MOST_CENTS, MOST_MG, Mass, Money
from lastro.web import trail, typed
from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.plain import filing, kept, one
from lastro.web.api.shapes import WRONG, Kept, Told, bureau, email, found, person
from lastro.web.readings import bolsa_public, committee
from lastro.web.readings import incentive_desk as registers
from lastro.web.scopes import Scope

analysts = Router(tags=["CMRR"])
router = Router(tags=["comitê"])
_ANALYSES, _DECIDES = Opens(Scope.INCENTIVE_ANALYSE), Opens(Scope.INCENTIVE_DECIDE)
_KEPT: dict[int, Any] = {**WRONG, 200: Kept}

for _to, _scope, _name in (
    (analysts, Scope.INCENTIVE_ANALYSE, "analysts_organisations"),
    (router, Scope.INCENTIVE_DECIDE, "committee_organisations"),
):
    lists(
        _to, "/organizacoes", _scope, "Organizações", lambda r: registers.organisations(bureau(r)), name=_name
    )
lists(
    analysts, "/capacitacoes", Scope.INCENTIVE_ANALYSE, "Capacitações", lambda r: registers.trainings(),
    name="trainings",
)  # fmt: skip
lists(
    router, "/assentos", Scope.INCENTIVE_DECIDE, "Assentos", lambda r: committee.seats(), name="seats",
    also=("words",),
)  # fmt: skip
lists(
    router, "/reunioes", Scope.INCENTIVE_DECIDE, "Reuniões", lambda r: committee.meetings(), name="meetings"
)
lists(router, "/votacoes", Scope.INCENTIVE_DECIDE, "Votações", lambda r: committee.votes(), name="votes")


@router.get("/atos", response=list[dict[str, Any]], summary="Atos do comitê", auth=_DECIDES)
def acts(request: HttpRequest) -> Any:
    """The committee's dated acts."""
    return [dict(act) for act in bolsa_public.acts()]


def _organisation(request: HttpRequest, cnpj: str) -> registers.Organisation:
    mine: registers.Organisation = found(registers.organisation(bureau(request), cnpj))
    return mine


@analysts.get(
    "/organizacoes/{cnpj}", response={200: dict[str, Any], 404: Told}, summary="Uma organização",
    auth=_ANALYSES,
)  # fmt: skip
def to_analyse(request: HttpRequest, cnpj: str) -> Any:
    """One organisation with what it filed; each look is written in the trail."""
    mine = _organisation(request, cnpj)
    trail.write(request, person(request), status=200, record=("party", cnpj), act="analyse")
    return one(mine) | {"steps_open": [to for to, _ in registers.allowed(bureau(request), mine)]}


class Step(Schema):
    """The step of an analysis, and the reason."""

    to: str
    reason: str


@analysts.post("/organizacoes/{cnpj}", response=_KEPT, summary="Dar um passo da análise", auth=_ANALYSES)
def analyse(request: HttpRequest, cnpj: str, said: Step) -> Any:
    """Take a registration on, and say why; the organisation sees it."""
    mine = _organisation(request, cnpj)
    return kept(registers.analyse(mine, to=said.to, reason=said.reason, by=email(request)))


class Measured(Schema):
    """The office's own measure of a month."""

    month: str
    mass_mg: int = Field(gt=0, le=MOST_MG)
    reason: str


@analysts.post("/organizacoes/{cnpj}/medicoes", response=_KEPT, summary="Guardar medição", auth=_ANALYSES)
def measure(request: HttpRequest, cnpj: str, said: Measured) -> Any:
    """Keep the office's own measure of what an organisation recovered in a month."""
    mine, kg = _organisation(request, cnpj), typed.as_typed(Mass(said.mass_mg))
    return kept(registers.measure(mine, month=said.month, kg=kg, reason=said.reason, by=email(request)))


class Training(Schema):
    """A training: when, of what, to which organisations, to how many people."""

    on: date
    subject: str
    whom: str
    people: int


@analysts.post("/capacitacoes", response=_KEPT, summary="Registrar uma capacitação", auth=_ANALYSES)
def train(request: HttpRequest, said: Training) -> Any:
    """Keep that a training was given."""
    return kept(
        registers.train(
            on=said.on, subject=said.subject, whom=said.whom, people=said.people, by=email(request)
        )
    )


# ── the committee ────────────────────────────────────────────────────────────────────────────────────


@router.get(
    "/organizacoes/{cnpj}", response={200: dict[str, Any], 404: Told}, summary="Uma organização",
    auth=_DECIDES,
)  # fmt: skip
def to_decide(request: HttpRequest, cnpj: str) -> Any:
    """One organisation with what it filed, and the decisions that are open."""
    mine = _organisation(request, cnpj)
    return one(mine) | {"steps_open": [to for to, _ in registers.allowed(bureau(request), mine)]}


class Decision(Schema):
    """A decision by a vote, with the reason."""

    to: str
    reason: str
    vote: str
    recognised: bool = False
    place: int | None = None


@router.post("/organizacoes/{cnpj}", response=_KEPT, summary="Decidir sobre um cadastro", auth=_DECIDES)
def decide(request: HttpRequest, cnpj: str, said: Decision) -> Any:
    """Validate or reject by a vote; whoever analysed it decides nothing."""
    mine = _organisation(request, cnpj)
    return kept(
        committee.decide(
            mine, to=said.to, reason=said.reason, recognised=said.recognised, place=said.place,
            vote=said.vote, by=email(request),
        )
    )  # fmt: skip


class Seat(Schema):
    """Who sits on a seat, as the institution named them."""

    seat: str
    holder: str
    alternate: str
    paper: str


@router.post("/assentos", response=_KEPT, summary="Preencher um assento", auth=_DECIDES)
def name_seat(request: HttpRequest, said: Seat) -> Any:
    """Keep the holder and the alternate of a seat."""
    return kept(
        committee.name_seat(
            said.seat, holder=said.holder, alternate=said.alternate, paper=said.paper, by=email(request)
        )
    )


class Meeting(Schema):
    """A meeting with who was there."""

    on: date
    present: list[str]
    agenda: str
    extraordinary: bool = False
    called_by: str = ""
    asked_by: int = 0


@router.post("/reunioes", response=_KEPT, summary="Registrar uma reunião", auth=_DECIDES)
def meet(request: HttpRequest, said: Meeting) -> Any:
    """Keep a meeting; without a quorum it decides nothing."""
    return kept(committee.meet(**said.dict(), by=email(request)))


class Vote(Schema):
    """A matter, and what each seat that was present said; no word is an abstention."""

    matter: str
    said: dict[str, str]


@router.post("/reunioes/{number}/votacoes", response=_KEPT, summary="Registrar uma votação", auth=_DECIDES)
def vote(request: HttpRequest, number: str, said: Vote) -> Any:
    """Keep the vote on a matter."""
    meeting = found(next((m for m in committee.meetings() if m.subject.name == number), None))
    return kept(committee.vote(meeting, matter=said.matter, said=said.said, by=email(request)))


class Coefficient(Schema):
    """A material ("glass", "plastic/pet") with its k, written with a decimal comma or none."""

    material: str
    k: str


class Act(Schema):
    """A numbered, dated act by a vote."""

    act: str
    decided_on: date
    about: str
    vote: str
    coefficients: list[Coefficient] = Field(default_factory=list)
    text: str = ""
    since: date | None = None
    until: date | None = None
    year: int | None = None


@router.post("/atos", response=_KEPT, summary="Registrar um ato", auth=_DECIDES)
def act(request: HttpRequest, said: Act) -> Any:
    """Keep an act: coefficients, a requirement, a proof or priorities; it is public."""
    posted = {
        "ato": said.act, "dia": said.decided_on, "sobre": said.about, "voto": said.vote, "texto": said.text,
        "coeficientes": "\n".join(f"{c.material}; {c.k}" for c in said.coefficients),
        "desde": said.since or "", "ate": said.until or "", "ano": said.year or "",
    }  # fmt: skip
    return kept(committee.act({name: str(value) for name, value in posted.items()}, by=email(request)))


class Quarter(Schema):
    """The money of a quarter, by a vote; `places` where the year admits so many organisations and no more."""

    year: int
    quarter: int
    vote: str
    annual_cents: int = Field(ge=0, le=MOST_CENTS)
    budget_cents: int = Field(ge=0, le=MOST_CENTS)
    donations_cents: int = Field(default=0, ge=0, le=MOST_CENTS)
    other_cents: int = Field(default=0, ge=0, le=MOST_CENTS)
    places: int | None = None


@router.get("/trimestres", response=list[dict[str, Any]], summary="Trimestres abertos", auth=_DECIDES)
def quarters(request: HttpRequest) -> Any:
    """The quarters that were opened, with what was granted."""
    return [{"period": q.period, "quarter": dict(q.quarter), "grant": q.grant} for q in bolsa_public.public()]


@router.post("/trimestres", response=_KEPT, summary="Abrir um trimestre", auth=_DECIDES)
def open_quarter(request: HttpRequest, said: Quarter) -> Any:
    """Open a quarter, or correct its money, by a vote."""
    posted = {"ano": str(said.year), "trimestre": str(said.quarter), "voto": said.vote}
    for name, cents in (
        ("anual", said.annual_cents), ("orcamento", said.budget_cents), ("doacoes", said.donations_cents),
        ("outros", said.other_cents),
    ):  # fmt: skip
        posted[name] = str(Money(cents)).removeprefix("R$ ")
    posted |= {"lugares": str(said.places)} if said.places else {}
    return kept(committee.open_quarter(posted, by=email(request)))


@router.get(
    "/trimestres/{int:year}/{int:number}",
    response={200: dict[str, Any], 404: Told},
    summary="Um trimestre, com os pagamentos",
    auth=_DECIDES,
)
def quarter(request: HttpRequest, year: int, number: int) -> Any:
    """A quarter as it is reckoned now, or as it was granted, with the payment list."""
    if number not in (1, 2, 3, 4):
        raise Http404
    made = committee.granted(year, number)
    told = None if made else committee.answer(year, number)
    rows = committee.paid(year, number) if made else committee.payments(told) if told else []
    return {"granted": filing(made) if made else None, "now": told, "payments": [one(row) for row in rows]}


class Grant(Schema):
    """The vote behind a grant."""

    vote: str


@router.post(
    "/trimestres/{int:year}/{int:number}", response=_KEPT, summary="Conceder um trimestre", auth=_DECIDES
)
def grant(request: HttpRequest, year: int, number: int, said: Grant) -> Any:
    """Grant a quarter: the sums for all, and to each its own part."""
    if number not in (1, 2, 3, 4):
        raise Http404
    return kept(committee.grant(year, number, vote=said.vote, by=email(request)))
