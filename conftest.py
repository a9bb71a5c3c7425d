"""What holds for every test: the ones that need a database are marked, so that the core can run without."""

from __future__ import annotations

import pytest

_NEED_SERVER = ("/tests/stores/", "/tests/ledger/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        asked = {"store", "pg_server"} & set(getattr(item, "fixturenames", ()))
        if asked or any(part in item.path.as_posix() for part in _NEED_SERVER):
            item.add_marker(pytest.mark.database)
