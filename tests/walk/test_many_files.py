"""The command that people type, on enough files for a pool of processes, and what a lost process leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.walk.conftest import Typist, entities

pytestmark = pytest.mark.walk
HERE = Path(__file__).parents[2]


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    """The command as the set-up writes it, for this environment's Python."""
    text = (HERE / "run").read_text("utf-8")
    assert 'if __name__ == "__main__":\\n    sys.exit(main())' in text, (
        "a worker must not run the command again"
    )
    command = tmp_path / "lastro"
    command.write_text(
        f"#!{sys.executable}\nimport sys\n\nfrom lastro.cli import main\n\n"
        'if __name__ == "__main__":\n    sys.exit(main())\n'
    )
    command.chmod(0o755)
    return command


def test_the_command_judges_in_several_processes(world: Path, launcher: Path, tmp_path: Path) -> None:
    typist = Typist(tmp_path / "data")
    typist.set_up(world)
    entity = entities(world)[0]
    words = [str(w) for w in typist.enter_words(world, entity)][:-2]
    command = [str(launcher), "--data", str(typist.data), "--today", "2027-03-15", *words, "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stderr
    assert "F12" not in done.stdout
    assert len(typist.rows("lots")) > 20


def test_workers_do_not_outlive_a_killed_command(world: Path, tmp_path: Path) -> None:
    typist = Typist(tmp_path / "data")
    typist.set_up(world)
    words = typist.enter_words(world, entities(world)[0])[:-2]
    process = typist.start(*words, "--workers", "2")
    workers: list[int] = []
    while process.poll() is None and len(workers) < 2:
        time.sleep(0.02)
        workers = _children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert workers, "it ended before it had workers"
    for _ in range(200):
        if not any(_alive(pid) for pid in workers):
            break
        time.sleep(0.05)
    assert not [pid for pid in workers if _alive(pid)]


def _children(parent: int) -> list[int]:
    """The workers: spawned anew, or copies of the command; the database's programs are neither."""
    found = []
    try:
        itself = Path(f"/proc/{parent}/cmdline").read_bytes()
    except OSError:
        return []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat, command = (entry / "stat").read_text(), (entry / "cmdline").read_bytes()
            except OSError:
                continue
            worker = b"spawn_main" in command or command == itself
            if worker and int(stat.rpartition(")")[2].split()[1]) == parent:
                found.append(int(entry.name))
    return found


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
