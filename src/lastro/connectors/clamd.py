"""An antivirus that runs beside this program is asked about each file handed in (ClamAV's clamd, INSTREAM).

Comes in: the address in LASTRO_CLAMD, `unix:/caminho` or `computador:porta`. Goes out: a function from bytes
to the name of what was found, empty where nothing was. Nothing is asked unless an address is set.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Callable, Mapping

from lastro.errors import LastroError

VARIABLE = "LASTRO_CLAMD"
_CHUNK = 1024 * 1024
_MOST_ANSWER = 4096

Scan = Callable[[bytes], str]


def scanner(environ: Mapping[str, str], *, seconds: int = 60) -> Scan | None:
    """What asks the antivirus that the environment names; None where it names none. Raises LastroError."""
    address = environ.get(VARIABLE, "").strip()
    if not address:
        return None
    place, where = _place(address)
    return lambda data: _asked(place, where, data, seconds)


def configured() -> Scan | None:
    """What asks the antivirus that this process's environment names. Raises LastroError if it is wrong."""
    return scanner(os.environ)


def _place(address: str) -> tuple[socket.AddressFamily, str | tuple[str, int]]:
    if address.startswith("unix:"):
        return socket.AF_UNIX, address.removeprefix("unix:")
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit():
        raise LastroError(f"{VARIABLE} deve ser unix:/caminho ou computador:porta, e é {address!r}.")
    return socket.AF_INET, (host, int(port))


def _asked(family: socket.AddressFamily, where: str | tuple[str, int], data: bytes, seconds: int) -> str:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as line:
            line.settimeout(seconds)
            line.connect(where)
            line.sendall(b"zINSTREAM\0")
            for at in range(0, len(data), _CHUNK):
                part = data[at : at + _CHUNK]
                line.sendall(struct.pack("!L", len(part)) + part)
            line.sendall(struct.pack("!L", 0))
            answer = _answer(line)
    except OSError as wrong:
        raise _silent(where, wrong.strerror or type(wrong).__name__) from wrong
    return _told(answer, where)


def _answer(line: socket.socket) -> str:
    read = b""
    while not read.endswith(b"\0") and len(read) < _MOST_ANSWER:
        part = line.recv(_MOST_ANSWER)
        if not part:
            break
        read += part
    return read.rstrip(b"\0").decode("utf-8", "replace")


def _told(answer: str, where: object) -> str:
    """`stream: OK`, or `stream: NAME FOUND`; whatever else it says, the file was not checked."""
    said = answer.removeprefix("stream: ")
    if said == "OK":
        return ""
    if said.endswith(" FOUND"):
        return said.removesuffix(" FOUND")
    raise _silent(where, answer or "sem resposta")


def _silent(where: object, what: str) -> LastroError:
    return LastroError(
        f"O antivírus configurado em {VARIABLE} ({where}) não conferiu um arquivo: {what}. Ligue-o, aumente "
        "o StreamMaxLength dele para 20 MB, ou retire a variável para seguir sem antivírus."
    )
