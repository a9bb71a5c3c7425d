"""Somebody's year of deadlines: what the norms ask of its part, and what the store knows became of each.

What the store does not know is not guessed: a clock that nobody told of is named as such, and a day that
passed without anything being known of it is not called a breach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest

from lastro import deadlines
from lastro.certificates.port import Certificate
from lastro.deadlines import Asked, Event, Task
from lastro.ids import company_of, uf_of
from lastro.lawkit import Regulation, library
from lastro.lawkit.schedules import QUARTERLY, YEARLY
from lastro.registry.records import Period
from lastro.reports import rar_mt
from lastro.stores.postgres.reports import reports
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings import certificates
from lastro.web.readings.dashboard import report_due
from lastro.web.readings.documents import shown_party
from lastro.web.translating import said

ENTITY, COMPANY, SMALL = "managing_entity", "company", "small_firm"
_SMALL_SIZES = ("mei", "me", "epp", "cooperative")
_CALENDAR = (YEARLY, QUARTERLY)
CERTIFICATE, VETTING = "certificate_issued", "homologated"
_KNOWN = frozenset({CERTIFICATE, VETTING})
"""What starts a clock and is known to the store; of the rest it can't say that it never happened."""

_WORDS = {
    "open": gettext_noop("em aberto"),
    "done": gettext_noop("feita"),
    "late": gettext_noop("atrasada"),
    "recommended": gettext_noop("recomendada"),
    "unknown": gettext_noop("venceu; se foi feita, não consta aqui"),
}
_TONES = {"open": "plain", "done": "good", "late": "bad", "recommended": "plain", "unknown": "asks"}


@dataclass(frozen=True)
class Row:
    """A task with its state: one of open, done, late, recommended, unknown."""

    task: Task
    state: str

    @property
    def words(self) -> str:
        return said(_WORDS[self.state])

    @property
    def tone(self) -> str:
        return _TONES[self.state]


@dataclass(frozen=True)
class Year:
    """What the page of deadlines shows; `size` is of the year before, which the tasks are about."""

    year: int
    rows: tuple[Row, ...]
    drawn: str
    municipality: str | None
    small: bool
    size: str
    norms: tuple[tuple[Regulation, bool], ...]  # each with whether it is counted
    untold: tuple[tuple[str, str], ...]

    @property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(row.task for row in self.rows)

    @property
    def ahead(self) -> tuple[Row, ...]:
        """What is still to be done, or may have been done unseen."""
        return tuple(row for row in self.rows if row.task.done_on is None)

    @property
    def behind(self) -> tuple[Row, ...]:
        """What was done, in time or late."""
        return tuple(row for row in self.rows if row.task.done_on is not None)


def year_of(party: str, *, entity: bool, year: int, norms: Sequence[str]) -> Year:
    """The deadlines of a party in a year, under some norms; without any, under those that concern it."""
    known, today = office.registry(), office.today()
    size = "" if entity else known.size(party, year - 1) or ""
    parts = (ENTITY,) if entity else (SMALL, COMPANY) if size in _SMALL_SIZES else (COMPANY,)
    offered = [r for r in library.every() if any(p in d.who for d in r.schedules for p in parts)]
    wanted = [r for r in offered if r.norm.path in norms] or [r for r in offered if _concerns(r, party)]
    rows = tuple(_rows(party, parts, wanted, year))
    return Year(
        year=year,
        rows=rows,
        drawn=deadlines.picture([row.task for row in rows], year=year, today=today, listed=False),
        municipality=known.municipality(party),
        small=SMALL in parts,
        size=size,
        norms=tuple((one, one in wanted) for one in offered),
        untold=tuple(_untold(parts, wanted)),
    )


def _concerns(regulation: Regulation, party: str) -> bool:
    """Whether a norm in force is one of the party's state, or a national one about materials it deals in."""
    known = office.registry()
    if regulation.norm.status != "in_force":
        return False
    found = known.party(party)
    uf = (found.uf if found else None) or uf_of(known.municipality(party) or "")
    if regulation.norm.jurisdiction == uf:
        return True
    materials = known.materials(party) or frozenset()
    return regulation.norm.jurisdiction == "BR" and bool(materials & regulation.grouping.keys())


def _rows(party: str, parts: Sequence[str], wanted: Sequence[Regulation], year: int) -> Iterator[Row]:
    happened = list(_events(party, entity=ENTITY in parts))
    ended = {(event.name, event.note): on for event, on in happened}
    place = office.registry().municipality(party) or ""
    asked = Asked(
        who="", municipality=place, uf=uf_of(place) or "", norms=tuple(r.norm.path for r in wanted),
        events=tuple(event for event, _ in happened),
    )  # fmt: skip
    spared = {r.norm.short_title for r in wanted if any(SMALL in d.who for d in r.schedules)}
    found: dict[tuple[str, date, str], Row] = {}
    for who in parts:
        starts = {d.key: d.starts for r in wanted for d in r.schedules if who in d.who}
        for task in deadlines.tasks(wanted, replace(asked, who=who), year=year):
            begun = starts[task.key]
            if who == COMPANY and SMALL in parts and begun in _CALENDAR and task.norm in spared:
                continue  # there a small firm has a duty of its own instead; events bind it like any other
            is_report = _is_report(task, year - 1)
            if begun in _KNOWN:
                task = replace(task, done_on=ended[begun, task.note])
            elif is_report and who == ENTITY:
                task = replace(task, done_on=_delivered(party, task, wanted, year - 1))
            elif is_report:
                task = _by_entities(task, handed_in_for(party, _path(task, wanted), year - 1))
            row = Row(task, _state(task, told=begun in _KNOWN or (is_report and who == ENTITY)))
            found.setdefault((task.key, task.nominal, task.note), row)
    yield from sorted(found.values(), key=lambda row: (row.task.until, row.task.norm, row.task.key))


def _state(task: Task, *, told: bool) -> str:
    """The state of a task; one of which doing it leaves no trace here is not late, only past."""
    state = task.state(office.today())
    return "unknown" if state == "late" and not told else state


def _is_report(task: Task, about: int) -> bool:
    """Whether the task is to hand in the report that is made here, by its day."""
    made = [r for r in library.every() if r.norm.short_title == task.norm and r.reports is not None]
    return any(report_due(r.norm.path, about) == task.nominal for r in made)


def _path(task: Task, wanted: Sequence[Regulation]) -> str:
    return next(r.norm.path for r in wanted if r.norm.short_title == task.norm)


def _delivered(entity: str, task: Task, wanted: Sequence[Regulation], about: int) -> date | None:
    return _submitted(entity, _path(task, wanted), about)


def _submitted(entity: str, norm: str, about: int) -> date | None:
    """The day on which an entity handed in its first report on a year."""
    with reports(office.store()) as memory:
        versions = memory.versions(rar_mt.KIND, norm, entity, about)
    return min((one.submitted_on for one in versions), default=None)


@dataclass(frozen=True)
class HandedIn:
    """The report of an entity to which an establishment adhered in a year; None while it is not handed in."""

    entity: str
    name: str
    on: date | None


def handed_in_for(establishment: str, norm: str, about: int) -> tuple[HandedIn, ...]:
    """What each entity of the establishment's plans in a year handed in about it, in its place."""
    whole = Period(date(about, 1, 1), date(about, 12, 31))
    stays = office.registry().memberships(establishment)
    entities = sorted({one.entity for one in stays if one.period.meets(whole)})
    return tuple(HandedIn(one, office.name_of(one), _submitted(one, norm, about)) for one in entities)


def _by_entities(task: Task, handed_in: Sequence[HandedIn]) -> Task:
    """A company's report is done when every entity it adhered to in the year has handed in its own."""
    days = [one.on for one in handed_in]
    if not days or None in days:
        return task
    names = ", ".join(one.name for one in handed_in)
    return replace(
        task, done_on=max(day for day in days if day), note=task.note or f"pelo relatório de {names}"
    )


def _events(party: str, *, entity: bool) -> Iterator[tuple[Event, date | None]]:
    """What happened that starts a clock, each with the day on which its task was done, if it was."""
    book = certificates.book()
    held = book.certificates(entity=party) if entity else book.certificates(holder=company_of(party))
    for one in held:
        if one.issued_on is not None:
            used = one.done("retire")
            yield Event(CERTIFICATE, one.issued_on, _named(one)), used.on if used else None
    if entity:
        yield from _vettings(party)


def _named(one: Certificate) -> str:
    return f"{one.number}, sem toda a prova (K11)" if one.stale else one.number


def _vettings(entity: str) -> Iterator[tuple[Event, date | None]]:
    """Each whole vetting by an entity; the next of the same operator is what it asked for."""
    known = office.registry()
    operators = sorted({str(row["operator"]) for row in known.tables["vettings"] if row["entity"] == entity})
    for operator in operators:
        rows = [v for v in known.vettings(operator) if v.entity == entity and v.complete]
        days = [v.period.start for v in rows if v.period.start <= office.today()]
        name = party.name if (party := known.party(operator)) else ""
        for on, following in zip_longest(days, days[1:]):
            who = f"{name} ({shown_party(operator)})".lstrip()
            yield Event(VETTING, on, f"{who}, homologado em {on:%d/%m/%Y}"), following


def _untold(parts: Sequence[str], wanted: Sequence[Regulation]) -> Iterator[tuple[str, str]]:
    """Duties whose clock starts with something that the store is never told."""
    told: Mapping[str, bool] = dict.fromkeys((*_CALENDAR, *_KNOWN), True)
    for regulation in wanted:
        for duty in regulation.schedules:
            if any(part in duty.who for part in parts) and not told.get(duty.starts):
                yield duty.title, regulation.norm.cite(duty.provisions)
