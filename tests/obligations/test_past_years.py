"""A past year comes out as it did: the same facts and the parameters of its day give the same digest."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from hashlib import sha256

import pytest

from lastro.facts import Basis, CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material, Origin
from lastro.lawkit import Regulation, library
from lastro.obligations import settle
from lastro.units import Mass


@pytest.fixture
def decree() -> Regulation:
    return library.find("mt/decreto_1455_2025")


def company(year: int) -> CompanyFacts:
    placed = tuple(Placement(year - 1, m, "MT", Mass.kg("100000")) for m in (Material.GLASS, Material.PAPER))
    retired = tuple(
        Retired(year, m, "MT", "", Origin.PICKER_ENTITY, Mass.kg("25000"))
        for m in (Material.GLASS, Material.PAPER)
    )
    return CompanyFacts("ZZPASS01", "large", "individual", placed, retired)


def row(material: str, year: int, share: str, loaded: str) -> TargetRow:
    return TargetRow(
        "embalagens_em_geral", material, year, share, "tabela", Basis.OFFICIAL, date.fromisoformat(loaded)
    )


def digest(decree: Regulation, year: int, targets: list[TargetRow], as_of: str) -> str:
    positions = settle(decree, company(year), year=year, targets=targets, as_of=date.fromisoformat(as_of))
    told = json.dumps([p.json(explain=True) for p in positions], sort_keys=True, ensure_ascii=False)
    return sha256(told.encode()).hexdigest()


FIRST = [row("glass", 2026, "25%", "2026-06-01"), row("paper", 2026, "25%", "2026-06-01")]


def test_settled_again_as_of_its_day_a_year_gives_the_same_digest(decree: Regulation) -> None:
    then = digest(decree, 2026, FIRST, "2027-01-15")
    later = [*FIRST, row("glass", 2026, "30%", "2028-03-01"), row("glass", 2027, "31%", "2028-03-01")]
    assert digest(decree, 2026, later, "2027-01-15") == then
    assert digest(decree, 2026, later[::-1], "2027-01-15") == then


def test_a_table_that_is_loaded_changes_only_what_its_dates_reach(decree: Regulation) -> None:
    later = [*FIRST, row("glass", 2026, "30%", "2028-03-01"), row("paper", 2027, "31%", "2028-03-01")]

    def met(targets: list[TargetRow]) -> dict[str, bool | None]:
        found = settle(decree, company(2026), year=2026, targets=targets, as_of=date(2028, 4, 1))
        return {p.material: p.met for p in found}

    assert met(FIRST) == {"glass": True, "paper": True}
    assert met(later) == {"glass": False, "paper": True}


def test_a_day_before_the_decree_answers_nothing(decree: Regulation) -> None:
    (glass, _) = settle(decree, company(2024), year=2024, targets=FIRST, as_of=date(2027, 1, 1))
    assert (glass.obligation, glass.met, glass.code) == (None, None, "T01")


def test_without_explanation_the_numbers_are_the_same(decree: Regulation) -> None:
    told = settle(decree, company(2026), year=2026, targets=FIRST, as_of=date(2027, 1, 15))
    quick = settle(decree, company(2026), year=2026, targets=FIRST, as_of=date(2027, 1, 15), explain=False)
    empty = told[0].trace
    assert [replace(p, trace=empty) for p in told] == [replace(p, trace=empty) for p in quick]
    assert told[0].trace.children
    assert not any(child.children for child in quick[0].trace.children)
