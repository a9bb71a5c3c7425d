"""Papers set once for all tests, and other people's programs that read them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lastro.papers import render
from tests.papers.example import certificate, report


@pytest.fixture(scope="session")
def cre() -> bytes:
    return render("cre", certificate(3))


@pytest.fixture(scope="session")
def long_cre() -> bytes:
    return render("cre", certificate(200))


@pytest.fixture(scope="session")
def annual() -> bytes:
    return render("rar-mt", report())


@pytest.fixture
def poppler(tmp_path: Path) -> Callable[..., bytes]:
    """Run one of poppler's programs over a PDF: poppler("pdftotext", pdf, "-layout", "-")."""

    def run(program: str, pdf: bytes, *args: str) -> bytes:
        if shutil.which(program) is None:
            pytest.skip("poppler is not here (Debian: poppler-utils)")
        file = tmp_path / "paper.pdf"
        file.write_bytes(pdf)
        before = [arg for arg in args if arg != "-"]
        after = [arg for arg in args if arg == "-"]
        done = subprocess.run(
            [program, *before, str(file), *after], capture_output=True, check=False, timeout=120
        )
        return done.stdout

    return run
