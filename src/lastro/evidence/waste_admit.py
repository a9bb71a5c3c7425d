"""What each residue of a manifest or of a certificate is worth as proof of a destination.

Nothing is counted here: the mass that counts is a note's, and a manifest or certificate only lets it stand. A
line's mass is what the receiver confirmed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from lastro.evidence import waste_mass
from lastro.evidence.asked import Asked, Parties
from lastro.facts import Document, Finding, Kind, LineVerdict, Severity
from lastro.findings import finding, outcome_of
from lastro.ids import Material, masked
from lastro.tables import sinir
from lastro.waste import Residue

_OWN_STREAMS = {Material.BATTERY, Material.ELECTRONICS, Material.OIL}
"""Materials that are hazardous by nature and have a stream of their own."""


def lines_of(document: Document, *, mask: frozenset[str] = frozenset()) -> tuple[LineVerdict, ...]:
    """A verdict on each residue, in order, numbered from 1; none of them counts by itself."""
    manifest, certificate = document.manifest, document.destination
    if manifest is not None:
        state = sinir.state_of(manifest.situation)
        return tuple(_line(n, r, document.kind, state, mask) for n, r in enumerate(manifest.residues, 1))
    residues = certificate.residues if certificate else ()
    return tuple(_line(n, r, document.kind, "received", mask) for n, r in enumerate(residues, 1))


def _line(number: int, residue: Residue, kind: Kind, state: str, mask: frozenset[str]) -> LineVerdict:
    where = f"resíduo {number}"
    materials = sinir.materials_of_residue(residue.code)
    weighed = waste_mass.received(residue, where=where, state=state)
    every = (*weighed.findings, *_doubts(residue, kind, materials, where))
    findings = tuple(seen for seen in every if seen.code not in mask)
    return LineVerdict(
        line=number,
        ncm="",
        cfop="",
        unit=residue.unit,
        material=next(iter(materials)) if len(materials) == 1 else None,
        mass=weighed.mass,
        outcome=outcome_of(findings),
        counts=False,
        findings=findings,
    )


def _doubts(residue: Residue, kind: Kind, materials: frozenset[Material], where: str) -> Iterator[Finding]:
    """C12 where the treatment is not recycling, M13 for what is hazardous, M06 for what is no material."""
    treated = sinir.recycling(residue.treatment)
    if treated != "recycling":
        # A certificate is final; a manifest only says what was meant to be done.
        final = Severity.REFUSE if kind is Kind.CDF else Severity.WARN
        severity = final if treated == "no" else Severity.REVIEW
        found = residue.treatment or "tratamento não dito"
        yield finding("C12", where=where, found=found, expected="Reciclagem", severity=severity)
    if residue.hazardous and not materials & _OWN_STREAMS:
        yield finding("M13", where=where, found=f"{residue.code} (*)", expected="resíduo não perigoso")
    if not materials:
        found = residue.code or residue.description or "sem código"
        yield finding("M06", where=where, found=found, expected="resíduo que se recicla")


def parties_of(document: Document, registry: Parties | Asked | None) -> tuple[Finding, ...]:
    """What the registry has against the parties on the day of the receipt: P02, P05, P07."""
    told = document.manifest or document.destination
    on = _day(document)
    if registry is None or told is None or on is None:
        return ()
    pairs = (("gerador", told.generator), ("destinador", told.destination))
    found = [
        finding("P02", where=role, found=f"{_who(who)} em {on.isoformat()}", expected="ativa")
        for role, who in pairs
        if who and registry.closed(who, on)
    ]
    found += [
        finding("P05", where=role, found=f"{_who(who)} em {on.isoformat()}", expected="licença em vigor")
        for role, who in pairs
        if who and registry.licence_valid(who, on) is False
    ]
    if told.destination and not registry.is_recycler(told.destination, on):
        found.append(finding("P07", where="destinador", found=_who(told.destination), expected="reciclador"))
    return tuple(found)


def _day(document: Document) -> date | None:
    manifest, certificate = document.manifest, document.destination
    if manifest is not None:
        return manifest.received_on or manifest.shipped_on or manifest.issued_on
    return (certificate.period_to or certificate.declared_on) if certificate else None


def _who(number: str) -> str:
    return masked(number) if len(number) == 14 else "pessoa física"
