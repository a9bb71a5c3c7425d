"""The quantities the law speaks of, exact and unmixable.

Mass is stored in whole milligrams (an NF-e line can carry a tenth of a gram, and 64 bits hold a
country for centuries). What the law derives from a mass, such as a target, may fall between two
milligrams: that is an `ExactMass`, compared unrounded and only rounded by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, total_ordering
from typing import Self

MG_PER_KG = 1_000_000

MOST_MG = 10**18
"""A thousand million tonnes: what a whole number of the ledger can hold."""

MOST_CENTS = 10**17
"""A thousand million million reais: nobody pays more, and the ledger holds it."""
_UNITS_MG = {"mg": 1, "g": 1_000, "kg": MG_PER_KG, "t": 1_000_000_000}
_DECIMAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?\Z")


@lru_cache(maxsize=16_384)
def scaled(text: str) -> tuple[int, int]:
    """Read a plain decimal as a whole number and how many of its digits are decimals: '13.50' is (1350, 2).

    Raises ValueError for what `exact` refuses.
    """
    text = text.strip()
    if not _DECIMAL.match(text):
        raise ValueError(f"not a plain decimal number: {text!r}")
    whole, _, decimals = text.partition(".")
    return int(whole + decimals), len(decimals)


@lru_cache(maxsize=16_384)
def exact(text: str) -> Fraction:
    """Read a plain decimal ('1355.90') exactly.

    Raises ValueError for anything else: exponents, thousands marks, commas, NaN, other digits than 0-9.
    """
    number, decimals = scaled(text)
    return Fraction(number, 10**decimals)


def how_many(number: int, one: str, many: str) -> str:
    """A number of things in words that agree with it: "1 correção", "2 correções"."""
    return f"{portuguese(str(number))} {one if number == 1 else many}"


def decimal_text(value: Fraction, *, most: int | None = None) -> str:
    """Write an exact number with as many decimals as it has (a full stop as decimal mark).

    A fraction that never ends is cut after `most` decimals (default 6), towards zero, and marked "…".
    """
    sign, value = ("-", -value) if value < 0 else ("", value)
    whole, rest = divmod(value.numerator, value.denominator)
    digits = ""
    limit = most if most is not None else 30 if _ends(value.denominator) else 6
    while rest and len(digits) < limit:
        digit, rest = divmod(rest * 10, value.denominator)
        digits += str(digit)
    mark = "…" if rest else ""
    return f"{sign}{whole}" + (f".{digits}{mark}" if digits or mark else "")


def _ends(denominator: int) -> bool:
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return denominator == 1


def portuguese(text: str) -> str:
    """Write a plain decimal the Brazilian way: 1355.9 becomes 1.355,9."""
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, decimals = text.partition(".")
    grouped = f"{int(whole):,}".replace(",", ".")
    return sign + grouped + (f",{decimals}" if decimals else "")


@dataclass(frozen=True, order=True)
class Mass:
    """A mass, as a whole number of milligrams."""

    mg: int

    def __post_init__(self) -> None:
        assert type(self.mg) is int, "a mass is a whole number of milligrams"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read "12.5 kg", "3 t", "400 g" or "1 mg". Raises ValueError below a milligram."""
        number, _, unit = text.strip().partition(" ")
        if unit not in _UNITS_MG:
            raise ValueError(f"a mass is written as '12.5 kg', not {text!r}")
        return cls.of(exact(number) * _UNITS_MG[unit])

    @classmethod
    def kg(cls, text: str) -> Self:
        """Read a decimal number of kilograms, such as "48000" or "0.5"."""
        return cls.of(exact(text) * MG_PER_KG)

    @classmethod
    def of(cls, mg: Fraction | int) -> Self:
        """Take an exact number of milligrams. Raises ValueError if it is not whole."""
        mg = Fraction(mg)
        if mg.denominator != 1:
            raise ValueError("finer than a milligram")
        return cls(int(mg))

    def __add__(self, other: Mass) -> Mass:
        return Mass(self.mg + other.mg)

    def __sub__(self, other: Mass) -> Mass:
        return Mass(self.mg - other.mg)

    def __bool__(self) -> bool:
        return self.mg != 0

    def share_of(self, whole: Mass) -> Share:
        """What part of the whole this is. Raises ZeroDivisionError on an empty whole."""
        return Share(Fraction(self.mg, whole.mg))

    @property
    def exact(self) -> ExactMass:
        return ExactMass(Fraction(self.mg))

    @property
    def kg_text(self) -> str:
        """The mass in kilograms as a plain decimal, with as many decimals as it has."""
        return decimal_text(Fraction(self.mg, MG_PER_KG))

    def __str__(self) -> str:
        return f"{portuguese(self.kg_text)} kg"


ZERO = Mass(0)


def total(masses: Iterable[Mass]) -> Mass:
    """Add masses up; nothing at all adds up to zero kilograms."""
    return Mass(sum(m.mg for m in masses))


@dataclass(frozen=True)
@total_ordering
class ExactMass:
    """A mass that law derives (a target, an obligation), exact to the fraction of a milligram."""

    mg: Fraction

    def __add__(self, other: ExactMass | Mass) -> ExactMass:
        return ExactMass(self.mg + other.mg)

    def __sub__(self, other: ExactMass | Mass) -> ExactMass:
        return ExactMass(self.mg - other.mg)

    def __mul__(self, share: Share) -> ExactMass:
        return ExactMass(self.mg * share.of_one)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Mass, ExactMass)) and self.mg == other.mg

    def __hash__(self) -> int:
        return hash(self.mg)

    def __lt__(self, other: ExactMass | Mass) -> bool:
        return self.mg < other.mg

    @property
    def ceiling(self) -> Mass:
        """The smallest whole number of milligrams that reaches this mass."""
        return Mass(-(-self.mg.numerator // self.mg.denominator))

    @property
    def floor(self) -> Mass:
        """The largest whole number of milligrams within this mass."""
        return Mass(self.mg.numerator // self.mg.denominator)

    def __str__(self) -> str:
        return f"{portuguese(decimal_text(self.mg / MG_PER_KG))} kg"


@dataclass(frozen=True, order=True)
class Share:
    """A part of a whole, exact; written and read in percent."""

    of_one: Fraction

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read "22%", "22 %" or "0.5%". Raises ValueError without the percent sign."""
        text = text.strip()
        if not text.endswith("%"):
            raise ValueError(f"a share is written with a percent sign, such as '22%', not {text!r}")
        return cls(exact(text[:-1]) / 100)

    def __add__(self, other: Share) -> Share:
        return Share(self.of_one + other.of_one)

    def __sub__(self, other: Share) -> Share:
        return Share(self.of_one - other.of_one)

    def __floordiv__(self, step: Share) -> int:
        """How many whole steps fit."""
        return self.of_one // step.of_one

    def __mul__(self, by: int | Share) -> Share:
        return Share(self.of_one * (by.of_one if isinstance(by, Share) else by))

    __rmul__ = __mul__

    def of(self, whole: Mass | ExactMass) -> ExactMass:
        """The exact mass that is this share of a whole."""
        return ExactMass(self.of_one * whole.mg)

    def __str__(self) -> str:
        return f"{decimal_text(self.of_one * 100).replace('.', ',')}%"


@dataclass(frozen=True, order=True)
class Money:
    """An amount of reais, as a whole number of cents."""

    cents: int

    @classmethod
    def brl(cls, text: str) -> Self:
        """Read "1800.00". Raises ValueError below a cent."""
        cents = exact(text) * 100
        if cents.denominator != 1:
            raise ValueError("finer than a cent")
        return cls(int(cents))

    def __add__(self, other: Money) -> Money:
        return Money(self.cents + other.cents)

    def __bool__(self) -> bool:
        return self.cents != 0

    def __sub__(self, other: Money) -> Money:
        return Money(self.cents - other.cents)

    def __str__(self) -> str:
        sign, cents = ("-", -self.cents) if self.cents < 0 else ("", self.cents)
        return f"R$ {sign}{portuguese(str(cents // 100))},{cents % 100:02d}"

    @property
    def brl_text(self) -> str:
        """The amount as a plain decimal with its two cents, such as "1800.00"."""
        sign, cents = ("-", -self.cents) if self.cents < 0 else ("", self.cents)
        return f"{sign}{cents // 100}.{cents % 100:02d}"
