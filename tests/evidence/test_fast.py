"""The fast way says what the long way says, of what it takes at all; and it takes the common note."""

from __future__ import annotations

import os
import re

import pytest

from lastro.evidence import Source, fast, fast_keys, fast_shapes, judge_source, read
from lastro.evidence.fast_shapes import Section, Unshaped, shape_of
from lastro.facts import Signature
from tests.evidence import mutations as m
from tests.evidence import vectors as v

COUNT = int(os.environ.get("LASTRO_MUTATIONS", "1500"))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is learned when it is first met, so that one reading is enough."""
    monkeypatch.setattr(fast_shapes, "_WORTH_AN_EXPRESSION", 1)


@pytest.mark.parametrize("number", range(len(m.originals())))
def test_both_ways_read_every_dress_alike(number: int) -> None:
    data = m.originals()[number].data
    plain, (long,) = fast.read(data), read(data)
    assert long.check is not None
    assert long.check.outcome is Signature.VALID
    assert plain == (long if number < m.CANONICAL else None)


def test_the_judge_goes_the_fast_way_and_else_the_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, context = [], m.judge().context
    monkeypatch.setattr("lastro.evidence.judge.read", lambda data: taken.append(data) or read(data))
    usual, unusual = m.originals()[0].data, m.originals()[-1].data
    for data in (usual, unusual):
        (document,) = judge_source(Source("nota.xml", None, data), context)
        assert document.signature is Signature.VALID
    assert taken == [unusual]


@pytest.mark.parametrize("start", range(0, COUNT, 500))
def test_mutations_are_read_alike_and_never_pass_as_what_they_are_not(start: int) -> None:
    tried, wrong = m.run(start, min(500, COUNT - start))
    assert wrong == []
    assert tried["fast"] > 0
    assert tried["signed again, fast"] > 0


NOTE = m.originals()[0]
CONTENT = re.compile(rb"(<infNFe[^>]*>)(.*)(</infNFe>)", re.DOTALL)


def _signed_over(change: tuple[bytes, bytes]) -> bytes:
    """A note whose signer signed other bytes than canonical XML: digest and RSA value are right for them."""
    old, new = change
    found = CONTENT.search(NOTE.data)
    assert found is not None
    assert old in found[2]
    data = NOTE.data.replace(found[2], found[2].replace(old, new, 1))
    return m.sign_again(data, NOTE.signer)


@pytest.mark.parametrize(
    "change",
    [
        (b"</natOp>", b"</natop>"),
        (b"</natOp>", b">x</natOp>"),
        (b"</natOp>", b"]]></natOp>"),
        (b"</natOp>", b"&quot;</natOp>"),
        (b"</natOp>", b"&#65;</natOp>"),
        (b"</natOp>", b"&nada;</natOp>"),
        (b"</natOp>", b"& </natOp>"),
        (b"</natOp>", b"\r</natOp>"),
        (b"</natOp>", b"\x01</natOp>"),
        (b"</natOp>", b"\0</natOp>"),
        (b"</natOp>", b"\xff</natOp>"),
        (b"</natOp>", "\ufffe</natOp>".encode()),
        (b"</natOp>", b"<!-- --></natOp>"),
        (b"</natOp>", b"<?x y?></natOp>"),
        (b"</natOp>", b"<![CDATA[x]]></natOp>"),
        (b"</natOp>", b"</natOp>\n"),
        (b"</natOp>", b"</natOp><x/>"),
        (b"</natOp>", b"</natOp ><x></x>"),
        (b"<natOp>", b"<natOp >"),
        (b"<natOp>", b'<natOp b="1" a="2">'),
        (b"<natOp>", b"<natOp a='1'>"),
        (b"<natOp>", b'<natOp a="&#10;">'),
        (b"<natOp>", b'<natOp a="\n">'),
        (b"<natOp>", b'<natOp xmlns="urn:x">'),
        (b"<natOp>", b'<natOp xmlns="">'),
        (b"<natOp>", b'<natOp Id="x">'),
        (b"<natOp>", b"<n:natOp>"),
        (b"<natOp>", b"<natOp><x>"),
        (b"<ide>", b"<ide>x"),
        (b"</ide>", b"</ide></ide>"),
        (b"</natOp>", b"</natOp>" + b"<x>" * 300 + b"</x>" * 300),
    ],
    ids=lambda change: repr(change[1])[:40],
)
def test_bytes_that_are_not_canonical_are_left_to_the_long_way_whoever_signed_them(
    change: tuple[bytes, bytes],
) -> None:
    assert fast.read(_signed_over(change)) is None


@pytest.mark.parametrize(
    "change",
    [
        (b"</natOp>", "\u2028 <é>".replace("<", "&lt;").replace(">", "&gt;").encode() + b"</natOp>"),
        (b"</natOp>", b"&amp;lt;</natOp>"),
        (b"<natOp>", b"<natOp>\n\t "),
        (b"<natOp>", b'<natOp a="1">'),
        (b"</natOp>", b'</natOp><obs xCampo="a b"><xTexto>c</xTexto></obs>'),
        (b"</natOp>", b"</natOp><x></x>"),
    ],
    ids=lambda change: repr(change[1])[:40],
)
def test_what_is_unusual_but_canonical_is_read_alike(change: tuple[bytes, bytes]) -> None:
    data = _signed_over(change)
    assert fast.read(data) is not None
    assert [fast.read(data)] == read(data)


def test_two_texts_where_one_is_meant_are_left_to_the_long_way() -> None:
    data = _signed_over((b"<emit>", b"<emit><CPF>1</CPF>"))
    assert fast.read(data) is None


def test_a_part_is_made_an_expression_only_when_it_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_shapes, "_WORTH_AN_EXPRESSION", 3)
    shapes = fast_shapes.Shapes(Section({"a": ("x/a",), "b": ("x/b",)}))
    texts = ["<x><a>1</a><b>2</b></x>", "<x><a>3</a><b>4</b></x>", "<x><a>5</a><b></b></x>"]
    assert [shapes.take(t, 0, len(t)) for t in texts[:2]] == [None, None]
    taken = shapes.take(texts[2], 0, len(texts[2]))
    assert taken is not None
    assert taken[0] == ("5", "")


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_shapes, "_MOST", 10)
    monkeypatch.setattr(fast_shapes, "_REMEMBERED", 10)
    shapes = fast_shapes.Shapes(Section({"a": ("a",), "b": ("b",)}))
    for number in range(50):
        part = f"<a>1</a><b>2</b><n{number}></n{number}>"
        taken = shapes.take(part, 0, len(part))
        assert taken is not None
        assert taken[0] == ("1", "2")
        assert sum(map(len, shapes._known.values())) <= 10
        assert len(shapes._met) <= 10


@pytest.mark.parametrize(
    "part", ["", "<a>", "<a></b>", "</a>", "<a/>", "x", "<a>1</a>2", "<a><b></b>2</a>", "<a"]
)
def test_what_does_not_nest_has_no_shape(part: str) -> None:
    with pytest.raises(Unshaped):
        shape_of(part, Section({"a": ("a",), "b": ("b",)}))


def test_a_key_serves_only_after_xmlsec_has_confirmed_a_signature_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def refuses(*what: bytes) -> bool:
        asked.append(what)
        return False

    fast_keys.key_of.cache_clear()
    monkeypatch.setattr(fast_keys, "confirms", refuses)
    assert fast.read(NOTE.data) is None
    assert len(asked) == 1
    monkeypatch.undo()
    monkeypatch.setattr(fast_shapes, "_WORTH_AN_EXPRESSION", 1)
    assert fast.read(NOTE.data) is not None


def test_a_certificate_that_only_one_library_reads_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastro.evidence.signature._key", lambda der: None)
    fast_keys.key_of.cache_clear()
    assert fast.read(NOTE.data) is None
    fast_keys.key_of.cache_clear()


def test_a_value_made_with_another_key_or_over_other_bytes_is_left_to_the_long_way() -> None:
    other = next(o for o in m.originals() if o.signer.certificate != NOTE.signer.certificate)
    assert fast.read(m.sign_again(NOTE.data, other.signer)) is None
    assert fast.read(NOTE.data.replace(b"<tpNF>1", b"<tpNF>0")) is None
    assert read(NOTE.data.replace(b"<tpNF>1", b"<tpNF>0"))[0].check.code == "S02"  # type: ignore[union-attr]


def test_a_prefix_that_nothing_declares_is_broken_xml_and_no_crash() -> None:
    _, data, _ = m.mutated(1_100_388)
    (reading,) = read(data)
    assert [f.code for f in reading.findings] == ["F05"]


def test_the_note_of_other_tests_is_read_fast_too() -> None:
    data = v.authorised()
    assert [fast.read(data)] == read(data)
