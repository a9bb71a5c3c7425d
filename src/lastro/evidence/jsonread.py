"""Bytes → JSON as evidence is read: bounded, each key once, numbers as they were written.

A file from outside may be nested without end, name a key twice so that two readers see two values, or hold a
number that no memory holds; each of these is a finding and none of them is a value.
"""

from __future__ import annotations

import json
import re
from typing import Any

from lastro.evidence.unfit import Unfit
from lastro.findings import finding

MOST_BYTES = 8 * 1024 * 1024
MOST_VALUES = 600_000
MOST_DIGITS = 40
"""What fits well within the memory that one file may take: some thousands of manifests."""

_UTF16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class Number(str):
    """The literal of a number, as it was written."""


def looks(data: bytes) -> bool:
    """Whether the bytes begin as a JSON object or list does."""
    if data[:2] in _UTF16:
        return data[2:64].replace(b"\0", b"").lstrip()[:1] in (b"{", b"[")
    return data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def parse(data: bytes) -> Any:
    """The value of one JSON text; numbers are `Number`. Raises Unfit with F03 or F05."""
    if len(data) > MOST_BYTES:
        raise Unfit(finding("F03", found=f"JSON de {len(data)} bytes", expected=f"até {MOST_BYTES} bytes"))
    values = sum(data.count(mark) for mark in (b",", b"{", b"["))
    if values > MOST_VALUES:
        raise Unfit(finding("F03", found=f"JSON de {values} valores", expected=f"até {MOST_VALUES} valores"))
    try:
        return json.loads(
            _text(data),
            parse_int=_number,
            parse_float=_number,
            parse_constant=_constant,
            object_pairs_hook=_once,
        )
    except RecursionError as wrong:
        raise _broken("JSON aninhado demais") from wrong
    except json.JSONDecodeError as wrong:
        raise _broken(f"JSON malformado na linha {wrong.lineno}") from wrong


def _text(data: bytes) -> str:
    encoding = _UTF16.get(data[:2], "utf-8-sig")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        if encoding == "utf-16":
            raise _broken("JSON em UTF-16 quebrado") from None
    # State systems answer in Latin-1 too; its letters stand in names only, and no name is evidence.
    return data.decode("cp1252", "replace")


def _number(literal: str) -> Number:
    if len(literal) > MOST_DIGITS or not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?", literal):
        raise _broken(f"número de {len(literal)} algarismos")
    return Number(literal)


def _constant(literal: str) -> Any:
    raise _broken(f"{literal}, que não é um número")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _broken(f"a chave “{twice[:40]}” aparece duas vezes num mesmo objeto")
    return made


def _broken(found: str) -> Unfit:
    return Unfit(finding("F05", found=found, expected="JSON bem formado, como o serviço do MTR o dá"))
