"""The list of what each picker got of a quarter's money: its names, and the nine tenths that go to them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as translate
from django.views.decorators.http import require_http_methods

from lastro.filings import Filing, Kind
from lastro.ids import person_named
from lastro.incentives import filed as room
from lastro.units import Money
from lastro.web import office
from lastro.web.desks.bolsa import (
    Problems,
    file_next,
    filings_of,
    money_typed,
    statement_of,
    subject_of,
    text_of,
)
from lastro.web.desks.operator import day_typed
from lastro.web.readings import bolsa as readings
from lastro.web.scopes import Scope, scope

_MOST_ROWS = 2000


@require_http_methods(["GET", "POST"])
@scope(Scope.INCENTIVE_FILE)
def transfer(request: HttpRequest, year: int, quarter: int) -> HttpResponse:
    """What of a quarter's money went to each picker. The names go to the analysts alone (art. 9º, IV)."""
    found = statement_of(request, year, quarter)
    period = room.period_of(year, quarter)
    kept = filings_of(request).latest(subject_of(request, Kind.TRANSFER_LIST, period=period))
    problems: Problems = {}
    if request.method == "POST":
        body, rows, problems = transfer_said(request, found)
        if not problems:
            keep_transfer(request, period, body, rows)
            messages.success(request, translate("Relação entregue."))
            return redirect("bolsa-quarter", year=year, quarter=quarter)
    context = {
        "found": found, "problems": problems, "typed": request.POST, "kept": kept,
        "least": found.least if found.grant else None,
        "rows": request.POST.get("rows") if request.method == "POST" else _as_lines(kept),
        "received_on": request.POST.get("received_on") or _received_on(found),
        "received_brl": request.POST.get("received_brl", _received_brl(found)),
    }  # fmt: skip
    return render(request, "lastro/bolsa/transfer.html", context, status=400 if problems else 200)


def _received_on(found: readings.Statement) -> str:
    return str(found.transfer.body["received_on"]) if found.transfer else ""


def _received_brl(found: readings.Statement) -> str:
    return str(Money.brl(found.transfer.body["received_brl"])).removeprefix("R$ ") if found.transfer else ""


def transfer_said(
    request: HttpRequest, found: readings.Statement
) -> tuple[dict[str, Any], list[dict[str, str]], Problems]:
    problems: Problems = {}
    received = found.amount if found.grant else money_typed(text_of(request, "received_brl"))
    day = day_typed(text_of(request, "received_on"))
    if received is None or not received:
        problems["received_brl"] = "Reais que chegaram, como 43.396,23."
    if day is None or day > office.today():
        problems["received_on"] = "O dia em que o dinheiro chegou, como 20/05/2026."
    rows, said = _rows(request)
    if said:
        problems["rows"] = said
    if problems or received is None or day is None:
        return {}, [], problems
    passed = Money(sum(Money.brl(row["amount_brl"]).cents for row in rows))
    if received < passed:
        problems["rows"] = f"A soma, {passed}, passa do que chegou, {received}. Confira os valores."
    least = readings.least_to_members(received, on=found.last)
    listed = json.dumps(rows, ensure_ascii=False, sort_keys=True).encode()
    return {
        "received_on": day.isoformat(), "received_brl": received.brl_text, "members": len(rows),
        "passed_on_brl": passed.brl_text, "least_to_members_brl": least.brl_text,
        "list_sha256": hashlib.sha256(listed).hexdigest(),
    }, rows, problems  # fmt: skip


def _rows(request: HttpRequest) -> tuple[list[dict[str, str]], str]:
    """The lines "name; amount", typed or in a text file, and what is wrong in the first that is."""
    file = request.FILES.get("arquivo")
    text = request.POST.get("rows", "")
    if file is not None:
        try:
            text = file.read(2**20).decode("utf-8-sig")
        except UnicodeDecodeError:
            return [], "O arquivo não é um texto CSV em UTF-8. Cole as linhas no quadro."
    rows = []
    for number, line in enumerate((one for one in text.splitlines() if one.strip()), 1):
        name, _, amount = line.rpartition(";")
        money = money_typed(amount.replace("R$", "").strip())
        try:
            rows.append({"name": person_named(name), "amount_brl": money.brl_text if money else ""})
        except ValueError:
            return (
                [],
                f"Linha {number}: esperado nome, ponto e vírgula e valor, como “Maria; 1.200,00”.",
            )
        if not money:
            return [], f"Linha {number}: o valor é em reais, como 1.200,00, e maior que zero."
    if not rows:
        return [], "Escreva ao menos uma linha: o nome, ponto e vírgula, e o valor."
    return (
        (rows, "")
        if len(rows) <= _MOST_ROWS
        else ([], f"São mais de {_MOST_ROWS} linhas; confira o arquivo.")
    )


def keep_transfer(
    request: HttpRequest, period: str, body: Mapping[str, Any], rows: list[dict[str, str]]
) -> None:
    """Keep the list for the analysts, and its sums for whoever reads what the organisation files."""
    with office.store().transaction():
        listed = subject_of(request, Kind.TRANSFER_LIST, period=period)
        file_next(request, listed, {"rows": rows}, addressee=room.ANALYSTS)
        file_next(request, subject_of(request, Kind.TRANSFER, period=period), body, addressee=room.READERS)


def _as_lines(kept: Filing | None) -> str:
    """A kept list as it is typed."""
    if kept is None:
        return ""
    return "\n".join(f"{row['name']}; {_brl(row['amount_brl'])}" for row in kept.body["rows"])


def _brl(text: str) -> str:
    return str(Money.brl(text)).removeprefix("R$").strip()


urls = [
    path("bolsa/<int:year>/<int:quarter>/repasse/", transfer, name="bolsa-transfer"),
]
