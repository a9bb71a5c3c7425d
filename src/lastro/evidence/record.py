"""A judged document and its verdict as plain JSON data and back.

So a verdict can be made anew without the bytes, and an earlier answer can be given again as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from lastro.facts import (
    Basis,
    Collection,
    Document,
    Event,
    Finding,
    Invoice,
    Kind,
    Line,
    LineVerdict,
    Outcome,
    Severity,
    Signature,
    Status,
    Verdict,
)
from lastro.ids import Material, Origin
from lastro.units import Mass
from lastro.waste import DestinationCertificate, Manifest, Residue

_DAYS = {
    "manifest": ("issued_on", "shipped_on", "received_on", "stored_on"),
    "destination": ("period_from", "period_to", "declared_on"),
}
"""The days that an MTR and a CDF carry."""


def to_json(document: Document) -> dict[str, Any]:
    """A document as JSON data: dates as ISO text, names of states as their values; without its family."""
    made = asdict(document)
    del made["family"], made["papers"]  # what others know of it changes without it
    del made["conformity"]  # it is told of a file's bytes, to whoever asks
    if made["invoice"] is not None:
        made["invoice"]["issued_on"] = made["invoice"]["issued_on"].isoformat()
    for name in ("kind", "signature", "status", "basis"):
        made[name] = made[name].value
    for seen in made["findings"]:
        seen["severity"] = seen["severity"].value
    for waste, days in _DAYS.items():
        for name in days if made[waste] is not None else ():
            day = made[waste][name]
            made[waste][name] = day.isoformat() if day is not None else None
    return made


def from_json(made: Mapping[str, Any]) -> Document:
    """The document that `to_json` wrote."""
    return Document(
        **{
            **made,
            "kind": Kind(made["kind"]),
            "signature": Signature(made["signature"]),
            "status": Status(made["status"]),
            "basis": Basis(made["basis"]),
            "invoice": _invoice(made["invoice"]),
            "event": Event(**made["event"]) if made["event"] else None,
            "manifest": _manifest(made.get("manifest")),
            "destination": _destination(made.get("destination")),
            "findings": tuple(_finding(seen) for seen in made["findings"]),
        }
    )


def invoice_of(document: Mapping[str, Any]) -> Invoice | None:
    """The invoice of a stored document, without the rest of it."""
    return _invoice(document.get("invoice"))


def _invoice(made: Mapping[str, Any] | None) -> Invoice | None:
    if made is None:
        return None
    return Invoice(
        **{
            **made,
            "issued_on": date.fromisoformat(made["issued_on"]),
            "lines": tuple(Line(**line) for line in made["lines"]),
            "net_weights": tuple(made["net_weights"]),
            "gross_weights": tuple(made["gross_weights"]),
            "references": tuple(made["references"]),
            "plates": tuple(made.get("plates", ())),
            "mentions": tuple(made.get("mentions", ())),
        }
    )


def _manifest(made: Mapping[str, Any] | None) -> Manifest | None:
    if made is None:
        return None
    return Manifest(
        **{**made, **_days(made, "manifest"), **_residues(made), "mentions": tuple(made["mentions"])}
    )


def _destination(made: Mapping[str, Any] | None) -> DestinationCertificate | None:
    if made is None:
        return None
    manifests = tuple(made["manifests"])
    return DestinationCertificate(
        **{**made, **_days(made, "destination"), **_residues(made), "manifests": manifests}
    )


def _days(made: Mapping[str, Any], waste: str) -> dict[str, date | None]:
    return {name: date.fromisoformat(made[name]) if made[name] else None for name in _DAYS[waste]}


def _residues(made: Mapping[str, Any]) -> dict[str, tuple[Residue, ...]]:
    return {"residues": tuple(Residue(**residue) for residue in made["residues"])}


def verdict_to_json(verdict: Verdict, document: Document, *, seen: Document | None = None) -> dict[str, Any]:
    """A verdict as JSON data; a mass is `mass_mg`, null when it cannot be told.

    What was seen on the document itself depends on what was trusted then, so it goes with the verdict. `seen`
    is the document as SEFAZ confirmed or contradicted it, where it was asked; only its status is kept, so
    that what the file says by itself can be judged again under a later answer.
    """
    seen = seen or document
    return {
        "authenticity": {
            "findings": [_seen(f) for f in document.findings],
            "basis": document.basis.value,
        },
        "status": {"value": seen.status.value, "source": seen.status_source},
        "outcome": verdict.outcome.value,
        "findings": [_seen(f) for f in verdict.findings],
        "lines": [_line_to_json(line) for line in verdict.lines],
    }


def _line_to_json(line: LineVerdict) -> dict[str, Any]:
    place = line.collection
    return {
        "line": line.line,
        "ncm": line.ncm,
        "cfop": line.cfop,
        "unit": line.unit,
        "material": line.material.value if line.material else None,
        "mass_mg": line.mass.mg if line.mass is not None else None,
        "verdict": line.outcome.value,
        "counts": line.counts,
        "findings": [_seen(f) for f in line.findings],
        "collection": place
        and {
            "municipality": place.municipality,
            "source": place.source,
            "origin": place.origin.value if place.origin else None,
        },
    }


def _seen(seen: Finding) -> dict[str, Any]:
    return {**asdict(seen), "severity": seen.severity.value}


def verdict_from_json(made: Mapping[str, Any]) -> Verdict:
    """The verdict that `verdict_to_json` wrote."""
    return Verdict(
        Outcome(made["outcome"]),
        tuple(_finding(seen) for seen in made["findings"]),
        tuple(_line_from_json(line) for line in made["lines"]),
    )


def as_judged(document: Mapping[str, Any], verdict: Mapping[str, Any]) -> Document:
    """The stored document with what was seen on it when that verdict was made."""
    then = verdict["authenticity"]
    findings = tuple(_finding(seen) for seen in then["findings"])
    return replace(from_json(document), findings=findings, basis=Basis(then["basis"]))


def as_told(document: Mapping[str, Any], verdict: Mapping[str, Any]) -> Document:
    """The stored document as that verdict saw it, with the status that SEFAZ gave where it was asked."""
    made, status = as_judged(document, verdict), verdict.get("status")
    if status is None:
        return made
    return replace(made, status=Status(status["value"]), status_source=status["source"])


def _line_from_json(made: Mapping[str, Any]) -> LineVerdict:
    place = made["collection"]
    return LineVerdict(
        line=made["line"],
        ncm=made["ncm"],
        cfop=made["cfop"],
        unit=made["unit"],
        material=Material(made["material"]) if made["material"] else None,
        mass=None if made["mass_mg"] is None else Mass(made["mass_mg"]),
        outcome=Outcome(made["verdict"]),
        counts=made["counts"],
        findings=tuple(_finding(seen) for seen in made["findings"]),
        collection=place
        and Collection(
            place["municipality"], place["source"], Origin(place["origin"]) if place["origin"] else None
        ),
    )


def _finding(made: Mapping[str, Any]) -> Finding:
    return Finding(**{**made, "severity": Severity(made["severity"])})
