"""The annual report of an entity: how it stands, a preview, and its submission."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema
from pydantic import Field

from lastro import delivery
from lastro.facts import Refusal
from lastro.reports.desk import Case
from lastro.reports.standing import Version
from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.api.shapes import Refused, Told, found, party, person, refused
from lastro.web.desks.reports import download
from lastro.web.readings import reports as readings
from lastro.web.scopes import Scope

router = Router(tags=["relatório"])


def _case(request: HttpRequest, year: int, norm: str) -> Case:
    return readings.case(norm or office.default_norm(), party(request), year)


def _version(found: Version) -> dict[str, Any]:
    return {
        "version": found.version,
        "number": found.number or None,
        "submitted_on": found.submitted_on.isoformat(),
        "by": found.by,
        "reason": found.reason or None,
        "files": dict(found.files),
    }


@router.get(
    "",
    response=dict[str, Any],
    summary="Como está o relatório",
    auth=Opens(Scope.ENTITY_READ),
)
def state(request: HttpRequest, year: int, norm: str = "") -> dict[str, Any]:
    """The versions that were submitted, the last preview, and whether they still say what stands."""
    now = delivery.report_state(office.store(), _case(request, year, norm))
    return {
        "versions": [_version(one) for one in now.versions],
        "preview": now.preview.id if now.preview else None,
        "preview_current": bool(now.preview) and not now.since_preview,
        "stale": now.stale,
    }


@router.get(
    "/arquivos/{digest}",
    response={404: Told},
    summary="Um arquivo do relatório",
    auth=Opens(Scope.ENTITY_READ),
)
def file(request: HttpRequest, digest: str, year: int, norm: str = "") -> HttpResponse:
    """A file of a version or a statement of this entity's year, as it was handed over."""
    name = readings.file_name(_case(request, year, norm), digest)
    body = delivery.stored_file(office.store(), digest) if name else None
    return download(name, found(body))


class Asked(Schema):
    """A year under a norm."""

    year: int
    norm: str = ""


@router.post(
    "/previa",
    response=dict[str, Any],
    summary="Fazer uma prévia",
    auth=Opens(Scope.ENTITY_READ),
)
def preview(request: HttpRequest, said: Asked) -> dict[str, Any]:
    """Keep the report as it stands now as a preview; its number is what is submitted."""
    _, made = delivery.preview_report(office.store(), _case(request, said.year, said.norm))
    return {"preview": made.id, "digest": made.digest, "made_on": made.made_on.isoformat()}


class Submitted(Asked):
    """The preview that was looked at, and why it is submitted again where it is."""

    preview: int = Field(gt=0)
    reason: str = Field(default="", max_length=500)


@router.post(
    "/entrega",
    response={200: dict[str, Any], 409: Refused},
    summary="Entregar o relatório",
    auth=Opens(Scope.REPORT_SUBMIT),
)
def submit(request: HttpRequest, said: Submitted) -> Any:
    """Submit a preview, if it still says what stands."""
    done = delivery.submit_report(
        office.store(),
        _case(request, said.year, said.norm),
        by=person(request).email,
        reason=said.reason,
        number=said.preview,
    )
    return refused(done) if isinstance(done, Refusal) else _version(done)
