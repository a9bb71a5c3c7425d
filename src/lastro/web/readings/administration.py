"""What the administration looks at: keys, work in the background, copies, recounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count
from django.utils.timezone import localtime

from lastro.filings import Filing, Kind, Subject
from lastro.ids import masked
from lastro.stores.postgres.filings import EVERYBODY, Filings
from lastro.web import caretaking, office
from lastro.web.api.keys import acts_for
from lastro.web.models import ApiKey, Job
from lastro.web.tables import Column

OFFICE = "admin"
"""Whose the filings of the administration are."""

_JOBS_SHOWN = 5_000


def _when(at: Any) -> str:
    return localtime(at).strftime("%d/%m/%Y %H:%M")


def key_state(key: ApiKey) -> str:
    """How a key stands: taken back, over, dead with its maker, or alive."""
    if key.revoked_at is not None:
        return "revogada"
    if key.expires_on < office.today():
        return "vencida"
    alive = key.person.is_active and acts_for(key.person, key.party)
    return "vale" if alive else "sem efeito"


KEYS: Sequence[Column[ApiKey]] = (
    Column("nome", "Chave", lambda k: f"{k.name} ({k.public})"),
    Column("quem", "De quem", lambda k: k.person.email),
    Column("por", "Age por", lambda k: masked(k.party), choice=True),
    Column("abre", "Abre", lambda k: ", ".join(k.scopes)),
    Column("ate", "Até", lambda k: k.expires_on),
    Column("usada", "Usada em", lambda k: k.last_used_on),
    Column("situacao", "Situação", key_state, choice=True),
)


@dataclass(frozen=True)
class Work:
    """One job with how it truly stands: a running one that no worker holds was lost, and is taken up."""

    job: Job
    state: str
    error: str
    files: int


def work() -> list[Work]:
    """The latest jobs of everybody."""
    held = caretaking.held()
    found = Job.objects.select_related("person").annotate(left=Count("files")).order_by("-asked_at")
    return [_work(job, held) for job in found[:_JOBS_SHOWN]]


def _work(job: Any, held: frozenset[str]) -> Work:
    lost = job.state == Job.State.RUNNING and str(job.pk) not in held
    state = "perdido: volta à fila" if lost else str(Job.State(job.state).label)
    return Work(job, state, str(job.answer.get("error", "")), int(job.left))


_KINDS = {
    "upload": "envio",
    "issue": "emissão",
    "audit": "recontagem",
    "rejudge": "novo julgamento",
    "declare": "declaração",
    "parcel": "notas de operador",
}

WORK: Sequence[Column[Work]] = (
    Column("quando", "Pedido em", lambda w: w.job.asked_at, words=_when),
    Column("tipo", "Tipo", lambda w: _KINDS.get(w.job.kind, w.job.kind), choice=True),
    Column("titulo", "Trabalho", lambda w: w.job.title),
    Column("por", "Por quem", lambda w: masked(w.job.party) if w.job.party else None),
    Column("quem", "Pedido por", lambda w: w.job.person.email if w.job.person else None),
    Column("situacao", "Situação", lambda w: w.state, choice=True),
    Column("tentativas", "Tentativas", lambda w: w.job.tries),
    Column("motivo", "O que houve", lambda w: w.error),
)


# ── copies ───────────────────────────────────────────────────────────────────────────────────────────


def backups() -> list[Filing]:
    """The copies that somebody said they made, the latest first."""
    found = Filings(office.store(), sees=EVERYBODY).standing(Kind.BACKUP, party=OFFICE)
    return sorted(found, key=lambda one: (str(one.body["day"]), one.id), reverse=True)


def tell_backup(*, where: str, day: str, digest: str, by: str, today: date) -> str:
    """Record that a copy was made; what is wrong with it, in words, if it can't be recorded."""
    where, digest = where.strip()[:200], digest.strip().lower()
    try:
        made = date.fromisoformat(day)
    except ValueError:
        return "Diga em que dia a cópia foi feita."
    if made > today:
        return "A cópia não pode ser de um dia que não chegou."
    if not where:
        return "Diga onde a cópia está guardada."
    if digest and (len(digest) != 64 or not set(digest) <= set("0123456789abcdef")):
        return "O SHA-256 tem 64 algarismos de 0 a f; deixe vazio se não o tem."
    told = Filings(office.store(), sees=OFFICE)
    number = 1 + len(told.standing(Kind.BACKUP, party=OFFICE, withdrawn=True))
    told.add(
        Subject(Kind.BACKUP, OFFICE, name=str(number)),
        {"day": made.isoformat(), "where": where, "sha256": digest},
        by=by,
        on=today,
    )
    return ""


@dataclass(frozen=True)
class Audit:
    """The last recount asked for from the pages, as far as it got."""

    job: Job
    checks: Sequence[Mapping[str, Any]]
    ok: bool | None


def last_audit() -> Audit | None:
    """The latest recount; None if none was asked for from here."""
    job = Job.objects.filter(kind="audit").order_by("-asked_at").first()
    if job is None:
        return None
    return Audit(job, job.answer.get("checks", []), job.answer.get("ok"))
