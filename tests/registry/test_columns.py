"""The page on formats names every table and column that the reader knows."""

from pathlib import Path

import pytest

from lastro.cli.registry import _WORDS
from lastro.ids import Origin
from lastro.registry.columns import ORIGINS, ROLES, TABLES, Table

PAGE = Path(__file__).parents[2] / "docs" / "formatos.md"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_the_page_shows_the_table_as_it_is_read(table: Table):
    line = next(li for li in PAGE.read_text("utf-8").splitlines() if li.startswith(f"| `{table.name}`"))
    key, columns = (part.strip() for part in line.split("|")[2:4])
    assert key == ", ".join(table.key)
    for column in table.columns:
        assert (f"**{column.name}**" in columns) == column.required, column.name
        assert column.name in columns


def test_every_origin_and_role_can_be_written_and_is_shown_in_words():
    assert set(ORIGINS.values()) == {origin.value for origin in Origin}
    assert set(ORIGINS.values()) | set(ROLES.values()) <= set(_WORDS)
