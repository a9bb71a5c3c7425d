"""Migrations: numbered files, applied once, also when two begin together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from lastro.stores.postgres import migrate

FOLDER = Path(migrate.__file__).parent / "migrations"


def test_every_sql_file_has_its_migration_and_the_reverse():
    modules = sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))
    assert migrate.known() == modules
    assert len({name[:4] for name in modules}) == len(modules)


@pytest.fixture
def bare(pg_server):
    """A database in which nothing was migrated."""
    with psycopg.connect(pg_server.conninfo("lastro_admin", database="postgres"), autocommit=True) as admin:
        admin.execute("CREATE DATABASE bare OWNER lastro_owner TEMPLATE template0")
        yield pg_server.conninfo("lastro_owner", database="bare")
        admin.execute("DROP DATABASE bare WITH (FORCE)")


def behind(conninfo):
    with psycopg.connect(conninfo) as connection:
        return migrate.is_behind(connection)


def test_two_that_begin_together_migrate_once(bare):
    assert behind(bare)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrate.migrate(bare), range(4)))
    assert not behind(bare)
    with psycopg.connect(bare) as connection:
        rows = connection.execute(
            "SELECT name FROM django_migrations WHERE app = 'store' ORDER BY id"
        ).fetchall()
    assert [name for (name,) in rows] == migrate.known()


def test_a_database_that_lacks_the_last_step_is_behind(base):
    with base.connect() as admin:
        assert not migrate.is_behind(admin)
        admin.execute("DELETE FROM django_migrations WHERE name = %s", [migrate.known()[-1]])
        assert migrate.is_behind(admin)
