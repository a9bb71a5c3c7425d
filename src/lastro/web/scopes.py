"""Who may do what: a role is a bundle of scopes, and every page declares the one scope that opens it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from lastro.web import parties, rows
from lastro.web.marked import gettext_noop
from lastro.web.typed import YEARS

View = TypeVar("View", bound=Callable[..., HttpResponse])


class Role(StrEnum):
    """The kinds of people who work here."""

    ENTITY_PREPARER = "entity_preparer"
    ENTITY_AUTHORISER = "entity_authoriser"
    VERIFIER = "verifier"
    COMPANY = "company"
    OPERATOR = "operator"
    RECYCLER = "recycler"
    AGENCY = "agency"
    FEE_STAFF = "fee_staff"
    CMRR = "cmrr"
    COMMITTEE = "committee"
    GAP = "gap"
    MINISTRY = "ministry"
    ACCOUNTANT = "accountant"
    ADMIN = "admin"


class Scope(StrEnum):
    """What a page lets one do. PUBLIC needs no log-in; OWN needs one and nothing more."""

    PUBLIC = "public"
    OWN = "own"
    ENTITY_READ = "entity.read"
    ENTITY_UPLOAD = "entity.upload"
    ENTITY_KEEP = "entity.keep"
    CERTIFICATE_PREPARE = "certificate.prepare"
    CERTIFICATE_AUTHORISE = "certificate.authorise"
    REPORT_SUBMIT = "report.submit"
    VERIFIER_READ = "verifier.read"
    VERIFIER_HOMOLOGATE = "verifier.homologate"
    CONTEST_DECIDE = "contest.decide"
    COMPANY_READ = "company.read"
    CERTIFICATE_USE = "certificate.use"
    DEADLINES_READ = "deadlines.read"
    OPERATOR_READ = "operator.read"
    OPERATOR_SEND = "operator.send"
    INCENTIVE_FILE = "incentive.file"
    COMPANY_DECLARE = "company.declare"
    COMPANY_JOIN = "company.join"
    COMPANY_PAPERS = "company.papers"
    FEE_FILE = "fee.file"
    KEYS_MANAGE = "keys.manage"
    REQUESTS_ANSWER = "requests.answer"
    REQUESTS_ASK = "requests.ask"
    PUBLISH = "publish"
    GAP_READ = "gap.read"
    GAP_WORK = "gap.work"
    MINISTRY_READ = "ministry.read"
    DATA_OPEN = "data.open"
    ORDER_CHECK = "order.check"
    AGENCY_WORK = "agency.work"
    TABLES_LOAD = "tables.load"
    FEE_WORK = "fee.work"
    INCENTIVE_ANALYSE = "incentive.analyse"
    INCENTIVE_DECIDE = "incentive.decide"
    RECYCLER_READ = "recycler.read"
    RECYCLER_CONFIRM = "recycler.confirm"
    DELEGATE = "delegate"
    PEOPLE_MANAGE = "people.manage"


ROLES: dict[Role, frozenset[Scope]] = {
    Role.ENTITY_PREPARER: frozenset(
        {
            Scope.ENTITY_READ,
            Scope.ENTITY_UPLOAD,
            Scope.ENTITY_KEEP,
            Scope.CERTIFICATE_PREPARE,
            Scope.PUBLISH,
            Scope.REQUESTS_ANSWER,
            Scope.DEADLINES_READ,
            Scope.KEYS_MANAGE,
            Scope.DELEGATE,
        }
    ),
    Role.ENTITY_AUTHORISER: frozenset(
        {
            Scope.ENTITY_READ,
            Scope.ENTITY_KEEP,
            Scope.CERTIFICATE_AUTHORISE,
            Scope.REPORT_SUBMIT,
            Scope.REQUESTS_ANSWER,
            Scope.DEADLINES_READ,
            Scope.KEYS_MANAGE,
            Scope.DELEGATE,
        }
    ),
    Role.VERIFIER: frozenset(
        {Scope.VERIFIER_READ, Scope.VERIFIER_HOMOLOGATE, Scope.CONTEST_DECIDE, Scope.KEYS_MANAGE}
    ),
    Role.COMPANY: frozenset(
        {
            Scope.COMPANY_READ,
            Scope.CERTIFICATE_USE,
            Scope.DEADLINES_READ,
            Scope.COMPANY_DECLARE,
            Scope.COMPANY_JOIN,
            Scope.COMPANY_PAPERS,
            Scope.FEE_FILE,
            Scope.PUBLISH,
            Scope.REQUESTS_ANSWER,
            Scope.KEYS_MANAGE,
            Scope.DELEGATE,
        }
    ),
    Role.OPERATOR: frozenset(
        {
            Scope.OPERATOR_READ,
            Scope.OPERATOR_SEND,
            Scope.INCENTIVE_FILE,
            Scope.REQUESTS_ANSWER,
            Scope.KEYS_MANAGE,
            Scope.DELEGATE,
        }
    ),
    Role.RECYCLER: frozenset(
        {
            Scope.RECYCLER_READ,
            Scope.RECYCLER_CONFIRM,
            Scope.REQUESTS_ANSWER,
            Scope.KEYS_MANAGE,
            Scope.DELEGATE,
        }
    ),
    Role.AGENCY: frozenset(
        {
            Scope.CONTEST_DECIDE,
            Scope.REQUESTS_ASK,
            Scope.ORDER_CHECK,
            Scope.AGENCY_WORK,
            Scope.TABLES_LOAD,
            Scope.DATA_OPEN,
            Scope.KEYS_MANAGE,
        }
    ),
    Role.FEE_STAFF: frozenset({Scope.ORDER_CHECK, Scope.FEE_WORK, Scope.TABLES_LOAD, Scope.KEYS_MANAGE}),
    Role.CMRR: frozenset({Scope.INCENTIVE_ANALYSE, Scope.KEYS_MANAGE}),
    Role.COMMITTEE: frozenset({Scope.INCENTIVE_DECIDE, Scope.KEYS_MANAGE}),
    Role.GAP: frozenset(
        {Scope.GAP_READ, Scope.GAP_WORK, Scope.REQUESTS_ASK, Scope.PUBLISH, Scope.KEYS_MANAGE}
    ),
    Role.MINISTRY: frozenset({Scope.MINISTRY_READ, Scope.REQUESTS_ASK, Scope.DATA_OPEN, Scope.KEYS_MANAGE}),
    Role.ACCOUNTANT: frozenset(),
    Role.ADMIN: frozenset({Scope.PEOPLE_MANAGE}),
}

OFFICE_OF = {
    Role.AGENCY: "agency",
    Role.FEE_STAFF: "fees",
    Role.CMRR: "cmrr",
    Role.COMMITTEE: "committee",
    Role.MINISTRY: "ministry",
    Role.GAP: "gap",
}
"""The word by which filings name the office of a person who acts for no establishment."""

ROLE_LABELS = {
    Role.ENTITY_PREPARER: gettext_noop("Entidade gestora: prepara"),
    Role.ENTITY_AUTHORISER: gettext_noop("Entidade gestora: autoriza"),
    Role.VERIFIER: gettext_noop("Verificador de resultados"),
    Role.COMPANY: gettext_noop("Empresa"),
    Role.OPERATOR: gettext_noop("Operador ou cooperativa"),
    Role.RECYCLER: gettext_noop("Reciclador"),
    Role.AGENCY: gettext_noop("Órgão ambiental"),
    Role.FEE_STAFF: gettext_noop("Órgão ambiental: taxa"),
    Role.CMRR: gettext_noop("CMRR (Bolsa Reciclagem): analisa"),
    Role.COMMITTEE: gettext_noop("Comitê da Bolsa Reciclagem: decide"),
    Role.GAP: gettext_noop("Grupo de acompanhamento (GAP)"),
    Role.MINISTRY: gettext_noop("Ministério do Meio Ambiente"),
    Role.ACCOUNTANT: gettext_noop("Contabilidade: age por delegação"),
    Role.ADMIN: gettext_noop("Administração"),
}

ONE_FACTOR = frozenset({Role.COMPANY, Role.OPERATOR, Role.RECYCLER})
"""Roles that see only their own: for them the second factor is a choice, until they move mass."""

_TWO_FACTORS = frozenset({Scope.CERTIFICATE_USE, Scope.KEYS_MANAGE})
"""What moves mass, or lets a program move it, though the role of who does it may come in with one factor."""

FOR_PARTIES = frozenset(
    {Role.ENTITY_PREPARER, Role.ENTITY_AUTHORISER, Role.COMPANY, Role.OPERATOR, Role.RECYCLER}
)
"""Roles of people who act for establishments: they may let others act, for a time."""

NEEDS_PARTY = FOR_PARTIES | {Role.VERIFIER, Role.ACCOUNTANT}
"""Roles that do nothing but for a party: without one, everything but one's own account is closed."""

DELEGATES = FOR_PARTIES | {Role.ACCOUNTANT}
"""Roles to which something may be delegated: who judges, grants or looks after all acts for nobody."""


@dataclass(frozen=True)
class TwoHands:
    """Two steps of one move that never come into one pair of hands, and who says so.

    `anywhere`: not even for different establishments.
    """

    first: frozenset[Scope]
    second: frozenset[Scope]
    why: str
    anywhere: bool = False

    def broken_by(self, here: Set[Scope], everywhere: Set[Scope]) -> bool:
        """Whether someone who may do all this for one establishment, and that for any, has both steps."""
        held = everywhere if self.anywhere else here
        return bool(held & self.first and held & self.second)


TWO_HANDS: tuple[TwoHands, ...] = (
    TwoHands(
        frozenset({Scope.CERTIFICATE_PREPARE}),
        frozenset({Scope.CERTIFICATE_AUTHORISE}),
        "quem prepara um certificado não o autoriza",
    ),
    TwoHands(
        frozenset(
            {
                Scope.ENTITY_UPLOAD,
                Scope.ENTITY_KEEP,
                Scope.CERTIFICATE_PREPARE,
                Scope.CERTIFICATE_AUTHORISE,
            }
        ),
        frozenset({Scope.VERIFIER_HOMOLOGATE}),
        "quem homologa as notas não é da entidade que as junta (Decreto MT 1.455/2025)",
        anywhere=True,
    ),
    TwoHands(
        frozenset({Scope.ENTITY_READ}),
        frozenset({Scope.COMPANY_READ, Scope.COMPANY_DECLARE, Scope.COMPANY_PAPERS}),
        "quem vê os números de uma entidade gestora não vê a massa que empresas declaram",
        anywhere=True,
    ),
    TwoHands(
        frozenset({Scope.INCENTIVE_ANALYSE}),
        frozenset({Scope.INCENTIVE_DECIDE}),
        "quem analisa na Bolsa Reciclagem não decide (Decreto MG 45.975/2012)",
        anywhere=True,
    ),
    TwoHands(
        frozenset({Scope.INCENTIVE_FILE}),
        frozenset({Scope.INCENTIVE_ANALYSE, Scope.INCENTIVE_DECIDE}),
        "quem pede o incentivo não o analisa nem o concede",
        anywhere=True,
    ),
)
"""The two-person rules, for roles and delegations alike. More stand in the rooms, which know who did what."""


DELEGABLE: Mapping[Scope, str] = {
    Scope.ENTITY_READ: gettext_noop("ver documentos, lotes, certificados e relatório da entidade"),
    Scope.ENTITY_UPLOAD: gettext_noop("enviar notas, MTR e CDF"),
    Scope.ENTITY_KEEP: gettext_noop("manter aderentes, homologações, contratos, pontos e documentos"),
    Scope.CERTIFICATE_PREPARE: gettext_noop("preparar certificados"),
    Scope.CERTIFICATE_AUTHORISE: gettext_noop("autorizar e recusar certificados que outra pessoa preparou"),
    Scope.REPORT_SUBMIT: gettext_noop("entregar o relatório anual"),
    Scope.COMPANY_READ: gettext_noop("ver a posição, os certificados, os documentos e a taxa da empresa"),
    Scope.COMPANY_DECLARE: gettext_noop("declarar a massa colocada no mercado e escolher entre regiões"),
    Scope.COMPANY_JOIN: gettext_noop("pedir adesão ou saída de plano"),
    Scope.COMPANY_PAPERS: gettext_noop("preencher os documentos da empresa"),
    Scope.FEE_FILE: gettext_noop("calcular a taxa e guardar o que foi pago"),
    Scope.CERTIFICATE_USE: gettext_noop("usar certificados (não se desfaz)"),
    Scope.DEADLINES_READ: gettext_noop("ver os prazos"),
    Scope.REQUESTS_ANSWER: gettext_noop("ver e responder pedidos de órgãos"),
    Scope.PUBLISH: gettext_noop("publicar planos, manuais e informação ao consumidor"),
    Scope.RECYCLER_READ: gettext_noop("ver as cargas e os CDF do reciclador"),
    Scope.RECYCLER_CONFIRM: gettext_noop("confirmar ou negar cargas"),
    Scope.OPERATOR_READ: gettext_noop("ver as notas do operador, o que contou e os papéis"),
    Scope.OPERATOR_SEND: gettext_noop("enviar notas e papéis do operador"),
    Scope.INCENTIVE_FILE: gettext_noop("cuidar dos papéis da Bolsa Reciclagem"),
}
"""What may be delegated, in words. Keys and delegations themselves are never passed on."""

NEVER_DELEGATED = frozenset({Scope.DELEGATE, Scope.KEYS_MANAGE})

_SEES_ALL = frozenset({Scope.PEOPLE_MANAGE})
"""What opens the rows of everybody to who looks after the whole."""


class Barred(PermissionDenied):
    """Someone may not do this: what it needs, and for whom they asked (nobody: they act for no one)."""

    def __init__(self, needed: Scope, *, party: str, lent: bool) -> None:
        super().__init__(needed.value)
        self.needed, self.party, self.lent = needed, party, lent


def scope(needed: Scope, *, confidential: bool = False) -> Callable[[View], View]:
    """Open a view to those who hold a scope, and hand it the party of the session as `request.party`.

    Opening a `confidential` one leaves a line in the trail, as every change does.
    """

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not known_numbers(kwargs):
                raise Http404
            barred = None if needed is Scope.PUBLIC else _barred(request, needed)
            return barred or view(request, *args, **kwargs)

        guarded.scope = needed  # type: ignore[attr-defined]
        guarded.confidential = confidential  # type: ignore[attr-defined]
        return guarded  # type: ignore[return-value]

    return decorate


def known_numbers(found: Mapping[str, Any]) -> bool:
    """Whether the numbers of an address can be of anything: a year we know, a row that a table can hold."""
    if "year" in found and found["year"] not in YEARS:
        return False
    return all(value < 2**31 for value in found.values() if isinstance(value, int))


def _barred(request: HttpRequest, needed: Scope) -> HttpResponse | None:
    """Where someone is sent who may not go on yet. Raises Barred for who never may."""
    user: Any = request.user
    back = "?" + urlencode({"next": request.get_full_path()})
    if not user.is_authenticated:
        return redirect(reverse("login") + back)
    party = user.acting = parties.chosen(request)
    two = user.needs_second_factor or user.has_second_factor or needed in _TWO_FACTORS & user.scopes
    if not user.is_verified() and two:
        return redirect(reverse("second-factor") + back)
    alone = not party and Role(user.role) in NEEDS_PARTY
    if needed is not Scope.OWN and (alone or needed not in user.scopes):
        raise Barred(needed, party=party, lent=bool(party) and party not in user.bound)
    request.party = party  # type: ignore[attr-defined]
    sees = party or OFFICE_OF.get(Role(user.role), "")
    rows.narrow(rows.EVERYTHING if needed in _SEES_ALL else sees, rows.person_word(user.pk))
    return None
