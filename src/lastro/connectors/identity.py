"""Who asks: a company's certificate from a PKCS#12 file, and the TLS that shows it and knows the server."""

from __future__ import annotations

import os
import ssl
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    pkcs12,
)

from lastro.errors import LastroError
from lastro.evidence.certificates import signer

PASSWORD_VARIABLE = "LASTRO_P12_PASSWORD"


@dataclass(frozen=True)
class Identity:
    """A certificate with its key, and the CNPJ in it (ICP-Brasil), empty when it bears none."""

    cnpj: str
    certificate: x509.Certificate
    chain: tuple[x509.Certificate, ...] = ()
    key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey = field(repr=False, kw_only=True)

    def expect_valid(self, moment: datetime) -> None:
        """Raises LastroError when the certificate does not hold at a moment: the server would refuse it."""
        start, end = self.certificate.not_valid_before_utc, self.certificate.not_valid_after_utc
        if not start <= moment <= end:
            raise LastroError(
                f"O certificado só vale de {start:%d/%m/%Y} a {end:%d/%m/%Y}; use o certificado atual."
            )


def open_p12(name: str, data: bytes, password: str) -> Identity:
    """The identity in a PKCS#12 file (.p12, .pfx). Raises LastroError; the password is never repeated."""
    try:
        key, certificate, above = pkcs12.load_key_and_certificates(data, password.encode() or None)
    except ValueError as wrong:
        raise LastroError(
            f"{name}: não é um PKCS#12, ou a senha está errada; confira {PASSWORD_VARIABLE}."
        ) from wrong
    if certificate is None or not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        raise LastroError(f"{name}: não traz um certificado com a sua chave privada.")
    cnpj = signer(certificate.public_bytes(Encoding.DER)).cnpj
    return Identity(cnpj, certificate, tuple(above), key=key)


def tls(identity: Identity | None, *, roots: Iterable[bytes] = ()) -> ssl.SSLContext:
    """TLS that verifies the server by the system's roots and these (DER), and shows the identity, if any."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Some authorities of ICP-Brasil leave out extensions that strict checking (new in Python 3.13) demands.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    for der in roots:
        context.load_verify_locations(cadata=der)
    if identity is not None:
        _show(context, identity)
    return context


def _show(context: ssl.SSLContext, identity: Identity) -> None:
    """Hand key and certificate to OpenSSL, which takes files only: enciphered, in a closed folder."""
    password = os.urandom(32).hex()
    pem = identity.key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password.encode())
    )
    for certificate in (identity.certificate, *identity.chain):
        pem += certificate.public_bytes(Encoding.PEM)
    with tempfile.TemporaryDirectory(prefix="lastro-") as folder:
        path = Path(folder) / "cliente.pem"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(pem)
        try:
            context.load_cert_chain(path, password=password)
        except ssl.SSLError as wrong:
            raise LastroError(f"O certificado não serve para se identificar ({wrong.reason}).") from wrong
