"""What a file turned out to hold, before anyone judges it: plain facts, no XML."""

from __future__ import annotations

from dataclasses import dataclass

from lastro.facts import Event, Finding, Invoice, Kind, Signature
from lastro.waste import DestinationCertificate, Manifest

DENIED = frozenset({"110", "205", "301", "302", "303"})
"""What a cStat says where SEFAZ denied the use of a note (MOC NF-e)."""


@dataclass(frozen=True)
class Protocol:
    """What the file says SEFAZ answered; nobody signed it, so it is only a claim (decision 10)."""

    access_key: str
    digest: str
    status: str
    reason: str
    received_at: str
    environment: str


@dataclass(frozen=True)
class Header:
    """The parts of an invoice that its access key must repeat, as written (MOC NF-e).

    `process` is by whose program it was issued (procEmi), which the series in the key tells too.
    """

    layout: str
    uf_code: str
    issued_at: str
    issuer: str
    substitute_issuer: str
    model: str
    series: str
    number: str
    emission_type: str
    random_code: str
    check_digit: str
    process: str = ""


@dataclass(frozen=True)
class SignatureCheck:
    """What the arithmetic of a signature says, and whose certificate it used (decision 11).

    `code` is S01 to S04 or S09, or empty when it verifies as it stands. `content_digest` is the SHA-256 of
    the canonical signed element; certificates are DER bytes, the signer's first.
    """

    outcome: Signature
    code: str = ""
    found: str = ""
    expected: str = ""
    digest_value: str = ""
    content_digest: str = ""
    canonical: bytes = b""
    certificates: tuple[bytes, ...] = ()
    sha1: bool = False


@dataclass(frozen=True)
class Reading:
    """One fiscal document as found in a file: facts, its signature's arithmetic, what is wrong already.

    An MTR or a CDF carries its facts in `manifest` or `destination`, and in `part` its place in the file.
    """

    kind: Kind
    name: str
    access_key: str = ""
    invoice: Invoice | None = None
    header: Header | None = None
    event: Event | None = None
    environment: str = ""
    protocol: Protocol | None = None
    protocols: int = 0
    check: SignatureCheck | None = None
    findings: tuple[Finding, ...] = ()
    manifest: Manifest | None = None
    destination: DestinationCertificate | None = None
    part: str = ""
