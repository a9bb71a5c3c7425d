"""How many live in each municipality, and where its seat is: facts of IBGE, each row with source and date.

Coordinates are of the seat, in SIRGAS 2000, in degrees. What is not known is None, which is not zero: who
lives in a municipality founded after the count is still counted in those that it came from.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files

from lastro.ids import uf_of
from lastro.units import exact

SOURCE = "IBGE: censo de 2022 (tabela 9514) e estimativa de 2024; consultado em 30/11/2026"


@dataclass(frozen=True)
class Place:
    """A municipality: its people by the census and by the last estimate, and its seat."""

    code: str
    name: str
    census_2022: int | None
    estimate_2024: int | None
    latitude: Fraction
    longitude: Fraction

    @property
    def population(self) -> int | None:
        """The last figure known."""
        return self.estimate_2024 if self.estimate_2024 is not None else self.census_2022


@cache
def places() -> Mapping[str, Place]:
    """Every municipality by its IBGE code."""
    names = {row["code"]: row["name"] for row in _rows("municipalities.csv")}
    return {
        row["code"]: Place(
            row["code"],
            names[row["code"]],
            int(row["census_2022"]) if row["census_2022"] else None,
            int(row["estimate_2024"]) if row["estimate_2024"] else None,
            exact(row["latitude"]),
            exact(row["longitude"]),
        )
        for row in _rows("populations.csv")
    }


@cache
def in_state(uf: str) -> tuple[Place, ...]:
    """The municipalities of a state, by code."""
    return tuple(one for code, one in sorted(places().items()) if uf_of(code) == uf)


def _rows(name: str) -> csv.DictReader[str]:
    return csv.DictReader(files("lastro.tables").joinpath(name).read_text("utf-8").splitlines())
