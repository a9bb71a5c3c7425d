"""The fee staff: register, ordinances, charges by quarter with their why, papers to pay, who did not pay."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.filings import Filing
from lastro.ids import bare
from lastro.units import Money
from lastro.web import office, tables, trail, typed
from lastro.web.desks.requests import day_of, done
from lastro.web.readings import fee_desk as readings
from lastro.web.readings.documents import shown_party
from lastro.web.readings.fees import PERSONS
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column

ROWS = range(4)

_ENTRIES = (
    Column[Filing](
        "documento", "CNPJ ou CPF", lambda e: shown_party(e.subject.name),
        link=lambda e: reverse("fee-payer", args=[e.subject.name]),
    ),
    Column[Filing]("nome", "Nome", lambda e: str(e.body["name"])),
    Column[Filing]("inscrito", "Inscrito em", lambda e: day_of(str(e.body["registered_on"]))),
    Column[Filing]("atividades", "Atividades", lambda e: ", ".join(a["code"] for a in e.body["activities"])),
    Column[Filing]("portaria", "Portaria", lambda e: e.body.get("ordinance"), choice=True),
)  # fmt: skip
_QUARTERS = (
    Column[readings.Quarter](
        "trimestre", "Trimestre", lambda q: q.period, choice=True,
        link=lambda q: reverse("fee-charge", args=[q.document, q.year, q.number]),
    ),
    Column[readings.Quarter]("documento", "CNPJ ou CPF", lambda q: shown_party(q.document)),
    Column[readings.Quarter]("vence", "Vencimento", lambda q: q.due),
    Column[readings.Quarter]("hoje", "A pagar hoje", lambda q: q.total),
    Column[readings.Quarter](
        "situacao", "Situação", lambda q: q.words, choice=True, tone=lambda q: q.tone
    ),
)  # fmt: skip


def _me(request: HttpRequest) -> str:
    user: Any = request.user
    return str(user.email)


@require_GET
@scope(Scope.FEE_WORK)
def register_list(request: HttpRequest) -> HttpResponse:
    """Everybody in the register."""
    found = tables.table(request, readings.entries(), _ENTRIES, caption="Cadastro técnico estadual")
    if isinstance(found, HttpResponse):
        return found
    context = {
        "title": "Cadastro e taxa",
        "intro": ["Quem está inscrito no cadastro técnico estadual. Dado fiscal: só os servidores da taxa."],
        "links": [
            (reverse("fee-enter"), "Inscrever", True),
            (reverse("fee-unpaid"), "Trimestres em aberto", False),
            (reverse("fee-ordinances"), "Portarias", False),
        ],
        "table": found,
    }
    return render(request, "lastro/agency/list.html", context)


@require_GET
@scope(Scope.FEE_WORK)
def unpaid(request: HttpRequest) -> HttpResponse:
    """Every quarter that was charged and is not settled."""
    rows = [q for q in readings.quarters() if q.open]
    found = tables.table(request, rows, _QUARTERS, caption="Trimestres em aberto")
    if isinstance(found, HttpResponse):
        return found
    intro = ["Lançados e ainda não pagos; o valor é o de hoje, com os acréscimos."]
    context = {"title": "Trimestres em aberto", "intro": intro, "table": found}
    return render(request, "lastro/agency/list.html", context)


for _page in (register_list, unpaid):
    _page.confidential = True  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
@scope(Scope.FEE_WORK)
def ordinances(request: HttpRequest) -> HttpResponse:
    """The ordinances that say how one registers, and a form for another."""
    posted, problem = request.POST, ""
    if request.method == "POST":
        problem = done(
            request,
            lambda: readings.set_ordinance(
                act=posted.get("ato", ""), decided_on=day_of(posted.get("dia", "")),
                asked=posted.get("campos", ""), by=_me(request),
            ),
            "Portaria registrada. A inscrição pede agora os seus campos.",
        )  # fmt: skip
        if not problem:
            return redirect("fee-ordinances")
    context = {"acts": readings.ordinances(), "problem": problem, "typed": posted, "today": office.today()}
    return render(request, "lastro/agency/ordinances.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
@scope(Scope.FEE_WORK)
def enter(request: HttpRequest) -> HttpResponse:
    """Write an establishment in the register, or update its entry."""
    posted, problem = request.POST, ""
    before = readings.entry(bare(request.GET.get("documento", "")))
    if request.method == "POST":
        rows = zip(*(posted.getlist(name) for name in ("atividade", "comecou", "terminou")), strict=False)
        problem = done(
            request, lambda: readings.register(posted.dict(), list(rows), by=_me(request)), "Inscrito."
        )
        if not problem:
            return redirect("fee-payer", document=bare(posted.get("document", "")))
    rule = readings.ordinance(office.today())
    context = {
        "problem": problem, "typed": posted or (before.body if before else {}), "persons": PERSONS,
        "codes": readings.codes(), "rows": _rows(request, before), "today": office.today(), "rule": rule,
        "fields": [
            (n, name, posted.get(f"campo-{n}", "") or (before.body["fields"].get(name, "") if before else ""))
            for n, name in enumerate(rule.body["fields"] if rule else ())
        ],
    }  # fmt: skip
    return render(request, "lastro/agency/enter.html", context, status=400 if problem else 200)


def _rows(request: HttpRequest, before: Filing | None) -> list[tuple[str, str, str]]:
    if request.method == "POST":
        names = ("atividade", "comecou", "terminou")
        found = list(zip(*(request.POST.getlist(name) for name in names), strict=False))
    else:
        kept = before.body["activities"] if before else []
        found = [(a["code"], a["began"], a.get("ended", "")) for a in kept]
    return [*found, *[("", "", "")] * (len(ROWS) - len(found))]


@require_http_methods(["GET", "POST"])
@scope(Scope.FEE_WORK)
def payer(request: HttpRequest, document: str) -> HttpResponse:
    """One entry with its quarters, and a form to charge another."""
    found, problem = readings.entry(document), ""
    if found is None:
        raise Http404
    trail.about(request, "establishment", document)
    if request.method == "POST":
        problem = done(request, lambda: _charge(request, document), "Lançado.")
        if not problem:
            year, number = typed.year(request.POST["ano"]), typed.counting(request.POST["trimestre"])
            return redirect("fee-charge", document=document, year=year, number=number)
    made = tables.table(request, readings.quarters(document), _QUARTERS, caption="Trimestres lançados")
    if isinstance(made, HttpResponse):
        return made
    context = {"entry": found, "table": made, "problem": problem, "typed": request.POST}
    return render(request, "lastro/agency/payer.html", context, status=400 if problem else 200)


payer.confidential = True  # type: ignore[attr-defined]


def _charge(request: HttpRequest, document: str) -> object:
    """Charge the quarter of the form. Raises LastroError naming what to mend."""
    posted = request.POST
    year, number = typed.year(posted.get("ano", "")), typed.counting(posted.get("trimestre", ""))
    if year is None or number not in (1, 2, 3, 4):
        raise LastroError("Escolha o ano e o trimestre.")
    file = request.FILES.get("fatos")
    more = readings.read_more(file.read(200_000)) if file else {}
    if posted.get("receita", "").strip():
        more["revenue_brl"] = _amount(posted["receita"], "a receita").brl_text
    if posted.get("municipal", "").strip():
        more["municipal_fee"] = {
            "paid_brl": _amount(posted["municipal"], "a taxa municipal").brl_text, "inspection_fee": True,
            "recognised": posted.get("reconhecido") == "sim",
            **({"agreement_from": posted["convenio"]} if posted.get("convenio") else {}),
        }  # fmt: skip
    return readings.charge(document, year=year, quarter=number, more=more, by=_me(request))


def _amount(text: str, what: str) -> Money:
    try:
        return Money.brl(typed.plain(text))
    except ValueError:
        raise LastroError(f"Escreva {what} em reais, como 9.000.000,00.") from None


@require_http_methods(["GET", "POST"])
@scope(Scope.FEE_WORK)
def charged(request: HttpRequest, document: str, year: int, number: int) -> HttpResponse:
    """A quarter: what it comes to and why, its papers to pay, its payments, its instalments."""
    found, problem = readings.one(document, year, number), ""
    if found is None:
        raise Http404
    trail.about(request, "establishment", document)
    if request.method == "POST":
        problem = done(request, lambda: _step(request, found), "Feito.")
        if not problem:
            return redirect(request.path)
    context = {
        "q": found, "problem": problem, "today": office.today(), "day": office.today().isoformat(),
        "answer": found.charge.body["answer"], "parts": _parts(found),
    }  # fmt: skip
    return render(request, "lastro/agency/charge.html", context, status=400 if problem else 200)


charged.confidential = True  # type: ignore[attr-defined]


def _parts(found: readings.Quarter) -> list[tuple[str, Money]]:
    from lastro.web.readings.fees import NAMES

    made = found.made
    return [(words, value) for part, words in NAMES if made and (value := getattr(made, part)) is not None]


def _step(request: HttpRequest, found: readings.Quarter) -> object:
    """What the form asks for. Raises LastroError."""
    posted, by = request.POST, _me(request)
    match posted.get("passo"):
        case "emitir":
            return readings.issue(found, pay_by=day_of(posted.get("ate", "")), by=by)
        case "pago" | "cancelar" as step:
            return readings.settle(
                found, typed.counting(posted.get("papel", "")) or 0,
                state="paid" if step == "pago" else "cancelled", paid_on=day_of(posted.get("dia", "")),
                paid=_amount(posted.get("valor", ""), "o valor pago") if step == "pago" else None, by=by,
            )  # fmt: skip
        case "parcelar":
            return readings.divide(
                found, number=typed.counting(posted.get("parcelas", "")), act=posted.get("ato", ""), by=by
            )
    raise LastroError("Escolha o que fazer.")


urls = [
    path("orgao/taxa/", register_list, name="fee-register"),
    path("orgao/taxa/aberto/", unpaid, name="fee-unpaid"),
    path("orgao/taxa/portarias/", ordinances, name="fee-ordinances"),
    path("orgao/taxa/inscrever/", enter, name="fee-enter"),
    path("orgao/taxa/<slug:document>/", payer, name="fee-payer"),
    path("orgao/taxa/<slug:document>/<int:year>/<int:number>/", charged, name="fee-charge"),
]
