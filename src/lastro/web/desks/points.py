"""Find a collection point: for anybody, on a map and in a list."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from lastro.ids import Material
from lastro.tables.populations import in_state
from lastro.web import office, tables
from lastro.web.readings import points as readings
from lastro.web.scopes import Scope, scope
from lastro.web.tables import Column

_COLUMNS = (
    Column[readings.Found]("ponto", "Ponto", lambda p: p.name),
    Column[readings.Found]("municipio", "Município", lambda p: f"{p.town} ({p.uf})"),
    Column[readings.Found]("endereco", "Endereço", lambda p: p.body["address"]),
    Column[readings.Found]("horario", "Quando atende", lambda p: p.body["hours"]),
    Column[readings.Found]("materiais", "Recebe", lambda p: p.materials_words),
    Column[readings.Found]("tipo", "Tipo", lambda p: p.kind),
    Column[readings.Found]("coordenadas", "Coordenadas (SIRGAS 2000)", lambda p: p.coordinates),
    Column[readings.Found]("sistema", "De quem é", lambda p: office.name_of(p.entity) or p.entity),
    Column[readings.Found]("informado", "Informado em", lambda p: p.told_on),
)

_ON_A_SCREEN = ("ponto", "municipio", "endereco", "horario", "materiais", "sistema")
_SHOWN = tuple(column for column in _COLUMNS if column.name in _ON_A_SCREEN)


@require_GET
@scope(Scope.PUBLIC)
def points(request: HttpRequest) -> HttpResponse:
    """Where one can take what one wants to give back."""
    every = readings.working(office.today())
    asked = request.GET
    uf = asked.get("uf", "") if asked.get("uf", "") in readings.UFS else readings.usual_state(every)
    towns = in_state(uf)
    town = next((one.code for one in towns if one.code == asked.get("municipio")), "")
    material = next((m.value for m in Material if m.value == asked.get("material")), "")
    found = readings.chosen(every, uf=uf, town=town, material=material)
    columns = _COLUMNS if asked.get("baixar") else _SHOWN
    elsewhere = len(every) - len(readings.chosen(every, uf=uf))
    table = tables.table(request, found, columns, caption=f"Pontos de coleta em {uf}")
    if isinstance(table, HttpResponse):
        return table
    context = {
        "table": table, "drawn": readings.drawn(uf, found), "ufs": readings.UFS, "uf": uf, "town": town,
        "towns": sorted(towns, key=lambda one: one.name), "material": material, "found": len(found),
        "materials": [m.value for m in Material], "elsewhere": elsewhere,
    }  # fmt: skip
    return render(request, "lastro/public/points.html", context)


urls = [path("pontos/", points, name="points")]
