"""Whose hand signs: a private key with its certificate and the certificates above it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, pkcs12

from lastro import trust
from lastro.errors import LastroError
from lastro.signing import names, practice

PKCS12_VARIABLE = "LASTRO_P12"
PASSWORD_VARIABLE = "LASTRO_P12_PASSWORD"

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass(frozen=True)
class Signer:
    """One who may sign: the key never leaves this object, and is never shown.

    `kind` is "test" for a certificate that calls itself one or stands under the practice authority, else
    "real": what is signed with a test certificate must say so on its face (decision 13).
    """

    certificate: x509.Certificate
    chain: tuple[x509.Certificate, ...]
    kind: str
    key: PrivateKey = field(repr=False)

    @property
    def name(self) -> str:
        """The name in the certificate, without the number of a person or company behind it."""
        return names.common_name(self.certificate)

    @property
    def cnpj(self) -> str:
        """The CNPJ in the certificate (ICP-Brasil, OID 2.16.76.1.3.3), or "" when it bears none."""
        return names.cnpj(self.certificate)

    @property
    def sha256(self) -> str:
        """The fingerprint of the certificate: what tells it from any other of the same name."""
        return names.fingerprint(self.certificate)

    @property
    def serial(self) -> str:
        """The serial number that its authority gave the certificate, in hexadecimal."""
        return f"{self.certificate.serial_number:x}"

    @property
    def is_test(self) -> bool:
        return self.kind == "test"

    def holds_on(self, moment: datetime) -> bool:
        """Whether the certificate is within its validity at a moment (which must know its offset)."""
        assert moment.tzinfo is not None, "a moment of signing knows its offset"
        return self.certificate.not_valid_before_utc <= moment <= self.certificate.not_valid_after_utc

    @classmethod
    def from_pkcs12(cls, path: Path, password: str | bytes | None) -> Signer:
        """The signer of a PKCS#12 file (.p12, .pfx), as certificate authorities hand out.

        Raises LastroError when the file can't be read, the password is wrong, or it holds no key that signs.
        """
        secret = password.encode() if isinstance(password, str) else password
        try:
            key, certificate, above = pkcs12.load_key_and_certificates(path.read_bytes(), secret or None)
        except OSError as wrong:
            raise LastroError(
                f"{path}: não se pode ler o certificado de assinatura ({wrong.strerror})."
            ) from wrong
        except ValueError as wrong:
            raise LastroError(
                f"{path}: não é um PKCS#12, ou a senha está errada; confira {PASSWORD_VARIABLE}."
            ) from wrong
        if certificate is None or not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
            raise LastroError(f"{path}: não traz um certificado com a sua chave privada (RSA ou ECDSA).")
        if names.public_bytes(key.public_key()) != names.public_bytes(certificate.public_key()):
            raise LastroError(f"{path}: a chave privada não é a do certificado; exporte-o de novo.")
        kind = "test" if any(_says_test(c) for c in (certificate, *above)) else "real"
        return cls(certificate=certificate, chain=tuple(above), kind=kind, key=key)


def _says_test(certificate: x509.Certificate) -> bool:
    issuer = certificate.issuer.rfc4514_string().upper()
    return "TEST" in issuer or trust.kind_of("", certificate) == "test"


def chosen_signer(
    data: Path,
    *,
    cnpj: str,
    name: str = "",
    ask: Callable[[str], str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Signer:
    """Who signs for an entity here: the PKCS#12 that the environment names, else the practice authority.

    `cnpj` is the managing entity's, `name` its name for a practice certificate. The password comes from the
    environment, else from `ask` (a prompt), never from a command line. Raises LastroError when the
    certificate is of another company: field XIII asks for a person authorised by the entity (art. 63).
    """
    env = os.environ if environment is None else environment
    file = env.get(PKCS12_VARIABLE, "")
    if not file:
        return practice.test_signer(data / "keys", cnpj=cnpj, name=name)
    password = env.get(PASSWORD_VARIABLE)
    if password is None and ask is not None:
        password = ask(f"Senha de {file}")
    signer = Signer.from_pkcs12(Path(file), password)
    if signer.cnpj and signer.cnpj[:8] != cnpj[:8]:
        raise LastroError(
            f"{file}: o certificado é do CNPJ {names.masked(signer.cnpj)}, e quem emite é "
            f"{names.masked(cnpj)}; use um certificado da própria entidade."
        )
    return signer


def known_roots(data: Path) -> tuple[trust.Root, ...]:
    """The roots by which papers are checked in a data folder: the trusted ones, and the practice one.

    The practice root is always of kind "test": what leads to it is never told as trusted.
    """
    found = {root.sha256: root for root in trust.roots(data / "trust")}
    for root in practice.practice_roots(data / "keys"):
        found[root.sha256] = root
    return tuple(found.values())


def der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.DER)
