"""The verifier's desk: what waits, statements, samples by hand; and contests, which two people end."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router, Schema
from pydantic import Field

from lastro import delivery
from lastro.custody.decide import decide
from lastro.facts import Refusal
from lastro.reports.sampling import draw
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.sampling import Samples, units_of
from lastro.units import MOST_MG, Mass
from lastro.web import office
from lastro.web.api.keys import Opens
from lastro.web.api.lists import lists
from lastro.web.api.plain import kept, one
from lastro.web.api.shapes import WRONG, Done, Kept, Told, email, found, party, refused, wrong
from lastro.web.desks.contests import sight
from lastro.web.desks.reports import download
from lastro.web.readings import contests, decisions, loads, objections, queue, reports
from lastro.web.readings.sample import shown
from lastro.web.readings.verifier import entities_of, hand_of, years
from lastro.web.scopes import Scope

router = Router(tags=["verificador"])
deciding = Router(tags=["decisões"])
_READS, _STATES, _DECIDES = (
    Opens(scope) for scope in (Scope.VERIFIER_READ, Scope.VERIFIER_HOMOLOGATE, Scope.CONTEST_DECIDE)
)

lists(
    router, "/fila", Scope.VERIFIER_READ, "O que espera uma pessoa",
    lambda r: queue.queue(entities_of(party(r)), verifier=party(r)), name="queue",
)  # fmt: skip
lists(
    router, "/objecoes", Scope.VERIFIER_READ, "Objeções das entidades",
    lambda r: objections.asked_of(party(r)), name="objections_asked", also=("state",),
)  # fmt: skip
lists(
    deciding, "", Scope.CONTEST_DECIDE, "Itens contestados que se podem decidir",
    lambda r: contests.contests(sight(r)), name="contests_to_decide",
)  # fmt: skip
lists(
    deciding, "/tomadas", Scope.CONTEST_DECIDE, "O que se disse de itens contestados",
    lambda r: decisions.rows(sight(r)), name="decisions",
)  # fmt: skip


def _entity(request: HttpRequest, entity: str) -> str:
    if entity not in entities_of(party(request)):
        raise Http404
    return entity


@router.get("/entidades", response=list[dict[str, Any]], summary="Entidades sob contrato", auth=_READS)
def entities(request: HttpRequest) -> Any:
    """The entities under contract, with what waits for a statement in each year."""
    return [
        {"entity": entity, "name": office.name_of(entity), "years": [one(year) for year in years(entity)]}
        for entity in entities_of(party(request))
    ]


class Named(Schema):
    """What names this request, however often it is sent."""

    request: str = Field(pattern=r"^[0-9A-Za-z-]{8,40}$")


@router.post(
    "/{entity}/{int:year}/homologar",
    response={**WRONG, 200: dict[str, Any]},
    summary="Declarar os lotes de um ano verificados",
    auth=_STATES,
)
def homologate(request: HttpRequest, entity: str, year: int, said: Named) -> Any:
    """Declare that the lots of an entity's year were verified; what is not proved stays out."""
    _entity(request, entity)
    into, out = loads.to_homologate(entity, year, verifier=party(request))
    answer = office.store().homologate(
        entity, verifier=party(request), year=year, lots=into if out else None,
        request=f"homologate/{said.request}", happened_on=office.today(),
    )  # fmt: skip
    if isinstance(answer, Refusal):
        return refused(answer)
    return {"lots": answer["lots"], "mass_mg": int(answer["mass_mg"]), "left_out": len(out)}


class Unchecked(Schema):
    """Why the statement goes out though not everything was looked at by hand."""

    reason: str = Field(default="", max_length=1000)


@router.post(
    "/{entity}/{int:year}/declaracao",
    response={**WRONG, 200: dict[str, Any]},
    summary="Emitir a declaração de verificação",
    auth=_STATES,
)
def statement(request: HttpRequest, entity: str, year: int, said: Unchecked) -> Any:
    """Issue and sign the statement on what was homologated; the same content keeps its number.

    Where not every item of the sample was looked at by hand, `reason` says why; it stands in the statement.
    """
    case = reports.case(office.default_norm(), _entity(request, entity), year)
    verifier = party(request)
    if said.reason:
        samples = delivery.samples(office.store(), case, verifier)
        samples.leave(reason=said.reason, by=email(request), on=office.today())
    done = delivery.issue_statement(office.store(), case, verifier=verifier, sign=hand_of(verifier))
    return refused(done) if isinstance(done, Refusal) else delivery.version_json(done) | {"by": None}


@router.get(
    "/{entity}/{int:year}/declaracao/{digest}", response={404: Told}, summary="Um arquivo da declaração",
    auth=_READS,
)  # fmt: skip
def statement_file(request: HttpRequest, entity: str, year: int, digest: str) -> HttpResponse:
    """A file of a statement that this verifier issued."""
    case = reports.case(office.default_norm(), _entity(request, entity), year)
    mine = reports.statements_of(case, party(request))
    names = {sha: name for version in mine for name, sha in version.files.items()}
    body = delivery.stored_file(office.store(), digest) if digest in names else None
    return download(names.get(digest, ""), found(body))


class Look(Schema):
    """What was found of a load that its buyer denies."""

    finding: str
    reason: str = Field(max_length=1000)


@router.post(
    "/cargas/{key}/{recycler}", response={**WRONG, 200: Done}, summary="Parecer sobre uma carga", auth=_STATES
)
def look(request: HttpRequest, key: str, recycler: str, said: Look) -> Any:
    """Keep what was found of a load that a buyer denies or received less of."""
    asked = [
        receipt
        for receipt in loads.receipts(entities_of(party(request)))
        if (receipt.key, receipt.recycler) == (key, recycler) and receipt.asks
    ]
    if not asked:
        raise Http404
    for receipt in asked:
        loads.look(
            receipt, verifier=party(request), finding=said.finding, reason=said.reason, by=email(request),
            on=office.today(),
        )  # fmt: skip
    return {"id": f"{key}/{recycler}"}


class Text(Schema):
    """An answer in words."""

    text: str = Field(min_length=1, max_length=2000)


@router.post(
    "/objecoes/{int:number}", response={**WRONG, 200: Kept}, summary="Responder a uma objeção", auth=_STATES
)
def answer_objection(request: HttpRequest, number: int, said: Text) -> Any:
    """Answer an objection of an entity, and say why."""
    mine = found(next((o for o in objections.asked_of(party(request)) if o.filing.id == number), None))
    return kept(objections.answer(mine, verifier=party(request), text=said.text, by=email(request)))


# ── checking by hand ─────────────────────────────────────────────────────────────────────────────────


def _samples(request: HttpRequest, entity: str, year: int) -> Samples:
    norm = office.default_norm()
    return Samples(
        office.store(), verifier=party(request), entity=_entity(request, entity), norm=norm, year=year
    )


@router.get(
    "/{entity}/{int:year}/amostra",
    response={200: dict[str, Any], 404: Told},
    summary="A amostra que se confere à mão",
    auth=_STATES,
)
def sample(request: HttpRequest, entity: str, year: int) -> Any:
    """The plan that stands, with its items and what each check proved."""
    standing = _samples(request, entity, year).standing()
    if standing is None:
        return {"seed": None, "items": []}
    items = [one(row) for row in shown(standing, entity, year)]
    return {"seed": standing.plan.seed, "frame": standing.plan.frame, "items": items}


class Draw(Schema):
    """The seed of a draw, the mass from which every item is looked at, and why it is drawn anew."""

    seed: str = Field(min_length=1, max_length=100)
    threshold_mg: int | None = Field(default=None, gt=0, le=MOST_MG)
    reason: str = Field(default="", max_length=500)
    after: int = 0


@router.post(
    "/{entity}/{int:year}/amostra",
    response={**WRONG, 200: dict[str, Any]},
    summary="Sortear a amostra",
    auth=_STATES,
)
def draw_sample(request: HttpRequest, entity: str, year: int, said: Draw) -> Any:
    """Draw what is checked by hand; with the seed anybody draws the same items."""
    samples = _samples(request, entity, year)
    units = units_of(office.store(), entity=entity, norm=office.default_norm(), year=year)
    if not units:
        return wrong("Não há lote neste ano: não há o que sortear.", cure="Espere as notas do ano.")
    threshold = Mass(said.threshold_mg) if said.threshold_mg else None
    plan = draw(units, seed=said.seed, threshold=threshold)
    samples.draw(plan, reason=said.reason, by=email(request), on=office.today(), after=said.after)
    return {"items": len(plan.drawn), "seed": said.seed}


class Checked(Schema):
    """The mass that a check proves, and what was looked at."""

    right_mg: int = Field(ge=0, le=MOST_MG)
    reason: str = Field(max_length=1000)


@router.post(
    "/{entity}/{int:year}/amostra/{key}/{int:line}",
    response={**WRONG, 200: Done},
    summary="Conferir um item da amostra",
    auth=_STATES,
)
def check(request: HttpRequest, entity: str, year: int, key: str, line: int, said: Checked) -> Any:
    """Keep what a check by hand proves of one item of the plan."""
    samples, item = _samples(request, entity, year), (key, line)
    standing = samples.standing()
    if standing is None or item not in {drawn.unit.item for drawn in standing.plan.drawn}:
        raise Http404
    samples.check(item, right=Mass(said.right_mg), reason=said.reason, by=email(request), on=office.today())
    return {"id": f"{key}/{line}"}


# ── contested lines ──────────────────────────────────────────────────────────────────────────────────


class Word(Schema):
    """Whose a line is (and by which content), and the reason; a second person confirms by saying the same."""

    entity: str
    content: str = ""
    reason: str = Field(min_length=1, max_length=1000)


@deciding.get(
    "/{key}/{int:line}",
    response={200: dict[str, Any], 404: Told},
    summary="Um item contestado",
    auth=_DECIDES,
)
def contest(request: HttpRequest, key: str, line: int) -> Any:
    """One contested line, with its claims and what was proposed."""
    shown_one = found(contests.contest(key, line, sight(request)))
    waits = shown_one.waiting
    return one(shown_one) | {"said": [], "waiting": waits["entity"] if waits else None}


@deciding.post(
    "/{key}/{int:line}",
    response={**WRONG, 200: dict[str, Any]},
    summary="Propor ou confirmar de quem é o item",
    auth=_DECIDES,
)
def say(request: HttpRequest, key: str, line: int, said: Word) -> Any:
    """Propose whose a contested line is, or confirm what another person proposed."""
    asked = found(contests.contest(key, line, sight(request)))
    with custody(office.store()) as memory:
        confirmed = decide(
            memory, asked.key, asked.line, entity=said.entity, content=said.content, reason=said.reason,
            by=email(request), on=office.today(),
        )  # fmt: skip
    return {"id": f"{key}/{line}", "decided": bool(confirmed)}
