"""The invented year as a whole: the same each time, and its tables fit together."""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from lastro.errors import LastroError
from lastro.sample.market import TARGETS
from lastro.sample.world import World, build_world
from tests.sample.conftest import NOTES, SEED


def _digests(out: Path) -> dict[str, str]:
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    return {p.relative_to(out).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_one_seed_gives_one_world_byte_by_byte(world: World, tmp_path: Path) -> None:
    build_world(tmp_path, seed=SEED, notes=NOTES)
    assert _digests(tmp_path) == _digests(world.out)


def test_another_seed_gives_another_world(world: World, tmp_path: Path) -> None:
    other = build_world(tmp_path, seed=SEED + 1, notes=5)
    assert not {r.access_key for r in other.truth if r.access_key} & {r.access_key for r in world.truth}


def test_a_second_world_in_the_same_folder_leaves_nothing_of_the_first(world: World, tmp_path: Path) -> None:
    build_world(tmp_path, seed=SEED + 1, notes=5)
    build_world(tmp_path, seed=SEED, notes=NOTES)
    assert _digests(tmp_path) == _digests(world.out)


def test_a_folder_with_somebody_elses_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notas").mkdir()
    (tmp_path / "notas" / "minha.xml").write_text("<a/>")
    with pytest.raises(LastroError, match="vazia"):
        build_world(tmp_path, seed=SEED, notes=5)
    assert (tmp_path / "notas" / "minha.xml").exists()


def test_ordinary_notes_are_admitted_or_lawfully_cancelled(world: World) -> None:
    plain = [row for row in world.truth if row.role == "plain"]
    assert len(plain) == NOTES
    for row in plain:
        assert (row.expected_verdict, row.expected_codes) in (("admitted", ()), ("refused", ("N10",)))


def test_retirements_fit_in_the_pools_and_leave_slack(world: World) -> None:
    planned: dict[tuple[str, str], int] = defaultdict(int)
    with open(world.out / "retiradas.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert int(row["kg"]) > 0
            planned[row["entity"], row["material"]] += int(row["kg"])
    assert planned
    for (entity, material), kg in planned.items():
        pool = world.pools[entity][material]
        assert pool * 20 <= kg * 10**6 * 100 <= pool * 85, (entity, material)


def test_some_meet_some_fall_short_some_exceed(world: World) -> None:
    for plan in world.plans:
        if not plan.placed:
            continue
        for group, share in TARGETS.items():
            kinds = ("steel", "aluminium") if group == "metals" else (group,)
            base = sum(p.kg for p in plan.placed if p.material in kinds and p.uf == "MT" and p.year == 2025)
            done = sum(r.kg for r in plan.retirements if r.material in kinds)
            owed = Fraction(base) * share
            if not base:
                continue
            if plan.outcome == "meets":
                assert done == owed
            elif plan.outcome == "exceeds":
                assert done > owed
            elif plan.outcome == "short":
                assert done < owed
    assert {plan.outcome for plan in world.plans} == {"meets", "short", "exceeds", "partly"}


def test_members_retire_through_their_own_entity(world: World) -> None:
    for plan in world.plans:
        mine = {party.cnpj for party in plan.company}
        assert {step.establishment for step in plan.retirements} <= mine
        assert {step.entity for step in plan.retirements} <= {plan.entity.cnpj}


def test_every_company_declares_and_one_sheet_is_broken(world: World) -> None:
    names = {path.name for path in (world.out / "declaracoes").iterdir()}
    assert len(names) == 21
    assert "quebrada.csv" in names
    assert sorted({name.rsplit(".", 1)[1] for name in names}) == ["csv", "json", "xlsx"]
