"""A private PostgreSQL server: up when the first user arrives, down when the last one leaves.

Comes in: a data folder. Goes out: connection strings. It listens on a socket in a closed folder and on no
network. Who uses it is a lock that the kernel drops when a process dies; see `keeper`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import weakref
from pathlib import Path
from types import TracebackType
from typing import Self

from psycopg import pq
from psycopg.conninfo import make_conninfo

from lastro.errors import LastroError
from lastro.stores.postgres import keeper
from lastro.stores.postgres.cluster import Keys, make_cluster
from lastro.stores.postgres.locks import alone, open_lock, try_lock, wait_lock
from lastro.stores.postgres.names import APP, DATABASE, SCHEMA
from lastro.stores.postgres.place import Place, data_folder, place_of

_NO_SUCH_PID = 2**31 - 2
_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "150",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
_keepers: dict[Path, subprocess.Popen[bytes]] = {}
"""The keepers that this process called, so that none is left behind as a zombie."""


_LOG_ROOM = 4 << 20
_entered: weakref.WeakSet[PrivateServer] = weakref.WeakSet()


class PrivateServer:
    """One use of a data folder's own server, from `enter` to `leave`."""

    def __init__(self, data: Path) -> None:
        try:
            self.data = data_folder(data)
            self._gate = self.data / "postgres.lock"
            with alone(self._gate):
                self.place = place_of(self.data)
        except OSError as wrong:
            raise _closed(data, wrong) from wrong
        self.keys = Keys(self.data)
        self._users: int | None = None

    def __enter__(self) -> Self:
        try:
            self._enter()
        except OSError as wrong:
            self.leave()
            raise _closed(self.data, wrong) from wrong
        except BaseException:
            self.leave()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def conninfo(self, role: str = APP, *, database: str = DATABASE) -> str:
        """How to connect as one of the server's roles."""
        return make_conninfo(
            host=str(self.place.socket_folder()),
            port=5432,
            dbname=database,
            user=role,
            password=self.keys.get(role),
            application_name="lastro",
            client_encoding="UTF8",
            options=f"-c search_path={SCHEMA}",
            connect_timeout=60,
        )

    def _enter(self) -> None:
        fd = open_lock(self.place.home / "users")
        # While the keeper stops the server it holds this lock alone; then we wait for it to finish.
        if not wait_lock(fd, shared=True):
            os.close(fd)
            raise LastroError(f"O banco em {self.place.home} está parando há mais de dois minutos.")
        self._users = fd
        _entered.add(self)
        with alone(self._gate):
            make_cluster(self.place, self.keys)
            self._start()
            _note_users(fd, [*_live(_noted_users(fd)), _me()])

    def leave(self) -> None:
        """Stop using the server; whoever leaves last sees it down before going on."""
        if self._users is None:
            return
        fd, self._users = self._users, None
        with alone(self._gate):
            others = _live(_noted_users(fd))
            if _me() in others:
                others.remove(_me())
            _note_users(fd, others)
            os.close(fd)
        if not others:
            self._wait_until_down()

    def _start(self) -> None:
        """Bring the server up unless a keeper already does. Raises LastroError if it will not stay up."""
        deadline = time.monotonic() + 60
        while True:
            keeper_lock = open_lock(self.place.home / "keeper")
            try:
                if try_lock(keeper_lock):  # no keeper lives: call one
                    if time.monotonic() > deadline:
                        raise LastroError(
                            f"O banco não sobe; o motivo está em {self._log}: {self._last_words()}"
                        )
                    self._clear_stray()
                    self._call_keeper(keeper_lock)
                elif _answers(self.conninfo()):
                    return
            finally:
                os.close(keeper_lock)
            time.sleep(0.02)

    def _call_keeper(self, keeper_lock: int) -> None:
        """Start the keeper; it inherits the lock that says it lives, and nothing else of ours."""
        place = self.place
        _reap(place)
        if self._log.exists() and self._log.stat().st_size > _LOG_ROOM:
            self._log.replace(self._log.with_name("log.1"))
        settings = _SETTINGS | {"unix_socket_directories": str(place.socket_folder())}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        server = [place.program("postgres"), "-D", str(place.cluster), *options]
        who = place.identity
        identity = f"{who['user']}:{who['group']}" if who else ""
        _keepers[place.home] = subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-S",
                keeper.__file__,
                str(place.home / "users"),
                str(self._log),
                identity,
                *server,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            umask=0o077,
            start_new_session=True,
            pass_fds=(keeper_lock,),
        )

    def _clear_stray(self) -> None:
        """Deal with what a keeper that died left: a server without a keeper, or a note that misleads.

        A server that still runs is stopped. A note whose process id now belongs to some other program would
        keep PostgreSQL from starting; the id is made one that nobody has. The note itself stays: PostgreSQL
        reads in it which shared memory to look for before it dares to start.
        """
        note = self.place.cluster / "postmaster.pid"
        try:
            pid, *rest = note.read_text("utf-8", "replace").splitlines()
        except (FileNotFoundError, ValueError):
            return
        command = _command_of(int(pid)) if pid.isdigit() else ""
        if str(self.place.cluster) in command:
            stop = [self.place.program("pg_ctl"), "stop", "-D", str(self.place.cluster), "-m", "fast", "-w"]
            subprocess.run(stop, cwd="/", capture_output=True, check=False, **self.place.identity)
        elif command:
            note.write_text("\n".join([str(_NO_SUCH_PID), *rest]) + "\n", "utf-8")

    def _wait_until_down(self) -> None:
        keeper_lock = open_lock(self.place.home / "keeper")
        try:
            down = wait_lock(keeper_lock, seconds=90)
        finally:
            os.close(keeper_lock)
        if down:
            _reap(self.place)

    def forget(self) -> None:
        """Be no user any more without telling anybody: a forked child is none, and must not look like one."""
        if self._users is not None:
            os.close(self._users)
            self._users = None

    @property
    def _log(self) -> Path:
        return self.place.home / "log"

    def _last_words(self) -> str:
        try:
            return self._log.read_text("utf-8", "replace").strip()[-400:]
        except FileNotFoundError:
            return "(vazio)"


def _forget_all() -> None:
    for server in list(_entered):
        server.forget()


os.register_at_fork(after_in_child=_forget_all)


def _closed(data: Path, wrong: OSError) -> LastroError:
    return LastroError(
        f"A pasta de dados {data} não pode ser usada por este usuário; escolha outra com --data. ({wrong})"
    )


def _answers(conninfo: str) -> bool:
    return pq.PGconn.ping(conninfo.encode()) == pq.Ping.OK


def _reap(place: Place) -> None:
    child = _keepers.pop(place.home, None)
    if child is not None:
        child.wait()


def _me() -> str:
    return f"{os.getpid()} {_started(os.getpid())}"


def _noted_users(fd: int) -> list[str]:
    return os.pread(fd, 1 << 20, 0).decode("ascii", "replace").splitlines()


def _note_users(fd: int, users: list[str]) -> None:
    os.ftruncate(fd, 0)
    os.pwrite(fd, "".join(f"{user}\n" for user in users).encode("ascii"), 0)


def _live(users: list[str]) -> list[str]:
    """Those users whose process id still belongs to the process that wrote it."""
    return [u for u in users if (pid := u.partition(" ")[0]).isdigit() and u == f"{pid} {_started(int(pid))}"]


def _started(pid: int) -> str:
    """When a process began, to tell a reused process id apart; empty if there is none (or a zombie)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return "" if sys.platform == "linux" else _ps(pid, "lstart")
    return "" if fields[0] in b"ZX" else fields[19].decode()


def _command_of(pid: int) -> str:
    """The command line of a live process; empty if there is none."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as line:
            return line.read().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return "" if sys.platform == "linux" else _ps(pid, "command")


def _ps(pid: int, column: str) -> str:
    done = subprocess.run(
        ["ps", "-o", f"{column}=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
