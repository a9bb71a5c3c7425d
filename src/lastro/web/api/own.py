"""What a key is: whom it acts for, what it opens, until when."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest
from ninja import Router, Schema

from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.scopes import Scope

router = Router(tags=["chave"])


class Own(Schema):
    """The key that asks."""

    party: str
    name: str
    person: str
    scopes: list[str]
    expires_on: date
    today: date
    test: bool


@router.get("/eu", response=Own, summary="A chave que pergunta", auth=Opens(Scope.OWN))
def me(request: HttpRequest) -> Own:
    """Whom the key acts for, what it opens today, and whether everything here is a test."""
    key = request.key  # type: ignore[attr-defined]
    return Own(
        party=key.party,
        name=key.name,
        person=key.person.email,
        scopes=sorted(scope.value for scope in key.opened),
        expires_on=key.expires_on,
        today=office.today(),
        test=office.is_test(),
    )
