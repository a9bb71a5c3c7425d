"""Reports as every door makes, writes and hands them in: one transaction, three files from one data set.

Comes in: a store, its data folder, which report, the day. Goes out: previews, versions, or why not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from lastro.desk import basis_of
from lastro.errors import LastroError
from lastro.facts import Refusal
from lastro.ids import masked
from lastro.lawkit import library
from lastro.reports import desk
from lastro.reports.cells import DataSet
from lastro.reports.desk import Case, Heading, Render, State
from lastro.reports.paper import paper
from lastro.reports.standing import Made, Partnership, Version
from lastro.stores.postgres import Store
from lastro.stores.postgres.reports import PostgresReports, reports
from lastro.stores.postgres.sampling import Samples


def case_of(data: Path, *, norm: str, entity: str, year: int, today: date) -> Case:
    """Which report, under which norm, on what basis (a test root makes it a test: decision 13)."""
    return Case(library.find(norm), entity, year, today, basis_of(data / "trust"))


def preview_report(
    store: Store, case: Case, *, partnerships: Sequence[Partnership] | None = None
) -> tuple[DataSet, Made]:
    """Make the annual report as things stand at one moment, and keep it as a preview."""
    with _moment(store) as memory:
        return desk.preview(memory, case, partnerships=partnerships)


def submit_report(
    store: Store, case: Case, *, by: str, reason: str = "", number: int | None = None, lang: str = "pt"
) -> Version | Refusal:
    """Submit a preview of the annual report (default: the latest); its three files are kept with it."""
    with reports(store) as memory:
        return desk.submit(memory, case, by=by, reason=reason, number=number, render=files(lang))


def issue_statement(
    store: Store,
    case: Case,
    *,
    verifier: str,
    lang: str = "pt",
    sign: Callable[[bytes], bytes] | None = None,
) -> Version | Refusal:
    """Issue the verifier's statement on what it homologated; its three files are kept with it.

    What its people checked by hand stands in it too, and why it goes out without the rest (`Samples.leave`);
    raises LastroError where nobody said why. `sign` makes of the PDF a signed one, before it is kept.
    """
    looked = samples(store, case, verifier).by_hand()
    if looked.unsaid:
        raise LastroError(
            f"Ainda não se declara: {looked.unsaid}. Confira o que falta ou escreva por que se declara sem "
            "isso; a razão fica na declaração."
        )
    with reports(store) as memory:
        render = files(lang) if sign is None else _signed(files(lang), sign)
        return desk.issue_statement(memory, case, verifier=verifier, render=render, looked=looked)


def samples(store: Store, case: Case, verifier: str) -> Samples:
    """What a verifier's people checked by hand of an entity's year."""
    return Samples(store, verifier=verifier, entity=case.entity, norm=case.norm, year=case.year)


def _signed(render: Render, sign: Callable[[bytes], bytes]) -> Render:
    def signed(data: DataSet, heading: Heading) -> dict[str, bytes]:
        written = render(data, heading)
        return {name: sign(body) if name.endswith(".pdf") else body for name, body in written.items()}

    return signed


def report_state(store: Store, case: Case) -> State:
    """What was submitted and previewed of the annual report, and what changed since."""
    with _moment(store) as memory:
        return desk.state(memory, case)


def statements(store: Store, case: Case) -> list[Version]:
    """The verifiers' statements of an entity's year, oldest first."""
    with reports(store) as memory:
        return memory.versions("verification", case.norm, case.entity, case.year)


def stored_file(store: Store, sha256: str) -> bytes | None:
    """A file of a submitted version, as it was handed over."""
    with reports(store) as memory:
        return memory.file(sha256)


def made_of(store: Store, case: Case, path: str) -> tuple[DataSet, list[dict[str, Any]]]:
    """What the number at `section/row/column` is made of, row by row. Raises KeyError if there is none."""
    with _moment(store) as memory:
        data = desk.state(memory, case).data
        rows = []
        for source in data.cell(path).provenance:
            found = memory.behind(source, norm=case.norm, year=case.year)
            rows += [{"source": source.kind, **row} for row in found] or [
                {"source": source.kind, **source.json()}
            ]
    return data, rows


def files(lang: str = "pt") -> Render:
    """How a report is written: PDF, sheets and JSON, all from the one data set."""

    def render(data: DataSet, heading: Heading) -> dict[str, bytes]:
        from lastro.papers import render as typeset
        from lastro.workbooks import workbook

        name = file_name(data, heading)
        return {
            f"{name}.json": as_json(data, heading),
            f"{name}.pdf": typeset(data.kind, paper(data, heading, lang=lang)),
            f"{name}.xlsx": workbook(data, heading, lang=lang),
        }

    return render


def file_name(data: DataSet, heading: Heading) -> str:
    """The name of a report's files, without their ending; a statement goes by its number."""
    if heading.number:
        return f"{data.kind}-{data.entity}-{heading.number}"
    version = "previa" if heading.version is None else f"v{heading.version}"
    period = str(data.year) if data.quarter is None else f"{data.year}-T{data.quarter}"
    made = "fatos" if data.marks and heading.version is None else version
    return "-".join(part for part in (data.kind, data.entity, period, made) if part)


def as_json(data: DataSet, heading: Heading) -> bytes:
    """The report for a program: the data set, under what this version says of itself."""
    head = {
        "status": "preview" if heading.version is None else "submitted",
        "made_on": heading.made_on.isoformat(),
        "version": heading.version,
        "number": heading.number or None,
        "by": heading.by or None,
        "reason": heading.reason or None,
        "mark": heading.mark or None,
    }
    return (json.dumps(head | data.json(), ensure_ascii=False, indent=1) + "\n").encode()


def version_json(version: Version, *, stale: bool | None = None) -> dict[str, Any]:
    """A version for a program, without its data."""
    out = {
        "report": version.kind, "entity": version.entity, "verifier": version.verifier or None,
        "year": version.year, "version": version.version, "number": version.number or None,
        "digest": version.digest, "files": dict(version.files),
        "submitted_on": version.submitted_on.isoformat(),
        "by": version.by, "reason": version.reason or None, "mark": version.mark or None,
        "repeated": version.repeated,
    }  # fmt: skip
    return out if stale is None else out | {"stale": stale}


def version_line(version: Version) -> str:
    """A version in one sentence."""
    marks = {"late": ", fora do prazo", "rectification": ", retificação"}
    name = version.number or f"versão {version.version}"
    return (
        f"{name}, de {version.submitted_on:%d/%m/%Y}, por {masked(version.by)}{marks.get(version.mark, '')}"
    )


def repeated_line(version: Version) -> str:
    """That nothing was handed in again, since nothing changed, and what stands."""
    done = "foi emitido" if version.number else "foi entregue"
    return f"Nada mudou, e nada {done} de novo; continua valendo: {version_line(version)}."


@contextmanager
def _moment(store: Store) -> Iterator[PostgresReports]:
    """Reports' memory where everything is read as it stood at one moment."""
    with reports(store) as memory:
        memory.at_one_moment()
        yield memory
