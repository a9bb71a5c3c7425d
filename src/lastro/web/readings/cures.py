"""Which paper or act frees how many kilograms: what does not count, by code, by cure and by operator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from lastro.custody.port import For
from lastro.facts import Outcome, Severity
from lastro.findings import catalogue
from lastro.units import Mass, total
from lastro.web import office
from lastro.web.readings import documents
from lastro.web.readings.documents import Row
from lastro.web.translating import tongue

_STOPS = (Severity.REFUSE, Severity.REVIEW, Severity.ZERO)


@dataclass(frozen=True)
class Freed:
    """What waits for one cure, of all operators or of one.

    `alone` is the mass of the notes that nothing else holds back: the cure frees it by itself. `whole` is
    that of all notes with the code. Of `untold` lines the mass cannot be told, which is not zero.
    """

    code: str
    severity: Severity
    message: str
    cure: str
    operator: str
    operator_name: str
    notes: int
    alone: Mass
    whole: Mass
    untold: int


def by_code(whom: For, *, apart: bool) -> list[Freed]:
    """Every cure of an entity's year, the one that frees most by itself first; `apart`: for each operator."""
    grouped: defaultdict[tuple[str, Severity, str], list[tuple[Row, bool]]] = defaultdict(list)
    for row in documents.rows(whom):
        codes = _stopping(row)
        for code, severity in codes:
            operator = row.parties[0] if apart and row.parties else ""
            grouped[code, severity, operator].append((row, len(codes) == 1))
    made = [_freed(key, found) for key, found in grouped.items()]
    return sorted(made, key=lambda one: (-one.alone.mg, -one.whole.mg, one.code, one.operator))


def _stopping(row: Row) -> list[tuple[str, Severity]]:
    """What keeps a note from counting; a document that is no note has no mass to free."""
    if row.kind != "nfe" or (row.outcome is Outcome.ADMITTED and not row.waiting.mg):
        return []
    return [(code, severity) for code, severity in row.codes if severity in _STOPS]


def _freed(key: tuple[str, Severity, str], found: Iterable[tuple[Row, bool]]) -> Freed:
    code, severity, operator = key
    notes = list(found)
    entry = catalogue()[code]
    return Freed(
        code=code, severity=severity,
        message=entry.message[tongue()], cure=entry.cure[tongue()].replace("`", ""),
        operator=operator, operator_name=office.name_of(operator) if operator else "", notes=len(notes),
        alone=total(row.waiting for row, only in notes if only), whole=total(row.waiting for row, _ in notes),
        untold=sum(row.untold for row, _ in notes),
    )  # fmt: skip
