"""Calls to programs of others: signed as the specification says, and to public addresses only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import socket

import pytest

from lastro.connectors import hooks
from lastro.connectors.faults import Unanswered
from lastro.connectors.transport import Answer, Request


class Heard:
    """A line that keeps what is sent."""

    def __init__(self, status: int = 204) -> None:
        self.status, self.requests = status, list[Request]()

    def send(self, request: Request) -> Answer:
        self.requests.append(request)
        return Answer(self.status, b"")


def test_a_call_is_signed_over_id_moment_and_body() -> None:
    secret, line = hooks.new_secret(), Heard()
    status = hooks.tell(
        line, "https://x.example/a", secret=secret, message="msg_7", moment=1_700_000_000, body=b'{"a":1}'
    )
    (sent,) = line.requests
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = hmac.new(key, b'msg_7.1700000000.{"a":1}', hashlib.sha256).digest()
    assert status == 204
    assert len(key) == 32
    assert sent.headers["webhook-signature"] == "v1," + base64.b64encode(wanted).decode()
    assert (sent.headers["webhook-id"], sent.headers["webhook-timestamp"]) == ("msg_7", "1700000000")
    assert (sent.method, sent.body) == ("POST", b'{"a":1}')


def test_another_secret_or_moment_gives_another_signature() -> None:
    one, two = hooks.new_secret(), hooks.new_secret()
    made = {
        hooks.signature(secret, message="m", moment=moment, body=body)
        for secret in (one, two)
        for moment in (1, 2)
        for body in (b"a", b"b")
    }
    assert len(made) == 8


@pytest.mark.parametrize(
    "url",
    [
        *("http://x.example/", "ftp://x.example/", "https://", "https://u:p@x.example/", "x.example"),
        *("https://x.example:22/", "https://[::1", ""),
    ],
)
def test_an_address_that_is_no_good_is_told(url: str) -> None:
    assert hooks.problem_of(url)


def test_a_plain_address_is_taken() -> None:
    assert not hooks.problem_of("https://x.example/lastro")
    assert not hooks.problem_of("https://x.example:8443/lastro")


@pytest.mark.parametrize(
    "number", ["127.0.0.1", "10.1.2.3", "192.168.0.9", "169.254.169.254", "::1", "fe80::1%2", "0.0.0.0"]
)
def test_this_machine_and_its_neighbours_are_never_called(
    number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    found = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443)),
        (family, socket.SOCK_STREAM, 6, "", (number, 443)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: found)
    reached = list[object]()
    monkeypatch.setattr(socket, "create_connection", lambda *a, **k: reached.append(a))
    with pytest.raises(Unanswered, match="não é um endereço público"):
        hooks.line().send(Request("POST", "https://x.example/"))
    assert not reached


def test_what_was_looked_at_is_what_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def resolve(host: str, port: int, **given: object) -> list[object]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port))]

    reached = list[tuple[str, int]]()

    def connect(address: tuple[str, int], *given: object, **named: object) -> socket.socket:
        reached.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Unanswered):
        hooks.line().send(Request("POST", "https://x.example/"))
    assert (asked, reached) == (["x.example"], [("93.184.216.34", 443)])
