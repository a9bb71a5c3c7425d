"""Signatures: what the arithmetic says, whose certificate it is, and what hangs on it."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.codes import Codes, near_miss, triggers
from tests.codes.see import CONTEXT, of_bytes
from tests.evidence import vectors as v

NOTE = v.authorised()
KEY = v.Note().access_key


@triggers("S01")
def a_note_without_a_signature() -> Codes:
    return of_bytes(v.proc(v.Note().xml().encode(), v.protocol(KEY, "")))


@near_miss("S01")
def a_signature_with_an_attribute_more() -> Codes:
    text = NOTE.replace(f'<Signature xmlns="{v.DS}">'.encode(), f'<Signature xmlns="{v.DS}" a="">'.encode())
    return of_bytes(text)


@triggers("S02")
def a_gram_more_than_was_signed() -> Codes:
    return of_bytes(NOTE.replace(b"1250.0000", b"1250.0001"))


@near_miss("S02")
def the_same_content_in_other_characters() -> Codes:
    """An entity for a letter, and a comment, are the same to canonical XML."""
    return of_bytes(NOTE.replace("ã".encode(), b"&#227;").replace(b"<natOp>", b"<!-- x --><natOp>"))


@triggers("S03")
def a_value_made_with_another_key() -> Codes:
    other = v.sign(v.Note(number=2).xml())
    value = re.search(rb"<SignatureValue>(.*?)</SignatureValue>", other, re.DOTALL)
    assert value is not None
    own = re.search(rb"<SignatureValue>(.*?)</SignatureValue>", NOTE, re.DOTALL)
    assert own is not None
    return of_bytes(NOTE.replace(own[1], value[1]))


@near_miss("S03")
def a_value_over_several_lines() -> Codes:
    def folded(found: re.Match[bytes]) -> bytes:
        plain = b"".join(found[2].split())
        return found[1] + b"\n".join(plain[i : i + 64] for i in range(0, len(plain), 64)) + found[3]

    return of_bytes(re.sub(rb"(<SignatureValue>)(.*?)(</SignatureValue>)", folded, NOTE, flags=re.DOTALL))


@triggers("S04")
def a_signature_over_another_id() -> Codes:
    return of_bytes(NOTE.replace(b'URI="#NFe', b'URI="#XXX'))


@triggers("S04")
def a_second_signed_element() -> Codes:
    return of_bytes(NOTE.replace(b"</infNFe>", b"</infNFe><infNFe/>", 1))


@near_miss("S04")
def a_reference_to_the_very_id() -> Codes:
    assert f'URI="#NFe{KEY}"'.encode() in NOTE
    return of_bytes(NOTE)


@triggers("S05")
def a_certificate_of_ones_own_making() -> Codes:
    made = v.certificate("Raiz de outro", cnpj=v.COOP, start="2025-06-01")
    return of_bytes(v.authorised(None, made))


@near_miss("S05")
def a_certificate_under_a_trusted_root() -> Codes:
    return of_bytes(v.authorised(None, v.signer()))


@triggers("S06")
def a_certificate_that_ended_the_day_before() -> Codes:
    return of_bytes(v.authorised(None, v.signer(end="2026-05-13")))


@near_miss("S06")
def a_certificate_that_has_ended_since() -> Codes:
    return of_bytes(v.authorised(None, v.signer(end="2026-05-15")))


@triggers("S07")
def signed_by_another_company() -> Codes:
    return of_bytes(v.authorised(None, v.signer(v.OTHER)))


@near_miss("S07")
def signed_by_a_branch_of_the_issuer() -> Codes:
    return of_bytes(v.authorised(None, v.signer(v.cnpj(v.COOP[:8] + "0007"))))


@near_miss("S07")
def signed_by_the_tax_office_in_its_own_series() -> Codes:
    key = v.Note(series="890", issuer=v.OTHER).access_key
    text = v.Note(series="890", key_override=key).xml()
    text = text.replace("<emit>", f"<avulsa><CNPJ>{v.OTHER}</CNPJ></avulsa><emit>")
    signed = v.sign(text, v.signer(v.OTHER))
    return of_bytes(v.proc(signed, v.protocol(key, v.digest_of(signed))))


@triggers("S08")
def sha_1_where_one_asks_for_it() -> Codes:
    return of_bytes(NOTE, context=replace(CONTEXT, show_sha1=True))


@near_miss("S08")
def sha_256() -> Codes:
    signed = v.sign(v.Note().xml(), sha256=True)
    data = v.proc(signed, v.protocol(KEY, v.digest_of(signed)))
    return of_bytes(data, context=replace(CONTEXT, show_sha1=True))


@triggers("S09")
def spread_over_lines_after_it_was_signed() -> Codes:
    return of_bytes(NOTE.replace(b"<ide>", b"<ide>\n  "))


@near_miss("S09")
def spread_over_lines_where_nothing_is_signed() -> Codes:
    return of_bytes(NOTE.replace(b"<NFe ", b"\n  <NFe ").replace(b"<protNFe ", b"\n  <protNFe "))
