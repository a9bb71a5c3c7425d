"""The worked figures of the five texts, by hand: the second opinion must get them right before it is used."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from tests.oracle import days, el, me, mg, mt, tf

T = 10**9
PCT = Fraction(1, 100)


def test_target_and_returnables_of_mato_grosso() -> None:
    assert mt.target(25 * PCT, 200_000_000_000) == 50_000_000_000
    assert mt.rate_after(32 * PCT, 46 * T, 200 * T) == 28 * PCT
    assert mt.target(mt.rate_after(32 * PCT, 46 * T, 200 * T), 154 * T) == Fraction("43.12") * T
    assert mt.rate_after(32 * PCT, 95, 100) == 16 * PCT
    assert mt.discount(32 * PCT, 499, 10_000, certificates=False, tyre_plan=False) == 0
    assert mt.rate_after(32 * PCT, 23, 100, certificates=True) == 32 * PCT
    assert mt.attained(None, Fraction(1)) is None
    assert mt.attained(0, Fraction(0)) is True


def test_window_halves_and_towns_of_mato_grosso() -> None:
    issued = [(date(2025, 12, 31), 10), (date(2026, 1, 1), 7), (date(2026, 12, 31), 5), (date(2027, 1, 2), 9)]
    notes = [mt.Note(day, "metal", mass * T) for day, mass in issued]
    assert mt.counted([*notes, mt.Note(date(2026, 5, 5), "metal", T, aerosol=True)], 2026) == {
        "metal": 12 * T
    }
    targets = {"glass": Fraction(30), "paper": Fraction(60)}
    assert mt.structuring({"glass": 15, "paper": 80}, targets, partnership=True)
    assert not mt.structuring({"glass": 14, "paper": 100}, targets, partnership=True)
    assert not mt.structuring({"glass": 15, "paper": 80}, targets, partnership=False)
    people = [100_000] * 6 + [99_999, 60_000] * 3 + [59_999] * 130
    wanted = mt.towns_wanted(30 * PCT, people)
    assert wanted == {Fraction(1): 2, Fraction(4, 5): 2, Fraction(3, 5): 24}
    assert mt.by_icms(12_500_000, Fraction(32, 1000)) == 400_000


def test_sources_certificates_and_dates_of_mato_grosso() -> None:
    table, term = mt.Source("table", 25 * PCT), mt.Source("term", 20 * PCT, justified=True)
    assert mt.resolve([table, term], adherent=True) == 20 * PCT
    assert mt.resolve([table, term], adherent=False) == 25 * PCT
    assert mt.resolve([table, term, mt.Source("stricter_law", 22 * PCT)], adherent=True) == 22 * PCT
    assert mt.resolve([], adherent=True) is None
    year = {"year": 2026, "notes": [date(2026, 3, 1)], "issued": date(2027, 2, 1), "used": date(2027, 12, 1)}
    assert mt.certificate_counts(**year, bought=date(2027, 11, 20))  # type: ignore[arg-type]
    assert not mt.certificate_counts(**year, bought=date(2028, 1, 1))  # type: ignore[arg-type]
    assert not mt.term_binds(date(2025, 5, 26))
    assert mt.term_binds(date(2025, 5, 27))
    assert mt.from_recycler(100, 40) == 60
    assert mt.compensation(12 * T, 150_00) == 1_800_00


def test_the_quarter_of_minas() -> None:
    k = {"paper": Fraction(1), "plastic": Fraction(3, 2), "metal": Fraction(1, 2), "glass": Fraction(2)}
    a = mg.Claim("A", {"paper": 10 * T, "plastic": 4 * T, "metal": 2 * T, "glass": 3 * T})
    b = mg.Claim("B", {"paper": 20 * T, "plastic": 2 * T, "metal": 10 * T, "glass": T})
    assert (mg.points(a, k), mg.points(b, k)) == (23, 30)
    assert mg.by_weight(100_000_00, [a, b], k) == {"A": 43_396_23, "B": 56_603_77}
    assert mg.by_price(100_000_00, [a, b], k) == {"A": 23_00, "B": 30_00}
    assert mg.by_weight(100, [mg.Claim("A", {"paper": 0})], k) == {"A": 0}
    assert mg.to_pickers(43_396_23) == 39_056_61
    assert mg.quarter_floor(3_000_000_00) == 750_000_00
    assert mg.new_k_from(date(2026, 2, 10)) == date(2026, 10, 1) == mg.new_k_from(date(2026, 1, 1))
    assert mg.proofs_due(2026, 1) == date(2026, 4, 30)
    assert mg.proofs_due(2026, 3, listed=[date(2026, 10, 30)]) == date(2026, 10, 29)
    assert mg.proofs_due(2026, 4) == date(2027, 1, 29)
    assert mg.transfer_due(date(2026, 11, 30)) == date(2027, 2, 28)


def test_the_fee_of_mato_grosso() -> None:
    assert tf.fee([12, 16], "large") == 1391_21
    assert tf.fee([1], "medium") == 695_61
    assert tf.fee([16, 21], "large") == 1391_21
    assert tf.fee([21, 22], "large") is None
    assert tf.fee([16], tf.size(13_000_000_00, complementary_law=False, individual=True)) is None
    assert tf.municipal_credit(695_61, 300_00, recognised=True, agreement=True) == 173_90
    assert tf.federal_offset(1159_35, state=521_71, city=300_00) == 695_61
    due = date(2026, 4, 9)
    assert tf.due(2026, 1) == due
    assert tf.due(2026, 2) == date(2026, 7, 7)
    fines = [tf.late_fine(695_61, due, date.fromordinal(due.toordinal() + late)) for late in (10, 60, 61)]
    assert fines == [23_16, 138_98, 139_12]
    assert tf.additions(695_61, due, date(2026, 4, 19), selic={}) == (23_16, 0)
    assert tf.additions(695_61, due, date(2026, 5, 4), selic={(2026, 5): PCT})[1] == 6_96
    assert tf.additions(695_61, due, date(2026, 5, 4), selic={})[1] is None
    assert tf.noticed_fine(695_61, date(2026, 6, 1), date(2026, 6, 1)) == 139_12
    assert tf.noticed_fine(695_61, date(2026, 6, 2), date(2026, 6, 1)) == 173_90
    assert tf.report_fine("small", 250_00, first_quarter_fee=347_80) == 34_78


@pytest.mark.parametrize(
    ("revenue", "wanted"),
    [(360_000_00, "micro"), (360_000_01, "small"), (4_800_000_01, "medium"), (12_000_000_01, "large")],
)
def test_size_by_revenue(revenue: int, wanted: str) -> None:
    assert tf.size(revenue, complementary_law=True) == wanted


def test_electronics() -> None:
    kinds = [(150_000, 100_000), (210_000, 50_000)]
    assert el.base(kinds) == 25_500_000_000
    assert el.equivalent(kinds, 1_000) == 170_000_000
    assert el.target(2025, [400 * T, 200 * T]) == 102 * T
    assert el.target(2026, [T]) is None
    assert [el.points(people) for people in (60_000, 10_000, 25_000, 25_001)] == [3, 1, 1, 2]
    assert el.cost_share(500_000_00, 60, 1_000) == 30_000_00
    assert el.equalised({"a": 600, "b": 400}, {"a": 700, "b": 300}) == {"a": 100, "b": -100}
    years = el.run({2024: 130, 2025: 160}, {2024: Fraction(120), 2025: Fraction(175)}, 7)
    assert years[2024] == el.Year(True, Fraction(0), Fraction(17))
    assert years[2025] == el.Year(True, Fraction(15), Fraction(2))


INDEX = {"N": 4 * PCT, "NE": 11 * PCT, "CO": 5 * PCT, "SE": 22 * PCT, "S": 8 * PCT}
PLACED = {"NE": 150, "CO": 60, "SE": 600, "S": 190}


def made(recovered: dict[str, int]) -> me.Company:
    return me.Company(PLACED, recovered, {"SE": Fraction(40)}, {"CO": "S"})


def test_metal_by_region() -> None:
    half = Fraction(1, 2)
    failed = me.judge(made({"NE": 120, "CO": 28, "SE": 300, "S": 110}), INDEX, half)
    assert dict(failed.regional) == {"N": 0, "NE": 110, "CO": 30, "SE": 260, "S": 100}
    assert (failed.met, failed.surplus) == (False, 0)
    good = me.judge(made({"NE": 110, "CO": 30, "SE": 268, "S": 110}), INDEX, half)
    assert (good.met, good.surplus) == (True, 18)
    assert me.next_target(Fraction(51, 100), 1000, good.surplus) == 492
    reverted = me.judge(made({"NE": 110, "CO": 30, "SE": 250, "S": 100}), INDEX, half)
    assert not reverted.elections_stand
    assert reverted.regional["CO"] == 50
    with pytest.raises(me.Refused):
        me.judge(me.Company(PLACED, {}), INDEX, half)


def test_metal_first_year_and_points() -> None:
    start = me.phase_two(date(2023, 1, 16))
    assert start == date(2023, 7, 16)
    assert me.first_year(Fraction(1), start, me.CAPS["aluminium"][0]) == 95 * PCT * Fraction(5, 12)
    assert me.first_year(Fraction(1), start, me.CAPS["steel"][1]) == Fraction(875, 10_000)
    assert me.first_year(Fraction(1), date(2023, 12, 2)) is None
    assert me.full_months(date(2023, 7, 1)) == 6
    assert [me.points(people) for people in (45_000, 10_000, 10_001)] == [5, 1, 2]
    assert me.content(450, 600) == 75 * PCT


def test_easter() -> None:
    assert [days.easter(year) for year in (2024, 2025, 2026)] == [
        date(2024, 3, 31),
        date(2025, 4, 20),
        date(2026, 4, 5),
    ]
