"""The trail as it is read: of a record by those who may read the record, whole by the administration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.timezone import localtime

from lastro.ids import masked
from lastro.stores.postgres.filings import Filings
from lastro.web import office, rows
from lastro.web.models import Job, Person, Trail
from lastro.web.readings import certificates, documents
from lastro.web.scopes import OFFICE_OF, Role, Scope
from lastro.web.tables import Column

MOST = 20_000
"""More lines than this are not shown at once; a shorter time is asked for."""

KINDS = {
    "certificate": "certificado",
    "document": "documento",
    "item": "item contestado",
    "job": "trabalho",
    "filing": "papel",
    "person": "pessoa",
    "party": "estabelecimento",
    "establishment": "estabelecimento",
}

ACTS = {
    "login": "entrou (senha)",
    "second-factor": "entrou (segundo fator)",
    "logout": "saiu",
    "invitation": "aceitou o convite e escolheu a senha",
    "change-password": "trocou a senha",
    "choose-party": "passou a agir por outro estabelecimento",
    "language": "trocou a língua das páginas",
    "delegations": "delegou",
    "delegation-revoke": "revogou uma delegação",
    "delegation-give-back": "devolveu uma delegação",
    "people": "convidou uma pessoa",
    "person-change": "mudou a entrada de uma pessoa",
    "job-retry": "mandou repetir um trabalho",
    "admin-key-revoke": "revogou a chave de outra pessoa",
    "backups": "registrou uma cópia de segurança ou pediu uma recontagem",
    "keys": "fez uma chave",
    "key-revoke": "revogou uma chave",
    "upload-new": "enviou arquivos",
    "certificate-prepare": "preparou um certificado",
    "certificate-authorise": "autorizou um certificado",
    "certificate-refuse": "recusou um certificado",
    "company-use": "usou um certificado",
    "report-preview": "pediu a prévia do relatório",
    "report-submit": "entregou o relatório",
    "contest": "decidiu um item contestado",
    "homologate": "declarou lotes",
    "statement": "emitiu a declaração de verificação",
    "document-withdraw": "retirou uma reivindicação",
    "document-object": "objetou a um achado",
    "objection": "respondeu a uma objeção",
    "member-join": "incluiu um aderente",
    "member-leave": "registrou a saída de um aderente",
    "registry-load": "carregou o cadastro",
    "changes-sent": "anotou mudanças levadas a outro sistema",
    "operator-vet": "homologou um operador",
    "own-points-load": "carregou a lista de pontos",
    "own-points-add": "incluiu um ponto",
    "paper-fill": "preencheu um documento",
    "paper-sign": "assinou um documento",
    "paper-withdraw": "retirou um documento",
    "joining": "respondeu a um pedido de adesão",
    "parcel-take": "recebeu notas de um operador",
    "parcel-return": "devolveu notas a um operador",
    "company-fill": "preencheu um documento",
    "company-ask": "pediu para entrar numa entidade ou sair dela",
    "choices": "simulou escolhas",
    "choice-keep": "guardou uma escolha",
    "declaration-sheet": "enviou a planilha da declaração",
    "declaration-form": "preencheu a declaração",
    "fee-new": "calculou a taxa",
    "fee-pay": "disse que pagou a taxa",
    "operator-send": "enviou notas",
    "my-paper": "entregou um papel da homologação",
    "bolsa-registration": "preencheu o cadastro da Bolsa Reciclagem",
    "bolsa-measures": "informou a produção do trimestre",
    "bolsa-sale": "entregou um comprovante de venda",
    "bolsa-withdraw": "retirou um comprovante de venda",
    "bolsa-transfer": "informou o repasse do trimestre",
    "recycler-load": "confirmou ou negou uma carga",
    "load-look": "examinou o que se disse de uma carga",
    "sample": "tirou a amostra do ano",
    "sample-check": "conferiu um item da amostra",
    "analyse": "analisou uma organização",
    "trainings": "registrou uma capacitação",
    "committee-seats": "registrou um assento do comitê",
    "committee-meetings": "registrou uma reunião do comitê",
    "committee-meeting": "registrou uma votação",
    "committee-acts": "registrou um ato do comitê",
    "gap-seats": "registrou ou encerrou um assento do grupo",
    "gap-meetings": "registrou uma reunião do grupo",
    "gap-difficulties": "registrou ou avaliou uma dificuldade",
    "tables": "carregou uma tabela oficial",
    "table": "confirmou ou recusou uma tabela oficial",
    "request-new": "fez um pedido",
    "publish": "publicou um papel",
    "committee-quarters": "abriu ou corrigiu um trimestre",
    "committee-quarter": "concedeu ou fechou um trimestre",
    "committee-organisation": "decidiu sobre uma organização",
    "order-check": "consultou se um CNPJ está em dia",
    "order-state": "constatou o que sabe de outra parte",
    "default-new": "notificou uma inadimplência",
    "default-one": "encerrou ou prorrogou uma notificação",
    "my-default": "respondeu a uma notificação",
    "openings": "abriu dados de uma empresa",
    "opening": "leu dados abertos de uma empresa",
    "fee-ordinances": "registrou uma portaria da taxa",
    "fee-enter": "inscreveu um estabelecimento na taxa",
    "fee-payer": "lançou um trimestre da taxa",
    "fee-charge": "mudou um lançamento da taxa",
    "gap-consolidate": "consolidou e levou adiante",
    "audits": "entregou uma auditoria",
    "passkeys": "cadastrou uma chave de acesso",
    "passkey-forget": "apagou uma chave de acesso",
    "notices-mail": "escolheu se recebe e-mail",
    "hooks": "cadastrou um programa a chamar",
    "hook-end": "encerrou um programa a chamar",
    "papers-read": "leu papéis do órgão por programa",
    "late": "consultou quem está atrasado",
    "fee-register": "abriu o cadastro técnico estadual",
    "fee-unpaid": "abriu os trimestres em aberto",
}
"""What each address does, in words; the others are named by their address."""


def _act(named: str) -> str:
    """An act in words: a page's by its address, a program's by what its route is for."""
    if not named.startswith("api:"):
        return ACTS.get(named, named)
    from lastro.web.api.routes import acts

    return f"por programa: {acts().get(named, named)}"


@dataclass(frozen=True)
class Line:
    """One line as a page shows it; a person of another establishment is not named."""

    at: datetime
    who: str
    party: str
    behalf: str
    act: str
    kind: str
    record: str
    origin: str


def may_read(person: Person, party: str, kind: str, record: str) -> bool:
    """Whether a person who acts for a party may read a record, and so what was done with it."""
    scopes = person.scopes
    if Scope.PEOPLE_MANAGE in scopes:
        return True
    if kind == "certificate":
        entity = party if Scope.ENTITY_READ in scopes else ""
        holder = party if Scope.COMPANY_READ in scopes else ""
        return certificates.one_of(record, entity=entity, holder=holder) is not None
    if kind == "document":
        return Scope.ENTITY_READ in scopes and _has_document(party, record)
    if kind == "job":
        return Job.objects.filter(pk=record, party=party).exists() if party and _is_uuid(record) else False
    if kind == "filing":
        sees = party or OFFICE_OF.get(Role(person.role), "")
        return record.isdecimal() and Filings(office.store(), sees=sees).one(int(record)) is not None
    if kind == "party":
        return bool(party) and record == party
    return kind == "person" and record == str(person.pk)


def _has_document(entity: str, record: str) -> bool:
    sha256, _, ordinal = record.partition("/")
    return any(
        (row.sha256, str(row.ordinal)) == (sha256, ordinal)
        for whom in office.claimed(entity)
        for row in documents.rows(whom)
    )


def _is_uuid(text: str) -> bool:
    import uuid

    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def of_record(kind: str, record: str, *, person: Person, party: str) -> list[Line]:
    """What was done with a record, the latest first: all acts, but only own people's names."""
    everybody = Scope.PEOPLE_MANAGE in person.scopes
    with rows.seen(rows.EVERYTHING):  # the reader was found to be allowed; names of others are left out below
        found = list(Trail.objects.filter(kind=kind, record=record).order_by("-pk")[:MOST])
    return [_line(one, named=everybody or _ours(one, person, party)) for one in found]


def _ours(one: Trail, person: Person, party: str) -> bool:
    return one.person == person.pk or (bool(party) and one.party == party)


def of_person(pk: int) -> list[Line]:
    """What a person did, and what was done with their entry."""
    found = Trail.objects.filter(person=pk) | Trail.objects.filter(kind="person", record=str(pk))
    return [_line(one, named=True) for one in found.order_by("-pk")[:MOST]]


def whole(first: date, last: date) -> tuple[list[Line], bool]:
    """All lines of some days, the latest first, and whether there are more than are shown."""
    zone = timezone.get_current_timezone()
    begin = datetime(first.year, first.month, first.day, tzinfo=zone)
    end = datetime(last.year, last.month, last.day, tzinfo=zone) + timedelta(days=1)
    found = list(Trail.objects.filter(at__gte=begin, at__lt=end).order_by("-pk")[: MOST + 1])
    return [_line(one, named=True) for one in found[:MOST]], len(found) > MOST


def _line(one: Trail, *, named: bool) -> Line:
    who = one.email if named else "pessoa de outro estabelecimento"
    return Line(
        at=one.at,
        who=f"{who} (por chave {one.key})" if one.key and named else who,
        party=_party(one.party),
        behalf=one.behalf if named else "",
        act=_act(one.act),
        kind=KINDS.get(one.kind, one.kind),
        record=one.record,
        origin=one.origin if named else "",
    )


def _party(party: str) -> str:
    if len(party) != 14:
        return OFFICES.get(party, party)
    name = office.name_of(party)
    return f"{name} ({masked(party)})" if name else masked(party)


OFFICES = {
    "agency": "órgão ambiental", "fees": "órgão ambiental: taxa", "cmrr": "CMRR",
    "committee": "Comitê da Bolsa Reciclagem", "ministry": "ministério", "gap": "GAP",
}  # fmt: skip


def _when(at: Any) -> str:
    return localtime(at).strftime("%d/%m/%Y %H:%M:%S")


def columns(*, whole: bool) -> Sequence[Column[Line]]:
    """The columns of a trail; the record and the place stand in the whole one only."""
    shared: Iterable[Column[Line]] = (
        Column("quando", "Quando", lambda line: line.at, words=_when),
        Column("quem", "Quem", lambda line: line.who, choice=whole),
        Column("por", "Por quem agiu", lambda line: line.party, choice=whole),
        Column("delegou", "Delegou", lambda line: line.behalf),
        Column("ato", "O que fez", lambda line: line.act, choice=True),
    )
    more: Iterable[Column[Line]] = (
        Column("tipo", "Em que", lambda line: line.kind, choice=True),
        Column("registro", "Qual", lambda line: line.record),
        Column("lugar", "De onde (cifrado)", lambda line: line.origin),
    )
    return (*shared, *more) if whole else (*shared,)
