"""The lines of a common note: their masses and prices, where each is told plainly and all fit together.

What a line shares with others (goods, units, operation) was judged before; here are its numbers. Both of its
quantities must tell the same mass, its price must be a usual one on that day, the norm must have nothing
against such a line, and the note's one volume must weigh what the lines do. Whole numbers throughout. Else
nothing is said, and `weigh` and `admit` say it.
"""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple, TypeVar

from lastro import tables
from lastro.evidence.admit import candidate_of, objections_to
from lastro.evidence.fast import Seen
from lastro.evidence.fast_rows import LineRow, line_of, numbers_of, units_of
from lastro.ids import Material, Origin
from lastro.lawkit import Law
from lastro.lawkit.regulation import Regulation
from lastro.units import MG_PER_KG

Texts = tuple[str, ...]
_POWERS = tuple(10**n for n in range(20))
_POSITIONS = tuple(str(n) for n in range(1, 1000))
_MOST_MG = 60_000 * MG_PER_KG
"""A lorry's load: what is said to weigh more goes the long way."""
MOST_KNOWN = 20_000


class Sort(NamedTuple):
    """Lines alike but for their numbers: their texts, their material, the milligrams of their two units."""

    shared: Texts
    material: str
    unit: int
    other: int


class Usual(NamedTuple):
    """The usual prices of a material: reais a milligram from `low` / `per_low` to `high` / `per_high`."""

    low: int
    per_low: int
    high: int
    per_high: int


Known = TypeVar("Known", bound=dict[Any, Any])


def bounded(known: Known) -> Known:
    """What is known, or nothing of it any more where that is a great deal: then it is learned again."""
    if len(known) >= MOST_KNOWN:
        known.clear()
    return known


def sort_of(line: Texts, material: Material | None) -> Sort | None:
    """Which lines a line of this material is alike; None where its two units are not both of mass."""
    shared = line_of(line)
    unit, other = (tables.unit_mg(unit) for unit in units_of(shared))
    return Sort(shared, material.value, unit, other) if material and unit and other else None


class Lines:
    """Weighs lines and asks the norm of a year about them, once for each day, material and origin."""

    def __init__(self, regulation: Regulation, law: Law, *, year: int) -> None:
        self._regulation, self._law, self._year = regulation, law, year
        self._days: dict[tuple[date, str], dict[str, Usual | None]] = {}

    def of(
        self, found: Seen, sorts: dict[Texts, Sort], *, on: date, origin: str
    ) -> tuple[LineRow, ...] | None:
        """The lines of a note with their masses; None where one is not of a known sort, or not in order."""
        day = self._days.get((on, origin))
        if day is None:
            day = bounded(self._days)[on, origin] = {}
        lines: list[LineRow] = []
        total = 0
        for position, line in zip(_POSITIONS, found.lines, strict=False):
            sort = sorts.get(line_of(line))
            number, quantity, taxable, value = numbers_of(line)
            if sort is None or number != position:
                return None
            if sort.material not in day:
                day[sort.material] = self._asked(sort.material, on, origin)
            usual = day[sort.material]
            mg = _weighed(sort, quantity, taxable, value, usual) if usual is not None else 0
            if not mg:
                return None
            total += mg
            lines.append((sort.shared, sort.material, quantity, taxable, value, mg))
        if len(lines) != len(found.lines) or total > _MOST_MG or not _carried(found, total):
            return None
        return tuple(lines)

    def _asked(self, material: str, on: date, origin: str) -> Usual | None:
        """The usual prices of a material on a day; None without them, or where the norm objects to it."""
        candidate = candidate_of(
            issued_on=on,
            material=Material(material),
            aerosol=False,
            origin=Origin(origin),
            recycler=True,
            year=self._year,
        )
        band = tables.band_of(Material(material), on)
        if band is None or objections_to(self._regulation, self._law, candidate):
            return None
        low, high = band.low, band.high
        return Usual(low.numerator, low.denominator * MG_PER_KG, high.numerator, high.denominator * MG_PER_KG)


def _weighed(sort: Sort, quantity: str, taxable: str, value: str, usual: Usual) -> int:
    """The milligrams of a line, where both quantities say so and its price is a usual one; else zero."""
    number, scale = scaled(quantity)
    same, per = scaled(taxable)
    mg, finer = divmod(number * sort.unit, scale)
    if finer or number * sort.unit * per != same * sort.other * scale:
        return 0
    price, cents = scaled(value)
    low, per_low, high, per_high = usual
    each = cents * mg
    return mg if price and low * each <= price * per_low and price * per_high <= high * each else 0


def _carried(found: Seen, total: int) -> bool:
    """Whether one volume weighs net what the lines do together, and gross no less."""
    if len(found.net_weights) != 1 or len(found.gross_weights) != 1:
        return False
    net, by = scaled(found.net_weights[0])
    gross, per = scaled(found.gross_weights[0])
    return net * MG_PER_KG == total * by and gross * MG_PER_KG >= total * per


def scaled(written: str) -> tuple[int, int]:
    """A plain decimal as a whole number and what it is divided by; (0, 1) where it is not so written."""
    whole, _, decimals = written.partition(".")
    digits = whole + decimals
    plain = digits.isdecimal() and digits.isascii() and len(written) < 19
    if not (plain and whole and (decimals or whole == written)):
        return 0, 1
    return int(digits), _POWERS[len(decimals)]
