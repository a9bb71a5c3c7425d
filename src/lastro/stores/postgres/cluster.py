"""Making the files of a private server: all at once, with its two roles, or not at all."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
from pathlib import Path
from typing import Any

from lastro.errors import LastroError
from lastro.stores.postgres.names import ADMIN, APP, DATABASE, OWNER
from lastro.stores.postgres.place import Place

# Single-user PostgreSQL ends a statement at a semicolon followed by an empty line.
_ROLES = f"""CREATE ROLE {OWNER} LOGIN PASSWORD '%(owner)s';

CREATE ROLE {APP} LOGIN PASSWORD '%(app)s';

CREATE DATABASE {DATABASE} OWNER {OWNER};

REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC;

GRANT CONNECT ON DATABASE {DATABASE} TO {APP};

REVOKE ALL ON DATABASE postgres FROM PUBLIC;

"""


class Keys:
    """The passwords of a private server's roles, made once, kept where only their owner reads."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "keys"

    def get(self, role: str) -> str:
        """A role's password. Raises LastroError if it was lost."""
        try:
            return self._file(role).read_text("ascii").strip()
        except FileNotFoundError as wrong:
            raise LastroError(
                f"Falta {self._file(role)}, a senha do banco; traga-a da cópia de segurança."
            ) from wrong

    def make(self, role: str) -> str:
        """A new password, where there is none yet."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if not self._file(role).exists():
            work = self._file(role).with_suffix(f".{os.getpid()}")
            fd = os.open(work, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(fd, "w") as out:
                out.write(secrets.token_hex(24))
            work.rename(self._file(role))
        return self.get(role)

    def _file(self, role: str) -> Path:
        return self._folder / f"postgres-{role}"


def make_cluster(place: Place, keys: Keys) -> None:
    """Make the server's files in a side folder and put them in place complete; may be killed and repeated.

    PostgreSQL's tools want a user with a name: a nameless one borrows `nobody` until the files are made.
    """
    if place.cluster.is_dir():
        return
    namer = _named(place)
    work = place.home / "cluster.new"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(mode=0o700)
    namer.give(work)
    _initdb(namer, work, keys.make(ADMIN))
    roles = _ROLES % {"owner": keys.make(OWNER), "app": keys.make(APP)}
    _as_server(namer, ["postgres", "--single", "-j", "-D", str(work), "postgres"], text=roles)
    if namer.user != place.user:
        for path in [work, *work.rglob("*")]:
            place.give(path)
    work.rename(place.cluster)


def _initdb(namer: Place, work: Path, password: str) -> None:
    secret = namer.home / "password.new"
    fd = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w") as out:
        out.write(password)
    namer.give(secret)
    try:
        arguments = [
            "-D",
            str(work),
            "-U",
            ADMIN,
            "--auth=scram-sha-256",
            f"--pwfile={secret}",
            "--encoding=UTF8",
        ]
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--data-checksums"]
        _as_server(namer, ["initdb", *arguments, *locale])
    finally:
        secret.unlink(missing_ok=True)


def _named(place: Place) -> Place:
    """The same place for a user that has a name."""
    if place.user is None and not _has_name(os.geteuid()):
        raise LastroError(
            f"O usuário {os.geteuid()} não tem nome neste sistema, e o PostgreSQL exige um: "
            "rode como um usuário que tenha, ou defina DATABASE_URL."
        )
    if place.user is None or _has_name(place.user):
        return place
    try:
        return Place(place.home, place.programs, pwd.getpwnam("nobody").pw_uid)
    except KeyError as wrong:
        raise LastroError(
            "Como root, o banco precisa de outro usuário: crie um (useradd --system lastro)."
        ) from wrong


def _has_name(user: int) -> bool:
    try:
        return bool(pwd.getpwuid(user).pw_name)
    except KeyError:
        return False


def _as_server(place: Place, command: list[str], *, text: str = "") -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG"))} | {
        "TZ": "UTC"
    }
    options: dict[str, Any] = {"cwd": "/", "env": environment, "umask": 0o077, **place.identity}
    done = subprocess.run(
        [place.program(command[0]), *command[1:]],
        input=text,
        text=True,
        encoding="utf-8",
        errors="replace",
        capture_output=True,
        check=False,
        **options,
    )
    if done.returncode or "FATAL" in done.stderr or "ERROR" in done.stderr:
        raise LastroError(f"O banco não pôde ser criado em {place.home}: {done.stderr.strip()[-500:]}")
