"""On behalf of which establishment a person works now: one of those bound to them, never the URL's."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

_CHOSEN = "lastro-party"


def chosen(request: HttpRequest) -> str:
    """The establishment of this session; the first bound one until another is chosen; empty for none."""
    user: Any = request.user
    mine: list[str] = user.parties
    asked = request.session.get(_CHOSEN)
    if asked in mine:
        return str(asked)
    return mine[0] if mine else ""


def choose(request: HttpRequest, party: str) -> bool:
    """Work on behalf of another establishment from now on; False if it is not one of the person's."""
    user: Any = request.user
    if party not in user.parties:
        return False
    request.session[_CHOSEN] = party
    return True
