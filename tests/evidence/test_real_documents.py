"""Fifty-eight test documents of public projects, their names replaced: so no signature among them holds."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from lastro.evidence import Context, admit, judge_source, sources
from lastro.facts import Kind, Outcome, Signature
from lastro.lawkit import library
from tests.evidence import vectors as v

FOLDER = Path(__file__).parents[3] / "shared" / "inputs" / "nfe"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the real test documents do not stand beside the project"),
]


@pytest.mark.parametrize("mask", [frozenset(), frozenset({"N06"})])
def test_none_crashes_none_is_valid_none_is_admitted(mask: frozenset[str]) -> None:
    norm = library.find("mt/decreto_1455_2025")
    law = norm.law(date(2026, 12, 31))
    context = Context(today=v.TODAY, trust=v.TRUST, mask=mask)
    files = list(sources(sorted(FOLDER.glob("*.xml"))))
    assert len(files) == 58
    for source in files:
        for document in judge_source(source, context):
            verdict = admit(document, regulation=norm, law=law, year=2026, mask=mask)
            assert document.signature is not Signature.VALID
            assert verdict.outcome is Outcome.REFUSED
            assert not any("falha ao ler" in f.found for f in document.findings)
            assert mask.isdisjoint(f.code for f in verdict.findings)


def test_what_each_looked_at_by_hand_turned_out_to_be() -> None:
    context = Context(today=v.TODAY)
    expected = {
        "UNPARSABLE-55643e795e.xml": (Kind.UNKNOWN, {"F05"}),
        "CTe-2a285674ae.xml": (Kind.CTE, {"N05"}),
        "NFe-297a8cf5da.xml": (Kind.NFE, {"N02", "N06", "N07", "S01"}),
        "NFe-286e2e59f0.xml": (Kind.NFE, {"N06", "N07", "S02"}),
        "NFe-1ab5574118.xml": (Kind.NFE, {"N06", "N07", "S01"}),
        "envEvento-ae5c4deb63.xml": (Kind.EVENT, {"N01", "S01"}),
        "inutNFe-0292307d09.xml": (Kind.INUT, {"N01"}),
        "resNFe-4ff1e3c72a.xml": (Kind.SUMMARY, {"N01"}),
        "SOAP_retConsSitNFe-d56ffc1b58.xml": (Kind.ANSWER, {"N01"}),
        "procEventoNFe-d3a159a4ef.xml": (Kind.EVENT, {"N06", "N09", "S04"}),
    }
    for name, (kind, codes) in expected.items():
        (source,) = sources([FOLDER / name])
        (document,) = judge_source(source, context)
        assert (document.kind, {f.code for f in document.findings}) == (kind, codes), name
