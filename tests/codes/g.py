"""Where material was collected: municipality, coordinates, datum."""

from __future__ import annotations

from tests.codes import Codes, near_miss, triggers
from tests.codes.f import PARTY, registered
from tests.codes.see import of_note
from tests.evidence import vectors as v
from tests.evidence.test_admit import Known

CUIABA = {"latitude": "-15.6014", "longitude": "-56.0979", "datum": "SIRGAS 2000"}


@triggers("G01")
def a_municipality_whose_digit_is_wrong() -> Codes:
    return of_note(registry=Known(where={v.COOP: "5107908"}))


@near_miss("G01")
def one_of_the_nine_whose_digit_ibge_gave_otherwise() -> Codes:
    return of_note(registry=Known(where={v.COOP: "2201919"}))


@triggers("G02")
def latitude_and_longitude_in_each_others_place() -> Codes:
    swapped = {"latitude": CUIABA["longitude"], "longitude": CUIABA["latitude"]}
    return registered(parties=[{**PARTY, **CUIABA, **swapped}])


@near_miss("G02")
def a_point_in_the_state() -> Codes:
    return registered(parties=[{**PARTY, **CUIABA}])


@triggers("G03")
def a_point_without_its_datum() -> Codes:
    return registered(parties=[{**PARTY, **CUIABA, "datum": None}])


@near_miss("G03")
def no_point_and_no_datum() -> Codes:
    return registered(parties=[PARTY])


@triggers("G04")
def an_operator_of_whom_no_place_is_known() -> Codes:
    return of_note(registry=Known(where={}))


@near_miss("G04")
def an_operator_whose_place_is_known() -> Codes:
    return of_note()
