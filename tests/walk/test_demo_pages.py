"""The demonstration opens its pages, lets its people in, and leaves nothing running."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

pytestmark = pytest.mark.walk


def test_the_demonstration_opens_its_pages(tmp_path: Path) -> None:
    words = [sys.executable, "-u", "-m", "lastro.demo", "--notes", "60", "--port", "0"]
    demo = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert demo.stdout is not None
    said = ""
    try:
        for line in demo.stdout:
            said += line
            if "Ctrl-C" in line:
                break
        address = re.search(r"Páginas:\s+(http://127\.0\.0\.1:\d+)/", said)
        assert address, said[-2000:]
        assert re.search(r"Senha de todos: \S{12}", said)
        assert "ana@gestora.example" in said
        with urllib.request.urlopen(f"{address[1]}/conferir/") as answer:
            assert "Conferir um certificado" in answer.read().decode()
    finally:
        demo.terminate()
        assert demo.wait(timeout=120) == 0
    left = [p for p in Path("/proc").glob("[0-9]*/cmdline") if str(tmp_path).encode() in _read(p)]
    assert not [p for p in left if f"/{os.getpid()}/" not in str(p)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
