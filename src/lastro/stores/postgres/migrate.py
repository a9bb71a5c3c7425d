"""Bringing a database up to the tables and functions that this version knows.

A migration is a numbered `.sql` file and a module of the same name beside it in `migrations/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from lastro.errors import LastroError
from lastro.stores.postgres.names import APP, SCHEMA

_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 1_455_2025
_ALIAS = "lastro_owner"


def known() -> list[str]:
    """The migrations that this version brings, in order."""
    return sorted(path.stem for path in _FOLDER.glob("[0-9]*.sql"))


def is_behind(connection: psycopg.Connection[Any]) -> bool:
    """Whether the database lacks a migration. Raises LastroError if it has one from a later version."""
    try:
        with connection.transaction():
            rows = connection.execute(
                f"SELECT name FROM {SCHEMA}.django_migrations WHERE app = 'store'"
            ).fetchall()
    except (
        psycopg.errors.UndefinedTable,
        psycopg.errors.InvalidSchemaName,
        psycopg.errors.InsufficientPrivilege,
    ):
        return True  # nothing stands yet, or a first attempt was cut short
    done = {name for (name,) in rows}
    later = sorted(done - set(known()))
    if later:
        raise LastroError(f"O banco é de uma versão mais nova do lastro ({later[-1]}); atualize o programa.")
    return done != set(known())


def migrate(owner_conninfo: str) -> None:
    """Apply what is missing, as the owner; two processes may call this at once."""
    with psycopg.connect(owner_conninfo, autocommit=True) as guard:
        guard.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        try:
            guard.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            if is_behind(guard):
                _apply(owner_conninfo)
        except psycopg.errors.InsufficientPrivilege as wrong:
            raise LastroError(f"O dono do banco não pode criar as tabelas: {wrong}") from wrong


def migrate_others(owner_conninfo: str) -> None:
    """Bring the tables of every other installed Django app up to date, as the owner, after the store's own.

    Daily work may change and remove rows of those tables, and of no table of the store.
    """
    with psycopg.connect(owner_conninfo, autocommit=True) as guard:
        guard.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        with _as_owner(owner_conninfo) as executor:
            targets = [node for node in executor.loader.graph.leaf_nodes() if node[0] != "store"]
            executor.migrate(targets)
        _lend_tables(guard)


def _lend_tables(connection: psycopg.Connection[Any]) -> None:
    from django.apps import apps

    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label != "store" and model._meta.managed:
            table = sql.Identifier(SCHEMA, model._meta.db_table)
            grant = sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON {} TO {}")
            connection.execute(grant.format(table, sql.Identifier(APP)))


def _apply(owner_conninfo: str) -> None:
    with _as_owner(owner_conninfo) as executor:
        executor.migrate([node for node in executor.loader.graph.leaf_nodes() if node[0] == "store"])


@contextmanager
def _as_owner(owner_conninfo: str) -> Iterator[Any]:
    """What applies migrations, on a connection of the owner that is closed afterwards."""
    from django.db import connections
    from django.db.backends.postgresql.base import DatabaseWrapper
    from django.db.migrations.executor import MigrationExecutor

    _set_up_django()
    connection = DatabaseWrapper(django_database(owner_conninfo), _ALIAS)
    connections[_ALIAS] = connection
    try:
        yield MigrationExecutor(connection)
    finally:
        connection.close()
        del connections[_ALIAS]


def _set_up_django() -> None:
    """Configure Django for migrations alone, unless a web application has configured it already."""
    import django
    from django.conf import settings

    if not settings.configured:
        settings.configure(INSTALLED_APPS=["lastro.stores.postgres.apps.StoreConfig"], USE_TZ=True)
    from django.apps import apps

    if not apps.ready:
        django.setup()


def django_database(conninfo: str) -> dict[str, Any]:
    """A connection string as Django's settings of one database, in the schema of the store."""
    parts = conninfo_to_dict(conninfo)
    options = str(parts.pop("options", None) or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", ""),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "OPTIONS": {**parts, "options": f"{options} -c search_path={SCHEMA}".strip()},
        "ATOMIC_REQUESTS": False,
        "AUTOCOMMIT": True,
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "TIME_ZONE": None,
        "TEST": {},
    }
