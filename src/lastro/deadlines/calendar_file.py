"""Whose deadlines are asked for, as a JSON document."""

from __future__ import annotations

from datetime import date
from typing import Any

from lastro import jsonfile
from lastro.deadlines.tasks import Asked, Event
from lastro.ids import uf_of
from lastro.jsonfile import Node

PARTS = ("company", "small_firm", "managing_entity", "taxpayer", "cooperative", "gap", "agency")
EVENTS = (
    "licence_issued", "licence_requested", "left_plan", "term_ended", "homologated", "certificate_issued",
    "activity_registered", "gap_met", "plans_reviewed", "in_force", "published", "phase_2_began", "granted",
)  # fmt: skip
DAY = "uma data, como 2026-03-31"
NEVER = date.min
_NO_DAYS: tuple[date, ...] = ()


def parse(text: str, *, norms: tuple[str, ...]) -> Asked:
    """Read the document; `norms` are meant where it names none. Raises JsonRefused."""
    return jsonfile.read_document(text, lambda top: _asked(top, norms))


def _asked(top: Node, norms: tuple[str, ...]) -> Asked:
    place = top.need("municipality", _place, "", "o código IBGE do município, 7 dígitos")
    named = top.may("norms", _list_of(norms), norms, f"uma lista com {', '.join(norms)}")
    made = Asked(
        who=top.need("who", jsonfile.one_of(PARTS), "", f"um de {', '.join(PARTS)}"),
        municipality=place,
        uf=(uf_of(place) or "") if place else "",
        norms=named,
        events=top.each("events", _event),
        done=dict(top.each("done", _done)),
        closed=top.may("closed", _days, _NO_DAYS, "uma lista de datas, como 2026-10-30"),
    )
    top.close()
    return made


def _event(row: Node) -> Event:
    return Event(
        name=row.need("event", jsonfile.one_of(EVENTS), "", f"um de {', '.join(EVENTS)}"),
        on=row.need("on", jsonfile.day, NEVER, DAY),
        note=row.may("note", jsonfile.text, "", "um texto curto que diga qual"),
    )


def _done(row: Node) -> tuple[str, date]:
    task = row.need("task", jsonfile.text, "", "a chave da tarefa, como mt_rar ou mt_rar:2027-07-30")
    return task, row.need("on", jsonfile.day, NEVER, DAY)


def _place(value: Any) -> str:
    if uf_of(value) is None:
        raise ValueError
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
