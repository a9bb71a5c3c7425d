"""What is claimed of a line, in a fixed number of bytes, and the names that only its claimants can make."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from lastro.hub.words import keyed
from lastro.units import Mass

_CLAIM = struct.Struct(">B14s14s32sHqq32s64sx")
CLAIM_BYTES = _CLAIM.size
_WHOLE = -1


class Said(IntEnum):
    """What an entity says of a line. A withdrawal holds for good."""

    CLAIMS = 1
    WITHDRAWS = 2


@dataclass(frozen=True, order=True)
class Line:
    """One line of one document, in one book: within a book a kilogram counts once."""

    key: str
    line: int
    book: str

    @property
    def era(self) -> str:
        """The year written in the key, by which keepers change their keys."""
        return f"20{self.key[2:4]}"

    @property
    def value(self) -> bytes:
        """What the keepers' function is asked about; they never see it."""
        return b"lastro hub line v1\0" + self.key.encode() + struct.pack(">I", self.line) + self.book.encode()


@dataclass(frozen=True)
class LineSecret:
    """What follows from all keepers' answers about a line: its tag, and the key of the boxes under it."""

    value: bytes

    @classmethod
    def of(cls, outputs: Sequence[bytes]) -> Self:
        """From the outputs of the function of each keeper, in the order of the roster."""
        assert outputs, "a tag needs at least one keeper"
        return cls(hashlib.sha512(b"lastro hub secret v1\0" + b"".join(outputs)).digest())

    @property
    def tag(self) -> bytes:
        return keyed(self.value, b"tag")

    @property
    def box_key(self) -> bytes:
        return keyed(self.value, b"box")


@dataclass(frozen=True)
class HubClaim:
    """What an entity says of a line: how much it claims (None: all of it), of how much, and in whose name.

    `content` is the digest of the note's signed content, `bound` the entity's signature over its pseudonym.
    """

    said: Said
    entity: str
    verifier: str
    norm: str
    year: int
    mass: Mass | None
    line_mass: Mass
    content: str
    bound: str

    @property
    def asked(self) -> Mass:
        """The mass that the claim takes of the line."""
        return self.line_mass if self.mass is None else self.mass

    def packed(self) -> bytes:
        """The claim in its fixed number of bytes."""
        mass = _WHOLE if self.mass is None else self.mass.mg
        return _CLAIM.pack(
            *(self.said, self.entity.encode(), self.verifier.encode(), self.norm.encode()),
            *(self.year, mass, self.line_mass.mg, bytes.fromhex(self.content), bytes.fromhex(self.bound)),
        )

    @classmethod
    def of_bytes(cls, data: bytes) -> HubClaim:
        """Read a claim. Raises ValueError where these bytes are none."""
        try:
            said, entity, verifier, norm, year, mass, line_mass, content, bound = _CLAIM.unpack(data)
        except struct.error as wrong:
            raise ValueError("not a claim") from wrong
        if line_mass < 0 or mass < _WHOLE:
            raise ValueError("a mass below zero")
        return cls(
            said=Said(said),
            entity=_text(entity),
            verifier=_text(verifier),
            norm=_text(norm),
            year=year,
            mass=None if mass == _WHOLE else Mass(mass),
            line_mass=Mass(line_mass),
            content=content.hex(),
            bound=bound.hex(),
        )


def _text(data: bytes) -> str:
    return data.rstrip(b"\0").decode()
