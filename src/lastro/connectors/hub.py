"""The way to a hub and its tag keepers over HTTP: what is refused is told, what is lost may be said again."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from lastro.connectors.faults import Unanswered
from lastro.connectors.transport import Answer, Line, Request
from lastro.hub.hub import HubRefuses
from lastro.hub.member import NoWord

_AT_HOME = ("127.0.0.1", "localhost", "::1")
_HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


class HttpWire:
    """Asks a hub and keepers by their addresses; `keepers` are by the name that the roster gives them."""

    def __init__(self, line: Line, *, hub: str, keepers: Mapping[str, str]) -> None:
        self._line, self._hub, self._keepers = line, hub.rstrip("/"), dict(keepers)

    def points(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._post(self._keeper(keeper), "/v1/points", asked)

    def vouch(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._post(self._keeper(keeper), "/v1/pseudonyms", asked)

    def take(self, batch: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._post(self._hub, "/v1/batches", batch)

    def answer(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._post(self._hub, "/v1/answers", asked)

    def _keeper(self, name: str) -> str:
        address = self._keepers.get(name)
        if not address:
            raise NoWord(f"Falta o endereço do guardião {name} (--keeper {name}=https://…).")
        return address.rstrip("/")

    def _post(self, address: str, path: str, value: Mapping[str, Any]) -> Mapping[str, Any]:
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            answer = self._line.send(Request("POST", f"{address}{path}", body, _HEADERS))
        except Unanswered as wrong:
            raise NoWord(str(wrong)) from wrong
        host = urlsplit(address).netloc
        try:
            told = json.loads(answer.body)
        except ValueError as wrong:
            raise NoWord(f"{host}: a resposta ({answer.status}) não se lê.") from wrong
        if not isinstance(told, dict):
            raise NoWord(f"{host}: a resposta ({answer.status}) não é um objeto.")
        if 200 <= answer.status < 300:
            return told
        if 400 <= answer.status < 500:
            said = told.get("error")
            message = said.get("message") if isinstance(said, dict) else ""
            raise HubRefuses(f"{host}: {message or answer.status}", status=answer.status)
        raise NoWord(f"{host}: o serviço respondeu {answer.status}.")


class HomeLine:
    """A line that leaves `http` to servers of this computer alone, and gives the rest to another line."""

    def __init__(self, other: Line, *, seconds: int = 60) -> None:
        self._other, self._seconds = other, seconds

    def send(self, request: Request) -> Answer:
        """The answer, whatever its status. Raises Unanswered; `http` to elsewhere is never used."""
        parts = urlsplit(request.url)
        if parts.scheme != "http":
            return self._other.send(request)
        if parts.hostname not in _AT_HOME:
            raise Unanswered(f"{parts.hostname}: fora deste computador o endereço é https.", again=False)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=self._seconds)
        try:
            connection.request(
                request.method, parts.path or "/", body=request.body, headers=dict(request.headers)
            )
            response = connection.getresponse()
            return Answer(response.status, response.read(), response.headers.get("Retry-After") or "")
        except (OSError, http.client.HTTPException) as wrong:
            raise Unanswered(f"{parts.netloc}: sem resposta ({type(wrong).__name__}).", again=True) from wrong
        finally:
            connection.close()
