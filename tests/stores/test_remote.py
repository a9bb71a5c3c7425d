"""A server of somebody else's, named by DATABASE_URL."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from lastro.errors import LastroError
from lastro.stores.postgres import Store
from lastro.stores.postgres.migrate import known
from lastro.stores.postgres.server import PrivateServer

NOWHERE = Path("/nowhere")


@pytest.fixture
def empty(pg_server):
    """A database without anything, as a provider hands it over, and how to name it as one of its users."""
    name = "theirs"
    with psycopg.connect(pg_server.conninfo("lastro_admin", database="postgres"), autocommit=True) as admin:
        admin.execute("CREATE ROLE boss LOGIN PASSWORD 'boss' IN ROLE lastro_owner, lastro_app")
        admin.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
        admin.execute(f"CREATE DATABASE {name} OWNER boss TEMPLATE template0")

        def url(user, password=None):
            parts = conninfo_to_dict(pg_server.conninfo("lastro_admin"))
            secret = password or parts["password"]
            return f"postgresql://{user}:{secret}@/{name}?host={quote(str(parts['host']), safe='')}"

        yield url
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        admin.execute("DROP ROLE boss, guest")


def seen(store):
    with store.transaction() as db:
        done = [n for (n,) in db.execute("SELECT name FROM django_migrations WHERE app = 'store' ORDER BY 1")]
        return done, db.execute("SELECT current_user, session_user").fetchone()


@pytest.mark.parametrize("user", ["lastro_admin", "boss"])
def test_one_url_puts_on_the_roles(empty, monkeypatch, user):
    monkeypatch.setenv("DATABASE_URL", empty(user, "boss" if user == "boss" else None))
    monkeypatch.delenv("LASTRO_OWNER_URL", raising=False)
    for _ in range(2):
        with Store.open(NOWHERE) as store:
            assert seen(store) == (known(), ("lastro_app", user))
            with pytest.raises(psycopg.errors.InsufficientPrivilege), store.transaction() as db:
                db.execute("DELETE FROM entry")


def test_two_urls_keep_the_owners_rights_out_of_daily_work(data):
    with Store.open(data) as store:
        assert seen(store) == (known(), ("lastro_app", "lastro_app"))
        with pytest.raises(psycopg.errors.InsufficientPrivilege), store.transaction() as db:
            db.execute("SET ROLE lastro_owner")


def test_a_user_without_rights_is_told_what_to_do(empty, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", empty("guest", "guest"))
    monkeypatch.delenv("LASTRO_OWNER_URL", raising=False)
    with pytest.raises(LastroError, match="LASTRO_OWNER_URL"), Store.open(NOWHERE):
        pass


@pytest.mark.parametrize("url", ["mysql://x/y", "postgresql://nobody@/x?host=/nowhere"])
def test_a_url_that_leads_nowhere_is_told(monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.delenv("LASTRO_OWNER_URL", raising=False)
    with pytest.raises(LastroError, match="DATABASE_URL"), Store.open(NOWHERE):
        pass


def test_a_database_of_a_later_version_is_left_alone(data, base):
    with base.connect() as admin:
        admin.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('store', '9999_later', now())"
        )
    with pytest.raises(LastroError, match="9999_later"), Store.open(data):
        pass


def test_a_user_that_may_create_roles_prepares_an_empty_server(monkeypatch):
    """A provider's server: no superuser is handed out, and nothing of ours is there yet."""
    folder = Path(tempfile.mkdtemp(prefix="lastro-"))
    folder.chmod(0o711)
    monkeypatch.delenv("LASTRO_OWNER_URL", raising=False)
    with PrivateServer(folder) as server:
        with psycopg.connect(server.conninfo("lastro_admin", database="postgres"), autocommit=True) as admin:
            for statement in (
                "DROP DATABASE lastro",
                "DROP ROLE lastro_app, lastro_owner",
                "CREATE ROLE boss LOGIN CREATEROLE PASSWORD 'boss'",
                "CREATE DATABASE theirs OWNER boss",
            ):
                admin.execute(statement)
        host = quote(str(server.place.socket_folder()), safe="")
        monkeypatch.setenv("DATABASE_URL", f"postgresql://boss:boss@/theirs?host={host}")
        for _ in range(2):
            with Store.open(NOWHERE) as store:
                assert seen(store) == (known(), ("lastro_app", "boss"))
    shutil.rmtree(folder)
