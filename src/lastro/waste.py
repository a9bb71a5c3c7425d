"""The nouns of waste on the road: the transport manifest (MTR), the certificate of final destination (CDF).

Quantities are plain decimals with as many digits as were written, and their unit; who weighs them turns them
into a mass. What could not be read as a number is kept as written, and whoever read it says so in a finding.
Of people nothing is kept: no driver, no person in charge. A plate is kept, because a lorry's loads are
compared with what it carries.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Residue:
    """One residue of a manifest or of a certificate.

    `code` is the Ibama code (IN 13/2012) as digits, "" when not written. `received` is None until the
    receiver has confirmed it, which is not zero. On a certificate `indicated` is "" and `received` the
    quantity certified. `replaced` tells that the receiver put another residue or treatment in place of the
    sender's.
    """

    code: str
    description: str
    unit: str
    indicated: str
    received: str | None
    density: str | None
    treatment: str
    hazardous: bool = False
    replaced: bool = False


@dataclass(frozen=True)
class Manifest:
    """One MTR: who sent what, by whom, to whom, and what the receiver weighed.

    `number` is the national number (12 digits) where it has one, else the state's (10); `state_number` the
    state's where both are told: the two name one manifest. `system` is "SINIR", or the state's letters.
    `kind` and `situation` are as the system writes them. `mentions` are the access keys and the numbers of
    notes that its remarks name. `complements` is the manifest that this one repeats for a second lorry,
    `complemented_by` the system's code of the one that repeats this, `provisional` the number of the paper
    form that it stands in for. `amended` tells that a change of what was received was asked for after the
    receipt. `municipality` is where the generator is, as seven digits of IBGE, "" when not told.
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
    complemented_by: str = ""
    provisional: str = ""
    stored_on: date | None = None
    amended: bool = False
    municipality: str = ""


@dataclass(frozen=True)
class DestinationCertificate:
    """One CDF: a destination certifies to one generator what it treated of which manifests in a period.

    `number` is as manifests name it, without the year that is printed behind it. A certificate known only by
    the answer of the web service that issued it has no residues: their masses are not known, which is not
    zero.
    """

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
    municipality: str = ""
