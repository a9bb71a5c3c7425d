"""The worker beside the pages: replaced when it dies, gone when the pages go, and seen while it lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path
from typing import Any

from lastro.web import jobs, presence
from lastro.web.serving import Keeper
from lastro.web.settings import Site, demo_of, mark_demo
from tests.web.conftest import World, browser_of

_SLEEPS = [sys.executable, "-c", "import sys; sys.stdin.buffer.read()"]


def test_a_worker_that_dies_is_replaced_and_the_last_one_ends() -> None:
    keeper = Keeper(_SLEEPS, first_pause=0.01)
    first = keeper.process
    os.kill(first.pid, signal.SIGKILL)
    while keeper.process is first:
        threading.Event().wait(0.01)
    second = keeper.process
    assert second.poll() is None
    keeper.end()
    assert second.poll() is not None
    assert keeper.process is second, "nothing is started once the end was asked for"


def test_a_data_folder_remembers_that_it_is_a_demonstration(tmp_path: Path) -> None:
    assert demo_of(tmp_path) == (False, None)
    mark_demo(Site(tmp_path, today=date(2027, 3, 15)))
    assert demo_of(tmp_path) == (True, date(2027, 3, 15))
    mark_demo(Site(tmp_path))
    assert demo_of(tmp_path) == (True, None)


def test_the_pages_say_when_nobody_works(world: World, people: dict[str, Any]) -> None:
    browser = browser_of()
    assert "nenhum trabalhador ativo" in browser.get("/saude/").content.decode()
    here, there = presence.Presence(), presence.Presence()
    here.show()
    there.show()
    here.show()
    assert browser.get("/saude/").content == b"ok\n"
    here.end()
    assert presence.anybody()
    there.end()
    while presence.anybody():  # until the database has seen that the connection is gone
        pass
    job = jobs.ask(
        "upload", party=world.entities[0], person=people["preparer"], title="notas",
        asked={"norm": "mt/decreto_1455_2025", "year": 2026}, files=[("a.xml", b"<a/>")],
    )  # fmt: skip
    page = browser_of(people["preparer"]).get(f"/entidade/envios/{job.pk}/").content.decode()
    assert "Nenhum trabalhador ativo" in page


def test_a_worker_that_is_asked_to_end_ends_in_order(world: World) -> None:
    """By a signal and by the end of its standard input; without a word on standard error."""
    code = "import sys; from lastro.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "--data", str(world.data), "worker", "--while-stdin"]
    for end in ("signal", "stdin"):
        worker = subprocess.Popen(command, env=world.env, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        while not presence.anybody():
            assert worker.poll() is None
        if end == "signal":
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0
        assert worker.communicate(timeout=30)[1] == b""
        assert worker.returncode == 0
        while presence.anybody():
            pass
