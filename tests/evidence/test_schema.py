"""Whether a file has the form of its official XSD is told where it is asked, and changes no verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lastro.evidence import Context, Source, admit, document_json, judge_source, schema, to_json
from lastro.evidence.schema import conformity
from lastro.facts import Conformity
from tests.evidence import mutations as m
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
GOOD = m.originals()[0].data
KEY = v.Note().access_key


def test_a_note_as_the_layout_prescribes_it_is_valid() -> None:
    pytest.importorskip("nfelib")
    assert conformity(GOOD) == Conformity("valid", "4.00")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((b"NCM>", b"NCX>"), "NCX"),
        ((b"<finNFe>1<", b"<finNFe>9<"), "finNFe"),
        ((b"<modFrete>", b"<novo>1</novo><modFrete>"), "novo"),
    ],
)
def test_what_does_not_fit_is_told_with_the_first_complaint(change: tuple[bytes, bytes], words: str) -> None:
    pytest.importorskip("nfelib")
    old, new = change
    assert old in GOOD
    told = conformity(GOOD.replace(old, new))
    assert (told.state, told.layout) == ("invalid", "4.00")
    assert words in told.why
    assert "portalfiscal" not in told.why


def test_the_schema_of_an_event_refuses_letters_and_the_cancellation_stands() -> None:
    pytest.importorskip("nfelib")
    data = v.event(KEY).replace(b"<procEventoNFe ", b'<procEventoNFe versao="1.00" ')
    assert conformity(data).state == "invalid"
    (document,) = judge_source(Source("evento.xml", None, data), replace(CONTEXT, schemas=True))
    assert (document.conformity.state, document.findings) == ("invalid", ())


def test_nobodys_cpf_stands_in_a_complaint() -> None:
    pytest.importorskip("nfelib")
    person = "529982247" + "2" + "6"
    old = GOOD[GOOD.index(b"<dest><CNPJ>") : GOOD.index(b"</CNPJ>", GOOD.index(b"<dest>")) + 7]
    told = conformity(GOOD.replace(old, f"<dest><CPF>{person}</CPF><CPF>{person}</CPF>".encode()))
    assert told.state == "invalid"
    assert person not in told.why


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "XML"),
        (b"<pedido/>", "sem esquema"),
        (GOOD.replace(b'versao="4.00"', b'versao="3.10"'), "sem esquema"),
        (v.old_cancellation(KEY), "sem esquema"),
    ],
)
def test_what_has_no_schema_is_not_checked(data: bytes, words: str) -> None:
    told = conformity(data)
    assert told.state == "not_checked"
    assert words in told.why


def test_without_the_package_nothing_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    schema._schema.cache_clear()
    monkeypatch.setattr(schema, "find_spec", lambda name: None)
    told = conformity(GOOD)
    schema._schema.cache_clear()
    assert (told.state, told.layout) == ("not_checked", "4.00")
    assert "nfelib" in told.why


def test_it_is_told_only_when_asked_and_weighs_nothing() -> None:
    pytest.importorskip("nfelib")
    bad = v.authorised()
    (plain,) = judge_source(Source("nota.xml", None, bad), CONTEXT)
    (asked,) = judge_source(Source("nota.xml", None, bad), replace(CONTEXT, schemas=True))
    assert document_json(plain, admit(plain))["schema"] == {
        "state": "not_checked", "layout": "4.00", "why": None,
    }  # fmt: skip
    shown = document_json(asked, admit(asked))["schema"]
    assert (shown["state"], shown["layout"]) == ("invalid", "4.00")
    assert replace(asked, conformity=plain.conformity) == plain
    assert admit(asked) == admit(plain)
    assert to_json(asked) == to_json(plain)
