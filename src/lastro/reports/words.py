"""How a report's names and values are said to a person: labels from `words.toml`, numbers the local way."""

from __future__ import annotations

import tomllib
from datetime import date
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from lastro.ids import masked
from lastro.lawkit.glossary import capital, glossary, label
from lastro.reports.cells import Cell
from lastro.tables import municipality
from lastro.units import MG_PER_KG, ExactMass, Mass, Money, Share, decimal_text, portuguese


@cache
def _words() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("lastro.reports").joinpath("words.toml").read_text("utf-8"))


def word(table: str, name: str, lang: str = "pt") -> str:
    """The label of a name in a table of words; a name without one is shown as it is (a test forbids it)."""
    entry = _words()[table].get(name)
    return str(entry[lang]) if entry else name


def has(table: str, name: str) -> bool:
    """Whether a table of words knows a name."""
    return name in _words()[table]


def column(section: str, name: str, lang: str = "pt") -> str:
    """The head of a column; a section may have its own word for it."""
    own = _words()["own"].get(section, {}).get(name)
    return str(own[lang]) if own else word("column", name, lang)


def row_name(key: str, lang: str = "pt") -> str:
    """The name of a row of names and values: `term.1`, `kind.nfe`, `year`."""
    head, _, tail = key.partition(".")
    if not tail:
        return word("row", head, lang)
    return (
        f"{word('row', head, lang)}: {named(tail, lang)}" if not tail.isdigit() else word("row", head, lang)
    )


def named(name: str, lang: str = "pt") -> str:
    """A material, origin, state or code as a word."""
    return word("label", name, lang) if has("label", name) else label(name, lang=lang)


def known(name: str) -> bool:
    """Whether a name has a word of ours."""
    return has("label", name) or name in glossary()


def number(text: str, lang: str) -> str:
    """A plain decimal with its groups of thousands, the way the language writes it."""
    if lang == "pt":
        return portuguese(text)
    swapped = portuguese(text)
    return swapped.translate(str.maketrans(",.", ".,"))


def said(cell: Cell, *, column: str = "", lang: str = "pt") -> str:
    """A cell as a person reads it; what has no value says why, and a warning stands behind its value."""
    value, code = cell.value, cell.code
    if column == "met":
        name = "unknown" if value is None else "yes" if value else "no"
        return word("met", name, lang) + (f" ({code})" if code and value is None else "")
    if value is None:
        return f"{word('none', 'code', lang)} ({code})" if code else word("none", "plain", lang)
    return _said(value, cell.unit, lang) + (f" ({code})" if code else "")


def _said(value: Any, unit: str, lang: str) -> str:
    if isinstance(value, bool):
        return word("flag", "yes" if value else "no", lang)
    if isinstance(value, Mass):
        return number(value.kg_text, lang)
    if isinstance(value, ExactMass):
        return number(decimal_text(value.mg / MG_PER_KG), lang)
    if isinstance(value, Share):
        return number(decimal_text(Fraction(value.of_one * 100)), lang) + "%"
    if isinstance(value, Money):
        return number(value.brl_text, lang)
    if isinstance(value, Fraction):
        return number(decimal_text(value), lang)
    if isinstance(value, date):
        return _day(value, lang)
    if unit == "town":
        name = municipality(str(value))
        return f"{name} ({value})" if name else str(value)
    if unit == "section":
        return word("section", str(value), lang)
    if unit == "material":
        return " / ".join(capital(named(part, lang)) for part in str(value).split("/"))
    if unit == "count":
        return number(str(value), lang)
    return capital(named(value, lang)) if unit == "label" else str(value)


def where_said(path: str, lang: str = "pt") -> str:
    """The place of a cell, `section/row/column`, by the labels that the report itself shows."""
    if path in ("basis", "blocks"):
        return word("head", "basis", lang) if path == "basis" else word("section", "blocks", lang)
    section, _, rest = path.partition("/")
    row, _, name = rest.rpartition("/")
    parts = [word("section", section, lang), _row_said(section, row, lang)]
    return " › ".join([*parts, *([] if name == "value" else [column(section, name, lang)])])


def _row_said(section: str, key: str, lang: str) -> str:
    """A row by what it is of: a municipality, an establishment, a line of a note, a material, a name."""
    head, _, tail = key.partition(".")
    if section in ("members", "partnerships") and tail:
        return (
            f"{masked(head)} ({word('column', 'from', lang).lower()} {_day(date.fromisoformat(tail), lang)})"
        )
    if section in ("fallen", "notes", "collisions") and tail:
        return f"{head}, {column('', 'line', lang).lower()} {tail}"
    if section == "geography" and key.isdigit():
        return _said(key, "town", lang)
    if has("row", head):
        return row_name(key, lang)
    name = named(key, lang)
    return key if name == key else capital(name)


def plainly(value: Any, unit: str, *, column: str = "", lang: str = "pt") -> str:
    """A value as a file keeps it (see `Cell.json`), the way a person reads it."""
    if column == "met" and isinstance(value, bool):
        return word("met", "yes" if value else "no", lang)
    if isinstance(value, bool):
        return _said(value, unit, lang)
    if unit == "brl":
        return f"R$ {number(value, lang)}"
    if unit in ("kg", "share", "number"):
        text = number(decimal_text(Fraction(value)), lang)
        if unit == "number":
            return text
        return f"{text} kg" if unit == "kg" else f"{text}%"
    if unit == "date":
        return _day(date.fromisoformat(value), lang)
    return _said(value, unit, lang)


def _day(day: date, lang: str) -> str:
    return f"{day:%d/%m/%Y}" if lang == "pt" else day.isoformat()
