"""What the decree has against a line: each article below, at and above its edge, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from lastro.errors import NotInForce
from lastro.facts import Candidate
from lastro.findings import catalogue
from lastro.ids import Material, Origin
from lastro.law.mt.decreto_1455_2025 import REGULATION, rules
from lastro.lawkit import Law
from lastro.units import ZERO, Mass

GOOD = Candidate(
    issued_on=date(2026, 6, 1),
    material=Material.GLASS,
    aerosol=False,
    origin=Origin.PICKER_ENTITY,
    reenters_production=True,
    target_year=2026,
)
RECYCLER = replace(
    GOOD, origin=Origin.PRIVATE_RECYCLER, destination_proved=True, upstream_counted=Mass.kg("40")
)


@pytest.fixture
def law() -> Law:
    return REGULATION.law(date(2026, 12, 31))


def codes(law: Law, candidate: Candidate) -> list[str]:
    assert REGULATION.admits is not None
    return [objection.code for objection in REGULATION.admits(law, candidate)]


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (GOOD, []),
        (RECYCLER, []),
        (replace(RECYCLER, upstream_counted=ZERO), []),
        (replace(RECYCLER, upstream_counted=None), ["M14"]),
        (replace(RECYCLER, destination_proved=None), ["M14"]),
        (replace(RECYCLER, destination_proved=False), ["M14"]),
        (replace(GOOD, origin=None), []),
        (replace(GOOD, aerosol=True), ["M13"]),
        (replace(GOOD, reenters_production=False), ["P07"]),
        (replace(GOOD, reenters_production=None), ["P07"]),
        (replace(GOOD, issued_on=date(2025, 12, 31)), ["N14"]),
        (replace(GOOD, issued_on=date(2026, 1, 1)), []),
        (replace(GOOD, issued_on=date(2026, 12, 31)), []),
        (replace(GOOD, issued_on=date(2027, 1, 1)), ["N14"]),
        (replace(GOOD, issued_on=date(2020, 1, 1), target_year=None), []),
        (
            replace(GOOD, origin=Origin.PRIVATE_RECYCLER, aerosol=True, reenters_production=None,
                    issued_on=date(2025, 1, 1)),
            ["M14", "M13", "P07", "N14"],
        ),
    ],
)  # fmt: skip
def test_the_objections_of_a_line(law: Law, candidate: Candidate, expected: list[str]) -> None:
    assert codes(law, candidate) == expected


@pytest.mark.parametrize("origin", [Origin.WASTE_PLAN, Origin.DEALER, Origin.INDUSTRIAL_SCRAP])
def test_an_origin_that_no_article_lists_is_objected_to(law: Law, origin: Origin) -> None:
    assert codes(law, replace(GOOD, origin=origin)) == ["M14"]


@pytest.mark.parametrize("origin", sorted(rules.ELIGIBLE))
def test_the_four_origins_of_article_27_need_no_more_proof(law: Law, origin: Origin) -> None:
    assert codes(law, replace(GOOD, origin=origin)) == []


def test_an_objection_says_article_what_was_found_and_what_was_expected(law: Law) -> None:
    assert REGULATION.admits is not None
    everything = replace(
        GOOD,
        origin=Origin.PRIVATE_RECYCLER,
        aerosol=True,
        reenters_production=None,
        issued_on=date(2025, 1, 1),
    )
    found = REGULATION.admits(law, everything)
    assert {o.code: o.article.removeprefix("Decreto MT 1.455/2025, ") for o in found} == {
        "M14": "arts. 27 e 28",
        "M13": "art. 29",
        "P07": "art. 58",
        "N14": "art. 70",
    }
    assert all(o.code in catalogue() and o.found and o.expected for o in found)


def test_on_the_day_before_the_decree_there_is_no_window() -> None:
    with pytest.raises(NotInForce):
        codes(REGULATION.law(date(2025, 5, 25)), GOOD)
    assert codes(REGULATION.law(date(2025, 5, 26)), GOOD) == []
