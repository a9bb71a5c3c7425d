"""Invented lots for the ledger's tests."""

from __future__ import annotations

from datetime import date

from lastro.facts import Lot
from lastro.ids import Material, Origin, cnpj_check_digits, mod11
from lastro.ledger import LotFacts, Posting, Reason
from lastro.units import Mass


def cnpj(name: str, *, branch: str = "0001") -> str:
    """An invented CNPJ of the company ZZ + name (up to six characters)."""
    base = f"ZZ{name:0>6}{branch}"
    return base + cnpj_check_digits(base)


ENTITY, OTHER, VERIFIER, COMPANY = cnpj("ENT1"), cnpj("ENT2"), cnpj("VER1"), cnpj("CIA1")
SELLER, BUYER = cnpj("COOP"), cnpj("RECICL")
DAY = date(2026, 6, 1)


def key(number: int) -> str:
    """An invented access key with a right check digit."""
    body = f"512606{SELLER}55001{number:09d}1{number:08d}"
    return body + mod11(body)


def lot(number: int, *, line: int = 1, claimant: str = ENTITY) -> Lot:
    return Lot(key(number), line, claimant)


def enter(
    number: int,
    mg: int,
    *,
    line: int = 1,
    claimant: str = ENTITY,
    day: date = DAY,
    material: Material = Material.GLASS,
    year: int = 2026,
    book: str = "TARGET",
) -> Posting:
    """A posting that enters so many milligrams into a lot."""
    facts = LotFacts(
        material=material,
        issued_on=day,
        issuer=SELLER,
        recipient=BUYER,
        year=year,
        norm="mt/decreto_1455_2025",
        municipality="5103403",
        municipality_source="operator",
        origin=Origin.PICKER_ENTITY,
        book=book,
    )
    return Posting(lot(number, line=line, claimant=claimant), Mass(mg), Reason.ENTER, day, facts)


def back(number: int, mg: int, reason: Reason, *, line: int = 1, claimant: str = ENTITY) -> Posting:
    """A posting that takes so many milligrams back from a lot."""
    return Posting(lot(number, line=line, claimant=claimant), Mass(mg), reason, DAY)
