"""A registry file or form of an entity: read by the registry's own rules, taken whole or sent back whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from lastro.desk import rejudge_all
from lastro.filings import Filing, Kind, Subject
from lastro.obligations.returned import with_errors
from lastro.registry.reach import beyond
from lastro.registry.read import Reading, read
from lastro.sheets import Issue
from lastro.stores.postgres import registry as kept
from lastro.stores.postgres.filings import Filings
from lastro.web import jobs, office
from lastro.web.jobs import Work
from lastro.web.models import Job, Person

FORM = "formulario.json"
"""The name under which what was typed into a form is read, as a file of one row would be."""


@dataclass(frozen=True)
class Taken:
    """What became of a file: how many rows were new, changed and the same in each table, or what to mend."""

    counts: Mapping[str, Mapping[str, int]]
    issues: tuple[Issue, ...]
    untold: int
    notes: tuple[Issue, ...]
    back: Filing | None = None

    @property
    def fresh(self) -> int:
        """How many rows said something new."""
        return sum(count["new"] + count["changed"] for count in self.counts.values())


def take(name: str, data: bytes, *, entity: str, person: Person) -> Taken:
    """Load what an entity says into the registry, if all of it is right and its own to say.

    Raises LastroError if the file can't be opened at all.
    """
    reading = read(name, data)
    allowed = beyond(reading.rows, entity=entity, known=office.registry(), on=office.today())
    issues = (*reading.issues, *allowed)
    if issues:
        back = None if name == FORM else _back(name, data, issues, reading, entity=entity, person=person)
        return Taken({}, issues, reading.untold, tuple(reading.notes), back)
    digest = hashlib.sha256(data).hexdigest()
    source = f"{name}, por {person.email}"
    counts = kept.load(office.store(), reading.tables, source=source, sha256=digest, on=office.today())
    taken = Taken(counts, (), 0, tuple(reading.notes))
    if taken.fresh:
        judge_again(entity, person)
    return taken


def typed(table: str, row: Mapping[str, Any], *others: tuple[str, Mapping[str, Any]]) -> bytes:
    """What was typed into a form, as the file of one row that it stands for; what is empty is left out."""
    tables = {table: [_filled(row)]} | {name: [_filled(other)] for name, other in others}
    return json.dumps(tables, ensure_ascii=False).encode()


def _filled(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value not in ("", None)}


def _back(
    name: str, data: bytes, issues: Sequence[Issue], reading: Reading, *, entity: str, person: Person
) -> Filing | None:
    """The sheet again, with a column of errors, kept for its sender; None for what is no sheet."""
    if PurePath(name).suffix.lower() not in (".xlsx", ".csv"):
        return None
    for sheet in dict.fromkeys(issue.sheet for issue in issues):
        mine = [issue for issue in issues if issue.sheet == sheet]
        data = with_errors(name, data, mine, sheet=sheet, heading_row=reading.heads.get(sheet))
    filings = Filings(office.store(), sees=entity)
    subject = Subject(Kind.RETURNED, entity, name="cadastro")
    latest = filings.latest(subject)
    stem, ending = PurePath(name).stem, PurePath(name).suffix
    return filings.add(
        subject,
        {"file": name, "issues": len(issues) + reading.untold},
        by=person.email,
        on=office.today(),
        after=latest.version if latest else 0,
        files=[(f"{stem}.erros{ending}".replace("/", "-"), data)],
    )


def judge_again(entity: str, person: Person) -> None:
    """Have the notes judged again with what is known now, unless that already waits to be begun."""
    waiting = Job.objects.filter(party=entity, kind="rejudge", state=Job.State.WAITING)
    if not waiting.exists():
        jobs.ask("rejudge", party=entity, person=person, title="Julgar de novo com o cadastro", asked={})


def work(task: Work) -> Mapping[str, Any]:
    """Judge again every stored note for which the registry says something new."""
    task.tell(step="julgando de novo o que o cadastro mudou")
    return {"judged": rejudge_all(office.store(), data=office.site().data, today=office.today())}


def last_judging(entity: str) -> Job | None:
    """How far the judging after the last change of the registry got; None where there was none."""
    return Job.objects.filter(party=entity, kind="rejudge").order_by("-asked_at").first()
