"""An MTR or a CDF in the words of an answer: what it says, beside the verdict on it."""

from __future__ import annotations

from datetime import date
from typing import Any

from lastro.evidence import waste_mass
from lastro.facts import Document
from lastro.tables import sinir
from lastro.waste import DestinationCertificate, Manifest, Residue


def waste_json(document: Document) -> dict[str, Any]:
    """The fields that only an MTR or a CDF has; none for other papers. What is not known is null.

    The issuer of a manifest is the generator, of a certificate the destination; the recipient is the other.
    """
    manifest, certificate = document.manifest, document.destination
    if manifest is not None:
        return {
            "part": document.part or None,
            "issued_on": _day(manifest.issued_on),
            "issuer": manifest.generator or None,
            "recipient": manifest.destination or None,
            "manifest": _manifest(manifest),
        }
    if certificate is not None:
        return {
            "part": document.part or None,
            "issued_on": _day(certificate.declared_on),
            "issuer": certificate.destination or None,
            "recipient": certificate.generator or None,
            "certificate": _certificate(certificate),
        }
    return {"part": document.part} if document.part else {}


def _manifest(manifest: Manifest) -> dict[str, Any]:
    state = sinir.state_of(manifest.situation)
    return {
        "number": manifest.number or None,
        "state_number": manifest.state_number or None,
        "system": manifest.system or None,
        "kind": manifest.kind or None,
        "situation": manifest.situation or None,
        "shipped_on": _day(manifest.shipped_on),
        "stored_on": _day(manifest.stored_on),
        "received_on": _day(manifest.received_on),
        "carrier": manifest.carrier or None,
        "storage": manifest.storage or None,
        "plate": manifest.plate or None,
        "municipality": manifest.municipality or None,
        "certificate": manifest.certificate or None,
        "complements": manifest.complements or None,
        "complemented_by": manifest.complemented_by or None,
        "provisional": manifest.provisional or None,
        "amended": manifest.amended,
        "mentions": list(manifest.mentions),
        "received_mg": _mg(manifest.residues, state),
        "residues": [_residue(residue) for residue in manifest.residues],
    }


def _certificate(certificate: DestinationCertificate) -> dict[str, Any]:
    return {
        "number": certificate.number or None,
        "system": certificate.system or None,
        "period_from": _day(certificate.period_from),
        "period_to": _day(certificate.period_to),
        "declared_on": _day(certificate.declared_on),
        "municipality": certificate.municipality or None,
        "manifests": list(certificate.manifests),
        "received_mg": _mg(certificate.residues, "received"),
        "residues": [_residue(residue) for residue in certificate.residues],
    }


def _residue(residue: Residue) -> dict[str, Any]:
    """A residue as written; on a certificate nothing is indicated."""
    return {
        "code": residue.code or None,
        "description": residue.description or None,
        "hazardous": residue.hazardous,
        "unit": residue.unit or None,
        "indicated": residue.indicated or None,
        "received": residue.received,
        "density": residue.density,
        "treatment": residue.treatment or None,
        "replaced": residue.replaced,
    }


def _mg(residues: tuple[Residue, ...], state: str) -> int | None:
    mass = waste_mass.total_received(residues, state=state)
    return mass.mg if mass is not None else None


def _day(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None
