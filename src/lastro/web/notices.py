"""Who is told of what happened: people by a notice and an e-mail, programs by a signed call.

What happened stands in tables that only grow: uploads that ended, certificates that moved, reports that were
handed in, papers that were addressed, deadlines that come near. A worker looks at the last days of them again
and again; each thing has a key, and nobody is told of one key twice, whoever looks and however often.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from lastro.connectors import hooks
from lastro.connectors.faults import Unanswered
from lastro.connectors.transport import Line
from lastro.filings import LABELS, Kind
from lastro.ids import masked
from lastro.incentives.filed import READERS
from lastro.stores.postgres.falls import Mark
from lastro.units import Mass
from lastro.web import delegations, office
from lastro.web.models import Binding, Job, Person
from lastro.web.notice_models import Call, Hook, Notice, Round
from lastro.web.scopes import OFFICE_OF, Role, Scope

_log = logging.getLogger("lastro.web.notices")

LOOKS_BACK = timedelta(days=7)
"""How long a worker may have been away without anybody missing a notice."""

AHEAD = (30, 7, 1)
"""How many days before a deadline people are reminded."""

WAITS = tuple(timedelta(minutes=m) for m in (1, 5, 30, 120, 600, 1440))
"""How long a call waits after each time that it was not taken; after the last it is given up."""

EVENTS: Mapping[str, str] = {
    "upload.done": "um envio terminou de ser lido",
    "certificate.moved": "um certificado foi autorizado, emitido, recusado ou usado",
    "certificate.expires": "um certificado está para vencer",
    "evidence.fell": "um certificado, uma meta ou um relatório perdeu a prova",
    "evidence.revived": "a prova de um certificado, meta ou relatório voltou a valer",
    "report.submitted": "o relatório anual foi entregue",
    "paper.addressed": "alguém mandou um pedido, uma resposta ou outro papel",
    "deadline.near": "um prazo se aproxima",
}
READING = frozenset({Scope.ENTITY_READ, Scope.COMPANY_READ, Scope.OPERATOR_READ, Scope.RECYCLER_READ})
"""What somebody who acts by delegation must hold to be told of what is nobody's special work."""

_BATCH = 1_000
_LOCK = "hashtextextended('lastro/notices', 0)"


@dataclass(frozen=True)
class Happened:
    """One thing that somebody is told of; `party` is a CNPJ, or the word of an office.

    Who is bound to the establishment is told of all; who acts by delegation, with one of the rights `needs`.
    """

    key: str
    event: str
    party: str
    title: str
    text: str = ""
    link: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    needs: frozenset[Scope] = READING


def pulse(*, line: Line | None = None) -> None:
    """Tell whoever is not told yet; one worker at a time, and what fails is tried again at the next pulse."""
    with office.store().connect() as db:
        db.autocommit = True
        row = db.execute(f"select pg_try_advisory_lock({_LOCK})").fetchone()
        if row is None or not row[0]:
            return
        _note(list(happened()))
        _mail()
        _call(line or hooks.line())


# ── what happened ────────────────────────────────────────────────────────────────────────────────────


def happened() -> Iterator[Happened]:
    """Everything of the last days that somebody is to be told of."""
    yield from _uploads()
    yield from _certificates()
    yield from _expiring()
    yield from _falls()
    yield from _reports()
    yield from _papers()
    yield from _deadlines()


def _uploads() -> Iterator[Happened]:
    since = timezone.now() - LOOKS_BACK
    for job in Job.objects.filter(kind="upload", ended_at__gte=since):
        failed = job.state == Job.State.FAILED
        yield Happened(
            f"upload/{job.pk}",
            "upload.done",
            job.party,
            f"Envio {'não concluído' if failed else 'lido'}: {job.title}",
            link=f"/entidade/envios/{job.pk}/",
            data={"id": str(job.pk), "state": job.state, "outcomes": job.answer.get("outcomes", {})},
        )


_MOVED = {
    "authorise": "autorizado",
    "issue": "emitido",
    "refuse": "recusado: a massa voltou aos lotes",
    "retire": "usado",
    "sell": "vendido da oferta",
    "withdraw": "retirado: a massa voltou aos lotes",
    "cancel": "cancelado pelo órgão: não vale mais, e o que dele foi usado falta à meta",
    "transfer": "transferido",
    "split": "dividido",
}


def _certificates() -> Iterator[Happened]:
    with office.store().transaction() as db:
        rows = db.execute(
            """select m.certificate, m.move, c.entity, c.holder, c.mass_mg, c.year,
                      (select number from certificate_number n where n.certificate = m.certificate)
                 from certificate_move m join certificate c on c.id = m.certificate
                where m.happened_on >= %s""",
            [office.today() - LOOKS_BACK],
        ).fetchall()
    for name, move, entity, holder, mass, year, number in rows:
        title = f"Certificado {number or 'sem número'} de {Mass(mass)} ({year}): {_MOVED.get(move, move)}"
        data = {"id": name, "move": move, "number": number, "mass_mg": mass, "year": year}
        key = f"certificate/{name}/{move}"
        yield Happened(
            key, "certificate.moved", entity, title, link=f"/entidade/certificados/{name}/", data=data
        )
        if move in ("issue", "cancel") and holder:
            yield Happened(
                key, "certificate.moved", holder, title, link=f"/empresa/certificados/{name}/", data=data
            )


def _expiring() -> Iterator[Happened]:
    """Certificates in force whose last day comes near: who holds one may still use it."""
    today = office.today()
    with office.store().transaction() as db:
        rows = db.execute(
            """select c.id, c.holder, p.number, p.valid_to, c.mass_mg
                 from certificate c join certificate_paper p on p.certificate = c.id
                where p.valid_to between %s and %s and certificate_state(c.id, %s) = 'issued'""",
            [today, today + timedelta(days=AHEAD[0]), today],
        ).fetchall()
    for name, holder, number, last, mass in rows:
        left = (last - today).days
        step = min((days for days in AHEAD if left <= days), default=AHEAD[0])
        yield Happened(
            f"expires/{name}/{step}",
            "certificate.expires",
            holder,
            _("Certificado %(number)s de %(mass)s vence em %(day)s")
            % {"number": number, "mass": Mass(mass), "day": f"{last:%d/%m/%Y}"},
            text=_("Depois desse dia não pode mais ser usado."),
            link=f"/empresa/certificados/{name}/",
            data={"id": name, "number": number, "until": last.isoformat(), "days": left},
        )


def _falls() -> Iterator[Happened]:
    """What lost its evidence, and what has it again: marked first, then told to whom it concerns."""
    from lastro import cascade
    from lastro.stores.postgres import falls

    store, today = office.store(), office.today()
    cascade.mark(store, data=office.site().data, today=today)
    for one in falls.since(store, today - LOOKS_BACK):
        for party in one.parties:
            yield Happened(
                f"fall/{one.id}",
                "evidence.fell" if one.stale else "evidence.revived",
                party,
                _fall_title(one),
                text=_fall_text(one),
                link=_fall_link(one, party),
                data={
                    "kind": one.kind, "name": one.name, "stale": one.stale, "deficit_mg": one.deficit_mg,
                    "until": one.until.isoformat() if one.until else None,
                },
            )  # fmt: skip


def _fall_title(one: Mark) -> str:
    named = {
        "certificate": _("Certificado %(name)s"),
        "position": _("Meta %(name)s"),
        "report": _("Relatório %(name)s"),
    }[one.kind] % {"name": one.name}
    return (_("%(what)s: perdeu a prova") if one.stale else _("%(what)s: a prova voltou a valer")) % {
        "what": named
    }


def _fall_text(one: Mark) -> str:
    if not one.stale:
        return ""
    said = [_("Deixou de valer: %(reason)s.") % {"reason": one.reason[:300]}]
    if one.deficit_mg:
        said.append(_("Faltam %(mass)s.") % {"mass": Mass(one.deficit_mg)})
    if one.until is not None:
        said.append(_("Pode ser reposto até %(day)s.") % {"day": f"{one.until:%d/%m/%Y}"})
    return " ".join(said)


def _fall_link(one: Mark, party: str) -> str:
    if one.kind == "certificate":
        with office.store().transaction() as db:
            mine = db.execute(
                "select 1 from certificate where id = %s and entity = %s", [one.name, party]
            ).fetchone()
        return f"/{'entidade' if mine else 'empresa'}/certificados/{one.name}/"
    if one.kind == "report":
        return "/entidade/relatorio/"
    return "/entidade/quedas/" if party == one.parties[-1] else "/empresa/quedas/"


def _reports() -> Iterator[Happened]:
    with office.store().transaction() as db:
        rows = db.execute(
            "select id, entity, year, version from report_version where submitted_on >= %s",
            [office.today() - LOOKS_BACK],
        ).fetchall()
    for number, entity, year, version in rows:
        yield Happened(
            f"report/{number}",
            "report.submitted",
            entity,
            f"Relatório anual de {year} entregue (versão {version})",
            link=f"/entidade/relatorio/?ano={year}",
            data={"year": year, "version": version},
        )


def _papers() -> Iterator[Happened]:
    from lastro.stores.postgres.filings import EVERYBODY, Filings

    seen = Filings(office.store(), sees=EVERYBODY)
    for one in seen.addressed(since=office.today() - LOOKS_BACK):
        kind = LABELS[one.subject.kind]
        yield Happened(
            f"paper/{one.id}",
            "paper.addressed",
            one.addressee,
            f"Chegou: {kind} de {_who(one.subject.party)}",
            link=_PAGES.get(one.subject.kind, ""),
            data={"id": one.id, "kind": one.subject.kind.value, "from": one.subject.party},
            needs=_ANSWERING if one.subject.kind in _ASKING else READING,
        )


_ASKING = frozenset({Kind.REQUEST, Kind.ANSWER, Kind.NOTICE, Kind.REVIEW})
_ANSWERING = frozenset({Scope.REQUESTS_ANSWER})


_PAGES: Mapping[Kind, str] = {
    Kind.REQUEST: "/pedidos/",
    Kind.ANSWER: "/pedidos/",
    Kind.NOTICE: "/notificacoes/",
    Kind.REVIEW: "/entregas/",
    Kind.CHARGE: "/empresa/taxa/",
    Kind.COLLECTION: "/empresa/taxa/",
}


_OFFICES = {
    "agency": "órgão ambiental", "fees": "órgão ambiental (taxa)", "cmrr": "CMRR",
    "committee": "Comitê da Bolsa Reciclagem", "ministry": "Ministério do Meio Ambiente",
    "gap": "grupo de acompanhamento",
}  # fmt: skip


def _who(party: str) -> str:
    if party in _OFFICES:
        return _OFFICES[party]
    return office.name_of(party) or masked(party)


def _deadlines() -> Iterator[Happened]:
    """What comes near, looked up once a day."""
    from lastro.web.readings import deadlines

    today = office.today()
    if not _first_today("deadlines", today):
        return
    for party, entity in _due_parties():
        for task in deadlines.year_of(party, entity=entity, year=today.year, norms=()).tasks:
            left = (task.until - today).days
            if task.done_on is None and left in AHEAD:
                yield Happened(
                    f"deadline/{task.key}/{task.until}/{task.note}/{left}"[:200],
                    "deadline.near",
                    party,
                    f"{'Amanhã' if left == 1 else f'Em {left} dias'}: {task.title}",
                    text=f"Até {task.until:%d/%m/%Y}. {task.norm}, {task.article}.",
                    link="/prazos/",
                    data={"task": task.key, "until": task.until.isoformat(), "days": left},
                    needs=frozenset({Scope.DEADLINES_READ}),
                )


def _due_parties() -> Iterator[tuple[str, bool]]:
    """Each establishment that somebody acts for and that has deadlines, and whether it is an entity."""
    found: dict[str, bool] = {}
    for binding in Binding.objects.filter(person__is_active=True).select_related("person"):
        scopes = binding.person.scopes_at(binding.party)
        if Scope.DEADLINES_READ in scopes:
            found[binding.party] = Scope.ENTITY_READ in scopes
    yield from sorted(found.items())


def _first_today(name: str, today: date) -> bool:
    """Whether a daily round is the first of its day."""
    last, made = Round.objects.get_or_create(name=name, defaults={"on": today})
    if not made and last.on >= today:
        return False
    Round.objects.filter(pk=last.pk).update(on=today)
    return True


# ── who is told ──────────────────────────────────────────────────────────────────────────────────────


def _note(every: Sequence[Happened]) -> None:
    """Write the notice of everybody who acts for each party, and the call of each hook, once."""
    parties = {one.party for one in every}
    asked = {(one.party, one.needs) for one in every}
    people = {(party, needs): _told(party, needs) for party, needs in asked}
    Notice.objects.bulk_create(
        [
            Notice(
                person=person, key=one.key, party=one.party, title=one.title[:200], text=one.text[:600],
                link=one.link,
            )
            for one in every
            for person in people[one.party, one.needs]
        ],
        ignore_conflicts=True, batch_size=_BATCH,
    )  # fmt: skip
    now, hooks_of = timezone.now(), defaultdict[str, list[Hook]](list)
    for hook in Hook.objects.filter(party__in=parties, ended_at=None):
        hooks_of[hook.party].append(hook)
    Call.objects.bulk_create(
        [
            Call(hook=hook, key=one.key, event=one.event, body=_body(one), next_at=now)
            for one in every
            for hook in hooks_of[one.party]
            if one.event in hook.events
        ],
        ignore_conflicts=True,
        batch_size=_BATCH,
    )


def _body(one: Happened) -> dict[str, Any]:
    return {"event": one.event, "party": one.party, "title": one.title, "data": dict(one.data)}


def _told(party: str, needs: frozenset[Scope]) -> list[Person]:
    """Who acts for a party: by their role, or by a delegation that counts today and holds what is needed."""
    return [*_people_of(party), *delegations.holders(party, needs)]


def _people_of(party: str) -> Iterable[Person]:
    roles = [role.value for role, word in OFFICE_OF.items() if word == party]
    if party == READERS:  # the two offices of the Bolsa Reciclagem read what organisations file
        roles = [Role.CMRR.value, Role.COMMITTEE.value]
    if roles:
        return Person.objects.filter(role__in=roles, is_active=True)
    return Person.objects.filter(is_active=True, bindings__party=party)


def _mail() -> None:
    """Send each person one e-mail with what they were not told yet, if they want it by e-mail."""
    waiting = Notice.objects.filter(mailed_at=None, person__mail_notices=True, person__is_active=True)
    for person in Person.objects.filter(Q(pk__in=waiting.values("person"))):
        mine = list(waiting.filter(person=person).order_by("pk")[:50])
        first = mine[0].title
        subject = f"Lastro: {first}" if len(mine) == 1 else f"Lastro: {first} e mais {len(mine) - 1}"
        try:
            send_mail(subject[:150], _letter(mine), settings.DEFAULT_FROM_EMAIL, [person.email])
        except OSError:
            _log.exception("o e-mail não saiu; tenta-se de novo")
            continue
        Notice.objects.filter(pk__in=[one.pk for one in mine]).update(mailed_at=timezone.now())


def _letter(mine: Iterable[Notice]) -> str:
    home = office.site().public_url
    parts = [f"{one.title}\n{one.text}\n{home}{one.link}".replace("\n\n", "\n") for one in mine]
    return "\n\n".join(parts) + f"\n\nPara não receber por e-mail: {home}/avisos/\n"


# ── calls ────────────────────────────────────────────────────────────────────────────────────────────


def _call(line: Line) -> None:
    """Send what is due."""
    due = Call.objects.filter(state=Call.State.WAITING, next_at__lte=timezone.now(), hook__ended_at=None)
    for one in due.select_related("hook").order_by("pk")[:100]:
        _send(one, line, now=timezone.now())


def _send(one: Call, line: Line, *, now: datetime) -> None:
    """Try once; a 2xx ends it, anything else has it wait, and 410 ends the hook."""
    body = json.dumps({"id": f"msg_{one.pk}", **one.body}, ensure_ascii=False).encode()
    try:
        status = hooks.tell(
            line,
            one.hook.url,
            secret=one.hook.secret,
            message=f"msg_{one.pk}",
            moment=int(now.timestamp()),
            body=body,
        )
        said, taken = f"HTTP {status}", 200 <= status < 300
        if status == 410:
            Hook.objects.filter(pk=one.hook.pk).update(ended_at=now)
    except Unanswered as wrong:
        said, taken = str(wrong), False
    last = one.tries >= len(WAITS)
    state = Call.State.TAKEN if taken else Call.State.GIVEN_UP if last else Call.State.WAITING
    wait = timedelta(0) if taken or last else WAITS[one.tries]
    Call.objects.filter(pk=one.pk).update(
        state=state, tries=one.tries + 1, answered=said[:300], next_at=now + wait
    )
