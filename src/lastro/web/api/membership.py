"""A company's place in plans, its documents and its choices; what companies and entities publish."""

from __future__ import annotations

import json
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from lastro.lawkit.contents import Contents
from lastro.reports import form
from lastro.stores.postgres.filings import Filings
from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.plain import kept, one
from lastro.web.api.requests import files_of
from lastro.web.api.shapes import NO_FILES, WRONG, Kept, Told, email, found, party, person, wrong
from lastro.web.readings import choices, declaration, membership, papers, publications
from lastro.web.scopes import OFFICE_OF, Role, Scope

router = Router(tags=["empresa"])
documents = Router(tags=["documentos das normas"])
published = Router(tags=["publicações"])
_KEPT: dict[int, Any] = {**WRONG, 200: Kept}
_DECLARES = Opens(Scope.COMPANY_DECLARE)

lists(
    router, "/estabelecimentos", Scope.COMPANY_READ, "Estabelecimentos e adesões",
    lambda r: membership.establishments(party(r)), name="establishments",
)  # fmt: skip
lists(
    router, "/adesoes", Scope.COMPANY_READ, "O que se pediu a entidades",
    lambda r: membership.asked_by(party(r)), name="asked", also=("state", "wants"),
)  # fmt: skip
lists(
    router, "/escolhas", Scope.COMPANY_READ, "Escolhas entre regiões", lambda r: choices.every(party(r)),
    name="choices",
)  # fmt: skip


class Joining(Schema):
    """What is asked of an entity: to join ("join") or to leave ("leave"), from which day on."""

    entity: str
    wants: str
    since: date
    text: str = Field(default="", max_length=1000)


@router.post("/adesoes", response=_KEPT, summary="Pedir adesão ou saída", auth=Opens(Scope.COMPANY_JOIN))
def ask(request: HttpRequest, said: Joining) -> Any:
    """Ask an entity to take the establishment in, or to let it go."""
    return kept(
        membership.ask(
            party(request), entity=said.entity, wants=said.wants, since=said.since, text=said.text.strip(),
            by=email(request),
        )
    )  # fmt: skip


@router.get(
    "/declarado", response=dict[str, Any], summary="O que está declarado", auth=Opens(Scope.COMPANY_READ)
)
def declared(request: HttpRequest, year: int) -> Any:
    """What stands declared of a year, row by row."""
    return {"year": year, "lines": [one(line) for line in declaration.lines(party(request), year)]}


@router.post("/escolhas", response=_KEPT, summary="Guardar os fatos de uma escolha", auth=_DECLARES)
def simulate(request: HttpRequest, said: dict[str, Any]) -> Any:
    """Keep a file of facts with no choice made yet; the proposal is reckoned from it."""
    return kept(
        choices.keep(party(request), json.dumps(said, ensure_ascii=False).encode(), by=email(request))
    )


class Choice(Schema):
    """What the company chooses."""

    chosen: str


@router.post("/escolhas/{int:year}", response=_KEPT, summary="Escolher", auth=_DECLARES)
def choose(request: HttpRequest, year: int, said: Choice) -> Any:
    """Keep what the company chose for a year."""
    found(choices.one(party(request), year))
    return kept(choices.choose(party(request), year, said.chosen, by=email(request)))


# ── documents that norms ask for ─────────────────────────────────────────────────────────────────────


class Filled(Schema):
    """A document as the command line takes it; `mark` (a UUID) tells apart those of a series."""

    year: int
    document: dict[str, Any]
    mark: UUID | None = None


def _file(request: HttpRequest, offer: papers.Offer | None, said: Filled) -> Any:
    asked: papers.Offer = found(offer)
    text = json.dumps(said.document, ensure_ascii=False)
    form.parse(asked.regulation, asked.kind, text, today=office.today())
    if str(said.document["entity"]["cnpj"]) != party(request):
        return wrong(f"entity.cnpj deve ser {party(request)}, de quem a chave é.")
    contents: Contents = asked.contents
    mark = (said.mark or uuid4()).hex[:12]
    subject = papers.subject_of(asked, entity=party(request), year=said.year, mark=mark)
    filings = Filings(office.store(), sees=party(request))
    before = filings.latest(subject)
    return kept(
        filings.add(
            subject, {"kind": asked.kind, "document": said.document}, by=email(request), on=office.today(),
            after=before.version if before else 0, public=contents.public, addressee=contents.to,
        )
    )  # fmt: skip


for _path, _scope, _summary, _name in (
    ("/entidade", Scope.ENTITY_READ, "Documentos e contratos da entidade", "entity_papers"),
    ("/empresa", Scope.COMPANY_READ, "Documentos da empresa", "company_papers"),
):
    lists(documents, _path, _scope, _summary, lambda r: papers.filed(party(r)), name=_name, also=("state",))


@documents.post(
    "/entidade/{place}/{norm}/{kind}", response=_KEPT, summary="Entregar um documento da entidade",
    auth=Opens(Scope.ENTITY_KEEP),
)  # fmt: skip
def fill_entity(request: HttpRequest, place: str, norm: str, kind: str, said: Filled) -> Any:
    """File a document that a norm asks of an entity, or its next version."""
    return _file(request, papers.offer(f"{place}/{norm}", kind, said.year), said)


@documents.post(
    "/empresa/{place}/{norm}/{kind}", response=_KEPT, summary="Entregar um documento da empresa",
    auth=Opens(Scope.COMPANY_PAPERS),
)  # fmt: skip
def fill_company(request: HttpRequest, place: str, norm: str, kind: str, said: Filled) -> Any:
    """File a document that a norm asks of a company, or its next version."""
    return _file(request, papers.offer(f"{place}/{norm}", kind, said.year, by="company"), said)


@documents.get(
    "/entidade/{int:number}", response={200: dict[str, Any], 404: Told}, summary="Um documento da entidade",
    auth=Opens(Scope.ENTITY_READ),
)  # fmt: skip
def entity_paper(request: HttpRequest, number: int) -> Any:
    """One version of a document, with how many things it lacks."""
    return one(found(papers.one(party(request), number)), "state") | {"offer": None}


# ── what is published ────────────────────────────────────────────────────────────────────────────────


def _publisher(request: HttpRequest) -> str:
    return OFFICE_OF.get(Role(person(request).role), "") or party(request)


lists(
    published, "/nossas", Scope.PUBLISH, "O que publicamos",
    lambda r: publications.of_party(_publisher(r)), name="published_by_us",
)  # fmt: skip


class Publication(Schema):
    """What is published, under which duty ("norm/key")."""

    key: str
    title: str
    text: str
    period: str = ""


@published.post("", response=_KEPT, summary="Publicar", auth=Opens(Scope.PUBLISH))
def publish(
    request: HttpRequest,
    said: Form[Publication],
    files: File[list[UploadedFile]] = NO_FILES,
) -> Any:
    """Publish a paper, or a new version of it; everybody may read it."""
    return kept(
        publications.publish(
            _publisher(request), key=said.key, title=said.title, text=said.text, period=said.period,
            by=email(request), files=files_of(files),
        )
    )  # fmt: skip


class Why(Schema):
    """Why something is taken out of the list."""

    why: str = Field(min_length=1, max_length=500)


@published.post(
    "/{int:number}/retirar", response=_KEPT, summary="Retirar da lista", auth=Opens(Scope.PUBLISH)
)
def unpublish(request: HttpRequest, number: int, said: Why) -> Any:
    """Take a publication out of the list; its versions stay."""
    return kept(publications.withdraw(_publisher(request), number, by=email(request), why=said.why))
