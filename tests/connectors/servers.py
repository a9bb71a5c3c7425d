"""Services that speak the protocols on this machine: TLS of our authority, client certificate demanded."""

from __future__ import annotations

import base64
import gzip
import ipaddress
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import NameOID

from lastro.connectors.patience import Clock
from tests.evidence import vectors

NFE = "http://www.portalfiscal.inf.br/nfe"
PASSWORD = "senha de teste"
START = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class Given:
    """A request as it came in."""

    method: str
    path: str
    body: str
    headers: dict[str, str]
    client: str


@dataclass
class Reply:
    """What a service answers; `hang` waits until the test is over, `cut` sends less than it announced."""

    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: int = 0


Script = Callable[[Given], Reply]


class Service:
    """A running service: what it was asked, and where it is."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[Given] = []
        self.script: Script = lambda given: Reply(status=404)

    def in_turn(self, *replies: Reply) -> None:
        """Answer with these, one after another; the last one for ever."""
        left = list(replies)
        self.script = lambda given: left.pop(0) if len(left) > 1 else left[0]


def _server_certificate(folder: Path, *, name: str, issuer: str) -> Path:
    """A certificate for this machine, with its key, in one PEM file."""
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(vectors.key(name).public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2025, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2049, 12, 31, tzinfo=UTC))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(vectors.key(issuer), hashes.SHA256())
    )
    path = folder / "servidor.pem"
    key = vectors.key(name).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(key + made.public_bytes(Encoding.PEM))
    return path


@contextmanager
def service(folder: Path, *, issuer: str = "Raiz TESTE", client: bool = True) -> Iterator[Service]:
    """Run a service on this machine; with `client` it demands a certificate under our own authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_server_certificate(folder, name="127.0.0.1", issuer=issuer))
    if client:
        context.verify_mode = ssl.CERT_REQUIRED
        for der in vectors.TRUST:
            context.load_verify_locations(cadata=der)
    over = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    running = Service(f"https://127.0.0.1:{server.server_address[1]}")
    server.RequestHandlerClass = _handler(running, over)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that breaks off is expected
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(running: Service, over: threading.Event) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            shown: Any = self.connection.getpeercert() or {}  # type: ignore[attr-defined]
            names = dict(pair for part in shown.get("subject", ()) for pair in part)
            given = Given(
                self.command, self.path, body, dict(self.headers.items()), names.get("commonName", "")
            )
            running.asked.append(given)
            reply = running.script(given)
            if reply.hang:
                over.wait(60)
                return
            data = reply.body.encode() if isinstance(reply.body, str) else reply.body
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data) + reply.cut))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _answer  # noqa: N815

        def log_message(self, *_: Any) -> None:
            """A test says what it saw by itself."""

    return Handler


# ── who asks, and when ───────────────────────────────────────────────────────────────────────────────


def p12(owner: str = vectors.ENTITY, *, password: str = PASSWORD, known: bool = True) -> bytes:
    """An invented company's PKCS#12; under another authority when not `known`."""
    if known:
        made, above = vectors.signer(owner), [vectors.intermediate()]
    else:
        made, above = vectors.certificate("Desconhecida TESTE", cnpj=owner), None
    key = vectors.key("Desconhecida TESTE" if not known else f"Empresa {owner}")
    return pkcs12.serialize_key_and_certificates(
        b"teste", key, made, above, BestAvailableEncryption(password.encode())
    )


class FakeTime:
    """A clock that only sleeping moves."""

    def __init__(self, now: datetime = START) -> None:
        self.at = now
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += timedelta(seconds=seconds)

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, sleep=self.sleep, jitter=lambda: 1.0)


# ── messages ─────────────────────────────────────────────────────────────────────────────────────────


def soap(message: str, *, service: str = "NFeConsultaProtocolo4") -> str:
    """A message in the envelope of a service."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><soap:Envelope '
        'xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>'
        f'<nfeResultMsg xmlns="{NFE}/wsdl/{service}">{message}</nfeResultMsg></soap:Body></soap:Envelope>'
    )


def standing(
    key: str,
    status: str = "100",
    *,
    digest: str = "",
    events: str = "",
    environment: str = "1",
    protocol_key: str = "",
    reason: str = "Situação",
) -> str:
    """retConsSitNFe in its envelope."""
    protocol = (
        f'<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>{protocol_key or key}</chNFe>'
        f"<digVal>{digest}</digVal><cStat>100</cStat><xMotivo>Autorizado</xMotivo></infProt></protNFe>"
        if digest
        else ""
    )
    return soap(
        f'<retConsSitNFe xmlns="{NFE}" versao="4.00"><tpAmb>{environment}</tpAmb><verAplic>t</verAplic>'
        f"<cStat>{status}</cStat><xMotivo>{reason} {status}</xMotivo><cUF>51</cUF>"
        f"<chNFe>{key}</chNFe>{protocol}{events}</retConsSitNFe>"
    )


def zipped(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def batch(
    *packets: tuple[int, str, bytes | str], last: int, highest: int, status: str = "", environment: str = "1"
) -> str:
    """retDistDFeInt in its envelope; a packet is (NSU, schema, bytes to compress or base64 as it stands)."""
    inside = "".join(
        f'<docZip NSU="{nsu:015d}" schema="{schema}">{zipped(b) if isinstance(b, bytes) else b}</docZip>'
        for nsu, schema, b in packets
    )
    lot = f"<loteDistDFeInt>{inside}</loteDistDFeInt>" if inside else ""
    status = status or ("138" if packets else "137")
    return soap(
        f'<nfeDistDFeInteresseResult><retDistDFeInt xmlns="{NFE}" versao="1.01"><tpAmb>{environment}</tpAmb>'
        f"<verAplic>t</verAplic><cStat>{status}</cStat><xMotivo>Motivo {status}</xMotivo>"
        f"<dhResp>2026-11-30T09:00:00-03:00</dhResp><ultNSU>{last:015d}</ultNSU>"
        f"<maxNSU>{highest:015d}</maxNSU>{lot}</retDistDFeInt></nfeDistDFeInteresseResult>",
        service="NFeDistribuicaoDFe",
    )
