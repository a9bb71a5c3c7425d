"""Duties become tasks: a nominal day, the day until which it is on time, its bases, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from lastro.errors import NotInForce
from lastro.lawkit import Regulation
from lastro.lawkit.schedules import QUARTERLY, YEARLY, Duty, Moment, Moves
from lastro.quarters import quarter_end
from lastro.tables.days_off import closed_days, days_off

CLEAR_OF_A_YEAR = 2
"""How many years around the one asked the days off are looked up in."""


@dataclass(frozen=True)
class Event:
    """Something that starts a clock, and the day on which it happened."""

    name: str
    on: date
    note: str = ""


@dataclass(frozen=True)
class Asked:
    """Whose deadlines are asked for: its part and place, what happened, what it did.

    `done` has the day on which a task was done, by its key with its nominal day ("tfa:2026-04-09"); a task
    that comes once a year also by its key alone, if it was done after the year that it reports on.
    """

    who: str
    municipality: str
    uf: str
    norms: tuple[str, ...]
    events: tuple[Event, ...] = ()
    done: Mapping[str, date] = field(default_factory=dict)
    closed: tuple[date, ...] = ()


@dataclass(frozen=True)
class Task:
    """One thing to do.

    `nominal` is the day as the norm counts it, `until` the last one to do it in time, `late_after` the last
    one before it is a breach.
    """

    key: str
    title: str
    norm: str
    article: str
    nominal: date
    until: date
    late_after: date
    clears: str
    simulation: bool
    recommended: bool
    note: str = ""
    done_on: date | None = None

    def days_late(self, today: date) -> int:
        """How many days late it was done, or is by today; a recommendation is never late."""
        if self.recommended or self.simulation:
            return 0
        return max(0, ((self.done_on or today) - self.late_after).days)

    def state(self, today: date) -> str:
        """open, done, late (done or not), or recommended."""
        if self.done_on is not None:
            return "late" if self.days_late(today) else "done"
        if self.recommended:
            return "recommended"
        return "late" if self.days_late(today) else "open"

    def json(self, today: date) -> dict[str, Any]:
        """The task for a program, as it stands on a day."""
        return {
            "key": self.key,
            "title": self.title,
            "about": self.note or None,
            "norm": self.norm,
            "article": self.article,
            "nominal": self.nominal.isoformat(),
            "until": self.until.isoformat(),
            "late_after": self.late_after.isoformat(),
            "clears": self.clears,
            "state": self.state(today),
            "done_on": self.done_on.isoformat() if self.done_on else None,
            "days_late": self.days_late(today),
            "simulation": self.simulation,
        }


def tasks(regulations: Iterable[Regulation], asked: Asked, *, year: int) -> tuple[Task, ...]:
    """The tasks of a part that fall due in a year, in the order of their days.

    A duty whose norm was not in force on the day is none, nor is one about a time before it bound the part.
    """
    made = [
        task
        for regulation in regulations
        if regulation.norm.path in asked.norms
        for duty in regulation.schedules
        if asked.who in duty.who
        for task in _of_duty(regulation, duty, asked, year)
    ]
    return tuple(sorted(made, key=lambda t: (t.nominal, t.norm, t.key, t.note)))


def _of_duty(regulation: Regulation, duty: Duty, asked: Asked, year: int) -> Iterator[Task]:
    closed = _closed(asked, year)
    begun = min((event.on for event in asked.events if event.name == duty.begins), default=date.min)
    for moment, note in _moments(duty, asked, year, closed):
        if moment.on < max(begun, regulation.norm.in_force_since):
            continue
        # A duty is asked of the norm as it stood when its clock began.
        law = regulation.law(moment.on)
        try:
            nominal = duty.due(law, moment)
        except NotInForce:
            continue
        if nominal is None or nominal.year != year:
            continue
        until = _business(nominal, closed) if duty.moves is Moves.BUSINESS else nominal
        done = asked.done.get(f"{duty.key}:{nominal.isoformat()}")
        alone = asked.done.get(duty.key) if duty.starts == YEARLY else None
        if done is None and alone is not None and alone > moment.on:
            done = alone
        yield Task(
            key=duty.key, title=duty.title, norm=regulation.norm.short_title,
            article=regulation.norm.cite(duty.provisions), nominal=nominal, until=until,
            late_after=max(until, duty.late_after(law, moment)) if duty.late_after else until,
            clears=duty.clears, simulation=regulation.norm.status == "draft",
            recommended=duty.recommended, note=note, done_on=done,
        )  # fmt: skip


def _moments(duty: Duty, asked: Asked, year: int, closed: tuple[date, ...]) -> Iterator[tuple[Moment, str]]:
    """What may put a day of the duty into the year asked, and what tells it apart from its kind."""
    if duty.starts == YEARLY:
        yield Moment(year - 1, 4, date(year - 1, 12, 31), closed), f"sobre {year - 1}"
    elif duty.starts == QUARTERLY:
        for told, quarter in ((year - 1, 3), (year - 1, 4), (year, 1), (year, 2), (year, 3), (year, 4)):
            at = Moment(told, quarter, quarter_end(told, quarter), closed)
            yield at, f"{quarter}º trimestre de {told}"
    else:
        for event in asked.events:
            if event.name == duty.starts:
                yield Moment(event.on.year, 1, event.on, closed), event.note


def notes(asked: Asked, found: Iterable[Task], *, year: int) -> tuple[str, ...]:
    """What has to be said beside the tasks of a year: days off that nobody told, deeds that clear nothing."""
    made = tuple(found)
    said = [_days_not_known(asked, year)] if made and not asked.closed else []
    days = {f"{one.key}:{one.nominal.isoformat()}" for one in made}
    for task in asked.done:
        key, _, on = task.partition(":")
        if on.startswith(f"{year}-") and task not in days:
            own = [f"{day:%d/%m/%Y}" for day in sorted({one.nominal for one in made if one.key == key})]
            said.append(
                f"Em done, {task} não é o dia de nenhuma tarefa desta parte; "
                + (f"os de {key} são {', '.join(own)}." if own else f"{key} não tem nenhuma em {year}.")
            )
    return tuple(said)


def _days_not_known(asked: Asked, year: int) -> str:
    own = days_off((year,), scopes=(asked.municipality,)) if asked.municipality else ()
    known = ", ".join(f"{one.on:%d/%m}" for one in own)
    return (
        (f"Dos feriados próprios do município só se conhece: {known}" if known
         else "Os feriados próprios do município não se conhecem")
        + "; os outros dias sem expediente se acrescentam em closed."
    )  # fmt: skip


def _closed(asked: Asked, year: int) -> tuple[date, ...]:
    years = range(year - CLEAR_OF_A_YEAR, year + CLEAR_OF_A_YEAR + 1)
    known = closed_days(years, scopes=("BR", asked.uf, "bank", asked.municipality))
    return tuple(sorted({*known, *asked.closed}))


def _business(day: date, closed: tuple[date, ...]) -> date:
    while day.weekday() >= 5 or day in closed:
        day += timedelta(days=1)
    return day
