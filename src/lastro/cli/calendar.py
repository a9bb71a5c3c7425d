"""`lastro calendar`: what somebody has to do in a year, by when and why, from a facts file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.common import Settings, not_over, read_document, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.lawkit import library
from lastro.units import how_many

if TYPE_CHECKING:
    from datetime import date

    from lastro.deadlines import Task

STATES = {"open": "em aberto", "done": "feita", "late": "atrasada", "recommended": "recomendada"}


@click.command("calendar")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--year", type=click.IntRange(2012, 2100), required=True, help="O ano em que as tarefas vencem."
)
@click.option("--ics", type=click.Path(path_type=Path, dir_okay=False), help="Grava um calendário (.ics).")
@click.option(
    "--svg", type=click.Path(path_type=Path, dir_okay=False), help="Grava o ano como figura (.svg)."
)
@shared_options
def command(settings: Settings, file: Path, year: int, ics: Path | None, svg: Path | None) -> int:
    """Mostra os prazos de um ano, com a base de cada um, o dia útil e o que os resolve."""
    from lastro import deadlines

    regulations = library.every()
    asked = read_document(file, lambda text: deadlines.parse(text, regulations=regulations))
    found = deadlines.tasks(regulations, asked, year=year)
    notes = deadlines.notes(asked, found, year=year)
    for made, others in ((ics, (file, svg)), (svg, (file,))):
        if made is not None:
            not_over(made, *others)
    if ics is not None:
        _write(ics, deadlines.calendar_text(found, today=settings.today, name=f"Prazos de {year}"))
    if svg is not None:
        _write(svg, deadlines.picture(found, year=year, today=settings.today))
    if settings.as_json:
        tasks = [one.json(settings.today) for one in found]
        say_json({"year": year, "tasks": tasks, "notes": list(notes)})
    else:
        _show(found, year, settings.today)
        for note in notes:
            click.echo(note)
    return 1 if any(one.state(settings.today) == "late" for one in found) else 0


def _write(file: Path, text: str) -> None:
    try:
        file.write_bytes(text.encode())
    except OSError as wrong:
        raise LastroError(f"{file}: não se grava ({wrong.strerror}).") from wrong


def _state(one: Task, today: date) -> str:
    said = STATES[one.state(today)]
    if one.days_late(today):
        return f"{said}, {how_many(one.days_late(today), 'dia', 'dias')}"
    if one.state(today) == "open" and one.late_after > one.until:
        return f"{said}; é falta depois de {one.late_after:%d/%m/%Y}"
    return said


def _show(found: tuple[Task, ...], year: int, today: date) -> None:
    rows = [
        [
            f"{one.nominal:%d/%m/%Y}",
            f"{one.until:%d/%m/%Y}",
            one.title + (f" ({one.note})" if one.note else "") + (" · simulação" if one.simulation else ""),
            _state(one, today),
            one.article,
        ]
        for one in found
    ]
    if not rows:
        click.echo(f"Nenhum prazo em {year} para esta parte.")
        return
    table(["dia", "em dia até", "tarefa", "situação", "base"], rows, title=f"Prazos de {year}", whole=(0, 1))
