"""An entity's objections to findings: filed, addressed to its verifier, answered by a filing that names one.

The answer is a filing of kind `answer` of the verifier's, addressed to the entity, whose name begins with
`objection/` and the objection's number, and whose body has `text`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.urls import reverse

from lastro.custody.port import For
from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.ids import masked
from lastro.stores.postgres.filings import Filings
from lastro.web import office
from lastro.web.readings.documents import Shown

ANSWER = "objection/"


@dataclass(frozen=True)
class Objection:
    """One objection, and what was answered to it."""

    filing: Filing
    answer: str

    @property
    def code(self) -> str:
        return str(self.filing.body["code"])

    @property
    def file(self) -> str:
        return str(self.filing.body["file"])

    @property
    def reason(self) -> str:
        return str(self.filing.body["reason"])

    @property
    def on(self) -> date:
        return self.filing.on

    @property
    def by(self) -> str:
        return self.filing.by

    @property
    def to(self) -> str:
        who = self.filing.addressee
        return office.name_of(who) or masked(who)

    @property
    def entity_name(self) -> str:
        who = self.filing.subject.party
        return office.name_of(who) or masked(who)

    @property
    def answered(self) -> bool:
        return bool(self.answer)

    @property
    def state(self) -> str:
        return "respondida" if self.answered else "espera resposta"

    @property
    def address(self) -> str:
        body = self.filing.body
        return f"{reverse('document', args=[body['sha256'], body['ordinal']])}?ano={body['year']}"


def verifiers_of(entity: str) -> list[tuple[str, str]]:
    """Who is under contract to verify the entity's notes today, with the name."""
    found = office.registry().verifier_for(entity, office.today())
    return [(who, office.name_of(who) or masked(who)) for who in found]


def object_to(
    whom: For, found: Shown, *, code: str, reason: str, by: str, files: Iterable[tuple[str, bytes]]
) -> Filing:
    """File an objection to a finding on a document. Raises LastroError where nobody would answer it."""
    verifiers = verifiers_of(whom.entity)
    if not verifiers:
        raise LastroError(
            "Nenhum verificador tem contrato em vigor com a entidade: não há quem responda. Peça o cadastro "
            "do contrato à administração."
        )
    filings = Filings(office.store(), sees=whom.entity)
    name = f"{found.document.sha256}/{found.ordinal}/{code}"
    subject = Subject(Kind.OBJECTION, whom.entity, whom.norm, period=str(whom.year), name=name)
    latest = filings.latest(subject)
    body = {
        "sha256": found.document.sha256, "ordinal": found.ordinal, "code": code, "reason": reason,
        "file": found.row.file, "key": found.row.key, "year": whom.year,
    }  # fmt: skip
    return filings.add(
        subject, body, by=by, on=office.today(), after=latest.version if latest else 0,
        addressee=verifiers[0][0], files=files,
    )  # fmt: skip


def asked_of(verifier: str) -> list[Objection]:
    """The objections addressed to a verifier, with what it answered, those that wait first."""
    filings = Filings(office.store(), sees=verifier)
    answers = {
        one.subject.name: str(one.body.get("text", ""))
        for one in filings.standing(Kind.ANSWER, party=verifier)
    }
    found = [
        Objection(one, answers.get(f"{ANSWER}{one.id}", ""))
        for one in filings.standing(Kind.OBJECTION, addressee=verifier)
    ]
    return sorted(found, key=lambda o: (o.answered, -o.filing.id))


def answer(objection: Objection, *, verifier: str, text: str, by: str) -> Filing:
    """Answer an objection; a later answer is a new version of it."""
    filings = Filings(office.store(), sees=verifier)
    subject = Subject(
        Kind.ANSWER, verifier, objection.filing.subject.norm, name=f"{ANSWER}{objection.filing.id}"
    )
    latest = filings.latest(subject)
    return filings.add(
        subject, {"text": text}, by=by, on=office.today(), after=latest.version if latest else 0,
        addressee=objection.filing.subject.party,
    )  # fmt: skip


def objections(entity: str) -> list[Objection]:
    """Every standing objection of an entity, the latest first."""
    filings = Filings(office.store(), sees=entity)
    answers = {
        one.subject.name.removeprefix(ANSWER): str(one.body.get("text", ""))
        for one in filings.standing(Kind.ANSWER, addressee=entity)
        if one.subject.name.startswith(ANSWER)
    }
    return [
        Objection(one, answers.get(str(one.id), "")) for one in filings.standing(Kind.OBJECTION, party=entity)
    ]
