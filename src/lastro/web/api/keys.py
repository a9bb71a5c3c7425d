"""Keys of an establishment: who made one, for which scopes, until when; a program shows it with each request.

A key never opens more than the person who made it may do that moment: when the person loses a scope, the
establishment or the way in, so does the key. What is kept is the digest of its secret (256 random bits, which
no dictionary holds), never the secret.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import date, timedelta

from django.http import Http404, HttpRequest
from ninja.errors import HttpError
from ninja.security import HttpBearer

from lastro.web import office, rows
from lastro.web.models import ApiKey, Person, at_party
from lastro.web.scopes import OFFICE_OF, Role, Scope, known_numbers

LONGEST_DAYS = 366
"""A key lives a year at most; then somebody looks at it again and makes another."""

_PREFIX = "lastro"


def make(
    person: Person, *, party: str, name: str, scopes: Iterable[Scope], days: int, today: date
) -> tuple[ApiKey, str]:
    """A new key and its text, which is shown this once. The scopes are among the person's own."""
    wanted = frozenset(scopes)
    assert acts_for(person, party), "a key acts for an establishment of its maker, or for their office"
    assert wanted <= person.scopes_at(at_party(party)), "a key opens nothing that its maker may not open"
    assert 1 <= days <= LONGEST_DAYS, "a key lives up to a year"
    public, secret = secrets.token_hex(6), secrets.token_hex(32)
    key = ApiKey.objects.create(
        public=public,
        digest=_digest(secret),
        person=person,
        party=party,
        name=name,
        scopes=sorted(scope.value for scope in wanted),
        expires_on=today + timedelta(days=days),
    )
    return key, f"{_PREFIX}_{public}_{secret}"


def own_word(person: Person, party: str) -> str:
    """Under which word a person's keys are kept: of the establishment, or of the office they work in."""
    return party or OFFICE_OF.get(Role(person.role), "")


def shown_word(person: Person, party: str) -> str:
    """Under which name a page shows whom a person's keys act for."""
    return office.name_of(party) if party else person.role_label


def acts_for(person: Person, party: str) -> bool:
    """Whether a key under this word is that of an establishment of the person, or of their office."""
    return party in person.bound or party == OFFICE_OF.get(Role(person.role))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def found(text: str, *, today: date) -> ApiKey | None:
    """The key of a text, if it opens anything today."""
    parts = text.split("_")
    if len(parts) != 3 or parts[0] != _PREFIX:
        return None
    key = ApiKey.objects.select_related("person").filter(public=parts[1]).first()
    if key is None or not hmac.compare_digest(key.digest, _digest(parts[2])):
        return None
    person = key.person
    alive = key.revoked_at is None and key.expires_on >= today and person.is_active
    return key if alive and acts_for(person, key.party) else None


class Opens(HttpBearer):
    """`Authorization: Bearer lastro_…`: opens a route to keys with its scope, while their maker holds it.

    The request then acts for the key's establishment, as who made the key.
    """

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        today = office.today()
        with rows.seen(rows.EVERYTHING):  # whose key it is shows only once it is found
            key = found(token, today=today)
        if key is None:
            return None
        rows.narrow(key.party, rows.person_word(key.person.pk))
        match = request.resolver_match
        if match is not None and not known_numbers(match.kwargs):
            raise Http404
        if self.scope is not Scope.OWN and self.scope not in key.opened:
            raise HttpError(403, f"Esta chave não abre isto: falta o alcance {self.scope.value}.")
        if key.last_used_on != today:
            ApiKey.objects.filter(pk=key.pk).update(last_used_on=today)
        request.user = key.person
        key.person.acting = at_party(key.party)
        request.party = key.person.acting  # type: ignore[attr-defined]
        request.key = key  # type: ignore[attr-defined]
        return key
