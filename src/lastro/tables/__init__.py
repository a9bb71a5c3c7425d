"""Tables of facts, each row with its source and date: what an NCM is made of, a CFOP does, a unit weighs.

They are facts about the world and its standards, not choices of one norm; those stand with the norm.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files

from lastro.ids import Material
from lastro.units import exact

OPERATIONS = (
    "sale",  # the mass counts here
    "second",  # another document of the pair is the one that counts
    "return",
    "transfer",
    "remittance",
    "donation",
    "loss",
    "service",
    "adjustment",  # no goods move
    "asset",
    "fuel",
    "export",
    "import",
    "other",
    "unknown",
)


@dataclass(frozen=True)
class Operation:
    """What a CFOP says happened: its class, and the words of the table."""

    kind: str  # one of OPERATIONS
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


@dataclass(frozen=True)
class Box:
    """Between which parallels and meridians a state lies, in degrees, rounded outward to a tenth or more."""

    south: Fraction
    north: Fraction
    west: Fraction
    east: Fraction

    def holds(self, latitude: Fraction, longitude: Fraction) -> bool:
        """Whether a point lies in the box: one outside is not in the state, one inside may still not be."""
        return self.south <= latitude <= self.north and self.west <= longitude <= self.east


@cache
def box_of(uf: str) -> Box | None:
    """The box of a state by its two letters; None for an unknown one."""
    found = next((row for row in rows("bounds") if row["uf"] == uf), None)
    if found is None:
        return None
    return Box(*(exact(found[side]) for side in ("south", "north", "west", "east")))


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
def _operations() -> dict[str, Operation]:
    """Every CFOP of the table by its four digits: the last three say what happened, the first to where."""
    return {
        first + row["suffix"]: Operation(row["class"], row["what"])
        for row in rows("cfop")
        for first in row["first"]
    }


@lru_cache(maxsize=4096)
def operation_of(cfop: str) -> Operation:
    """What a CFOP says happened. First digit: 1 and 2 in, 3 import, 5 and 6 out, 7 export."""
    found = _operations().get(cfop, Operation("unknown", "CFOP fora da tabela"))
    if found.kind == "sale" and cfop[0] == "7":
        return Operation("export", "venda para o exterior: a massa sai do país")
    if found.kind == "sale" and cfop[0] == "3":
        return Operation("import", "compra do exterior")
    return found


@cache
def _bands() -> dict[Material, list[tuple[date, Band]]]:
    """The bands of each material, the latest first."""
    found: dict[Material, list[tuple[date, Band]]] = {}
    for row in sorted(rows("prices"), key=lambda row: row["from"], reverse=True):
        band = Band(exact(row["low_brl_per_kg"]), exact(row["high_brl_per_kg"]))
        found.setdefault(Material(row["material"]), []).append((date.fromisoformat(row["from"]), band))
    return found


@lru_cache(maxsize=4096)
def band_of(material: Material, on: date) -> Band | None:
    """The usual price of a material on a day, or None where no band is known for it."""
    return next((band for since, band in _bands().get(material, ()) if since <= on), None)


@cache
def _words() -> tuple[tuple[str, re.Pattern[str]], ...]:
    by_material: dict[str, list[str]] = {}
    for row in rows("words"):
        by_material.setdefault(row["material"], []).append(row["word"])
    return tuple((name, re.compile(rf"\b(?:{'|'.join(words)})\b")) for name, words in by_material.items())


_DENIED = re.compile(r"\b(?:NAO|SEM|LIVRE DE)[ -]+(?:FERROS|PERIGOS|CONTAMINA|EXPLOSIV|AGROTOXIC)\w*")
"""What a description says it is not."""


def named_in(description: str) -> set[str]:
    """The materials a description names, with "aerosol" and "hazardous" where it names such things."""
    return set(_named_in(description))


@lru_cache(maxsize=4096)
def _named_in(description: str) -> frozenset[str]:
    text = _DENIED.sub(" ", plain(description))
    return frozenset(name for name, pattern in _words() if pattern.search(text))


def plain(text: str) -> str:
    """A text in capitals without accents."""
    decomposed = unicodedata.normalize("NFKD", text.upper())
    return "".join(c for c in decomposed if not unicodedata.combining(c))
