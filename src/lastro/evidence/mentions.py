"""The numbers of transport manifests (MTR) that the free text of a note names.

A note has no field for its manifest: people write it among the remarks. Only numbers of the two lengths that
manifests have (12 digits in SINIR, 10 in the states) and that follow the word itself are taken.
"""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"\b(?:M\.? ?T\.? ?R\.?S?|MANIFESTOS? DE TRANSPORTE(?: DE RES[IÍ]DUOS?)?)"
    r"(?:[^0-9A-Z]|(?:SINIR|SIGOR|NUMEROS?|NÚMEROS?|N[º°]S?|NRS?|NO|N|E)\b)*"
)
_NUMBER = re.compile(r"(?<![0-9])([0-9]{12}|[0-9]{10}|[0-9]{4}\.[0-9]{4}\.[0-9]{4})(?![0-9]|\.[0-9])")
_BETWEEN = re.compile(r"(?:[^0-9A-Z]|E\b)*")
_LONGEST = 10_000
_MOST = 50


def manifests_named(*texts: str) -> tuple[str, ...]:
    """The numbers named, in the order of the texts, each once; of a very long text only the beginning."""
    found: dict[str, None] = {}
    for text in texts:
        if len(text) < 13:
            continue
        plain = text[:_LONGEST].upper()
        if "MTR" in plain or "M.T.R" in plain or "MANIFESTO" in plain:
            found.update(dict.fromkeys(_named(plain)))
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
