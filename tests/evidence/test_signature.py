"""Signatures: our own vectors, each also put before a second verifier, and the attacks on them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from lxml import etree
from signxml import XMLVerifier
from signxml.algorithms import DigestAlgorithm, SignatureMethod
from signxml.verifier import SignatureConfiguration

from lastro.evidence import Context, Source, judge_source
from lastro.evidence.read import read
from lastro.facts import Basis, Document, Signature
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)


def judged(data: bytes, context: Context = CONTEXT) -> Document:
    (document,) = judge_source(Source("nota.xml", None, data), context)
    return document


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings} - {"N18"}


def second_opinion(note: bytes) -> bool:
    """signxml, with the settings NF-e needs, on the NFe element alone."""
    verifier = XMLVerifier()
    verifier.excise_empty_xmlns_declarations = True
    pem = etree.fromstring(note).findtext(f".//{{{v.DS}}}X509Certificate")
    try:
        verifier.verify(
            note,
            x509_cert=f"-----BEGIN CERTIFICATE-----\n{pem}\n-----END CERTIFICATE-----\n",
            id_attribute="Id",
            expect_config=SignatureConfiguration(
                signature_methods=frozenset({SignatureMethod.RSA_SHA1, SignatureMethod.RSA_SHA256}),
                digest_algorithms=frozenset({DigestAlgorithm.SHA1, DigestAlgorithm.SHA256}),
            ),
        )
    except Exception:
        return False
    return True


def prefixed(note: v.Note) -> bytes:
    text = re.sub(r"<(/?)(\w)", r"<\1nfe:\2", note.inside())
    return v.sign(f'<nfe:NFe xmlns:nfe="{v.NFE}">{text}</nfe:NFe>')


def test_a_plain_note_is_valid_for_both_verifiers() -> None:
    signed = v.sign(v.Note().xml())
    assert second_opinion(signed)
    document = judged(v.authorised())
    assert (document.signature, codes(document), document.signer) == (Signature.VALID, set(), v.COOP)


def test_a_note_with_sha256_is_valid_for_both_verifiers() -> None:
    note = v.Note()
    signed = v.sign(note.xml(), sha256=True)
    assert second_opinion(signed)
    document = judged(v.proc(signed, v.protocol(note.access_key, v.digest_of(signed))))
    assert (document.signature, codes(document)) == (Signature.VALID, set())


def test_a_prefixed_note_is_valid_for_both_verifiers() -> None:
    note = v.Note()
    signed = prefixed(note)
    assert second_opinion(signed)
    document = judged(v.proc(signed, v.protocol(note.access_key, v.digest_of(signed))))
    assert (document.signature, codes(document)) == (Signature.VALID, set())
    assert document.invoice is not None
    assert document.invoice.lines[0].commercial_quantity == "1250.0000"


def test_a_note_without_namespace_is_valid() -> None:
    note = v.Note()
    signed = v.sign(f"<NFe>{note.inside()}</NFe>")
    assert second_opinion(signed)
    document = judged(signed)
    assert (document.signature, codes(document)) == (Signature.VALID, {"N07"})


def test_a_byte_order_mark_changes_nothing() -> None:
    assert judged(b"\xef\xbb\xbf" + v.authorised()).signature is Signature.VALID


def test_accents_and_entities_are_signed_content() -> None:
    note = v.Note(items=[v.Item(description="Papelão &amp; aparas &lt;ondulado&gt; nº 1")])
    assert second_opinion(v.sign(note.xml()))
    data = v.authorised(note)
    as_numbers = data.replace("ã".encode(), b"&#227;").replace("º".encode(), b"<![CDATA[\xc2\xba]]>")
    assert as_numbers != data
    for written in (data, as_numbers):
        document = judged(written)
        assert document.signature is Signature.VALID
        assert document.invoice is not None
        assert document.invoice.lines[0].description == "Papelão & aparas <ondulado> nº 1"


def test_namespaces_lent_by_a_wrapper_are_cut_away() -> None:
    note = v.Note()
    signed = v.sign(note.xml())
    prot = v.protocol(note.access_key, v.digest_of(signed))
    document = judged(v.proc(signed, prot, wrapper=' xmlns:xsi="urn:x" xmlns:ds="urn:y"'))
    assert (document.signature, codes(document)) == (Signature.VALID, set())
    assert document.content_digest == judged(v.proc(signed, prot)).content_digest


def test_a_note_signed_inside_its_wrapper_is_valid_as_received() -> None:
    """Some programs sign after wrapping, and canonical XML takes in the wrapper's namespaces."""
    note = v.Note()
    lent = note.xml().replace("<NFe ", '<NFe xmlns:xsi="urn:x" ', 1)
    signed = v.sign(lent).replace(b' xmlns:xsi="urn:x"', b"", 1)
    prot = v.protocol(note.access_key, v.digest_of(signed))
    assert judged(v.proc(signed, prot)).signature is Signature.INVALID
    document = judged(v.proc(signed, prot, wrapper=' xmlns:xsi="urn:x"'))
    assert (document.signature, codes(document)) == (Signature.VALID, set())


def test_a_pretty_printed_note_is_reformatted_and_a_person_decides() -> None:
    tree = etree.fromstring(v.authorised(), etree.XMLParser(remove_blank_text=True))
    document = judged(etree.tostring(tree, pretty_print=True))
    assert (document.signature, codes(document)) == (Signature.REFORMATTED, {"S09"})


def test_white_space_inside_a_value_is_no_formatting() -> None:
    document = judged(v.authorised().replace(b"<qCom>1250.0000<", b"<qCom> 1250.0000<"))
    assert (document.signature, codes(document)) == (Signature.INVALID, {"S02"})


@pytest.mark.parametrize("wrapping", ["nfeProc", "NFe", "enviNFe", "SOAP"])
def test_one_content_has_one_digest_in_any_wrapping(wrapping: str) -> None:
    signed = v.sign(v.Note().xml())
    wrapped = {
        "nfeProc": v.authorised(),
        "NFe": signed,
        "enviNFe": f'<enviNFe xmlns="{v.NFE}" xmlns:a="urn:a">'.encode() + signed + b"</enviNFe>",
        "SOAP": b'<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>'
        + v.proc(signed, "")[38:] + b"</s:Body></s:Envelope>",
    }[wrapping]  # fmt: skip
    document = judged(wrapped)
    assert document.signature is Signature.VALID
    assert document.content_digest == judged(signed).content_digest


# ── altered ──────────────────────────────────────────────────────────────────────────────────────────


def test_altered_content_is_s02_alone() -> None:
    document = judged(v.authorised().replace(b"<qCom>1250.0000<", b"<qCom>9250.0000<"))
    assert (document.signature, codes(document)) == (Signature.INVALID, {"S02"})


def test_an_altered_signature_value_is_s03_alone() -> None:
    data = v.authorised()
    start = data.index(b"<SignatureValue>") + 30
    other = b"A" if data[start : start + 1] != b"A" else b"B"
    document = judged(data[:start] + other + data[start + 1 :])
    assert (document.signature, codes(document)) == (Signature.INVALID, {"S03"})


def test_another_certificate_is_s03() -> None:
    data = v.authorised()
    theirs = re.search(rb"<X509Certificate>(.*?)<", v.authorised(v.Note(issuer=v.OTHER)), re.S)
    assert theirs is not None
    swapped = re.sub(rb"(<X509Certificate>).*?(<)", rb"\g<1>" + theirs.group(1) + rb"\2", data, flags=re.S)
    document = judged(swapped)
    assert (document.signature, codes(document)) == (Signature.INVALID, {"S03"})


def test_an_altered_digest_value_is_one_finding() -> None:
    note = v.Note()
    signed = v.sign(note.xml())
    digest = v.digest_of(signed)
    other = ("A" if digest[0] != "A" else "B") + digest[1:]
    document = judged(
        v.proc(signed.replace(digest.encode(), other.encode()), v.protocol(note.access_key, digest))
    )
    assert (document.signature, codes(document)) == (Signature.INVALID, {"S02"})


def test_no_signature_is_s01() -> None:
    note = v.Note()
    document = judged(v.proc(note.xml().encode(), v.protocol(note.access_key, "")))
    assert (document.signature, codes(document)) == (Signature.ABSENT, {"S01"})


@pytest.mark.parametrize("content", [b"XXXX", b"", b"bm9uc2Vuc2U=", b"<b/>"])
def test_a_certificate_that_cannot_be_used_is_unreadable(content: bytes) -> None:
    data = re.sub(rb"(<X509Certificate>).*?(</)", rb"\g<1>" + content + rb"\2", v.authorised(), flags=re.S)
    document = judged(data)
    assert (document.signature, codes(document)) == (Signature.UNREADABLE, {"S03"})


# ── attacks: what is signed must be what is read ─────────────────────────────────────────────────────

FORGED = b"<qCom>9250.0000<"


def _forged(data: bytes) -> bytes:
    return data.replace(b"<qCom>1250.0000<", FORGED)


def _signature(signed: bytes) -> bytes:
    return signed[signed.index(b"<Signature ") : signed.index(b"</Signature>") + 12]


def _genuine_inside_object() -> bytes:
    """The signed original is hidden in an Object; a forged infNFe with another Id takes its place."""
    signed = v.sign(v.Note().xml())
    inf = signed[signed.index(b"<infNFe") : signed.index(b"</infNFe>") + 9]
    forged = _forged(inf).replace(b'Id="NFe', b'Id="xNFe')
    hidden = (
        b"<Object>" + inf.replace(b"<infNFe", f'<infNFe xmlns="{v.NFE}"'.encode()) + b"</Object></Signature>"
    )
    return (
        f'<NFe xmlns="{v.NFE}">'.encode()
        + forged
        + _signature(signed).replace(b"</Signature>", hidden)
        + b"</NFe>"
    )


def _same_id_twice() -> bytes:
    signed = v.sign(v.Note().xml())
    inf = signed[signed.index(b"<infNFe") : signed.index(b"</infNFe>") + 9]
    return (
        f'<nfeProc xmlns="{v.NFE}"><x>'.encode() + inf + b"</x>" + f'<NFe xmlns="{v.NFE}">'.encode()
        + _forged(inf) + _signature(signed) + b"</NFe></nfeProc>"
    )  # fmt: skip


def _two_contents() -> bytes:
    signed = v.sign(v.Note().xml())
    inf = signed[signed.index(b"<infNFe") : signed.index(b"</infNFe>") + 9]
    return signed.replace(b"<infNFe", _forged(inf).replace(b'Id="NFe', b'Id="NFf') + b"<infNFe", 1)


def _two_signatures() -> bytes:
    signed = v.sign(v.Note().xml())
    return signed.replace(b"</NFe>", _signature(signed) + b"</NFe>")


def _signature_beside_the_note() -> bytes:
    signed = v.sign(v.Note().xml())
    alone = signed.replace(_signature(signed), b"")
    return f'<nfeProc xmlns="{v.NFE}">'.encode() + alone + _signature(signed) + b"</nfeProc>"


def _reference(uri: bytes) -> Callable[[], bytes]:
    return lambda: re.sub(rb'URI="[^"]*"', b'URI="' + uri + b'"', v.sign(v.Note().xml()))


def _xpath_transform() -> bytes:
    path = b'<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath>true()</XPath></Transform>'
    return v.sign(v.Note().xml()).replace(b"</Transforms>", path + b"</Transforms>")


def _second_reference() -> bytes:
    signed = v.sign(v.Note().xml())
    one = re.search(rb"<Reference.*?</Reference>", signed, re.S)
    assert one is not None
    return signed.replace(one.group(0), one.group(0) * 2)


def _hmac() -> bytes:
    """The certificate's public bytes used as a shared secret must never verify."""
    return v.sign(v.Note().xml()).replace(v.DS.encode() + b"rsa-sha1", v.DS.encode() + b"hmac-sha1")


def _foreign_signature() -> bytes:
    return v.sign(v.Note().xml()).replace(
        f'<Signature xmlns="{v.DS}"'.encode(), f'<Signature xmlns="{v.NFE}"'.encode()
    )


def _two_notes_in_one_proc() -> bytes:
    signed = v.sign(v.Note().xml())
    return f'<nfeProc xmlns="{v.NFE}">'.encode() + _forged(signed) + signed + b"</nfeProc>"


ATTACKS = {
    "genuine inside Object": _genuine_inside_object,
    "same Id twice": _same_id_twice,
    "two infNFe": _two_contents,
    "two signatures": _two_signatures,
    "signature beside the note": _signature_beside_the_note,
    "empty URI": _reference(b""),
    "URI of nothing": _reference(b"#nowhere"),
    "xpointer URI": _reference(b"#xpointer(/)"),
    "file URI": _reference(b"file:///etc/hostname"),
    "XPath transform": _xpath_transform,
    "second reference": _second_reference,
    "HMAC": _hmac,
    "signature in another namespace": _foreign_signature,
    "two notes in one nfeProc": _two_notes_in_one_proc,
}


@pytest.mark.parametrize("name", ATTACKS)
def test_wrapping_attacks_are_s04_and_never_valid(name: str) -> None:
    document = judged(ATTACKS[name]())
    assert document.signature is not Signature.VALID
    assert "S04" in codes(document)


def test_facts_come_from_the_signed_bytes_only() -> None:
    """A comment that splits a value is not in the canonical bytes; a familiar name outside says nothing."""
    data = v.authorised().replace(b"<qCom>1250.0000<", b"<qCom>12<!-- 9 -->50.0000<")
    data = data.replace(b"<protNFe", b"<infNFe><det><prod><qCom>9</qCom></prod></det></infNFe><protNFe")
    document = judged(data)
    assert document.signature is Signature.VALID
    assert document.invoice is not None
    assert [line.commercial_quantity for line in document.invoice.lines] == ["1250.0000"]


def test_a_comment_in_a_foreign_namespace_cannot_speak_for_a_field() -> None:
    note = v.Note()
    text = note.xml().replace("<qCom>", '<x:qCom xmlns:x="urn:evil">9</x:qCom><qCom>')
    (reading,) = read(v.sign(text))
    assert reading.invoice is not None
    assert reading.invoice.lines[0].commercial_quantity == "1250.0000"


# ── who signed, when, under which root ───────────────────────────────────────────────────────────────


def test_a_certificate_that_had_expired_when_authorised_is_s06() -> None:
    old = v.signer(end="2026-05-14")
    document = judged(v.authorised(made=old))
    assert (document.signature, codes(document)) == (Signature.VALID, {"S06"})


def test_a_certificate_that_expired_after_the_authorisation_holds() -> None:
    assert codes(judged(v.authorised(made=v.signer(end="2026-05-15")))) == set()


def test_the_authorisation_counts_and_not_the_issue() -> None:
    late = v.authorised(made=v.signer(end="2026-05-15"), at="2026-05-16T10:00:00-04:00")
    assert codes(judged(late)) == {"S06"}


def test_without_roots_everything_is_s05() -> None:
    document = judged(v.authorised(), Context(today=v.TODAY))
    assert (document.signature, codes(document)) == (Signature.VALID, {"S05"})


def test_an_unknown_root_is_s05() -> None:
    forged = v.certificate("Raiz de outro", cnpj=v.COOP, start="2025-06-01")
    document = judged(v.authorised(made=forged))
    assert codes(document) == {"S05"}


def test_a_root_with_a_familiar_name_and_another_key_is_s05() -> None:
    """The name alone never builds a chain: the signature of the certificate must verify."""
    impostor = v.certificate("Raiz TESTE 2", ca=True)
    assert codes(judged(v.authorised(), Context(today=v.TODAY, trust=(v.der(impostor),)))) == {"S05"}


def test_an_end_entity_certificate_is_no_authority() -> None:
    under_a_company = v.certificate(f"Empresa {v.OTHER}", issuer="AC TESTE", cnpj=v.OTHER)
    child = v.certificate("Filho", issuer=f"Empresa {v.OTHER}", cnpj=v.COOP)
    context = Context(today=v.TODAY, trust=(*v.TRUST, v.der(under_a_company)))
    assert codes(judged(v.authorised(made=child), context)) == {"S05"}


def test_an_intermediate_in_the_note_itself_completes_the_chain() -> None:
    import base64

    extra = base64.b64encode(v.der(v.intermediate()))
    data = v.authorised().replace(
        b"</X509Certificate>", b"</X509Certificate><X509Certificate>" + extra + b"</X509Certificate>"
    )
    assert codes(judged(data, Context(today=v.TODAY, trust=v.TRUST[:1]))) == set()
    assert codes(judged(v.authorised(), Context(today=v.TODAY, trust=v.TRUST[:1]))) == {"S05"}


def test_another_companys_certificate_is_s07() -> None:
    assert codes(judged(v.authorised(made=v.signer(v.OTHER)))) == {"S07"}


def test_another_branch_of_the_same_company_may_sign() -> None:
    branch = v.cnpj(v.COOP[:8] + "0002")
    assert codes(judged(v.authorised(made=v.signer(branch)))) == set()


def test_the_common_name_tells_the_signer_where_the_icp_name_is_missing() -> None:
    made = v.certificate(f"Empresa {v.COOP}", issuer="AC TESTE", cnpj=v.COOP, in_name=True)
    document = judged(v.authorised(made=made))
    assert (document.signer, codes(document)) == (v.COOP, set())


def test_a_test_root_marks_what_hangs_on_it() -> None:
    assert judged(v.authorised(), Context(v.TODAY, v.TRUST, Basis.TEST)).basis is Basis.TEST
    assert judged(v.authorised(), Context(v.TODAY, (), Basis.TEST)).basis is Basis.OFFICIAL


def test_sha1_is_said_only_when_asked() -> None:
    assert codes(judged(v.authorised(), Context(v.TODAY, v.TRUST, show_sha1=True))) == {"S08"}
