"""A gzip is a package of one, and SEFAZ's answer of a distribution one of its documents."""

from __future__ import annotations

import base64
import gzip
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from lastro.evidence import LIMITS, Context, judge_source, sources
from lastro.evidence.sources import Limits, Source
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
NOTE = v.authorised()
EVENT = v.event(v.Note().access_key)
SUMMARY = f'<resNFe xmlns="{v.NFE}"><chNFe>{v.Note().access_key}</chNFe></resNFe>'.encode()


def doc_zip(data: bytes, nsu: str = "000000000000101") -> str:
    return f'<docZip NSU="{nsu}" schema="x">{base64.b64encode(gzip.compress(data)).decode()}</docZip>'


def answer(*packed: str) -> bytes:
    return (
        f'<retDistDFeInt xmlns="{v.NFE}" versao="1.01"><tpAmb>1</tpAmb><cStat>138</cStat><loteDistDFeInt>'
        f"{''.join(packed)}</loteDistDFeInt></retDistDFeInt>"
    ).encode()


def soap(inside: bytes) -> bytes:
    return (
        b'<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>'
        b"<nfeDistDFeInteresseResponse><nfeDistDFeInteresseResult>"
        + inside
        + b"</nfeDistDFeInteresseResult></nfeDistDFeInteresseResponse></soap:Body></soap:Envelope>"
    )


def opened(tmp_path: Path, name: str, data: bytes, limits: Limits = LIMITS) -> list[Source]:
    (tmp_path / name).write_bytes(data)
    return list(sources([tmp_path / name], limits=limits))


@pytest.mark.parametrize("wrapped", [False, True])
def test_each_document_of_a_distribution_is_a_member_of_its_own(tmp_path: Path, wrapped: bool) -> None:
    data = answer(doc_zip(NOTE), doc_zip(EVENT, "102"), doc_zip(SUMMARY, "x/../y"))
    found = opened(tmp_path, "dist.xml", soap(data) if wrapped else data)
    assert [(s.member, s.data) for s in found] == [
        ("docZip 1, NSU 000000000000101", NOTE),
        ("docZip 2, NSU 102", EVENT),
        ("docZip 3, sem NSU", SUMMARY),
    ]
    judged = [d for source in found for d in judge_source(source, CONTEXT)]
    assert [[f.code for f in d.findings] for d in judged] == [["N18"], [], ["N01"]]


def test_an_answer_without_documents_stays_what_it_is(tmp_path: Path) -> None:
    (source,) = opened(tmp_path, "dist.xml", answer())
    assert (source.member, source.data) == (None, answer())
    assert [f.code for d in judge_source(source, CONTEXT) for f in d.findings] == ["N01"]


def test_a_note_that_speaks_of_distributions_is_a_note(tmp_path: Path) -> None:
    text = v.authorised(v.Note(operation="Venda retDistDFeInt docZip"))
    (source,) = opened(tmp_path, "nota.xml", text)
    assert (source.member, source.data) == (None, text)


def test_a_gzip_is_opened_alone_and_in_a_zip(tmp_path: Path) -> None:
    (alone,) = opened(tmp_path, "nota.xml.gz", gzip.compress(NOTE))
    assert (alone.file, alone.member, alone.data) == (str(tmp_path / "nota.xml.gz"), "nota.xml", NOTE)
    with zipfile.ZipFile(tmp_path / "mes.zip", "w") as archive:
        archive.writestr("a/nota.xml.gz", gzip.compress(NOTE))
        archive.writestr("b.bin", gzip.compress(answer(doc_zip(EVENT))))
    found = list(sources([tmp_path / "mes.zip"]))
    assert [(s.member, s.data) for s in found] == [
        ("a/nota.xml", NOTE),
        ("b.bin!!docZip 1, NSU 000000000000101", EVENT),
    ]


NOISE = base64.b64encode(bytes(range(256)) * 9)
BROKEN = {
    "cut short": (gzip.compress(NOTE)[:-9], "F05", "cortado"),
    "altered": (gzip.compress(NOTE)[:20] + b"\0\0\0" + gzip.compress(NOTE)[23:], "F05", "alterado"),
    "more behind it": (gzip.compress(NOTE) + NOISE, "F05", "sobram"),
    "nothing in it": (gzip.compress(b""), "F05", "vazio"),
    "a gzip in a gzip": (gzip.compress(gzip.compress(NOTE)), "F03", "pacote dentro"),
    "a zip in a gzip": (gzip.compress(b"PK\x03\x04" + NOISE), "F03", "pacote dentro"),
    "too much": (gzip.compress(b"<" + b" " * 21_000_000), "F03", "mais de"),
    "too little for so much": (gzip.compress(b"<" + b" " * 6_000_000), "F03", "vezes"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_gzip_is_opened_whole_or_not_at_all(tmp_path: Path, name: str) -> None:
    data, code, words = BROKEN[name]
    (source,) = opened(tmp_path, "nota.xml.gz", data)
    assert source.problem is not None
    assert (source.problem.code, source.data) == (code, b"")
    assert words in source.problem.found


@pytest.mark.parametrize("written", ["AQID", "não é base64", ""])
def test_a_doc_zip_that_cannot_be_opened_is_told_and_the_others_are_read(
    tmp_path: Path, written: str
) -> None:
    found = opened(tmp_path, "dist.xml", answer(f'<docZip NSU="7">{written}</docZip>', doc_zip(NOTE)))
    assert [s.problem.code if s.problem else "" for s in found] == ["F05", ""]
    assert found[1].data == NOTE


def test_what_one_file_gives_in_all_is_bounded(tmp_path: Path) -> None:
    data = answer(*(doc_zip(NOTE, str(n)) for n in range(5)))
    few = opened(tmp_path, "dist.xml", data, replace(LIMITS, expands_to=2 * len(NOTE) + 10))
    assert [s.problem.code if s.problem else "" for s in few] == ["", "", "F03", "F03", "F03"]
    (none,) = opened(tmp_path, "dist.xml", data, replace(LIMITS, entries=4))
    assert none.problem is not None
    assert none.problem.code == "F03"
