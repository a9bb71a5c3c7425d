"""The parties of a note, as the registry knows them on its day."""

from __future__ import annotations

from tests.codes import Codes, near_miss, triggers
from tests.codes.see import of_note
from tests.evidence import vectors as v
from tests.evidence.test_admit import Known


def wrong_digit(number: str) -> str:
    return number[:-1] + str((int(number[-1]) + 1) % 10)


@triggers("P01")
def a_buyer_whose_digit_is_wrong() -> Codes:
    return of_note(v.Note(recipient=wrong_digit(v.MILL)))


@near_miss("P01")
def a_buyer_whose_digit_is_right() -> Codes:
    return of_note(v.Note(recipient=v.OTHER), registry=Known(recyclers={v.OTHER: True}))


@triggers("P02")
def a_buyer_that_was_closed() -> Codes:
    return of_note(registry=Known(shut={v.MILL}))


@near_miss("P02")
def another_company_that_was_closed() -> Codes:
    return of_note(registry=Known(shut={v.OTHER}))


@triggers("P03")
def an_operator_that_nobody_vetted() -> Codes:
    return of_note(registry=Known(vettings=0))


@near_miss("P03")
def an_operator_that_was_vetted_once() -> Codes:
    return of_note(registry=Known(vettings=1))


@triggers("P04")
def an_operator_that_was_vetted_twice() -> Codes:
    return of_note(registry=Known(vettings=2))


@near_miss("P04")
def one_vetting_at_a_time() -> Codes:
    return of_note(registry=Known(vettings=1))


@triggers("P05")
def a_licence_that_had_run_out() -> Codes:
    return of_note(registry=Known(licences={v.COOP: False}))


@near_miss("P05")
def a_licence_that_held() -> Codes:
    return of_note(registry=Known(licences={v.COOP: True, v.MILL: True}))


@triggers("P07")
def a_buyer_that_recycles_nothing() -> Codes:
    return of_note(registry=Known(recyclers={v.MILL: False}))


@near_miss("P07")
def a_buyer_that_recycles() -> Codes:
    return of_note(registry=Known(recyclers={v.MILL: True}))
