"""The verifier's statement: what it covers, what was looked for, what it does not claim to have checked."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import lastro
from lastro.findings import catalogue
from lastro.reports.cells import DataSet
from lastro.reports.sampling import ByHand, Checked, Sampled, draw
from lastro.reports.verification import TESTS, covers, dataset
from lastro.stores.postgres.reports import reports
from lastro.stores.postgres.sampling import units_of
from lastro.units import Mass
from tests.ledger.worlds import ENTITY, VERIFIER, cnpj, key
from tests.reports.worlds import GLASS, MAKER, NORM, ON, YEAR, case, fill, used


def statement(store, *, verifier: str = VERIFIER, sampled: Sampled | None = None):
    with reports(store) as memory:
        standing = memory.standing(ENTITY, norm=NORM, year=YEAR, as_of=ON)
    return dataset(
        standing, regulation=case().regulation, verifier=verifier, on=ON, basis=case().basis,
        looked=ByHand(sampled),
    )  # fmt: skip


@pytest.fixture
def world(store):
    fill(store)
    return store


def test_it_covers_the_lots_that_the_verifier_named_and_no_other(world):
    data = statement(world)
    assert isinstance(data, DataSet)
    keys = {row.key for row in data.section("notes").rows}
    assert keys == {f"{key(n)}.1" for n in range(1, 8)}
    assert data.cell("covered/total/stated").value == Mass(434_000_501)
    assert data.cell("identification/keys/value").value == 7


def test_mass_used_later_changes_nothing_in_what_was_verified(world):
    before = covers(statement(world))
    used(world, GLASS, "1", MAKER, "more")
    assert covers(statement(world)) == before


def test_destination_certificates_are_not_claimed_where_none_came(world):
    """Since manifests and certificates are read (C05 to C12), only their absence is said to be unchecked."""
    section = statement(world).section("destination")
    assert not section.rows
    assert "não foi conferida por papel" in section.notes[0]


def test_manifests_and_certificates_that_were_read_are_counted(world):
    with reports(world) as memory:
        standing = memory.standing(ENTITY, norm=NORM, year=YEAR, as_of=ON)
    judged = replace(standing.judged, kinds={"cdf": 2, "mtr": 3, "nfe": 7})
    data = dataset(
        replace(standing, judged=judged), regulation=case().regulation, verifier=VERIFIER, on=ON,
        basis=case().basis,
    )  # fmt: skip
    assert isinstance(data, DataSet)
    assert data.cell("destination/kind.mtr/value").value == 3
    assert data.cell("destination/kind.cdf/value").value == 2


def test_that_nobody_checked_by_hand_is_said(world):
    section = statement(world).section("sampling")
    assert not section.rows
    assert "à mão" in section.notes[0]


def test_what_was_checked_by_hand_stands_in_it_with_its_projection(world):
    units = units_of(world, entity=ENTITY, norm=NORM, year=YEAR)
    plan = draw(units, seed="7", threshold=Mass(10**15))
    first = plan.drawn[0]
    half = Mass(first.unit.mass.mg // 2)
    checks = {one.unit.item: Checked(one.unit.mass, "peso visto", "x", "2027-01-02") for one in plan.drawn}
    checks[first.unit.item] = Checked(half, "só metade tem pesagem", "x", "2027-01-02")
    data = statement(world, sampled=Sampled(plan, checks, 2, "faltava um item"))
    assert isinstance(data, DataSet)
    assert data.cell("sampling/draws/value").value == 2
    assert data.cell("sampling/found_over/value").value == first.unit.mass - half
    row = data.section("sample_checks").rows[0].cells
    assert row["right"].value == half
    assert row["reason"].value == "só metade tem pesagem"
    assert data.digest != statement(world).digest


def test_an_unfinished_check_has_no_projection_of_the_year(world):
    plan = draw(units_of(world, entity=ENTITY, norm=NORM, year=YEAR), seed="7")
    data = statement(world, sampled=Sampled(plan, {}, 1))
    assert isinstance(data, DataSet)
    assert data.cell("sampling/projected/value").value is None
    assert "não terminou" in data.section("sampling").notes[-1]


def test_a_verifier_of_another_entity_has_no_contract(world):
    assert statement(world, verifier=cnpj("VER2")).code == "T02"


def test_the_tests_listed_are_those_that_the_rooms_look_for():
    """Codes named in the rooms that judge notes, and in the norms' admission.

    Apart: F11 and F12 tell of the run and C13 of what an entity did, and are no tests; S08 is told only to
    who asks.
    """
    source = Path(lastro.__file__).parent
    rooms = [*source.glob("evidence/*.py"), *source.glob("custody/*.py"), *source.glob("law/*/*/admits.py"),
             source / "pipeline.py"]  # fmt: skip
    text = "\n".join(path.read_text("utf-8") for path in rooms)
    named = set(re.findall(r'"([FNSMPGC]\d\d)"', text))
    assert set(TESTS) <= set(catalogue())
    assert set(TESTS) == named - {"F11", "F12", "S08", "C13"}
