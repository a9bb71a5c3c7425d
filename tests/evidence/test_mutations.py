"""Whatever is done to the bytes of a signed note, it never crashes, and never passes as what it was not."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastro.evidence import Context, Source, admit, fast, judge_source, read
from lastro.facts import Outcome, Signature
from lastro.lawkit import library
from tests.evidence import mutations
from tests.evidence import vectors as v
from tests.evidence.test_admit import Known

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
NORM = library.find("mt/decreto_1455_2025")
LAW = NORM.law(date(2026, 12, 31))
GOOD = v.authorised()
(ORIGINAL,) = judge_source(Source("nota.xml", None, GOOD), CONTEXT)

change = st.tuples(
    st.sampled_from(["flip", "drop", "insert", "copy"]),
    st.integers(0, len(GOOD) - 1),
    st.integers(1, 40),
    st.binary(min_size=1, max_size=6)
    | st.sampled_from([b"0", b"9", b"<", b">", b"&", b" ", b"\n", b"<!--", b"-->"]),
)


def mutate(data: bytes, changes: list[tuple[str, int, int, bytes]]) -> bytes:
    for kind, at, size, new in changes:
        at %= max(len(data), 1)
        if kind == "flip":
            data = data[:at] + new + data[at + len(new) :]
        elif kind == "drop":
            data = data[:at] + data[at + size :]
        elif kind == "insert":
            data = data[:at] + new + data[at:]
        else:
            data = data[:at] + data[at : at + size] * 2 + data[at + size :]
    return data


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(change, min_size=1, max_size=3))
def test_a_changed_note_is_never_valid_with_other_content(
    changes: list[tuple[str, int, int, bytes]],
) -> None:
    """A change may fall outside what is signed (the protocol, blanks in base64): then the facts stand."""
    for document in judge_source(Source("nota.xml", None, mutate(GOOD, changes)), CONTEXT):
        verdict = admit(document, regulation=NORM, law=LAW, registry=Known(), entity=v.ENTITY, year=2026)
        if document.signature is Signature.VALID or verdict.outcome is Outcome.ADMITTED:
            assert document.content_digest == ORIGINAL.content_digest
            assert document.invoice == ORIGINAL.invoice


@pytest.mark.parametrize("new", [b"9", b"x", b"&", b" "])
@pytest.mark.parametrize("start", range(len(mutations.DRESSES[:7])))
def test_no_single_byte_is_taken_for_another_by_the_fast_way(start: int, new: bytes) -> None:
    """Every byte of a note of one line in each plain dress: the fast way says what the long way says."""
    data = mutations.originals()[start * len(mutations.LINES)].data
    for at in range(len(data)):
        changed = data[:at] + new + data[at + 1 :]
        plain = fast.read(changed)
        if plain is not None:
            assert [plain] == read(changed), at


INF = (GOOD.index(b"<infNFe") + 1, GOOD.index(b"</infNFe>"))


@pytest.mark.parametrize("start", range(8))
def test_no_byte_of_the_signed_element_can_change_unseen(start: int) -> None:
    """Every eighth byte from each start: a digit changed is S02, or the file is broken, or the Id is off."""
    for at in range(INF[0] + start, INF[1], 8):
        old = GOOD[at]
        new = ord("7") if old != ord("7") else ord("8")
        for document in judge_source(Source("n", None, GOOD[:at] + bytes([new]) + GOOD[at + 1 :]), CONTEXT):
            assert document.signature is not Signature.VALID
            assert document.signature is not Signature.REFORMATTED


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=400)
    | st.text(max_size=200).map(str.encode)
    | st.text(max_size=99).map(lambda t: f"<NFe>{t}</NFe>".encode())
)
def test_any_bytes_give_a_finding(data: bytes) -> None:
    for document in judge_source(Source("n", None, data), CONTEXT):
        assert document.findings
        assert admit(document, regulation=NORM, law=LAW).outcome is Outcome.REFUSED
