"""Invented manifests, certificates and notes that matching is tried on."""

from __future__ import annotations

from datetime import date
from typing import Any

from lastro.custody.links import Goods, Note
from lastro.ids import Material, company_of, mod11
from lastro.units import Mass
from lastro.waste import DestinationCertificate, Manifest, Residue
from tests.custody.test_settle import BUYER, SELLER, cnpj

PAIR = frozenset((company_of(SELLER), company_of(BUYER)))
OTHER = cnpj("OUTRA")
KG = 1_000_000
GLASS, PAPER, MIXED = "150107", "150101", "150106"
DAY = date(2026, 6, 10)


def key(number: int) -> str:
    body = f"512606{SELLER}55001{number:09d}1{number:08d}"
    return body + mod11(body)


def mtr_number(n: int) -> str:
    return f"{260_000_000_000 + n}"


def residue(
    received: str | None = "1000", *, code: str = GLASS, treatment: str = "Reciclagem", **more: Any
) -> Residue:
    values: dict[str, Any] = {
        "description": "", "unit": "KG", "indicated": "1000", "density": None, **more,
    }  # fmt: skip
    return Residue(code=code, received=received, treatment=treatment, **values)


def mtr(n: int, *residues: Residue, **more: Any) -> Manifest:
    values: dict[str, Any] = {
        "number": mtr_number(n), "state_number": "", "system": "SINIR", "kind": "Normal",
        "situation": "Recebido", "issued_on": DAY, "shipped_on": DAY, "received_on": DAY,
        "generator": SELLER, "carrier": "", "destination": BUYER, "storage": "", "plate": "", **more,
    }  # fmt: skip
    return Manifest(residues=residues or (residue(),), **values)


def cdf(n: int, *residues: Residue, of: tuple[int, ...] = (), **more: Any) -> DestinationCertificate:
    values: dict[str, Any] = {
        "number": f"{n}", "system": "SINIR", "destination": BUYER, "generator": SELLER,
        "period_from": date(2026, 6, 1), "period_to": date(2026, 6, 30), "declared_on": date(2026, 7, 1),
        "manifests": tuple(map(mtr_number, of)), **more,
    }  # fmt: skip
    return DestinationCertificate(residues=residues, **values)


def note(n: int, mg: int = 1_000_000_000, *, named: tuple[int, ...] = (), **more: Any) -> Note:
    goods = more.pop("goods", (Goods(1, Material.GLASS, Mass(mg)),))
    values: dict[str, Any] = {"issued_on": DAY, "parties": PAIR, **more}
    return Note(key(n), goods=goods, named=frozenset(map(mtr_number, named)), **values)
