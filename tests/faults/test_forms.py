"""Reports 27 to 39: namespaces, versions, encodings, and what is no note at all."""

from __future__ import annotations

import re

import pytest

from lastro.facts import Document, Signature
from tests.codes.see import documents, of_bytes
from tests.evidence import vectors as v

KEY = v.Note().access_key


def judged(data: bytes) -> Document:
    (document,) = documents(data)
    return document


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings} - {"N18"}


def authorised(text: str) -> bytes:
    signed = v.sign(text)
    return v.proc(signed, v.protocol(KEY, v.digest_of(signed)))


def quantity(document: Document) -> str:
    assert document.invoice is not None
    return document.invoice.lines[0].commercial_quantity


def test_r27_a_delivery_without_its_default_namespace_is_read() -> None:
    """The wrapper says no namespace, only where a schema would be; the note inside says its own."""
    location = f' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="{v.NFE} a.xsd"'
    data = v.authorised().replace(
        f' xmlns="{v.NFE}" versao="4.00"'.encode(), f"{location} versao='4.00'".encode()
    )
    assert location.encode() in data
    document = judged(data)
    assert (document.signature, codes(document)) == (Signature.VALID, set())


def test_r28_a_note_and_a_protocol_without_any_namespace_are_read() -> None:
    signed = v.sign(f"<NFe>{v.Note().inside()}</NFe>")
    prot = v.protocol(KEY, v.digest_of(signed))
    document = judged(b"<nfeProc versao='4.00'>" + signed + prot.encode() + b"</nfeProc>")
    assert (document.signature, codes(document)) == (Signature.VALID, set())


def test_r29_a_prefixed_note_is_found_by_its_name_and_namespace() -> None:
    text = re.sub(r"<(/?)(\w)", r"<\1nfe:\2", v.Note().inside())
    signed = v.sign(f'<nfe:NFe xmlns:nfe="{v.NFE}">{text}</nfe:NFe>')
    document = judged(v.proc(signed, v.protocol(KEY, v.digest_of(signed))))
    assert (document.signature, codes(document), quantity(document)) == (Signature.VALID, set(), "1250.0000")


def test_r30_a_familiar_name_under_a_foreign_namespace_says_nothing() -> None:
    text = v.Note().xml().replace("<qCom>", '<x:qCom xmlns:x="urn:outro">9</x:qCom><qCom>')
    assert "urn:outro" in text
    assert quantity(judged(authorised(text))) == "1250.0000"


def test_r31_a_tag_that_nobody_knows_is_read_over() -> None:
    text = v.Note().xml().replace("</prod>", "<gCred><pCred>1.00</pCred></gCred></prod>")
    assert "<gCred>" in text
    document = judged(authorised(text))
    assert (codes(document), quantity(document)) == (set(), "1250.0000")


def test_r32_a_note_that_is_newer_than_its_schema_is_judged() -> None:
    group = "<IBSCBS><CST>000</CST><gIBSCBS><vBC>750.00</vBC></gIBSCBS></IBSCBS>"
    text = v.Note().xml().replace("</prod>", f"</prod><imposto>{group}</imposto>")
    assert "<IBSCBS>" in text
    assert codes(judged(authorised(text))) == set()


def test_r33_latin_bytes_under_utf8_are_told_with_their_place() -> None:
    data = v.authorised().replace("ã".encode(), b"\xe3", 1)
    (document,) = documents(data)
    assert codes(document) == {"F05"}
    assert str(data.index(b"\xe3")) in document.findings[0].found
    assert "Latin-1" in document.findings[0].found


def test_r34_accents_that_were_read_twice_are_other_content() -> None:
    """The signed name is NAVIRAÍ; a program that read UTF-8 as Latin-1 wrote something else."""
    data = authorised(v.Note().xml().replace("Papeleira Inventada", "Papeleira de Naviraí"))
    wrong = data.replace("Naviraí".encode(), "Naviraí".encode().decode("latin-1").encode())
    assert judged(data).signature is Signature.VALID
    assert codes(judged(wrong)) == {"S02"}


def test_r35_bytes_that_are_not_what_the_declaration_says_are_broken() -> None:
    (document,) = documents(v.authorised().replace(b"UTF-8", b"UTF-16"))
    assert codes(document) == {"F05"}
    same = v.authorised().decode().replace("UTF-8", "UTF-16").encode("utf-16")
    assert codes(judged(same)) == set()


@pytest.mark.parametrize("text", [b"Aparas & cia", b"<FONTE IBPT> valor"])
def test_r36_markup_inside_a_text_breaks_the_file_and_is_not_mended(text: bytes) -> None:
    data = v.authorised().replace("Aparas de papelão ondulado".encode(), text)
    assert of_bytes(data) == {"F05"}


@pytest.mark.parametrize("page", [
    b"<!DOCTYPE html><html><head><title>503</title></head></html>",
    b"<html><body><h1>502 Bad Gateway</h1></body></html>",
    b'<?xml version="1.0" encoding="UTF-8"?>\r\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><html/>',
])  # fmt: skip
def test_r37_the_page_of_an_error_is_told_as_a_page(page: bytes) -> None:
    (document,) = documents(page)
    assert codes(document) == {"F04"}
    assert "HTML" in document.findings[0].found


@pytest.mark.parametrize("uri", ["file:///etc/hostname", "http://127.0.0.1:9/x", "php://filter/x"])
def test_r38_an_external_entity_is_refused_before_anything_is_fetched(uri: str) -> None:
    data = f'<!DOCTYPE n [<!ENTITY q SYSTEM "{uri}">]>'.encode() + v.authorised()[38:].replace(
        b"1250.0000", b"&q;"
    )
    (document,) = documents(data)
    assert (codes(document), document.invoice) == ({"F05"}, None)


def test_r39_a_doctype_alone_or_with_a_foreign_dtd_is_refused() -> None:
    for doctype in (b"<!DOCTYPE nfeProc>", b'<!DOCTYPE nfeProc SYSTEM "nfe.dtd">',
                    b'<!DOCTYPE nfeProc PUBLIC "x" "http://127.0.0.1:9/a.dtd">'):  # fmt: skip
        assert of_bytes(doctype + v.authorised()[38:]) == {"F05"}
