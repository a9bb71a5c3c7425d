"""Numbers as people type them."""

from __future__ import annotations

import pytest

from lastro.web.typed import plain


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
