"""Lists: narrowed, sorted and paged by their address, and taken along exactly."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import openpyxl
import pytest
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import RequestFactory

from lastro.units import Mass, Money
from lastro.web.tables import Column, Table, table
from tests.web.conftest import World

NOTHING = Money(0)


@dataclass(frozen=True)
class Load:
    name: str
    material: str
    mass: Mass | None
    on: date
    price: Money = NOTHING


LOADS = [
    Load("beta", "vidro", Mass(2_500_000), date(2026, 2, 1), Money(1_050)),
    Load("Alfa", "papel", Mass(10_000_000), date(2026, 1, 1)),
    Load("gama", "papel", None, date(2026, 3, 1)),
    Load("=1+1", "metal", Mass(1), date(2026, 4, 1)),
]
COLUMNS = [
    Column[Load]("nome", "Nome", lambda x: x.name, link=lambda x: f"/x/{x.material}/"),
    Column[Load]("material", "Material", lambda x: x.material, choice=True),
    Column[Load]("massa", "Massa", lambda x: x.mass),
    Column[Load]("dia", "Dia", lambda x: x.on),
    Column[Load]("preco", "Preço", lambda x: x.price),
]


@pytest.fixture(scope="module", autouse=True)
def _open(module_world: World) -> None:
    """Templates need the application, not a row of its data."""


def _request(**asked: str) -> Any:
    return RequestFactory().get("/lista/", asked)


def _names(**asked: str) -> list[str]:
    found = table(_request(**asked), LOADS, COLUMNS, caption="Cargas")
    assert isinstance(found, Table)
    return [row[0].text for row in found.rows]


def test_the_address_narrows_and_sorts() -> None:
    assert _names() == ["beta", "Alfa", "gama", "=1+1"]
    assert _names(f_material="papel") == ["Alfa", "gama"]
    assert _names(q="ALF") == ["Alfa"]
    assert _names(q="2,5") == ["beta"]
    assert _names(ordem="nome") == ["=1+1", "Alfa", "beta", "gama"]
    assert _names(ordem="nope") == _names()


def test_what_is_not_known_stands_last_both_ways() -> None:
    assert _names(ordem="massa") == ["=1+1", "beta", "Alfa", "gama"]
    assert _names(ordem="-massa") == ["Alfa", "beta", "=1+1", "gama"]


def test_pages_and_the_count_before_filtering() -> None:
    found = table(_request(pagina="2", f_material=""), LOADS, COLUMNS, caption="Cargas", page_size=3)
    assert isinstance(found, Table)
    assert [row[0].text for row in found.rows] == ["=1+1"]
    assert (found.every, found.page.paginator.num_pages) == (4, 2)


def test_filtering_keeps_what_else_the_address_says() -> None:
    found = table(_request(ano="2026", q="a", f_material="papel", ordem="dia"), LOADS, COLUMNS, caption="C")
    assert isinstance(found, Table)
    assert found.keep == (("ano", "2026"), ("ordem", "dia"))


def _file(kind: str, **asked: str) -> bytes:
    found = table(_request(baixar=kind, **asked), LOADS, COLUMNS, caption="Cargas do mês")
    assert isinstance(found, HttpResponse)
    assert found["Content-Disposition"] == f'attachment; filename="cargas-do-mes.{kind}"'
    return found.content


def test_a_workbook_holds_exact_numbers_days_and_no_formula() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(_file("xlsx"))).active
    rows = list(sheet.iter_rows())
    assert [c.value for c in rows[0]] == ["Nome", "Material", "Massa (kg)", "Dia", "Preço"]
    assert [c.value for c in rows[1]] == ["beta", "vidro", 2.5, datetime(2026, 2, 1), 10.5]
    assert rows[3][2].value == "—"
    assert (rows[4][0].value, rows[4][0].data_type) == ("=1+1", "s")
    assert rows[4][2].value == 0.000001


def test_a_text_is_safe_and_an_object_per_row() -> None:
    assert "'=1+1;metal" in _file("csv").decode("utf-8-sig")
    found = json.loads(_file("json", f_material="vidro"))
    assert found == [
        {"Nome": "beta", "Material": "vidro", "Massa": "2,5 kg", "Dia": "01/02/2026", "Preço": "R$ 10,50"}
    ]


def test_the_page_says_how_it_is_sorted_and_leads_on() -> None:
    request = _request(ordem="massa", ano="2026")
    found = table(request, LOADS, COLUMNS, caption="Cargas")
    page = render_to_string("lastro/_table.html", {"table": found, "request": request})
    assert 'aria-sort="ascending"' in page
    assert "ordem=-massa" in page
    assert "baixar=xlsx" in page
    assert '<a href="/x/vidro/">beta</a>' in page
    assert '<input type="hidden" name="ano" value="2026">' in page


def test_a_cure_on_a_page_names_the_page_and_no_command() -> None:
    from lastro.web.tags.shown import plain_words

    said = plain_words("Se é outra massa, duas pessoas o dizem com `lastro decide`.")
    assert said == "Se é outra massa, duas pessoas o dizem em Contestados."
