"""A document that an entity fills in, read by what its norm asks: every part, every field, or that it lacks.

A field that is not told is None and stays so: missing is not zero. A part or field that the norm does not
ask for is refused, since a misspelt name must not be lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro import jsonfile
from lastro.errors import LastroError
from lastro.ids import Material, bare, is_cnpj, is_cpf, uf_of
from lastro.jsonfile import Node
from lastro.lawkit import Regulation
from lastro.lawkit.contents import Contents, Field, Part, Rows, Told
from lastro.obligations.facts_file import Facts, facts_of
from lastro.units import Share, exact

SUFFIX = {"kg": "_kg", "brl": "_brl"}
"""The unit stands in the key of a number, as everywhere in our files."""

_OF_WORDS = ("label", "code", "section")
_MOST_DEGREES = {"latitude": 90, "longitude": 180}


@dataclass(frozen=True)
class Filled:
    """What was filled in: who tells it, of which year, the lines of each part, the facts of the targets."""

    year: int
    cnpj: str
    name: str
    contents: Contents
    rows: Rows
    facts: Facts | None


def read(regulation: Regulation, kind: str, text: str) -> Filled:
    """Read a document of a kind. Raises JsonRefused naming every place that has to be mended."""
    return jsonfile.read_document(text, lambda top: _filled(regulation, kind, top))


def _filled(regulation: Regulation, kind: str, top: Node) -> Filled:
    # A year that cannot be read is told with the rest, by what the norm asks in its first whole year.
    year = top.need("year", jsonfile.year, regulation.norm.in_force_since.year + 1, "o ano, como 2026")
    cnpj, name = top.part("entity", _entity) or ("", "")
    if "entity" not in top.raw:
        top.wrong("entity", None, "quem informa: {cnpj, name}")
    law = regulation.law(date(year, 12, 31))
    contents = regulation.documents[kind](law, year=year)
    rows = {part.key: _lines(top, part) for part in contents.parts}
    options = regulation.options
    facts = top.part("facts", lambda one: facts_of(one, options=options)) if contents.targets else None
    if facts is not None and facts.year != year:
        top.wrong("facts.year", facts.year, f"o ano do documento, {year}")
    top.close()
    return Filled(year, cnpj, name, contents, rows, facts)


def _entity(one: Node) -> tuple[str, str]:
    return (
        one.need("cnpj", _document, "", "um CNPJ ou um CPF válido"),
        one.need("name", jsonfile.text, "", "o nome de quem informa"),
    )


def _lines(top: Node, part: Part) -> tuple[dict[str, Told], ...]:
    if part.many:
        return top.each(part.key, lambda one: _line(one, part))
    one = top.part(part.key, lambda one: _line(one, part))
    return (dict.fromkeys(field.name for field in part.fields) if one is None else one,)


def _line(one: Node, part: Part) -> dict[str, Told]:
    return {field.name: _told(one, field) for field in part.fields}


def _told(one: Node, field: Field) -> Told:
    reader, expected = _READERS[field.unit]
    if field.unit in _OF_WORDS:
        expected = f"um de {', '.join(field.words)}"
        reader = jsonfile.one_of(field.words)
    if field.unit == "degrees":
        most = _MOST_DEGREES[field.name]
        reader, expected = _degrees(most), f"graus em texto decimal, de -{most} a {most}"
    found: Told = one.may(field.name + SUFFIX.get(field.unit, ""), reader, None, expected)
    return found


def _degrees(most: int) -> Callable[[Any], str]:
    """Decimal degrees (SIRGAS 2000), kept as they were written."""

    def reader(value: Any) -> str:
        if abs(exact(jsonfile.text(value))) > most:
            raise ValueError
        return str(value).strip()

    return reader


def _town(value: Any) -> str:
    if uf_of(value) is None:
        raise ValueError
    return str(value)


def _document(value: Any) -> str:
    text = bare(jsonfile.text(value))
    if not is_cnpj(text) and not is_cpf(text):
        raise ValueError
    return text


def _cnpj(value: Any) -> str:
    text = bare(jsonfile.text(value))
    if not is_cnpj(text):
        raise ValueError
    return text


def _material(value: Any) -> str:
    return Material(value).value


def _word(value: Any) -> str:
    raise LastroError(f"a field of words has none, and was told {value!r}")


_READERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "text": (jsonfile.text, "um texto"),
    "word": (jsonfile.text, "uma palavra"),
    "cnpj": (_cnpj, "um CNPJ válido (14 caracteres)"),
    "date": (jsonfile.day, "uma data, como 2026-03-31"),
    "town": (_town, "um código IBGE de 7 dígitos"),
    "flag": (jsonfile.flag, "true ou false"),
    "count": (jsonfile.count, "um número inteiro, zero ou mais"),
    "year": (jsonfile.year, "um ano, como 2026"),
    "kg": (jsonfile.mass, jsonfile.MASS),
    "brl": (jsonfile.money, jsonfile.MONEY),
    "share": (Share.parse, "um percentual, como 12.5%"),
    "material": (_material, f"um de {', '.join(Material)}"),
    "label": (_word, ""),
    "code": (_word, ""),
    "section": (_word, ""),
    "degrees": (_word, ""),
}
