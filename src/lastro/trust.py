"""Certificates that a store trusts: roots and, under them, intermediates, each real or of a test.

A store accepts one kind only, so that nothing signed for a test ever passes as real (decision 13). The kind
stands in the file's name: `real-<fingerprint>.pem` or `test-<fingerprint>.pem`.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, date
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding

from lastro.errors import LastroError

KINDS = ("real", "test")
_MOST_BYTES = 5_000_000


@dataclass(frozen=True)
class Root:
    """One trusted certificate, as a person can compare it: name, days, fingerprint."""

    kind: str
    subject: str
    valid_from: date
    valid_to: date
    sha256: str
    der: bytes
    self_signed: bool = True
    labelled: bool = True  # whether the file's name says the kind, or it was read from the certificate


@dataclass(frozen=True)
class TrustStore:
    """What is trusted: certificates as DER bytes, and whether they are real or of a test."""

    certificates: tuple[bytes, ...] = ()
    kind: str = ""  # "real" | "test" | "" when nothing is trusted


def load(folder: Path) -> TrustStore:
    """The certificates of a folder. A folder that is not there trusts nothing.

    Where no file's name says the kind (a folder given with --trust), one certificate that calls itself a test
    makes them all of a test. Raises LastroError on a file that is no certificate, and on both kinds together.
    """
    found = roots(folder)
    said = {root.kind for root in found if root.labelled}
    if len(said) > 1:
        raise LastroError(
            f"{folder}: há raízes reais e de teste juntas; deixe uma espécie só, em pastas separadas."
        )
    guessed = "test" if any(root.kind == "test" for root in found) else "real"
    kind = (said.pop() if said else guessed) if found else ""
    return TrustStore(tuple(root.der for root in found), kind)


def roots(folder: Path) -> tuple[Root, ...]:
    """Every certificate of a folder, in the order of file names, each once."""
    seen: dict[str, Root] = {}
    for path in sorted(folder.glob("*")) if folder.is_dir() else []:
        if path.suffix.lower() in (".pem", ".crt", ".cer", ".der") and path.is_file():
            for certificate in parse(path.name, path.read_bytes()):
                kind = kind_of(path.name, certificate)
                labelled = path.name.lower().startswith(tuple(f"{k}-" for k in KINDS))
                root = replace(described(certificate, kind=kind), labelled=labelled)
                seen.setdefault(root.sha256, root)
    return tuple(seen.values())


def kind_of(name: str, certificate: x509.Certificate) -> str:
    """Real or test: as the file's name begins, else as the certificate's own name says (TESTE), else real."""
    for kind in KINDS:
        if name.lower().startswith(f"{kind}-"):
            return kind
    words = (name + " " + certificate.subject.rfc4514_string()).upper()
    return "test" if "TEST" in words else "real"


def parse(name: str, data: bytes) -> list[x509.Certificate]:
    """The certificates in a file, PEM (one or many) or DER. Raises LastroError if there is none."""
    if len(data) > _MOST_BYTES:
        raise LastroError(f"{name}: grande demais para um certificado.")
    try:
        if b"-----BEGIN" in data:
            return x509.load_pem_x509_certificates(data)
        return [x509.load_der_x509_certificate(data)]
    except ValueError as wrong:
        raise LastroError(f"{name}: não é um certificado X.509 em PEM ou DER.") from wrong


def described(certificate: x509.Certificate, *, kind: str) -> Root:
    names = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    subject = str(names[0].value) if names else certificate.subject.rfc4514_string()
    return Root(
        kind=kind,
        subject=subject,
        valid_from=certificate.not_valid_before_utc.astimezone(UTC).date(),
        valid_to=certificate.not_valid_after_utc.astimezone(UTC).date(),
        sha256=certificate.fingerprint(hashes.SHA256()).hex(),
        der=certificate.public_bytes(Encoding.DER),
        self_signed=certificate.subject == certificate.issuer,
    )


def add(folder: Path, name: str, data: bytes, *, kind: str, today: date) -> tuple[Root, ...]:
    """Trust the certificates of a file from now on. All of them are judged before any is written.

    Raises LastroError when one is no certificate authority, has expired or has no right signature, or when
    the folder trusts the other kind.
    """
    assert kind in KINDS, "a root is real or of a test"
    certificates = parse(name, data)
    held = load(folder)
    if held.kind and held.kind != kind:
        raise LastroError(
            f"{name}: este depósito só aceita raízes {_PORTUGUESE[held.kind]}, e esta seria "
            f"{_PORTUGUESE[kind]}; use outra pasta de dados (--data)."
        )
    for certificate in certificates:
        _judge(name, certificate, today)
    made = tuple(described(certificate, kind=kind) for certificate in certificates)
    folder.mkdir(parents=True, exist_ok=True)
    for certificate, root in zip(certificates, made, strict=True):
        _write(folder / f"{kind}-{root.sha256}.pem", certificate.public_bytes(Encoding.PEM))
    return made


_PORTUGUESE = {"real": "reais", "test": "de teste"}


def _judge(name: str, certificate: x509.Certificate, today: date) -> None:
    subject = described(certificate, kind="real").subject
    try:
        authority = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except x509.ExtensionNotFound:
        authority = False
    if not authority:
        raise LastroError(
            f"{name}: “{subject}” não é de uma autoridade certificadora (CA), e não serve de raiz."
        )
    if certificate.not_valid_after_utc.date() < today:
        day = certificate.not_valid_after_utc.date()
        raise LastroError(f"{name}: “{subject}” expirou em {day:%d/%m/%Y}; busque a raiz atual.")
    if certificate.not_valid_before_utc.date() > today:
        day = certificate.not_valid_before_utc.date()
        raise LastroError(f"{name}: “{subject}” só vale a partir de {day:%d/%m/%Y}.")
    if certificate.subject == certificate.issuer:
        try:
            certificate.verify_directly_issued_by(certificate)
        except Exception as wrong:
            raise LastroError(
                f"{name}: a assinatura de “{subject}” não confere; o arquivo foi alterado."
            ) from wrong


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".adding-")
    with os.fdopen(handle, "wb") as out:
        out.write(data)
    Path(temporary).chmod(0o644)
    Path(temporary).replace(path)
