"""The options of a company in a facts file: only those that the norm leaves to it, each once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lastro import jsonfile
from lastro.jsonfile import Node, once_each
from lastro.lawkit.regulation import Option
from lastro.tables import municipality

Options = Mapping[str, Option]
FLAG = "true ou false"


def towns(value: Any) -> list[str]:
    """Codes of municipalities that the table has."""
    if not isinstance(value, list) or not value:
        raise ValueError
    return [town(one) for one in value]


def town(value: Any) -> str:
    """The code of a municipality that the table has, seven digits."""
    if municipality(jsonfile.text(value)) is None:
        raise ValueError
    return str(value)


TOWN = "o código IBGE, 7 dígitos entre aspas, de um município que existe"
KINDS: Mapping[str, tuple[Callable[[Any], object], str]] = {
    "mass": (jsonfile.mass, jsonfile.MASS),
    "year": (jsonfile.year, "um ano sem aspas, como 2024"),
    "day": (jsonfile.day, "uma data, como 2026-03-31"),
    "flag": (jsonfile.flag, FLAG),
    "towns": (towns, f"uma lista; em cada item, {TOWN}"),
}


def election(row: Node, options: Options | None) -> dict[str, Any]:
    """One option as written. Without the norm's options (None) nothing is known of its keys."""
    if options is None:
        row.asked |= set(row.raw)
        return dict(row.raw)
    named = ", ".join(options) or "nenhuma: esta norma não deixa opção à empresa"
    name = row.need("option", jsonfile.one_of(tuple(options)), "", f"uma das opções da norma ({named})")
    if name not in options:
        row.asked |= set(row.raw)
        return dict(row.raw)
    for key, kind in options[name].keys.items():
        read, expected = (
            KINDS[kind] if isinstance(kind, str) else (jsonfile.one_of(kind), f"um de {', '.join(kind)}")
        )
        row.may(key, read, None, expected)  # what a rule cannot do without, it asks for itself
    return dict(row.raw)


def once(row: Node, found: tuple[dict[str, Any], ...], options: Options | None) -> None:
    """A company's option is told once for each thing it is about: two would silently add up or overrule."""
    known = options or {}
    names = []
    for number, one in enumerate(found):
        option = known.get(str(one.get("option")))
        about = [str(one.get(key)) for key in option.by] if option else [f"#{number}"]
        names.append((str(one.get("option")), *about))
    once_each(row, "elections", names)
