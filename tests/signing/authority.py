"""A stranger's certificate authority, as big as a test needs: a root, perhaps one below, a leaf."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, NoEncryption, pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from lastro.trust import Root, described

Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass(frozen=True)
class Holder:
    key: Key
    certificate: x509.Certificate

    def root(self, kind: str) -> Root:
        return described(self.certificate, kind=kind)

    def p12(self, path: Path, *above: Holder, password: str = "", key: Key | None = None) -> Path:
        cover = BestAvailableEncryption(password.encode()) if password else NoEncryption()
        others = [holder.certificate for holder in above]
        path.write_bytes(
            pkcs12.serialize_key_and_certificates(b"eu", key or self.key, self.certificate, others, cover)
        )
        return path


def _day(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


def make(
    common: str,
    *,
    issuer: Holder | None = None,
    authority: bool = False,
    cnpj: str = "",
    days: tuple[str, str] = ("2026-01-01", "2028-01-01"),
    curve: bool = False,
    signs: bool = True,
    stamps: bool = False,
) -> Holder:
    """One certificate: self-signed where no issuer is given."""
    key: Key = ec.generate_private_key(ec.SECP256R1()) if curve else rsa.generate_private_key(65537, 2048)
    name = x509.Name(
        [x509.NameAttribute(NameOID.COUNTRY_NAME, "BR"), x509.NameAttribute(NameOID.COMMON_NAME, common)]
    )
    usage = x509.KeyUsage(
        digital_signature=not authority,
        content_commitment=signs and not authority,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=authority,
        crl_sign=authority,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder(
            issuer.certificate.subject if issuer else name,
            name,
            key.public_key(),
            x509.random_serial_number(),
            _day(days[0]),
            _day(days[1]),
        )
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(usage, critical=True)
    )
    if stamps:
        purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        builder = builder.add_extension(purpose, critical=True)
    if cnpj:
        value = bytes([0x13, len(cnpj)]) + cnpj.encode()
        other = x509.OtherName(x509.ObjectIdentifier("2.16.76.1.3.3"), value)
        builder = builder.add_extension(x509.SubjectAlternativeName([other]), critical=False)
    return Holder(key, builder.sign(issuer.key if issuer else key, hashes.SHA256()))
