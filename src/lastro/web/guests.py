"""People for a demonstration on an invented world: one of each role, with one password and a second factor.

Only for a store that trusts test roots: a real one gets its people by `lastro user add`.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from lastro.web import office
from lastro.web.scopes import ROLE_LABELS, Role, Scope
from lastro.web.settings import mark_demo
from lastro.web.translating import said

_LENT = (
    *(Scope.COMPANY_READ, Scope.COMPANY_DECLARE, Scope.COMPANY_JOIN, Scope.COMPANY_PAPERS, Scope.FEE_FILE),
    Scope.DEADLINES_READ,
)
"""What the accountant of the demonstration may do for the company."""


@dataclass(frozen=True)
class Guest:
    """Someone who may log in to the demonstration."""

    email: str
    name: str
    role: Role
    party: str = ""
    lent_by: str = ""
    """Who lets them act, for whom they act by delegation."""

    @property
    def role_label(self) -> str:
        return said(ROLE_LABELS[self.role])


def guests(
    entities: Sequence[str], *, verifier: str, company: str, operator: str, recycler: str
) -> list[Guest]:
    """Who takes part: two of the first entity, one of the second, and one or two of each other role."""
    return [
        Guest("ana@gestora.example", "Ana", Role.ENTITY_PREPARER, entities[0]),
        Guest("bento@gestora.example", "Bento", Role.ENTITY_AUTHORISER, entities[0]),
        Guest("celia@outra-gestora.example", "Célia", Role.ENTITY_PREPARER, entities[1]),
        Guest("davi@verificador.example", "Davi", Role.VERIFIER, verifier),
        Guest("elza@empresa.example", "Elza", Role.COMPANY, company),
        Guest("iara@cooperativa.example", "Iara", Role.OPERATOR, operator),
        Guest("joel@recicladora.example", "Joel", Role.RECYCLER, recycler),
        Guest("flora@orgao.example", "Flora", Role.AGENCY),
        Guest("guido@orgao.example", "Guido", Role.AGENCY),
        Guest("lia@orgao.example", "Lia", Role.FEE_STAFF),
        Guest("leo@orgao.example", "Leo", Role.FEE_STAFF),
        Guest("mauro@cmrr.example", "Mauro", Role.CMRR),
        Guest("nair@comite.example", "Nair", Role.COMMITTEE),
        Guest("otto@comite.example", "Otto", Role.COMMITTEE),
        Guest("paula@gap.example", "Paula", Role.GAP),
        Guest("raul@ministerio.example", "Raul", Role.MINISTRY),
        Guest("sofia@contabilidade.example", "Sofia", Role.ACCOUNTANT, lent_by="elza@empresa.example"),
        Guest("helena@lastro.example", "Helena", Role.ADMIN),
    ]


def invite(people: Sequence[Guest]) -> str:
    """Let these people in; gives the password that they all have."""
    from django_otp.plugins.otp_totp.models import TOTPDevice

    from lastro.web import delegations
    from lastro.web.models import Person

    assert office.is_test(), "guests are let in only where everything is a test"
    mark_demo(office.site())
    password = secrets.token_urlsafe(9)
    for guest in people:
        person = Person.objects.create_user(
            guest.email,
            password=password,
            role=guest.role,
            name=guest.name,
            parties=[guest.party] if guest.party else [],
        )
        if person.needs_second_factor:
            TOTPDevice.objects.create(user=person, name="telefone", confirmed=True)
    for guest in people:
        if guest.lent_by:
            giver = Person.objects.get(email=guest.lent_by)
            given = delegations.give(
                giver,
                party=giver.bound[0],
                email=guest.email,
                scopes=_LENT,
                until=office.today() + timedelta(days=180),
                today=office.today(),
            )
            assert not isinstance(given, str), given
    return password
