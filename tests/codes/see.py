"""What the product says of what a case made: the codes alone, of documents and lines together."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from lastro.evidence import Context, Source, Together, admit, judge_source, sources
from lastro.facts import Document, Verdict
from lastro.lawkit import library
from tests.codes import Codes
from tests.evidence import vectors as v
from tests.evidence.test_admit import Known

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
NORM = library.find("mt/decreto_1455_2025")
LAW = NORM.law(date(2026, 12, 31))


def documents(data: bytes, *, name: str = "nota.xml", context: Context = CONTEXT) -> tuple[Document, ...]:
    """Every document in the bytes of one file, judged by itself."""
    return judge_source(Source(name, None, data), context)


def verdicts(data: bytes, *, context: Context = CONTEXT, **choices: Any) -> list[Verdict]:
    """The verdicts under the norm of the sample, for the entity and registry of the tests."""
    asked: dict[str, Any] = {
        "regulation": NORM, "law": LAW, "registry": Known(), "entity": v.ENTITY, "year": 2026,
    }  # fmt: skip
    return [admit(made, **(asked | choices)) for made in documents(data, context=context)]


def codes(verdict: Verdict) -> Codes:
    """The codes on a document and on its lines."""
    return {f.code for f in verdict.findings} | {f.code for line in verdict.lines for f in line.findings}


def of_bytes(data: bytes, *, context: Context = CONTEXT, **choices: Any) -> Codes:
    """The codes that the bytes of one file bring out."""
    return {code for seen in verdicts(data, context=context, **choices) for code in codes(seen)}


def of_note(note: v.Note | None = None, *, context: Context = CONTEXT, **choices: Any) -> Codes:
    """The codes that a note brings out, signed by its issuer and authorised."""
    return of_bytes(v.authorised(note), context=context, **choices)


def of_item(**item: Any) -> Codes:
    """The codes that a note of one line brings out."""
    return of_note(v.Note(items=[v.Item(**item)]))


def of_files(files: dict[str, bytes], *, of: str) -> Codes:
    """The codes that the files of one run bring out on the one that is named."""
    run, judged = Together(), [made for name in files for made in documents(files[name], name=name)]
    for document in judged:
        run.note(document, admit(document))
    return {f.code for document in judged if document.file == of for f in run.apply(document).findings}


def of_paths(paths: Iterable[Path]) -> Codes:
    """The codes that files, folders and zips bring out where they stand."""
    return {f.code for one in sources(paths) for made in judge_source(one, CONTEXT) for f in made.findings}
