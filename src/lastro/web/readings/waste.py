"""What a page tells of a manifest (MTR) or a certificate of destination (CDF)."""

from __future__ import annotations

from datetime import date

from lastro.facts import Document
from lastro.units import portuguese
from lastro.waste import Residue


def parties(document: Document) -> tuple[str, str]:
    """Who sent and who took the load; empty for papers that are neither."""
    told = document.manifest or document.destination
    return (told.generator, told.destination) if told else ("", "")


def day(document: Document) -> date | None:
    """The day a manifest was issued or a certificate declared."""
    if document.manifest is not None:
        return document.manifest.issued_on
    return document.destination.declared_on if document.destination else None


def facts(document: Document) -> tuple[tuple[str, str], ...]:
    """What it says of itself, as a label and a text; only what it says."""
    manifest, certificate = document.manifest, document.destination
    if manifest is not None:
        every: list[tuple[str, str]] = [
            ("MTR nº", manifest.number),
            ("Número no estado", manifest.state_number),
            ("Tipo", manifest.kind),
            ("Situação", manifest.situation),
            ("Emitido em", _day(manifest.issued_on)),
            ("Recebido em", _day(manifest.received_on)),
            ("CDF nº", manifest.certificate),
        ]
    elif certificate is not None:
        every = [
            ("CDF nº", certificate.number),
            ("Período", f"{_day(certificate.period_from)} a {_day(certificate.period_to)}"),
            ("Declarado em", _day(certificate.declared_on)),
            ("MTR incluídos", ", ".join(certificate.manifests)),
        ]
    else:
        every = []
    if document.part and every:
        every.append(("Lugar no arquivo", document.part))
    return tuple((label, text) for label, text in every if text)


def described(document: Document) -> dict[int, str]:
    """Each residue in words, by its number from 1."""
    told = document.manifest or document.destination
    return {n: _residue(residue) for n, residue in enumerate(told.residues, 1)} if told else {}


def _residue(residue: Residue) -> str:
    name = " – ".join(filter(None, (residue.code, residue.description))) or "resíduo sem código"
    said = [
        f"indicado {_quantity(residue.indicated)} {residue.unit}" if residue.indicated else "",
        f"recebido {_quantity(residue.received)} {residue.unit}"
        if residue.received
        else "ainda não recebido",
        residue.treatment,
    ]
    return f"{name} ({'; '.join(filter(None, said))})"


def _quantity(written: str) -> str:
    return portuguese(written) if written.replace(".", "", 1).isdigit() else written


def _day(on: date | None) -> str:
    return f"{on:%d/%m/%Y}" if on else ""
