"""What everybody did here: who, for whom, when, which act, on which record. Lines are only ever added.

A line is written for every request that may change something and was taken, and for every opening of a page
that is marked confidential. What the act did stands in the ledger and in the filings; the trail says who was
at the desk, also where somebody acted by delegation or let a program act.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from lastro.web import rows
from lastro.web.models import Person, Trail
from lastro.web.scopes import OFFICE_OF, Role

_SAFE = ("GET", "HEAD", "OPTIONS")

_ANSWERED = 400
"""From this status on nothing was done: the request was refused or not understood."""


def kept(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Write the line of a request once it was answered."""

    def middleware(request: HttpRequest) -> HttpResponse:
        before = _person(request) if request.method not in _SAFE else None
        response = get_response(request)
        person = _person(request) or before
        if person is not None and response.status_code < _ANSWERED and _worth(request):
            write(request, person, status=response.status_code, record=_record(request, response))
        return response

    return middleware


def _person(request: HttpRequest) -> Person | None:
    """Who asks: by session or by key."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES or hasattr(request, "key")
    user: Any = request.user if known else None
    return user if user is not None and user.is_authenticated else None


def _worth(request: HttpRequest) -> bool:
    found = request.resolver_match
    if found is None:
        return False
    return request.method not in _SAFE or bool(getattr(found.func, "confidential", False))


def write(
    request: HttpRequest, person: Person, *, status: int, record: tuple[str, str] = ("", ""), act: str = ""
) -> None:
    """One line, on behalf of whom the request acted."""
    party = getattr(request, "party", "") or OFFICE_OF.get(Role(person.role), "")
    key = getattr(request, "key", None)
    found = request.resolver_match
    with rows.seen(party, rows.person_word(person.pk)):
        Trail.objects.create(
            person=person.pk,
            email=person.email,
            party=party,
            behalf=_behalf(person, party),
            key=key.public if key is not None else "",
            act=(act or (found.view_name if found else ""))[:80],
            kind=record[0],
            record=record[1][:200],
            status=status,
            origin=origin(request.META.get("REMOTE_ADDR", "")),
        )


def _behalf(person: Person, party: str) -> str:
    """Who delegated, where the person acts by delegation."""
    if not party or party in person.bound:
        return ""
    return ", ".join(sorted({one.by.email for one in person.delegations if one.party == party}))[:254]


def origin(address: str) -> str:
    """A keyed hash of an address of the net: it tells places apart and names none."""
    if not address:
        return ""
    return hmac.new(settings.SECRET_KEY.encode(), address.encode(), hashlib.sha256).hexdigest()[:16]


# ── which record ─────────────────────────────────────────────────────────────────────────────────────


def about(request: HttpRequest, kind: str, record: str) -> None:
    """Say which record a request is about, where its address doesn't."""
    request.trail_record = (kind, record)  # type: ignore[attr-defined]


def _record(request: HttpRequest, response: HttpResponse) -> tuple[str, str]:
    """What the request was about: as the view said, as its address names it, or where it led to."""
    said: tuple[str, str] | None = getattr(request, "trail_record", None)
    if said is not None:
        return said
    found = request.resolver_match
    named = record_of(found.view_name, found.kwargs, request.path) if found else ("", "")
    if named[0] or response.status_code not in (301, 302, 303):
        return named
    try:
        led = resolve(response.headers.get("Location", "").partition("?")[0])
    except Resolver404:
        return named
    return record_of(led.view_name, led.kwargs, request.path)


_BY_FILING = frozenset(
    {"paper-sign", "paper-withdraw", "joining", "parcel-take", "parcel-return", "objection", "bolsa-withdraw"}
)
"""Addresses whose number is a filing's."""


def record_of(name: str, parts: Mapping[str, Any], address: str) -> tuple[str, str]:
    """The kind of record that an address names, and which one; two empty texts if it names none."""
    if "sha256" in parts and "ordinal" in parts:
        return "document", f"{parts['sha256']}/{parts['ordinal']}"
    if "key" in parts and "line" in parts:
        return "item", f"{parts['key']}/{parts['line']}"
    if "job" in parts:
        return "job", str(parts["job"])
    if "filing" in parts or name in _BY_FILING:
        return "filing", str(parts.get("filing", parts.get("number", "")))
    if name.startswith("person") and "pk" in parts:
        return "person", str(parts["pk"])
    if "name" in parts and (name.startswith("certificate") or "/certificados/" in address):
        return "certificate", str(parts["name"])
    if "cnpj" in parts:
        return "party", str(parts["cnpj"])
    return "", ""
