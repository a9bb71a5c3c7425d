"""Who adheres to an entity, under which terms, and what of it other systems have not been told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro.filings import Filing, Kind, Subject
from lastro.ids import masked
from lastro.registry.records import Membership, Term, record
from lastro.stores.postgres.filings import Filings
from lastro.stores.postgres.registry import Written, written
from lastro.tables import municipality
from lastro.web import office
from lastro.web.tags.shown import day

SCHEMES = {"structuring": "estruturante", "certificates": "certificados", "collective": "coletivo"}
_TABLES = {"members": "aderente", "terms": "termo", "vettings": "homologação", "parties": "estabelecimento"}


@dataclass(frozen=True)
class Member:
    """One stay of an establishment with an entity, as it stands today."""

    membership: Membership
    name: str
    municipality: str | None
    scheme: str
    state: str

    @property
    def inside(self) -> bool:
        return self.state == "dentro"


def state_of(start: date, end: date | None, today: date) -> str:
    """Whether a period runs today: not yet, now, or no more."""
    if today < start:
        return "a começar"
    return "dentro" if end is None or today <= end else "encerrado"


def members(entity: str) -> list[Member]:
    """Every stay with an entity, those inside first, by name."""
    known, today = office.registry(), office.today()
    mine = [record("members", row) for row in known.tables["members"] if row["entity"] == entity]
    made = [
        Member(
            one,
            office.name_of(one.establishment),
            known.municipality(one.establishment),
            SCHEMES.get(one.scheme or "", ""),
            state_of(one.period.start, one.period.end, today),
        )
        for one in mine
    ]
    return sorted(made, key=lambda m: (not m.inside, m.name, m.membership.establishment))


@dataclass(frozen=True)
class TermShown:
    """A term of commitment, with the days that are left of it and how many establishments it binds today."""

    term: Term
    state: str
    days_left: int | None
    members: int


def terms(entity: str) -> list[TermShown]:
    """The terms of an entity, those that end first at the top; a term without an end stands last."""
    known, today = office.registry(), office.today()
    mine = [record("terms", row) for row in known.tables["terms"] if row["entity"] == entity]
    inside = [m.membership.term for m in members(entity) if m.inside]
    made = [
        TermShown(
            one,
            state_of(one.period.start, one.period.end, today),
            (one.period.end - today).days if one.period.end else None,
            inside.count(one.term),
        )
        for one in mine
    ]
    return sorted(made, key=lambda t: (t.term.period.end or date.max, t.term.term))


@dataclass(frozen=True)
class Change:
    """One change of the system that another system has to be told of."""

    number: int
    on: date
    about: str
    who: str
    name: str
    what: str
    source: str


def sent_subject(entity: str) -> Subject:
    """What the marks of an entity are about, that changes were taken to the other system."""
    return Subject(Kind.SENT, entity, name="sistema")


def marks(entity: str) -> list[Filing]:
    """Every time the entity said that it took its changes to the other system, the latest first."""
    return Filings(office.store(), sees=entity).versions(sent_subject(entity))


def changes(entity: str) -> list[Change]:
    """What changed since the last mark, oldest first: all of it, where nothing was ever taken there."""
    found = marks(entity)
    after = int(found[0].body["up_to"]) if found else 0
    return [_change(one) for one in written(office.store(), entity, after=after)]


def _change(one: Written) -> Change:
    body = one.body
    who = str(body.get("establishment") or body.get("operator") or body.get("cnpj") or "")
    what = _first(one.table, body) if one.before is None else _differences(one.before, body)
    return Change(
        one.id, one.on, _TABLES[one.table], masked(who) if who else str(body.get("term", "")),
        office.name_of(who) if who else "", what, one.source,
    )  # fmt: skip


def _first(table: str, body: Mapping[str, Any]) -> str:
    if table == "parties":
        return "cadastrado"
    end = f" até {day(body['to'])}" if body.get("to") else ""
    return f"desde {day(body['from'])}{end}"


_FIELDS = {
    "name": "nome", "address": "endereço", "municipality": "município", "uf": "UF", "contact": "contato",
    "licence_number": "licença", "licence_issuer": "órgão da licença",
    "licence_valid_to": "validade da licença",
    "closed_on": "baixa", "latitude": "latitude", "longitude": "longitude", "datum": "datum",
    "materials": "materiais", "capacity_kg_month": "capacidade em kg por mês", "to": "último dia",
    "scheme": "sistema", "sector": "setor", "signed_on": "assinado em",
    "certificates_allowed": "admite certificados", "cnpj_ok": "cartão CNPJ",
    "registrations_ok": "inscrições", "licence_ok": "licença ambiental", "permit_ok": "alvará",
}  # fmt: skip


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    changed = [name for name in after if after.get(name) != before.get(name)]
    return "; ".join(
        f"{_FIELDS.get(name, name)}: {_told(name, before.get(name))} → {_told(name, after.get(name))}"
        for name in changed
    )


def _told(name: str, value: Any) -> str:
    if value in (None, "", []):
        return "nada"
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if name == "municipality":
        return municipality(str(value)) or str(value)
    text = str(value)
    return day(text) if name in ("to", "licence_valid_to", "closed_on", "signed_on") else text
