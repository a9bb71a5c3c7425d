"""The recycler's desk: the loads that notes say it bought, to confirm or deny, and its certificates."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from lastro.units import MOST_MG, Mass
from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.shapes import WRONG, Done, email, found, party, wrong
from lastro.web.readings import recycler as readings
from lastro.web.scopes import Scope

router = Router(tags=["reciclador"])

lists(
    router, "/cargas", Scope.RECYCLER_READ, "Cargas que vieram", lambda r: readings.loads(party(r)),
    name="loads", also=("state", "papers"),
)  # fmt: skip
lists(
    router, "/cdf", Scope.RECYCLER_READ, "Certificados de destinação final",
    lambda r: readings.certificates(party(r), readings.loads(party(r))), name="destinations",
)  # fmt: skip


class Came(Schema):
    """What came of a load: the mass and the day; without them, that nothing came, and why."""

    received_mg: int | None = Field(default=None, gt=0, le=MOST_MG)
    received_on: date | None = None
    reason: str = Field(default="", max_length=1000)


@router.post(
    "/cargas/{key}",
    response={**WRONG, 200: Done},
    summary="Confirmar ou negar uma carga",
    auth=Opens(Scope.RECYCLER_CONFIRM),
)
def say(request: HttpRequest, key: str, said: Came) -> Any:
    """Confirm a load with its mass and day, or deny it with the reason."""
    load = found(readings.load(party(request), key))
    if (said.received_mg is None) != (said.received_on is None):
        return wrong("A massa e o dia vão juntos; sem os dois, a carga é negada.")
    readings.say(
        load, recycler=party(request),
        received=Mass(said.received_mg) if said.received_mg is not None else None,
        received_on=said.received_on, reason=said.reason, by=email(request), on=office.today(),
    )  # fmt: skip
    return {"id": key}
