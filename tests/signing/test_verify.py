"""What a signed paper is worth: each way in which it can be spoiled, and each kind of trust."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.signing import Signer, State, sign, verify
from lastro.signing.locate import places
from lastro.trust import Root
from tests.signing.authority import Holder, make
from tests.signing.conftest import AT, ENTITY

Roots = tuple[Root, ...]


def flipped(pdf: bytes, position: int, mask: int) -> bytes:
    changed = bytearray(pdf)
    changed[position] ^= mask
    return bytes(changed)


def test_a_paper_as_it_was_signed_holds_and_says_that_it_is_a_test(signed: bytes, roots: Roots) -> None:
    checked = verify(signed, roots=roots)
    assert checked.state is State.TEST
    assert checked.in_words == "Assinatura íntegra, de teste: sem valor"
    assert (checked.holds, checked.intact, checked.covers_all, checked.locked) == (True, True, True, True)
    assert checked.bytes_behind == 0
    assert checked.signed_at == AT
    assert not checked.time_proved
    assert checked.signer_cnpj == ENTITY
    assert checked.signer_name == "Aurora Lobeira Inventada (pessoa de TESTE)"
    assert checked.reason == "Emissão de certificado"
    assert checked.root.startswith("Raiz de TESTE do Lastro")
    assert any("não há carimbo do tempo" in reason for reason in checked.reasons)


def test_the_answer_for_programs_says_all_of_it(signed: bytes, roots: Roots) -> None:
    answer = json.loads(json.dumps(verify(signed + b"x", roots=roots).as_json()))
    assert answer["state"] == "extended"
    assert answer["holds"] is False
    assert answer["bytes_behind"] == 1
    assert answer["signed_at"] == "2027-03-15T10:20:30-04:00"
    assert answer["signer_cnpj"] == ENTITY
    assert answer["reasons"] == list(verify(signed + b"x", roots=roots).reasons)
    assert json.loads(json.dumps(verify(b"").as_json()))["signed_at"] is None


@settings(max_examples=150, deadline=None)
@given(draw=st.data())
def test_no_byte_of_the_signed_ranges_can_change(signed: bytes, roots: Roots, draw: Any) -> None:
    place = places(signed)[0]
    inside = st.one_of(st.integers(0, place.gap_from - 1), st.integers(place.gap_to, place.end - 1))
    position, mask = draw.draw(inside), draw.draw(st.integers(1, 255))
    checked = verify(flipped(signed, position, mask), roots=roots)
    assert not checked.holds
    assert checked.state in (State.INVALID, State.ABSENT, State.UNREADABLE)


def test_nor_any_byte_around_the_signature_itself(signed: bytes, roots: Roots) -> None:
    place = places(signed)[0]
    near = [*range(place.gap_from - 150, place.gap_from), *range(place.gap_to, place.end, 5), *range(8)]
    assert not [p for p in near if verify(flipped(signed, p, 0x01), roots=roots).holds]


def test_nor_the_value_of_the_signature_nor_the_filling_behind_it(signed: bytes, roots: Roots) -> None:
    place = places(signed)[0]
    last_zero = place.gap_to - 2
    assert signed[last_zero : last_zero + 1] == b"0"
    value = len(signed[: last_zero + 1].rstrip(b"0")) - 40  # the last that the container holds
    for position in (place.gap_from + 1, value, last_zero):
        digit = b"1" if signed[position : position + 1] != b"1" else b"2"
        changed = signed[:position] + digit + signed[position + 1 :]
        assert verify(changed, roots=roots).state is State.INVALID


@settings(max_examples=60, deadline=None)
@given(end=st.integers(0, 90_000))
def test_a_file_cut_short_never_holds(signed: bytes, roots: Roots, end: int) -> None:
    assert not verify(signed[: min(end, len(signed) - 1)], roots=roots).holds


@settings(max_examples=100, deadline=None)
@given(junk=st.binary(max_size=400))
def test_no_file_makes_the_check_stumble(junk: bytes) -> None:
    for pdf in (junk, b"%PDF-1.7\n" + junk, b"%PDF-1.7\n/ByteRange [0 5 9 3]" + junk):
        assert not verify(pdf).holds


@pytest.mark.parametrize(
    ("behind", "says"),
    [
        (b"\n", "1 byte: só espaços ou quebras de linha"),
        (b"\r\n \0", "4 bytes: só espaços"),
        (b"x", "1 byte: algo que não é do documento"),
        (b"%\n" * 3000, "6000 bytes: algo que não é do documento"),
        (b"\nstartxref\n0\n%%EOF\n", "uma nova versão do documento, que a assinatura não cobre"),
    ],
)
def test_bytes_behind_the_end_are_counted_and_named(
    signed: bytes, roots: Roots, behind: bytes, says: str
) -> None:
    checked = verify(signed + behind, roots=roots)
    assert checked.state is State.EXTENDED
    assert not checked.holds
    assert checked.intact
    assert not checked.covers_all
    assert checked.bytes_behind == len(behind)
    assert any(says in reason for reason in checked.reasons)


def _updated(pdf: bytes, change: Any) -> bytes:
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_later_version_of_the_document_is_told_even_when_it_hides_the_signature(
    signed: bytes, roots: Roots
) -> None:
    def hide(writer: Any) -> None:
        del writer.root["/AcroForm"]
        writer.update_root()

    later = _updated(signed, hide)
    assert later.startswith(signed)
    checked = verify(later, roots=roots)
    assert checked.state is State.EXTENDED
    assert checked.signer_cnpj == ENTITY
    assert any("nova versão do documento" in reason for reason in checked.reasons)


def test_a_second_signature_does_not_make_the_file_whole(signed: bytes, roots: Roots, signer: Signer) -> None:
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import fields, signers

    from lastro.signing.pades import _pyhanko_signer

    class Careless(signers.PdfSigner):
        def _enforce_certification_constraints(self, reader: Any) -> None:
            pass

    meta = signers.PdfSignatureMetadata(field_name="Outra", subfilter=fields.SigSeedSubFilter.PADES)
    hand = Careless(meta, _pyhanko_signer(signer))
    twice = hand.sign_pdf(IncrementalPdfFileWriter(io.BytesIO(signed))).getvalue()
    checked = verify(twice, roots=roots)
    assert checked.state is State.EXTENDED
    assert checked.signed_at == AT
    assert any("com outra assinatura" in reason for reason in checked.reasons)


def test_a_paper_without_signature_and_what_is_no_paper(paper: bytes) -> None:
    assert verify(paper).state is State.ABSENT
    assert verify(b"").state is State.UNREADABLE
    assert verify(b"<html></html>").state is State.UNREADABLE


def test_a_signature_that_was_scraped_off_leaves_its_traces(signed: bytes) -> None:
    scraped = signed.replace(b"/ByteRange", b"/BiteRange")
    checked = verify(scraped)
    assert checked.state is State.INVALID
    assert "vestígios" in checked.reasons[0]


def test_without_roots_it_is_whole_and_nobody_is_vouched_for(signed: bytes) -> None:
    checked = verify(signed)
    assert checked.state is State.UNTRUSTED
    assert checked.holds
    assert any("Nenhuma raiz configurada" in reason for reason in checked.reasons)


# ── trust ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def top() -> Holder:
    return make("Raiz Inventada", authority=True, days=("2020-01-01", "2040-01-01"))


@pytest.fixture(scope="module")
def middle(top: Holder) -> Holder:
    return make("AC Inventada", issuer=top, authority=True, days=("2020-01-01", "2040-01-01"))


def signed_by(holder: Holder, paper: bytes, folder: Path, *above: Holder) -> bytes:
    hand = Signer.from_pkcs12(holder.p12(folder / "a.p12", *above, password="segredo"), "segredo")
    return sign(paper, signer=hand, at=AT, reason="Emissão")


@pytest.mark.parametrize("curve", [False, True])
def test_a_real_root_through_an_authority_below_it_is_trusted(
    paper: bytes, tmp_path: Path, top: Holder, middle: Holder, curve: bool
) -> None:
    leaf = make("Entidade:" + ENTITY, issuer=middle, cnpj=ENTITY, curve=curve)
    pdf = signed_by(leaf, paper, tmp_path, middle)
    checked = verify(pdf, roots=[top.root("real")])
    assert checked.state is State.TRUSTED
    assert checked.root == "Raiz Inventada"
    assert checked.signer_name == "Entidade"
    assert any("Revogação não conferida" in reason for reason in checked.reasons)
    assert verify(pdf, roots=[top.root("test")]).state is State.TEST
    assert verify(pdf, roots=[middle.root("real")]).state is State.UNTRUSTED  # an authority below is no root


def test_an_authority_that_the_file_lacks_may_stand_among_the_roots(
    paper: bytes, tmp_path: Path, top: Holder, middle: Holder
) -> None:
    pdf = signed_by(make("Entidade", issuer=middle, cnpj=ENTITY), paper, tmp_path)
    assert verify(pdf, roots=[top.root("real")]).state is State.UNTRUSTED
    assert verify(pdf, roots=[top.root("real"), middle.root("real")]).state is State.TRUSTED


def test_another_root_of_the_same_name_proves_nothing(
    paper: bytes, tmp_path: Path, top: Holder, middle: Holder
) -> None:
    pdf = signed_by(make("Entidade", issuer=middle, cnpj=ENTITY), paper, tmp_path, middle, top)
    stranger = make("Raiz Inventada", authority=True, days=("2020-01-01", "2040-01-01"))
    checked = verify(pdf, roots=[stranger.root("real")])
    assert checked.state is State.UNTRUSTED
    assert any("não leva à raiz configurada" in reason for reason in checked.reasons)


def test_a_certificate_that_does_not_hold_on_the_day_is_not_trusted(
    paper: bytes, tmp_path: Path, top: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = make("Entidade", issuer=top, cnpj=ENTITY, days=("2025-01-01", "2027-03-15"))
    monkeypatch.setattr(Signer, "holds_on", lambda self, moment: True)
    checked = verify(signed_by(leaf, paper, tmp_path), roots=[top.root("real")])
    assert checked.state is State.UNTRUSTED
    assert any("vale de 01/01/2025 a 15/03/2027" in reason for reason in checked.reasons)


def test_a_certificate_not_made_for_signing_is_not_trusted(paper: bytes, tmp_path: Path, top: Holder) -> None:
    leaf = make("Entidade", issuer=top, cnpj=ENTITY, signs=False)
    checked = verify(signed_by(leaf, paper, tmp_path), roots=[top.root("real")])
    assert checked.state is State.UNTRUSTED


def test_what_is_known_on_the_day_of_the_check_is_said(paper: bytes, tmp_path: Path, top: Holder) -> None:
    leaf = make("Entidade", issuer=top, cnpj=ENTITY, days=("2026-06-01", "2027-06-01"))
    pdf = signed_by(leaf, paper, tmp_path)
    later = verify(pdf, roots=[top.root("real")], at=AT + timedelta(days=365))
    assert later.state is State.TRUSTED
    assert any("expirou em 01/06/2027" in reason for reason in later.reasons)
    before = verify(pdf, roots=[top.root("real")], at=AT - timedelta(days=3))
    assert before.state is State.UNTRUSTED
    assert any("ainda não chegou" in reason for reason in before.reasons)
    same = verify(pdf, roots=[top.root("real")], at=AT - timedelta(hours=23))
    assert same.state is State.TRUSTED


def _stamper(holder: Holder, top: Holder, when: datetime) -> Any:
    from asn1crypto import keys
    from asn1crypto import x509 as asn1
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from pyhanko.sign.timestamps import DummyTimeStamper
    from pyhanko_certvalidator.registry import SimpleCertificateStore

    def der(one: Holder) -> Any:
        return asn1.Certificate.load(one.certificate.public_bytes(Encoding.DER))

    raw = holder.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return DummyTimeStamper(
        tsa_cert=der(holder),
        tsa_key=keys.PrivateKeyInfo.load(raw),
        certs_to_embed=SimpleCertificateStore.from_certs([der(top)]),
        fixed_dt=when,
    )


def test_a_time_stamp_proves_when_it_was_signed(paper: bytes, tmp_path: Path, top: Holder) -> None:
    clock = make("Autoridade do Tempo Inventada", issuer=top, stamps=True)
    hand = Signer.from_pkcs12(make("Entidade", issuer=top, cnpj=ENTITY).p12(tmp_path / "a.p12"), None)
    stamper = _stamper(clock, top, AT + timedelta(seconds=2))
    pdf = sign(paper, signer=hand, at=AT, reason="Emissão", timestamper=stamper)
    checked = verify(pdf, roots=[top.root("real")])
    assert checked.state is State.TRUSTED
    assert checked.time_proved
    assert not any("não há carimbo" in reason for reason in checked.reasons)


def test_a_time_stamp_of_a_stranger_proves_nothing(paper: bytes, tmp_path: Path, top: Holder) -> None:
    stranger = make("Raiz de Outrem", authority=True)
    clock = make("Autoridade do Tempo de Outrem", issuer=stranger, stamps=True)
    hand = Signer.from_pkcs12(make("Entidade", issuer=top, cnpj=ENTITY).p12(tmp_path / "a.p12"), None)
    stamper = _stamper(clock, stranger, AT)
    pdf = sign(paper, signer=hand, at=AT, reason="Emissão", timestamper=stamper)
    checked = verify(pdf, roots=[top.root("real")])
    assert not checked.time_proved
    assert checked.state is State.TRUSTED


def test_the_number_of_a_person_is_neither_kept_nor_told(paper: bytes, tmp_path: Path, top: Holder) -> None:
    number = "".join(["12345678", "9", "09"])
    leaf = make(f"PESSOA INVENTADA:{number}", issuer=top)
    checked = verify(signed_by(leaf, paper, tmp_path), roots=[top.root("real")])
    assert checked.signer_name == "PESSOA INVENTADA"
    assert number not in repr(replace(checked))
