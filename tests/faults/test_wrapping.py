"""Row 37: one element is signed and another is put where it is read. None of these gets its mass counted.

In each, a genuine signed note of 1,250 kg is kept somewhere in the file, and a forged one of 9,250 kg stands
where a careless reader looks.
"""

from __future__ import annotations

import re

from lastro.facts import Outcome, Signature
from lastro.units import Mass
from tests.codes import Codes
from tests.codes.see import codes, documents, verdicts
from tests.evidence import vectors as v

KEY = v.Note().access_key
SIGNED = v.sign(v.Note().xml())
INFO = SIGNED[SIGNED.index(b"<infNFe") : SIGNED.index(b"</infNFe>") + 9]
SIGNATURE = SIGNED[SIGNED.index(b"<Signature ") : SIGNED.index(b"</Signature>") + 12]
FORGED = INFO.replace(b"<qCom>1250.0000<", b"<qCom>9250.0000<").replace(
    b"<qTrib>1250.0000<", b"<qTrib>9250.0000<"
)
OTHER_ID = FORGED.replace(b'Id="NFe', b'Id="NFf', 1)
PROTOCOL = v.protocol(KEY, v.digest_of(SIGNED)).encode()
GENUINE = INFO.replace(b"<infNFe", f'<infNFe xmlns="{v.NFE}"'.encode(), 1)


def nfe(*inside: bytes) -> bytes:
    return f'<NFe xmlns="{v.NFE}">'.encode() + b"".join(inside) + b"</NFe>"


def proc(*inside: bytes) -> bytes:
    return f'<nfeProc xmlns="{v.NFE}" versao="4.00">'.encode() + b"".join(inside) + PROTOCOL + b"</nfeProc>"


def signature_with(inside: bytes, *, at: bytes = b"</Signature>") -> bytes:
    return SIGNATURE.replace(at, inside + at, 1)


def refused(data: bytes) -> Codes:
    """The codes of the file, after seeing that nothing forged is signed, counted or even for a person."""
    seen: Codes = set()
    for document, verdict in zip(documents(data), verdicts(data), strict=True):
        stands = document.signature in (Signature.VALID, Signature.REFORMATTED)
        forged = document.invoice is not None and "9250.0000" in {
            line.commercial_quantity for line in document.invoice.lines
        }
        assert not (stands and forged)
        if forged or not stands:
            assert verdict.outcome is Outcome.REFUSED
        if verdict.outcome is not Outcome.REFUSED:
            assert all(line.mass != Mass.kg("9250") for line in verdict.lines)
        seen |= codes(verdict)
    return seen


def test_the_genuine_note_itself_is_admitted() -> None:
    (verdict,) = verdicts(proc(SIGNED))
    assert verdict.outcome is Outcome.ADMITTED


def test_forged_before_the_genuine_one() -> None:
    assert "S04" in refused(proc(nfe(OTHER_ID, INFO, SIGNATURE)))


def test_forged_after_the_genuine_one() -> None:
    assert "S04" in refused(proc(nfe(INFO, OTHER_ID, SIGNATURE)))


def test_forged_before_it_under_the_same_id() -> None:
    assert "S04" in refused(proc(nfe(FORGED, INFO, SIGNATURE)))


def test_genuine_inside_the_forged_one() -> None:
    around = OTHER_ID.replace(b"</infNFe>", INFO + b"</infNFe>")
    assert refused(proc(nfe(around, SIGNATURE))) & {"S02", "S04"}


def test_genuine_inside_the_forged_one_under_the_same_id() -> None:
    around = FORGED.replace(b"</infNFe>", INFO + b"</infNFe>")
    assert refused(proc(nfe(around, SIGNATURE))) & {"S02", "S04"}


def test_forged_inside_the_genuine_one() -> None:
    around = INFO.replace(b"</infNFe>", OTHER_ID + b"</infNFe>")
    assert refused(proc(nfe(around, SIGNATURE))) & {"S02", "S04"}


def test_genuine_in_an_object_of_the_signature() -> None:
    assert "S04" in refused(proc(nfe(OTHER_ID, signature_with(b"<Object>" + GENUINE + b"</Object>"))))


def test_genuine_in_an_object_under_the_same_id() -> None:
    assert "S04" in refused(proc(nfe(FORGED, signature_with(b"<Object>" + GENUINE + b"</Object>"))))


def test_genuine_in_the_key_info() -> None:
    assert refused(proc(nfe(FORGED, signature_with(GENUINE, at=b"</KeyInfo>")))) & {"S02", "S04"}


def test_genuine_beside_the_protocol() -> None:
    assert refused(proc(nfe(FORGED, SIGNATURE), b"<extra>", GENUINE, b"</extra>")) & {"S02", "S04"}


def test_genuine_before_the_note() -> None:
    assert refused(proc(b"<extra>", GENUINE, b"</extra>", nfe(OTHER_ID, SIGNATURE))) & {"S02", "S04"}


def test_the_whole_genuine_note_inside_the_forged_one() -> None:
    assert refused(proc(nfe(OTHER_ID, SIGNED))) & {"S01", "S04"}


def test_the_whole_genuine_note_beside_the_forged_one() -> None:
    assert "S04" in refused(proc(nfe(FORGED, SIGNATURE), SIGNED))
    assert "S04" in refused(proc(SIGNED, nfe(FORGED, SIGNATURE)))


def test_the_signature_beside_the_note_it_signed() -> None:
    assert "S04" in refused(proc(nfe(FORGED), SIGNATURE))


def test_two_signatures_of_which_one_is_genuine() -> None:
    other = SIGNATURE.replace(b"#NFe", b"#NFf")
    assert "S04" in refused(proc(nfe(FORGED, SIGNATURE, other)))


def test_a_reference_to_the_whole_document() -> None:
    everything = re.sub(rb'URI="[^"]*"', b'URI=""', SIGNATURE)
    assert "S04" in refused(proc(nfe(FORGED, everything), b"<extra>", GENUINE, b"</extra>"))


def test_a_second_reference_to_the_forged_one() -> None:
    one = re.search(rb"<Reference.*?</Reference>", SIGNATURE, re.S)
    assert one is not None
    both = SIGNATURE.replace(one[0], one[0] + one[0].replace(b"#NFe", b"#NFf"))
    assert "S04" in refused(proc(nfe(OTHER_ID, both), b"<extra>", GENUINE, b"</extra>"))


def test_the_same_id_in_other_spellings() -> None:
    for name in (b"id", b"ID", b"xml:id"):
        twin = b"<extra " + name + b'="NFe' + KEY.encode() + b'">' + OTHER_ID + b"</extra>"
        assert "S04" in refused(proc(twin, nfe(FORGED, SIGNATURE))), name


def test_a_transform_that_chooses_what_is_signed() -> None:
    choice = (
        b'<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">'
        b"<XPath>ancestor-or-self::infNFe</XPath></Transform>"
    )
    chosen = SIGNATURE.replace(b"</Transforms>", choice + b"</Transforms>")
    assert "S04" in refused(proc(nfe(FORGED, chosen), b"<extra>", GENUINE, b"</extra>"))


def test_a_forged_one_of_no_namespace_beside_the_genuine_one() -> None:
    """What is outside the namespace of the note is not read; the genuine content stands as it was signed."""
    alien = FORGED.replace(b"<infNFe", b'<infNFe xmlns=""', 1)
    seen = documents(proc(nfe(alien, INFO, SIGNATURE)))
    assert all(
        "9250.0000" not in {line.commercial_quantity for line in d.invoice.lines} for d in seen if d.invoice
    )
    refused(proc(nfe(alien, INFO, SIGNATURE)))


def test_a_forged_cancellation_around_a_genuine_one() -> None:
    """The signed event is about another note; the one that is read names ours."""
    genuine = v.event(v.Note(number=2).access_key)
    info = genuine[genuine.index(b"<infEvento") : genuine.index(b"</infEvento>") + 12]
    other = v.Note(number=2).access_key.encode()
    forged = info.replace(other, KEY.encode())
    inside = (
        f'<Object><infEvento xmlns="{v.NFE}"'.encode()
        + info.removeprefix(b"<infEvento")
        + b"</Object></Signature>"
    )
    for wrapped in (
        genuine.replace(info, forged, 1).replace(b"</Signature>", inside, 1),
        genuine.replace(info, forged + info, 1),
        genuine.replace(info, info + forged, 1),
    ):
        for document in documents(wrapped):
            assert document.signature not in (Signature.VALID, Signature.REFORMATTED)
            assert {f.code for f in document.findings} & {"S02", "S04"}
