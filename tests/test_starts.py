"""What people start stands on nothing that another program set up before it."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["lastro.demo", "lastro.cli", "lastro.web.guests"])
def test_a_fresh_process_reads_the_module(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
