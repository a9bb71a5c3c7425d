"""Who a certificate belongs to, when it held, and whether it leads to a root that is trusted here.

ICP-Brasil certificates carry people's names and CPF beside the company's CNPJ: only the CNPJ leaves this
module (decision 29). Parsed certificates and proven chains are kept by their bytes, since a thousand notes
share one signer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.x509.oid import NameOID, ObjectIdentifier

_CNPJ_OID = ObjectIdentifier("2.16.76.1.3.3")
_PERSON_OID = ObjectIdentifier("2.16.76.1.3.1")
_CNPJ = re.compile(r"[0-9A-Z]{12}[0-9]{2}")
_LONGEST = 6


@dataclass(frozen=True)
class Signer:
    """Whose certificate it is: the CNPJ, or for a person without one the CPF, which must never be kept."""

    cnpj: str = ""
    cpf: str = ""


@dataclass(frozen=True)
class Moment:
    """When a certificate had to hold: an instant, or a whole day where only the day is known."""

    start: datetime
    end: datetime

    @classmethod
    @lru_cache(maxsize=256)
    def parse(cls, written: str) -> Moment | None:
        """Read dhRecbto, dhEmi or dEmi; a date alone is the whole day in any Brazilian offset."""
        try:
            if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", written):
                day = datetime.combine(date.fromisoformat(written), time(), UTC)
                return cls(day + timedelta(hours=2), day + timedelta(hours=29))
            at = datetime.fromisoformat(written)
            if at.tzinfo is None:  # layouts before 3.10 wrote no offset
                return cls(
                    (at + timedelta(hours=2)).replace(tzinfo=UTC),
                    (at + timedelta(hours=5)).replace(tzinfo=UTC),
                )
        except (ValueError, OverflowError):
            return None
        return cls(at, at)


@lru_cache(maxsize=4096)
def parsed(der: bytes) -> x509.Certificate | None:
    """The certificate, or None where it is too far from DER to be read (some old ICP-Brasil ones are)."""
    try:
        certificate = x509.load_der_x509_certificate(der)
        _ = certificate.extensions, certificate.subject, certificate.not_valid_after_utc
    except Exception:  # a certificate is the sender's bytes: whatever its parser raises is about them
        return None
    return certificate


@lru_cache(maxsize=4096)
def signer(der: bytes) -> Signer:
    """Whose certificate it is: by the ICP-Brasil name in it, else by ":CNPJ" at its common name's end."""
    certificate = parsed(der)
    if certificate is None:
        return Signer()
    cnpj = cpf = ""
    for name in _other_names(certificate):
        value = _der_text(name.value)
        if name.type_id == _CNPJ_OID and _CNPJ.fullmatch(value):
            cnpj = value
        elif name.type_id == _PERSON_OID and re.fullmatch(r"[0-9]{19}.*", value, re.DOTALL):
            cpf = value[8:19]
    if not cnpj and not cpf:
        for attribute in certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME):
            tail = str(attribute.value).rpartition(":")[2].strip()
            cnpj = tail if _CNPJ.fullmatch(tail) else cnpj
            cpf = tail if re.fullmatch(r"[0-9]{11}", tail) else cpf
    return Signer(cnpj, "" if cnpj else cpf)


def _other_names(certificate: x509.Certificate) -> list[x509.OtherName]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return names.get_values_for_type(x509.OtherName)


def _der_text(value: bytes) -> str:
    """The text of a short DER string of any string type; empty if it is something else."""
    if len(value) < 2 or value[1] >= 0x80 or len(value) != value[1] + 2:
        return ""
    return value[2:].decode("latin-1").strip()


def held(der: bytes, moment: Moment) -> bool | None:
    """Whether the certificate was valid at a moment; None where it cannot be read."""
    held_in = span(der)
    return None if held_in is None else held_in[0] <= moment.end and moment.start <= held_in[1]


@lru_cache(maxsize=4096)
def span(der: bytes) -> tuple[datetime, datetime] | None:
    """The first and the last moment of a certificate; None where it cannot be read."""
    certificate = parsed(der)
    return (
        None if certificate is None else (certificate.not_valid_before_utc, certificate.not_valid_after_utc)
    )


def validity(der: bytes) -> str:
    """The period a certificate holds, as people read it."""
    certificate = parsed(der)
    if certificate is None:
        return ""
    start, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return f"{start:%d/%m/%Y %H:%M} a {end:%d/%m/%Y %H:%M} (UTC)"


@lru_cache(maxsize=4096)
def _paths(chain: tuple[bytes, ...], trusted: tuple[bytes, ...]) -> tuple[tuple[x509.Certificate, ...], ...]:
    """Every chain from the first certificate up to a trusted self-issued one, signatures proved."""
    leaf = parsed(chain[0])
    if leaf is None:
        return ()
    anchors = [c for c in map(parsed, trusted) if c is not None]
    pool = anchors + [c for c in map(parsed, chain[1:]) if c is not None]
    found: list[tuple[x509.Certificate, ...]] = []
    open_paths: list[tuple[x509.Certificate, ...]] = [(leaf,)]
    while open_paths:
        path = open_paths.pop()
        for issuer in pool:
            if issuer in path or not _issued(path[-1], issuer, below=len(path) - 1):
                continue
            longer = (*path, issuer)
            if issuer.subject == issuer.issuer and issuer in anchors:
                found.append(longer)
            elif len(longer) < _LONGEST:
                open_paths.append(longer)
    return tuple(found)


@lru_cache(maxsize=4096)
def _issued(certificate: x509.Certificate, issuer: x509.Certificate, *, below: int) -> bool:
    """Whether `issuer` is an authority that signed `certificate`, with `below` authorities under it."""
    if certificate.issuer != issuer.subject:
        return False
    try:
        basic = issuer.extensions.get_extension_for_class(x509.BasicConstraints).value
    except x509.ExtensionNotFound:
        return False
    if not basic.ca or (basic.path_length is not None and basic.path_length < below):
        return False
    try:
        if not issuer.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign:
            return False
    except x509.ExtensionNotFound:
        pass
    try:
        certificate.verify_directly_issued_by(issuer)
    except (InvalidSignature, ValueError, TypeError, UnsupportedAlgorithm):
        return False
    return True


def trusted(chain: tuple[bytes, ...], roots: tuple[bytes, ...], moment: Moment) -> bool:
    """Whether the signer's certificate leads to one of the roots, every certificate on the way valid then.

    `chain` is the signer's certificate first, then others that came with it; `roots` are the certificates
    trusted here. A self-issued one among them is a root, any other only helps to build the way to one.
    """
    return any(start <= moment.end and moment.start <= end for start, end in spans(chain, roots))


@lru_cache(maxsize=4096)
def spans(chain: tuple[bytes, ...], roots: tuple[bytes, ...]) -> tuple[tuple[datetime, datetime], ...]:
    """For each way from the signer to a root, when every certificate on it is valid."""
    return tuple(
        (max(c.not_valid_before_utc for c in path), min(c.not_valid_after_utc for c in path))
        for path in _paths(chain, roots)
    )
