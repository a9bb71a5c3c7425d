"""Tasks as an iCalendar document (RFC 5545): all-day entries that any calendar program takes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from hashlib import sha256

from lastro.deadlines.tasks import Task
from lastro.jsonfile import writable

OCTETS = 75
"""The longest line of the format; longer ones go on in the next, after a space."""


def calendar_text(tasks: Iterable[Task], *, today: date, name: str) -> str:
    """The document, with lines ended as the format asks; the same tasks give the same text."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//lastro//prazos//PT",
        f"X-WR-CALNAME:{_escaped(name)}",
    ]
    for task in tasks:
        lines += _entry(task, today)
    return "".join(f"{part}\r\n" for line in (*lines, "END:VCALENDAR") for part in _folded(line))


def _entry(task: Task, today: date) -> list[str]:
    mark = sha256(
        f"{task.key}|{task.nominal.isoformat()}|{task.note}".encode("utf-8", "surrogatepass")
    ).hexdigest()[:32]
    title = f"{task.title} ({task.note})" if task.note else task.title
    if task.simulation:
        title += " · simulação"
    said = [f"Base: {task.article}.", f"Resolve-se com {task.clears}."]
    if task.until != task.nominal:
        said.append(f"O dia {task.nominal:%d/%m/%Y} não é útil; em dia até {task.until:%d/%m/%Y}.")
    if task.late_after != task.until:
        said.append(f"É falta depois de {task.late_after:%d/%m/%Y}.")
    if task.simulation:
        said.append("Simulação: a norma é uma minuta.")
    if task.recommended:
        said.append("Recomendação, sem atraso.")
    return [
        "BEGIN:VEVENT",
        f"UID:{mark}@lastro",
        f"DTSTAMP:{today:%Y%m%d}T000000Z",
        f"DTSTART;VALUE=DATE:{task.until:%Y%m%d}",
        f"DTEND;VALUE=DATE:{task.until + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_escaped(title)}",
        f"DESCRIPTION:{_escaped(' '.join(said))}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _escaped(text: str) -> str:
    text = writable(text)
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\r", "").replace("\n", "\\n")


def _folded(line: str) -> Iterable[str]:
    """Parts of at most 75 octets, none of them in the middle of a letter."""
    part, room = "", OCTETS
    for letter in line:
        size = len(letter.encode())
        if size > room:
            yield part
            part, room = " ", OCTETS - 1
        part += letter
        room -= size
    yield part
