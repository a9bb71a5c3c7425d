"""Whose deadlines are asked for, as a JSON document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from lastro import jsonfile
from lastro.deadlines.tasks import Asked, Event
from lastro.ids import uf_of
from lastro.jsonfile import Expected, Node, once_each
from lastro.lawkit import Regulation
from lastro.lawkit.schedules import YEARLY
from lastro.tables.populations import places

PARTS = ("company", "small_firm", "managing_entity", "taxpayer", "cooperative", "gap", "agency")
EVENTS = (
    "licence_issued", "licence_requested", "left_plan", "term_ended", "homologated", "certificate_issued",
    "activity_registered", "gap_met", "plans_reviewed", "in_force", "published", "phase_2_began", "granted",
)  # fmt: skip
DAY = "uma data, como 2026-03-31"
NEVER = date.min
_NO_DAYS: tuple[date, ...] = ()


def parse(text: str, *, regulations: Iterable[Regulation]) -> Asked:
    """Read the document; all the norms are meant where it names none. Raises JsonRefused."""
    known = tuple(regulations)
    norms = tuple(one.norm.path for one in known)
    starts = {duty.key: duty.starts for one in known for duty in one.schedules}
    return jsonfile.read_document(text, lambda top: _asked(top, norms, starts))


def _asked(top: Node, norms: tuple[str, ...], starts: Mapping[str, str]) -> Asked:
    place = top.need("municipality", _place, "", "o código IBGE do município, 7 dígitos")
    named = top.may("norms", _list_of(norms), norms, f"uma lista com {', '.join(norms)}")
    done = top.each("done", lambda row: _done(row, starts))
    once_each(top, "done", [task for task, _ in done])
    made = Asked(
        who=top.need("who", jsonfile.one_of(PARTS), "", f"um de {', '.join(PARTS)}"),
        municipality=place,
        uf=(uf_of(place) or "") if place else "",
        norms=named,
        events=top.each("events", _event),
        done=dict(done),
        closed=top.may("closed", _days, _NO_DAYS, "uma lista de datas, como 2026-10-30"),
    )
    once_each(top, "events", [(one.name, one.on, one.note) for one in made.events])
    top.close()
    return made


def _event(row: Node) -> Event:
    return Event(
        name=row.need("event", jsonfile.one_of(EVENTS), "", f"um de {', '.join(EVENTS)}"),
        on=row.need("on", jsonfile.day, NEVER, DAY),
        note=row.may("note", jsonfile.text, "", "um texto curto que diga qual"),
    )


def _done(row: Node, starts: Mapping[str, str]) -> tuple[str, date]:
    task = row.need("task", _task(starts), "", "a chave da tarefa, como mt_rar ou mt_rar:2027-07-30")
    return task, row.need("on", jsonfile.day, NEVER, DAY)


def _task(starts: Mapping[str, str]) -> Any:
    def read(value: Any) -> str:
        key, apart, on = jsonfile.text(value).partition(":")
        if key not in starts:
            raise Expected(f"a chave de uma tarefa: {', '.join(sorted(starts))}")
        if apart:
            try:
                return f"{key}:{jsonfile.day(on).isoformat()}"
            except ValueError as wrong:
                raise Expected(f"{key} com o dia da tarefa, como {key}:2027-07-30") from wrong
        if starts[key] != YEARLY:
            raise Expected(f"{key} com o dia da tarefa, como {key}:2027-07-30, pois vem mais de uma vez")
        return key

    return read


def _place(value: Any) -> str:
    if uf_of(value) is None:
        raise ValueError
    if value not in places():
        raise Expected("o código IBGE de um município (este não existe)")
    return str(value)


def _days(value: Any) -> tuple[date, ...]:
    if not isinstance(value, list):
        raise ValueError
    return tuple(jsonfile.day(one) for one in value)


def _list_of(known: tuple[str, ...]) -> Any:
    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or any(one not in known for one in value):
            raise ValueError
        return tuple(value)

    return read
