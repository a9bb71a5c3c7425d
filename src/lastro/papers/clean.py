"""Text from outside is made fit for paper: no hidden marks, no letters that the fonts can't draw."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

_DRAWN = (
    (0x20, 0x7E), (0xA1, 0xAC), (0xAE, 0x17F), (0x391, 0x3A1), (0x3A3, 0x3C9),
    (0x410, 0x44F), (0x2010, 0x2014), (0x2018, 0x201A), (0x201C, 0x201E), (0x2020, 0x2022),
    (0x2026, 0x2026), (0x2030, 0x2030), (0x20AC, 0x20AC), (0x2212, 0x2212), (0x2260, 0x2260),
    (0x2264, 0x2265),
)  # fmt: skip
"""The letters that the embedded fonts draw: Latin, Greek, Cyrillic, and the marks of ordinary text."""


def cleaned(value: Any) -> Any:
    """The same data with every text fit for paper.

    Numbers are refused: how to write one is decided above.
    """
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {str(key): cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(item) for item in value]
    assert value is None or isinstance(value, bool), f"a paper takes text, not {type(value).__name__}"
    return value


def clean_text(text: str) -> str:
    """One line of text in composed letters; what can't be drawn is shown by its number, never left out.

    A mark that turns the direction of reading could make a name read as another: it is shown too.
    """
    composed = unicodedata.normalize("NFC", text)
    return "".join(_shown(letter) for letter in composed)


def _shown(letter: str) -> str:
    if letter in "\n\r\t\v\f\u00a0\u202f\u2009\u2028\u2029":
        return " "
    code = ord(letter)
    if any(first <= code <= last for first, last in _DRAWN):
        return letter
    return f"[U+{code:04X}]"
