"""A judged document in words and JSON, as the contract writes it (§2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lastro.evidence.waste_answer import waste_json
from lastro.facts import Beside, Document, Finding, Kin, LineVerdict, Outcome, Status, Verdict
from lastro.findings import finding_json

MOST_FINDINGS = 10


def papers_json(papers: Iterable[Beside]) -> list[dict[str, Any]]:
    """The manifests and certificates beside a note; a mass that is not known is null."""
    return [
        {
            "kind": paper.kind,
            "number": paper.number,
            "state": paper.state,
            "mass_mg": paper.mass.mg if paper.mass is not None else None,
        }
        for paper in papers
    ]


def document_json(document: Document, verdict: Verdict, *, lang: str = "pt") -> dict[str, Any]:
    """One document with its verdict. What is not known is null; a mass that cannot be told is null too."""
    invoice, event = document.invoice, document.event
    status = document.status
    return {
        "file": document.file,
        "member": document.member,
        "sha256": document.sha256 or None,
        "kind": document.kind.value,
        "name": document.name or None,
        "access_key": document.access_key or None,
        "issued_on": invoice.issued_on.isoformat() if invoice else None,
        "issuer": (invoice.issuer if invoice else event.author if event else "") or None,
        "recipient": (invoice.recipient if invoice else "") or None,
        "self_issued": invoice.self_issued if invoice else False,
        "status": status.value,
        "status_source": None if status is Status.UNKNOWN else document.status_source,
        "basis": document.basis.value,
        "signature": document.signature.value,
        "signer": document.signer or None,
        "content_digest": document.content_digest or None,
        "schema": _schema(document),
        **waste_json(document),
        "papers": papers_json(document.papers),
        "family": family_json(document.family),
        "verdict": verdict.outcome.value,
        **_findings(verdict.findings, lang),
        "lines": [_line(line, lang, admitted=verdict.outcome is Outcome.ADMITTED) for line in verdict.lines],
    }


def _schema(document: Document) -> dict[str, str | None]:
    """Whether the file has the form of its official XSD, where that was asked."""
    told, invoice = document.conformity, document.invoice
    layout = told.layout or (invoice.layout if invoice else "")
    return {"state": told.state, "layout": layout or None, "why": told.why or None}


RELATIONS = {
    "refers_to": "refere-se a",
    "referred_by": "é referida por",
    "twin": "pode ser a mesma carga que",
}
"""How two notes of one mass stand to each other, in words."""


def family_json(family: Iterable[Kin]) -> list[dict[str, str | None]]:
    """The other notes of a note's mass; the code is what the one does to the other, null where nothing."""
    return [{"access_key": k.access_key, "relation": k.relation, "code": k.code or None} for k in family]


def _findings(seen: tuple[Finding, ...], lang: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"findings": [finding_json(f, lang=lang) for f in seen[:MOST_FINDINGS]]}
    if len(seen) > MOST_FINDINGS:
        shown["findings_left_out"] = len(seen) - MOST_FINDINGS
    return shown


def _line(line: LineVerdict, lang: str, *, admitted: bool) -> dict[str, Any]:
    collected = line.collection
    return {
        "line": line.line,
        "ncm": line.ncm,
        "cfop": line.cfop,
        "material": line.material.value if line.material else None,
        "mass_mg": line.mass.mg if line.mass is not None else None,
        "unit": line.unit,
        "verdict": line.outcome.value,
        "counts": admitted and line.counts,
        "counted_mg": line.counted.mg if line.counted is not None and admitted and line.counts else 0,
        "municipality": collected.municipality if collected else None,
        "municipality_source": collected.source if collected else None,
        "origin": collected.origin.value if collected and collected.origin else None,
        **_findings(line.findings, lang),
    }
