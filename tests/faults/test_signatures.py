"""Reports 12 to 26: signatures, their time, their forms, and what was done to signed bytes."""

from __future__ import annotations

import base64
import re

import pytest
from cryptography import x509
from lxml import etree

from lastro.evidence import ready
from lastro.evidence.read import read
from lastro.facts import Document, Severity, Signature
from tests.codes.see import documents
from tests.evidence import vectors as v

KEY = v.Note().access_key


def judged(data: bytes) -> Document:
    (document,) = documents(data)
    return document


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings} - {"N18"}


def test_r12_a_certificate_that_expired_since_the_note_does_not_unmake_it() -> None:
    assert codes(judged(v.authorised(made=v.signer(end="2026-06-01")))) == set()


def test_r13_the_signature_of_an_old_note_is_verified_at_its_time() -> None:
    old = v.Note(issued_at="2018-05-14T10:00:00-03:00")
    document = judged(v.authorised(old, v.signer(start="2018-01-01", end="2019-01-01")))
    assert document.signature is Signature.VALID
    assert "S06" not in codes(document)


def test_r14_a_certificate_that_had_expired_before_the_note_is_seen() -> None:
    document = judged(v.authorised(made=v.signer(end="2026-05-13")))
    assert (document.signature, codes(document)) == (Signature.VALID, {"S06"})


def test_r15_sha1_is_what_the_standard_prescribes_and_is_no_fault() -> None:
    document = judged(v.authorised())
    assert b"rsa-sha1" in v.authorised()
    assert (document.signature, codes(document)) == (Signature.VALID, set())


def test_r16_an_empty_namespace_that_was_signed_belongs_to_the_content() -> None:
    text = v.Note().xml().replace("<natOp>Venda</natOp>", '<natOp xmlns="">Venda</natOp>')
    signed = v.sign(text)
    assert b'xmlns=""' in signed
    document = judged(v.proc(signed, v.protocol(KEY, v.digest_of(signed))))
    assert document.signature is Signature.VALID
    stripped = v.proc(signed.replace(b' xmlns=""', b""), v.protocol(KEY, v.digest_of(signed)))
    assert judged(stripped).signature is Signature.INVALID


def test_r17_the_machine_is_asked_whether_it_can_verify_at_all() -> None:
    ready()
    assert ready.cache_info().currsize == 1


def test_r18_a_certificate_with_a_flag_written_out_is_read_or_asks_a_person() -> None:
    """critical=FALSE written out is no DER; such certificates exist. The signature is still verified."""
    made = v.der(v.signer())
    oid = bytes.fromhex("0603551d11")  # subjectAltName
    at = made.index(oid) + len(oid)
    odd = made[:at] + b"\x01\x01\x00" + made[at:]
    odd = _relengthened(odd, at, 3)
    data = v.authorised()
    old = re.search(rb"<X509Certificate>(.*?)</X509Certificate>", data, re.S)
    assert old is not None
    document = judged(data.replace(old[1], base64.b64encode(odd)))
    assert document.signature is Signature.VALID
    assert codes(document) in (set(), {"S05"}, {"S05", "S07"})
    assert all(f.severity is not Severity.REFUSE or f.code == "S07" for f in document.findings)


def _relengthened(der: bytes, at: int, more: int) -> bytes:
    """The same DER after `more` bytes were put in at a place: every length that spans it grows."""
    made = bytearray(der)
    place = 0
    while place < at:
        first = made[place + 1]
        size = first & 0x7F if first & 0x80 else 0
        start = place + 2 + size
        length = int.from_bytes(made[place + 2 : start], "big") if size else first
        if not made[place] & 0x20 and made[place] != 0x04:
            place = start + length
            continue
        if start + length < at:
            place = start + length
            continue
        grown = length + more
        if size:
            made[place + 2 : start] = grown.to_bytes(size, "big")
        else:
            assert grown < 0x80
            made[place + 1] = grown
        place = start
    return bytes(made)


def test_r19_namespaces_that_nobody_needed_are_part_of_what_was_signed() -> None:
    text = v.Note().xml().replace("<ide>", '<ide xmlns:xsi="urn:x" xmlns:a="urn:a">')
    signed = v.sign(text)
    assert judged(v.proc(signed, v.protocol(KEY, v.digest_of(signed)))).signature is Signature.VALID


def test_r20_the_protocol_of_another_version_of_the_note_is_n08() -> None:
    signed = v.sign(v.Note().xml())
    other = v.sign(v.Note(items=[v.Item(quantity="9.0000")]).xml())
    assert codes(judged(v.proc(signed, v.protocol(KEY, v.digest_of(other))))) == {"N08"}


def test_r21_protocols_that_changed_places_are_n08_on_both() -> None:
    one, two = v.Note(number=1), v.Note(number=2)
    first, second = v.sign(one.xml()), v.sign(two.xml())
    for signed, other in ((first, (two, second)), (second, (one, first))):
        note, theirs = other
        swapped = v.proc(signed, v.protocol(note.access_key, v.digest_of(theirs)))
        assert codes(judged(swapped)) == {"N08"}


def test_r22_other_algorithms_than_the_known_ones_are_s04() -> None:
    signed = v.sign(v.Note().xml(), sha256=True)
    assert judged(v.proc(signed, v.protocol(KEY, v.digest_of(signed)))).signature is Signature.VALID
    for old, new in ((b"rsa-sha1", b"dsa-sha1"), (b"rsa-sha1", b"rsa-md5"), (b"#sha1", b"#md5")):
        changed = v.sign(v.Note().xml()).replace(old, new)
        assert "S04" in codes(judged(v.proc(changed, v.protocol(KEY, "")))), new


def test_r23_a_written_carriage_return_is_signed_content() -> None:
    text = v.Note().xml().replace("<natOp>Venda", "<natOp>Venda&#13;")
    signed = v.sign(text)
    prot = v.protocol(KEY, v.digest_of(signed))
    assert b"&#13;" in signed
    assert judged(v.proc(signed, prot)).signature is Signature.VALID
    assert judged(v.proc(signed.replace(b"&#13;", b""), prot)).signature is Signature.INVALID


def test_r24_line_breaks_put_in_after_signing_are_told_and_ask_a_person() -> None:
    tree = etree.fromstring(v.authorised(), etree.XMLParser(remove_blank_text=True))
    document = judged(etree.tostring(tree, pretty_print=True))
    assert (document.signature, codes(document)) == (Signature.REFORMATTED, {"S09"})


def test_r25_a_prefix_that_nothing_declares_is_broken_xml() -> None:
    data = (
        v.authorised().replace(b"<Signature ", b"<ds:Signature ").replace(b"</Signature>", b"</ds:Signature>")
    )
    (document,) = documents(data)
    assert codes(document) == {"F05"}


@pytest.mark.parametrize("empty", [b"<cEAN></cEAN>", b"<cEAN/>"])
def test_r26_an_empty_tag_is_kept_as_what_was_signed(empty: bytes) -> None:
    """Both spellings are one content; a program that drops the tag breaks the signature."""
    text = v.Note().xml().replace("<cEAN>SEM GTIN</cEAN>", "<cEAN/>")
    data = _authorised(text)
    written = data.replace(b"<cEAN/>", empty).replace(b"<cEAN></cEAN>", empty)
    assert judged(written).signature is Signature.VALID
    assert judged(written.replace(empty, b"")).signature is Signature.INVALID
    (reading,) = read(written)
    assert reading.check is not None
    assert b"<cEAN></cEAN>" in reading.check.canonical


def _authorised(text: str) -> bytes:
    signed = v.sign(text)
    return v.proc(signed, v.protocol(KEY, v.digest_of(signed)))


def test_the_odd_certificate_of_r18_is_odd() -> None:
    made = v.der(v.signer())
    at = made.index(bytes.fromhex("0603551d11")) + 5
    odd = _relengthened(made[:at] + b"\x01\x01\x00" + made[at:], at, 3)
    with pytest.raises(ValueError, match=r"ParseError|parsing"):
        _ = x509.load_der_x509_certificate(odd).extensions
