"""Documents that come packed: XML in gzip, by itself or in base64 inside SEFAZ's answers (docZip).

What is packed is opened without believing any size, and whole or not at all.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass, field

from lastro.evidence.elements import local
from lastro.evidence.fields import text
from lastro.evidence.read import Unreadable, root_of

GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Unpacked:
    """What was in a package: its bytes, or the reason why there are none; `too_large` where that is it."""

    data: bytes = field(default=b"", repr=False)
    problem: str = ""
    too_large: bool = False


def gunzip(packed: bytes, *, most: int) -> Unpacked:
    """What one gzip holds, up to so many bytes; never a part of it."""
    machine = zlib.decompressobj(wbits=31)
    try:
        data = machine.decompress(packed, most + 1)
    except zlib.error:
        return Unpacked(problem="não é gzip, ou o seu conteúdo foi alterado")
    if len(data) > most:
        return Unpacked(problem=f"expande-se para mais de {most} bytes", too_large=True)
    if not machine.eof:
        return Unpacked(problem="gzip cortado antes do fim")
    if machine.unused_data:
        return Unpacked(problem="sobram bytes depois do fim do gzip")
    return Unpacked(data) if data else Unpacked(problem="vazio")


def from_doc_zip(written: str, *, most: int) -> Unpacked:
    """What one docZip holds: gzip, written in base64."""
    try:
        packed = base64.b64decode("".join(written.split()), validate=True)
    except (binascii.Error, ValueError):
        return Unpacked(problem="não é base64")
    return gunzip(packed, most=most)


def may_hold_doc_zips(data: bytes) -> bool:
    """Whether bytes may be SEFAZ's answer of a distribution, bare or in its envelope; cheap to ask of any.

    What begins as an authorised note, as nearly every file does, is none.
    """
    return b"<nfeProc" not in data[:200] and b"retDistDFeInt" in data[:3000]


def doc_zips(data: bytes) -> list[tuple[str, str]]:
    """Each docZip of an answer: its number (NSU) as written, and its text; none where it cannot be read."""
    try:
        root = root_of(data)
    except Unreadable:
        return []
    return [(e.get("NSU") or "", text(e)) for e in root.iter() if local(e) == "docZip"]
