"""A PostgreSQL server that somebody else runs, named by DATABASE_URL.

`DATABASE_URL` is for daily work and acts as the role `lastro_app`. Migrations run with `LASTRO_OWNER_URL`;
without it, the user of `DATABASE_URL` must be allowed to create roles, and `lastro_owner` is put on for them.
With one URL the two roles guard against mistakes, not against whoever holds the password: give two.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from lastro.errors import LastroError
from lastro.stores.postgres.names import APP, OWNER, SCHEMA

_CURE = (
    f"crie os papéis {OWNER} e {APP} (CREATE ROLE … NOLOGIN), dê {APP} ao usuário de DATABASE_URL "
    "e defina LASTRO_OWNER_URL com um usuário dono do banco"
)


class RemoteServer:
    """One use of a server that is up anyway."""

    def __init__(self, url: str, owner_url: str | None) -> None:
        self._url, self._owner_url = url, owner_url
        try:
            conninfo_to_dict(url), conninfo_to_dict(owner_url or "")
        except psycopg.ProgrammingError as wrong:
            raise LastroError(f"DATABASE_URL não é um endereço do PostgreSQL: {wrong}") from wrong

    @classmethod
    def named(cls) -> Self | None:
        """The server that the environment names, if it names one."""
        url = os.environ.get("DATABASE_URL")
        return cls(url, os.environ.get("LASTRO_OWNER_URL") or None) if url else None

    def __enter__(self) -> Self:
        self._ensure_roles()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def conninfo(self, role: str = APP) -> str:
        """How to connect and act as one of the roles."""
        url = self._owner_url if role == OWNER and self._owner_url else self._url
        given = conninfo_to_dict(url)
        options = [str(given.get("options") or ""), f"-c search_path={SCHEMA}"]
        if url is self._url and given.get("user") != role:
            options.append(f"-c role={role}")
        return make_conninfo(url, application_name="lastro", options=" ".join(options).strip())

    def _ensure_roles(self) -> None:
        url = self._owner_url or self._url
        try:
            with psycopg.connect(url, autocommit=True) as connection:
                known = {r[0] for r in connection.execute("SELECT rolname FROM pg_roles").fetchall()}
                for role in {OWNER, APP} - known if not self._owner_url else {APP} - known:
                    connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
                if not self._owner_url:
                    _lend_roles(connection)
        except psycopg.errors.InsufficientPrivilege as wrong:
            raise LastroError(f"O usuário do banco não pode preparar os papéis: {_CURE}.") from wrong
        except psycopg.OperationalError as wrong:
            raise LastroError(f"O banco de DATABASE_URL não responde: {wrong}") from wrong


def _lend_roles(connection: psycopg.Connection) -> None:
    """Let the one user that there is put on either role, and the owner make its schema."""
    for role in (OWNER, APP):
        name = sql.Identifier(role)
        try:
            connection.execute(sql.SQL("SET ROLE {}").format(name))
        except psycopg.errors.InsufficientPrivilege:
            connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
        connection.execute("RESET ROLE")
    row = connection.execute(
        "SELECT current_database(), has_database_privilege(%s, current_database(), 'CREATE')", [OWNER]
    ).fetchone()
    assert row is not None
    if not row[1]:
        grant = sql.SQL("GRANT CREATE ON DATABASE {} TO {}")
        connection.execute(grant.format(sql.Identifier(row[0]), sql.Identifier(OWNER)))
