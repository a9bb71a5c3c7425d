"""Each plant has its one fault: what the codes of status, line and party are about is read back."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from lastro.sample.bench import Bench
from lastro.sample.faults import load_stories
from lastro.sample.world import Truth, World, make_bench
from tests.sample.conftest import NOTES, SEED
from tests.sample.reading import DSIG, NFE, data_of, parsed, text_of

SALES = {"1101", "5101", "5102", "5106", "5403", "6101", "6102"}
STORIES = {story.id for story in load_stories()}
SCRAP = ("3915", "4707", "7001", "7204", "7404", "7602", "7902")


@pytest.fixture(scope="session")
def bench() -> Bench:
    return make_bench(SEED, NOTES)


def _code(row: Truth) -> str:
    return row.fault[:3] if row.role == "fault" else ""


def _readable(world: World) -> list[Truth]:
    """Notes that stand alone; those of a story (a return, a bill, a dealer's sale) are looked at with it."""
    alone = [r for r in world.truth if r.access_key and r.role != "event" and r.fault not in STORIES]
    return [r for r in alone if _code(r) != "F05"]


def _planted(world: World, code: str) -> set[str]:
    return {r.fault for r in world.truth if _code(r) == code}


def test_the_test_environment_is_named_where_planted_alone(world: World) -> None:
    found = set()
    for row in _readable(world):
        tags = [e.text for e in parsed(data_of(world, row)).iter(NFE + "tpAmb")]
        if "2" in tags:
            found.add(row.fault)
    assert found == _planted(world, "N06")


def test_protocols_are_missing_foreign_or_unfavourable_where_planted_alone(world: World) -> None:
    missing, foreign, unfavourable = set(), set(), set()
    for row in _readable(world):
        root = parsed(data_of(world, row))
        if root.find(f".//{NFE}infProt") is None:
            missing.add(row.fault)
            continue
        digest = root.find(f".//{DSIG}DigestValue")
        same = digest is None or digest.text == text_of(root, "infProt/digVal")
        if text_of(root, "infProt/chNFe") != row.access_key or not same:
            foreign.add(row.fault)
        if text_of(root, "infProt/cStat") not in ("100", "150"):
            unfavourable.add(row.fault)
    assert missing == _planted(world, "N07")
    assert foreign == _planted(world, "N08")
    assert unfavourable == _planted(world, "N09")


def test_an_accepted_cancellation_stands_beside_each_cancelled_note_and_no_other(world: World) -> None:
    cancelled = set()
    for row in (r for r in world.truth if r.role == "event"):
        root = parsed(data_of(world, row))
        kind = text_of(root, "evento/infEvento/tpEvento")
        answer = text_of(root, "retEvento/infEvento/cStat")
        if kind in ("110111", "110112") and answer in ("135", "155"):
            cancelled.add(row.access_key)
    expected = {r.access_key for r in world.truth if "N10" in r.expected_codes}
    assert cancelled == expected
    assert {r.fault for r in world.truth if r.role == "fault" and r.access_key in cancelled} == {
        "N10-a",
        "N10-b",
        "N10-c",
    }


def test_signatures_are_missing_where_planted_alone(world: World) -> None:
    missing = {
        row.fault
        for row in _readable(world)
        if parsed(data_of(world, row)).find(f".//{DSIG}Signature") is None
    }
    assert missing == _planted(world, "S01")


def test_lines_are_scrap_sold_by_mass_save_where_planted(world: World) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for row in _readable(world):
        for goods in parsed(data_of(world, row)).iter(NFE + "prod"):
            told = {child.tag.removeprefix(NFE): child.text or "" for child in goods}
            if told["uCom"].upper() not in ("KG", "T", "TON", "G") and told["uTrib"] != "KG":
                found["M01"].add(row.fault)
            if Decimal(told["qCom"]) <= 0:
                found["M02"].add(row.fault)
            if not told["NCM"].startswith(SCRAP):
                found["M06"].add(row.fault)
            if told["CFOP"] not in SALES:
                found["M09"].add(row.fault)
    for code in ("M01", "M02", "M06", "M09"):
        assert found[code] == _planted(world, code), code


def _mass_kg(told: dict[str, str]) -> Decimal | None:
    factors = {"KG": Decimal(1), "T": Decimal(1000), "TON": Decimal(1000), "G": Decimal("0.001")}
    unit = told["uCom"].upper()
    if unit in factors:
        return Decimal(told["qCom"]) * factors[unit]
    return Decimal(told["qTrib"]) if told["uTrib"] == "KG" else None


def test_a_price_a_kilogram_is_absurd_and_a_mass_too_fine_where_planted_alone(world: World) -> None:
    absurd, fine = set(), set()
    for row in _readable(world):
        if _code(row) in ("S02", "M02"):
            continue
        for goods in parsed(data_of(world, row)).iter(NFE + "prod"):
            told = {child.tag.removeprefix(NFE): child.text or "" for child in goods}
            kg = _mass_kg(told)
            if not kg:
                continue
            price = Decimal(told["vProd"]) / kg
            if kg > 1 and not Decimal("0.05") < price < Decimal(60):
                absurd.add(row.fault)
            if kg * 10**6 != int(kg * 10**6):
                fine.add(row.fault)
    assert absurd == _planted(world, "M03")
    assert fine == _planted(world, "M04")


def test_counted_mass_is_what_admitted_lines_say(bench: Bench) -> None:
    for item in bench.items:
        if item.verdict != "admitted":
            assert item.counted == ()
        assert all(isinstance(mass, int) and mass > 0 for _, mass in item.counted)
    assert sum(1 for item in bench.items if item.counted) > NOTES


def _spans(rows: list[dict[str, Any]], **facts: str) -> list[dict[str, Any]]:
    return [row for row in rows if all(row[name] == value for name, value in facts.items())]


def _covers(row: dict[str, Any], day: str) -> bool:
    return bool(row["from"] <= day and (not row["to"] or day <= row["to"]))


def test_operators_are_vetted_and_licensed_and_buyers_recycle_save_where_planted(world: World) -> None:
    tables = json.loads((world.out / "cadastro.json").read_text(encoding="utf-8"))
    licences = {row["cnpj"]: row["licence_valid_to"] for row in tables["parties"]}
    papers = ("cnpj_ok", "registrations_ok", "licence_ok", "permit_ok")
    found: dict[str, set[str]] = defaultdict(set)
    for row in _readable(world):
        if _code(row) in ("P01", "S02"):
            continue
        root = parsed(data_of(world, row))
        day = text_of(root, "ide/dhEmi")[:10]
        ends = [text_of(root, "emit/CNPJ"), text_of(root, "dest/CNPJ")]
        operator, recycler = ends if text_of(root, "ide/tpNF") == "1" else reversed(ends)
        rows = _spans(tables["vettings"], operator=operator, entity=row.entity)
        if not any(_covers(v, day) and all(v[paper] for paper in papers) for v in rows):
            found["P03"].add(row.fault)
        if licences[operator] < day:
            found["P05"].add(row.fault)
        if not any(_covers(r, day) for r in _spans(tables["roles"], cnpj=recycler, role="recycler")):
            found["P07"].add(row.fault)
    for code in ("P03", "P05", "P07"):
        assert found[code] == _planted(world, code), code


def test_no_operator_has_two_vettings_of_one_entity_at_once(world: World) -> None:
    tables = json.loads((world.out / "cadastro.json").read_text(encoding="utf-8"))
    held: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    twice = {text_of(parsed(data_of(world, r)), "emit/CNPJ") for r in world.truth if r.fault[:3] == "P04"}
    for row in (row for row in tables["vettings"] if row["operator"] not in twice):
        held[row["operator"], row["entity"]].append((row["from"], row["to"]))
    for spans in held.values():
        spans.sort()
        assert all(before[1] < after[0] for before, after in pairwise(spans))


def test_an_operator_sells_at_most_as_often_as_trucks_can_run(world: World) -> None:
    days: dict[tuple[str, str], int] = defaultdict(int)
    for row in (r for r in world.truth if r.role == "plain"):
        root = parsed(data_of(world, row))
        days[text_of(root, "emit/CNPJ"), text_of(root, "ide/dhEmi")[:10]] += 1
        assert dt.datetime.fromisoformat(text_of(root, "ide/dhEmi")).utcoffset() in (
            dt.timedelta(hours=-4),
            dt.timedelta(hours=-3),
        )
    assert max(days.values()) <= 3
