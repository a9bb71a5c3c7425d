"""The antivirus is asked in its own protocol, and whatever but a plain answer stops the run."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from lastro.connectors.clamd import VARIABLE, scanner
from lastro.errors import LastroError


@contextmanager
def clamd(answer: Callable[[bytes], bytes]) -> Iterator[str]:
    """A server that takes INSTREAM as clamd does; gives its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)

        def serve() -> None:
            while True:
                try:
                    line, _ = server.accept()
                except OSError:
                    return
                with line, line.makefile("rb") as read:
                    assert read.read(10) == b"zINSTREAM\0"
                    data = b""
                    while size := struct.unpack("!L", read.read(4))[0]:
                        data += read.read(size)
                    line.sendall(answer(data))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    thread.join(20)


def told(data: bytes) -> bytes:
    return b"stream: Teste.Nome FOUND\0" if b"virus" in data else b"stream: OK\0"


def test_what_it_finds_is_named_and_what_it_does_not_is_not() -> None:
    with clamd(told) as address:
        scan = scanner({VARIABLE: address})
        assert scan is not None
        assert (scan(b"um virus"), scan(b"<nota/>"), scan(b"")) == ("Teste.Nome", "", "")


def test_a_large_file_goes_in_parts() -> None:
    sizes: list[int] = []

    def counted(data: bytes) -> bytes:
        sizes.append(len(data))
        return b"stream: OK\0"

    with clamd(counted) as address:
        scan = scanner({VARIABLE: address})
        assert scan is not None
        assert scan(b"x" * 3_000_001) == ""
    assert sizes == [3_000_001]


@pytest.mark.parametrize("answer", [b"INSTREAM size limit exceeded. ERROR\0", b"", b"stream: \0"])
def test_any_other_answer_means_that_the_file_was_not_checked(answer: bytes) -> None:
    with clamd(lambda _: answer) as address:
        scan = scanner({VARIABLE: address})
        assert scan is not None
        with pytest.raises(LastroError, match="não conferiu"):
            scan(b"x")


def test_an_antivirus_that_is_not_there_is_said() -> None:
    scan = scanner({VARIABLE: "unix:/nada/que/exista"})
    assert scan is not None
    with pytest.raises(LastroError, match=VARIABLE):
        scan(b"x")


@pytest.mark.parametrize("address", ["clamd", "host:", ":3310", "host:porta"])
def test_an_address_that_is_none_is_said_at_once(address: str) -> None:
    with pytest.raises(LastroError, match="computador:porta"):
        scanner({VARIABLE: address})


def test_without_an_address_nothing_is_asked() -> None:
    assert scanner({}) is None
