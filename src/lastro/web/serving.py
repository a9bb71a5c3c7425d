"""The server of the pages and the worker beside it: one command is enough for both."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import waitress
from django.core.wsgi import get_wsgi_application

from lastro.errors import LastroError
from lastro.web import office
from lastro.web.settings import Site

_log = logging.getLogger("lastro.web.serving")

_MOST_BODY = 110 * 1024 * 1024
_MOST_VISITORS = 1_000
"""Browsers keep their connections open: the server's own bound of a hundred would make others wait."""


def serve(
    site: Site, *, host: str, port: int, threads: int, worker: bool, proxy: str = "", ready: Any = None
) -> None:
    """Answer requests until interrupted; with a worker of its own unless told otherwise.

    `proxy` is the address of the server in front, if there is one: what it says of the visitor is believed.
    `ready` is called with the port once requests are answered. Raises LastroError if the port is taken.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it would tell of every request that waits
    with office.opened(site):
        application = get_wsgi_application()
        try:
            server = waitress.create_server(
                application, host=host, port=port, threads=threads, ident="lastro",
                max_request_body_size=_MOST_BODY, connection_limit=_MOST_VISITORS,
                asyncore_use_poll=hasattr(select, "poll"), **_in_front(proxy),
            )  # fmt: skip
        except OSError as wrong:
            raise LastroError(f"A porta {port} de {host} não está livre; use outra (--port).") from wrong
        # What is printed on certificates leads to these pages, unless a public address is known.
        os.environ.setdefault("LASTRO_PUBLIC_URL", f"http://{host}:{server.effective_port}")
        with _worker(site) if worker else _nothing():
            if ready is not None:
                ready(server.effective_port)
            signal.signal(signal.SIGTERM, _leave)
            server.run()


def _in_front(proxy: str) -> dict[str, Any]:
    """Whose word is taken on who asks and how: the named server's, else nobody's."""
    believed: dict[str, Any] = {"clear_untrusted_proxy_headers": True}
    if proxy:
        said = {"x-forwarded-for", "x-forwarded-proto"}
        believed |= {"trusted_proxy": proxy, "trusted_proxy_count": 1, "trusted_proxy_headers": said}
    return believed


def _leave(number: int, frame: object) -> None:
    """Asked to end: as if by Ctrl-C, so that the worker and the database are left in order."""
    raise SystemExit(0)


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _worker(site: Site) -> Iterator[None]:
    """A worker in a process of its own, for as long as the pages are served; one that dies is replaced."""
    keeper = Keeper(worker_command(site))
    try:
        yield
    finally:
        keeper.end()


class Keeper:
    """Keeps one process alive: started again when it dies, each time after a longer pause."""

    def __init__(self, command: Sequence[str], *, first_pause: float = 1, longest_pause: float = 60) -> None:
        self._command, self._pauses = command, (first_pause, longest_pause)
        self._ending, self._lock = threading.Event(), threading.Lock()
        self.process = self._start()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command, stdin=subprocess.PIPE)

    def _watch(self) -> None:
        first, longest = self._pauses
        pause = first
        while True:
            began = time.monotonic()
            code = self.process.wait()
            if time.monotonic() - began > longest:
                pause = first  # it had worked for a while
            if self._ending.is_set():
                return
            _log.error("o trabalhador morreu (%s); outro começa em %s s", code, pause)
            if self._ending.wait(pause):
                return
            pause = min(pause * 2, longest)
            with self._lock:
                if self._ending.is_set():
                    return
                self._close_pipe()
                self.process = self._start()

    def _close_pipe(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()

    def end(self) -> None:
        """Have the process end, and wait for it; after twenty seconds it is ended by force."""
        with self._lock:
            self._ending.set()
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._thread.join()
        self._close_pipe()


def worker_command(site: Site) -> Sequence[str]:
    """How a worker for the same data is started."""
    code = "import sys; from lastro.cli import main; sys.exit(main())"
    day = ["--today", site.today.isoformat()] if site.today else []
    return [sys.executable, "-c", code, "--data", str(site.data), *day, "worker", "--while-stdin"]


def _stop_at_end(stop: threading.Event) -> None:
    """Wait for the end of standard input by its number: a reader of sys.stdin would hold its lock at exit."""
    while os.read(0, 4096):
        pass
    stop.set()


def work(site: Site, *, while_stdin: bool) -> None:
    """Take jobs until asked to stop; the job in hand is finished first, a second request does not wait.

    `while_stdin`: also stop when standard input ends, as it does when whoever started this is gone.
    """
    stop = threading.Event()
    if while_stdin:
        threading.Thread(target=_stop_at_end, args=(stop,), daemon=True).start()

    def asked(number: int, frame: object) -> None:
        if stop.is_set():
            sys.exit(1)
        stop.set()

    with office.opened(site):
        signal.signal(signal.SIGTERM, asked)
        signal.signal(signal.SIGINT, asked)
        from lastro.web import jobs  # models stand only once the application is set up

        jobs.work(stop)
