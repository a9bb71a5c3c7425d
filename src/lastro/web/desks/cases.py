"""What whoever decides looks at: a note beside those it is like, the sales behind it, what was decided."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_GET

from lastro.ids import masked
from lastro.web.desks.contests import sight
from lastro.web.readings import cases, chain, decisions
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column, table


@require_GET
@scope(Scope.CONTEST_DECIDE)
def case(request: HttpRequest, key: str) -> HttpResponse:
    """A note beside the notes it is like, with its claims, its papers and its decisions."""
    found = cases.case(key, sight(request), beside=request.GET.get("com", ""))
    if found is None:
        raise Http404
    return render(request, "lastro/contests/case.html", {"case": found})


@require_GET
@scope(Scope.CONTEST_DECIDE)
def behind(request: HttpRequest, key: str, line: int) -> HttpResponse:
    """The sales behind the line of a note, drawn and in a list."""
    seen = sight(request)
    if cases.case(key, seen) is None:
        raise Http404
    asked = request.GET.get("passos", "")
    depth = int(asked) if asked in {str(n) for n in chain.DEPTHS} else 2
    found = chain.chain(key, line, seen, depth=depth)
    if found is None:
        raise Http404
    return render(request, "lastro/contests/chain.html", {"chain": found, "depths": chain.DEPTHS})


_COLUMNS: tuple[Column[decisions.Row], ...] = (
    Column("nota", "Nota e item", lambda r: r.lot, link=lambda r: reverse("note-case", args=[r.access_key])),
    Column("quando", "Quando", lambda r: r.on),
    Column("quem", "Quem", lambda r: r.by),
    Column("para", "De quem é o item", lambda r: masked(r.entity), choice=True),
    Column("passo", "Passo", lambda r: r.step, choice=True),
    Column("razao", "Razão", lambda r: r.reason),
    Column("mudou", "Entrou no livro pela decisão", lambda r: r.into),
    Column("saiu", "Saiu do livro pela decisão", lambda r: r.out),
)


@require_GET
@scope(Scope.CONTEST_DECIDE)
def history(request: HttpRequest) -> HttpResponse:
    """What people said of contested lines, with what each decision moved."""
    rows = decisions.rows(sight(request))
    made = table(request, rows, _COLUMNS, caption="Decisões sobre itens contestados")
    if isinstance(made, HttpResponse):
        return made
    return render(request, "lastro/contests/history.html", {"table": made})


urls = [
    path("contestados/decisoes/", history, name="decisions"),
    path("contestados/nota/<slug:key>/", case, name="note-case"),
    path("contestados/nota/<slug:key>/<int:line>/cadeia/", behind, name="note-chain"),
]
