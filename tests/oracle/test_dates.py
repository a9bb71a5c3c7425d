"""The deadlines and terms of the five norms, counted once more from their words."""

from __future__ import annotations

from datetime import date, timedelta

from lastro.lawkit import library
from lastro.tables.days_off import closed_days
from tests.oracle import days
from tests.oracle.draws import day, rounds

MT = library.find("mt/decreto_1455_2025")
FEE = library.find("mt/lei_11096_2020")
ELECTRONICS = library.find("br/decreto_10240_2020")
METAL = library.find("br/minuta_metal_2022")
ASKED = date(2026, 11, 30)
FIRST, LAST = date(2020, 4, 1), date(2040, 12, 31)


def cuiaba(one: date) -> bool:
    """Closed in Cuiabá's offices and banks: the country's days, the banks', and the city's own 8 April."""
    return days.national(one) or days.bank(one) or (one.month, one.day) in ((4, 8), (11, 20))


def test_decreto_mt_1455() -> None:
    rule, law = MT.rules, MT.law(ASKED)
    for seed, rng in rounds("dates mt"):
        on = day(rng, date(2025, 6, 1), LAST)
        assert rule["new_plan_due"](law, ended_on=on) == on + timedelta(days=30), seed
        assert rule["term_plan_due"](law, ended_on=on, continued=False) == on + timedelta(days=30), seed
        assert rule["term_plan_due"](law, ended_on=on, continued=True) is None, seed
        closed = closed_days((on.year, on.year + 1), scopes=("BR", "MT", "bank", "5103403"))
        breach = rule["breach_after"](law, ended_on=on, closed=closed)
        assert breach == days.working_days_after(on, 30, cuiaba), seed
        assert rule["vetting_last_day"](law, vetted_on=on) == days.years_on(on, 1), seed
        assert rule["certificate_last_day"](law, issued_on=on) == days.next_year(on), seed
        assert rule["keep_until"](law, issued_on=on) == days.years_on(on, 5), seed
        assert rule["last_purchase_day"](law, year=on.year) == date(on.year + 1, 12, 31), seed


def test_lei_mt_11096() -> None:
    rule, law = FEE.rules, FEE.law(ASKED)
    for seed, rng in rounds("dates fee"):
        on = day(rng, date(2019, 1, 1), LAST)
        wanted = date(2020, 11, 30) if on < date(2020, 3, 19) else on + timedelta(days=30)
        assert rule["registration_due"](law, active_since=on) == wanted, seed
        assert rule["report_due"](law, year=on.year) == date(on.year + 1, 3, 31), seed


def test_decreto_10240() -> None:
    rule, law = ELECTRONICS.rules, ELECTRONICS.law(ASKED)
    assert rule["governance_due"](law) == date(2020, 2, 13) + timedelta(days=180)
    for seed, rng in rounds("dates electronics"):
        on = day(rng, FIRST, LAST)
        assert rule["phase"](law, on=on) == (1 if on <= date(2020, 12, 31) else 2), seed
        assert rule["meeting_due"](law, last=on) == on + timedelta(days=180), seed
        assert rule["report_due"](law, year=on.year) == date(on.year + 1, 3, 31), seed
        assert rule["plan_review"](law, last=on) == days.years_on(on, 2), seed


def test_metal_draft() -> None:
    rule, law = METAL.rules, METAL.law(ASKED)
    for seed, rng in rounds("dates metal"):
        on, extra = day(rng, FIRST, LAST), rng.randint(0, 8)
        assert rule["manual_due"](law, published=on) == on + timedelta(days=120), seed
        assert rule["meeting_due"](law, last=on) == on + timedelta(days=180), seed
        assert rule["results_due"](law, year=on.year) == date(on.year + 1, 3, 1), seed
        assert rule["report_due"](law, year=on.year) == date(on.year + 1, 3, 31), seed
        assert rule["plan_review"](law, last=on) == days.years_on(on, 2), seed
        last = days.next_year(on) - timedelta(days=1)
        assert rule["consolidation_due"](law, start=on) == last, seed
        assert rule["keep_until"](law, on=on, agency_years=extra) == days.years_on(on, max(5, extra)), seed
        year = on.year + rng.randint(-1, 2)
        assert rule["in_window"](law, issued_on=on, year=year) == (on.year in (year, year - 1)), seed
        assert rule["revision_due"](law, last_year=on.year) == date(on.year, 1, 1) - timedelta(days=180), seed
