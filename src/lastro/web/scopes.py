"""Who may do what: a role is a bundle of scopes, and every page declares the one scope that opens it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from lastro.web import parties
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
    ADMIN = "admin"


class Scope(StrEnum):
    """What a page lets one do. PUBLIC needs no log-in; OWN needs one and nothing more."""

    PUBLIC = "public"
    OWN = "own"
    ENTITY_READ = "entity.read"
    ENTITY_UPLOAD = "entity.upload"
    CERTIFICATE_PREPARE = "certificate.prepare"
    CERTIFICATE_AUTHORISE = "certificate.authorise"
    REPORT_SUBMIT = "report.submit"
    VERIFIER_READ = "verifier.read"
    VERIFIER_HOMOLOGATE = "verifier.homologate"
    CONTEST_DECIDE = "contest.decide"
    COMPANY_READ = "company.read"
    CERTIFICATE_USE = "certificate.use"
    DEADLINES_READ = "deadlines.read"
    COMPANY_DECLARE = "company.declare"
    KEYS_MANAGE = "keys.manage"
    REQUESTS_ANSWER = "requests.answer"
    REQUESTS_ASK = "requests.ask"
    PEOPLE_MANAGE = "people.manage"


ROLES: dict[Role, frozenset[Scope]] = {
    Role.ENTITY_PREPARER: frozenset(
        {
            Scope.ENTITY_READ,
            Scope.ENTITY_UPLOAD,
            Scope.CERTIFICATE_PREPARE,
            Scope.REQUESTS_ANSWER,
            Scope.DEADLINES_READ,
            Scope.KEYS_MANAGE,
        }
    ),
    Role.ENTITY_AUTHORISER: frozenset(
        {
            Scope.ENTITY_READ,
            Scope.CERTIFICATE_AUTHORISE,
            Scope.REPORT_SUBMIT,
            Scope.REQUESTS_ANSWER,
            Scope.DEADLINES_READ,
            Scope.KEYS_MANAGE,
        }
    ),
    Role.VERIFIER: frozenset({Scope.VERIFIER_READ, Scope.VERIFIER_HOMOLOGATE, Scope.CONTEST_DECIDE}),
    Role.COMPANY: frozenset(
        {
            Scope.COMPANY_READ,
            Scope.CERTIFICATE_USE,
            Scope.DEADLINES_READ,
            Scope.COMPANY_DECLARE,
            Scope.REQUESTS_ANSWER,
            Scope.KEYS_MANAGE,
        }
    ),
    Role.OPERATOR: frozenset(),
    Role.RECYCLER: frozenset(),
    Role.AGENCY: frozenset({Scope.CONTEST_DECIDE, Scope.REQUESTS_ASK}),
    Role.FEE_STAFF: frozenset(),
    Role.CMRR: frozenset(),
    Role.COMMITTEE: frozenset(),
    Role.GAP: frozenset({Scope.REQUESTS_ASK}),
    Role.MINISTRY: frozenset({Scope.REQUESTS_ASK}),
    Role.ADMIN: frozenset({Scope.PEOPLE_MANAGE}),
}

OFFICE_OF = {Role.AGENCY: "agency", Role.MINISTRY: "ministry", Role.GAP: "gap"}
"""The word by which filings name the office of a person who acts for no establishment."""

ROLE_LABELS = {
    Role.ENTITY_PREPARER: "Entidade gestora: prepara",
    Role.ENTITY_AUTHORISER: "Entidade gestora: autoriza",
    Role.VERIFIER: "Verificador de resultados",
    Role.COMPANY: "Empresa",
    Role.OPERATOR: "Operador ou cooperativa",
    Role.RECYCLER: "Reciclador",
    Role.AGENCY: "Órgão ambiental",
    Role.FEE_STAFF: "Órgão ambiental: taxa",
    Role.CMRR: "CMRR (Bolsa Reciclagem): analisa",
    Role.COMMITTEE: "Comitê da Bolsa Reciclagem: decide",
    Role.GAP: "Grupo de acompanhamento (GAP)",
    Role.MINISTRY: "Ministério do Meio Ambiente",
    Role.ADMIN: "Administração",
}

ONE_FACTOR = frozenset({Role.COMPANY, Role.OPERATOR, Role.RECYCLER})
"""Roles that see only their own: for them the second factor is a choice, until they move mass."""

_TWO_FACTORS = frozenset({Scope.CERTIFICATE_USE, Scope.KEYS_MANAGE})
"""What moves mass, or lets a program move it, though the role of who does it may come in with one factor."""

_NEEDS_PARTY = frozenset(
    {
        *ROLES[Role.ENTITY_PREPARER],
        *ROLES[Role.ENTITY_AUTHORISER],
        *ROLES[Role.COMPANY],
        Scope.VERIFIER_READ,
        Scope.VERIFIER_HOMOLOGATE,
    }
)


def scope(needed: Scope) -> Callable[[View], View]:
    """Open a view to those who hold a scope, and hand it the party of the session as `request.party`."""

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not _known_numbers(kwargs):
                raise Http404
            barred = None if needed is Scope.PUBLIC else _barred(request, needed)
            return barred or view(request, *args, **kwargs)

        guarded.scope = needed  # type: ignore[attr-defined]
        return guarded  # type: ignore[return-value]

    return decorate


def _known_numbers(found: Mapping[str, Any]) -> bool:
    """Whether the numbers of an address can be of anything: a year we know, a row that a table can hold."""
    if "year" in found and found["year"] not in YEARS:
        return False
    return all(value < 2**31 for value in found.values() if isinstance(value, int))


def _barred(request: HttpRequest, needed: Scope) -> HttpResponse | None:
    """Where someone is sent who may not go on yet. Raises PermissionDenied for who never may."""
    user: Any = request.user
    back = "?" + urlencode({"next": request.get_full_path()})
    if not user.is_authenticated:
        return redirect(reverse("login") + back)
    two = user.needs_second_factor or user.has_second_factor or needed in _TWO_FACTORS & user.scopes
    if not user.is_verified() and two:
        return redirect(reverse("second-factor") + back)
    if needed is not Scope.OWN and needed not in user.scopes:
        raise PermissionDenied
    party = parties.chosen(request)
    if needed in _NEEDS_PARTY and not party:
        raise PermissionDenied
    request.party = party  # type: ignore[attr-defined]
    return None
