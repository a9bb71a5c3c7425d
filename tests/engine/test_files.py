"""Files judged over an engine: the same answers by one process or two, in chunks or alone, in any company."""

from __future__ import annotations

import dataclasses
import gc
import pickle
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lastro.engine import files
from lastro.engine.files import Judge, Question, judged
from lastro.engine.local import LocalEngine
from lastro.evidence import Context, Source, Together, admit, judge_source, sources
from lastro.facts import Outcome, Status
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)


@pytest.fixture(scope="module")
def given() -> list[Source]:
    """Notes, one of them twice, one cancelled by a later event, and a broken file."""
    made = [Source(f"{n:03d}.xml", None, v.authorised(v.Note(number=n))) for n in range(1, 41)]
    event = Source("z-evento.xml", None, v.event(v.Note(number=7).access_key))
    twice = dataclasses.replace(made[3], file="y-de-novo.xml")
    return [*made, Source("quebrada.xml", None, b"<NFe>"), twice, event]


def by_hand(given: list[Source]) -> list[Any]:
    """The answers one by one, in this process, as the words of `judged` promise them."""
    documents = [d for source in given for d in judge_source(source, CONTEXT)]
    run = Together()
    for document in documents:
        run.note(document)
    return [(told, admit(told)) for told in map(run.apply, documents)]


@pytest.mark.parametrize("size", [1, 5, 64])
@pytest.mark.parametrize("workers", [1, 2])
def test_the_answers_are_those_made_by_hand(
    given: list[Source], size: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_CHUNK_FILES", size)
    monkeypatch.setattr(files, "_IN_MEMORY", 1000)
    made = list(judged(given, context=CONTEXT, question=Question(), engine=LocalEngine(workers)))
    assert made == by_hand(given)
    cancelled = made[6]
    assert cancelled[0].status is Status.CANCELLED
    assert cancelled[1].outcome is Outcome.REFUSED
    assert any(f.code == "F11" for f in made[41][1].findings)


class Fragile:
    """An engine whose process dies on a chunk that holds the broken file, and on that file alone."""

    def map(
        self,
        function: Callable[[list[Source]], Any],
        items: Iterable[list[Source]],
        *,
        failed: Callable[[list[Source], str], Any],
        size: Callable[[list[Source]], int] = len,
    ) -> Iterator[Any]:
        for chunk in items:
            dies = any(source.file == "quebrada.xml" for source in chunk)
            yield failed(chunk, "morreu") if dies else function(chunk)


def test_a_file_that_ends_its_process_costs_itself_only(given: list[Source]) -> None:
    made = list(judged(given, context=CONTEXT, question=Question(), engine=Fragile()))
    hand = by_hand(given)
    assert [a for a, b in zip(made, hand, strict=True) if a != b] == [made[40]]
    assert [f.code for f in made[40][0].findings] == ["F12"]


def test_a_judge_travels_with_its_question_and_not_with_the_law(tmp_path: Path) -> None:
    judge = Judge(CONTEXT, Question("mt/decreto_1455_2025", 2026))
    judge.ask  # noqa: B018 (what was looked up here must stay here)
    again = pickle.loads(pickle.dumps(judge))
    assert again == judge
    assert "ask" not in vars(again)
    (tmp_path / "nota.xml").write_bytes(v.authorised())
    chunk = list(sources([tmp_path]))
    assert again(chunk) == judge(chunk)


def test_rings_of_objects_are_looked_for_as_before_when_a_run_ends(given: list[Source]) -> None:
    before = gc.get_threshold()
    run = judged(given, context=CONTEXT, question=Question(), engine=LocalEngine(1))
    next(run)
    assert gc.get_threshold()[0] > before[0]
    run.close()
    assert gc.get_threshold() == before
