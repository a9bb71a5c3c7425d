"""What a line is made of, and what kind of operation moved it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lastro import tables
from lastro.facts import Finding, Invoice, Line, Severity
from lastro.findings import finding
from lastro.ids import Material

_NO_GOODS = {
    "3": "nota de ajuste: não move mercadoria",
    "4": "nota de devolução",
    "5": "nota de crédito: não traz massa nova",
    "6": "nota de débito: não traz massa nova",
}
_JOINED = (" E ", "/", "+", " MIST")
_APART = frozenset({Material.TYRE, Material.BATTERY, Material.ELECTRONICS, Material.OIL})
"""Materials with a stream of their own, in which being hazardous is nothing odd."""
_ASKED = frozenset({"other", "asset", "fuel", "export", "import", "unknown"})
"""Classes of operation that are neither a sale nor plainly none: a person decides."""


@dataclass(frozen=True)
class Class:
    """The material of a line (None: no recyclable waste), whether it names aerosols, and what was seen."""

    material: Material | None
    aerosol: bool
    findings: tuple[Finding, ...]


def classify(line: Line) -> Class:
    """Tell the material by the NCM; the description only contradicts it or calls for a person.

    Codes: M06 (no waste), M07 (description names another material), M08 (names several), M13 (aerosol).
    """
    where = f"/NFe/infNFe/det[{line.number}]/prod"
    named = tables.named_in(line.description)
    aerosol, hazardous = "aerosol" in named, "hazardous" in named
    named -= {"aerosol", "hazardous"}
    material = tables.material_of(line.ncm)
    if material is None:
        expected = "NCM de desperdício ou sucata"
        seen = finding("M06", where=f"{where}/NCM", found=line.ncm or "vazio", expected=expected)
        return Class(None, aerosol, (seen,))
    if material is Material.PAPER and named == {"carton"}:
        material = Material.CARTON  # cartons for recycling have no NCM of their own
    found: list[Finding] = []
    if aerosol or (hazardous and material not in _APART):
        expected = "sem aerossóis" if aerosol else "material que não é perigoso"
        found.append(finding("M13", where=f"{where}/xProd", found=line.description, expected=expected))
    contradiction = _contradiction(line.description, material, named)
    if contradiction:
        expected = f"{material.value} pelo NCM {line.ncm}"
        found.append(
            finding(contradiction, where=f"{where}/xProd", found=line.description, expected=expected)
        )
    return Class(material, aerosol, tuple(found))


def _contradiction(description: str, material: Material, named: set[str]) -> str:
    """M08 where a description joins several materials, M07 where it names only others, else empty."""
    own = {material.value, "paper"} if material is Material.CARTON else {material.value}
    if not named or "carton" in named:  # a carton is paper, plastic and aluminium at once
        return "" if not named or own & {"carton", "paper"} else "M07"
    if len(named) > 1 and any(joint in tables.plain(description) for joint in _JOINED):
        return "M08"
    return "" if named & own else "M07"


_ANNULS = re.compile(r"\bANULACAO\b|\bANULACOES\b")


def annuls(invoice: Invoice) -> bool:
    """Whether a note says of itself that it annuls another (Ajuste SINIEF 13/2024), whatever its CFOP."""
    return _annuls(invoice.operation)


@lru_cache(maxsize=4096)
def _annuls(operation: str) -> bool:
    return bool(_ANNULS.search(tables.plain(operation)))


def sells(invoice: Invoice) -> bool:
    """Whether a note is a sale in itself: a normal note of which some line may count."""
    return (
        invoice.purpose not in {"2", *_NO_GOODS}
        and not annuls(invoice)
        and any(tables.operation_of(line.cfop).kind == "sale" for line in invoice.lines)
    )


def operation(invoice: Invoice, line: Line) -> tuple[Finding, ...]:
    """What is against the operation as a sale: M09 (it is none), M15 (a second note of one mass)."""
    if invoice.purpose in _NO_GOODS:
        return (
            _no_sale("/NFe/infNFe/ide/finNFe", f"finNFe {invoice.purpose}: {_NO_GOODS[invoice.purpose]}"),
        )
    if annuls(invoice):
        return (_no_sale("/NFe/infNFe/ide/natOp", invoice.operation),)
    where = f"/NFe/infNFe/det[{line.number}]/prod"
    if invoice.purpose == "2":
        found = "finNFe 2: nota complementar, soma só o que faltou à primeira"
        return (finding("M15", where="/NFe/infNFe/ide/finNFe", found=found, expected="finNFe 1"),)
    kind = tables.operation_of(line.cfop)
    if kind.kind == "second":
        return (finding("M15", where=f"{where}/CFOP", found=f"{line.cfop}: {kind.what}", expected="venda"),)
    if kind.kind != "sale":
        severity = Severity.REVIEW if kind.kind in _ASKED else None
        return (_no_sale(f"{where}/CFOP", f"{line.cfop}: {kind.what}", severity=severity),)
    if (line.cfop[:1] in "123") is not invoice.self_issued:
        # Who sold to whom cannot be told from a note that contradicts itself.
        found = f"CFOP {line.cfop} em nota de {'entrada' if invoice.self_issued else 'saída'}"
        return (_no_sale(f"{where}/CFOP", found, severity=Severity.REVIEW),)
    if not line.counts_in_total:
        return (_no_sale(f"{where}/indTot", "indTot 0: fora do total da nota", severity=Severity.REVIEW),)
    return ()


def _no_sale(where: str, found: str, *, severity: Severity | None = None) -> Finding:
    return finding("M09", where=where, found=found, expected="operação de venda", severity=severity)
