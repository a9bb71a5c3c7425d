"""What holds for every test: those that need a database are marked, and the longest files begin first."""

from __future__ import annotations

import pytest

_LONG = ("/tests/web/test_journey", "/tests/web/", "/tests/walk/")
"""Where files take minutes: begun last, one of them would keep a single process busy at the end."""

_NEED_SERVER = ("/tests/stores/", "/tests/ledger/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        asked = {"store", "pg_server"} & set(getattr(item, "fixturenames", ()))
        if asked or any(part in item.path.as_posix() for part in _NEED_SERVER):
            item.add_marker(pytest.mark.database)
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    path = item.path.as_posix()
    return next((turn for turn, part in enumerate(_LONG) if part in path), len(_LONG))
