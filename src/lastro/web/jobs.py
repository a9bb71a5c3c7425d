"""Work in the background: a row in the database is asked for, taken by one worker, and told as it goes on.

A worker holds an advisory lock of PostgreSQL on the job it works on. The database drops the lock the moment
the worker's connection ends, also when it was killed: then the next worker takes the job up again. No
heartbeat, no clock, and nobody else's process to run.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import close_old_connections, transaction
from django.utils import timezone

from lastro.errors import LastroError
from lastro.findings import catalogue
from lastro.web import office
from lastro.web.models import Job, JobFile, Person
from lastro.web.presence import Presence

_log = logging.getLogger("lastro.web.jobs")

MOST_TRIES = 3
"""A job that took three workers down with it is not given to a fourth."""

_PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class Work:
    """A job in the hands of a worker, and how it tells how far it got."""

    job: Job

    def tell(self, *, done: int | None = None, total: int | None = None, step: str | None = None) -> None:
        """Write down how far the work got; what is not given stays as it is."""
        said = {"done": done, "total": total, "step": step}
        Job.objects.filter(pk=self.job.pk).update(**{k: v for k, v in said.items() if v is not None})

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The files handed in with the job, by name."""
        for file in JobFile.objects.filter(job=self.job).order_by("id").iterator(chunk_size=1):
            yield file.name, bytes(file.body)


Handler = Callable[[Work], Mapping[str, Any]]


def handlers() -> dict[str, Handler]:
    """What each kind of job does; its answer is kept with the job."""
    from lastro.web import caretaking, declaring, issuing, parcels, registering, uploads

    return {
        "upload": uploads.work,
        "audit": caretaking.audit,
        "issue": issuing.work,
        "declare": declaring.work,
        "rejudge": registering.work,
        "parcel": parcels.work,
    }


def ask(
    kind: str,
    *,
    party: str,
    person: Person,
    title: str,
    asked: Mapping[str, Any],
    files: Sequence[tuple[str, bytes]] = (),
) -> Job:
    """Ask for work on behalf of a party; the job stands with its files, or not at all."""
    assert kind in handlers(), f"nobody does {kind}"
    with transaction.atomic():
        job = Job.objects.create(kind=kind, party=party, person=person, title=title[:200], asked=dict(asked))
        JobFile.objects.bulk_create(JobFile(job=job, name=name[:200], body=body) for name, body in files)
    return job


def work_on_one() -> bool:
    """Take the oldest job that nobody works on and see it through; False if there is none."""
    with _taken() as job:
        if job is None:
            return False
        _see_through(job)
        return True


def work(stop: threading.Event) -> None:
    """Take jobs until asked to stop; while it goes on, everybody can see that a worker is there."""
    here = Presence()
    while not stop.is_set():
        try:
            here.show()
            busy = work_on_one()
        except Exception:  # the database may be away for a moment; a worker outlives it
            _log.exception("o trabalhador não alcança o banco; tenta de novo")
            close_old_connections()
            stop.wait(_PAUSE_SECONDS * 10)
            continue
        if not busy:
            _tell_now_and_then()
            stop.wait(_PAUSE_SECONDS)
    here.end()


_PULSE_SECONDS = 15
_told_at = [0.0]


def _tell_now_and_then() -> None:
    """Between two jobs, tell whoever is not told yet of what happened; it never takes the worker down."""
    from lastro.web import notices

    if time.monotonic() - _told_at[0] < _PULSE_SECONDS:
        return
    _told_at[0] = time.monotonic()
    try:
        notices.pulse()
    except Exception:
        _log.exception("os avisos não saíram; tenta-se de novo")
        close_old_connections()


@contextmanager
def _taken() -> Iterator[Job | None]:
    """A job under this worker's lock, if one can be had; the lock goes with the connection."""
    open_states = (Job.State.WAITING, Job.State.RUNNING)
    with office.store().connect() as db:
        db.autocommit = True
        waiting = Job.objects.filter(state__in=open_states).order_by("asked_at").values_list("pk", flat=True)
        for pk in list(waiting):
            row = db.execute("select pg_try_advisory_lock(hashtextextended(%s, 0))", [f"job/{pk}"]).fetchone()
            if row is None or not row[0]:
                continue
            job = Job.objects.filter(pk=pk, state__in=open_states).first()
            if job is not None:
                yield job
                return
            db.execute("select pg_advisory_unlock(hashtextextended(%s, 0))", [f"job/{pk}"])
        yield None


def _see_through(job: Job) -> None:
    if job.tries >= MOST_TRIES:
        lost = catalogue()["F12"]
        _end(job, Job.State.FAILED, {"error": f"F12: {lost.message['pt']} {lost.cure['pt']}"})
        return
    job.tries += 1
    job.state = Job.State.RUNNING
    job.save(update_fields=["tries", "state"])
    try:
        answer = handlers()[job.kind](Work(job))
    except LastroError as wrong:
        _end(job, Job.State.FAILED, {"error": str(wrong)})
    except Exception:
        _log.exception("trabalho %s (%s) falhou", job.pk, job.kind)
        _end(
            job, Job.State.FAILED, {"error": "Algo falhou do nosso lado; pode repetir sem contar duas vezes."}
        )
    else:
        _end(job, Job.State.DONE, answer)


def _end(job: Job, state: str, answer: Mapping[str, Any]) -> None:
    """The job is over; its files are evidence by now, and are not kept here, unless it is to be repeated."""
    with transaction.atomic():
        Job.objects.filter(pk=job.pk).update(
            state=state, answer=dict(answer), step="", ended_at=timezone.now()
        )
        if state == Job.State.DONE:
            JobFile.objects.filter(job=job).delete()
