"""One row of a declaration as a sealed box: everybody can hold it, the verifier alone reads it.

HPKE (RFC 9180) in base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM; the browser seals the same
with its own cryptography. The row is filled up to one length, so that a box tells nothing of its mass by its
own. What is outside (verifier, company, year, commitment) is bound to what is inside: a box of one company
does not open as another's.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from lastro.facts import Placement
from lastro.ids import Material
from lastro.units import Mass

FORMAT = "lastro-blackbox-1"
ROW_BYTES = 512
"""Every row has this length before it is sealed: blanks fill it up."""
_SALT = 32
_SUITE = Suite(KEM.P256, KDF.HKDF_SHA256, AEAD.AES_256_GCM)


class Unreadable(Exception):
    """A box that does not open with this key, or does not hold what it committed to."""


@dataclass(frozen=True)
class Row:
    """What one company placed of one material in one state (or BR) and year, with the salt that hides it."""

    company: str
    placement: Placement
    salt: str = field(repr=False)

    def plain(self) -> bytes:
        """The row as it is sealed: JSON, masses as whole milligrams in text, filled up with blanks."""
        told = {
            "company": self.company, "year": self.placement.year, "uf": self.placement.uf,
            "material": self.placement.material.value, "mass_mg": str(self.placement.mass.mg),
            "returnable_mg": str(self.placement.returnable.mg), "salt": self.salt,
        }  # fmt: skip
        return json.dumps(told, sort_keys=True, separators=(",", ":")).encode().ljust(ROW_BYTES)

    @classmethod
    def of_plain(cls, data: bytes) -> Row:
        """Read a row. Raises ValueError where these bytes are none."""
        try:
            told = json.loads(data)
            mass, returnable = _mg(told["mass_mg"]), _mg(told["returnable_mg"])
            year, uf, salt = told["year"], str(told["uf"]), str(told["salt"])
            material = Material(told["material"])
        except (KeyError, TypeError) as wrong:
            raise ValueError("not a row") from wrong
        if len(data) != ROW_BYTES or returnable > mass or type(year) is not int:
            raise ValueError("not a row that may be declared")
        if len(bytes.fromhex(salt)) != _SALT:
            raise ValueError("a salt of another length")
        return cls(
            str(told["company"]), Placement(year, material, uf, mass, returnable, national=uf == "BR"), salt
        )


def _mg(text: Any) -> Mass:
    if not (isinstance(text, str) and text.isascii() and text.isdigit()) or len(text) > 18:
        raise ValueError("not a mass in whole milligrams")
    return Mass(int(text))


@dataclass(frozen=True)
class Box:
    """A sealed row, as it travels and is kept: nothing in it says what, or how much."""

    verifier: str
    company: str
    year: int
    commitment: str
    sealed: str

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def of_json(cls, told: Any) -> Box:
        """Read a box. Raises ValueError where it is none, or says more than a box says."""
        names = {"format", "verifier", "company", "year", "commitment", "sealed"}
        if not isinstance(told, Mapping) or set(told) != names or told["format"] != FORMAT:
            raise ValueError("not a box")
        text = [told[name] for name in ("verifier", "company", "commitment", "sealed")]
        if not all(isinstance(one, str) for one in text) or type(told["year"]) is not int:
            raise ValueError("not a box")
        if len(bytes.fromhex(told["commitment"])) != 32 or len(_unb64(told["sealed"])) != SEALED_BYTES:
            raise ValueError("a box of another size")
        verifier, company, commit, sealed = text
        return cls(verifier, company, told["year"], commit, sealed)


SEALED_BYTES = 65 + ROW_BYTES + 16
"""A point of P-256, the row, the tag of AES-GCM."""


def _unb64(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def commitment(plain: bytes) -> str:
    """What a box shows of its row: who has the row can show that it is the one that was sealed."""
    return hashlib.sha256(b"lastro blackbox row v1\0" + plain).hexdigest()


def _info(verifier: str, company: str, year: int, commit: str) -> bytes:
    return f"{FORMAT}|{verifier}|{company}|{year}|{commit}".encode()


def public_of(secret: bytes) -> str:
    """The key to which boxes are sealed, in hexadecimal (an uncompressed point)."""
    return private_key(secret).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()


def private_key(secret: bytes) -> EllipticCurvePrivateKey:
    """The verifier's key from its secret (32 bytes)."""
    return derive_private_key(int.from_bytes(secret, "big"), SECP256R1())


def seal(row: Row, *, verifier: str, public: str) -> Box:
    """Seal a row to a verifier's key. Raises ValueError where the key is none."""
    key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), bytes.fromhex(public))
    plain = row.plain()
    assert len(plain) == ROW_BYTES, "a row fits its length"
    commit = commitment(plain)
    info = _info(verifier, row.company, row.placement.year, commit)
    sealed = base64.b64encode(_SUITE.encrypt(plain, key, info)).decode()
    return Box(verifier, row.company, row.placement.year, commit, sealed)


def open_box(box: Box, secret: bytes) -> Row:
    """The row in a box. Raises Unreadable."""
    info = _info(box.verifier, box.company, box.year, box.commitment)
    try:
        plain = _SUITE.decrypt(_unb64(box.sealed), private_key(secret), info)
        row = Row.of_plain(plain)
    except (InvalidTag, ValueError) as wrong:
        raise Unreadable from wrong
    inside = (row.company, row.placement.year, commitment(plain))
    if inside != (box.company, box.year, box.commitment):
        raise Unreadable
    return row
