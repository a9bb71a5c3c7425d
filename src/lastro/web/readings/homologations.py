"""Papers of an operator's homologation: with which entity it stands, until when, and what it handed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from lastro.filings import Filing, Kind, Subject
from lastro.ids import masked
from lastro.lawkit import Regulation, library
from lastro.registry.records import Vetting, anniversary
from lastro.stores.postgres.filings import Filings
from lastro.web import office

PAPERS = {
    "cnpj": ("Cartão do CNPJ", "art59-I"),
    "registrations": ("Inscrições estadual e municipal", "art59-II"),
    "licence": ("Licença de operação, ou a dispensa dela", "art59-III"),
    "permit": ("Alvará de funcionamento", "art59-IV"),
}
"""The papers as the registry names them, in words, with the provision that asks for each."""


def entities_of(operator: str) -> list[str]:
    """The entities that homologate an operator, or once did, by name."""
    found = {one.entity for one in office.registry().vettings(operator)}
    return sorted(found, key=office.name_of)


def every_entity() -> list[str]:
    """Every managing entity that the registry knows, by name."""
    found = {
        str(row["cnpj"]) for row in office.registry().tables["roles"] if row["role"] == "managing_entity"
    }
    return sorted(found, key=office.name_of)


@dataclass(frozen=True)
class Paper:
    """One paper of a homologation: what was handed in, and until when it holds."""

    name: str
    words: str
    article: str
    filing: Filing | None
    expired: bool

    @property
    def valid_to(self) -> str | None:
        return self.filing.body.get("valid_to") if self.filing else None


@dataclass(frozen=True)
class Homologation:
    """How an operator stands with one entity: its papers, and until when it is homologated."""

    entity: str
    name: str
    valid_to: date | None
    """The last day of the homologation that stands; None where none does."""
    days_left: int | None
    papers: tuple[Paper, ...]
    last: date | None
    """The last day of the one that stood last."""

    @property
    def missing(self) -> int:
        """How many papers were not handed in here, or have expired."""
        return sum(1 for paper in self.papers if paper.filing is None or paper.expired)


def regulation() -> Regulation:
    """The norm that asks for homologations."""
    return next(one for one in library.every() if one.vets is not None)


def homologations(operator: str, *, today: date, everywhere: bool = False) -> list[Homologation]:
    """How an operator stands with each entity that ever homologated it or got a paper of it."""
    norm = regulation()
    filed = Filings(office.store(), sees=operator).standing(Kind.VETTING, party=operator)
    given = {one.subject.name: one for one in filed}
    with_us = {*entities_of(operator), *(one.addressee for one in filed)}
    asked = every_entity() if everywhere else sorted(with_us, key=office.name_of)
    return [_homologation(norm, operator, entity, given, today) for entity in asked]


def _homologation(
    norm: Regulation, operator: str, entity: str, given: Mapping[str, Filing], today: date
) -> Homologation:
    rows = [one for one in office.registry().vettings(operator) if one.entity == entity]
    years = norm.vets(norm.law(today)) if norm.vets is not None else None
    ends = [(_last(one, years), one) for one in rows if one.complete]
    now = [last for last, one in ends if one.holds(today, years=years)]
    valid_to = max(now, default=None)
    return Homologation(
        entity=entity,
        name=office.name_of(entity) or masked(entity),
        valid_to=valid_to,
        days_left=(valid_to - today).days if valid_to else None,
        papers=tuple(_paper(norm, name, given.get(f"{entity}/{name}"), today) for name in PAPERS),
        last=max((last for last, _ in ends), default=None),
    )


def _last(one: Vetting, years: int | None) -> date:
    """The last day of a homologation: of its row, or the one on which the norm lets it end."""
    ends = [one.period.end] if one.period.end else []
    if years is not None:
        ends.append(anniversary(one.period.start, years=years))
    return min(ends, default=date.max)


def _paper(norm: Regulation, name: str, filing: Filing | None, today: date) -> Paper:
    words, provision = PAPERS[name]
    until = filing.body.get("valid_to") if filing else None
    return Paper(
        name, words, norm.norm.cite((provision,)), filing, bool(until) and str(until) < today.isoformat()
    )


def paper_subject(operator: str, entity: str, name: str) -> Subject:
    """What a paper handed in for a homologation is about."""
    return Subject(Kind.VETTING, operator, regulation().norm.path, name=f"{entity}/{name}")
