"""Waste manifests (MTR) from the web service that SINIR and the state systems share (manual de integração).

Everything comes in one envelope: `{mensagem, objetoResposta, totalRecords, erro}`. A token opens the other
routes and expires within the hour. Since August 2026 SINIR gives it in exchange for an integration token
that the company makes on the site (POST /token); state systems still take user, password and unit (POST
/gettoken).
Only routes that read are called here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from lastro.connectors.faults import Expired, Unanswered
from lastro.connectors.patience import Clock, expect_ok, patiently
from lastro.connectors.transport import Answer, Line, Request
from lastro.errors import LastroError

LISTS = ("Classe", "Unidade", "Tratamento", "EstadoFisico", "Acondicionamento", "Residuo")
_DIGITS = {"sinir": 12, "sigor": 10}
_TOKEN = re.compile(r"[\x21-\x7e]{1,8192}\Z")


@dataclass(frozen=True)
class Secret:
    """What opens the service: an integration token, or user (CNPJ or CPF), password and unit. Never shown."""

    integration: str = field(default="", repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    unit: str = field(default="", repr=False)

    def hidden(self, message: str) -> str:
        """The message without any of the secrets, should the service repeat them."""
        for one in (self.integration, self.password):
            message = message.replace(one, "***") if one else message
        return message


@dataclass(frozen=True)
class Manifest:
    """One manifest as the service gave it: JSON in UTF-8; or what the service said instead."""

    number: str
    body: bytes = field(default=b"", repr=False)
    problem: str = ""


class Manifests:
    """One MTR web service, as one company uses it. Raises Unanswered or LastroError."""

    def __init__(self, system: str, *, base: str, secret: Secret, line: Line, clock: Clock) -> None:
        self._system, self._base = system, base.rstrip("/")
        self._secret, self._line, self._clock = secret, line, clock
        self._host = urlsplit(base).hostname or base
        self._bearer = ""

    def manifest(self, number: str) -> Manifest:
        """One manifest by its number (12 digits at SINIR, 10 in the states)."""
        wanted = _DIGITS.get(self._system, 12)
        if not (number.isascii() and number.isdigit() and len(number) == wanted):
            return Manifest(number, problem=f"o número tem {wanted} algarismos")
        body, envelope = self._read(f"/retornaManifesto/{number}")
        if envelope.get("erro"):
            return Manifest(number, problem=self._said(envelope))
        if not _names(envelope.get("objetoResposta"), number):
            return Manifest(number, problem="a resposta não é deste manifesto")
        return Manifest(number, body)

    def listed(self, name: str) -> bytes:
        """One of the service's own lists (LISTS), as it gave it."""
        assert name in LISTS, "the service has no other list"
        body, envelope = self._read(f"/retornaLista{name}")
        if envelope.get("erro"):
            raise LastroError(f"{self._host}: {self._said(envelope)}")
        return body

    # ── one call ─────────────────────────────────────────────────────────────────────────────────────

    def _read(self, path: str) -> tuple[bytes, dict[str, Any]]:
        """Read a route, with a new token once where the service no longer takes the one at hand."""
        fresh = not self._bearer
        try:
            return patiently(lambda: self._once("GET", path), clock=self._clock)
        except Expired:
            if fresh:
                raise
        self._bearer = ""
        return patiently(lambda: self._once("GET", path), clock=self._clock)

    def _once(self, method: str, path: str) -> tuple[bytes, dict[str, Any]]:
        if not self._bearer:
            self._bearer = self._log_in()
        headers = {"Authorization": f"Bearer {self._bearer}", "Accept": "application/json"}
        answer = self._line.send(Request(method, self._base + path, headers=headers))
        if answer.status in (401, 403):
            raise Expired(
                f"{self._host}: o acesso não é mais aceito ({answer.status}); confira as credenciais."
            )
        body, envelope = self._envelope(answer)
        if envelope.get("erro") and _about_the_token(str(envelope.get("mensagem") or "")):
            raise Expired(f"{self._host}: {self._said(envelope)}")
        return body, envelope

    def _log_in(self) -> str:
        """A token of access. Raises LastroError when the service does not know who asks."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        body = b""
        if self._secret.integration:
            headers["Authorization"] = f"Bearer {self._secret.integration}"
            path = "/token"
        else:
            path = "/gettoken"
            body = json.dumps(
                {
                    "cpfCnpj": self._secret.user,
                    "senha": self._secret.password,
                    "unidade": self._secret.unit,
                }
            ).encode()
        answer = self._line.send(Request("POST", self._base + path, body, headers))
        if answer.status in (400, 401, 403, 404):
            raise LastroError(f"{self._host}: o serviço não aceitou as credenciais ({self._reason(answer)}).")
        _, envelope = self._envelope(answer)
        token = _token(envelope.get("objetoResposta"))
        if envelope.get("erro") or not token:
            raise LastroError(f"{self._host}: o serviço não deu acesso ({self._said(envelope)}).")
        return token

    def _envelope(self, answer: Answer) -> tuple[bytes, dict[str, Any]]:
        """The envelope, and its bytes in UTF-8. Raises Unanswered for anything else, a page with 200 too."""
        if answer.status not in (400, 404):
            expect_ok(answer, self._host)
        found = _decoded(answer.body)
        if found is None:
            again = answer.status < 300 or answer.status >= 500
            raise Unanswered(
                f"{self._host}: a resposta não é a do serviço (HTTP {answer.status}).", again=again
            )
        return found

    def _reason(self, answer: Answer) -> str:
        found = _decoded(answer.body)
        return f"{answer.status} {self._said(found[1])}" if found else str(answer.status)

    def _said(self, envelope: dict[str, Any]) -> str:
        """What the service says, short, on one line, with no secret in it."""
        words = " ".join(str(envelope.get("mensagem") or "sem mensagem").split())
        if self._bearer:
            words = words.replace(self._bearer, "***")
        return self._secret.hidden(words)[:200]


def _decoded(body: bytes) -> tuple[bytes, dict[str, Any]] | None:
    """The envelope in an answer and its bytes in UTF-8 (some send Latin-1); None for anything else."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = body.decode("cp1252", "replace")
    try:
        made = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(made, dict) or not ({"objetoResposta", "mensagem"} & made.keys()):
        return None
    return text.encode(), made


def _token(given: Any) -> str:
    """The token in a response: bare, behind the word Bearer, or in an object. Empty if there is none."""
    if isinstance(given, dict):
        given = given.get("token")
    if not isinstance(given, str):
        return ""
    token = given.removeprefix("Bearer").strip()
    return token if _TOKEN.match(token) else ""


def _about_the_token(message: str) -> bool:
    words = message.lower()
    return "token" in words and any(word in words for word in ("expir", "inválid", "invalid", "venc"))


def _names(given: Any, number: str) -> bool:
    """Whether the object (or the only one of a list) is of that manifest, by its national or state number."""
    if isinstance(given, list):
        given = given[0] if len(given) == 1 else None
    if not isinstance(given, dict):
        return False
    return number in (str(given.get("manNumero") or ""), str(given.get("manNumeroEstadual") or ""))
