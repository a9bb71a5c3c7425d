"""Files as they come, and as nobody should send them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lastro.evidence import Context, Source, judge_source
from lastro.evidence.fields import touches_goods
from lastro.evidence.read import read
from lastro.facts import Document, Kind, Outcome
from lastro.findings import outcome_of
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
NOTE = v.authorised()


def judged(data: bytes) -> tuple[Document, ...]:
    return judge_source(Source("arquivo", None, data), CONTEXT)


HTML = b"<!DOCTYPE html><html><body>Erro 500</body></html>"
DECLARED_LATIN = NOTE.replace(b"UTF-8", b"ISO-8859-1").replace("ã".encode(), b"\xe3")

HOSTILE: dict[str, tuple[bytes, str, str]] = {
    "empty": (b"", "F02", "0 bytes"),
    "blank": (b" \r\n\t", "F02", "4 bytes"),
    "only a BOM": (b"\xef\xbb\xbf", "F02", "3 bytes"),
    "HTML": (HTML, "F04", "HTML"),
    "HTML after a declaration": (b'<?xml version="1.0"?>\n' + HTML, "F04", "HTML"),
    "broken PDF": (b"%PDF-1.7\n%\xe2\xe3", "F05", "PDF"),
    "JPEG": (b"\xff\xd8\xff\xe0\0\x10JFIF", "F04", "JPEG"),
    "CSV": (b"chave,item\n1,2\n", "F04", "texto"),
    "JSON": (b'{"a": 1}', "F04", "JSON"),
    "gzip": (b"\x1f\x8b\x08\0", "F04", "gzip"),
    "another XML": (b"<pedido/>", "F04", "pedido"),
    "NFe of another namespace": (b'<NFe xmlns="urn:evil"/>', "F04", "NFe"),
    "DOCTYPE internal": (b'<!DOCTYPE n [<!ENTITY q "9">]><NFe/>', "F05", "DOCTYPE"),
    "DOCTYPE external": (b'<!DOCTYPE n SYSTEM "file:///etc/passwd"><NFe/>', "F05", "DOCTYPE"),
    "DOCTYPE in UTF-16": ("<!DOCTYPE n><NFe/>".encode("utf-16"), "F05", "DOCTYPE"),
    "DOCTYPE in UTF-16, no mark": ("<!DOCTYPE n><NFe/>".encode("utf-16-be"), "F05", "DOCTYPE"),
    "DOCTYPE in EBCDIC": ("<!DOCTYPE n><NFe/>".encode("cp037"), "F04", ""),
    "billion laughs": (
        b'<!DOCTYPE l [<!ENTITY a "ha">' + b"".join(
            b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9)
        ) + b"]><NFe>&j;</NFe>", "F05", "DOCTYPE",
    ),
    "undeclared Latin-1": (NOTE.replace("ã".encode(), b"\xe3"), "F05", "Latin-1"),
    "two documents": (NOTE + NOTE[38:], "F05", "dois documentos"),
    "NUL at the end": (NOTE + b"\0", "F05", "byte nulo"),
    "substitute at the end": (NOTE + b"\x1a", "F05", "sobra"),
    "two BOMs": (b"\xef\xbb\xbf\xef\xbb\xbf" + NOTE, "F05", "dois BOM"),
    "a line before the declaration": (b"\n" + NOTE, "F05", "antes da declara"),
    "cut short": (NOTE[:-200], "F05", "malformado"),
    "raw ampersand": (NOTE.replace(b"&amp;", b"&"), "F05", "malformado"),
    "says UTF-16, is UTF-8": (NOTE.replace(b"UTF-8", b"UTF-16"), "F05", ""),
    "unknown encoding": (NOTE.replace(b"UTF-8", b"X-NADA"), "F05", "X-NADA"),
    "deep": (b"<NFe>" * 5000, "F05", ""),
    "relative namespace": (NOTE.replace(b"<det ", b'<det xmlns:a="b" ', 1), "F05", "absoluto"),
    "nfeProc without a note": (f'<nfeProc xmlns="{v.NFE}"/>'.encode(), "N01", "sem documento"),
    "NFe without infNFe": (f'<NFe xmlns="{v.NFE}"/>'.encode(), "S04", "0 elementos"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_crashes_and_each_says_what_is_wrong(name: str) -> None:
    data, code, words = HOSTILE[name]
    (document,) = judged(data)
    assert [f.code for f in document.findings] == [code]
    assert words.lower() in document.findings[0].found.lower()
    assert outcome_of(document.findings) is Outcome.REFUSED


def test_declared_latin_is_read_and_its_content_is_the_signed_one() -> None:
    """The signature is over canonical UTF-8, so a copy in a declared encoding is the same content."""
    (document,) = judged(DECLARED_LATIN)
    assert [f.code for f in document.findings] == ["N18"]


def test_utf16_with_a_mark_is_read() -> None:
    (document,) = judged(NOTE.decode().replace("UTF-8", "UTF-16").encode("utf-16"))
    assert [f.code for f in document.findings] == ["N18"]


def test_external_files_are_never_opened(tmp_path: object) -> None:
    data = b'<!DOCTYPE n [<!ENTITY q SYSTEM "file:///etc/hostname">]><NFe><x>&q;</x></NFe>'
    (document,) = judged(data)
    assert [f.code for f in document.findings] == ["F05"]


PAPERS = {
    "resNFe": (Kind.SUMMARY, "N01"), "resEvento": (Kind.SUMMARY, "N01"), "inutNFe": (Kind.INUT, "N01"),
    "procInutNFe": (Kind.INUT, "N01"), "cteProc": (Kind.CTE, "N05"), "CTe": (Kind.CTE, "N05"),
    "mdfeProc": (Kind.MDFE, "N05"), "retEnviNFe": (Kind.ANSWER, "N01"), "retConsSitNFe": (Kind.ANSWER, "N01"),
    "consSitNFe": (Kind.ANSWER, "N01"), "retDistDFeInt": (Kind.ANSWER, "N01"),
    "distDFeInt": (Kind.ANSWER, "N01"), "procEventoCTe": (Kind.EVENT, "N01"),
    "retEnvEvento": (Kind.ANSWER, "N01"),
}  # fmt: skip


@pytest.mark.parametrize("name", PAPERS)
def test_other_papers_are_recognised_and_named(name: str) -> None:
    kind, code = PAPERS[name]
    (reading,) = read(f'<{name} xmlns="{v.NFE}"><chNFe>1</chNFe></{name}>'.encode())
    assert (reading.kind, reading.name, [f.code for f in reading.findings]) == (kind, name, [code])


def test_a_lot_gives_each_of_its_notes() -> None:
    notes = [v.sign(v.Note(number=n).xml()) for n in (1, 2, 3)]
    data = f'<enviNFe xmlns="{v.NFE}"><idLote>1</idLote>'.encode() + b"".join(notes) + b"</enviNFe>"
    found = judged(data)
    assert [d.invoice.access_key[25:34] for d in found if d.invoice] == [
        "000000001",
        "000000002",
        "000000003",
    ]
    assert {f.code for d in found for f in d.findings} == {"N07"}


def test_events_inside_an_answer_or_a_note_are_documents_too() -> None:
    key = v.Note().access_key
    answer = (
        f'<retConsSitNFe xmlns="{v.NFE}"><cStat>101</cStat>'.encode() + v.event(key) + b"</retConsSitNFe>"
    )
    assert [(d.kind, d.access_key) for d in judged(answer)] == [(Kind.EVENT, key)]
    inside = NOTE.replace(b"</nfeProc>", v.event(key) + b"</nfeProc>")
    assert [d.kind for d in judged(inside)] == [Kind.NFE, Kind.EVENT]


def test_the_net_weight_of_a_vehicle_is_no_net_weight_of_volumes() -> None:
    note = v.Note(net=("10.000",))
    text = note.xml().replace("</prod></det>", "<veicProd><pesoL>999</pesoL></veicProd></prod></det>")
    (reading,) = read(v.sign(text))
    assert reading.invoice is not None
    assert reading.invoice.net_weights == ("10.000",)


def test_a_note_without_a_date_is_broken_and_not_guessed() -> None:
    (document,) = judged(v.sign(v.Note().xml().replace("2026-05-14T10:00:00-04:00", "")))
    assert document.invoice is None
    assert "F05" in {f.code for f in document.findings}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.replace('nItem="2"', 'nItem="1"'), "mesmo número"),
        (lambda t: re.sub(r"<det .*</det>", "", t), "sem itens"),
    ],
)
def test_lines_that_cannot_be_told_apart_or_are_not_there(change: Callable[[str], str], words: str) -> None:
    note = v.Note(items=[v.Item(), v.Item()])
    (document,) = judged(v.sign(change(note.xml())))
    assert document.invoice is None
    assert next(f.found for f in document.findings if f.code == "F05").endswith(words)


def test_a_signed_element_of_a_foreign_namespace_is_not_read() -> None:
    text = (
        v.Note()
        .xml()
        .replace("<infNFe ", '<x:infNFe xmlns:x="urn:evil" ')
        .replace("</infNFe>", "</x:infNFe>")
    )
    (document,) = judged(v.sign(text))
    assert (document.invoice, [f.code for f in document.findings]) == (None, ["S04"])


@pytest.mark.parametrize(
    ("letter", "touches"),
    [
        ("A quantidade correta é 900 kg", True),
        ("Onde se lê peso 10 t, leia-se 1 t", True),
        ("NCM correto 39151000", True),
        ("Descrição do PRODUTO: aparas", True),
        ("Endereço do destinatário: rua B, número 10", False),
        ("Placa do veículo e nome da transportadora", False),
        ("Incluir e-mail do contador", False),
    ],
)
def test_which_correction_letters_touch_the_goods(letter: str, touches: bool) -> None:
    assert touches_goods(letter) is touches


def test_a_crowded_lot_is_read_note_by_note() -> None:
    signed = v.sign(v.Note().xml())
    other = [v.Note(number=n).xml().encode() for n in range(2, 80)]
    data = f'<enviNFe xmlns="{v.NFE}" xmlns:a="urn:a">'.encode() + signed + b"".join(other) + b"</enviNFe>"
    found = judged(data)
    assert len(found) == 79
    assert [d.signature.value for d in found[:2]] == ["valid", "absent"]
