"""A value is the one at the latest date not after the day asked; what is not there says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.errors import LastroError, NotInForce, TextMissing
from lastro.lawkit import Regulation, library
from lastro.lawkit.parameters import Entry, MonthDay, Parameter
from lastro.units import Share

Invent = Callable[..., Regulation]


@pytest.mark.parametrize(
    ("day", "rate"),
    [
        (date(2020, 1, 2), "10%"),
        (date(2020, 12, 31), "10%"),
        (date(2021, 1, 1), "20%"),
        (date(2021, 12, 31), "20%"),
    ],
)
def test_the_value_in_force_is_the_latest_not_after_the_day(invent: Invent, day: date, rate: str) -> None:
    assert invent().law(day).rate == Share.parse(rate)


def test_before_the_first_date_it_was_not_in_force(invent: Invent) -> None:
    with pytest.raises(NotInForce, match="não estava em vigor em 01/01/2020"):
        _ = invent().law(date(2020, 1, 1)).rate


def test_a_revoked_value_says_by_what(invent: Invent) -> None:
    with pytest.raises(NotInForce, match=r"revogado desde 01/01/2022 \(Norma 3/2021\)"):
        _ = invent().law(date(2022, 6, 1)).rate


def test_a_missing_value_is_never_zero(invent: Invent) -> None:
    with pytest.raises(TextMissing, match=r"não carregada \(o anexo se perdeu; Norma 1/2020, art\. 1º"):
        _ = invent().law(date(2023, 6, 1)).rate


def test_a_name_that_is_no_parameter_is_a_programmers_mistake(invent: Invent) -> None:
    with pytest.raises(AttributeError, match="no parameter 'rat'"):
        _ = invent().law(date(2021, 1, 1)).rat


@pytest.mark.parametrize(
    "entry",
    [
        '{ is = "10%" }',
        '{ provision = "art1" }',
        '{ is = "10%", missing = "x", provision = "art1" }',
        '{ is = "10%", provision = "art1", cite = "y" }',
        '{ is = "10", provision = "art1" }',
        "{ is = 0.1, provision = 'art1' }",
    ],
)
def test_a_badly_written_entry_is_named(invent: Invent, entry: str) -> None:
    written = f'[rate]\nlabel = "x"\nunit = "share"\nsince.2020-01-02 = {entry}\n'
    with pytest.raises(LastroError, match=r"parameters.toml, \[rate\]"):
        invent(parameters=written).law(date(2021, 1, 1))


@settings(deadline=None)
@given(
    days=st.sets(st.dates(date(2000, 1, 1), date(2040, 1, 1)), min_size=1, max_size=8),
    asked=st.dates(date(1999, 1, 1), date(2041, 1, 1)),
)
def test_the_entry_of_a_day_is_always_the_latest_before_it(days: set[date], asked: date) -> None:
    entries = tuple(Entry(day, day, "", False, ("art1",), "") for day in sorted(days))
    entry = Parameter("x", "x", "text", entries).on(asked)
    before = [day for day in days if day <= asked]
    assert (entry.since if entry else None) == max(before, default=None)


def test_a_day_of_every_year() -> None:
    assert MonthDay.parse("07-30").of(2027) == date(2027, 7, 30)
    assert str(MonthDay.parse("07-30")) == "30/07"
    with pytest.raises(ValueError, match="day"):
        MonthDay.parse("02-31")


@pytest.mark.parametrize("regulation", library.every(), ids=lambda r: r.norm.path)
def test_no_norm_speaks_before_it_is_in_force(regulation: Regulation) -> None:
    from lastro.lawkit.parameters import flat, load

    first = [p.entries[0].since for p in flat(load(regulation.norm.package))]
    assert min(first) >= regulation.norm.in_force_since
