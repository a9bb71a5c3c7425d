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
from lastro.web.marked import gettext_noop
from lastro.web.models import Job, Person, Trail
from lastro.web.readings import certificates, documents
from lastro.web.scopes import OFFICE_OF, Role, Scope
from lastro.web.tables import Column
from lastro.web.translating import said

MOST = 20_000
"""More lines than this are not shown at once; a shorter time is asked for."""

KINDS = {
    "certificate": gettext_noop("certificado"),
    "document": gettext_noop("documento"),
    "item": gettext_noop("item contestado"),
    "job": gettext_noop("trabalho"),
    "filing": gettext_noop("papel"),
    "person": gettext_noop("pessoa"),
    "party": gettext_noop("estabelecimento"),
    "establishment": gettext_noop("estabelecimento"),
}

ACTS = {
    "login": gettext_noop("entrou (senha)"),
    "second-factor": gettext_noop("entrou (segundo fator)"),
    "logout": gettext_noop("saiu"),
    "invitation": gettext_noop("aceitou o convite e escolheu a senha"),
    "change-password": gettext_noop("trocou a senha"),
    "choose-party": gettext_noop("passou a agir por outro estabelecimento"),
    "language": gettext_noop("trocou a língua das páginas"),
    "delegations": gettext_noop("delegou"),
    "delegation-revoke": gettext_noop("revogou uma delegação"),
    "delegation-give-back": gettext_noop("devolveu uma delegação"),
    "people": gettext_noop("convidou uma pessoa"),
    "person-change": gettext_noop("mudou a entrada de uma pessoa"),
    "job-retry": gettext_noop("mandou repetir um trabalho"),
    "admin-key-revoke": gettext_noop("revogou a chave de outra pessoa"),
    "backups": gettext_noop("registrou uma cópia de segurança ou pediu uma recontagem"),
    "keys": gettext_noop("fez uma chave"),
    "key-revoke": gettext_noop("revogou uma chave"),
    "upload-new": gettext_noop("enviou arquivos"),
    "certificate-prepare": gettext_noop("preparou um certificado"),
    "certificate-authorise": gettext_noop("autorizou um certificado"),
    "certificate-refuse": gettext_noop("recusou um certificado"),
    "company-use": gettext_noop("usou um certificado"),
    "report-preview": gettext_noop("pediu a prévia do relatório"),
    "report-submit": gettext_noop("entregou o relatório"),
    "contest": gettext_noop("decidiu um item contestado"),
    "homologate": gettext_noop("declarou lotes"),
    "statement": gettext_noop("emitiu a declaração de verificação"),
    "document-withdraw": gettext_noop("retirou uma reivindicação"),
    "document-object": gettext_noop("objetou a um achado"),
    "objection": gettext_noop("respondeu a uma objeção"),
    "member-join": gettext_noop("incluiu um aderente"),
    "member-leave": gettext_noop("registrou a saída de um aderente"),
    "registry-load": gettext_noop("carregou o cadastro"),
    "changes-sent": gettext_noop("anotou mudanças levadas a outro sistema"),
    "operator-vet": gettext_noop("homologou um operador"),
    "own-points-load": gettext_noop("carregou a lista de pontos"),
    "own-points-add": gettext_noop("incluiu um ponto"),
    "paper-fill": gettext_noop("preencheu um documento"),
    "paper-sign": gettext_noop("assinou um documento"),
    "paper-withdraw": gettext_noop("retirou um documento"),
    "joining": gettext_noop("respondeu a um pedido de adesão"),
    "parcel-take": gettext_noop("recebeu notas de um operador"),
    "parcel-return": gettext_noop("devolveu notas a um operador"),
    "company-fill": gettext_noop("preencheu um documento"),
    "company-ask": gettext_noop("pediu para entrar numa entidade ou sair dela"),
    "choices": gettext_noop("simulou escolhas"),
    "choice-keep": gettext_noop("guardou uma escolha"),
    "declaration-sheet": gettext_noop("enviou a planilha da declaração"),
    "declaration-form": gettext_noop("preencheu a declaração"),
    "fee-new": gettext_noop("calculou a taxa"),
    "fee-pay": gettext_noop("disse que pagou a taxa"),
    "operator-send": gettext_noop("enviou notas"),
    "my-paper": gettext_noop("entregou um papel da homologação"),
    "bolsa-registration": gettext_noop("preencheu o cadastro da Bolsa Reciclagem"),
    "bolsa-measures": gettext_noop("informou a produção do trimestre"),
    "bolsa-sale": gettext_noop("entregou um comprovante de venda"),
    "bolsa-withdraw": gettext_noop("retirou um comprovante de venda"),
    "bolsa-transfer": gettext_noop("informou o repasse do trimestre"),
    "recycler-load": gettext_noop("confirmou ou negou uma carga"),
    "load-look": gettext_noop("examinou o que se disse de uma carga"),
    "sample": gettext_noop("tirou a amostra do ano"),
    "sample-check": gettext_noop("conferiu um item da amostra"),
    "analyse": gettext_noop("analisou uma organização"),
    "trainings": gettext_noop("registrou uma capacitação"),
    "committee-seats": gettext_noop("registrou um assento do comitê"),
    "committee-meetings": gettext_noop("registrou uma reunião do comitê"),
    "committee-meeting": gettext_noop("registrou uma votação"),
    "committee-acts": gettext_noop("registrou um ato do comitê"),
    "gap-seats": gettext_noop("registrou ou encerrou um assento do grupo"),
    "gap-meetings": gettext_noop("registrou uma reunião do grupo"),
    "gap-difficulties": gettext_noop("registrou ou avaliou uma dificuldade"),
    "tables": gettext_noop("carregou uma tabela oficial"),
    "table": gettext_noop("confirmou ou recusou uma tabela oficial"),
    "request-new": gettext_noop("fez um pedido"),
    "publish": gettext_noop("publicou um papel"),
    "committee-quarters": gettext_noop("abriu ou corrigiu um trimestre"),
    "committee-quarter": gettext_noop("concedeu ou fechou um trimestre"),
    "committee-organisation": gettext_noop("decidiu sobre uma organização"),
    "order-check": gettext_noop("consultou se um CNPJ está em dia"),
    "order-state": gettext_noop("constatou o que sabe de outra parte"),
    "default-new": gettext_noop("notificou uma inadimplência"),
    "default-one": gettext_noop("encerrou ou prorrogou uma notificação"),
    "my-default": gettext_noop("respondeu a uma notificação"),
    "openings": gettext_noop("abriu dados de uma empresa"),
    "opening": gettext_noop("leu dados abertos de uma empresa"),
    "fee-ordinances": gettext_noop("registrou uma portaria da taxa"),
    "fee-enter": gettext_noop("inscreveu um estabelecimento na taxa"),
    "fee-payer": gettext_noop("lançou um trimestre da taxa"),
    "fee-charge": gettext_noop("mudou um lançamento da taxa"),
    "gap-consolidate": gettext_noop("consolidou e levou adiante"),
    "audits": gettext_noop("entregou uma auditoria"),
    "passkeys": gettext_noop("cadastrou uma chave de acesso"),
    "passkey-forget": gettext_noop("apagou uma chave de acesso"),
    "notices-mail": gettext_noop("escolheu se recebe e-mail"),
    "hooks": gettext_noop("cadastrou um programa a chamar"),
    "hook-end": gettext_noop("encerrou um programa a chamar"),
    "papers-read": gettext_noop("leu papéis do órgão por programa"),
    "late": gettext_noop("consultou quem está atrasado"),
    "fee-register": gettext_noop("abriu o cadastro técnico estadual"),
    "fee-unpaid": gettext_noop("abriu os trimestres em aberto"),
}
"""What each address does, in words; the others are named by their address."""


def _act(named: str) -> str:
    """An act in words: a page's by its address, a program's by what its route is for."""
    if not named.startswith("api:"):
        return said(ACTS.get(named, named))
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
        kind=said(KINDS[one.kind]) if one.kind in KINDS else one.kind,
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
