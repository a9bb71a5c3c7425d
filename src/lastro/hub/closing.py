"""What the hub signs: receipts for batches, and closings that bind its log and its map in one note.

A closing is a checkpoint in the form of a signed note: origin, size and root of the log, the map's root, the
day; and a signature line. Whoever has two closings of one size that differ holds the proof that the hub lied.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lastro.hub.words import b64, public_of, sign, signed_by, unb64
from lastro.publiclog.notes import key_id

_DASH = "— "


@dataclass(frozen=True)
class Receipt:
    """The hub's word that it took a batch on a day and put it into its log at a place."""

    batch: str
    digest: str
    index: int
    day: str
    signature: str = ""

    def said(self) -> dict[str, Any]:
        return {"batch": self.batch, "digest": self.digest, "index": self.index, "day": self.day}

    def good(self, hub: str) -> bool:
        """Whether the hub signed it."""
        return signed_by(hub, "receipt", self.said(), self.signature)


def receipt(secret: bytes, *, batch: str, digest: str, index: int, day: str) -> Receipt:
    """Sign a receipt, as the hub."""
    plain = Receipt(batch, digest, index, day)
    return Receipt(batch, digest, index, day, sign(secret, "receipt", plain.said()))


def batch_leaf(digest: str) -> bytes:
    """What stands in the log for a batch."""
    return b"lastro hub batch " + digest.encode()


def answer_leaf(digest: str) -> bytes:
    """What stands in the log for an answer that told of meetings."""
    return b"lastro hub answer " + digest.encode()


@dataclass(frozen=True)
class Closing:
    """How the hub stood at a closing: log and map."""

    origin: str
    size: int
    root: bytes
    tags: bytes
    day: str
    note: str

    def good(self, hub: str) -> bool:
        """Whether the hub signed it."""
        text, _, mark = self.note.partition(f"\n\n{_DASH}{self.origin} ")
        try:
            signed = unb64(mark.rstrip("\n"))
            key = bytes.fromhex(hub)
            Ed25519PublicKey.from_public_bytes(key).verify(signed[4:], text.encode() + b"\n")
        except (ValueError, InvalidSignature):
            return False
        return signed[:4] == key_id(self.origin, key)

    @classmethod
    def of_note(cls, note: str) -> Closing:
        """Read a closing. Raises ValueError where it is none."""
        lines = note.split("\n\n")[0].split("\n")
        if len(lines) != 5 or not note.endswith("\n"):
            raise ValueError("not a closing")
        origin, size, root, tags, day = lines
        read = cls(origin, int(size), _hash(root), _hash(tags), day, note)
        if _text(read) != note.split("\n\n")[0] + "\n":
            raise ValueError("not the one spelling of a closing")
        return read


def close(secret: bytes, *, origin: str, size: int, roots: tuple[bytes, bytes], day: str) -> Closing:
    """Sign a closing, as the hub; `roots` are those of the log and of the map."""
    text = _text(Closing(origin, size, roots[0], roots[1], day, ""))
    signature = Ed25519PrivateKey.from_private_bytes(secret).sign(text.encode())
    mark = b64(key_id(origin, public_of(secret)) + signature)
    return Closing(origin, size, *roots, day, f"{text}\n{_DASH}{origin} {mark}\n")


def _text(one: Closing) -> str:
    return f"{one.origin}\n{one.size}\n{b64(one.root)}\n{b64(one.tags)}\n{one.day}\n"


def _hash(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    if len(data) != 32:
        raise ValueError("not a hash")
    return data
