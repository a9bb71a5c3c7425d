"""One HTTPS request and its answer: the server verified, time and size bounded, no redirect followed.

Neither a request's body nor its headers ever stand in an error or a representation: they carry secrets.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from lastro.connectors.faults import Unanswered

_CHUNK = 65536
_MB = 1024 * 1024


@dataclass(frozen=True)
class Request:
    """What is asked of an address."""

    method: str
    url: str
    body: bytes = field(default=b"", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Answer:
    """What came back, whole."""

    status: int
    body: bytes = field(repr=False)
    retry_after: str = ""


class Line(Protocol):
    """Sends a request and gives the answer, whatever its status. Raises Unanswered when none came."""

    def send(self, request: Request) -> Answer: ...


class HttpsLine:
    """A line to HTTPS servers: a connection for each request, since they are few and far between."""

    def __init__(
        self,
        context: ssl.SSLContext,
        *,
        seconds: int = 60,
        most_bytes: int = 20 * _MB,
        monotonic: Callable[[], float] = time.monotonic,
        connect: Callable[..., socket.socket] = socket.create_connection,
    ) -> None:
        """`seconds` bound each wait and the whole answer, `most_bytes` its size; `connect` opens sockets."""
        self._connect = connect
        self._context, self._seconds = context, seconds
        self._most, self._monotonic = most_bytes, monotonic

    def send(self, request: Request) -> Answer:
        """The answer, whatever its status. Raises Unanswered; what TLS refuses is never asked again."""
        parts = urlsplit(request.url)
        assert parts.scheme == "https", "an address is https"
        assert parts.hostname, "an address names a host"
        target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        connection = http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=self._seconds, context=self._context
        )
        connection._create_connection = self._connect  # type: ignore[attr-defined]
        try:
            connection.request(
                request.method, target, body=request.body or None, headers=dict(request.headers)
            )
            return self._whole(connection, parts.hostname)
        except ssl.SSLCertVerificationError as wrong:
            raise Unanswered(
                f"{parts.hostname}: o certificado do servidor não confere ({wrong.verify_message}); não se "
                "pergunta a quem não se conhece. Se a raiz é da ICP-Brasil, some-a com lastro trust add.",
                again=False,
            ) from wrong
        except ssl.SSLError as wrong:
            raise _refused(parts.hostname, wrong) from wrong
        except TimeoutError as wrong:
            raise Unanswered(f"{parts.hostname}: sem resposta em {self._seconds} s.", again=True) from wrong
        except ConnectionError as wrong:
            raise _broken_off(parts.hostname, type(wrong).__name__) from wrong
        except (OSError, http.client.HTTPException) as wrong:
            why = type(wrong).__name__
            raise Unanswered(f"{parts.hostname}: a conexão não se completou ({why}).", again=True) from wrong
        finally:
            connection.close()

    def _whole(self, connection: http.client.HTTPSConnection, host: str) -> Answer:
        """Read the answer to its end, or to the limit of size or time, whichever comes first."""
        deadline = self._monotonic() + self._seconds
        response = connection.getresponse()
        parts, size = [], 0
        while chunk := response.read1(_CHUNK):
            parts.append(chunk)
            size += len(chunk)
            if size > self._most:
                raise Unanswered(f"{host}: a resposta passa de {self._most} bytes.", again=False)
            if self._monotonic() > deadline:
                raise TimeoutError
        if response.length:  # fewer bytes came than were announced; read1 does not say so
            raise http.client.IncompleteRead(b"", response.length)
        return Answer(response.status, b"".join(parts), response.headers.get("Retry-After") or "")


def _refused(host: str, wrong: ssl.SSLError) -> Unanswered:
    """What a TLS alert means: most often the server wants another client certificate."""
    reason = wrong.reason or type(wrong).__name__
    if "ALERT" in reason:
        return Unanswered(
            f"{host}: o servidor recusou o certificado de cliente ({reason}); use um e-CNPJ válido da "
            "ICP-Brasil, dentro da validade.",
            again=False,
        )
    if isinstance(wrong, ssl.SSLEOFError):
        return _broken_off(host, "EOF")
    return Unanswered(f"{host}: a conexão segura falhou ({reason}).", again=False)


def _broken_off(host: str, why: str) -> Unanswered:
    """The other side hung up. In TLS 1.3 that may be all one hears when it does not take a certificate."""
    return Unanswered(
        f"{host}: o servidor encerrou a conexão ({why}); talvez não aceite o certificado de cliente.",
        again=True,
    )
