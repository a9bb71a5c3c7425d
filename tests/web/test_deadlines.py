"""The year's deadlines on a page: those of one's own part, what became of each, nothing that is guessed."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from lastro.lawkit import library
from lastro.registry import Registry
from lastro.web import office
from lastro.web.readings import deadlines
from lastro.web.readings.documents import shown_party
from tests.web.conftest import NORM, TODAY, UNCHECKED, YEAR, World, browser_of
from tests.web.test_certificates import _issued


def _year(party: str, year: int, *, entity: bool = False, norms: tuple[str, ...] = ()) -> deadlines.Year:
    return deadlines.year_of(party, entity=entity, year=year, norms=norms)


def _of(found: deadlines.Year, key: str) -> list[deadlines.Row]:
    return [row for row in found.rows if row.task.key == key]


def _sized(monkeypatch: pytest.MonkeyPatch, party: str, size: str) -> None:
    tables = dict(office.registry().tables)
    others = [row for row in tables["sizes"] if row["company"] != party[:8]]
    mine = [{"company": party[:8], "year": year, "size": size} for year in (2025, 2026, 2027)]
    changed = Registry({**tables, "sizes": [*others, *(mine if size else [])]})
    monkeypatch.setattr(office, "registry", lambda: changed)


def test_a_company_sees_its_report_and_what_passed_unseen_is_not_called_late(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    party = people["company"].parties[0]
    _sized(monkeypatch, party, "large")
    (row,) = _of(_year(party, 2027), "mt_rar")
    assert (row.task.nominal, row.state) == (date(2027, 7, 30), "open")
    (row,) = _of(_year(party, 2026), "mt_rar")
    assert (row.task.until, row.state) == (date(2026, 7, 30), "unknown")
    text = browser_of(people["company"]).get("/prazos/", {"ano": "2026"}).content.decode()
    assert "30/07/2026" in text
    assert "não consta aqui" in text
    assert "atrasada" not in text


def test_a_small_firm_has_the_duty_of_small_firms(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    party = people["company"].parties[0]
    for size, mine, others in (("epp", "mt_declaration", "mt_rar"), ("medium", "mt_rar", "mt_declaration")):
        _sized(monkeypatch, party, size)
        found = _year(party, 2027)
        assert len(_of(found, mine)) == 1, size
        assert not _of(found, others), size
    _sized(monkeypatch, party, "")
    assert "não diz o porte" in browser_of(people["company"]).get("/prazos/").content.decode()


@pytest.mark.parametrize("size", ["epp", "large"])
def test_a_certificate_is_to_be_used_within_its_year(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    """Whatever the size of its holder; used, it is done; another company hears nothing of it."""
    found = _issued(world, people).certificate
    _sized(monkeypatch, found.holder, size)
    (row,) = _of(_year(found.holder, 2028), "mt_certificate")
    assert (row.task.note, row.task.until, row.state) == (found.number, found.valid_to, "open")
    assert _of(_year(world.entities[0], 2028, entity=True), "mt_certificate")[0].task.note == found.number
    other = people["other_company"]
    assert found.number not in browser_of(other).get("/prazos/", {"ano": "2028"}).content.decode()
    with monkeypatch.context() as later:
        later.setattr(office, "today", lambda: date(2028, 3, 16))
        assert _of(_year(found.holder, 2028), "mt_certificate")[0].state == "late"
    form = {"pedido": str(uuid4()), "ano": "2026", "confirma": "sim"}
    browser_of(people["company"]).post(f"/empresa/certificados/{found.id}/usar/", form)
    (row,) = _of(_year(found.holder, 2028), "mt_certificate")
    assert (row.task.done_on, row.state) == (TODAY, "done")


def test_an_entity_sees_whom_it_has_to_vet_anew(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vetted again in time, too late, not again; a paper lacking, before the decree, by another entity."""
    entity, other = world.entities[0], world.entities[1]
    operators = sorted({str(row["operator"]) for row in world.registry["vettings"]})[:6]

    def vetted(n: int, on: str, *, by: str = entity, permit: bool = True) -> dict[str, Any]:
        papers = {"cnpj_ok": True, "registrations_ok": True, "licence_ok": True, "permit_ok": permit}
        return {"operator": operators[n], "entity": by, "from": on, "to": None, **papers}

    rows = [
        *(vetted(0, "2026-03-02"), vetted(0, "2027-02-01"), vetted(1, "2026-03-03"), vetted(1, "2027-03-10")),
        *(vetted(2, "2026-03-04"), vetted(2, "2027-12-01"), vetted(3, "2026-03-05", permit=False)),
        *(vetted(4, "2024-01-01"), vetted(5, "2026-03-06", by=other)),
    ]
    changed = Registry({**office.registry().tables, "vettings": rows})
    monkeypatch.setattr(office, "registry", lambda: changed)
    found = _of(_year(entity, 2027, entity=True), "mt_homologation")
    assert [(row.task.nominal, row.task.done_on, row.state) for row in found] == [
        (date(2027, 3, 2), date(2027, 2, 1), "done"),
        (date(2027, 3, 3), date(2027, 3, 10), "late"),
        (date(2027, 3, 4), None, "late"),  # what is to be done in December is not done yet
    ]
    assert all(shown_party(operators[n]) in row.task.note for n, row in enumerate(found))
    assert [row.task.nominal for row in _of(_year(entity, 2028, entity=True), "mt_homologation")] == [
        date(2028, 2, 1),
        date(2028, 3, 10),
    ]


def test_a_report_that_was_handed_in_is_done(world: World, people: dict[str, Any]) -> None:
    entity = world.entities[0]
    (row,) = _of(_year(entity, 2027, entity=True), "mt_rar")
    assert (row.state, row.task.done_on) == ("open", None)
    browser_of(people["verifier"]).post(f"/verificador/{entity}/{YEAR}/declaracao/", UNCHECKED)
    browser_of(people["preparer"]).post("/entidade/relatorio/previa/", {"ano": YEAR})
    answer = browser_of(people["authoriser"]).post("/entidade/relatorio/entregar/", {"ano": YEAR})
    assert answer.status_code == 302
    (row,) = _of(_year(entity, 2027, entity=True), "mt_rar")
    assert (row.state, row.task.done_on) == ("done", TODAY)
    (row,) = _of(_year(world.entities[1], 2027, entity=True), "mt_rar")
    assert row.state == "open", "another entity handed in nothing"


def test_a_day_that_passed_is_late_only_where_doing_it_leaves_a_trace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office, "today", lambda: date(2028, 1, 10))
    found = _year(world.entities[0], 2027, entity=True, norms=(NORM, "br/decreto_10240_2020"))
    assert [row.state for row in _of(found, "mt_rar")] == ["late"]
    assert [row.state for row in _of(found, "el_audit")] == ["unknown"]


def test_norms_are_those_of_the_place_and_the_materials_until_others_are_asked_for(
    world: World, people: dict[str, Any]
) -> None:
    party = people["company"].parties[0]
    assert {r.norm.path for r, counted in _year(party, 2027).norms if counted} == {NORM}
    found = _year(party, 2027, norms=("br/minuta_metal_2022", "nada"))
    assert {r.norm.path for r, counted in found.norms if counted} == {"br/minuta_metal_2022"}
    assert found.rows
    assert {row.task.norm for row in found.rows} == {library.find("br/minuta_metal_2022").norm.short_title}
    assert all(row.task.simulation and row.state != "late" for row in found.rows)
    text = browser_of(people["company"]).get("/prazos/", {"norma": "br/minuta_metal_2022"}).content.decode()
    assert "simulação" in text


def test_what_nobody_told_is_named_and_has_no_day(world: World, people: dict[str, Any]) -> None:
    found = _year(people["company"].parties[0], 2027)
    assert "Novo plano ou adesão a outro" in [title for title, _ in found.untold]
    assert not _of(found, "mt_new_plan")
    assert "Sem a data do fato" in browser_of(people["company"]).get("/prazos/").content.decode()


def test_without_a_place_no_norm_of_a_state_is_taken(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office, "registry", lambda: Registry({}))
    text = browser_of(people["company"]).get("/prazos/").content.decode()
    assert "não diz o município" in text
    assert "Nenhum prazo" in text


def test_the_calendar_file_and_the_picture_hold_the_tasks(world: World, people: dict[str, Any]) -> None:
    entity = world.entities[0]
    found = _year(entity, 2027, entity=True)
    assert found.rows
    answer = browser_of(people["preparer"]).get("/prazos/prazos.ics", {"ano": "2027"})
    text = answer.content.decode()
    assert answer["Content-Type"].startswith("text/calendar")
    assert text.count("BEGIN:VEVENT") == len(found.rows)
    for row in found.rows:
        assert f"DTSTART;VALUE=DATE:{row.task.until:%Y%m%d}" in text
    drawn = ET.fromstring(found.drawn)
    marked = [one for one in drawn.iter() if one.tag.endswith("circle")]
    assert len(marked) == len({row.task.until for row in found.rows})


def test_a_year_that_is_none_is_this_one(world: World, people: dict[str, Any]) -> None:
    for asked in ("", "x", "0000", "99999"):
        text = browser_of(people["company"]).get("/prazos/", {"ano": asked}).content.decode()
        assert "Prazos de 2027" in text, asked
