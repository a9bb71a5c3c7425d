"""The real base, inside one transaction that is never kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from lastro.stores.postgres import Store


class Rolled(Store):
    """A store whose every transaction is a part of one that is undone: a seed leaves nothing behind."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        super().__init__("")
        self._thread.connection = connection

    def connect(self) -> psycopg.Connection[Any]:
        raise AssertionError("all that happens on a seed happens on its one connection")

    @contextmanager
    def snapshot(self) -> Iterator[psycopg.Connection[Any]]:
        with self.transaction() as db:
            yield db


@contextmanager
def undone(connection: psycopg.Connection[Any]) -> Iterator[Rolled]:
    """A base for one seed, on a connection that may serve the next one."""
    with connection.transaction(force_rollback=True):
        yield Rolled(connection)
