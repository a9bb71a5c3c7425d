"""Drawing what is checked by hand: the same for everybody, nobody left out, and errors projected exactly."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.ids import Material
from lastro.reports.sampling import (
    CERTAIN,
    Checked,
    Unit,
    draw,
    evaluate,
    from_json,
    size_for,
    threshold_for,
    to_json,
)
from lastro.units import Mass

OPERATORS = ("ZZAAAAAA000100", "ZZBBBBBB000100", "ZZCCCCCC000100")


def unit(number: int, mg: int, *, operator: int = 0, material: Material = Material.GLASS) -> Unit:
    return Unit(f"{number:044d}", 1, OPERATORS[operator], material, Mass(mg))


UNITS = st.lists(
    st.tuples(st.integers(1, 10**10), st.integers(0, 2), st.sampled_from(list(Material))), max_size=120
).map(lambda rows: [unit(n, mg, operator=who, material=what) for n, (mg, who, what) in enumerate(rows, 1)])


@pytest.mark.parametrize(
    ("units", "size"),
    [(0, 0), (1, 1), (2, 2), (8, 2), (9, 3), (15, 3), (16, 5), (90, 13), (91, 20), (1200, 80), (1201, 125),
     (500_000, 800), (500_001, 1250)],
)  # fmt: skip
def test_the_size_is_that_of_the_published_table(units: int, size: int) -> None:
    assert size_for(units) == size


@given(UNITS, st.text(max_size=12))
def test_a_draw_is_a_function_of_the_set_and_the_seed(units: list[Unit], seed: str) -> None:
    plan = draw(units, seed=seed)
    assert draw(reversed(units), seed=seed) == plan
    assert from_json(to_json(plan)) == plan


@given(UNITS)
def test_every_stratum_is_looked_at_and_every_heavy_item(units: list[Unit]) -> None:
    plan = draw(units, seed="s")
    least = threshold_for(units)
    looked_at = {one.unit.item for one in plan.drawn}
    assert len(looked_at) == len(plan.drawn) <= len(units)
    assert {one.item for one in units if one.mass >= least} <= looked_at
    assert plan.units == len(units)
    assert plan.mass.mg == sum(one.mass.mg for one in units)
    groups = {one.group for one in units if one.mass < least}
    assert {one.name for one in plan.strata if one.name != CERTAIN} == groups
    for stratum in plan.strata:
        mine = [one for one in plan.drawn if one.stratum == stratum.name]
        assert 1 <= len(mine) == stratum.size <= stratum.units
    light = [one for one in units if one.mass < least]
    drawn = sum(one.size for one in plan.strata if one.name != CERTAIN)
    assert drawn == max(size_for(len(light)), len(groups))


def test_anybody_may_draw_it_again_with_a_plain_tool() -> None:
    """The smallest SHA-256 of seed/key/line: told in the method, computed here without the code."""
    units = [unit(n, 1000) for n in range(1, 31)]
    plan = draw(units, seed="2026", threshold=Mass(10_000))
    ranked = sorted(units, key=lambda one: sha256(f"2026/{one.access_key}/1".encode()).hexdigest())
    assert {one.unit for one in plan.drawn} == set(ranked[:8])


def test_more_is_drawn_where_more_mass_is() -> None:
    heavy = [unit(n, 9_000, operator=0) for n in range(1, 41)]
    light = [unit(n, 1_000, operator=1) for n in range(41, 81)]
    plan = draw([*heavy, *light], seed="x", threshold=Mass(10**9))
    sizes = {one.name: one.size for one in plan.strata}
    assert sizes == {heavy[0].group: 11, light[0].group: 2}


def test_errors_are_projected_exactly_by_stratum_and_only_what_is_too_much() -> None:
    units = [unit(n, 1_000, operator=n % 2) for n in range(1, 11)] + [unit(11, 50_000)]
    plan = draw(units, seed="x", threshold=Mass(50_000))
    checks = {one.unit.item: Checked(one.unit.mass, "ok", "a", "2027-01-01") for one in plan.drawn}
    drawn = [one for one in plan.drawn if one.stratum != CERTAIN]
    checks[drawn[0].unit.item] = Checked(Mass(700), "faltam 300 mg", "a", "2027-01-01")
    checks[drawn[1].unit.item] = Checked(Mass(1_900), "pesava mais", "a", "2027-01-01")
    result = evaluate(plan, checks)
    of = next(row for row in result.rows if row.stratum.name == drawn[0].stratum)
    assert result.complete
    assert result.wrong == 2
    assert of.projected_mg == Fraction(300 * of.stratum.mass.mg, of.checked_mass.mg)
    assert result.projected_mg == of.projected_mg
    assert result.rate == of.projected_mg / 60_000


def test_an_error_in_a_heavy_item_is_told_as_it_is() -> None:
    units = [unit(1, 50_000), unit(2, 50_000), *(unit(n, 10) for n in range(3, 9))]
    plan = draw(units, seed="x", threshold=Mass(50_000))
    checks = {one.unit.item: Checked(one.unit.mass, "ok", "a", "2027-01-01") for one in plan.drawn}
    checks[units[0].item] = Checked(Mass(0), "sem lastro", "a", "2027-01-01")
    assert evaluate(plan, checks).projected_mg == 50_000


def test_nothing_is_projected_before_all_is_looked_at() -> None:
    plan = draw([unit(n, 1_000) for n in range(1, 31)], seed="x")
    result = evaluate(plan, {})
    assert result.projected_mg is None
    assert result.rate is None
    assert not result.complete
