"""The Bolsa Reciclagem's two offices: analysts and committee, from registration to payment."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods

from lastro.ids import masked
from lastro.incentives.filed import ANALYSTS, COMMITTEE
from lastro.web import office, tables, typed
from lastro.web.desks.requests import day_of, done
from lastro.web.readings import bolsa, bolsa_public
from lastro.web.readings import committee as readings
from lastro.web.readings import incentive_desk as registers
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column

_PAYMENTS = (
    Column[readings.Payment]("organizacao", "Organização", lambda p: p.name),
    Column[readings.Payment]("cnpj", "CNPJ", lambda p: masked(p.cnpj)),
    Column[readings.Payment]("valor", "Valor", lambda p: p.amount),
    Column[readings.Payment]("minimo", "Mínimo aos catadores", lambda p: p.least),
    Column[readings.Payment]("contra", "O que pesa contra", lambda p: p.against),
)


def _me(request: HttpRequest) -> str:
    user: Any = request.user
    return str(user.email)


def _organisations(request: HttpRequest, who: str, address: str) -> HttpResponse:
    columns = (
        Column[registers.Organisation](
            "nome", "Organização", lambda o: o.name, link=lambda o: reverse(address, args=[o.cnpj])
        ),
        Column[registers.Organisation]("cnpj", "CNPJ", lambda o: masked(o.cnpj)),
        Column[registers.Organisation](
            "situacao", "Cadastro", lambda o: o.words, choice=True, tone=lambda o: o.tone
        ),
        Column[registers.Organisation]("desde", "Entregue em", lambda o: o.said.on),
        Column[registers.Organisation]("versao", "Versão", lambda o: o.said.version),
    )
    found = tables.table(request, registers.organisations(who), columns, caption="Organizações de catadores")
    if isinstance(found, HttpResponse):
        return found
    context = {
        "title": "Organizações de catadores",
        "intro": ["As que esperam por nós vêm primeiro. O CMRR analisa e mede; o Comitê decide."],
        "table": found,
        "nothing": "Nenhuma organização entregou o cadastro ainda.",
    }
    return render(request, "lastro/agency/list.html", context)


def _one(who: str, cnpj: str) -> registers.Organisation:
    found = registers.organisation(who, cnpj)
    if found is None:
        raise Http404
    return found


def _shown(request: HttpRequest, who: str, found: registers.Organisation, problem: str) -> HttpResponse:
    context = {
        "o": found, "steps": registers.allowed(who, found), "problem": problem, "typed": request.POST,
        "analysts": who == ANALYSTS, "votes": readings.open_votes() if who == COMMITTEE else (),
        "today": office.today(),
    }  # fmt: skip
    return render(request, "lastro/committee/organisation.html", context, status=400 if problem else 200)


# ── the analysts ─────────────────────────────────────────────────────────────────────────────────────


@require_GET
@scope(Scope.INCENTIVE_ANALYSE)
def analysts(request: HttpRequest) -> HttpResponse:
    """Every organisation, those to analyse first."""
    return _organisations(request, ANALYSTS, "analyse")


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_ANALYSE, confidential=True)
def analyse(request: HttpRequest, cnpj: str) -> HttpResponse:
    """One organisation: its registration, steps of the analysis, the office's own measures."""
    found, posted, problem = _one(ANALYSTS, cnpj), request.POST, ""
    if request.method == "POST":
        if posted.get("passo") == "medir":
            problem = done(
                request,
                lambda: registers.measure(
                    found, month=posted.get("mes", ""), kg=posted.get("kg", ""),
                    reason=posted.get("razao", ""), by=_me(request),
                ),
                "Medição guardada.",
            )  # fmt: skip
        else:
            problem = done(
                request,
                lambda: registers.analyse(
                    found, to=posted.get("para", ""), reason=posted.get("razao", ""), by=_me(request)
                ),
                "Passo dado. A organização o vê, com a razão.",
            )
        if not problem:
            return redirect(request.path)
    return _shown(request, ANALYSTS, found, problem)


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_ANALYSE)
def trainings(request: HttpRequest) -> HttpResponse:
    """The trainings given to who takes part, and a form for another."""
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: registers.train(
                on=day_of(posted.get("dia", "")), subject=posted.get("assunto", ""),
                whom=posted.get("quem", ""), people=typed.counting(posted.get("pessoas", "")),
                by=_me(request),
            ),
            "Capacitação registrada.",
        )  # fmt: skip
        if not problem:
            return redirect("trainings")
    context = {
        "given": registers.trainings(), "problem": problem, "typed": posted, "today": office.today(),
    }  # fmt: skip
    return render(request, "lastro/committee/trainings.html", context, status=400 if problem else 200)


# ── the committee ────────────────────────────────────────────────────────────────────────────────────


@require_GET
@scope(Scope.INCENTIVE_DECIDE)
def to_decide(request: HttpRequest) -> HttpResponse:
    """Every organisation, those that were analysed first."""
    return _organisations(request, COMMITTEE, "committee-organisation")


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_DECIDE)
def decide(request: HttpRequest, cnpj: str) -> HttpResponse:
    """One organisation, and the committee's decision by a vote."""
    found, posted, problem = _one(COMMITTEE, cnpj), request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.decide(
                found, to=posted.get("para", ""), reason=posted.get("razao", ""),
                recognised=posted.get("reconhecida") == "sim",
                place=typed.counting(posted.get("lugar", "")), vote=posted.get("voto", ""), by=_me(request),
            ),
            "Decidido. A organização o vê, com a razão.",
        )  # fmt: skip
        if not problem:
            return redirect(request.path)
    return _shown(request, COMMITTEE, found, problem)


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_DECIDE)
def seats(request: HttpRequest) -> HttpResponse:
    """The seats with holder and alternate, as each institution named them."""
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.name_seat(
                posted.get("assento", ""), holder=posted.get("titular", ""),
                alternate=posted.get("suplente", ""), paper=posted.get("oficio", ""), by=_me(request),
            ),
            "Assento preenchido.",
        )  # fmt: skip
        if not problem:
            return redirect("committee-seats")
    context = {"seats": readings.seats(), "problem": problem, "typed": posted}
    return render(request, "lastro/committee/seats.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_DECIDE)
def meetings(request: HttpRequest) -> HttpResponse:
    """The meetings, and a form for another."""
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.meet(
                on=day_of(posted.get("dia", "")), extraordinary=posted.get("tipo") == "extra",
                called_by=posted.get("convoca", ""), asked_by=typed.counting(posted.get("pediram", "")) or 0,
                present=posted.getlist("presente"), agenda=posted.get("pauta", ""), by=_me(request),
            ),
            "Reunião registrada.",
        )  # fmt: skip
        if not problem:
            return redirect("committee-meetings")
    context = {
        "meetings": readings.meetings(), "seats": readings.seats(), "problem": problem, "typed": posted,
        "institutions": readings.INSTITUTIONS, "present": posted.getlist("presente"),
        "today": office.today(),
    }  # fmt: skip
    return render(request, "lastro/committee/meetings.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_DECIDE)
def meeting(request: HttpRequest, number: str) -> HttpResponse:
    """One meeting with its votes, and a form for another vote."""
    found = next((one for one in readings.meetings() if one.subject.name == number), None)
    if found is None:
        raise Http404
    posted, problem = request.POST, ""
    if request.method == "POST":
        said = {seat: posted.get(f"voto-{seat}", "") for seat in found.body["present"]}
        problem = done(
            request,
            lambda: readings.vote(found, matter=posted.get("materia", ""), said=said, by=_me(request)),
            "Votação registrada.",
        )
        if not problem:
            return redirect(request.path)
    mine = [one for one in readings.votes() if one.subject.name.startswith(f"{number}/")]
    named = {seat.key: seat.words for seat in readings.seats()}
    present = [(key, named.get(key, key)) for key in found.body["present"]]
    context = {"meeting": found, "votes": mine, "present": present, "problem": problem, "typed": posted}
    return render(request, "lastro/committee/meeting.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_DECIDE)
def acts(request: HttpRequest) -> HttpResponse:
    """The committee's dated acts, and a form for another."""
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request, lambda: readings.act(posted.dict(), by=_me(request)), "Ato registrado; é público."
        )
        if not problem:
            return redirect("committee-acts")
    context = {
        "acts": bolsa_public.acts(), "votes": readings.open_votes(), "problem": problem, "typed": posted,
        "today": office.today(), "about": ABOUT, "materials": bolsa.materials(bolsa.everything()),
    }  # fmt: skip
    return render(request, "lastro/committee/acts.html", context, status=400 if problem else 200)


ABOUT = {
    "coefficients": "Coeficientes k (art. 14)", "requirement": "Requisito (art. 7º, parágrafo único)",
    "proof": "Outro comprovante reconhecido (art. 12)", "priorities": "Diretrizes e prioridades (art. 4º, I)",
}  # fmt: skip


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_DECIDE)
def quarters(request: HttpRequest) -> HttpResponse:
    """The quarters that were opened, and a form to open one or to correct its money."""
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request, lambda: readings.open_quarter(posted.dict(), by=_me(request)), "Trimestre aberto."
        )
        if not problem:
            return redirect("committee-quarters")
    context = {
        "quarters": bolsa_public.public(),
        "votes": readings.open_votes(),
        "problem": problem,
        "typed": posted,
    }
    return render(request, "lastro/committee/quarters.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_DECIDE)
def quarter(request: HttpRequest, year: int, number: int) -> HttpResponse:
    """A quarter as `lastro grant` reckons it now, or as it was granted, with the payment list."""
    if number not in (1, 2, 3, 4):
        raise Http404
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.grant(year, number, vote=posted.get("voto", ""), by=_me(request)),
            "Concedido. Cada organização vê a sua parte, e todos veem as somas.",
        )
        if not problem:
            return redirect(request.path)
    made = readings.granted(year, number)
    told = None if made else readings.answer(year, number)
    rows = readings.paid(year, number) if made else readings.payments(told) if told else []
    found = tables.table(request, rows, _PAYMENTS, caption=f"Pagamentos do {number}º trimestre de {year}")
    if isinstance(found, HttpResponse):
        return found
    context = {
        "year": year, "number": number, "granted": made, "told": made.body if made else told, "table": found,
        "votes": readings.open_votes(), "problem": problem,
    }  # fmt: skip
    return render(request, "lastro/committee/quarter.html", context, status=400 if problem else 200)


urls = [
    path("cmrr/", analysts, name="analysts"),
    path("cmrr/capacitacoes/", trainings, name="trainings"),
    path("cmrr/<slug:cnpj>/", analyse, name="analyse"),
    path("comite/", to_decide, name="committee"),
    path("comite/assentos/", seats, name="committee-seats"),
    path("comite/reunioes/", meetings, name="committee-meetings"),
    path("comite/reunioes/<slug:number>/", meeting, name="committee-meeting"),
    path("comite/atos/", acts, name="committee-acts"),
    path("comite/trimestres/", quarters, name="committee-quarters"),
    path("comite/trimestres/<int:year>/<int:number>/", quarter, name="committee-quarter"),
    path("comite/organizacoes/<slug:cnpj>/", decide, name="committee-organisation"),
]
