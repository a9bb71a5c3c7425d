"""Numbers as Brazilians and programs write them."""

from __future__ import annotations

import re
from fractions import Fraction

from lastro.sheets.cells import Cell

_PLAIN = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
_BRAZILIAN = re.compile(r"-?([0-9]{1,3}(\.[0-9]{3})+|[0-9]+)(,[0-9]+)?\Z")
_TWO_WAYS = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}\Z")


class Ambiguous(ValueError):
    """A number that reads two ways, a thousand times apart."""


def decimal(cell: Cell) -> Fraction:
    """The exact number in a cell: 1355.90 or 1.355,90; a cell typed as a number has one reading only.

    Raises Ambiguous for text such as "1.355", and ValueError for what is no number.
    """
    text = cell.text
    if cell.kind == "number":
        return Fraction(text)
    if cell.kind != "text":
        raise ValueError("not a number")
    if reads_two_ways(text):
        raise Ambiguous(text)
    if _PLAIN.match(text):
        return Fraction(text)
    if _BRAZILIAN.match(text):
        return Fraction(text.replace(".", "").replace(",", "."))
    raise ValueError("not a number")


def reads_two_ways(text: str) -> bool:
    """Whether a text such as "1.355" is a thousand and more, or one and a part."""
    return bool(_TWO_WAYS.match(text))


def two_readings(text: str) -> str:
    """How to write a number that reads two ways, in words for the person who wrote it."""
    whole, _, rest = text.partition(".")
    return f"escreva {whole}{rest} se são milhares, ou {whole},{rest} se são {whole} e três casas decimais"


def safe_text(text: str) -> str:
    """A text that no spreadsheet takes for a formula when it opens a csv: a quote goes before = + - @."""
    numeric = bool(_PLAIN.match(text) or _BRAZILIAN.match(text))
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") and not numeric else text
