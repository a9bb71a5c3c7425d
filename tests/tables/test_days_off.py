"""Days off by the acts that make them, and the fifth business day of a decade."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from lastro.lawkit import library
from lastro.tables.days_off import closed_days, days_off, easter

CUIABA = ("BR", "MT", "bank", "5103403")


@pytest.mark.parametrize(
    "day",
    ["2019-04-21", "2020-04-12", "2021-04-04", "2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28",
     "2038-04-25", "2049-04-18", "2057-04-22", "1954-04-18", "1981-04-19"],
)  # fmt: skip
def test_easter_of_known_years(day: str) -> None:
    assert easter(int(day[:4])) == date.fromisoformat(day)


def test_easter_is_a_sunday_of_march_or_april_in_every_year() -> None:
    for year in range(1900, 2200):
        found = easter(year)
        assert found.weekday() == 6
        assert date(year, 3, 22) <= found <= date(year, 4, 25)


def test_the_20th_of_november_is_the_states_before_it_is_the_countrys() -> None:
    assert date(2023, 11, 20) not in closed_days((2023,), scopes=("BR",))
    assert date(2023, 11, 20) in closed_days((2023,), scopes=("BR", "MT"))
    assert date(2024, 11, 20) in closed_days((2024,), scopes=("BR",))


def test_each_day_names_its_act() -> None:
    (birthday,) = days_off((2026,), scopes=("5103403",))
    assert (birthday.on, birthday.name) == (date(2026, 4, 8), "Aniversário de Cuiabá")
    assert all(one.basis for one in days_off((2026,), scopes=CUIABA))


# The fifth business day of April, July, October and the next January, by hand from printed calendars.
FIFTH = {
    2020: ("04-07", "07-07", "10-07", "01-08"),
    2021: ("04-09", "07-07", "10-07", "01-07"),
    2022: ("04-07", "07-07", "10-07", "01-06"),
    2023: ("04-10", "07-07", "10-06", "01-08"),
    2024: ("04-05", "07-05", "10-07", "01-08"),
    2025: ("04-07", "07-07", "10-07", "01-08"),
    2026: ("04-09", "07-07", "10-07", "01-08"),
    2027: ("04-07", "07-07", "10-07", "01-07"),
    2028: ("04-07", "07-07", "10-06", "01-08"),
    2029: ("04-06", "07-06", "10-05", "01-08"),
    2030: ("04-05", "07-05", "10-07", "01-08"),
}


@pytest.mark.parametrize("year", FIFTH)
def test_the_fifth_business_day_of_a_decade(year: int) -> None:
    regulation = library.find("mt/lei_11096_2020")
    law = regulation.law(date(2026, 1, 1))
    closed = closed_days((year, year + 1), scopes=CUIABA)
    found = [regulation.rules["due"](law, year=year, quarter=q, closed=closed) for q in (1, 2, 3, 4)]
    assert tuple(f"{day:%m-%d}" for day in found) == FIFTH[year]
    assert [day.year for day in found] == [year, year, year, year + 1]


def test_the_fifth_business_day_agrees_with_an_independent_calendar() -> None:
    holidays = pytest.importorskip("holidays")
    regulation = library.find("mt/lei_11096_2020")
    law = regulation.law(date(2026, 1, 1))
    for year in range(2020, 2031):
        theirs = set(holidays.country_holidays("BR", subdiv="MT", years=(year, year + 1)))
        theirs |= {date(y, 4, 8) for y in (year, year + 1)}  # the city's day, which the package does not know
        for quarter in (1, 2, 3, 4):
            mine = regulation.rules["due"](
                law, year=year, quarter=quarter, closed=closed_days((year, year + 1), scopes=CUIABA)
            )
            day, left = date(year + quarter // 4, quarter % 4 * 3 + 1, 1) - timedelta(days=1), 5
            while left:
                day += timedelta(days=1)
                left -= day.weekday() < 5 and day not in theirs
            assert mine == day
