"""Each code comes out of what triggers it, does not come out of its near miss, and none is without both."""

from __future__ import annotations

import pytest

from lastro.findings import catalogue
from tests.codes import FAMILIES, Case, cases, fixtures_of

CASES = cases()
STORES = {"store", "data", "base"}


def asked(case: Case) -> object:
    """The case as a parameter, marked where it asks for a store."""
    marks = [pytest.mark.database] if STORES & set(fixtures_of(case.make)) else []
    return pytest.param(case, id=case.name, marks=marks)


CODES = [code for code in catalogue() if code[0] in FAMILIES]


@pytest.mark.parametrize("case", [asked(case) for case in CASES])
def test_a_trigger_says_its_code_and_a_near_miss_does_not(case: Case, request: pytest.FixtureRequest) -> None:
    given = {name: request.getfixturevalue(name) for name in fixtures_of(case.make)}
    assert (case.code in case.make(**given)) is case.triggers


@pytest.mark.parametrize("triggers", [True, False], ids=["trigger", "near miss"])
def test_every_code_has_one(triggers: bool) -> None:
    having = {case.code for case in CASES if case.triggers is triggers}
    assert [code for code in CODES if code not in having] == []
    assert having <= set(CODES)
