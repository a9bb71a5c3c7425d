"""The delegations of an establishment, each with what it opens and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lastro.web import rows
from lastro.web.delegations import in_force, opened
from lastro.web.models import Delegation, Person
from lastro.web.scopes import DELEGABLE
from lastro.web.translating import said


@dataclass(frozen=True)
class Given:
    """One delegation as a page shows it."""

    one: Delegation
    words: tuple[str, ...]
    state: str
    stands: bool


def of_party(party: str, *, today: date) -> list[Given]:
    """Every delegation ever given for an establishment: those in force first, then the latest."""
    found = Delegation.objects.filter(party=party).select_related("by", "to").order_by("-pk")
    return sorted((_shown(one, today=today) for one in found), key=lambda given: not given.stands)


def of_person(person: Person) -> list[Given]:
    """What was delegated to a person and counts today."""
    return [Given(one, _words(one), "em vigor", stands=True) for one in person.delegations]


def _shown(one: Delegation, *, today: date) -> Given:
    state = _state(one, today=today)
    return Given(one, _words(one), state, stands=state == "em vigor")


def _state(one: Delegation, *, today: date) -> str:
    if one.revoked_at is not None:
        return "revogada"
    if one.until < today:
        return "vencida"
    with rows.seen(rows.EVERYTHING):
        counts = any(other.pk == one.pk for other in in_force(one.to))
    return "em vigor" if counts and one.to.is_active else "sem efeito"


def _words(one: Delegation) -> tuple[str, ...]:
    """What it says; a right that the giver has lost meanwhile is not named any more."""
    may = opened(one)
    return tuple(said(words) for scope, words in DELEGABLE.items() if scope in may)
