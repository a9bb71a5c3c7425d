"""One file, judged by itself: the pure function that engines map over thousands of files."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from lastro.evidence import fast, schema, waste_papers
from lastro.evidence.authenticate import authenticate
from lastro.evidence.context import Context, Place
from lastro.evidence.read import read
from lastro.evidence.sources import Source
from lastro.facts import Document, Finding, Kind
from lastro.findings import finding


class Look(NamedTuple):
    """A first look at a file: where it lies, and what it is seen to say where it is a common note."""

    place: Place
    seen: fast.Seen | None


def look_at(source: Source) -> Look:
    """Look at the bytes of a source that has some."""
    place = Place(source.file, source.member, hashlib.sha256(source.data).hexdigest())
    try:
        return Look(place, fast.seen(source.data))
    except Exception:  # nothing is seen of it, and the long way says what it is
        return Look(place, None)


def judge_source(source: Source, context: Context, look: Look | None = None) -> tuple[Document, ...]:
    """Every document in one source, authenticated. Never raises: what goes wrong is a finding on the file.

    Whoever looked at the source already says what was seen.
    """
    if source.problem is not None:
        return (unread(source, source.problem),)
    place, seen = look or look_at(source)
    try:
        plain = fast.reading(seen) if seen is not None else None
        readings = (plain,) if plain is not None else waste_papers.read(source.data) or read(source.data)
        made = tuple(authenticate(reading, place=place, context=context) for reading in readings)
        return schema.conforming(source.data, made) if context.schemas else made
    except Exception as wrong:  # whatever a hostile file provokes is about that file, and the run goes on
        return (crashed(source, type(wrong).__name__),)


def unread(source: Source, seen: Finding) -> Document:
    """A source without bytes, as a document that says why."""
    digest = hashlib.sha256(source.data).hexdigest() if source.data else ""
    return Document(source.file, source.member, digest, Kind.UNKNOWN, "", findings=(seen,))


def crashed(source: Source, what: str) -> Document:
    """A source on which the reader itself failed (F12): that says nothing of it, and may be repeated."""
    return unread(source, finding("F12", where=source.file, found=what))
