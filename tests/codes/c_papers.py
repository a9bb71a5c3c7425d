"""What manifests and certificates of destination make of a note."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from lastro.custody.destination import destinations
from lastro.waste import DestinationCertificate, Manifest
from tests.codes import Codes, near_miss, triggers
from tests.custody.waste_papers import DAY, GLASS, MIXED, PAPER, cdf, key, mtr, note, residue

LANDFILL = "Aterro Sanitário - RSU"


def said(
    manifests: Iterable[Manifest] = (), certificates: Iterable[DestinationCertificate] = (), *, named: int = 1
) -> Codes:
    """The codes on a note of one tonne of glass that names a manifest."""
    ours = note(1, named=(named,))
    destined = destinations([ours], list(manifests), list(certificates)).get(key(1))
    if destined is None:
        return set()
    every = [f for found in (*destined.notices.values(), *destined.doubts.values()) for f in found]
    limits = [limit.finding for found in destined.limits.values() for limit in found]
    return {f.code for f in (*every, *limits)}


@triggers("C05")
def a_manifest_that_is_named_and_not_there() -> Codes:
    return said([mtr(2)])


@near_miss("C05")
def a_manifest_that_is_named_and_there() -> Codes:
    return said([mtr(1)])


@triggers("C06")
def a_manifest_that_its_certificate_leaves_out() -> Codes:
    """The manifest says that certificate 7 is its own, and certificate 7 lists another."""
    return said([mtr(1, certificate="7")], [cdf(7, residue("5000"), of=(2,))])


@near_miss("C06")
def a_manifest_that_its_certificate_lists() -> Codes:
    return said([mtr(1, certificate="7")], [cdf(7, residue("5000"), of=(1, 2))])


@triggers("C07")
def a_certificate_of_less_than_its_manifests() -> Codes:
    return said([mtr(1)], [cdf(7, residue("999.999999"), of=(1,))])


@near_miss("C07")
def a_certificate_of_just_its_manifests() -> Codes:
    return said([mtr(1)], [cdf(7, residue("1000"), of=(1,))])


@triggers("C08")
def a_milligram_less_received_than_sold() -> Codes:
    return said([mtr(1, residue("999.999999"))])


@near_miss("C08")
def just_as_much_received_as_sold() -> Codes:
    return said([mtr(1, residue("1000"))])


@triggers("C09")
def a_mass_that_changed_after_delivery() -> Codes:
    return said([mtr(1, residue("1000")), mtr(1, residue("1000.000001"))])


@near_miss("C09")
def a_mass_that_came_after_the_manifest() -> Codes:
    return said([mtr(1, residue(None), situation="Salvo", received_on=None), mtr(1, residue("1000"))])


@triggers("C10")
def received_the_day_before_it_was_sold() -> Codes:
    return said([mtr(1, received_on=DAY - timedelta(1))])


@near_miss("C10")
def received_on_the_day_it_was_sold() -> Codes:
    return said([mtr(1, received_on=DAY)])


@triggers("C11")
def paper_on_the_road_for_glass_on_the_note() -> Codes:
    return said([mtr(1, residue(code=PAPER))])


@near_miss("C11")
def a_mixed_residue_that_may_be_glass() -> Codes:
    return said([mtr(1, residue(code=MIXED))]) | said([mtr(1, residue(code=GLASS))])


@triggers("C12")
def a_load_that_went_to_a_landfill() -> Codes:
    return said([mtr(1, residue(treatment=LANDFILL))], [cdf(7, residue("1000", treatment=LANDFILL), of=(1,))])


@near_miss("C12")
def a_load_that_was_recycled() -> Codes:
    return said([mtr(1)], [cdf(7, residue("1000"), of=(1,))])
