"""The process that keeps one private PostgreSQL server up while somebody uses it.

Run as a program, by path, with the standard library alone. Every user of the server holds a shared lock on
one file; the keeper waits for the lock to itself. The kernel gives it the moment the last user is gone, also
one that was killed; then the server is stopped. Should the keeper itself be killed, the kernel (Linux) stops
the server for it.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import threading

_PR_SET_PDEATHSIG = 1
_PATIENCE_SECONDS = 60


def _die_with_keeper() -> None:
    """Ask the kernel for a fast shutdown of the server when its keeper dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)


def _stop_after_last_user(users: int, server: subprocess.Popen[bytes]) -> None:
    fcntl.flock(users, fcntl.LOCK_EX)
    server.send_signal(signal.SIGINT)
    try:
        server.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        server.send_signal(signal.SIGQUIT)


def keep(users_file: str, log_file: str, identity: str, command: list[str]) -> int:
    """Run the server until the last user leaves. `identity`: "user:group" in numbers; empty is our own."""
    user, _, group = identity.partition(":")
    who = {"user": int(user), "group": int(group), "extra_groups": []} if user else {}
    users = os.open(users_file, os.O_RDWR | os.O_CLOEXEC)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
    with open(log_file, "ab") as log:
        server = subprocess.Popen(  # type: ignore[call-overload]
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=environment,
            preexec_fn=_die_with_keeper,
            **who,
        )
    threading.Thread(target=_stop_after_last_user, args=(users, server), daemon=True).start()
    return int(server.wait())


if __name__ == "__main__":
    sys.exit(keep(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
