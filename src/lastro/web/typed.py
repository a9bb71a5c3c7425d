"""Numbers as people type them in Brazil: points between thousands, a comma before the decimals."""

from __future__ import annotations

import re

from django.utils.translation import gettext as translate

from lastro.sheets.numbers import reads_two_ways, two_readings
from lastro.units import MOST_CENTS, MOST_MG, Mass, Money

YEARS = range(2000, 2101)
"""The years that any of this can be about."""

_BRAZILIAN = re.compile(r"([0-9]+|[0-9]{1,3}(\.[0-9]{3})+)(,[0-9]+)?")


def plain(text: str) -> str:
    """The number as a plain decimal with a full stop: 1.355,90 is 1355.90, and 1.355 is 1355.

    Raises ValueError for anything else, such as 1355.90: whether its point is one of thousands or of decimals
    is not guessed where a mass hangs on it.
    """
    found = _BRAZILIAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a number as typed in Brazil: {text!r}")
    return found[0].replace(".", "").replace(",", ".")


def year(text: str) -> int | None:
    """A year of four plain digits that any of this can be about; None for anything else."""
    asked = text.strip()
    found = int(asked) if re.fullmatch(r"[0-9]{4}", asked) else 0
    return found if found in YEARS else None


def counting(text: str) -> int | None:
    """A number that counts things, up to nine plain digits; None for anything else."""
    asked = text.strip()
    return int(asked) if re.fullmatch(r"[0-9]{1,9}", asked) else None


def kilograms(text: str) -> Mass:
    """A mass typed in kilograms, or none. Raises ValueError, in Portuguese, for any other text.

    What a spreadsheet could not tell apart is not guessed here either: 1.355 is written 1355 or 1,355.
    """
    if reads_two_ways(text.strip()):
        asked = {"text": text.strip(), "how": two_readings(text.strip())}
        raise ValueError(translate("A massa %(text)s se lê de dois modos: %(how)s.") % asked)
    try:
        return Mass.kg(plain(text))
    except ValueError:
        raise ValueError(translate("Escreva a massa em quilogramas, como 1.355,90.")) from None


def as_typed(mass: Mass) -> str:
    """Kilograms as a form shows them again: no point between thousands, which alone would read two ways."""
    return mass.kg_text.replace(".", ",")


def mass(text: str) -> Mass:
    """A mass above zero typed in kilograms. Raises ValueError, in Portuguese, for any other text."""
    found = kilograms(text)
    if not 0 < found.mg <= MOST_MG:
        most = {"most": Mass(MOST_MG)}
        raise ValueError(translate("A massa deve ser maior que zero e até %(most)s.") % most)
    return found


def money(text: str) -> Money | None:
    """An amount typed in reais; None where nothing was typed. Raises ValueError, in Portuguese.

    Zero is refused: what is asked for is the investment that was made, and nothing at all is not one.
    """
    if not text.strip():
        return None
    try:
        found = Money.brl(plain(text))
    except ValueError:
        raise ValueError(translate("Escreva o investimento em reais, como 1.800,00.")) from None
    if not 0 < found.cents <= MOST_CENTS:
        most = {"most": Money(MOST_CENTS)}
        raise ValueError(translate("O investimento deve ser maior que zero e até %(most)s.") % most)
    return found
