"""Who a company is on record as, which plans its establishments belong to, and what it asks of entities.

A company asks to join a plan or to leave one; the entity answers. The list of members itself is the entity's
to write: an answer says what was decided, and changes no list by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.ids import company_of
from lastro.registry.records import Membership, Party, Term
from lastro.stores.postgres.filings import Filings
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.translating import said

WANTS: Mapping[str, str] = {"join": "aderir", "leave": "sair"}
_MOST = 1_000
_STATES = {
    "open": gettext_noop("sem resposta"),
    "accepted": gettext_noop("aceito"),
    "refused": gettext_noop("recusado"),
}
_TONES = {"open": "asks", "accepted": "good", "refused": "bad"}


@dataclass(frozen=True)
class Establishment:
    """One establishment of the company as the registry has it, with its plans."""

    party: Party
    stays: tuple[Stay, ...]

    @property
    def licence(self) -> str:
        """What is known of its licence today, in words."""
        until = self.party.licence_valid_to
        if not self.party.licence_number:
            return "não consta"
        if until is None:
            return f"{self.party.licence_number}, sem validade no cadastro"
        state = "venceu em" if until < office.today() else "até"
        return f"{self.party.licence_number}, {state} {until:%d/%m/%Y}"


@dataclass(frozen=True)
class Stay:
    """A membership, with the term it stands on and whether it holds today."""

    membership: Membership
    entity_name: str
    term: Term | None
    holds: bool


@dataclass(frozen=True)
class Asked:
    """What a company asked of an entity, with the answer if there is one."""

    filing: Filing
    answer: Filing | None
    company_name: str
    entity_name: str

    @property
    def state(self) -> str:
        if self.answer is None:
            return "open"
        return "accepted" if self.answer.body["accepted"] else "refused"

    @property
    def words(self) -> str:
        return said(_STATES[self.state])

    @property
    def tone(self) -> str:
        return _TONES[self.state]

    @property
    def wants(self) -> str:
        return WANTS[str(self.filing.body["wants"])]


def establishments(party: str) -> list[Establishment]:
    """Every establishment of the company that the registry knows, in order."""
    known, root = office.registry(), company_of(party)
    numbers = sorted(
        {str(row["cnpj"]) for row in known.tables["parties"] if str(row["cnpj"]).startswith(root)}
    )
    found = [one for number in numbers if (one := known.party(number)) is not None]
    return [Establishment(one, tuple(_stays(one.cnpj))) for one in found]


def _stays(establishment: str) -> list[Stay]:
    known, today = office.registry(), office.today()
    return [
        Stay(
            one,
            office.name_of(one.entity),
            next((t for t in known.terms_of(one.entity, one.period.start) if t.term == one.term), None),
            one.period.holds(today),
        )
        for one in sorted(known.memberships(establishment), key=lambda m: m.period.start, reverse=True)
    ]


def entities() -> list[tuple[str, str]]:
    """The managing entities of today, by name."""
    known, today = office.registry(), office.today()
    numbers = {str(row["cnpj"]) for row in known.tables["roles"] if row["role"] == "managing_entity"}
    found = [(one, office.name_of(one)) for one in numbers if "managing_entity" in known.roles(one, today)]
    return sorted(found, key=lambda pair: pair[1])


def ask(party: str, *, entity: str, wants: str, since: date | None, text: str, by: str) -> Filing:
    """Ask an entity to be taken in, or let go. Raises LastroError, in words for who asks."""
    if entity not in dict(entities()):
        raise LastroError("Escolha a entidade gestora.")
    if wants not in WANTS:
        raise LastroError("Diga se quer aderir ou sair.")
    if since is None:
        raise LastroError("Diga a partir de que dia.")
    member = office.registry().is_member(party, entity, office.today())
    if wants == "leave" and not member:
        raise LastroError("O estabelecimento não é aderente desta entidade hoje.")
    if wants == "join" and member:
        raise LastroError("O estabelecimento já é aderente desta entidade.")
    mine = Filings(office.store(), sees=party)
    subject = Subject(Kind.JOINING, party, name=entity)
    before = mine.latest(subject)
    if before is not None and _answer_to(before, sees=party) is None:
        raise LastroError("Há um pedido a esta entidade ainda sem resposta.")
    body = {"wants": wants, "since": since.isoformat(), "text": text[:_MOST]}
    return mine.add(
        subject, body, by=by, on=office.today(), after=before.version if before else 0, addressee=entity
    )


def asked_by(party: str) -> list[Asked]:
    """What the establishment asked of entities: the last of each, the latest first."""
    found = Filings(office.store(), sees=party).standing(Kind.JOINING, party=party)
    return [_asked(one, sees=party) for one in found]


def asked_of(entity: str) -> list[Asked]:
    """What establishments asked of an entity, the latest first."""
    found = Filings(office.store(), sees=entity).standing(Kind.JOINING, addressee=entity)
    return [_asked(one, sees=entity) for one in found]


def one_asked(entity: str, number: int) -> Asked | None:
    """One of them, by its number."""
    return next((one for one in asked_of(entity) if one.filing.id == number), None)


def answer(entity: str, asked: Asked, *, accepted: bool, text: str, by: str) -> Filing:
    """The entity's answer; there is one to each asking. Raises LastroError without a reason for a no."""
    if asked.answer is not None:
        raise LastroError("Este pedido já foi respondido.")
    if not accepted and not text:
        raise LastroError("Diga por que o pedido é recusado.")
    body = {"accepted": accepted, "text": text[:_MOST]}
    return Filings(office.store(), sees=entity).add(
        _answer_subject(asked.filing), body, by=by, on=office.today(), addressee=asked.filing.subject.party
    )


def _answer_subject(asking: Filing) -> Subject:
    name = f"joining-{asking.subject.party}-{asking.version}"
    return Subject(Kind.ANSWER, asking.addressee, name=name)


def _answer_to(asking: Filing, *, sees: str) -> Filing | None:
    return Filings(office.store(), sees=sees).latest(_answer_subject(asking))


def _asked(filing: Filing, *, sees: str) -> Asked:
    return Asked(
        filing,
        _answer_to(filing, sees=sees),
        office.name_of(filing.subject.party),
        office.name_of(filing.addressee),
    )
