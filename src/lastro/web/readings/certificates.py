"""Certificates as their sellers, their holders and strangers see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from lastro import signing
from lastro.certificates import number as numbers
from lastro.certificates.answer import Answered, answered
from lastro.certificates.port import Certificate
from lastro.certificates.sale import Counter
from lastro.certificates.states import LABELS, State
from lastro.certifying import check_file, counter_of, moment
from lastro.facts import Basis
from lastro.ids import Material, company_of
from lastro.lawkit import Regulation
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass
from lastro.web import office


@dataclass(frozen=True)
class Shown:
    """A certificate with what it is today, in words."""

    certificate: Certificate
    state: State
    words: str
    materials: Mapping[Material, Mass]
    entity_name: str
    holder_name: str
    answer: Answered

    @property
    def public_number(self) -> str:
        return self.certificate.number

    @property
    def without_value(self) -> str:
        """The basis that keeps it from proving anything to others; empty for an official one."""
        basis = str(self.certificate.fields.get("basis") or "")
        return "" if basis == Basis.OFFICIAL else basis


def shown(certificate: Certificate) -> Shown:
    """The certificate as it is today."""
    state = certificate.state(office.today())
    return Shown(
        certificate=certificate,
        state=state,
        words=LABELS[state],
        materials=certificate.by_material,
        entity_name=office.name_of(certificate.entity),
        holder_name=office.name_of(certificate.holder) if certificate.holder else "",
        answer=answered(certificate, office.today()),
    )


def book() -> Certificates:
    return Certificates(office.store())


def counter(norm: str | None = None) -> Counter:
    """The counter at which this day's certificates are asked for."""
    return counter_of(office.store(), data=office.site().data, today=office.today(), norm=norm)


def of_entity(entity: str) -> list[Shown]:
    """Every certificate that an entity prepared, the latest first."""
    return [shown(one) for one in reversed(book().certificates(entity=entity))]


def of_company(establishment: str) -> list[Shown]:
    """Every issued certificate of a company's establishments, the latest first."""
    found = book().certificates(holder=company_of(establishment))
    return [shown(one) for one in reversed(found) if one.issued_on is not None]


def one_of(name: str, *, entity: str = "", holder: str = "") -> Shown | None:
    """A certificate that is this entity's, or issued to this company; None for anybody else's."""
    found = book().find(name)
    if found is None:
        return None
    mine = bool(entity) and found.entity == entity
    held = bool(holder) and company_of(found.holder) == company_of(holder) and found.issued_on is not None
    return shown(found) if mine or held else None


def buyers(entity: str) -> list[tuple[str, str]]:
    """Establishments that are members of the entity today, with their names."""
    known, today = office.registry(), office.today()
    named = {str(row["establishment"]) for row in known.tables["members"] if row["entity"] == entity}
    return sorted(
        ((who, office.name_of(who)) for who in named if known.is_member(who, entity, today)),
        key=lambda pair: (pair[1], pair[0]),
    )


def materials_of(regulation: Regulation, group: str) -> tuple[Material, ...]:
    """The materials of one of the norm's groups."""
    return tuple(m for m, of in regulation.grouping.items() if of == group)


# ── for strangers ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Checked:
    """What a stranger is told: the certificate if there is one, the file if one was shown, or why neither.

    `claimed` is the number that a file says is its own, whatever the register says of the file.
    """

    asked: str = ""
    problem: str = ""
    found: Shown | None = None
    file: signing.Checked | None = None
    same_file: bool = False
    claimed: str = ""


def by_number(text: str) -> Checked:
    """Look a certificate up by its number, or by the address in its QR code; only issued ones are public."""
    asked = text.strip()[:300].rstrip("/").rpartition("/")[2]
    number = numbers.parse(asked)
    if number is None:
        return Checked(
            asked, "O número não confere: há um caractere errado ou faltando (K10). Copie de novo."
        )
    found = book().find(number)
    if found is None or found.issued_on is None:
        return Checked(number, "O número está bem escrito, mas nenhum certificado emitido aqui o tem.")
    return Checked(number, found=shown(found))


def by_file(pdf: bytes) -> Checked:
    """Judge a PDF by its signature, on the application's day, and by what the register kept of it.

    A file that is not the one kept says which number it claims, and what the register knows of that number
    is told by the number's own page.
    """
    now = moment(office.today(), datetime.now(UTC))
    check = check_file(pdf, name="", data=office.site().data, book=book(), now=now)
    found = check.registered if check.registered and check.registered.issued_on else None
    if found is None:
        problem = "Nenhum certificado emitido aqui tem exatamente estes bytes."
        return Checked(problem=problem, file=check.signature, claimed=check.number)
    if not check.same_file:
        problem = "Este arquivo não é o que foi guardado na emissão: foi mudado depois, ou é outro."
        return Checked(problem=problem, file=check.signature, claimed=found.number)
    return Checked(found.number, found=shown(found), file=check.signature, same_file=True)
