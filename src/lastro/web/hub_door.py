"""The door of a hub or of a tag keeper: a few addresses that answer programs, apart from the pages.

Nothing here reads a cookie or shows a page: who asks is known by the signature in what is asked.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

import waitress

from lastro.errors import LastroError
from lastro.hub.batch import ENTRY, Batch
from lastro.hub.hub import Hub, HubRefuses
from lastro.hub.keeper import Keeper
from lastro.hub.people import Roster

_log = logging.getLogger("lastro.web.hub_door")

_MOST_BODY = 64 * 1024 * 1024

_LATER = "3600"
"""Seconds after which one who asked too often may ask again: quotas are of a day."""

_JSON = ("Content-Type", "application/json; charset=utf-8")
Start = Callable[[str, list[tuple[str, str]]], Any]
Environ = Mapping[str, Any]


@dataclass
class Limits:
    """How much one address may ask: requests a minute, and bytes of one request."""

    a_minute: int = 600
    bytes_most: int = 4 * 1024 * 1024
    monotonic: Callable[[], float] = time.monotonic
    _minute: int = field(default=-1, init=False)
    _seen: Counter[str] = field(default_factory=Counter, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def take(self, address: str) -> None:
        """Raises HubRefuses where an address asks more than its share of this minute."""
        with self._lock:
            minute = int(self.monotonic() // 60)
            if minute != self._minute:
                self._minute = minute
                self._seen.clear()
            self._seen[address] += 1
            if self._seen[address] > self.a_minute:
                raise HubRefuses("Pedidos demais deste endereço; espere um minuto.", status=429)


class Door:
    """A WSGI application over a hub, a keeper, or both."""

    def __init__(
        self,
        roster: Roster,
        *,
        today: Callable[[], date],
        hub: Hub | None = None,
        keeper: Keeper | None = None,
        limits: Limits | None = None,
    ) -> None:
        """`today` is asked at every request: quotas and vouchers are of days."""
        self._roster, self._today, self._limits = roster, today, limits or Limits()
        self._get: dict[str, Callable[[Mapping[str, str]], Any]] = {"/v1/roster": self._tell_roster}
        self._post: dict[str, Callable[[Any], Any]] = {}
        if hub is not None:
            self._get |= {
                "/v1/closing": lambda asked: {"closing": hub.closing().note},
                "/v1/consistency": lambda asked: {"consistency": hub.consistency(int(asked["from"]))},
            }
            self._post |= {
                "/v1/batches": lambda told: asdict(hub.take(Batch.of_json(told), day=today())),
                "/v1/answers": lambda told: hub.answer(told, day=today()),
            }
        if keeper is not None:
            self._post |= {
                "/v1/points": lambda told: keeper.answer(told, day=today()),
                "/v1/pseudonyms": lambda told: keeper.vouch(told, day=today()),
            }

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        try:
            status, told = 200, self._answer(environ)
        except HubRefuses as no:
            status, told = no.status, {"error": {"message": str(no)}}
        except Exception:
            _log.exception("um pedido não teve resposta")
            status, told = 500, {"error": {"message": "O serviço falhou; pergunte de novo mais tarde."}}
        body = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
        headers = [_JSON, ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
        if status == 429:
            headers.append(("Retry-After", _LATER))
        start(f"{status} {HTTPStatus(status).phrase}", headers)
        return [body]

    def _answer(self, environ: Environ) -> Any:
        self._limits.take(str(environ.get("REMOTE_ADDR", "")))
        path, method = str(environ.get("PATH_INFO", "")), str(environ["REQUEST_METHOD"])
        try:
            if method == "GET" and path in self._get:
                asked = parse_qs(str(environ.get("QUERY_STRING", "")))
                return self._get[path]({name: values[0] for name, values in asked.items()})
            if method == "POST" and path in self._post:
                return self._post[path](self._body(environ))
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise HubRefuses(
                "O pedido não tem os campos que se esperam; veja docs/hub.md.", status=400
            ) from wrong
        if path in self._get or path in self._post:
            raise HubRefuses("Este endereço atende a outro método.", status=405)
        raise HubRefuses("Não há nada neste endereço.", status=404)

    def _body(self, environ: Environ) -> Any:
        size = int(environ.get("CONTENT_LENGTH") or 0)
        most = max(self._limits.bytes_most, 2 * ENTRY * self._roster.size)
        if not 0 < size <= most:
            raise HubRefuses(f"Um pedido tem de 1 a {most} bytes.", status=413)
        return json.loads(environ["wsgi.input"].read(size))

    def _tell_roster(self, asked: Mapping[str, str]) -> Any:
        return {"roster": asdict(self._roster), "digest": self._roster.digest}


def serve(application: Any, *, host: str, port: int, threads: int, ready: Callable[[int], None]) -> None:
    """Answer requests until interrupted. Raises LastroError if the port is taken."""
    try:
        server = waitress.create_server(
            application, host=host, port=port, threads=threads, ident="lastro",
            max_request_body_size=_MOST_BODY, clear_untrusted_proxy_headers=True,
        )  # fmt: skip
    except OSError as wrong:
        raise LastroError(f"A porta {port} de {host} não está livre; use outra (--port).") from wrong
    ready(server.effective_port)
    server.run()


class ClosesInTime:
    """A hub's door that closes when so many seconds have passed since the last time, at the next request."""

    def __init__(
        self,
        door: Door,
        hub: Hub,
        *,
        every: float,
        today: Callable[[], date],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._door, self._hub, self._today = door, hub, today
        self._every, self._monotonic = every, monotonic
        self._last: float | None = None
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        with self._lock:
            now = self._monotonic()
            due = self._last is None or now - self._last >= self._every
            if due:
                self._last = now
        if due:
            self._hub.close(day=self._today())
        return self._door(environ, start)
