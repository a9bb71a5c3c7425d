"""The quarters of the calendar."""

from __future__ import annotations

from datetime import date, timedelta

MONTHS = 3


def quarter_of(day: date) -> int:
    """The quarter that a day falls in, from 1 to 4."""
    return (day.month - 1) // MONTHS + 1


def quarter_start(year: int, quarter: int) -> date:
    """The first day of a quarter; quarters beyond the fourth are those of the years that follow."""
    months = (quarter - 1) * MONTHS
    return date(year + months // 12, months % 12 + 1, 1)


def quarter_end(year: int, quarter: int) -> date:
    """The last day of a quarter."""
    return quarter_start(year, quarter + 1) - timedelta(days=1)
