"""Whatever is done to the bytes of a signed note, it never crashes, and never passes as what it was not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastro.engine.files import unpacked
from lastro.evidence import Context, Source, admit, fast, fast_shapes, judge_source, read
from lastro.evidence.fast_rows import Row
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


@pytest.mark.parametrize("new", [b"9", b"&", b" "])
@pytest.mark.parametrize("dress", range(len(mutations.DRESSES[:7])))
def test_no_single_byte_is_taken_for_another_by_the_fast_way(dress: int, new: bytes) -> None:
    """Each byte of a note of one line in turn: the fast way says what the long way says, or nothing."""
    data = mutations.originals()[dress * len(mutations.LINES)].data
    for at in range(len(data)) if dress == 0 else around(data):
        changed = data[:at] + new + data[at + 1 :]
        plain = fast.read(changed)
        if plain is not None:
            assert [plain] == read(changed), at


def around(data: bytes) -> Iterator[int]:
    """The places of a note outside its content and its keys, which are the same in every dress."""
    content = data.index(b">", data.index(b"<infNFe")) + 1
    yield from range(content)
    yield from range(data.index(b"</infNFe>"), data.index(b"<SignatureValue>") + 16)
    yield from range(data.index(b"</X509Certificate>"), len(data))


def told_twice(data: bytes) -> tuple[list[object], list[object]]:
    """What is answered on a file by whatever way is quickest, and by the long way alone."""
    judge, source = mutations.judge(), Source("nota.xml", None, data)
    slowly = [(document, judge.ask(document)) for document in judge_source(source, judge.context)]
    return list(unpacked(judge([source]).answers)), slowly


def common() -> Iterator[mutations.Original]:
    """The notes that are judged by what they share with others."""
    for original in mutations.originals():
        if any(isinstance(a, Row) for a in mutations.judge()._of(Source("nota.xml", None, original.data))):
            yield original


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u2028", "0", "x"])
def test_no_text_of_a_signed_note_is_read_otherwise_for_a_blank_at_its_end(
    blank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each text with a character before or after it, or in place of its last one, signed as it stands."""
    monkeypatch.setattr(fast_shapes, "_WORTH_AN_EXPRESSION", 1)
    original = next(o for o in common() if b"<placa>" in o.data)
    for leaf in list(re.finditer(rb"<([A-Za-z0-9]+)>([^<]+)</", original.data)):
        text, new = leaf[2], blank.encode()
        for changed in (text + new, new + text, text[:-1] + new):
            data = original.data[: leaf.start(2)] + changed + original.data[leaf.end(2) :]
            quickly, slowly = told_twice(mutations.sign_again(data, original.signer))
            assert quickly == slowly, (leaf[1], changed)


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
