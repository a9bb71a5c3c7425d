"""The days on which nobody works, and the dates counted in working days: plain calendar arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

ONE = timedelta(days=1)


def easter(year: int) -> date:
    """Easter Sunday of a year, by the Gregorian computus."""
    golden = year % 19
    century, rest = divmod(year, 100)
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    slip = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * slip + 114, 31)
    return date(year, month, day + 1)


def national(day: date) -> bool:
    """Is this a day off all over the country? Good Friday counts: banks and offices close everywhere."""
    fixed = {(1, 1), (4, 21), (5, 1), (9, 7), (10, 12), (11, 2), (11, 15), (12, 25)}
    if (day.month, day.day) in fixed or day == easter(day.year) - 2 * ONE:
        return True
    return (day.month, day.day) == (11, 20) and day.year >= 2024


def bank(day: date) -> bool:
    """Is this a day on which banks stay shut though no holiday of the country stands on it?"""
    sunday = easter(day.year)
    return day in (sunday - 48 * ONE, sunday - 47 * ONE, sunday + 60 * ONE)


def working(day: date, closed: Callable[[date], bool]) -> bool:
    return day.weekday() < 5 and not closed(day)


def nth_working_day(year: int, month: int, nth: int, closed: Callable[[date], bool]) -> date:
    """The nth working day of a month."""
    day = date(year, month, 1)
    while True:
        nth -= working(day, closed)
        if nth == 0:
            return day
        day += ONE


def last_working_day(year: int, month: int, closed: Callable[[date], bool]) -> date:
    """The last working day of a month."""
    day = date(year + month // 12, month % 12 + 1, 1) - ONE
    while not working(day, closed):
        day -= ONE
    return day


def after_quarter(year: int, quarter: int) -> tuple[int, int]:
    """Year and month of the month that follows a quarter."""
    return (year + 1, 1) if quarter == 4 else (year, 3 * quarter + 1)


def next_year(day: date) -> date:
    """The same day of the next year; if there is none, the day after it (Civil Code, art. 132, par. 3)."""
    if (day.month, day.day) == (2, 29):
        return date(day.year + 1, 3, 1)
    return day.replace(year=day.year + 1)


def years_on(day: date, years: int) -> date:
    """The same day some years later, by the same rule of the Civil Code."""
    if (day.month, day.day) == (2, 29) and not _leap(day.year + years):
        return date(day.year + years, 3, 1)
    return day.replace(year=day.year + years)


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def working_days_after(day: date, number: int, closed: Callable[[date], bool]) -> date:
    """The working day that is so many after a day, of which that day is not one."""
    while number:
        day += ONE
        number -= working(day, closed)
    return day
