"""A year's calendar as a picture: twelve months, the days with tasks marked, and what each is. Plain SVG."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Iterable
from datetime import date
from xml.sax.saxutils import escape

from lastro.deadlines.tasks import Task
from lastro.jsonfile import writable

MONTHS = (
    "janeiro", "fevereiro", "março", "abril", "maio", "junho",
    "julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
)  # fmt: skip
WEEK = ["seg", "ter", "qua", "qui", "sex", "sáb", "dom"]
COLOURS = {"open": "#1351b4", "late": "#b3261e", "done": "#168821", "recommended": "#636363"}
WORDS = {"open": "em aberto", "late": "atrasada", "done": "feita", "recommended": "recomendada"}
CELL, COLUMNS, MARGIN, LINE, LETTER = 26, 3, 24, 20, 6
WIDTH, HEIGHT = 7 * CELL + MARGIN, 8 * CELL + MARGIN


def picture(tasks: Iterable[Task], *, year: int, today: date, listed: bool = True) -> str:
    """The picture: a day has the colour of the gravest of its tasks; below, each task with its basis.

    Not `listed`, the months stand alone, for a page that lists the tasks itself.
    """
    found = tuple(tasks)
    marked = {day: _gravest(found, day, today) for day in {one.until for one in found}}
    top = MARGIN * 2
    months = [
        _month(
            year,
            month,
            marked,
            x=MARGIN + (month - 1) % COLUMNS * WIDTH,
            y=top + (month - 1) // COLUMNS * HEIGHT,
        )
        for month in range(1, 13)
    ]
    below = top + 12 // COLUMNS * HEIGHT + LINE
    told = found if listed else ()
    rows = [_row(one, today, y=below + n * LINE) for n, one in enumerate(told)]
    longest = max((len(_said(one, today)) for one in told), default=0)
    width = max(MARGIN * 2 + COLUMNS * WIDTH, MARGIN * 3 + longest * LETTER)
    height = below + len(told) * LINE + MARGIN
    title = f"Prazos de {year}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" role="img" aria-label="{escape(title)}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>'
        f'<text x="{MARGIN}" y="{MARGIN + 8}" font-size="20" font-weight="bold">{escape(title)}</text>'
        f"{''.join(months)}{''.join(rows)}</svg>"
    )


def _month(year: int, month: int, marked: dict[date, str], *, x: int, y: int) -> str:
    parts = [f'<text x="{x}" y="{y + 14}" font-size="14" font-weight="bold">{MONTHS[month - 1]}</text>']
    for column, name in enumerate(WEEK):
        parts.append(_text(x + column * CELL + CELL // 2, y + CELL + 8, name, size=9, fill="#636363"))
    for week, days in enumerate(Calendar().monthdatescalendar(year, month)):
        for column, day in enumerate(days):
            if day.month == month:
                centre, line = x + column * CELL + CELL // 2, y + (week + 2) * CELL + 8
                state = marked.get(day)
                if state:
                    parts.append(f'<circle cx="{centre}" cy="{line - 4}" r="11" fill="{COLOURS[state]}"/>')
                parts.append(
                    _text(centre, line, str(day.day), size=12, fill="#ffffff" if state else "#1b1b1b")
                )
    return "".join(parts)


def _row(one: Task, today: date, *, y: int) -> str:
    mark = f'<circle cx="{MARGIN + 5}" cy="{y - 4}" r="5" fill="{COLOURS[one.state(today)]}"/>'
    return mark + f'<text x="{MARGIN + 18}" y="{y}" font-size="11">{escape(_said(one, today))}</text>'


def _said(one: Task, today: date) -> str:
    about = f" ({one.note})" if one.note else ""
    state = WORDS[one.state(today)] + (", simulação" if one.simulation else "")
    return writable(f"{one.until:%d/%m} · {one.title}{about} · {state} · {one.article}")


def _text(x: int, y: int, text: str, *, size: int, fill: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" fill="{fill}">{text}</text>'


def _gravest(tasks: tuple[Task, ...], day: date, today: date) -> str:
    states = {one.state(today) for one in tasks if one.until == day}
    return next(state for state in ("late", "open", "recommended", "done") if state in states)
