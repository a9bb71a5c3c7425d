"""What a certificate says of its holder, less what is personal: a name and a CNPJ, never a CPF."""

from __future__ import annotations

import re

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from lastro.evidence import certificates
from lastro.ids import masked

__all__ = ["cnpj", "common_name", "fingerprint", "masked", "public_bytes"]

_NUMBER_BEHIND = re.compile(r"\s*:\s*[0-9A-Z.\-/]*[0-9]\s*\Z")
_PERSON = re.compile(r"(?<![0-9])[0-9]{3}[.\s]?[0-9]{3}[.\s]?[0-9]{3}[-\s]?[0-9]{2}(?![0-9])")


def common_name(certificate: x509.Certificate) -> str:
    """The common name without the CPF or CNPJ that ICP-Brasil writes behind a colon."""
    found = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    text = str(found[0].value) if found else ""
    return _PERSON.sub("", _NUMBER_BEHIND.sub("", text)).strip()


def cnpj(certificate: x509.Certificate) -> str:
    """The CNPJ that a certificate bears, by ICP-Brasil's own name in it, else at its common name's end."""
    return certificates.signer(certificate.public_bytes(Encoding.DER)).cnpj


def fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex()


def public_bytes(key: PublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
