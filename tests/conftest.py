"""What any test may ask for: a store of its own, empty and up to date, on one private server per session."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import psycopg

    from lastro.stores.postgres import Store

_numbers = itertools.count(1)


class Base:
    """A database of one test, and how to connect to it as each role."""

    def __init__(self, server: Any, name: str) -> None:
        self.server, self.name = server, name

    def conninfo(self, role: str = "lastro_app") -> str:
        return self.server.conninfo(role, database=self.name)

    def connect(self, role: str = "lastro_admin") -> psycopg.Connection[Any]:
        import psycopg

        return psycopg.connect(self.conninfo(role), options="-c search_path=lastro", autocommit=True)

    def url(self, role: str = "lastro_app") -> str:
        """The same as a URL, for DATABASE_URL."""
        from urllib.parse import quote

        from psycopg.conninfo import conninfo_to_dict

        parts = conninfo_to_dict(self.conninfo(role))
        host = quote(str(parts["host"]), safe="")
        return f"postgresql://{role}:{parts['password']}@/{self.name}?host={host}"


@pytest.fixture(scope="session", autouse=True)
def _no_database_is_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Root's databases of closed folders, such as pytest's own, stand elsewhere; they go with the session."""
    yield
    notes = list(tmp_path_factory.getbasetemp().rglob("postgres.home"))
    if notes:
        from lastro.stores.postgres.place import destroy

        for note in notes:
            destroy(note.parent)


@pytest.fixture(scope="session")
def pg_server() -> Iterator[Any]:
    """A private server in a folder of its own, gone when the session ends."""
    if os.name != "posix":
        pytest.skip("a private server needs Linux or macOS")
    from lastro.stores.postgres.migrate import migrate
    from lastro.stores.postgres.server import PrivateServer

    folder = Path(tempfile.mkdtemp(prefix="lastro-test-"))
    folder.chmod(0o711)
    try:
        with PrivateServer(folder) as server:
            migrate(server.conninfo("lastro_owner"))
            _write_lazily(server)
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write_lazily(server: Any) -> None:
    """A thousand databases come and go: none has to survive a power cut, so none waits for the disk."""
    import psycopg

    with psycopg.connect(server.conninfo("lastro_admin", database="postgres"), autocommit=True) as admin:
        for name in ("fsync", "full_page_writes"):
            admin.execute(f"ALTER SYSTEM SET {name} = off")  # type: ignore[arg-type]
        admin.execute("SELECT pg_reload_conf()")


@contextmanager
def fresh_base(server: Any, *, template: str = "lastro") -> Iterator[Base]:
    """A database with all migrations applied and nothing in it (or a copy of another), gone afterwards."""
    import psycopg

    name = f"t{next(_numbers)}"
    with psycopg.connect(server.conninfo("lastro_admin", database="postgres"), autocommit=True) as admin:
        for statement in (
            f"CREATE DATABASE {name} TEMPLATE {template} OWNER lastro_owner",
            f"REVOKE ALL ON DATABASE {name} FROM PUBLIC",
            f"GRANT CONNECT ON DATABASE {name} TO lastro_app",
        ):
            admin.execute(statement)  # type: ignore[call-overload]
        yield Base(server, name)
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]


@pytest.fixture
def base(pg_server: Any) -> Iterator[Base]:
    """A fresh database for one test; `base.connect()` is a superuser's connection to it."""
    with fresh_base(pg_server) as base:
        yield base


@pytest.fixture(scope="module")
def module_base(pg_server: Any) -> Iterator[Base]:
    """A fresh database for all tests of a module that leave it as it is."""
    with fresh_base(pg_server) as base:
        yield base


@pytest.fixture
def store(base: Base) -> Iterator[Store]:
    """An empty store, as the application sees it."""
    from lastro.stores.postgres import Store

    store = Store(base.conninfo())
    yield store
    store.close()


@pytest.fixture
def data(base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for the command line; `--data` with it leads to the same database as `store`."""
    monkeypatch.setenv("DATABASE_URL", base.url())
    monkeypatch.setenv("LASTRO_OWNER_URL", base.url("lastro_owner"))
    folder = tmp_path / "data"
    folder.mkdir()
    return folder
