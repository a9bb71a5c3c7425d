"""The keys of signers, kept by the very characters of their certificate, and the signatures they made.

A thousand notes share one certificate, and to read it costs more than to verify with its key. A key is used
only after xmlsec, which is the arbiter, has verified a first signature with the same certificate.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from lastro.evidence import certificates
from lastro.evidence.signature import confirms

_PADDING, _SHA1 = padding.PKCS1v15(), hashes.SHA1()


@dataclass
class Key:
    """The key of one certificate; `chain` is the certificate as DER, alone in its tuple."""

    public: rsa.RSAPublicKey
    chain: tuple[bytes, ...]
    confirmed: bool = False

    def verifies(self, value: bytes, text: bytes) -> bool:
        """Whether the RSA-SHA1 value was made over the text with this key, as xmlsec also finds at first."""
        try:
            self.public.verify(value, text, _PADDING, _SHA1)
        except InvalidSignature:
            return False
        if not self.confirmed:
            self.confirmed = confirms(self.chain[0], value, text)
        return self.confirmed


@lru_cache(maxsize=4096)
def key_of(written: bytes) -> Key | None:
    """The key of a certificate as it stands in a signature; None where it is no plain RSA certificate."""
    der = plain_base64(written)
    if der is None:
        return None
    certificate = certificates.parsed(der)
    try:
        public = certificate.public_key() if certificate else None
    except Exception:  # a key that cannot be read, of whatever kind, is left to the arbiter
        return None
    return Key(public, (der,)) if isinstance(public, rsa.RSAPublicKey) else None


def plain_base64(written: bytes) -> bytes | None:
    """The bytes that were written in base64, lines allowed; None where they could be written otherwise."""
    text = written.replace(b"\n", b"")
    try:
        value = binascii.a2b_base64(text)
    except binascii.Error:
        return None
    return value if value and binascii.b2a_base64(value, newline=False) == text else None
