"""The verifier's statement: what it covers, what was looked for, what it does not claim to have checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lastro
from lastro.findings import catalogue
from lastro.reports.cells import DataSet
from lastro.reports.verification import TESTS, covers, dataset
from lastro.stores.postgres.reports import reports
from lastro.units import Mass
from tests.ledger.worlds import ENTITY, VERIFIER, cnpj, key
from tests.reports.worlds import GLASS, MAKER, NORM, ON, YEAR, case, fill, used


def statement(store, *, verifier: str = VERIFIER):
    with reports(store) as memory:
        standing = memory.standing(ENTITY, norm=NORM, year=YEAR, as_of=ON)
    return dataset(standing, regulation=case().regulation, verifier=verifier, on=ON, basis=case().basis)


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


def test_destination_certificates_are_not_claimed(world):
    (note,) = statement(world).section("destination").notes
    assert "não foram conferidos" in note


def test_a_verifier_of_another_entity_has_no_contract(world):
    assert statement(world, verifier=cnpj("VER2")).code == "T02"


def test_the_tests_listed_are_those_that_the_rooms_look_for():
    """Codes named in the rooms that judge notes, and in the norms' admission.

    Apart: F11 and F12 tell of the run and are no tests; S08 is told only to who asks.
    """
    source = Path(lastro.__file__).parent
    rooms = [*source.glob("evidence/*.py"), *source.glob("custody/*.py"), *source.glob("law/*/*/admits.py"),
             source / "pipeline.py"]  # fmt: skip
    text = "\n".join(path.read_text("utf-8") for path in rooms)
    named = set(re.findall(r'"([FNSMPGC]\d\d)"', text))
    assert set(TESTS) <= set(catalogue())
    assert set(TESTS) == named - {"F11", "F12", "S08"}
