"""The papers of a load that the free text of a note names: manifests (MTR) and weighing slips.

A note has no field for either: people write them among the remarks. Of manifests only numbers of the two
lengths that these have (12 digits in SINIR, 10 in the states) and that follow the word itself are taken; of
slips what follows the word "ticket" (or "tíquete", "comprovante de pesagem"), with three digits or more.
"""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"\b(?:M\.? ?T\.? ?R\.?S?|MANIFESTOS? DE TRANSPORTE(?: DE RES[IÍ]DUOS?)?)"
    r"(?:[^0-9A-Z]|(?:SINIR|SIGOR|NUMEROS?|NÚMEROS?|N[º°]S?|NRS?|NO|N|E)\b)*"
)
_NUMBER = re.compile(r"(?<![0-9])([0-9]{12}|[0-9]{10}|[0-9]{4}\.[0-9]{4}\.[0-9]{4})(?![0-9]|\.[0-9])")
_BETWEEN = re.compile(r"(?:[^0-9A-Z]|E\b)*")
_SLIP_WORDS = (r"TICKETS?|T[IÍ]QUETES?", r"(?:COMPROVANTE|NOTA|ROMANEIO) DE PESAGEM", r"PESAGEM(?= N)")
_SLIP = re.compile(
    rf"\b(?:{'|'.join(_SLIP_WORDS)})"
    r"(?:[^0-9A-Z]|(?:DE|DA|DO|BALAN[CÇ]A|RODOVI[AÁ]RIA|PESAGEM|N[UÚ]MEROS?|N[º°O]S?|NRS?|N)\b)*"
    r"([0-9][0-9A-Z]*(?:[./-][0-9A-Z]+)*)"
)
SLIP = "balança/"
"""What stands before the number of a weighing slip, to tell it from a manifest's."""
_MANY_DIGITS = re.compile(r"(?:[0-9][^0-9]*){3}")
_SLIP_LONGEST = 20
_LONGEST = 10_000
_MOST = 50


def manifests_named(*texts: str) -> tuple[str, ...]:
    """The manifests named, and the weighing slips with SLIP before their number, each once, in the order of
    the texts; of a very long text only the beginning.
    """
    found: dict[str, None] = {}
    for text in texts:
        if len(text) < 13:
            continue
        plain = text[:_LONGEST].upper()
        if "MTR" in plain or "M.T.R" in plain or "MANIFESTO" in plain:
            found.update(dict.fromkeys(_named(plain)))
        if "KET" in plain or "QUET" in plain or "PESAGEM" in plain:
            found.update(dict.fromkeys(_slips(plain)))
    return tuple(found)[:_MOST]


def _named(plain: str) -> list[str]:
    numbers: list[str] = []
    for word in _WORDS.finditer(plain):
        at = word.end()
        while number := _NUMBER.match(plain, at):
            numbers.append(number[1].replace(".", ""))
            between = _BETWEEN.match(plain, number.end())
            at = between.end() if between else number.end()
    return numbers


def _slips(plain: str) -> list[str]:
    """The slips by their letters and digits alone, without zeros in front: people write one in many ways."""
    written = ("".join(filter(str.isalnum, one)).lstrip("0") for one in _SLIP.findall(plain))
    return [SLIP + one for one in written if len(one) <= _SLIP_LONGEST and _MANY_DIGITS.search(one)]
