"""Files handed in through the web: judged, counted once and posted, as `lastro enter` does."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from lastro.connectors.clamd import configured
from lastro.custody.lots import BESIDE, lots_of
from lastro.custody.port import For
from lastro.desk import desk_of
from lastro.engine.local import LocalEngine
from lastro.evidence import Source, beside, sources, without
from lastro.facts import Document, Finding, Verdict
from lastro.pipeline import Seen, answers, enter
from lastro.stores.postgres.certificates import stale_certificates
from lastro.stores.postgres.custody import custody
from lastro.web import office
from lastro.web.jobs import Work

_TELL_EVERY = 20
_MOST_TOLD = 200


def work(task: Work) -> Mapping[str, Any]:
    """Enter the files of an upload and say what became of them, by verdict and by code."""
    asked = task.job.asked
    whom = For(task.job.party, str(asked["norm"]), int(asked["year"]))
    store, today = office.store(), office.today()
    with tempfile.TemporaryDirectory(prefix="lastro-envio-") as folder:
        _put(task, Path(folder))
        lots_files = beside([folder], BESIDE)
        said = lots_of(_named(lots_files))
        task.tell(step="contando os arquivos", total=sum(1 for _ in without(sources([folder]), lots_files)))
        with custody(store) as memory:
            memory.say_lots(whom.entity, said)
        desk = desk_of(store, whom, data=office.site().data, today=today)
        stream = enter(
            _named(without(sources([folder], scan=configured()), lots_files)),
            desk=desk,
            remember=office.remember(),
            engine=LocalEngine(),
            on=today,
        )
        seen = [_not_repeated(one, task) for one in _told(stream, task)]
    task.tell(step="somando as respostas")
    told = list(answers(seen, whom=whom, remember=office.remember()))
    return _summary(told, seen) | fallen({document.access_key for document, _ in told}, whom.entity)


def _put(task: Work, folder: Path) -> None:
    """Write the files where they can be read as a folder, under the names that people gave them."""
    for n, (name, body) in enumerate(task.files()):
        apart = folder / str(n)
        apart.mkdir()
        (apart / (Path(name.replace("\\", "/")).name or f"arquivo-{n}")).write_bytes(body)


def _named(stream: Iterable[Source]) -> Iterator[Source]:
    """The sources under the names that people gave their files."""
    return (replace(source, file=Path(source.file).name) for source in stream)


def _told(stream: Iterator[Seen], task: Work) -> Iterator[Seen]:
    for number, one in enumerate(stream, start=1):
        if number % _TELL_EVERY == 0:
            task.tell(done=number, step="conferindo e contando")
        yield one
    task.tell(step="conferindo e contando")


def _not_repeated(one: Seen, task: Work) -> Seen:
    """A job taken up again after its worker died finds its own files: nobody handed those in twice."""
    return one if task.job.tries == 1 else replace(one, earlier=False)


def fallen(keys: Set[str], entity: str) -> dict[str, Any]:
    """Of these keys, what an entity used or sold and has lost its evidence: items, and certificates (K11)."""
    with custody(office.store()) as memory:
        rows = [r for r in memory.standing() if r.access_key in keys and entity in r.stale]
    sold = [
        one
        for one in stale_certificates(office.store(), entity=entity)
        if any(dead.access_key in keys for dead in one.dead)
    ]
    return {
        "fallen": [{"key": r.access_key, "line": r.line, "reason": r.reason} for r in rows[:_MOST_TOLD]],
        "fallen_count": len(rows),
        "certificates": [{"id": one.id, "number": one.number} for one in sold[:_MOST_TOLD]],
    }


def _summary(told: Iterable[tuple[Document, Verdict]], seen: list[Seen]) -> dict[str, Any]:
    outcomes: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for _, verdict in told:
        outcomes[verdict.outcome.value] += 1
        codes.update({finding.code for finding in every_finding(verdict)})
    return {
        "files": len(seen),
        "repeated": sum(one.earlier for one in seen),
        "unread": [
            {"file": one.member or one.file, "codes": sorted({f.code for f in one.unread.findings})}
            for one in seen
            if one.unread is not None
        ][:200],
        "outcomes": dict(outcomes),
        "codes": dict(codes),
        "digests": sorted({one.sha256 for one in seen if one.sha256})[:20_000],
    }


def every_finding(verdict: Verdict) -> list[Finding]:
    """What was seen on a document and on its lines."""
    return [*verdict.findings, *(seen for line in verdict.lines for seen in line.findings)]
