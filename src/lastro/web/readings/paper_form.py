"""A document of a norm as a page asks for it, and what was typed as the file that the command line reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lastro.ids import Material, masked
from lastro.lawkit.contents import Contents, Field, Part
from lastro.reports import words
from lastro.reports.form_file import SUFFIX
from lastro.web import office, typed
from lastro.web.readings.papers import Offer

_DECIMALS = ("kg", "brl", "share")


@dataclass(frozen=True)
class Box:
    """A field as a page asks for it."""

    name: str
    label: str
    unit: str
    needed: bool
    options: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True)
class Sheet:
    """A part as a page asks for it: one line, or as many as there are."""

    key: str
    title: str
    article: str
    many: bool
    lines: tuple[tuple[Box, ...], ...]


def label_of(part: Part, field: Field) -> str:
    """What a field is called."""
    return words.column(part.key, field.name) if part.many else words.word("row", field.name)


def sheets(
    contents: Contents, posted: Mapping[str, str] | None, told: Mapping[str, Any], more: int
) -> list[Sheet]:
    """The parts with what is known of each: what was typed last, else what is filed."""
    made = []
    for part in contents.parts:
        rows = _known_rows(part, posted, told)
        if part.many:
            rows += [{}] * max(part.least - len(rows), more)
        lines = tuple(
            tuple(_box(part, field, n, row) for field in part.fields) for n, row in enumerate(rows or [{}])
        )
        made.append(Sheet(part.key, words.word("section", part.key), part.article, part.many, lines))
    return made


def _known_rows(
    part: Part, posted: Mapping[str, str] | None, told: Mapping[str, Any]
) -> list[Mapping[str, str]]:
    if posted is not None:
        typed_rows: list[Mapping[str, str]] = [row for _, row in _typed_rows(part, posted)]
        return [row for row in typed_rows if any(row.values())] if part.many else typed_rows
    found = told.get(part.key)
    listed = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    return [{field.name: _written(row, field) for field in part.fields} for row in listed]


def _typed_rows(part: Part, posted: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    numbers = {
        int(found[1]) for name in posted if (found := re.fullmatch(rf"{part.key}\.([0-9]{{1,4}})\.\w+", name))
    }
    for n in sorted(numbers or {0}):
        yield n, {f.name: posted.get(f"{part.key}.{n}.{f.name}", "").strip()[:2000] for f in part.fields}


def _written(row: Mapping[str, Any], field: Field) -> str:
    """What is filed, the way it would be typed."""
    value = row.get(field.name + SUFFIX.get(field.unit, ""))
    if value is None:
        return ""
    if isinstance(value, bool):
        return "sim" if value else "nao"
    if field.unit in _DECIMALS:
        return str(value).removesuffix("%").replace(".", ",")
    return str(value)


def _box(part: Part, field: Field, n: int, row: Mapping[str, str]) -> Box:
    options: tuple[tuple[str, str], ...] = ()
    if field.unit == "flag":
        options = (("sim", "sim"), ("nao", "não"))
    elif field.unit == "material":
        options = tuple((m.value, words.named(m.value)) for m in Material)
    elif field.words:
        options = tuple(
            (w, words.word("section", w) if field.unit == "section" else words.named(w)) for w in field.words
        )
    return Box(
        f"{part.key}.{n}.{field.name}", label_of(part, field), field.unit, field.needed and not field.instead,
        options, row.get(field.name, ""),
    )  # fmt: skip


def document_of(
    found: Offer, posted: Mapping[str, str], *, entity: str, year: int, facts: Any = None
) -> tuple[dict[str, Any], list[str]]:
    """What was typed as the document that the command line reads, and what cannot be read of it."""
    problems: list[str] = []
    told: dict[str, Any] = {
        "year": year, "entity": {"cnpj": entity, "name": office.name_of(entity) or masked(entity)}
    }  # fmt: skip
    for part in found.contents.parts:
        rows = []
        for n, row in _typed_rows(part, posted):
            if any(row.values()) or not part.many:
                rows.append(_read_row(part, n, row, problems))
        if part.many:
            told[part.key] = rows
        elif rows and rows[0]:
            told[part.key] = rows[0]
    if facts is not None:
        told["facts"] = facts
    return told, problems


def _read_row(part: Part, n: int, row: Mapping[str, str], problems: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for field in part.fields:
        text = row[field.name]
        if not text:
            continue
        try:
            made[field.name + SUFFIX.get(field.unit, "")] = _value(field, text)
        except ValueError:
            line = f", linha {n + 1}" if part.many else ""
            problems.append(
                f"{words.word('section', part.key)}{line}, {label_of(part, field)}: “{text[:80]}” não se lê; "
                "escreva o número como 1.355,90."
            )
    return made


def _value(field: Field, text: str) -> Any:
    if field.unit == "flag":
        return {"sim": True, "nao": False}.get(text, text)
    if field.unit in _DECIMALS:
        plain = typed.plain(text.removesuffix("%").strip())
        return f"{plain}%" if field.unit == "share" else plain
    if field.unit in ("count", "year"):
        return int(text) if re.fullmatch("[0-9]{1,12}", text) else text
    if field.unit == "degrees":
        return text.replace(",", ".")
    return text


def in_words(found: Offer, problem: str) -> str:
    """A place of the file in the words of the page: `budget[0].cost_brl` is a part, a line and a field."""
    place = re.match(r"(\w+)(?:\[(\d+)\])?\.(\w+)", problem)
    part = next((p for p in found.contents.parts if place and p.key == place[1]), None)
    if place is None or part is None:
        return problem
    field = next((f for f in part.fields if f.name + SUFFIX.get(f.unit, "") == place[3]), None)
    line = f", linha {int(place[2]) + 1}" if place[2] else ""
    said = label_of(part, field) if field else place[3]
    return f"{words.word('section', part.key)}{line}, {said}{problem[place.end() :]}"
