"""What an operator sends to an entity: looked at beforehand, counted by nobody until the entity takes it in.

A claim on a line is the entity's own act (decision 2 of the house): an operator that made claims in an
entity's name could put two entities at odds without either having asked. So a parcel waits as it came. The
look beforehand judges each note as the entity's desk would, writes nothing, and knows nothing of claims.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lastro.connectors.clamd import configured
from lastro.custody.port import For
from lastro.desk import desk_of
from lastro.evidence import sources
from lastro.evidence.judge import judge_source
from lastro.facts import Document, Finding, Severity, Verdict
from lastro.filings import Filing
from lastro.pipeline import Desk
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.filings import Filings
from lastro.units import total
from lastro.web import office
from lastro.web.jobs import Work
from lastro.web.readings import documents
from lastro.web.readings.operator import against

_MOST_TOLD = 300
_MOST_FINDINGS = 5
_TELL_EVERY = 10


def files_of(parcel: Filing, *, sees: str) -> Iterator[tuple[str, bytes]]:
    """The files of a parcel, by name, for one who may see it."""
    filings = Filings(office.store(), sees=sees)
    for name, _ in parcel.files:
        body = filings.file(parcel.id, name)
        if body is not None:
            yield name, body


def work(task: Work) -> Mapping[str, Any]:
    """Look at a parcel's files as the entity's desk would, and say what each document would be answered."""
    asked, party = task.job.asked, task.job.party
    parcel = Filings(office.store(), sees=party).one(int(asked["parcel"]))
    assert parcel is not None, "who asks for the look sent the parcel"
    whom = For(parcel.addressee, str(asked["norm"]), int(asked["year"]))
    desk = desk_of(office.store(), whom, data=office.site().data, today=office.today())
    told: list[dict[str, Any]] = []
    every = 0
    with tempfile.TemporaryDirectory(prefix="lastro-parcela-") as folder:
        _lay(files_of(parcel, sees=party), Path(folder))
        for source in sources([folder], scan=configured()):
            for document in judge_source(source, desk.context):
                every += 1
                if len(told) < _MOST_TOLD:
                    told.append(_told(desk, document, party))
                if every % _TELL_EVERY == 0:
                    task.tell(done=every, step="olhando as notas")
    known = _known(whom, [str(one["sha256"]) for one in told])
    return {"notes": [{**one, "known": one["sha256"] in known} for one in told], "every": every}


def _lay(files: Iterable[tuple[str, bytes]], folder: Path) -> None:
    """Write the files where they can be read as a folder, each under the name that it came with."""
    for number, (name, body) in enumerate(files):
        apart = folder / str(number)
        apart.mkdir()
        (apart / Path(name).name).write_bytes(body)


def _told(desk: Desk, document: Document, party: str) -> dict[str, Any]:
    confirmed = desk.confirmed(document)
    verdict = desk.judge(confirmed)
    return {
        "file": Path((document.member or document.file).replace("\\", "/")).name,
        "sha256": document.sha256,
        "kind": document.kind.value,
        "key": document.access_key,
        "others": document.invoice is not None and document.invoice.seller != party,
        "outcome": verdict.outcome.value,
        "mass_mg": _counted(verdict),
        "said": [_finding(one) for one in against(verdict)[:_MOST_FINDINGS]],
    }


def _counted(verdict: Verdict) -> int:
    return total(x.mass for x in verdict.lines if x.counts and x.mass is not None).mg


def _finding(one: documents.Said) -> dict[str, str]:
    return {
        "code": one.code, "severity": one.severity.value, "found": one.found, "expected": one.expected,
        "article": one.article, "where": one.where,
    }  # fmt: skip


def said_again(rows: Iterable[Mapping[str, str]]) -> list[documents.Said]:
    """What was said of a document in a look beforehand, with the words of the catalogue."""
    return [
        documents.said(
            Finding(
                row["code"],
                Severity(row["severity"]),
                row["where"],
                row["found"],
                row["expected"],
                row["article"],
            )
        )
        for row in rows
    ]


def _known(whom: For, digests: list[str]) -> set[str]:
    """Which of these files the entity handed in already."""
    with custody(office.store()) as memory:
        return {row.sha256 for row in memory.answered(whom, files=[one for one in digests if one])}
