"""The hostile set through the command line: each file gives its code, and together they stay in 200 MB."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.evidence import hostile

MOST_MB = 200
_MEASURE = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "from lastro.cli import main; main()", *sys.argv[1:]])
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""A small process stands between: a child begins with the memory of whoever starts it."""

pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="memory is measured on Linux and macOS")


@dataclass(frozen=True)
class Run:
    """What `lastro verify` said of a folder: F codes by file name, exit code, peak of memory in MB."""

    codes: dict[str, set[str]]
    members: dict[str, int]
    exit: int
    peak: int


def verified(folder: Path, data: Path) -> Run:
    """Verify a folder in a process of its own."""
    call = ["verify", str(folder), "--json", "--workers", "1", "--data", str(data), "--today", "2026-11-30"]
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, *call],
        capture_output=True, text=True, check=False, env=os.environ | {"LASTRO_DATA": str(data)},
    )  # fmt: skip
    codes: defaultdict[str, set[str]] = defaultdict(set)
    members: defaultdict[str, int] = defaultdict(int)
    for line in done.stdout.splitlines():
        told = json.loads(line)
        name = Path(told["file"]).name
        members[name] += 1
        codes[name] |= {f["code"] for f in told["findings"] if f["code"][0] == "F"}
    assert done.stderr.split(), "the peak is told on the error stream"
    unit = 1024 if sys.platform == "linux" else 1024 * 1024
    return Run(dict(codes), dict(members), done.returncode, int(done.stderr.split()[-1]) // unit)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("hostis")
    for name, (make, _) in hostile.FILES.items():
        (folder / name).write_bytes(make())
    (folder / "boa.xml").write_bytes(hostile.note())
    return verified(folder, tmp_path_factory.mktemp("dados"))


@pytest.mark.parametrize("name", hostile.FILES)
def test_each_gives_its_code(run: Run, name: str) -> None:
    expected, seen = hostile.FILES[name][1], run.codes[name] - {"F11"}
    if name in hostile.EITHER:
        assert seen
        assert seen <= expected
    else:
        assert seen == expected


def test_a_good_note_among_them_is_judged_as_if_alone(run: Run) -> None:
    assert run.codes["boa.xml"] - {"F11"} == set()
    assert run.exit == 1


def test_every_member_of_a_large_zip_is_told(run: Run) -> None:
    assert (run.members["dez-mil.zip"], run.members["cem-mil-e-um.zip"]) == (10_000, 1)


def test_they_take_less_than_200_mb_together(run: Run) -> None:
    assert run.peak < MOST_MB


def test_links_pipes_and_devices_of_a_folder_are_passed_by(tmp_path: Path) -> None:
    folder = tmp_path / "pasta"
    folder.mkdir()
    os.mkfifo(folder / "cano.xml")
    (folder / "zeros.xml").symlink_to("/dev/zero")
    (folder / "volta").symlink_to(folder)
    (folder / "laco.xml").symlink_to(folder / "laco.xml")
    (folder / "boa.xml").write_bytes(hostile.note())
    seen = verified(folder, tmp_path / "dados")
    assert (set(seen.codes), seen.codes["boa.xml"]) == ({"boa.xml"}, set())
    assert seen.peak < MOST_MB


def test_nothing_of_a_zip_is_written_anywhere(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (folder / "fora.zip").write_bytes(hostile.packed([("../../fora.xml", hostile.note())]))
    verified(folder, tmp_path / "dados")
    assert {p.name for p in tmp_path.rglob("*.xml")} == set()
