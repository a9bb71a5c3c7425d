"""Whether an establishment is in order: each thing that is asked met, lacking and unknown."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from lastro.law.mt.decreto_1455_2025 import REGULATION
from lastro.lawkit.order import Check, Cover, Delivered, Known, Stated, in_order

TODAY = date(2027, 8, 16)  # past 30 July 2027: the report on 2026 was due
COVER = Cover("ZZ", "Entidade", date(2025, 7, 1), None, "T-1", date(2028, 12, 31))
ALL = (("glass", True), ("paper", True))
GOOD = Known(
    cnpj="ZZTAXA01000102",
    on=TODAY,
    sizes={2026: "large"},
    covers=(COVER,),
    reports=(Delivered(2026, "Entidade", date(2027, 7, 1)), Delivered(2025, "Entidade", date(2026, 7, 1))),
    positions={2026: ALL, 2025: ALL},
)


def checks(known: Known) -> dict[str, Check]:
    assert REGULATION.orders is not None
    return {one.key: one for one in REGULATION.orders(REGULATION.law(known.on), known)}


def answer(known: Known) -> bool | None:
    return in_order(tuple(checks(known).values()))


def test_who_has_everything_is_in_order_whatever_the_licence() -> None:
    found = checks(GOOD)
    assert answer(GOOD) is True
    assert found["licence"].counts is False
    assert found["plan"].article == "Decreto MT 1.455/2025, art. 15, I; art. 18"
    assert {"plan", "term", "report/2026", "targets/2026", "targets/2025", "licence"} == set(found)


@pytest.mark.parametrize(
    ("changed", "key", "met"),
    [
        (replace(GOOD, covers=()), "plan", None),
        (replace(GOOD, covers=(), alone=True), "plan", True),
        (
            replace(GOOD, covers=(replace(COVER, end=date(2027, 8, 10)),)),
            "plan",
            True,
        ),  # within its thirty days
        (replace(GOOD, covers=(replace(COVER, end=date(2027, 3, 1)),)), "plan", False),
        (replace(GOOD, covers=(replace(COVER, term_ends=date(2027, 8, 10)),)), "term", True),
        (replace(GOOD, covers=(replace(COVER, term_ends=date(2027, 3, 1)),)), "term", False),
        (replace(GOOD, reports=(Delivered(2026, "Entidade", None),)), "report/2026", False),
        (replace(GOOD, reports=()), "report/2026", None),
        (replace(GOOD, positions={2026: (("glass", False), ("paper", None))}), "targets/2026", False),
        (replace(GOOD, positions={2026: (("glass", True), ("paper", None))}), "targets/2026", None),
        (replace(GOOD, positions={2026: ()}), "targets/2026", None),
    ],
)
def test_each_thing_that_is_asked(changed: Known, key: str, met: bool | None) -> None:
    assert checks(changed)[key].met is met
    assert answer(changed) is met


def test_a_lack_says_since_when() -> None:
    found = checks(replace(GOOD, reports=(Delivered(2026, "Entidade", None),)))["report/2026"]
    assert found.since == date(2027, 7, 31)  # 30 July 2027 is a Friday
    left = checks(replace(GOOD, covers=(replace(COVER, end=date(2027, 3, 10)),)))["plan"]
    assert left.since is not None
    assert left.since > date(2027, 4, 9), "thirty days first, and as many business days before it is a lack"
    assert left.until == date(2027, 4, 9)


def test_before_the_report_is_due_a_short_year_is_told_and_does_not_count() -> None:
    early = replace(
        GOOD, on=date(2027, 3, 15), positions={2026: (("glass", False),), 2025: ALL}, sizes={2026: "large"}
    )
    found = checks(early)
    assert (found["targets/2026"].met, found["targets/2026"].counts) == (None, False)
    assert "30/07/2027" in found["targets/2026"].found
    assert "report/2025" in found
    assert answer(early) is True


def test_a_report_due_on_a_day_off_is_in_time_until_the_next_business_day() -> None:
    sunday = replace(GOOD, on=date(2028, 7, 31), reports=(), positions={})  # 30 July 2028 is a Sunday
    assert "report/2026" in checks(sunday)
    assert "report/2027" in checks(replace(sunday, on=date(2028, 8, 1)))


def test_a_small_firm_owes_its_declaration_alone() -> None:
    small = replace(GOOD, sizes={2026: "me"}, covers=(), reports=(), positions={2026: (("glass", False),)})
    assert checks(small)["declaration/2026"].met is None
    assert "plan" not in checks(small)
    assert answer(replace(small, declared=frozenset({2026}))) is True


def test_what_the_agency_states_tells_only_what_was_unknown() -> None:
    said = {"plan": Stated(True, "Processo 12/2027", TODAY), "report/2026": Stated(False, "x", TODAY)}
    known = replace(GOOD, covers=(), stated=said)
    found = checks(known)
    assert found["plan"].met is True
    assert "Processo 12/2027" in found["plan"].found
    assert found["report/2026"].met is True, "what came in here stands"
    lacking = checks(replace(known, stated={"plan": Stated(False, "Não há processo", TODAY)}))["plan"]
    assert (lacking.met, lacking.since) == (False, TODAY)


def test_no_check_is_no_answer() -> None:
    assert in_order(()) is None
