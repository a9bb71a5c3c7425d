"""A company's year: its positions, what it declares, what it received, and what is due when."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import Http404, HttpRequest
from ninja import File, Router, Schema, Status
from ninja.files import UploadedFile

from lastro.certificates.answer import certificate_json
from lastro.ids import company_of
from lastro.obligations.declare import read_declaration
from lastro.stores.postgres import registry as kept
from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.api.shapes import Told, party, person, told
from lastro.web.readings import certificates, company
from lastro.web.readings import deadlines as due
from lastro.web.scopes import Scope

router = Router(tags=["empresa"])
deadlines = Router(tags=["prazos"])


@router.get(
    "/posicao",
    response={200: dict[str, Any], 404: Told},
    summary="Cumpro, e por quê",
    auth=Opens(Scope.COMPANY_READ),
)
def position(request: HttpRequest, year: int, norm: str = "", explain: bool = False) -> dict[str, Any]:
    """The company's positions of a year; `complies` is null while it can't be told."""
    known = company.norms()
    wanted = [r for r in known if r.norm.path == norm]
    if norm and not wanted:
        raise Http404
    found = company.under_any(party(request), wanted or known, year)
    return {
        "norm": found.regulation.norm.path,
        "year": found.year,
        "complies": found.complies,
        "positions": [shown.position.json(explain=explain) for shown in found.positions],
        "undeclared": list(found.undeclared),
        "report_due": found.report_due.isoformat() if found.report_due else None,
    }


@router.get(
    "/certificados",
    response=list[dict[str, Any]],
    summary="Certificados que a empresa recebeu",
    auth=Opens(Scope.COMPANY_READ),
)
def received(request: HttpRequest) -> list[dict[str, Any]]:
    """Every certificate issued to the company's establishments."""
    mine = certificates.of_company(party(request))
    return [certificate_json(found.certificate, office.today()) for found in mine]


class Declared(Schema):
    """What became of a declaration: kept, or kept already (`added` is 0)."""

    declared: bool
    added: int = 0


@router.post(
    "/declaracao",
    response={200: Declared, 422: Told},
    summary="Declarar massa colocada",
    auth=Opens(Scope.COMPANY_DECLARE),
)
def declare(request: HttpRequest, file: File[UploadedFile]) -> Any:
    """Declare what was placed on the market, by a sheet (.xlsx, .csv) or a .json; nothing is half kept."""
    data, name, known = file.read(), file.name or "declaracao", office.registry()
    found = read_declaration(
        name,
        data,
        company=party(request),
        today=office.today(),
        registered=known.materials(party(request)),
    )
    if found.issues:
        return Status(
            422,
            told(
                "422",
                "A declaração tem o que corrigir; nada foi guardado.",
                issues=[_issue(one) for one in found.issues],
            ),
        )
    added = kept.declare(
        office.store(),
        company_of(party(request)),
        found.parts,
        source=name,
        sha256=hashlib.sha256(data).hexdigest(),
        on=office.today(),
    )
    return Declared(declared=True, added=added)


def _issue(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__dataclass_fields__}


@deadlines.get(
    "", response=dict[str, Any], summary="O que é devido, e quando", auth=Opens(Scope.DEADLINES_READ)
)
def year(request: HttpRequest, year: int, norm: str = "") -> dict[str, Any]:
    """What has to be done in a year, by when and on which basis."""
    found = due.year_of(
        party(request),
        entity=Scope.ENTITY_READ in person(request).scopes,
        year=year,
        norms=[norm] if norm else [],
    )
    return {"year": found.year, "tasks": [task.json(office.today()) for task in found.tasks]}
