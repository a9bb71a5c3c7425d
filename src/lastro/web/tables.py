"""A list as people work with it: narrowed, sorted, in pages, taken along as a sheet, by its address alone.

A page hands over its rows and says what each column is; the address says the rest: `q` (words), `f_<column>`
(one value), `ordem` (a column, with `-` before it for downwards), `pagina`, `baixar` (`xlsx`, `csv`, `json`).
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Generic, TypeVar

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse

from lastro.units import Mass, Money
from lastro.web import downloads
from lastro.web.downloads import Listed
from lastro.web.tags import shown
from lastro.web.tags.words import WORDS
from lastro.web.translating import portuguese
from lastro.web.translating import said as in_language
from lastro.workbooks.write import DIGITS

Row = TypeVar("Row")

PAGE = 50
_MOST_CHOICES = 200


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column: its name in the address, its head, and what a row holds in it.

    `of` gives a text, date, Mass, Money, int or None (unknown). `choice` offers each value found as a filter.
    `link` gives the address a cell leads to. `words` turns a value into what is read, where that differs.
    `tone` gives the colour of a pill around the words (good, asks, bad, plain); the words say the same.
    """

    name: str
    head: str
    of: Callable[[Row], Any]
    choice: bool = False
    link: Callable[[Row], str] | None = None
    words: Callable[[Any], str] | None = None
    tone: Callable[[Row], str] | None = None

    def text(self, row: Row) -> str:
        """What is read in the cell."""
        value = self.of(row)
        return self.words(value) if self.words is not None and value is not None else said(value)


@dataclass(frozen=True)
class Cell:
    """A cell as it is shown."""

    head: str
    text: str
    link: str
    number: bool
    tone: str = ""


@dataclass(frozen=True)
class Filter:
    """A filter by one value, as a page offers it."""

    name: str
    head: str
    options: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True)
class Head:
    """The head of a column, with the address's value that sorts by it next and how it is sorted now."""

    text: str
    order: str
    sorted: str
    number: bool


@dataclass(frozen=True)
class Table:
    """A list as one page shows it, with `lastro/_table.html`."""

    caption: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    filters: tuple[Filter, ...]
    words: str
    page: Page[Any]
    every: int
    keep: tuple[tuple[str, str], ...]
    """What else the address says (a year, a norm), which filtering must not lose."""


def said(value: Any) -> str:
    """A value as people read it; a dash for what is not known."""
    if value is None or value == "":
        return "—"
    if isinstance(value, Mass):
        return str(shown.kg(value))
    if isinstance(value, datetime | date):
        return str(shown.day(value.date() if isinstance(value, datetime) else value))
    if isinstance(value, bool):
        return in_language(WORDS[value])
    return str(value)


def table(
    request: HttpRequest,
    rows: Iterable[Row],
    columns: Sequence[Column[Row]],
    *,
    caption: str,
    order: str = "",
    page_size: int = PAGE,
) -> Table | HttpResponse:
    """The page of a list that the address asks for, or the whole of it as a file.

    `order` is how it is sorted where the address says nothing: a column's name, `-` before it for downwards;
    empty keeps the order of the rows. A view gives an HttpResponse straight back.
    """
    every = list(rows)
    kept = _sorted(_kept(request, every, columns), columns, request.GET.get("ordem") or order)
    asked = request.GET.get("baixar", "")
    if asked in KINDS:
        with portuguese():  # files have one language
            return download(kept, columns, kind=asked, name=caption)
    page = Paginator(kept, page_size).get_page(request.GET.get("pagina"))
    return Table(
        caption=in_language(caption),
        heads=tuple(_head(c, request.GET.get("ordem") or order, every) for c in columns),
        rows=tuple(tuple(_cell(c, row) for c in columns) for row in page.object_list),
        filters=tuple(_filter(request, c, every) for c in columns if c.choice),
        words=_words(request),
        page=page,
        every=len(every),
        keep=tuple((n, str(v)) for n, v in request.GET.items() if n not in _OURS and not n.startswith("f_")),
    )


_OURS = frozenset({"q", "pagina", "baixar"})


def _words(request: HttpRequest) -> str:
    return request.GET.get("q", "").strip()[:100]


def _kept(request: HttpRequest, rows: list[Row], columns: Sequence[Column[Row]]) -> list[Row]:
    words = _words(request).casefold()
    with portuguese():  # an address says the same in every language
        for column in columns:
            asked = request.GET.get(f"f_{column.name}", "")
            if column.choice and asked:
                rows = [row for row in rows if column.text(row) == asked]
    if words:
        rows = [row for row in rows if any(words in column.text(row).casefold() for column in columns)]
    return rows


def _sorted(rows: list[Row], columns: Sequence[Column[Row]], order: str) -> list[Row]:
    by = next((c for c in columns if c.name == order.lstrip("-")), None)
    if by is None:
        return rows
    known = [row for row in rows if by.of(row) not in (None, "")]
    unknown = [row for row in rows if by.of(row) in (None, "")]  # what is not known stands last, both ways
    return sorted(known, key=lambda row: _key(by.of(row)), reverse=order.startswith("-")) + unknown


def _key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _head(column: Column[Row], order: str, rows: list[Row]) -> Head:
    now = "" if order.lstrip("-") != column.name else "descending" if order.startswith("-") else "ascending"
    after = f"-{column.name}" if now == "ascending" else column.name
    return Head(in_language(column.head), after, now, any(_is_number(column.of(row)) for row in rows[:1]))


def _cell(column: Column[Row], row: Row) -> Cell:
    link = column.link(row) if column.link is not None else ""
    tone = column.tone(row) if column.tone is not None else ""
    return Cell(in_language(column.head), column.text(row), link, _is_number(column.of(row)), tone)


def _is_number(value: Any) -> bool:
    return isinstance(value, Mass | Money | int) and not isinstance(value, bool)


def _filter(request: HttpRequest, column: Column[Row], rows: list[Row]) -> Filter:
    shown_words = [column.text(row) for row in rows]
    with portuguese():
        found = dict(zip([column.text(row) for row in rows], shown_words, strict=True))
    return Filter(
        f"f_{column.name}",
        in_language(column.head),
        tuple(sorted(found.items()))[:_MOST_CHOICES],
        request.GET.get(f"f_{column.name}", ""),
    )


# ── to take along ────────────────────────────────────────────────────────────────────────────────────

KINDS = ("xlsx", *downloads.KINDS)
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def download(rows: Sequence[Row], columns: Sequence[Column[Row]], *, kind: str, name: str) -> HttpResponse:
    """The whole list as a file; in a workbook masses are kilograms, in a text all is text."""
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    safe = "-".join("".join(c if c.isalnum() else " " for c in plain).split())[:60] or "lista"
    if kind != "xlsx":
        listed = Listed(
            tuple(c.head for c in columns), tuple(tuple(c.text(row) for c in columns) for row in rows)
        )
        return downloads.answer(listed, kind=kind, name=safe)
    response = HttpResponse(_workbook(rows, columns), content_type=_XLSX)
    response["Content-Disposition"] = f'attachment; filename="{safe}.xlsx"'
    return response


def _workbook(rows: Sequence[Row], columns: Sequence[Column[Row]]) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    options: Mapping[str, Any] = {
        "in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
        "strings_to_numbers": False,        "default_date_format": "dd/mm/yyyy",
    }  # fmt: skip
    book = xlsxwriter.Workbook(out, options)
    sheet = book.add_worksheet("Lista")
    bold = book.add_format({"bold": True})
    for at, column in enumerate(columns):
        mass = any(isinstance(column.of(row), Mass) for row in rows)
        sheet.write_string(0, at, f"{column.head} (kg)" if mass else column.head, bold)
        for down, row in enumerate(rows, start=1):
            _write(sheet, down, at, column, row)
        sheet.set_column(at, at, min(50, max(10, len(column.head) + 4)))
    sheet.freeze_panes(1, 0)
    if rows:
        sheet.autofilter(0, 0, len(rows), len(columns) - 1)
    book.close()
    return out.getvalue()


def _exact(value: Any) -> Decimal | None:
    """A number as a spreadsheet holds it without loss: kilograms, reais or a count; None for all else."""
    if isinstance(value, Mass):
        found = Decimal(value.mg).scaleb(-6)
    elif isinstance(value, Money):
        found = Decimal(value.cents).scaleb(-2)
    elif isinstance(value, int) and not isinstance(value, bool):
        found = Decimal(value)
    else:
        return None
    return found if len(found.normalize().as_tuple().digits) <= DIGITS else None


def _write(sheet: Any, down: int, at: int, column: Column[Row], row: Row) -> None:
    value = column.of(row)
    exact = _exact(value)
    if exact is not None:
        sheet.write_number(down, at, exact)
    elif isinstance(value, date) and not isinstance(value, datetime) and column.words is None:
        sheet.write_datetime(down, at, datetime(value.year, value.month, value.day))
    else:
        sheet.write_string(down, at, column.text(row)[:32_767])
