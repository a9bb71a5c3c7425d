"""A judged document as plain JSON data and back, so that a verdict can be made anew without the bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from lastro.facts import Basis, Document, Event, Finding, Invoice, Kind, Line, Severity, Signature, Status


def to_json(document: Document) -> dict[str, Any]:
    """A document as JSON data: dates as ISO text, names of states as their values."""
    made = asdict(document)
    if made["invoice"] is not None:
        made["invoice"]["issued_on"] = made["invoice"]["issued_on"].isoformat()
    for name in ("kind", "signature", "status", "basis"):
        made[name] = made[name].value
    for seen in made["findings"]:
        seen["severity"] = seen["severity"].value
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
            "findings": tuple(_finding(seen) for seen in made["findings"]),
        }
    )


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
        }
    )


def _finding(made: Mapping[str, Any]) -> Finding:
    return Finding(**{**made, "severity": Severity(made["severity"])})
