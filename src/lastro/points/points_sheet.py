"""The points of a system as a sheet: one row a point, made into the document that `lastro points` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lastro.errors import LastroError
from lastro.registry.columns import MATERIALS
from lastro.sheets import Head, Heading, Row, Sheet, find_heading, folded
from lastro.sheets import read as read_sheets

HEADS = (
    Head("municipality", ("municipio", "município", "ibge", "codigo ibge", "código ibge"), True),
    Head("kind", ("tipo",), True),
    Head("since", ("desde", "de", "inicio", "início"), True),
    Head("until", ("ate", "até", "fim")),
    Head("name", ("nome",)),
    Head("address", ("endereco", "endereço")),
    Head("hours", ("horario", "horário", "horarios")),
    Head("latitude", ("lat",)),
    Head("longitude", ("lon", "long")),
    Head("datum", ()),
    Head("materials", ("materiais",)),
)
_KINDS = {
    "recebimento": "receiving", "receiving": "receiving", "consolidacao": "consolidation",
    "consolidation": "consolidation",
}  # fmt: skip
_BRAZILIAN_DAY = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})\Z")
_MOST_ROWS = 20_000


def rows_of(name: str, data: bytes) -> list[dict[str, Any]]:
    """The points of a sheet, as the document writes them; what each value may be is for its reader to say.

    Raises LastroError if there is no sheet with the columns, or it has too many rows.
    """
    for sheet in read_sheets(name, data):
        heading = find_heading(sheet, HEADS)
        if heading is not None and not heading.missing:
            _only_known(name, heading)
            return [_row(sheet, heading, row) for row in _told(name, sheet, heading)]
    needed = ", ".join(head.name for head in HEADS if head.required)
    known = ", ".join(head.name for head in HEADS if not head.required)
    raise LastroError(f"{name}: falta um cabeçalho com as colunas {needed} (e, se houver, {known}).")


def _only_known(name: str, heading: Heading) -> None:
    """A misspelt column would lose what it says, so it is not passed over."""
    strange = [cell.text for cell in (*heading.unknown, *heading.twice)]
    if strange:
        raise LastroError(
            f"{name}: não conheço as colunas {', '.join(strange)}, ou estão repetidas; apague-as."
        )


def _told(name: str, sheet: Sheet, heading: Heading) -> list[Row]:
    rows = [row for row in sheet.rows if row.number > heading.row.number and row]
    if len(rows) > _MOST_ROWS:
        raise LastroError(f"{name}: são {len(rows)} pontos; o máximo é {_MOST_ROWS}.")
    return rows


def _row(sheet: Sheet, heading: Heading, row: Row) -> dict[str, Any]:
    """One point; an empty cell is left out, for what is not told is not told."""
    made: dict[str, Any] = {}
    for head in HEADS:
        text = heading.cell(row, head.name).text.strip()
        if text:
            made[head.name] = _value(head.name, text)
    return made


def _value(name: str, text: str) -> Any:
    if name in ("since", "until"):
        found = _BRAZILIAN_DAY.match(text)
        return f"{found[3]}-{found[2]}-{found[1]}" if found else text
    if name == "kind":
        return _KINDS.get(folded(text), text)
    if name in ("latitude", "longitude"):
        return text.replace(",", ".")
    if name == "materials":
        named = [one.strip() for one in re.split(r"[,;/]", text) if one.strip()]
        return [str(MATERIALS.get(folded(one).replace(" ", "_"), one)) for one in named]
    return text


def document(points: list[dict[str, Any]], *, before: Mapping[str, Any], states: list[str]) -> dict[str, Any]:
    """The whole document: these points, and what the one before said of places, phase and schedule."""
    kept = {key: before[key] for key in ("municipalities", "phase_began", "schedule") if before.get(key)}
    listed = states or list(before.get("states", ()))
    return {**({"states": listed} if listed else {}), **kept, "points": points}
