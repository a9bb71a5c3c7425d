"""The local engine keeps the promises of every engine, by one process or two."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from lastro.engine import local
from lastro.engine.local import LocalEngine
from tests.engine.contract import UNLUCKY, EngineContract, double, failed


class TestLocal(EngineContract):
    @pytest.fixture(params=["new processes", *(["copies of this one"] if hasattr(os, "fork") else [])])
    def engine(
        self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[LocalEngine]:
        monkeypatch.setattr(local, "_may_fork", lambda: request.param != "new processes")
        with LocalEngine(2) as engine:
            yield engine


def test_a_process_in_which_something_else_runs_is_not_copied() -> None:
    program = (
        "import gc, threading\n"
        "from lastro.engine import local\n"
        "alone = local._may_fork()\n"
        "kept = gc.get_freeze_count() > 0\n"
        "gc.unfreeze()\n"
        "wait = threading.Event()\n"
        "threading.Thread(target=wait.wait).start()\n"
        "print(alone, kept, local._may_fork(), gc.get_freeze_count())\n"
        "wait.set()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    copies = sys.platform == "linux"
    assert done.stdout.split() == [str(copies), str(copies), "False", "0"]


def test_one_worker_is_this_process() -> None:
    made = list(LocalEngine(1).map(double, range(200), failed=failed))
    assert made == [(13, "ValueError") if n == UNLUCKY else n * 2 for n in range(200)]
    assert set(LocalEngine(1).map(lambda _: os.getpid(), range(200), failed=failed)) == {os.getpid()}


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_ends_it_without_a_worker_left() -> None:
    program = (
        "import os, signal, time\n"
        "from lastro.engine.local import LocalEngine\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def main():\n"
        "    results = LocalEngine(2).map(abs, range(100000), failed=lambda n, w: 0)\n"
        "    next(results)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    for _ in results: pass\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        main()\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
        "    import multiprocessing\n"
        "    print('left', len(multiprocessing.active_children()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "interrupted\nleft 0"
    assert done.stderr == ""
