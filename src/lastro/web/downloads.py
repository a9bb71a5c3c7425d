"""Lists to take along, as JSON or as a sheet of text (CSV) in which nothing is ever a formula."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass

from django.http import HttpResponse

KINDS = ("json", "csv")
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a sheet program takes for the beginning of a formula."""


@dataclass(frozen=True)
class Listed:
    """A list with its heads; every cell is text."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def answer(found: Listed, *, kind: str, name: str) -> HttpResponse:
    """The list as a file to be kept under a name; `kind` is one of KINDS."""
    body = as_json(found) if kind == "json" else as_csv(found)
    of = "application/json" if kind == "json" else "text/csv; charset=utf-8"
    response = HttpResponse(body, content_type=of)
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def as_json(found: Listed) -> bytes:
    """The rows as objects, named by the heads."""
    rows = [dict(zip(found.heads, row, strict=True)) for row in found.rows]
    return (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()


def as_csv(found: Listed) -> bytes:
    """The rows as sheet programs in Brazil open them: semicolons, and the mark of UTF-8 in front."""
    made = io.StringIO()
    writer = csv.writer(made, delimiter=";", lineterminator="\r\n")
    writer.writerows([_plain(cell) for cell in row] for row in (found.heads, *found.rows))
    return made.getvalue().encode("utf-8-sig")


def _plain(cell: str) -> str:
    """The cell as text: before what would be a formula stands an apostrophe (OWASP, CSV injection)."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_STARTS) else cell
