"""Every norm's case sheets are run as they stand, and every rule has one."""

from __future__ import annotations

import pytest

from lastro.lawkit import Regulation, library
from lastro.lawkit.cases import Case, cases_of, failure

SHEETS = [(regulation, case) for regulation in library.every() for case in cases_of(regulation)]


@pytest.mark.parametrize(
    ("regulation", "case"), SHEETS, ids=[f"{r.norm.path}:{c.sheet}:{c.name}" for r, c in SHEETS]
)
def test_the_case_answers_as_the_sheet_says(regulation: Regulation, case: Case) -> None:
    assert failure(regulation, case) == ""


@pytest.mark.parametrize("regulation", library.every(), ids=lambda r: r.norm.path)
def test_every_rule_has_a_case(regulation: Regulation) -> None:
    assert {case.rule for case in cases_of(regulation)} == set(regulation.rules)
