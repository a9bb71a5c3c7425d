"""How things are written down so that their digests and signatures mean one thing only."""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lastro.jsonfile import spelled as spelled
from lastro.publiclog.notes import public_of as public_of


def digest(label: str, *parts: bytes) -> bytes:
    """SHA-256 of parts, each with its length, under a label: no two lists of parts read alike."""
    made = hashlib.sha256(f"lastro hub {label} v1\0".encode())
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()


def keyed(key: bytes, label: bytes) -> bytes:
    """A key of 32 bytes that follows from another one, for one use."""
    return hmac.digest(key, label, "sha256")


def sign(secret: bytes, label: str, value: Any) -> str:
    """The signature of a JSON value, in hexadecimal; one signed as one thing is not signed as another."""
    return Ed25519PrivateKey.from_private_bytes(secret).sign(digest(label, spelled(value))).hex()


def signed_by(public: str, label: str, value: Any, signature: str) -> bool:
    """Whether this is the signature of `value` by the key, both in hexadecimal."""
    return _verifies(public, digest(label, spelled(value)), signature)


@lru_cache(maxsize=1 << 14)
def _verifies(public: str, said: bytes, signature: str) -> bool:
    """The same header comes with many entries; its signature is checked once."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), said)
    except (ValueError, InvalidSignature):
        return False
    return True


def b64(data: bytes) -> str:
    """Bytes as they stand in a message."""
    return base64.b64encode(data).decode()


def unb64(text: str) -> bytes:
    """The bytes of a message. Raises ValueError."""
    return base64.b64decode(text, validate=True)
