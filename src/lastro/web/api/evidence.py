"""An entity's evidence: documents with their verdicts, uploads, lots, and what others contest."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest
from ninja import File, Form, Router, Schema, Status
from ninja.files import UploadedFile

from lastro.custody.port import For
from lastro.evidence.answer import document_json
from lastro.ids import Material
from lastro.web import jobs, office
from lastro.web.api.keys import Opens
from lastro.web.api.shapes import Page, Told, part, party, person, wrong
from lastro.web.desks.uploads import problem_of, title_of
from lastro.web.models import Job
from lastro.web.readings import contests as contested
from lastro.web.readings import documents as readings
from lastro.web.scopes import Scope

documents = Router(tags=["documentos"])
uploads = Router(tags=["envios"])
lots = Router(tags=["lotes"])
contests = Router(tags=["contestados"])


def whom(request: HttpRequest, year: int | None, norm: str) -> For:
    known = office.claimed(party(request))
    fit = [w for w in known if year in (None, w.year) and norm in ("", w.norm)]
    return fit[0] if fit else For(party(request), norm or office.default_norm(), year or office.today().year)


@documents.get(
    "",
    response=Page,
    summary="Documentos, com a situação de hoje",
    auth=Opens(Scope.ENTITY_READ),
)
def document_list(
    request: HttpRequest, year: int | None = None, norm: str = "", outcome: str = "", code: str = "",
    after: int = 0,
) -> Page:  # fmt: skip
    """Every document of the entity in a year as it is answered now, the latest first."""
    kept = readings.Filter(outcome=outcome, code=code.upper()[:3])
    rows = [row for row in readings.rows(whom(request, year, norm)) if kept.keeps(row)]
    return part([_row(row) for row in rows], after=after)


def _row(row: readings.Row) -> dict[str, Any]:
    return {
        "sha256": row.sha256,
        "ordinal": row.ordinal,
        "file": row.file,
        "kind": row.kind,
        "access_key": row.key or None,
        "issued_on": row.issued_on.isoformat() if row.issued_on else None,
        "verdict": row.outcome.value,
        "codes": [code for code, _ in row.codes],
        "mass_mg": row.mass.mg,
    }


@documents.get(
    "/{sha256}/{int:ordinal}",
    response={200: dict[str, Any], 404: Told},
    summary="Um documento",
    auth=Opens(Scope.ENTITY_READ),
)
def document(
    request: HttpRequest, sha256: str, ordinal: int, year: int | None = None, norm: str = ""
) -> dict[str, Any]:
    """One document with its verdict, findings and lines, as `lastro verify --json` writes it."""
    shown = readings.one(whom(request, year, norm), sha256, ordinal)
    if shown is None:
        raise Http404
    return document_json(shown.document, shown.verdict)


class Upload(Schema):
    """What is said of the files that are handed in."""

    year: int
    norm: str = ""


class Handed(Schema):
    """An upload: how far it got, and what became of its files when it is over."""

    id: UUID
    state: str
    title: str
    done: int
    total: int | None
    answer: dict[str, Any]


@uploads.post(
    "", response={202: Handed, 400: Told}, summary="Enviar arquivos", auth=Opens(Scope.ENTITY_UPLOAD)
)
def hand_in(request: HttpRequest, said: Form[Upload], files: File[list[UploadedFile]]) -> Any:
    """Hand in notes, events, manifests and certificates; they are read in the background."""
    claimed = whom(request, None, said.norm)
    problem = problem_of(files, said.year)
    if problem:
        return wrong(problem)
    job = jobs.ask(
        "upload",
        party=claimed.entity,
        person=person(request),
        title=title_of(files),
        asked={"norm": claimed.norm, "year": said.year},
        files=[(file.name or "arquivo", file.read()) for file in files],
    )
    return Status(202, _handed(job))


@uploads.get(
    "/{uuid:job}",
    response={200: Handed, 404: Told},
    summary="Como anda um envio",
    auth=Opens(Scope.ENTITY_READ),
)
def upload(request: HttpRequest, job: UUID) -> Handed:
    """How far one upload got; to be asked again until `state` is done or failed."""
    found = Job.objects.filter(pk=job, party=party(request), kind="upload").first()
    if found is None:
        raise Http404
    return _handed(found)


def _handed(job: Job) -> Handed:
    return Handed(
        id=job.pk, state=job.state, title=job.title, done=job.done, total=job.total, answer=dict(job.answer)
    )


@lots.get("", response=Page, summary="Lotes", auth=Opens(Scope.ENTITY_READ))
def lot_list(request: HttpRequest, year: int | None = None, material: str = "", after: int = 0) -> Page:
    """The lots of the entity: what each holds, and whether it may be used."""
    known = {m.value: m for m in Material}
    if material and material not in known:
        return Page(count=0, rows=[])
    held = office.store().lots(entity=party(request), year=year, material=known.get(material))
    return part([lot.json() for lot in held if lot.mass], after=after)


@lots.get(
    "/conjuntos",
    response=list[dict[str, Any]],
    summary="Massa por ano e material",
    auth=Opens(Scope.ENTITY_READ),
)
def pools(request: HttpRequest, year: int | None = None) -> list[dict[str, Any]]:
    """The mass in lots, by year and material."""
    return [pool.json() for pool in office.store().pools(entity=party(request), year=year)]


@contests.get(
    "",
    response=list[dict[str, Any]],
    summary="Itens contestados que a entidade reivindica",
    auth=Opens(Scope.ENTITY_READ),
)
def contest_list(request: HttpRequest) -> list[dict[str, Any]]:
    """The contested lines that the entity claims; of the others' claims, only that they are."""
    return [
        {
            "access_key": found.key,
            "line": found.line,
            "reason": found.reason,
            "mine_mg": next((c.mass.mg for c in found.claims if c.entity == party(request) and c.mass), None),
            "others": sum(c.entity != party(request) for c in found.claims),
        }
        for found in contested.contests([party(request)])
    ]
