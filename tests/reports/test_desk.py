"""Previews are kept, only what still stands is submitted, and every version stays."""

from __future__ import annotations

import threading
from datetime import date
from typing import Any

import psycopg
import pytest

from lastro.facts import Refusal
from lastro.reports import desk
from lastro.reports.changes import Change, changes
from lastro.reports.standing import Partnership, Version
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates
from lastro.stores.postgres.reports import reports
from lastro.units import Mass
from tests.certificates.worlds import prepare
from tests.ledger.worlds import ENTITY, VERIFIER, cnpj
from tests.reports.worlds import (
    BAKER,
    GLASS,
    MAKER,
    NORM,
    ON,
    PAPER,
    YEAR,
    case,
    declare,
    fill,
    load,
    lot,
    placed,
    used,
)

DUE = date(2027, 7, 30)


def render(data: Any, heading: Any) -> dict[str, bytes]:
    return {"x.json": f"{data.digest} {heading.version} {heading.mark}".encode()}


def preview(store: Any, **more: Any) -> Any:
    with reports(store) as memory:
        return desk.preview(memory, case(**more))


def submit(store: Any, *, by: str = "ana", reason: str = "", number: int | None = None, **more: Any) -> Any:
    with reports(store) as memory:
        return desk.submit(memory, case(**more), by=by, reason=reason, render=render, number=number)


def state(store: Any, **more: Any) -> desk.State:
    with reports(store) as memory:
        return desk.state(memory, case(**more))


def issue(store: Any, *, verifier: str = VERIFIER, **more: Any) -> Any:
    with reports(store) as memory:
        return desk.issue_statement(memory, case(**more), verifier=verifier, render=render)


@pytest.fixture
def world(store):
    fill(store)
    assert isinstance(issue(store), Version)
    return store


def test_a_preview_that_says_the_same_is_the_same(world):
    _, first = preview(world)
    _, again = preview(world, on=date(2027, 3, 20))
    assert (again.id, again.made_on) == (first.id, ON)
    used(world, GLASS, "1", MAKER, "more")
    assert preview(world)[1].id > first.id


def test_nothing_is_submitted_without_a_preview(world):
    refusal = submit(world)
    assert (refusal.code, refusal.found) == ("T02", "nenhuma prévia deste relatório")


def test_a_preview_of_another_report_is_not_this_ones(world):
    _, made = preview(world)
    assert submit(world, number=made.id, year=2027).code == "T02"
    assert submit(world, number=made.id + 100).code == "T02"


def test_what_still_stands_is_submitted_with_its_files(world):
    data, made = preview(world)
    version = submit(world)
    assert (version.version, version.mark, version.reason, version.by) == (1, "", "", "ana")
    assert version.digest == data.digest == made.digest
    with reports(world) as memory:
        assert memory.file(version.files["x.json"]) == f"{data.digest} 1 ".encode()
        assert memory.versions("rar-mt", NORM, ENTITY, YEAR) == [version]
    assert not state(world).stale


def test_submitting_the_same_again_gives_the_version_that_stands(world):
    preview(world)
    first = submit(world)
    again = submit(world, by="bia", reason="de novo", on=date(2027, 9, 1))
    assert (again, first.repeated, again.repeated) == (first, False, True)


def test_what_stands_beside_the_sums_makes_nothing_stale(world):
    """A certificate prepared after a submission, or between preview and submission, is no change of it."""
    preview(world)
    assert isinstance(prepare(Certificates(world), "c3", 5_000, holder=MAKER), dict)
    version = submit(world)
    data = state(world).data
    assert (version.version, version.repeated, version.digest) == (1, False, data.digest)
    assert data.cell("beside/glass/certified").value == Mass.kg("25")
    assert isinstance(prepare(Certificates(world), "c4", 5_000, holder=MAKER), dict)
    assert state(world).data.digest != version.digest
    assert not state(world).stale
    assert submit(world).repeated


def test_a_stale_preview_is_refused_with_the_list_of_what_changed(world):
    preview(world)
    used(world, GLASS, "1", MAKER, "more")
    refusal = submit(world)
    assert refusal.code == "T04"
    told = {c["cell"]: (c["before"], c["now"]) for c in refusal.detail["changes"]}
    assert told["recovered/glass/total"] == ("240.000001", "241.000001")
    assert not any(path.startswith(("placed/", "members/", "beside/")) for path in told)
    said = [str(Change.read(change)) for change in refusal.detail["changes"]]
    assert "Massa recuperada › Vidro › Total (kg): era 240,000001 kg, agora 241,000001 kg" in said


def test_the_same_number_on_other_evidence_is_stale_too(world):
    preview(world)
    declare(world, MAKER, "ZZ00CIA1", placed(GLASS, "1000.000001", returnable="100"), placed(PAPER, "0"))
    (change,) = [c for c in submit(world).detail["changes"] if c["cell"] == "placed/glass/mass"]
    assert (change["before"], change["now"], change["evidence"]) == ("1500.000001", "1500.000001", True)
    assert (
        str(Change.read(change)) == "Massa colocada no mercado › Vidro › Massa (kg): mesmo valor, outra prova"
    )


def test_what_blocks_a_report_blocks_its_submission(store):
    fill(store)
    preview(store)
    refusal = submit(store)
    assert (refusal.code, refusal.detail["blocks"][0]["where"]) == ("T02", "verification")


def test_a_new_version_needs_a_reason(world):
    preview(world)
    submit(world)
    used(world, GLASS, "1", MAKER, "more")
    assert state(world).stale
    preview(world)
    refusal = submit(world, reason="  ")
    assert (refusal.code, refusal.found) == ("T05", "versão 1 entregue em 15/03/2027")
    version = submit(world, reason="baixa que faltava")
    assert (version.version, version.reason, version.mark) == (2, "baixa que faltava", "")
    assert [one.version for one in state(world).versions] == [1, 2]
    assert not state(world).stale


@pytest.mark.parametrize(("day", "mark"), [(DUE, ""), (date(2027, 7, 31), "late")])
def test_the_last_day_is_in_time_for_a_first_version(world, day, mark):
    preview(world, on=day)
    assert submit(world, on=day).mark == mark


@pytest.mark.parametrize(("day", "mark"), [(DUE, ""), (date(2027, 7, 31), "rectification")])
def test_after_the_last_day_a_later_version_is_a_rectification(world, day, mark):
    preview(world)
    submit(world)
    used(world, GLASS, "1", MAKER, "more")
    preview(world, on=day)
    assert submit(world, on=day, reason="correção").mark == mark


def test_partnerships_of_the_preview_are_those_of_the_submission(world):
    partner = Partnership(cnpj("COOP1"), "Cooperativa", "Contrato 1", date(2026, 1, 1))
    with reports(world) as memory:
        data, _ = desk.preview(memory, case(), partnerships=[partner])
    assert data.cell(f"partnerships/{partner.cnpj}.2026-01-01/name").value == "Cooperativa"
    assert isinstance(submit(world), Version)
    assert preview(world)[0].digest == data.digest
    with reports(world) as memory:
        emptied, _ = desk.preview(memory, case(), partnerships=[])
    assert emptied.section("partnerships").rows == ()
    assert state(world).stale


def test_a_statement_has_one_number_for_one_content(world):
    assert issue(world) == issue(world, on=date(2027, 4, 1))
    assert issue(world).number == "DV-2026-001"
    world.homologate(ENTITY, verifier=VERIFIER, year=YEAR, lots=None, request="h2", happened_on=ON)
    second = issue(world)
    assert (second.number, second.version, second.reason) == ("DV-2026-002", 2, "substitui DV-2026-001")


def test_a_report_leans_on_a_statement_that_still_holds(world):
    assert preview(world)[0].blocks == ()
    world.homologate(ENTITY, verifier=VERIFIER, year=YEAR, lots=None, request="h2", happened_on=ON)
    data, _ = preview(world)
    assert [block.code for block in data.blocks] == ["T04"]
    assert data.cell("verification/DV-2026-001/current").value is False
    issue(world)
    assert preview(world)[0].blocks == ()


def test_a_statement_stands_after_the_contract_ended(world):
    load(
        world, contracts=[{"verifier": VERIFIER, "entity": ENTITY, "from": "2026-01-01", "to": "2027-03-15"}]
    )
    assert preview(world, on=date(2027, 3, 16))[0].blocks == ()
    refusal = issue(world, on=date(2027, 3, 16))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, "sem contrato" in refusal.found) == ("T02", True)
    assert "art. 60, parágrafo único" in refusal.article


def test_a_verifier_without_lots_states_nothing(store):
    load(store)
    refusal = issue(store)
    assert (refusal.code, refusal.found) == ("T02", "nenhum lote homologado por este verificador neste ano")


@pytest.mark.parametrize("change", ["update {} set id = id", "delete from {}", "truncate {} cascade"])
@pytest.mark.parametrize("table", ["report_made", "report_version"])
def test_versions_are_kept_for_good(world, table, change):
    preview(world)
    submit(world)
    with pytest.raises(psycopg.Error), world.transaction() as db:
        db.execute(change.format(f"lastro.{table}"))


def test_two_who_submit_at_once_make_one_version(world, base):
    preview(world)
    answers: list[Any] = []

    def run(by: str) -> None:
        store = Store(base.conninfo())
        answers.append(submit(store, by=by))
        store.close()

    threads = [threading.Thread(target=run, args=(name,)) for name in ("ana", "bia", "caio", "duda")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert len({one.id for one in answers}) == 1


def test_changes_tell_rows_that_come_and_go(world):
    data, made = preview(world)
    world.post([lot(50, 5, municipality="5100250")], request="new")
    world.homologate(ENTITY, verifier=VERIFIER, year=YEAR, lots=None, request="h2", happened_on=ON)
    used(world, GLASS, "81.000005", BAKER, "all")
    found = {one.path: one for one in changes(made.data, preview(world)[0])}
    new = found["geography/5100250/total"]
    assert (new.before, new.now, new.evidence) == (None, "0.000005", False)
    assert changes(made.data, data) == ()
    assert "blocks" in found
