"""Two notes of one mass, and goods that go their own way."""

from __future__ import annotations

from tests.codes import Codes, near_miss, triggers
from tests.codes.see import of_files, of_item
from tests.evidence import vectors as v


@triggers("M09")
def a_sale_out_of_the_country() -> Codes:
    return of_item(cfop="7102")


@near_miss("M09")
def a_cooperative_act() -> Codes:
    return of_item(cfop="5160")


@triggers("M13")
def drums_that_are_contaminated() -> Codes:
    return of_item(ncm="39159000", description="Bombonas contaminadas", value="2500.00")


@near_miss("M13")
def drums_said_not_to_be_contaminated() -> Codes:
    return of_item(ncm="39159000", description="Bombonas não contaminadas", value="2500.00")


def _beside(other: v.Note) -> Codes:
    """What the note of the tests is told where another stands beside it."""
    return of_files({"nota.xml": v.authorised(), "outra.xml": v.authorised(other)}, of="nota.xml")


@triggers("M15")
def told_anew_by_a_note_that_refers_to_it() -> Codes:
    return _beside(v.Note(number=2, references=(v.Note().access_key,)))


@near_miss("M15")
def named_by_a_complement_of_what_was_missing() -> Codes:
    return _beside(v.Note(number=2, purpose="2", references=(v.Note().access_key,)))


def _entry(day: str) -> Codes:
    """What the buyer's note of a load is told where the seller's own is there."""
    entry = v.Note(
        number=7, issuer=v.MILL, recipient=v.COOP, direction="0", items=[v.Item(cfop="1102")],
        issued_at=f"{day}T10:00:00-04:00",
    )  # fmt: skip
    return of_files({"entrada.xml": v.authorised(entry), "nota.xml": v.authorised()}, of="entrada.xml")


@triggers("M15")
def the_buyers_note_a_week_after_the_sellers() -> Codes:
    return _entry("2026-05-21")


@near_miss("M15")
def the_buyers_note_eight_days_after_the_sellers() -> Codes:
    return _entry("2026-05-22")
