"""Tables of facts, each row with its source and date: what an NCM is made of, a CFOP does, a unit weighs.

They are facts about the world and its standards, not choices of one norm; those stand with the norm.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files

from lastro.ids import Material
from lastro.units import exact


@dataclass(frozen=True)
class Operation:
    """What a CFOP says happened: its class, and the words of the table."""

    kind: (
        str  # sale transfer return remittance donation loss service asset second other export import unknown
    )
    what: str


@dataclass(frozen=True)
class Band:
    """Between which prices, in reais a kilogram, a material is usually sold: wide, to catch slips of unit."""

    low: Fraction
    high: Fraction


def rows(table: str) -> list[dict[str, str]]:
    """The rows of one table, as text."""
    text = files(__name__).joinpath(f"{table}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def _ncm() -> dict[str, Material]:
    return {row["prefix"]: Material(row["material"]) for row in rows("ncm")}


@lru_cache(maxsize=4096)
def material_of(ncm: str) -> Material | None:
    """The material whose waste an NCM names, by its longest known beginning; None if it names no waste."""
    if not re.fullmatch(r"[0-9]{8}", ncm):
        return None
    return next((_ncm()[ncm[:n]] for n in range(8, 3, -1) if ncm[:n] in _ncm()), None)


@cache
def _units() -> dict[str, int]:
    return {row["unit"]: int(row["mg"]) for row in rows("units")}


@lru_cache(maxsize=4096)
def unit_mg(unit: str) -> int | None:
    """How many milligrams one of a written unit weighs; None where it is no mass, or could be something else.

    "MT" (metre or tonne) and "K" (carat in SEFAZ's table, kilogram in practice) are left out on purpose.
    """
    return _units().get(plain(unit).strip(" ."))


@cache
def _municipalities() -> dict[str, str]:
    return {row["code"]: f"{row['name']}/{row['uf']}" for row in rows("municipalities")}


def municipality(code: str) -> str | None:
    """The name of a municipality with its state ("Cuiabá/MT"), by its IBGE code; None for an unknown code."""
    return _municipalities().get(code)


@cache
def _operations() -> dict[tuple[str, str], Operation]:
    return {(row["direction"], row["suffix"]): Operation(row["class"], row["what"]) for row in rows("cfop")}


@lru_cache(maxsize=4096)
def operation_of(cfop: str) -> Operation:
    """What a CFOP says happened. First digit: 1 and 2 in, 3 import, 5 and 6 out, 7 export."""
    if not re.fullmatch(r"[123567][0-9]{3}", cfop):
        return Operation("unknown", "CFOP fora da tabela")
    direction = "in" if cfop[0] in "123" else "out"
    found = _operations().get((direction, cfop[1:]), Operation("unknown", "CFOP fora da tabela"))
    if found.kind == "sale" and cfop[0] == "7":
        return Operation("export", "venda para o exterior")
    if found.kind == "sale" and cfop[0] == "3":
        return Operation("import", "compra do exterior")
    return found


@cache
def _bands() -> dict[Material, Band]:
    return {
        Material(row["material"]): Band(exact(row["low_brl_per_kg"]), exact(row["high_brl_per_kg"]))
        for row in rows("prices")
    }


def band_of(material: Material) -> Band | None:
    """The usual price of a material, or None where no band is known."""
    return _bands().get(material)


@cache
def _words() -> tuple[tuple[str, re.Pattern[str]], ...]:
    by_material: dict[str, list[str]] = {}
    for row in rows("words"):
        by_material.setdefault(row["material"], []).append(row["word"])
    return tuple((name, re.compile(rf"\b(?:{'|'.join(words)})\b")) for name, words in by_material.items())


def named_in(description: str) -> set[str]:
    """The materials a description names, and "aerosol" where it names one."""
    return set(_named_in(description))


@lru_cache(maxsize=4096)
def _named_in(description: str) -> frozenset[str]:
    text = re.sub(r"\bNAO[ -]+FERROS[OA]S?\b", " ", plain(description))
    return frozenset(name for name, pattern in _words() if pattern.search(text))


def plain(text: str) -> str:
    """A text in capitals without accents."""
    decomposed = unicodedata.normalize("NFKD", text.upper())
    return "".join(c for c in decomposed if not unicodedata.combining(c))
