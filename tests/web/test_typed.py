"""Numbers as people type them."""

from __future__ import annotations

import pytest

from lastro.web.typed import counting, mass, money, plain, year


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        *(("1.355,90", "1355.90"), ("1355,9", "1355.9"), ("1.355", "1355"), (" 12 ", "12")),
        *(("0,001", "0.001"), ("999.999.999", "999999999")),
    ],
)
def test_what_is_typed_the_brazilian_way_is_read(typed: str, read: str) -> None:
    assert plain(typed) == read


@pytest.mark.parametrize("typed", ["1355.90", "1.35,9", "1,355.90", "1e3", "-5", "", "cem", "١٢", "1,", ",5"])
def test_nothing_else_is_guessed(typed: str) -> None:
    with pytest.raises(ValueError, match="Brazil"):
        plain(typed)


@pytest.mark.parametrize("typed", ["²", "99999999999", "26", "", "1999", "2101", "٢٠٢٦", "2026.0", "-2026"])
def test_no_other_text_is_a_year(typed: str) -> None:
    assert year(typed) is None


def test_a_year_and_a_count_are_read() -> None:
    assert year(" 2026 ") == 2026
    assert counting("7") == 7
    assert [counting(text) for text in ("²", "1" * 10, "", "-1")] == [None] * 4


@pytest.mark.parametrize("typed", ["0", "1000000000000,000001", "9" * 5000, "0,0000001", "", "cem"])
def test_a_mass_is_above_zero_and_one_that_the_ledger_holds(typed: str) -> None:
    with pytest.raises(ValueError, match="massa"):
        mass(typed)


def test_a_mass_that_reads_two_ways_is_not_guessed() -> None:
    with pytest.raises(ValueError, match="escreva 1355 se são milhares, ou 1,355"):
        mass(" 1.355 ")
    assert [mass(text).mg for text in ("1355", "1.355,0", "1,355", "1.355.000")] == [
        *([1_355_000_000] * 2),
        1_355_000,
        1_355_000_000_000,
    ]


@pytest.mark.parametrize("typed", ["0", "0,00", "9" * 40, "1,999", "1e9"])
def test_an_investment_is_above_zero_and_one_that_the_ledger_holds(typed: str) -> None:
    with pytest.raises(ValueError, match="investimento"):
        money(typed)


def test_what_the_ledger_holds_is_read_to_the_last_unit() -> None:
    assert mass("1.000.000.000.000").mg == 10**18
    assert mass("0,000001").mg == 1
    assert str(money("1.800,00")) == "R$ 1.800,00"
    assert money(" ") is None
