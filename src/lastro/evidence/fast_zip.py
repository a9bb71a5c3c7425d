"""A plain member of a zip read in one go, where the language's own reader would give the same bytes.

That reader prepares for members of any size, read by pieces, and takes as long to open a small one as to
inflate it. Here the list that it made of a zip is believed, and a member is taken whole if nothing about it
is unusual: its header stands where the list says and bears the same name, it ends before the next one
begins, and it inflates to the size and the check sum of the list, with no byte left. Else nothing is said.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from bisect import bisect_right
from typing import IO

_HEADER = 30
_HELD = 16 * 1024 * 1024
_USUAL_EXTRA = 64
"""How many bytes of extra fields a member's own header usually holds at most."""
_USUAL_FLAGS = 0x0002 | 0x0004 | 0x0008 | 0x0800
"""How it was deflated, sizes that follow it, a name in UTF-8: nothing that changes how it is read."""


class Members:
    """The members of one opened zip, listed by the language's own reader."""

    def __init__(self, archive: zipfile.ZipFile, opened: IO[bytes]) -> None:
        self._opened = opened
        self._whole = _whole(opened)
        self._starts = sorted(entry.header_offset for entry in archive.infolist())
        self._starts.append(archive.start_dir)

    def read(self, entry: zipfile.ZipInfo) -> bytes | None:
        """The bytes of a member; None where it has to be read the usual way."""
        usual = entry.compress_type in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)
        if not usual or entry.flag_bits & ~_USUAL_FLAGS or not entry.orig_filename.isascii():
            return None
        raw = self._raw(entry)
        if raw is None:
            return None
        data: bytes | None = raw
        if entry.compress_type == zipfile.ZIP_DEFLATED:
            data = _inflated(raw, entry.file_size)
        if data is None or len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            return None
        return data

    def _raw(self, entry: zipfile.ZipInfo) -> bytes | None:
        """What stands in the zip for a member, if its own header says what the list says."""
        start, name = entry.header_offset, entry.orig_filename.encode("ascii")
        at = bisect_right(self._starts, start)
        if at == len(self._starts) or (at > 1 and self._starts[at - 2] == start):
            return None
        found = self._bytes(start, _HEADER + len(name) + _USUAL_EXTRA + entry.compress_size)
        if len(found) < _HEADER or found[:4] != b"PK\x03\x04" or found[_HEADER : _HEADER + len(name)] != name:
            return None
        length, extra = found[26] | found[27] << 8, found[28] | found[29] << 8
        first = _HEADER + length + extra
        last = first + entry.compress_size
        if length != len(name) or last > len(found) or start + last > self._starts[at]:
            return None
        return found[first:last]

    def _bytes(self, start: int, size: int) -> bytes:
        if self._whole is not None:
            return self._whole[start : start + size]
        try:
            self._opened.seek(start)
            return self._opened.read(size)
        except (OSError, ValueError):
            return b""


def _whole(opened: IO[bytes]) -> bytes | None:
    """A zip of usual size, read once; None for a large one, of which each member is read by itself."""
    size = opened.seek(0, os.SEEK_END)
    if size > _HELD:
        return None
    opened.seek(0)
    return opened.read(_HELD)


def _inflated(raw: bytes, size: int) -> bytes | None:
    """What so many bytes were deflated to, where that is all and not more than is said."""
    inflating = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = inflating.decompress(raw, size + 1)
    except zlib.error:
        return None
    return data if inflating.eof and not inflating.unused_data else None
