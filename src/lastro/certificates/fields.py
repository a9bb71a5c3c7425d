"""The thirteen contents of a certificate (Decreto MT 1.455/2025, art. 63), each under its item.

A content that is not known is None: it is never left blank on paper and never guessed; the certificate is not
issued (K07).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date

from lastro.certificates.port import BackedBy, Certificate
from lastro.facts import Basis
from lastro.ids import Material
from lastro.registry import Registry
from lastro.registry.records import Party
from lastro.tables import municipality
from lastro.units import Mass, Money, Share


@dataclass(frozen=True)
class Applicant:
    """Who asks for the certificate, fully qualified (item I)."""

    name: str
    cnpj: str
    address: str
    licence: str
    contact: str


@dataclass(frozen=True)
class Periods:
    """The days of the sales that compensate, and the year whose packaging is compensated (item II)."""

    compensation_from: date
    compensation_to: date
    liability_year: int


@dataclass(frozen=True)
class Attainment:
    """The target in force and the share attained with this certificate, of one material group (item III)."""

    group: str
    target: Share
    attained: Share
    basis: Basis = Basis.OFFICIAL


@dataclass(frozen=True)
class Place:
    """Where material was collected, and whether the operator says so or only the invoice does (item VIII)."""

    municipality: str
    by_invoice: bool


@dataclass(frozen=True)
class SignedBy:
    """The authorised person who signs: name, CNPJ and fingerprint of the digital certificate (item XIII)."""

    name: str
    cnpj: str
    sha256: str


@dataclass(frozen=True)
class Fields:
    """What a certificate says, item by item of art. 63."""

    applicant: Applicant | None = None  # I
    periods: Periods | None = None  # II
    target: Attainment | None = None  # III
    materials: tuple[tuple[Material, Mass], ...] | None = None  # IV
    note_materials: tuple[Material, ...] | None = None  # V
    investment: Money | None = None  # VI
    mass: Mass | None = None  # VII
    places: tuple[Place, ...] | None = None  # VIII
    note_dates: tuple[date, ...] | None = None  # IX
    issued_on: date | None = None  # X
    address: str | None = None  # XI
    invoices: tuple[BackedBy, ...] | None = None  # XII
    signer: SignedBy | None = None  # XIII


_LABELS = {
    "I": "qualificação completa do requerente",
    "II": "período da compensação e período do passivo",
    "III": "meta percentual vigente e percentual de atingimento",
    "IV": "materiais compensados",
    "V": "tipo de material das notas fiscais",
    "VI": "investimento realizado",
    "VII": "quantidade compensada, em quilogramas",
    "VIII": "local da coleta",
    "IX": "data de emissão das notas fiscais",
    "X": "data de emissão do certificado",
    "XI": "QR code e selo de autenticidade",
    "XII": "código de identificação das notas fiscais",
    "XIII": "assinatura digital de pessoa autorizada",
}
ITEMS = {field.name: item for field, item in zip(fields(Fields), _LABELS, strict=True)}
"""The item of art. 63 that each field answers to."""


@dataclass(frozen=True)
class Lack:
    """An item that can't be filled, and what is missing for it."""

    item: str
    what: str

    def __str__(self) -> str:
        return f"item {self.item} ({_LABELS[self.item]}): {self.what}"


def lacks(known: Fields) -> tuple[Lack, ...]:
    """The items that are empty, in the order of the article; an investment of zero was said."""
    said = {f.name: getattr(known, f.name) for f in fields(Fields)}
    return tuple(
        Lack(ITEMS[name], "falta")
        for name, value in said.items()
        if not value and not isinstance(value, Money)
    )


def applicant(registry: Registry, holder: str) -> Applicant | tuple[Lack, ...]:
    """The holder's qualification from the registry, or what the registry lacks of it."""
    party = registry.party(holder)
    if party is None:
        return (Lack("I", "o estabelecimento não está no cadastro"),)
    asked = {
        "nome": party.name,
        "endereço": party.address,
        "município": party.municipality,
        "número da licença": party.licence_number,
        "contato": party.contact,
    }
    missing = [what for what, value in asked.items() if not value]
    if missing:
        return (Lack("I", f"falta no cadastro: {', '.join(missing)}"),)
    place = municipality(party.municipality or "") or party.municipality
    return Applicant(party.name, party.cnpj, f"{party.address}, {place}", _licence(party), party.contact)


def _licence(party: Party) -> str:
    issuer = f", {party.licence_issuer}" if party.licence_issuer else ""
    until = f", válida até {party.licence_valid_to:%d/%m/%Y}" if party.licence_valid_to else ""
    return f"{party.licence_number}{issuer}{until}"


def from_lots(certificate: Certificate) -> dict[str, object]:
    """The items that the lots themselves answer: II, IV, V, VII, VIII, IX and XII."""
    lots = certificate.lots
    days = sorted({lot.issued_on for lot in lots})
    return {
        "periods": Periods(days[0], days[-1], certificate.year) if days else None,
        "materials": tuple(certificate.by_material.items()),
        "note_materials": tuple(certificate.by_material),
        "mass": certificate.mass,
        "places": _places(lots),
        "note_dates": tuple(days),
        "invoices": tuple(lots),
    }


def _places(lots: Sequence[BackedBy]) -> tuple[Place, ...] | None:
    """Where everything was collected; None as soon as the place of one lot is not known."""
    if not all(lot.municipality for lot in lots):
        return None
    found = {Place(lot.municipality or "", lot.municipality_source == "invoice") for lot in lots}
    return tuple(sorted(found, key=lambda p: (p.by_invoice, p.municipality)))


def told(lacking: Iterable[Lack]) -> str:
    """What is missing, in one line for a person."""
    return "; ".join(str(one) for one in lacking)
