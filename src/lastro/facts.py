"""The nouns that walk between rooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from lastro.ids import Material, Origin
from lastro.units import ZERO, Mass
from lastro.waste import DestinationCertificate, Manifest


class Severity(StrEnum):
    """What a finding does to the line or document it stands on (decision 9), gravest first."""

    REFUSE = "refuse"
    REVIEW = "review"
    ZERO = "zero"
    WARN = "warn"
    INFO = "info"


class Basis(StrEnum):
    """How far an answer may be leaned on; an answer carries the worst of what it leans on."""

    OFFICIAL = "official"
    ILLUSTRATIVE = "illustrative"
    TEST = "test"

    def worst(self, other: Basis) -> Basis:
        return self if _RANK[self] >= _RANK[other] else other


_RANK = {basis: rank for rank, basis in enumerate(Basis)}


@dataclass(frozen=True)
class Finding:
    """One thing seen on a document or a line: what, where, and how to cure it.

    `code` is a code of the catalogue (`lastro.findings`); message and cure are looked up there.
    """

    code: str
    severity: Severity
    where: str = ""
    found: str = ""
    expected: str = ""
    article: str = ""


class Outcome(StrEnum):
    """A document's or line's verdict."""

    ADMITTED = "admitted"
    REVIEW = "review"
    REFUSED = "refused"


class Kind(StrEnum):
    """What a file turned out to be."""

    NFE = "nfe"
    EVENT = "event"
    MTR = "mtr"
    CDF = "cdf"
    CTE = "cte"
    MDFE = "mdfe"
    INUT = "inut"
    ANSWER = "answer"
    SUMMARY = "summary"
    UNKNOWN = "unknown"


class Signature(StrEnum):
    """What the arithmetic of the XML signature says; trust is apart (decision 11)."""

    VALID = "valid"
    REFORMATTED = "reformatted"
    INVALID = "invalid"
    ABSENT = "absent"
    UNREADABLE = "unreadable"


class Status(StrEnum):
    """The authorisation of a note, as far as known."""

    AUTHORISED = "authorised"
    CANCELLED = "cancelled"
    DENIED = "denied"
    UNAUTHORISED = "unauthorised"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Line:
    """One line of an invoice, as written: literals are kept, numbers are read by whoever weighs them."""

    number: int
    description: str
    ncm: str
    cfop: str
    commercial_unit: str
    commercial_quantity: str
    taxable_unit: str
    taxable_quantity: str
    value: str
    counts_in_total: bool = True


@dataclass(frozen=True)
class Invoice:
    """What an NF-e says, read from the signed bytes; dates keep the offset written (no conversion).

    `direction` is tpNF, `purpose` finNFe, `credit` the kind of a credit note (tpNFCredito, NT 2025.002).
    Of the transport: `freight` is by whose account (modFrete), `carrier` a company's CNPJ, `wagon` what is no
    road vehicle (a railway wagon or a barge), `plates` the lorry and its trailers in order. `mentions` are
    the numbers of manifests (MTR) that its remarks name, and of weighing slips with "balança/" before them.
    """

    access_key: str
    model: str
    layout: str
    issued_at: str
    issued_on: date
    environment: str
    direction: str
    purpose: str
    operation: str
    issuer: str
    issuer_name: str
    issuer_municipality: str
    issuer_uf: str
    recipient: str
    recipient_name: str
    recipient_municipality: str
    recipient_uf: str
    lines: tuple[Line, ...]
    net_weights: tuple[str, ...] = ()
    gross_weights: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    credit: str = ""
    freight: str = ""
    carrier: str = ""
    wagon: str = ""
    plates: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()

    @property
    def self_issued(self) -> bool:
        """Whether the buyer wrote it (tpNF 0): then issuer and recipient swap roles."""
        return self.direction == "0"

    @property
    def unnamed_seller(self) -> bool:
        """Whether the buyer's note names no seller: a day's purchases from individuals in one note."""
        return self.self_issued and self.recipient in ("", self.issuer)

    @property
    def seller(self) -> str:
        """Who answers for the goods; of a day's purchases from individuals, the buyer that gathered them."""
        return self.recipient if self.self_issued and not self.unnamed_seller else self.issuer

    @property
    def buyer(self) -> str:
        return self.issuer if self.self_issued else self.recipient


@dataclass(frozen=True)
class Event:
    """Something that happened to a note after it was issued (cancellation, correction letter …)."""

    access_key: str
    type: str
    sequence: int
    author: str
    registered_at: str
    status: str
    detail: str = ""
    corrects_goods: bool = False

    def answered(self, status: str) -> Event:
        """The same event with what SEFAZ answered to it (cStat)."""
        return replace(self, status=status)


@dataclass(frozen=True)
class Kin:
    """Another note that speaks of the same mass as this one, and how it is known.

    `relation` is refers_to, referred_by or twin; `code` is what the one does to the other, or empty: the note
    that is referred to is returned or annulled (N16) or told anew (M15), the twin may be the same mass (M15).
    """

    access_key: str
    relation: str
    code: str = ""


@dataclass(frozen=True)
class Beside:
    """A manifest or certificate of destination that goes with a note: `kind` is mtr or cdf.

    `state` of a manifest is open, received, or unseen where only a certificate tells of it. `mass` is what
    was received or certified, None where that is not known.
    """

    kind: str
    number: str
    state: str
    mass: Mass | None


@dataclass(frozen=True)
class Conformity:
    """Whether a file has the form of its official XSD: `valid`, `invalid` or `not_checked`; never a gate.

    `layout` is the version the file declares, `why` the schema's first complaint or why it was not asked.
    """

    state: str = "not_checked"
    layout: str = ""
    why: str = ""


@dataclass(frozen=True)
class Document:
    """One fiscal document found in a file: its facts, and what was seen on its identity and signature.

    `sha256` is of the file's (or zip member's) bytes; `content_digest` is the SHA-256 of the canonical
    signed element, the same for every wrapping of one content; empty when it could not be made.
    `digest_value` is the digest that the signature carries, which a protocol must repeat. `status_source`
    says who vouches for the status: the file itself, or SEFAZ when it was asked (decision 10). Of an MTR or a
    CDF `manifest` or `destination` holds the facts, and `part` says where in the file it stands ("linha 5",
    "[3]") when the file holds several; then `content_digest` is of the facts as read. `family` are the other
    notes of the same mass, `papers` the manifests and certificates that go with it, as the run or the store
    knows them: no part of the evidence, and not kept with it.
    """

    file: str
    member: str | None
    sha256: str
    kind: Kind
    name: str
    access_key: str = ""
    content_digest: str = ""
    invoice: Invoice | None = None
    event: Event | None = None
    signature: Signature = Signature.ABSENT
    signer: str = ""
    status: Status = Status.UNKNOWN
    authorised_at: str = ""
    basis: Basis = Basis.OFFICIAL
    findings: tuple[Finding, ...] = ()
    digest_value: str = ""
    status_source: str = "file"
    manifest: Manifest | None = None
    destination: DestinationCertificate | None = None
    part: str = ""
    family: tuple[Kin, ...] = ()
    papers: tuple[Beside, ...] = ()
    conformity: Conformity = Conformity()


@dataclass(frozen=True)
class Reached:
    """How far an establishment's documents were brought from SEFAZ, and until when none may be asked for.

    Documents are numbered (NSU) for each establishment. `missing` are numbers whose documents did not come or
    could not be opened: they are asked for again, one by one.
    """

    last_nsu: int = 0
    highest_nsu: int = 0
    not_before: datetime | None = None
    missing: tuple[int, ...] = ()


@dataclass(frozen=True)
class LineVerdict:
    """What one line counts: a mass of a material, or the reasons why not. `mass` None = cannot be told.

    `limited` is what other papers (an MTR, a CDF, an earlier sale) leave of it, where that is less.
    """

    line: int
    ncm: str
    cfop: str
    unit: str
    material: Material | None
    mass: Mass | None
    outcome: Outcome
    counts: bool
    findings: tuple[Finding, ...] = ()
    collection: Collection | None = None
    limited: Mass | None = None

    @property
    def counted(self) -> Mass | None:
        """The mass that counts where the line does."""
        return self.mass if self.limited is None else self.limited


@dataclass(frozen=True)
class Verdict:
    """The answer on one document under one norm, for one claimant, with everything that was seen."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    lines: tuple[LineVerdict, ...] = ()


@dataclass(frozen=True)
class Collection:
    """Where the material of a line was collected, from which origin, and who says so."""

    municipality: str
    source: str  # "lots_file" | "operator" | "invoice"
    origin: Origin | None = None


@dataclass(frozen=True)
class Candidate:
    """One line that asks a norm to be admitted: only what the law may look at.

    None means not known, which is neither yes nor no.
    """

    issued_on: date
    material: Material | None
    aerosol: bool
    origin: Origin | None
    reenters_production: bool | None
    target_year: int | None = None
    destination_proved: bool | None = None
    upstream_counted: Mass | None = None


@dataclass(frozen=True)
class Objection:
    """What a norm has against a candidate: a finding code with the article that says so."""

    code: str
    article: str
    found: str = ""
    expected: str = ""


@dataclass(frozen=True)
class Placement:
    """Packaging that a company placed on the market of one state in one year."""

    year: int
    material: Material
    uf: str
    mass: Mass
    returnable: Mass = ZERO
    national: bool = False  # True: the mass is the whole country's, and the law apportions it
    aerosol: Mass = ZERO  # the part that is aerosol packaging


@dataclass(frozen=True)
class Retired:
    """Mass proved for a company in one year."""

    year: int
    material: Material
    uf: str
    municipality: str
    origin: Origin | None
    mass: Mass
    aerosol: Mass = ZERO  # the part that is aerosol packaging
    upstream_counted: Mass = ZERO  # the part that was counted earlier in the chain


@dataclass(frozen=True)
class TargetRow:
    """One row of a table of targets that a norm sets, as loaded: never guessed, never overwritten."""

    sector: str
    material: str
    year: int
    share: str
    source: str
    basis: Basis = Basis.OFFICIAL
    loaded_on: date | None = None


@dataclass(frozen=True)
class CompanyFacts:
    """What is known of one company when its targets are settled."""

    cnpj: str
    size: str
    scheme: str
    placed: tuple[Placement, ...]
    retired: tuple[Retired, ...]
    elections: tuple[Mapping[str, Any], ...] = ()
    sector: str = "embalagens_em_geral"
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Lot:
    """The smallest thing counted: one line of one accepted note, for one claimant."""

    access_key: str
    line: int
    claimant: str

    @property
    def account(self) -> str:
        return f"lot/{self.access_key}/{self.line}/{self.claimant}"


@dataclass(frozen=True)
class Refusal:
    """Why a move was not made, and what already stands."""

    code: str
    found: str = ""
    expected: str = ""
    article: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """One posting: who, what, when, where, why, how much. Only ever added."""

    debit: str
    credit: str
    mass: Mass
    reason: str
    lot: Lot
    municipality: str
    happened_on: date
    recorded_at: datetime | None = None
    reference: str = ""
