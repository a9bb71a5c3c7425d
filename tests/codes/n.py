"""Identity of a note: key, model, environment, protocol, events, dates."""

from __future__ import annotations

from tests.codes import Codes, near_miss, triggers
from tests.codes.see import of_note
from tests.evidence import vectors as v


@triggers("N06")
def issued_in_the_test_environment() -> Codes:
    return of_note(v.Note(environment="2"))


@near_miss("N06")
def issued_in_production() -> Codes:
    return of_note(v.Note(environment="1"))
