"""A document as SEFAZ hands it over: XML in gzip in base64 (docZip), opened without believing any size."""

from __future__ import annotations

from dataclasses import dataclass, field

from lastro.evidence.packed import from_doc_zip

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
    taken = from_doc_zip(text, most=most)
    return Packet(nsu, schema, taken.data, taken.problem)
