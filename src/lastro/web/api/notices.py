"""What a person was told, and what was done with a record."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router

from lastro.web import rows
from lastro.web.api.keys import Opens
from lastro.web.api.plain import page
from lastro.web.api.shapes import Page, Told, part, party, person
from lastro.web.notice_models import Notice
from lastro.web.readings import trail as readings
from lastro.web.scopes import Scope

router = Router(tags=["avisos"])
trails = Router(tags=["trilha"])


def _notice(one: Notice) -> dict[str, Any]:
    return {
        "id": one.pk, "party": one.party, "title": one.title, "text": one.text, "link": one.link,
        "at": one.made_at.isoformat(), "read": one.read_at is not None,
    }  # fmt: skip


@router.get("", response=Page, summary="Avisos de quem fez a chave", auth=Opens(Scope.OWN))
def notices(request: HttpRequest, after: int = 0) -> Page:
    """What the person was told for the key's party, the latest first; asking marks none as read."""
    key = request.key  # type: ignore[attr-defined]
    mine = Notice.objects.filter(person=person(request), party=key.party).order_by("-pk")[:1000]
    return part([_notice(one) for one in mine], after=after)


@trails.get(
    "/{kind}/{path:record}", response={200: Page, 404: Told}, summary="A trilha de um registro",
    auth=Opens(Scope.OWN),
)  # fmt: skip
def trail(request: HttpRequest, kind: str, record: str, after: int = 0) -> Any:
    """What was done with one record, for those who may read it; for others it is not there."""
    me, mine = person(request), party(request)
    if kind not in readings.KINDS or kind == "person" or not readings.may_read(me, mine, kind, record):
        raise Http404
    with rows.seen(mine, rows.person_word(me.pk)):
        return page(readings.of_record(kind, record, person=me, party=mine), after=after)
