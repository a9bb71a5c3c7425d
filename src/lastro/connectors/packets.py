"""A document as SEFAZ hands it over: XML in gzip in base64 (docZip), opened without believing any size."""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass, field

_MB = 1024 * 1024
MOST_BYTES = 10 * _MB
"""A note has at most 500 kB by the manual (MOC); twenty times that is no note."""


@dataclass(frozen=True)
class Packet:
    """One numbered document of an establishment: its bytes, or the reason why there are none."""

    nsu: int
    schema: str
    data: bytes = field(default=b"", repr=False)
    problem: str = ""

    @property
    def kind(self) -> str:
        """What SEFAZ says it is, by the name of its schema: procNFe, resNFe, procEventoNFe, resEvento …"""
        name = self.schema.partition("_")[0]
        return name if name.isascii() and name.isalnum() and len(name) <= 40 else "desconhecido"


def opened(nsu: int, schema: str, text: str, *, most: int = MOST_BYTES) -> Packet:
    """Open one docZip. What cannot be opened whole is a packet with its problem, never part of a document."""
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return Packet(nsu, schema, problem="não é base64")
    machine = zlib.decompressobj(wbits=31)
    try:
        data = machine.decompress(raw, most + 1)
    except zlib.error:
        return Packet(nsu, schema, problem="não é gzip, ou o seu conteúdo foi alterado")
    if len(data) > most:
        return Packet(nsu, schema, problem=f"expande-se para mais de {most} bytes")
    if not machine.eof:
        return Packet(nsu, schema, problem="gzip cortado antes do fim")
    if machine.unused_data:
        return Packet(nsu, schema, problem="sobram bytes depois do fim do gzip")
    if not data:
        return Packet(nsu, schema, problem="vazio")
    return Packet(nsu, schema, data)
