"""Reads a public log where it is served: an address of files, or a folder of them."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from pathlib import Path

_MOST = 16 * 1024 * 1024


def reader(source: str, *, timeout: float = 30) -> Callable[[str], bytes]:
    """Gives the bytes of each file of a log by its path. What it gives raises OSError where there is none."""
    if source.startswith(("http://", "https://")):
        base = source.rstrip("/")

        def fetch(path: str) -> bytes:
            with urllib.request.urlopen(f"{base}/{path}", timeout=timeout) as answer:
                data: bytes = answer.read(_MOST)
            return data

        return fetch
    folder = Path(source)
    return lambda path: (folder / path).read_bytes()
