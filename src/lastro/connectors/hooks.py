"""Telling a program of somebody else what happened here: a signed POST, to public addresses only.

The signature is that of the Standard Webhooks specification: HMAC-SHA256, in base64, over the message's id,
its moment and its body, with `webhook-id`, `webhook-timestamp` and `webhook-signature` in the headers. Who
receives checks it with the secret that was shown once, and refuses a moment that is not now.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import secrets
import socket
import ssl
from typing import Any
from urllib.parse import urlsplit

from lastro.connectors.faults import Unanswered
from lastro.connectors.transport import HttpsLine, Line, Request

_PREFIX = "whsec_"
SECONDS = 10
"""How long the other side has to answer."""

MOST_BYTES = 64 * 1024


def new_secret() -> str:
    """A secret of 256 bits, as the specification writes it."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(secret: str, *, message: str, moment: int, body: bytes) -> str:
    """The value of `webhook-signature`; `moment` is in seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    told = b".".join([message.encode(), str(moment).encode(), body])
    return "v1," + base64.b64encode(hmac.new(key, told, hashlib.sha256).digest()).decode()


def tell(line: Line, url: str, *, secret: str, message: str, moment: int, body: bytes) -> int:
    """Send a message; gives the status it was answered with. Raises Unanswered when no answer came."""
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "lastro",
        "webhook-id": message,
        "webhook-timestamp": str(moment),
        "webhook-signature": signature(secret, message=message, moment=moment, body=body),
    }
    return line.send(Request("POST", url, body, headers)).status


def line() -> HttpsLine:
    """A line that reaches public addresses only, checked at the moment it connects."""
    return HttpsLine(
        ssl.create_default_context(), seconds=SECONDS, most_bytes=MOST_BYTES, connect=_public_only
    )


def problem_of(url: str) -> str:
    """What is wrong with an address that somebody wants to be told at; empty when nothing is."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "O endereço não se lê."
    if parts.scheme != "https" or not parts.hostname:
        return "O endereço começa com https:// e diz o nome do servidor."
    if parts.username or parts.password:
        return "O endereço não leva usuário nem senha; a assinatura prova de quem vem a mensagem."
    if port not in (None, 443, 8443):
        return "A porta é a 443 ou a 8443."
    return ""


def _public_only(address: tuple[str, int], *given: Any, **named: Any) -> socket.socket:
    """Connect as usual, unless any address of the name is one of this machine or of its neighbours."""
    host, port = address
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not all(ipaddress.ip_address(one.partition("%")[0]).is_global for one in found):
        raise Unanswered(f"{host} não é um endereço público; não se fala com ele.", again=False)
    return socket.create_connection((found[0], port), *given, **named)  # the one that was looked at
