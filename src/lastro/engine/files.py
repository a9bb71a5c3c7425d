"""Every file judged, with what the others of the run say of it: the work of `lastro verify`, over an engine.

Two passes, since a cancellation may come after its note. In the first each file is judged by itself, by
whatever process, and what comes out is laid on disk as it came; only what bears on other files is kept at
hand. In the second the answers are taken up again in order, and asked anew where another file changed them.
"""

from __future__ import annotations

import gc
import marshal
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial

from lastro.engine.port import Engine
from lastro.evidence import Context, Source, admit, judge_source
from lastro.evidence.fast_judge import Plain
from lastro.evidence.fast_rows import Row, gist_of_row, made
from lastro.evidence.judge import crashed, look_at
from lastro.evidence.together import Gist, Together, gist_of
from lastro.facts import Document, Finding, Verdict
from lastro.lawkit import library
from lastro.registry import Registry

Judged = tuple[Document, Verdict]

_CHUNK_FILES = 64
_CHUNK_BYTES = 2_000_000
_IN_MEMORY = 16_000_000
_MADE_BETWEEN = 50_000
_HEAVY = 1_000_000_000
"""What a file that ended a process is said to weigh, so that no engine judges it in this process."""


@dataclass(frozen=True)
class Question:
    """What is asked of each document: under which norm and year, for whom, with which registry.

    It is small and plain, so that every process can be asked it.
    """

    norm: str | None = None
    year: int | None = None
    entity: str | None = None
    registry: Registry | None = None

    def asker(self) -> Callable[[Document], Verdict]:
        """The question as a function. Raises LastroError for a norm that is not there."""
        if self.norm is None:
            return partial(admit, registry=self.registry, entity=self.entity, year=self.year)
        assert self.year is not None, "a norm is asked about a year"
        regulation = library.find(self.norm)
        law = regulation.law(date(self.year, 12, 31))
        return partial(
            admit,
            regulation=regulation,
            law=law,
            registry=self.registry,
            entity=self.entity,
            year=self.year,
        )

    def plain(self, context: Context) -> Plain | None:
        """Who answers for common notes without being asked about each line anew."""
        regulation = library.find(self.norm) if self.norm is not None else None
        law = regulation.law(date(self.year, 12, 31)) if regulation and self.year is not None else None
        return Plain.under(
            context,
            regulation=regulation,
            law=law,
            registry=self.registry,
            entity=self.entity,
            year=self.year,
        )


@dataclass(frozen=True)
class Judge:
    """Judges a chunk of files by themselves; travels to other processes with no more than it was given."""

    context: Context
    question: Question

    def __reduce__(self) -> tuple[type[Judge], tuple[Context, Question]]:
        return Judge, (self.context, self.question)

    @cached_property
    def ask(self) -> Callable[[Document], Verdict]:
        return self.question.asker()

    @cached_property
    def plain(self) -> Plain | None:
        """Who answers for common notes; None where the question leaves something open."""
        return self.question.plain(self.context)

    def __call__(self, chunk: list[Source]) -> Pack:
        answers: list[Judged | Row] = []
        for source in chunk:
            answers += self._of(source)
        return pack(answers, said=self.plain.said if self.plain else ())

    def _of(self, source: Source) -> Iterator[Judged | Row]:
        """The answers on one source: a row where that is enough, else what the long way says."""
        look = look_at(source) if self.plain is not None and source.problem is None else None
        if self.plain is None or look is None or look.seen is None:
            for document in judge_source(source, self.context, look):
                yield document, self.ask(document)
            return
        row = self.plain.row(look.seen, look.place)
        if row is not None:
            yield row
            return
        for document in judge_source(source, self.context, look):
            verdict = self.ask(document)
            self.plain.learn(look.seen, document, verdict)
            yield document, verdict


@dataclass(frozen=True)
class Pack:
    """The answers on a chunk of files as they go to disk, and what they mean for other files."""

    answers: bytes
    gists: tuple[Gist, ...]
    broken: tuple[Source, ...] = ()


def pack(answers: Sequence[Judged | Row], *, said: tuple[Finding, ...] = ()) -> Pack:
    """Answers made ready for the disk; together, since they have much in common. `said` is of every row."""
    rows = [tuple(a) if isinstance(a, Row) else None for a in answers]
    others = [a for a in answers if not isinstance(a, Row)]
    rest = pickle.dumps((said, others), pickle.HIGHEST_PROTOCOL)
    gists = tuple(gist_of_row(a) if isinstance(a, Row) else gist_of(*a) for a in answers)
    return Pack(marshal.dumps((rows, rest)), gists)


def unpacked(answers: bytes) -> Iterator[Judged]:
    """The answers that `pack` made ready, in their order."""
    rows, rest = marshal.loads(answers)
    said, others = pickle.loads(rest)
    left = iter(others)
    for row in rows:
        yield next(left) if row is None else made(Row(*row), said)


def judged(
    sources: Iterable[Source], *, context: Context, question: Question, engine: Engine
) -> Iterator[Judged]:
    """Every document of the sources with its verdict, in the order of the sources."""
    judge = Judge(context, question)
    with (
        _seldom_collected(),
        closing(Together()) as together,
        tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as spool,
    ):
        sizes = []
        for packed in _packs(sources, judge, engine):
            for gist in packed.gists:
                together.hear(gist)
            sizes.append(spool.write(packed.answers))
        spool.seek(0)
        for size in sizes:
            for document, verdict in unpacked(spool.read(size)):
                told = together.apply(document)
                yield (told, verdict if told.findings == document.findings else judge.ask(told))


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Look for rings of forgotten objects less often: documents hold none, and there are a great many."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], _MADE_BETWEEN), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _packs(sources: Iterable[Source], judge: Judge, engine: Engine) -> Iterator[Pack]:
    """The answers in the order of the sources; of a chunk on which a process died, each file by itself."""
    for packed in engine.map(judge, _chunks(sources), failed=_broken, size=_weight):
        if not packed.broken:
            yield packed
            continue
        alone = [[source] for source in packed.broken]
        yield from engine.map(judge, alone, failed=partial(_given_up, judge), size=lambda _: _HEAVY)


def _chunks(sources: Iterable[Source]) -> Iterator[list[Source]]:
    chunk: list[Source] = []
    weight = 0
    for source in sources:
        chunk.append(source)
        weight += len(source.data)
        if len(chunk) >= _CHUNK_FILES or weight >= _CHUNK_BYTES:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk


def _weight(chunk: list[Source]) -> int:
    return sum(len(source.data) for source in chunk)


def _broken(chunk: list[Source], what: str) -> Pack:
    return Pack(b"", (), tuple(chunk))


def _given_up(judge: Judge, chunk: list[Source], what: str) -> Pack:
    documents = [crashed(source, what) for source in chunk]
    return pack([(document, judge.ask(document)) for document in documents])
