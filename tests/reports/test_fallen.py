"""Evidence that falls after its mass was retired: the ledger keeps it, the report counts without it."""

from __future__ import annotations

from typing import Any

import pytest

from lastro.desk import settle_companies
from lastro.ids import company_of
from lastro.reports import desk
from lastro.reports.standing import Version
from lastro.stores.postgres.reports import reports
from lastro.units import Mass, total
from tests.ledger.worlds import ENTITY, key
from tests.reports.recount import recount
from tests.reports.test_desk import issue, preview, state, submit
from tests.reports.test_rar_mt import mg
from tests.reports.worlds import MAKER, NORM, ON, YEAR, behind, case, fill, report


def fall(store: Any, number: int) -> None:
    """The note is cancelled: what custody then keeps of its line."""
    with store.transaction() as db:
        db.execute(
            """insert into lot_state (access_key, line, state, reason, claims, stale)
               values (%(key)s, 1, 'dead', 'N10', '{}', array[%(who)s])
               on conflict (access_key, line) do update
                   set state = 'dead', reason = 'N10', stale = array[%(who)s]""",
            {"key": key(number), "who": ENTITY},
        )


@pytest.fixture
def world(store):
    fill(store)
    assert isinstance(issue(store), Version)
    preview(store)
    assert isinstance(submit(store), Version)
    return store


def test_a_report_is_submitted_again_without_what_fell(world):
    """No dead end: a new statement, a new preview, a second version with its reason."""
    fall(world, 1)
    shown = state(world)
    assert shown.stale
    assert submit(world, reason="nota cancelada").code == "T04"
    issue(world)
    data, _ = preview(world)
    assert data.blocks == ()
    version = submit(world, reason="nota cancelada")
    assert isinstance(version, Version)
    assert (version.version, version.repeated) == (2, False)
    assert not state(world).stale


def test_entries_less_what_fell_is_what_counts(world, base):
    before = report(world)
    fall(world, 1)
    after = report(world)
    fell = mg(after, f"fallen/{key(1)}.1/mass")
    assert fell > 0
    assert mg(before, "recovered/glass/fallen") == 0
    for name in ("glass", "total"):
        path = f"recovered/{name}"
        assert mg(after, f"{path}/total") == mg(before, f"{path}/total")
        assert mg(after, f"{path}/fallen") == fell
        assert mg(after, f"{path}/counted") == mg(after, f"{path}/total") - fell
    assert mg(after, "targets/glass/achieved") == mg(before, "targets/glass/achieved") - fell
    assert (mg(after, "targets/glass/fallen"), mg(after, "targets/glass/left_out")) == (fell, 0)
    assert after.cell("targets/glass/fallen").code == "T04"
    assert any("não contam" in note for note in after.section("recovered").notes)
    counted = recount(base.conninfo("lastro_app"), ENTITY, YEAR)
    assert counted[f"fallen/{key(1)}.1/mass"] == counted["recovered/glass/fallen"] == fell
    assert counted["recovered/total/counted"] == mg(after, "recovered/total/counted")


def test_each_number_finds_its_entries_with_and_without_what_fell(world):
    fall(world, 1)
    data = report(world)
    for path in (
        "recovered/glass/total", "recovered/glass/fallen", "recovered/glass/counted",
        "recovered/total/counted", "targets/glass/fallen", f"fallen/{key(1)}.1/mass",
    ):  # fmt: skip
        assert sum(row["mass_mg"] for row in behind(world, data, path)) == mg(data, path) > 0, path
    assert {row["access_key"] for row in behind(world, data, "recovered/glass/fallen")} == {key(1)}
    assert key(1) not in {row["access_key"] for row in behind(world, data, "recovered/glass/counted")}


def test_positions_and_report_say_the_same_milligram(world, tmp_path):
    fall(world, 1)
    data = report(world)
    settled = settle_companies(world, NORM, year=YEAR, company=None, data=tmp_path, today=ON)
    for group in ("glass", "paper", "metals"):
        achieved = total(p.achieved for _, positions in settled for p in positions if p.material == group)
        assert achieved == data.cell(f"targets/{group}/achieved").value, group
    ((_, mine),) = settle_companies(
        world, NORM, year=YEAR, company=company_of(MAKER), data=tmp_path, today=ON
    )
    (glass,) = [p for p in mine if p.material == "glass"]
    assert [note.code for note in glass.notes].count("T04") == 1
    assert glass.trace.children[-1].value == data.cell("targets/glass/fallen").value


def test_a_municipality_served_by_fallen_mass_alone_is_not_served(world):
    before = report(world).cell("served/served/value").value
    fall(world, 2)
    with reports(world) as memory:
        standing = memory.standing(ENTITY, norm=NORM, year=YEAR, as_of=ON)
    left = total(m.mass for m in standing.retired if m.municipality == "5107909")
    gone = total(one.mass for one in standing.fallen if one.municipality == "5107909")
    assert left == gone != Mass(0)
    after = report(world)
    assert after.cell("served/served/value").value == before - 1
    rows = behind(world, after, "served/served/value")
    assert key(2) not in {row["access_key"] for row in rows}


def test_what_changed_is_told_by_the_labels_of_the_report(world):
    fall(world, 1)
    with reports(world) as memory:
        told = [str(change) for change in desk.state(memory, case()).since_version]
    assert any(line.startswith("Massa recuperada › Vidro › Prova que caiu (kg): era 0 kg") for line in told)
    assert not any(name in line for line in told for name in ("True", "False", "recovered", "current"))
