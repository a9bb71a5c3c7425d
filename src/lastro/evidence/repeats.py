"""Which names come again in a run of any length, in little memory: only what comes again is ever gathered."""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Iterator
from typing import IO

_PARTS = 64
_HELD = 4_000_000
_HEAD = struct.Struct("<HI")


class Repeats:
    """A log of names, each with something said under it, kept by parts of which one fits in memory.

    What is held grows to a few megabytes and then goes to a temporary file, which `close` takes away.
    """

    def __init__(self) -> None:
        self._parts = [bytearray() for _ in range(_PARTS)]
        self._held = 0
        self._file: IO[bytes] | None = None
        self._extents: list[list[tuple[int, int]]] = [[] for _ in range(_PARTS)]

    def add(self, name: bytes, said: bytes) -> None:
        """Write down one name with what was said."""
        entry = _HEAD.pack(len(name), len(said)) + name + said
        self._parts[zlib.crc32(name) % _PARTS] += entry
        self._held += len(entry)
        if self._held > _HELD:
            self._put_away()

    def _put_away(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="lastro-")  # noqa: SIM115 (closed by `close`)
        at = self._file.seek(0, 2)
        for number, part in enumerate(self._parts):
            self._file.write(part)
            self._extents[number].append((at, len(part)))
            at += len(part)
            part.clear()
        self._held = 0

    def again(self) -> Iterator[tuple[bytes, list[bytes]]]:
        """Every name that came more than once, with all that was said under it, in the order it was said."""
        for number in range(_PARTS):
            first: dict[bytes, bytes] = {}
            more: dict[bytes, list[bytes]] = {}
            for name, said in self._said(number):
                if name in more:
                    more[name].append(said)
                elif name in first:
                    more[name] = [first[name], said]
                else:
                    first[name] = said
            yield from more.items()

    def _said(self, number: int) -> Iterator[tuple[bytes, bytes]]:
        for block in self._blocks(number):
            at = 0
            while at < len(block):
                name, said = _HEAD.unpack_from(block, at)
                at += _HEAD.size
                yield block[at : at + name], block[at + name : at + name + said]
                at += name + said

    def _blocks(self, number: int) -> Iterator[bytes]:
        for at, size in self._extents[number]:
            assert self._file is not None, "extents are of a file"
            self._file.seek(at)
            yield self._file.read(size)
        yield bytes(self._parts[number])

    def close(self) -> None:
        """Take the temporary file away."""
        if self._file is not None:
            self._file.close()
            self._file = None
