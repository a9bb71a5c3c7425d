"""Reports 50 to 57: what became of a note, who sells in it, and the same note again."""

from __future__ import annotations

from itertools import permutations

import pytest

from lastro.evidence import Together
from lastro.facts import Document, Kind, Status
from tests.codes.see import documents, of_files
from tests.evidence import vectors as v

KEY = v.Note().access_key
PERSON = "529982247" + "25"  # an invented person, right check digits


def judged(data: bytes) -> Document:
    (document,) = documents(data)
    return document


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings} - {"N18"}


def test_r50_a_cancellation_in_another_file_cancels_in_any_order() -> None:
    files = {"nota.xml": v.authorised(), "evento.xml": v.event(KEY)}
    assert codes(judged(files["nota.xml"])) == set()
    for order in permutations(files):
        assert "N10" in of_files({name: files[name] for name in order}, of="nota.xml")


def test_r51_a_late_authorisation_is_an_authorisation() -> None:
    document = judged(v.authorised(status="150"))
    assert (document.status, codes(document)) == (Status.AUTHORISED, set())


def test_r52_a_late_cancellation_under_the_sequence_2_cancels() -> None:
    """The second request carries 2 in its Id and is answered 155."""
    text = v.event(KEY, status="155").decode()
    assert f'Id="ID110111{KEY}01"' in text
    unsigned = text.partition("<Signature")[0].partition("<evento")[2].replace(f"{KEY}01", f"{KEY}02")
    unsigned = "<evento" + unsigned.replace("<nSeqEvento>1<", "<nSeqEvento>2<") + "</evento>"
    answer = "<retEvento" + text.partition("<retEvento")[2]
    data = f'<procEventoNFe xmlns="{v.NFE}">'.encode() + v.sign(unsigned) + answer.encode()
    made = judged(data)
    assert made.event is not None
    assert (made.event.sequence, codes(made)) == (2, set())
    assert "N10" in of_files({"nota.xml": v.authorised(), "e.xml": data}, of="nota.xml")


def test_r53_of_two_answers_in_one_file_neither_is_taken_for_the_other() -> None:
    """An event between answers to two events: only the one that names its key and type answers it."""
    other = v.Note(number=2).access_key
    data = v.event(KEY)
    answer = data[data.index(b"<retEvento") : data.index(b"</retEvento>") + 12]
    refused = answer.replace(KEY.encode(), other.encode()).replace(b"<cStat>135", b"<cStat>501")
    for both in (refused + answer, answer + refused):
        made = judged(data.replace(answer, both))
        assert made.event is not None
        assert made.event.access_key == KEY
        cancelled = "N10" in of_files(
            {"nota.xml": v.authorised(), "e.xml": data.replace(answer, both)}, of="nota.xml"
        )
        assert cancelled is (codes(made) == set())
        assert made.event.status != "501"


@pytest.mark.parametrize("status", ["110", "301", "302", "303"])
def test_r54_a_denied_note_is_denied_and_not_merely_without_a_protocol(status: str) -> None:
    document = judged(v.authorised(status=status))
    assert (document.status, codes(document)) == (Status.DENIED, {"N17"})
    assert codes(judged(v.sign(v.Note().xml()))) == {"N07"}


def test_r55_a_cancellation_that_arrives_later_reaches_a_note_judged_before() -> None:
    run, note = Together(), judged(v.authorised())
    run.note(note)
    assert run.apply(note).status is Status.AUTHORISED
    run.note(judged(v.event(KEY)))
    assert run.apply(note).status is Status.CANCELLED


def test_r56_in_a_note_by_the_buyer_the_other_party_sells() -> None:
    note = v.Note(issuer=v.MILL, recipient=PERSON, direction="0", items=[v.Item(cfop="1102")])
    document = judged(v.authorised(note))
    assert document.invoice is not None
    assert (document.invoice.seller, document.invoice.buyer) == (PERSON, v.MILL)
    assert document.kind is Kind.NFE


def test_r57_who_may_only_download_the_note_is_no_party_and_counts_nothing_twice() -> None:
    """autXML names a registration without a name; the note is one, however often it is handed in."""
    reader = f"<autXML><CNPJ>{v.OTHER}</CNPJ></autXML>"
    text = v.Note().xml().replace("<det ", f"{reader}<det ", 1)
    assert reader in text
    signed = v.sign(text)
    data = v.proc(signed, v.protocol(KEY, v.digest_of(signed)))
    document = judged(data)
    assert document.invoice is not None
    assert v.OTHER not in (document.invoice.issuer, document.invoice.recipient)
    assert "F11" in of_files({"a.xml": data, "b.xml": data}, of="b.xml")
    again = of_files({"a.xml": data, "b.xml": data + b"\n"}, of="b.xml")
    assert "N15" not in again
