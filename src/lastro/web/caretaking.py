"""Looking after the whole: work that failed or has nobody, counting everything again, what the store is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from lastro.stores.postgres import auditing
from lastro.web import office
from lastro.web.jobs import Work
from lastro.web.models import Job, JobFile


def audit(task: Work) -> Mapping[str, Any]:
    """Count everything again, as `lastro audit` does, and say what was checked and what does not hold."""
    task.tell(step="recontando a partir dos lançamentos")
    checks = auditing.run(office.store())
    return {
        "ok": not any(check.failed for check in checks),
        "checks": [
            {"label": c.label, "counted": c.counted, "failed": c.failed, "failures": c.failures}
            for c in checks
        ],
    }


def retry(job: Job) -> bool:
    """Have a failed job done again from the start; False if it is not one that failed.

    Every job is safe to repeat: entering counts once, issuing answers with what was issued.
    """
    found = Job.objects.filter(pk=job.pk, state=Job.State.FAILED)
    again = found.update(state=Job.State.WAITING, tries=0, answer={}, step="", done=0, ended_at=None)
    return bool(again)


def discard(job: Job) -> bool:
    """Throw the files of a failed job away: nobody will repeat it. False if it has none or did not fail."""
    with transaction.atomic():
        if not Job.objects.select_for_update().filter(pk=job.pk, state=Job.State.FAILED).exists():
            return False
        gone, _ = JobFile.objects.filter(job=job).delete()
        return bool(gone)


def held() -> frozenset[str]:
    """The jobs that some worker has in its hands this moment, by the locks that the database holds."""
    running = [str(pk) for pk in Job.objects.filter(state=Job.State.RUNNING).values_list("pk", flat=True)]
    with office.store().transaction() as db:
        rows = db.execute(
            """select pk from unnest(%s::text[]) as t (pk), hashtextextended('job/' || pk, 0) as h
                where exists (
                  select 1 from pg_locks
                  where locktype = 'advisory' and granted and objsubid = 1
                    and database = (select oid from pg_database where datname = current_database())
                    and classid::bigint = (h >> 32) & 4294967295 and objid::bigint = h & 4294967295)""",
            [running],
        ).fetchall()
    return frozenset(str(row[0]) for row in rows)


@dataclass(frozen=True)
class Kept:
    """Where everything is kept, and how big it is, in bytes."""

    database: str
    server: str
    size: int
    folder: str
    folder_size: int
    migrations: int


def kept() -> Kept:
    """The database and the data folder as they stand."""
    with office.store().transaction() as db:
        row = db.execute(
            """select current_database(), current_setting('server_version'),
                      pg_database_size(current_database()),
                      (select count(*) from lastro.django_migrations)"""
        ).fetchone()
    assert row is not None
    folder = office.site().data
    size = 0
    for path in folder.rglob("*"):
        try:
            size += path.stat().st_size if path.is_file() and not path.is_symlink() else 0
        except OSError:  # gone meanwhile, or not ours to look at
            continue
    return Kept(str(row[0]), str(row[1]), int(row[2]), str(folder), size, int(row[3]))
