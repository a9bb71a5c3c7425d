"""What a cooperative fills in: its registration, a quarter's measures and its proofs of sale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_http_methods, require_POST

from lastro.filings import Kind
from lastro.incentives import filed as room
from lastro.quarters import quarter_of
from lastro.stores.postgres.filings import ChangedMeanwhile
from lastro.units import Mass
from lastro.web import office, typed
from lastro.web.desks.bolsa import (
    Problems,
    file_next,
    filings_of,
    money_typed,
    party_of,
    state_words,
    statement_of,
    subject_of,
    text_of,
)
from lastro.web.desks.operator import day_typed, file_problem, safe_name
from lastro.web.readings import bolsa as readings
from lastro.web.scopes import Scope, scope

PROOFS = (".pdf", ".jpg", ".jpeg", ".png", ".xml")

# ── registration ─────────────────────────────────────────────────────────────────────────────────────

COUNTS = {
    "members": "Quantos são os cooperados ou associados",
    "members_capable": "Desses, quantos são capazes pela lei civil",
    "members_active": "Desses, quantos trabalham na triagem e na venda",
    "children_of_school_age": "Quantas crianças em idade escolar têm as famílias",
    "children_in_school": "Dessas, quantas estão na escola",
}
"""The counts of a registration; of people nothing but counts is asked."""


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_FILE)
def registration(request: HttpRequest) -> HttpResponse:
    """The registration of the organisation: kept as a draft, or handed in for analysis."""
    filed = readings.everything()
    stands = filed.registration(party_of(request))
    asked = list(room.requirements(filed))
    said: Mapping[str, Any] = stands.body if stands else {"name": office.name_of(party_of(request))}
    problems: Problems = {}
    if request.method == "POST":
        said, problems = registration_said(request, [str(act["act"]) for act in asked])
        if not problems:
            file_next(request, subject_of(request, Kind.REGISTRATION), said, addressee=room.READERS)
            told = "Cadastro entregue." if said["submitted"] else "Rascunho guardado. Falta entregar."
            messages.success(request, told)
            return redirect("bolsa")
    standing = filed.standing(party_of(request))
    context = {
        "said": said, "problems": problems, "asked": asked, "state": state_words(standing.state),
        "counts": [(name, words, said.get(name)) for name, words in COUNTS.items()], "standing": standing,
    }  # fmt: skip
    return render(request, "lastro/bolsa/registration.html", context, status=400 if problems else 200)


def registration_said(request: HttpRequest, acts: list[str]) -> tuple[dict[str, Any], Problems]:
    """What was typed as the facts have it, and what is wrong with it; a draft may lack things."""
    submitted = request.POST.get("entregar") == "sim"
    said: dict[str, Any] = {"cnpj": party_of(request), "submitted": submitted}
    problems: Problems = {}
    kind, name, began = text_of(request, "kind"), text_of(request, "name"), text_of(request, "constituted_on")
    said |= {"kind": kind} if kind in ("cooperative", "association") else {}
    said |= {"name": name} if name else {}
    day = day_typed(began)
    said |= {"constituted_on": day.isoformat()} if day else {}
    if began and (day is None or day > office.today()):
        problems["constituted_on"] = "Um dia que já passou, como 10/03/2015: está no estatuto ou na ata."
    for field in COUNTS:
        written = text_of(request, field)
        number = typed.counting(written)
        if written and number is None:
            problems[field] = "Um número inteiro, como 30."
        said |= {field: number} if number is not None else {}
    said["requirements_met"] = [act for act in acts if act in request.POST.getlist("requirements_met")]
    problems |= _more_than_all(said)
    return said, problems if not submitted else {**_missing(said), **problems}


def _missing(said: Mapping[str, Any]) -> Problems:
    wanted = {
        "kind": "Escolha cooperativa ou associação.", "name": "Escreva o nome da organização.",
        "constituted_on": "Diga o dia da constituição.",
        **dict.fromkeys(COUNTS, "Escreva o número; zero se não há."),
    }  # fmt: skip
    return {field: words for field, words in wanted.items() if field not in said}


def _more_than_all(said: Mapping[str, Any]) -> Problems:
    pairs = (
        ("members_capable", "members"), ("members_active", "members"),
        ("children_in_school", "children_of_school_age"),
    )  # fmt: skip
    return {
        part: f"No máximo {said[whole]}, que é o total."
        for part, whole in pairs
        if part in said and whole in said and said[part] > said[whole]
    }


# ── a quarter's measures ─────────────────────────────────────────────────────────────────────────────


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_FILE)
def measures(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """The kilograms of each material in each month of a quarter; what is left empty is not said."""
    found = statement_of(request, year, quarter)
    names = readings.materials(readings.everything())
    problems: Problems = {}
    if request.method == "POST":
        read, problems = _measures(request, [m.name for m in found.months], names)
        if not problems:
            for month in found.months:
                said = {material: mass.kg_text for material, mass in read[month.name].items()}
                if said != (dict(month.filing.body["by_material_kg"]) if month.filing else {}):
                    subject = subject_of(request, Kind.MEASURE, period=month.name)
                    file_next(request, subject, {"by_material_kg": said}, addressee=room.READERS)
            messages.success(request, translate("Produção guardada."))
            return redirect("bolsa-quarter", year=year, quarter=quarter)
    rows = [
        (month, [(m, f"{month.name}.{m}", _shown(request, month, m)) for m in names])
        for month in found.months
    ]
    context = {"found": found, "rows": rows, "problems": problems}
    return render(request, "lastro/bolsa/measures.html", context, status=400 if problems else 200)


def _shown(request: HttpRequest, month: readings.Month, material: str) -> str:
    """What a field holds: as it was just typed, else what stands, as people write it."""
    if request.method == "POST":
        return text_of(request, f"{month.name}.{material}")
    mass = month.by_material.get(material)
    return "" if mass is None else typed.as_typed(mass)


def _measures(
    request: HttpRequest, months: list[str], names: list[str]
) -> tuple[dict[str, dict[str, Mass]], Problems]:
    read: dict[str, dict[str, Mass]] = {month: {} for month in months}
    problems: Problems = {}
    today = office.today().isoformat()[:7]
    for month in months:
        for name in names:
            field = f"{month}.{name}"
            written = text_of(request, field)
            if not written:
                continue
            try:
                read[month][name] = typed.kilograms(written)
            except ValueError as wrong:
                problems[field] = f"{wrong} {translate('Em branco se não mediu.')}"
            if month > today:
                problems[field] = "Este mês ainda não começou."
    return read, problems


# ── proofs of sale ───────────────────────────────────────────────────────────────────────────────────


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_FILE)
def sale(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """Hand in one proof of sale: what was sold, how much, for how much, and the paper itself."""
    found, filed = statement_of(request, year, quarter), readings.everything()
    problems: Problems = {}
    if request.method == "POST":
        body, problems = sale_said(request, found, readings.materials(filed))
        if not problems:
            problems = keep_sale(request, found, body)
        if not problems:
            messages.success(request, translate("Comprovante entregue."))
            return redirect("bolsa-quarter", year=year, quarter=quarter)
    context = {
        "found": found, "typed": request.POST, "problems": problems, "materials": readings.materials(filed),
        "subclasses": readings.subclasses(filed), "papers": [act["paper"] for act in filed.acts("proof")],
    }  # fmt: skip
    return render(request, "lastro/bolsa/sale.html", context, status=400 if problems else 200)


def sale_said(
    request: HttpRequest, found: readings.Statement, materials: list[str]
) -> tuple[dict[str, Any], Problems]:
    problems: Problems = {}
    material, _, subclass = text_of(request, "material").partition("/")
    day, invoice = day_typed(text_of(request, "sold_on")), text_of(request, "paper") == "nota fiscal"
    body: dict[str, Any] = {"material": material, "invoice": invoice, "proof": text_of(request, "proof")[:60]}
    body |= {"subclass": subclass} if subclass else {}
    body |= {} if invoice else {"paper": text_of(request, "paper")}
    if material not in materials:
        problems["material"] = "Escolha o material."
    if not text_of(request, "paper"):
        problems["paper"] = "Diga que papel prova a venda."
    if not body["proof"]:
        problems["proof"] = "Escreva o número da nota ou do papel."
    if day is None or day > office.today():
        problems["sold_on"] = "O dia da venda, que já passou, como 10/02/2026."
    elif (day.year, quarter_of(day)) != (found.year, found.number):
        problems["sold_on"] = f"Este dia não é do {found.name}: envie a venda no trimestre dela (art. 12)."
    else:
        body["sold_on"] = day.isoformat()
    try:
        body["mass_kg"] = typed.mass(text_of(request, "mass_kg")).kg_text
    except ValueError as wrong:
        problems["mass_kg"] = str(wrong)
    value = money_typed(text_of(request, "value_brl"))
    if value is None:
        problems["value_brl"] = "Reais, como 1.800,00."
    else:
        body["value_brl"] = value.brl_text
    said = file_problem(request.FILES.get("arquivo"), PROOFS)
    if said:
        problems["arquivo"] = said
    return body, problems


def keep_sale(request: HttpRequest, found: readings.Statement, body: Mapping[str, Any]) -> Problems:
    """Keep the proof; the same paper and material again is told, since it would be paid twice."""
    what = f"{body['material']}/{body['subclass']}" if body.get("subclass") else str(body["material"])
    name = f"{'nota fiscal' if body['invoice'] else body['paper']} {body['proof']}: {what}"
    subject = subject_of(request, Kind.SALE, period=room.period_of(found.year, found.number), name=name)
    stands = filings_of(request).latest(subject)
    if stands is not None and not stands.withdrawn:
        return {
            "proof": "Este papel já foi entregue com este material. Para mudar, retire o que entregou antes."
        }
    file: Any = request.FILES["arquivo"]
    file_next(request, subject, body, addressee=room.READERS, files=[(safe_name(file), file.read())])
    return {}


@scope(Scope.INCENTIVE_FILE)
@require_POST
def withdraw(request: HttpRequest, year: int, quarter: int, number: int) -> HttpResponse:
    """Take back a proof of sale; it stays among the versions, and counts no more."""
    found = next((one for one in statement_of(request, year, quarter).sales if one.id == number), None)
    if found is None:
        raise Http404
    try:
        file_next(request, found.subject, found.body, addressee=room.READERS, withdrawn=True)
        messages.success(request, translate("Comprovante retirado. Não conta mais."))
    except ChangedMeanwhile as wrong:
        messages.error(request, str(wrong))
    return redirect("bolsa-quarter", year=year, quarter=quarter)


urls = [
    path("bolsa/cadastro/", registration, name="bolsa-registration"),
    path("bolsa/<int:year>/<int:quarter>/producao/", measures, name="bolsa-measures"),
    path("bolsa/<int:year>/<int:quarter>/venda/", sale, name="bolsa-sale"),
    path("bolsa/<int:year>/<int:quarter>/venda/<int:number>/retirar/", withdraw, name="bolsa-withdraw"),
]
