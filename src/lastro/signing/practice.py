"""The practice authority: certificates to try the product with, that prove nothing to anybody.

Every name in it says TESTE, and what is signed under it is told as "de teste" everywhere (decision 13).
Keys are made once per data folder, in files that only their owner may read (decision 28).
"""

from __future__ import annotations

import datetime as dt
import os
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from lastro import trust
from lastro.errors import LastroError
from lastro.ids import cnpj_check_digits

if TYPE_CHECKING:
    from lastro.signing.keys import Signer

_ROOT = "practice-root.pem"
_BEGIN = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
_END = dt.datetime(2049, 12, 31, tzinfo=dt.UTC)
_CNPJ_OID = "2.16.76.1.3.3"
_PERSON_OID = "2.16.76.1.3.2"
INVENTED_BASE = "ZZLASTRO0001"
"""The first twelve characters of the CNPJ of an entity that does not exist."""
PERSON = "Aurora Lobeira Inventada"
"""The authorised person of every practice certificate: invented."""


def test_signer(folder: Path, *, cnpj: str = "", name: str = "") -> Signer:  # noqa: PT028
    """The practice certificate of a managing entity's authorised person, made when it is not there yet.

    `folder` is DATA/keys; `cnpj` is the entity's (default: an invented one), written where ICP-Brasil writes
    it (OID 2.16.76.1.3.3). Raises LastroError when a file there can't be read or written.
    """
    from lastro.signing.keys import Signer

    cnpj = cnpj or INVENTED_BASE + cnpj_check_digits(INVENTED_BASE)
    root_key, root = _root(folder)
    path = folder / f"practice-{cnpj}.pem"
    if not path.exists():
        key = rsa.generate_private_key(65537, 2048)
        _keep(path, key, _leaf(key, root_key, root, cnpj=cnpj, name=name))
    key, certificate = _held(path)
    if certificate.issuer != root.subject or not _issued(certificate, root):
        raise LastroError(
            f"{path}: não é da autoridade de teste desta pasta; apague-o para que se faça outro."
        )
    return Signer(certificate=certificate, chain=(root,), kind="test", key=key)


test_signer.__test__ = False  # type: ignore[attr-defined]  # its name is no test's


def practice_roots(folder: Path) -> tuple[trust.Root, ...]:
    """The practice authority's root, of kind "test"; none where nobody has signed with it yet."""
    path = folder / _ROOT
    if not path.exists():
        return ()
    return (trust.described(_held(path)[1], kind="test"),)


def _root(folder: Path) -> tuple[rsa.RSAPrivateKey, x509.Certificate]:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as wrong:
        raise LastroError(f"{folder}: não se pode criar a pasta das chaves ({wrong.strerror}).") from wrong
    path = folder / _ROOT
    if not path.exists():
        key = rsa.generate_private_key(65537, 2048)
        # A mark in the name keeps two practice authorities of two folders apart for a person who compares.
        name = _name(f"Raiz de TESTE do Lastro {secrets.token_hex(4)}")
        _keep(path, key, _authority(name, key))
    return _held(path)


def _name(common: str, *, unit: str = "") -> x509.Name:
    parts = [
        (NameOID.COUNTRY_NAME, "BR"),
        (NameOID.ORGANIZATION_NAME, "Lastro, certificados de TESTE sem valor"),
    ]
    parts += [(NameOID.ORGANIZATIONAL_UNIT_NAME, unit)] if unit else []
    return x509.Name([x509.NameAttribute(o, t) for o, t in (*parts, (NameOID.COMMON_NAME, common))])


def _authority(name: x509.Name, key: rsa.RSAPrivateKey) -> x509.Certificate:
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), _BEGIN, _END)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(identifier, critical=False)
        .sign(key, hashes.SHA256())
    )


def _leaf(
    key: rsa.RSAPrivateKey, root_key: rsa.RSAPrivateKey, root: x509.Certificate, *, cnpj: str, name: str
) -> x509.Certificate:
    usage = x509.KeyUsage(True, True, False, False, False, False, False, False, False)
    subject = _name(f"{PERSON} (pessoa de TESTE)", unit=name.strip()[:64].strip())
    others = [(_PERSON_OID, PERSON.upper()), (_CNPJ_OID, cnpj)]
    alternative = x509.SubjectAlternativeName([_other_name(oid, text) for oid, text in others])
    number = x509.random_serial_number()
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key())
    return (
        x509.CertificateBuilder(root.subject, subject, key.public_key(), number, _BEGIN, _END)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(alternative, critical=False)
        .add_extension(above, critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(root_key, hashes.SHA256())
    )


def _other_name(oid: str, text: str) -> x509.OtherName:
    raw = text.encode("ascii")
    assert len(raw) < 128, "a short DER string"
    return x509.OtherName(x509.ObjectIdentifier(oid), bytes([0x13, len(raw)]) + raw)


def _issued(certificate: x509.Certificate, root: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(root)
    except Exception:  # any reason why it does not verify is the same answer
        return False
    return True


def _keep(path: Path, key: rsa.RSAPrivateKey, certificate: x509.Certificate) -> None:
    """Write key and certificate as one file, whole or not at all; one that stands already stays."""
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    text += certificate.public_bytes(Encoding.PEM)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".making-")  # 0600 from its first byte
        with os.fdopen(handle, "wb") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass  # another process was quicker: both then use what it wrote
        finally:
            Path(temporary).unlink()
    except OSError as wrong:
        raise LastroError(f"{path}: não se pode gravar a chave ({wrong.strerror}).") from wrong


def _held(path: Path) -> tuple[rsa.RSAPrivateKey, x509.Certificate]:
    try:
        data = path.read_bytes()
        key = load_pem_private_key(data, password=None)
        certificate = x509.load_pem_x509_certificates(data)[0]
    except OSError as wrong:
        raise LastroError(f"{path}: não se pode ler a chave ({wrong.strerror}).") from wrong
    except ValueError as wrong:
        raise LastroError(
            f"{path}: não é uma chave com o seu certificado; apague-o para que se faça outro."
        ) from wrong
    if not isinstance(key, rsa.RSAPrivateKey):
        raise LastroError(f"{path}: não é uma chave RSA; apague-o para que se faça outro.")
    return key, certificate
