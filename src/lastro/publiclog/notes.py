"""Checkpoints as signed notes, and the words by which witnesses sign them too.

The forms are those that transparency logs share: signed notes, `tlog-checkpoint` and `cosignature/v1` of the
C2SP collection (https://c2sp.org). Signatures are Ed25519 (RFC 8032).
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_DASH = "— "
_LOG, _WITNESS = b"\x01", b"\x04"


class NotANote(ValueError):
    """The text is no checkpoint in its one spelling."""


@dataclass(frozen=True)
class Signer:
    """Whose signature is looked for: a name, a public key of 32 bytes, and whether it is a witness."""

    name: str
    public: bytes
    witness: bool = False

    @classmethod
    def of_secret(cls, name: str, secret: bytes, *, witness: bool = False) -> Signer:
        """Who signs with a secret of 32 bytes."""
        return cls(name, public_of(secret), witness)

    @property
    def id(self) -> bytes:
        """Four bytes that stand before a signature of this key."""
        return key_id(self.name, self.public, witness=self.witness)

    @property
    def text(self) -> str:
        """The key as one line, by which people give it to each other."""
        kind = _WITNESS if self.witness else _LOG
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(kind + self.public).decode()}"

    @classmethod
    def of_text(cls, text: str) -> Signer:
        """Read such a line. Raises ValueError."""
        name, identity, data = text.strip().split("+", 2)
        raw = base64.b64decode(data, validate=True)
        made = cls(name, raw[1:], raw[:1] == _WITNESS)
        if raw[:1] not in (_LOG, _WITNESS) or len(raw) != 33 or made.id.hex() != identity:
            raise ValueError("not a key of a log or of a witness")
        return made


@dataclass(frozen=True)
class Checkpoint:
    """How a log stood: its name, how many leaves it had, and the root over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def public_of(secret: bytes) -> bytes:
    """The key by which signatures made with `secret` (32 bytes, Ed25519) are checked."""
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def key_id(name: str, public: bytes, *, witness: bool = False) -> bytes:
    """Four bytes by which a signature line says whose key it is."""
    kind = _WITNESS if witness else _LOG
    return hashlib.sha256(name.encode() + b"\n" + kind + public).digest()[:4]


def signed(checkpoint: Checkpoint, secret: bytes) -> str:
    """The checkpoint as the log signs it; `secret` are the 32 bytes of its key."""
    key = Ed25519PrivateKey.from_private_bytes(secret)
    line = _line(Signer.of_secret(checkpoint.origin, secret), key.sign(checkpoint.text.encode()))
    return f"{checkpoint.text}\n{line}"


def cosigned(note: str, secret: bytes, *, name: str, at: int) -> str:
    """The same note with a witness's line: at `at` (seconds since 1970) it saw nothing taken back."""
    key = Ed25519PrivateKey.from_private_bytes(secret)
    signature = key.sign(_witnessed(body(note), at))
    return note + _line(Signer.of_secret(name, secret, witness=True), at.to_bytes(8, "big") + signature)


def body(note: str) -> str:
    """What is signed of a note. Raises NotANote."""
    text, gap, lines = note.partition("\n\n")
    if not gap or not lines.endswith("\n"):
        raise NotANote("a note ends with its signature lines")
    return text + "\n"


def read(note: str) -> Checkpoint:
    """The checkpoint in a note, signed or not. Raises NotANote."""
    text = body(note)
    lines = text.split("\n")
    try:
        made = Checkpoint(lines[0], int(lines[1]), base64.b64decode(lines[2], validate=True))
    except (IndexError, ValueError) as wrong:
        raise NotANote("origin, size and root stand on three lines") from wrong
    if made.text != text or len(made.root) != 32 or made.size < 0:
        raise NotANote("the one spelling of a checkpoint")
    return made


def signs(note: str, signer: Signer) -> bool:
    """Whether the note bears a good signature of this signer."""
    return signed_at(note, signer) is not None


def signed_at(note: str, signer: Signer) -> int | None:
    """When a witness signed (0 for a log); None where it did not, or the signature is none of its own."""
    text = body(note)
    for line in note.partition("\n\n")[2].splitlines():
        if not line.startswith(f"{_DASH}{signer.name} "):
            continue
        try:
            data = base64.b64decode(line.rpartition(" ")[2], validate=True)
            at = int.from_bytes(data[4:12], "big") if signer.witness else 0
            said = _witnessed(text, at) if signer.witness else text.encode()
            Ed25519PublicKey.from_public_bytes(signer.public).verify(
                data[12 if signer.witness else 4 :], said
            )
        except (ValueError, InvalidSignature):
            continue
        if data[:4] == signer.id:
            return at
    return None


def _witnessed(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def _line(signer: Signer, signature: bytes) -> str:
    return f"{_DASH}{signer.name} {base64.b64encode(signer.id + signature).decode()}\n"
