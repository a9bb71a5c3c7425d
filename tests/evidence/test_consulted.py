"""What SEFAZ itself answered confirms or contradicts what a file claims; nothing else does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.evidence import Context, Source, judge_source
from lastro.evidence.consulted import Consulted, confirm, standing
from lastro.facts import Document, Status
from tests.evidence import vectors

CONTEXT = Context(today=vectors.TODAY, trust=vectors.TRUST)


def judged(data: bytes) -> Document:
    (document,) = judge_source(Source("nota.xml", None, data), CONTEXT)
    return document


def asked(document: Document, status: str, *, day: int = 1, **more: object) -> Consulted:
    values = {"digest": document.digest_value, **more}
    return Consulted(document.access_key, status, datetime(2026, 11, day, tzinfo=UTC), **values)  # type: ignore[arg-type]


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings}


NOTE = judged(vectors.authorised())


def test_the_file_alone_only_claims_its_authorisation():
    assert codes(NOTE) == {"N18"}
    assert (NOTE.status, NOTE.status_source) == (Status.AUTHORISED, "file")
    assert confirm(NOTE, None) is NOTE


@pytest.mark.parametrize("status", ["100", "150"])
def test_sefaz_confirms_the_same_content_and_n18_goes(status: str):
    seen = confirm(NOTE, asked(NOTE, status))
    assert codes(seen) == set()
    assert (seen.status, seen.status_source) == (Status.AUTHORISED, "sefaz")


def test_another_content_than_the_authorised_one_is_n08():
    seen = confirm(NOTE, asked(NOTE, "100", digest="AAAAAAAAAAAAAAAAAAAAAAAAAAA="))
    assert codes(seen) == {"N08"}
    assert seen.findings[-1].expected == NOTE.digest_value


def test_an_answer_without_a_digest_confirms_no_content():
    assert confirm(NOTE, asked(NOTE, "100", digest="")) is NOTE


@pytest.mark.parametrize(
    ("status", "code", "standing_"),
    [
        ("101", "N10", Status.CANCELLED),
        ("151", "N10", Status.CANCELLED),
        ("155", "N10", Status.CANCELLED),
        ("110", "N17", Status.DENIED),
        ("302", "N17", Status.DENIED),
        ("217", "N09", Status.UNAUTHORISED),
    ],
)
def test_what_sefaz_has_against_a_note_refuses_it(status: str, code: str, standing_: Status):
    seen = confirm(NOTE, asked(NOTE, status, digest=""))
    assert codes(seen) == {code}
    assert (seen.status, seen.status_source) == (standing_, "sefaz")
    assert codes(confirm(NOTE, asked(NOTE, status), mask=frozenset({code}))) == set()


def test_a_registered_cancellation_inside_weighs_more_than_the_status_beside_it():
    assert codes(confirm(NOTE, asked(NOTE, "100", cancelled=True))) == {"N10"}


@pytest.mark.parametrize("status", ["656", "108", "226", "526", "999"])
def test_an_answer_that_tells_nothing_of_the_note_changes_nothing(status: str):
    assert confirm(NOTE, asked(NOTE, status)) is NOTE


def test_a_protocol_that_the_file_lacks_is_not_made_up():
    note = vectors.Note()
    bare = judged(vectors.sign(note.xml()))
    assert "N07" in codes(bare)
    assert "N07" in codes(confirm(bare, asked(bare, "100")))


def test_an_event_is_not_touched():
    event = judged(vectors.event(NOTE.access_key))
    assert confirm(event, asked(NOTE, "101")) is event


@given(st.permutations([("217", 1), ("100", 2), ("656", 9), ("101", 3), ("100", 8)]))
def test_a_cancellation_holds_whatever_comes_before_or_after(order: list[tuple[str, int]]):
    held = standing(asked(NOTE, status, day=day) for status, day in order)
    assert held is not None
    assert held.says is Status.CANCELLED


def test_else_the_latest_telling_answer_holds():
    first, last = asked(NOTE, "217", day=1), asked(NOTE, "100", day=2)
    for order in ((first, last), (last, first)):
        assert standing([*order, asked(NOTE, "656", day=5)]) == last
    assert standing([asked(NOTE, "656")]) is None
