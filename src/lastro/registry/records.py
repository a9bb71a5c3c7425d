"""What the registry keeps: one record for each row of its tables, each with the days on which it holds.

A period runs from its first day to its last day, both included; no last day means that none was set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro.ids import Origin


@dataclass(frozen=True)
class Period:
    """The days on which something holds, first and last included."""

    start: date
    end: date | None = None

    def holds(self, on: date) -> bool:
        return self.start <= on and (self.end is None or on <= self.end)

    def meets(self, other: Period) -> bool:
        """Whether the two periods share a day."""
        return (other.end is None or self.start <= other.end) and (
            self.end is None or other.start <= self.end
        )


@dataclass(frozen=True)
class Party:
    """A legal person's establishment, or a natural person, as the registry knows it."""

    cnpj: str
    name: str = ""
    address: str = ""
    municipality: str | None = None
    uf: str | None = None
    contact: str = ""
    licence_number: str = ""
    licence_issuer: str = ""
    licence_valid_to: date | None = None
    closed_on: date | None = None
    latitude: str | None = None
    longitude: str | None = None
    datum: str | None = None
    materials: tuple[str, ...] = ()
    capacity_kg_month: str | None = None


@dataclass(frozen=True)
class Role:
    """What a party does in reverse logistics in a period; operators carry their origin (arts. 27 and 28)."""

    cnpj: str
    role: str
    period: Period
    origin: Origin | None = None


@dataclass(frozen=True)
class Vetting:
    """A managing entity's yearly check of an operator, with its four papers (MT 1.455/2025, art. 59)."""

    operator: str
    entity: str
    period: Period
    cnpj_ok: bool
    registrations_ok: bool
    licence_ok: bool
    permit_ok: bool

    @property
    def complete(self) -> bool:
        """All four papers were filed (art. 59, I to IV); three of them vet nobody."""
        return self.cnpj_ok and self.registrations_ok and self.licence_ok and self.permit_ok

    def holds(self, on: date, *, years: int | None) -> bool:
        """Whether it counts on a day: complete, in its period, and not older than the norm allows."""
        if not (self.complete and self.period.holds(on)):
            return False
        return years is None or on <= anniversary(self.period.start, years=years)


@dataclass(frozen=True)
class Term:
    """A term of commitment between an entity and the agency (TCLR)."""

    term: str
    entity: str
    sector: str
    signed_on: date | None
    certificates_allowed: bool
    period: Period


@dataclass(frozen=True)
class Membership:
    """An establishment's place in an entity's scheme, under a term, in a period."""

    establishment: str
    entity: str
    term: str
    period: Period
    scheme: str | None = None


@dataclass(frozen=True)
class Contract:
    """A verifier's contract with the entity whose lots it homologates."""

    verifier: str
    entity: str
    period: Period


@dataclass(frozen=True)
class Size:
    """A company's size class in one year."""

    company: str
    year: int
    size: str


def anniversary(start: date, *, years: int) -> date:
    """The day on which a term of years ends: on the same day, or the next where that one is lacking.

    Source: Código Civil, art. 132, § 3º.
    """
    try:
        return start.replace(year=start.year + years)
    except ValueError:
        return date(start.year + years, 3, 1)


def day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def period_of(row: Mapping[str, Any]) -> Period:
    start = day(row.get("from"))
    assert start is not None, "a period has a first day"
    return Period(start, day(row.get("to")))


def record(table: str, row: Mapping[str, Any]) -> Any:
    """Build the record of one checked row; dates come as ISO text, yes and no as booleans."""
    return _BUILD[table](row)


def _party(row: Mapping[str, Any]) -> Party:
    return Party(
        cnpj=row["cnpj"],
        name=row.get("name") or "",
        address=row.get("address") or "",
        municipality=row.get("municipality"),
        uf=row.get("uf"),
        contact=row.get("contact") or "",
        licence_number=row.get("licence_number") or "",
        licence_issuer=row.get("licence_issuer") or "",
        licence_valid_to=day(row.get("licence_valid_to")),
        closed_on=day(row.get("closed_on")),
        latitude=row.get("latitude"),
        longitude=row.get("longitude"),
        datum=row.get("datum"),
        materials=tuple(row.get("materials") or ()),
        capacity_kg_month=row.get("capacity_kg_month"),
    )


def _role(row: Mapping[str, Any]) -> Role:
    origin = row.get("origin")
    return Role(row["cnpj"], row["role"], period_of(row), Origin(origin) if origin else None)


def _vetting(row: Mapping[str, Any]) -> Vetting:
    papers = (row["cnpj_ok"], row["registrations_ok"], row["licence_ok"], row["permit_ok"])
    return Vetting(row["operator"], row["entity"], period_of(row), *papers)


def _term(row: Mapping[str, Any]) -> Term:
    return Term(
        term=row["term"],
        entity=row["entity"],
        sector=row.get("sector") or "",
        signed_on=day(row.get("signed_on")),
        certificates_allowed=row["certificates_allowed"],
        period=period_of(row),
    )


def _membership(row: Mapping[str, Any]) -> Membership:
    return Membership(
        row["establishment"], row["entity"], row.get("term") or "", period_of(row), row.get("scheme")
    )


def _contract(row: Mapping[str, Any]) -> Contract:
    return Contract(row["verifier"], row["entity"], period_of(row))


def _size(row: Mapping[str, Any]) -> Size:
    return Size(row["company"], int(row["year"]), row["size"])


_BUILD = {
    "parties": _party,
    "roles": _role,
    "vettings": _vetting,
    "terms": _term,
    "members": _membership,
    "contracts": _contract,
    "sizes": _size,
}
