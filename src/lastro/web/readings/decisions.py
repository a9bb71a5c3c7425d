"""What people said of contested lines so far, and what of it moved mass in the ledger."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from lastro.stores.postgres import cases as store
from lastro.stores.postgres.custody import custody
from lastro.units import Mass, total
from lastro.web import office


@dataclass(frozen=True)
class Row:
    """One person's word on a line. `into` and `out` are what the decision moved for whoever may see it."""

    access_key: str
    line: int
    on: date
    by: str
    entity: str
    step: str
    reason: str
    into: Mass | None
    out: Mass | None

    @property
    def lot(self) -> str:
        return f"{self.access_key}/{self.line}"


def rows(entities: Collection[str] | None) -> list[Row]:
    """What was said of notes that any of these entities handed in (None: of all), the latest first."""
    with custody(office.store()) as memory:
        said = store.decisions(memory.db)
        keys = sorted({one.access_key for one in said})
        handed = store.handed(memory.db, keys, entities=entities)
    seen: dict[str, set[str]] = {}
    for note in handed:
        seen.setdefault(note.key, set()).add(note.entity)
    confirmed = {one.confirms for one in said if one.confirms is not None}
    over: dict[tuple[str, int], int] = {}
    for one in said:
        if one.confirms is not None:
            over[one.access_key, one.line] = max(one.id, over.get((one.access_key, one.line), 0))
    return [
        Row(
            one.access_key,
            one.line,
            one.recorded_at.date(),
            one.by_user,
            one.entity,
            _step(one, confirmed, over),
            one.reason,
            *_moved(one, seen[one.access_key]),
        )
        for one in said
        if one.access_key in seen
    ]


def _step(one: store.Decision, confirmed: Collection[int], over: Mapping[tuple[str, int], int]) -> str:
    if one.confirms is not None:
        return "confirma: decidido"
    if one.id in confirmed:
        return "proposta confirmada"
    if one.id < over.get((one.access_key, one.line), 0):
        return "proposta que outra substituiu"
    return "proposta, falta confirmar"


def _moved(one: store.Decision, entities: Collection[str]) -> tuple[Mass | None, Mass | None]:
    """What entered and what left lots of the line because people decided; None where they did not yet."""
    if one.confirms is None:
        return None, None
    into, out = [], []
    for who in sorted(entities):
        moves = [m for m in office.store().moves(who, one.access_key) if m.line == one.line]
        last = max((n for n, m in enumerate(moves) if m.reason == "contested"), default=-1)
        into += [
            m.mass
            for n, m in enumerate(moves)
            if m.debit == "source" and (m.reason == "decided" or (m.reason == "enter" and n > last))
        ]  # what entered before the contest left with it, and is no decision's doing
        out += [m.mass for m in moves if m.credit == "source" and m.reason == "decided"]
    return total(into), total(out)
