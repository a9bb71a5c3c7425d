"""The list of planted faults covers the contract, and each plant does what it says and nothing else."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict

import pytest
from lxml import etree

from lastro.sample.faults import CODES, HARMLESS, STORY_CODES, Fault, load_faults, load_stories
from lastro.sample.plants import MUTATIONS
from lastro.sample.world import World
from tests.sample.reading import data_of

EVERY = load_faults()
STORIES = load_stories()
FAULTS = EVERY[: len(EVERY) - len(STORIES)]
# Decision 9: what a code's severity makes of a note that carries it.
REVIEW = {"N15", "S05", "S09", "M01", "M03", "P07", "C02"}
HARMLESS_HERE = {"M04", "M06"}


def test_the_list_names_the_codes_of_the_issue_three_times_and_a_near_miss_each() -> None:
    kinds = Counter((fault.code, fault.kind) for fault in FAULTS)
    assert len(CODES) == 31
    for code in CODES:
        assert kinds[code, "fault"] >= 3, code
        assert kinds[code, "near_miss"] >= 1, code
    assert {fault.code for fault in FAULTS} == set(CODES)


def test_stories_come_last_and_each_of_their_codes_is_told_and_nearly_told() -> None:
    assert EVERY[len(FAULTS) :] == STORIES
    kinds = {(fault.code, fault.kind) for fault in STORIES}
    assert kinds == {(code, kind) for code in STORY_CODES for kind in ("fault", "near_miss")}
    assert not set(STORY_CODES) & set(CODES)


def test_ids_are_unique_and_begin_with_their_code() -> None:
    assert len({fault.id for fault in EVERY}) == len(EVERY)
    assert all(fault.id.startswith(fault.code + "-") for fault in EVERY)
    assert len({fault.what for fault in EVERY}) == len(EVERY)


def test_every_mutation_named_exists_and_every_mutation_is_named() -> None:
    assert {fault.mutation for fault in EVERY} == set(MUTATIONS)


def test_the_three_ways_of_a_fault_differ() -> None:
    ways: dict[str, set[str]] = defaultdict(set)
    for fault in FAULTS:
        if fault.kind == "fault":
            ways[fault.code].add(fault.mutation + repr(sorted(fault.params.items())))
    assert all(len(ways[code]) >= 3 for code in CODES)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_expectations_follow_the_severities(fault: Fault) -> None:
    assert fault.stage in ("file", "batch", "store")
    if fault.kind == "near_miss":
        assert fault.verdict == "admitted"
        assert fault.code not in fault.codes
        assert set(fault.codes) <= set(HARMLESS)
        return
    assert fault.codes == (fault.code,)
    expected = "review" if fault.code in REVIEW else "admitted" if fault.code in HARMLESS_HERE else "refused"
    assert fault.verdict == expected


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.id)
def test_a_story_s_fault_has_its_code_and_its_near_miss_none(story: Fault) -> None:
    assert story.stage == ("file" if story.code == "F01" else "store")
    if story.kind == "near_miss":
        assert (story.codes, story.verdict) == ((), "admitted")
    else:
        assert story.codes == (story.code,)
        assert story.verdict in ("admitted", "review", "refused")


def test_every_fault_left_files_behind(world: World) -> None:
    left = {row.fault for row in world.truth if row.role in ("fault", "near_miss")}
    assert left == {fault.id for fault in EVERY}


def test_the_truth_on_disk_is_the_truth_in_hand(world: World) -> None:
    with open(world.out / "verdade.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [list(row.values()) for row in rows] == [row.row() for row in world.truth]


def test_every_file_under_notas_is_in_the_truth(world: World) -> None:
    found = {p.relative_to(world.out).as_posix() for p in (world.out / "notas").rglob("*") if p.is_file()}
    assert found == {row.path for row in world.truth}


def test_broken_files_are_broken_and_the_others_are_not(world: World) -> None:
    for row in world.truth:
        if not row.member and not row.path.lower().endswith((".xml", ".txt")):
            continue
        data = data_of(world, row)
        code = row.fault[:3] if row.role == "fault" else ""
        if code in ("F01", "F04") or row.fault == "F05-d":
            continue
        try:
            etree.fromstring(data)
        except etree.XMLSyntaxError:
            assert code == "F05", row.path
        else:
            assert code != "F05", row.path
            assert etree.fromstring(data).getroottree().docinfo.doctype == ""


def test_a_doctype_is_there_where_it_was_planted(world: World) -> None:
    row = next(row for row in world.truth if row.fault == "F05-d")
    assert b"<!DOCTYPE" in data_of(world, row)[:120]
