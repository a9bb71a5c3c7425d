"""Sealed rows and their totals: equal to the plain ones, and each company finds its own row in them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.blackbox.seal import ROW_BYTES, Box, Row, Unreadable, open_box, public_of, seal
from lastro.blackbox.totals import (
    ALL,
    FEW,
    UNKNOWN,
    Sealed,
    fees,
    open_all,
    sign,
    signed,
    statement,
    sums,
    uncounted,
)
from lastro.errors import LastroError
from lastro.facts import Placement
from lastro.ids import Material
from lastro.units import Mass, Money

KEY, OTHER = bytes(31) + b"\x07", bytes(31) + b"\x09"
VERIFIER = "verificador"


def _row(company: str, mg: int, *, material: Material = Material.GLASS, returnable: int = 0) -> Row:
    placed = Placement(2026, material, "MT", Mass(mg), Mass(returnable))
    return Row(company, placed, company.encode().hex().ljust(64, "0"))


def _box(row: Row, key: bytes = KEY) -> Box:
    return seal(row, verifier=VERIFIER, public=public_of(key))


def _sealed(*rows: Row, version: int = 1, key: bytes = KEY) -> Sealed:
    return Sealed(rows[0].company, 2026, version, tuple(_box(row, key) for row in rows))


def test_only_the_key_opens_a_box_and_all_boxes_look_alike() -> None:
    small, large = _row("ZZ000001", 1), _row("ZZ000002", 10**17, returnable=10**16)
    assert open_box(_box(large), KEY) == large
    with pytest.raises(Unreadable):
        open_box(_box(large), OTHER)
    assert len(small.plain()) == len(large.plain()) == ROW_BYTES
    assert len(_box(small).sealed) == len(_box(large).sealed)
    told = json.dumps(_box(large).to_json())
    assert str(10**17) not in told
    assert "glass" not in told


@pytest.mark.parametrize(
    "change",
    [{"company": "ZZ000009"}, {"year": 2025}, {"verifier": "outro"}, {"commitment": "ab" * 32}],
)
def test_what_is_outside_is_bound_to_what_is_inside(change: dict[str, object]) -> None:
    with pytest.raises(Unreadable):
        open_box(replace(_box(_row("ZZ000001", 5)), **change), KEY)  # type: ignore[arg-type]


def test_a_box_says_nothing_more_than_a_box() -> None:
    told = _box(_row("ZZ000001", 5)).to_json()
    assert Box.of_json(told).to_json() == told
    for bent in ({**told, "mass_mg": "5"}, {**told, "sealed": ""}, {**told, "format": "x"}, [], None):
        with pytest.raises(ValueError, match="box"):
            Box.of_json(bent)


_MASSES = st.lists(st.integers(0, 10**15), min_size=3, max_size=9)


@settings(max_examples=25, deadline=None)
@given(_MASSES)
def test_totals_are_the_plain_ones_to_the_milligram(masses: list[int]) -> None:
    rows = [_row(f"ZZ{n:06}", mg, returnable=mg // 3) for n, mg in enumerate(masses)]
    opened = open_all([_sealed(row) for row in rows], KEY, verifier=VERIFIER)
    assert opened == rows
    for one in sums(opened, group_of=lambda _: ALL):
        plain = sum(masses) if one.kind == "placed" else sum(mg // 3 for mg in masses)
        assert one.mass in (None, Mass(plain))
        assert (one.mass is None) == (one.why == FEW)
        assert one.companies == sum(1 for mg in masses if (mg if one.kind == "placed" else mg // 3))


def test_a_group_of_one_is_not_told_nor_what_would_tell_it() -> None:
    rows = [_row(f"ZZ{n:06}", 100_000_000 * n) for n in (1, 2, 3, 3, 2, 2, 2)]
    rows = [replace(row, company=f"ZZ{n:06}") for n, row in enumerate(rows)]
    group = {"ZZ000000": "um"}
    told = sums(rows, group_of=lambda who: group.get(who, "muitos"))
    placed = {one.group: one.mass for one in told if one.kind == "placed"}
    assert placed == {ALL: Mass(1_500_000_000), "um": None, "muitos": None}
    paid = fees(told, per_tonne={"glass": Money(10_050)})
    assert paid["fee", "glass", "MT", ALL] == Money(15_075), "1.5 t at R$ 100.50"
    assert paid["fee", "glass", "MT", "um"] is None


def test_what_is_owed_is_summed_company_by_company_and_missing_is_not_zero() -> None:
    rows = [_row(f"ZZ{n:06}", 1_000 + n) for n in range(4)]
    owed = sums(
        rows, group_of=lambda _: ALL, owes=lambda _, placed: {"glass": Mass(-(-placed[0].mass.mg // 3))}
    )
    assert [one.mass for one in owed if one.kind == "owed"] == [Mass(334 + 334 + 334 + 335)]
    lacks = sums(
        rows, group_of=lambda _: ALL, owes=lambda who, _: {"glass": None if who[-1] == "0" else Mass(9)}
    )
    assert [(one.mass, one.why) for one in lacks if one.kind == "owed"] == [(None, UNKNOWN)]


def test_the_latest_version_stands_and_one_version_says_one_thing() -> None:
    old, new = _sealed(_row("ZZ000001", 5)), _sealed(_row("ZZ000001", 6), version=2)
    assert [r.placement.mass for r in open_all([new, old], KEY, verifier=VERIFIER)] == [Mass(6)]
    with pytest.raises(LastroError, match="versão 1"):
        open_all([old, _sealed(_row("ZZ000001", 7))], KEY, verifier=VERIFIER)
    with pytest.raises(LastroError, match="não abre"):
        open_all([_sealed(_row("ZZ000001", 5), key=OTHER)], KEY, verifier=VERIFIER)
    with pytest.raises(LastroError, match="duas vezes"):
        open_all([_sealed(_row("ZZ000001", 5), _row("ZZ000001", 6))], KEY, verifier=VERIFIER)


def test_each_finds_its_own_row_in_what_the_verifier_signed() -> None:
    from lastro.hub.words import public_of as signs

    rows = [_row(f"ZZ{n:06}", 10 + n) for n in range(3)]
    told = sums(rows[:2], group_of=lambda _: ALL)
    paper = sign(statement(rows[:2], told, verifier=VERIFIER, year=2026, missing=["ZZ000002"]), KEY)
    said = signed(json.loads(json.dumps(paper)), public=signs(KEY).hex())
    assert uncounted(rows[:2], said) == []
    assert uncounted(rows, said) == [rows[2]]
    assert said["missing"] == ["ZZ000002"]
    assert all(one["mass_mg"] is None for one in said["sums"]), "two are too few"
    with pytest.raises(LastroError, match="assinados"):
        signed({**paper, "said": {**paper["said"], "missing": []}}, public=signs(KEY).hex())
