"""Locks that the kernel holds for a process and drops when it dies, however it dies."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lastro.errors import LastroError


def open_lock(path: Path) -> int:
    """A file that can be locked; never handed to a program that this one starts."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def try_lock(fd: int, *, shared: bool = False) -> bool:
    """Take the lock now, or say that somebody else has it."""
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def wait_lock(fd: int, *, shared: bool = False, seconds: int = 120) -> bool:
    """Take the lock within so many seconds, or say that it could not be had."""
    deadline = time.monotonic() + seconds
    while not try_lock(fd, shared=shared):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Be the only process between these lines. Raises LastroError after two minutes of waiting."""
    fd = open_lock(path)
    try:
        if not wait_lock(fd):
            raise LastroError(f"Outro processo prende {path} há mais de dois minutos; espere ou encerre-o.")
        yield
    finally:
        os.close(fd)
