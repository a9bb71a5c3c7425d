"""The nouns of waste on the road: the transport manifest (MTR) and the certificate of final destination (CDF).

Quantities are kept as written, with their unit; who weighs them turns them into a mass. Of people nothing is
kept: no driver, no person in charge. A plate is kept, because a lorry's loads are compared with what it carries.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Residue:
    """One residue of a manifest or of a certificate.

    `code` is the Ibama code (IN 13/2012) as digits, "" when not written. `received` is None until the receiver
    has confirmed it, which is not zero. On a certificate `indicated` is "" and `received` the quantity certified.
    """

    code: str
    description: str
    unit: str
    indicated: str
    received: str | None
    density: str | None
    treatment: str
    hazardous: bool = False


@dataclass(frozen=True)
class Manifest:
    """One MTR: who sent what, by whom, to whom, and what the receiver weighed.

    `number` is the national number (12 digits) where it has one, else the state's (10); `state_number` the
    state's where both are told: the two name one manifest. `situation` is as the system writes it. `mentions`
    are the access keys and the numbers of notes that its remarks name. `complements` is the manifest that this
    one repeats for a second lorry.
    """

    number: str
    state_number: str
    system: str
    kind: str
    situation: str
    issued_on: date | None
    shipped_on: date | None
    received_on: date | None
    generator: str
    carrier: str
    destination: str
    storage: str
    plate: str
    residues: tuple[Residue, ...]
    certificate: str = ""
    complements: str = ""
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True)
class DestinationCertificate:
    """One CDF: a destination certifies to one generator what it treated of which manifests in a period."""

    number: str
    system: str
    destination: str
    generator: str
    period_from: date | None
    period_to: date | None
    declared_on: date | None
    residues: tuple[Residue, ...]
    manifests: tuple[str, ...]
    situation: str = ""
