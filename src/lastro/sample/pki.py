"""The sample's own certificate authority: a root, two intermediates, a root nobody trusts, and e-CNPJ leaves.

Every key comes from a seeded generator, so a world can be made again byte by byte. Such keys protect
nothing and must never leave a sample. A leaf holds what an e-CNPJ of ICP-Brasil holds: the CNPJ stands in the
other name 2.16.76.1.3.3.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import random
import unicodedata
from dataclasses import dataclass, field
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from lastro.sample.people import Party

LEAF_KEYS = 4
_SMALL_PRIMES = [n for n in range(3, 8000, 2) if all(n % d for d in range(3, int(n**0.5) + 1, 2))]
_UTC = dt.UTC


def _prime(bits: int, rnd: random.Random) -> int:
    while True:
        number = rnd.getrandbits(bits) | (3 << (bits - 2)) | 1
        if any(number % small == 0 for small in _SMALL_PRIMES) or (number - 1) % 65537 == 0:
            continue
        if all(pow(base, number - 1, number) == 1 for base in (2, 3)):
            return number


@cache
def seeded_key(seed: str) -> rsa.RSAPrivateKey:
    """An RSA pair of 2048 bits that depends on its seed alone."""
    rnd = random.Random(f"rsa {seed}")
    p, q = _prime(1024, rnd), _prime(1024, rnd)
    d = pow(65537, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(65537, p * q)
    numbers = rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public)
    return numbers.private_key()


@dataclass(frozen=True)
class Signer:
    """A key, and the certificate that says whose it is."""

    key: rsa.RSAPrivateKey
    certificate: x509.Certificate

    @property
    def certificate_base64(self) -> str:
        """The certificate as it stands inside a signature."""
        return base64.b64encode(self.certificate.public_bytes(Encoding.DER)).decode()

    def sign(self, text: bytes) -> str:
        """The RSA-SHA1 value that the NF-e prescribes, in base64."""
        return base64.b64encode(self.key.sign(text, padding.PKCS1v15(), hashes.SHA1())).decode()


def _name(common: str, *units: str) -> x509.Name:
    parts = [(NameOID.COUNTRY_NAME, "BR"), (NameOID.ORGANIZATION_NAME, "ICP de Teste do Lastro")]
    parts += [(NameOID.ORGANIZATIONAL_UNIT_NAME, unit) for unit in units]
    parts.append((NameOID.COMMON_NAME, common))
    return x509.Name([x509.NameAttribute(oid, text) for oid, text in parts])


def _authority(name: x509.Name, key: rsa.RSAPrivateKey, issuer: Signer | None, serial: int) -> Signer:
    builder = (
        x509.CertificateBuilder(
            issuer.certificate.subject if issuer else name, name, key.public_key(), serial
        )
        .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=_UTC))
        .not_valid_after(dt.datetime(2040, 1, 1, tzinfo=_UTC))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .add_extension(x509.KeyUsage(False, False, False, False, False, True, True, False, False), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
    )
    signing = issuer.key if issuer else key
    if issuer:
        above = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())
        builder = builder.add_extension(above, False)
    return Signer(key, builder.sign(signing, hashes.SHA256()))


def _other_name(oid: str, text: str, octets: bool) -> x509.OtherName:
    raw = text.encode("ascii")
    assert len(raw) < 128
    return x509.OtherName(x509.ObjectIdentifier(oid), bytes([0x04 if octets else 0x13, len(raw)]) + raw)


def _plain(text: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return ascii_only.upper()[:48]


def _alternative(cnpj: str) -> x509.SubjectAlternativeName:
    octets = sum(cnpj.encode()) % 2 == 0  # both encodings are met in the wild
    return x509.SubjectAlternativeName(
        [
            x509.RFC822Name("fiscal@exemplo.invalid"),
            _other_name("2.16.76.1.3.4", "01011970" + "0" * 43, octets),
            _other_name("2.16.76.1.3.2", "RESPONSAVEL INVENTADO", octets),
            _other_name("2.16.76.1.3.3", cnpj, octets),
            _other_name("2.16.76.1.3.7", "0" * 12, octets),
        ]
    )


def leaf(
    party: Party, key: rsa.RSAPrivateKey, span: tuple[dt.datetime, dt.datetime], issuer: Signer
) -> Signer:
    """A company's e-CNPJ, good for a span of time."""
    note = f"{party.cnpj} {span[0].isoformat()} {issuer.certificate.serial_number}".encode()
    serial = int.from_bytes(hashlib.sha1(note).digest()[:8], "big") | 1 << 62
    subject = _name(
        f"{_plain(party.name)}:{party.cnpj}", "RFB e-CNPJ A1 de teste", "AR de teste", "Presencial"
    )
    usage = x509.KeyUsage(True, True, True, False, False, False, False, False, False)
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())
    policy = x509.PolicyInformation(x509.ObjectIdentifier("2.16.76.1.2.1.999"), None)
    builder = (
        x509.CertificateBuilder(issuer.certificate.subject, subject, key.public_key(), serial)
        .not_valid_before(span[0])
        .not_valid_after(span[1])
        .add_extension(above, False)
        .add_extension(usage, True)
        .add_extension(x509.CertificatePolicies([policy]), False)
        .add_extension(_alternative(party.cnpj), False)
        .add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.EMAIL_PROTECTION]),
            False,
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), False)
    )
    return Signer(key, builder.sign(issuer.key, hashes.SHA256()))


@dataclass
class Wallet:
    """Everybody's certificates; each company renews its own once a year, on its own day."""

    seed: int
    _leaves: dict[tuple[str, int], Signer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        root_name = _name("Raiz de Teste do Lastro v1")
        self.root = _authority(root_name, seeded_key(f"{self.seed} root"), None, 1)
        first = _name("AC de Teste do Lastro v1", "AC subordinada")
        second = _name("AC de Teste do Lastro v2", "AC subordinada")
        self.intermediate = _authority(first, seeded_key(f"{self.seed} ac1"), self.root, 2)
        self.second_intermediate = _authority(second, seeded_key(f"{self.seed} ac2"), self.root, 3)
        # The stranger bears the very names of the trusted ones: a name proves nothing.
        self.strange_root = _authority(root_name, seeded_key(f"{self.seed} strange root"), None, 1)
        self.strange_intermediate = _authority(
            first, seeded_key(f"{self.seed} strange ac"), self.strange_root, 2
        )

    def key(self, number: int) -> rsa.RSAPrivateKey:
        """One of the few pairs that all leaves share."""
        return seeded_key(f"{self.seed} leaf {number % LEAF_KEYS}")

    def span(self, party: Party, when: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
        """The year of validity that holds the moment."""
        year = when.astimezone(_UTC).year
        month, day = party.renewal
        noon = dt.datetime(year, month, day, 12, tzinfo=_UTC)
        start = noon if when >= noon else noon.replace(year=year - 1)
        return start, start.replace(year=start.year + 1)

    def signer(self, party: Party, when: dt.datetime) -> Signer:
        """The certificate that the company holds at the moment."""
        span = self.span(party, when)
        known = (party.cnpj, span[0].year)
        if known not in self._leaves:
            number = sum(party.cnpj.encode()) + span[0].year
            self._leaves[known] = leaf(party, self.key(number), span, self.intermediate)
        return self._leaves[known]

    def other_key(self, signer: Signer) -> rsa.RSAPrivateKey:
        """Some pair that is not the signer's."""
        pairs = (self.key(number) for number in range(LEAF_KEYS))
        return next(pair for pair in pairs if pair.public_key() != signer.key.public_key())


def pem(signer: Signer) -> bytes:
    """The certificate as a PEM file."""
    return signer.certificate.public_bytes(Encoding.PEM)
