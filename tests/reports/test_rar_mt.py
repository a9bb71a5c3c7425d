"""The annual report: every number, what it is made of, and what keeps it from being submitted."""

from __future__ import annotations

import json
from datetime import date

import pytest

from lastro.facts import Basis, Refusal
from lastro.ids import Material
from lastro.reports.cells import DataSet
from lastro.units import Mass, Share
from tests.ledger.worlds import ENTITY, OTHER, cnpj
from tests.reports.recount import recount
from tests.reports.worlds import (
    BAKER,
    BRANCH,
    GLASS,
    MAKER,
    PAPER,
    TYRE,
    YEAR,
    behind,
    declare,
    fill,
    load,
    lot,
    member,
    placed,
    report,
    tables,
    targets,
    used,
)


def mg(data: DataSet, path: str) -> int:
    value = data.cell(path).value
    assert isinstance(value, Mass), path
    return value.mg


@pytest.fixture
def world(store):
    fill(store)
    return store


@pytest.mark.parametrize(
    ("path", "kg"),
    [
        ("placed/glass/mass", "1500.000001"), ("placed/glass/returnable", "100"),
        ("placed/carton/mass", "20.5"),
        ("placed/total/mass", "1830.500001"), ("recovered/glass/lots", "200.000001"),
        ("recovered/glass/certificates", "40"), ("recovered/glass/total", "240.000001"),
        ("recovered/total/total", "324.000001"), ("origins/private_pev/paper", "80"),
        ("geography/5107909/glass", "90.000001"), ("geography/5208707/metals", "2"),
        ("beside/glass/verified", "11"), ("beside/glass/homologated", "70"), ("beside/glass/certified", "20"),
        ("targets/glass/base", "1400.000001"), ("targets/glass/owed", "280.000001"),
        ("targets/glass/achieved", "240.000001"), ("targets/glass/balance", "-40"),
        ("targets/paper/owed", "76.92"), ("targets/metals/left_out", "2"),
    ],
)  # fmt: skip
def test_numbers_of_the_small_world(world, path, kg):
    sign = -1 if kg.startswith("-") else 1
    assert mg(report(world), path) == sign * Mass.kg(kg.lstrip("-")).mg


def test_every_mass_equals_a_recount_from_the_entries(world, base):
    data, counted = report(world), recount(base.conninfo("lastro_app"), ENTITY, YEAR)
    told = {
        path: cell.value.mg
        for path, cell in data.cells()
        if cell.unit == "kg"
        and path.split("/")[0] in ("placed", "recovered", "origins", "geography", "beside", "fallen")
    }
    assert len(told) > 60
    assert {path: n for path, n in told.items() if n} == {path: n for path, n in counted.items() if n}


def test_every_number_of_the_ledger_finds_its_entries_again(world):
    data = report(world)
    paths = [
        path
        for path, cell in data.cells()
        if cell.unit == "kg" and any(s.kind in ("entries", "lots") for s in cell.provenance)
    ]
    assert len(paths) > 50
    for path in paths:
        assert sum(row["mass_mg"] for row in behind(world, data, path)) == mg(data, path), path


def test_a_source_finds_the_same_entries_after_the_chain_grew(world):
    data = report(world)
    before = behind(world, data, "recovered/glass/total")
    used(world, GLASS, "1", MAKER, "more")
    assert behind(world, data, "recovered/glass/total") == before
    assert len(behind(world, report(world), "recovered/glass/total")) == len(before) + 1


def test_declarations_and_registry_rows_are_named(world):
    data = report(world)
    rows = behind(world, data, "placed/glass/mass")
    assert [(row["company"], row["establishment"]) for row in rows] == [
        ("ZZ00CIA1", MAKER),
        ("ZZ00CIA1", BRANCH),
    ]
    (row,) = behind(world, data, "targets/glass/target")
    assert (row["share"], row["reference"], row["basis"]) == ("20%", "exemplo", "illustrative")
    (row,) = behind(world, data, f"members/{BAKER}.2025-08-01/cnpj")
    assert row["body"]["establishment"] == BAKER


def test_no_mass_of_a_single_company_is_told(world):
    """Article 73: what a company or an establishment placed, was owed or received stands nowhere."""
    text = json.dumps(report(world).json(), ensure_ascii=False)
    for kg in ("1000.000001", "1000000001", "280000001000"):
        assert kg not in text, kg
    assert '"500"' not in text
    assert "1500.000001" in text


def test_one_company_alone_in_a_material_is_marked(world):
    data = report(world)
    assert (data.cell("placed/glass/companies").value, data.cell("placed/glass/companies").code) == (1, "T12")
    assert (data.cell("placed/total/companies").value, data.cell("placed/total/companies").code) == (2, "")


def test_result_attainment_and_counts(world):
    data = report(world)
    assert [data.cell(f"targets/{g}/met").value for g in ("glass", "paper", "plastic", "metals")] == [
        False, True, True, False,
    ]  # fmt: skip
    attained = data.cell("targets/paper/attained").value
    assert isinstance(attained, Share)
    assert attained.of_one * Mass.kg("320.5").mg == Mass.kg("80").mg
    assert data.cell("targets/paper/companies_met").value == 1
    assert data.cell("targets/glass/target").value == Share.parse("20%")


def test_the_municipality_of_the_note_is_marked(store):
    load(store)
    store.post([lot(1, 5, municipality_source="invoice"), lot(2, 7)], request="a")
    store.homologate(
        ENTITY, verifier=cnpj("VER1"), year=YEAR, lots=None, request="h", happened_on=date(2026, 7, 1)
    )
    used(store, GLASS, "0.000012", MAKER, "r")
    data = report(store)
    assert (mg(data, "geography/5103403/by_note"), data.cell("geography/5103403/by_note").code) == (5, "G04")
    assert data.cell("served/served/value").value == 1
    assert len(behind(store, data, "served/served/value")) == 2
    target = data.cell("served/geographic_target/value")
    assert (target.value, target.code) == (None, "T01")
    assert "apurada só onde" in " ".join(data.section("served").notes)


def blocks(data: DataSet) -> list[tuple[str, str]]:
    return [(block.code, block.where) for block in data.blocks]


def test_a_whole_world_lacks_only_the_statement(world):
    assert blocks(report(world)) == [("T02", "verification")]


def test_a_target_not_loaded_is_a_cell_without_value_and_blocks(store):
    load(store)
    declare(store, None, "ZZ00CIA1", placed(GLASS, "10"))
    declare(store, None, "ZZ00CIA2", placed(PAPER, "10"))
    targets(store, paper="24%")
    data = report(store)
    cell = data.cell("targets/glass/owed")
    assert (cell.value, cell.code) == (None, "T01")
    assert data.cell("targets/glass/met").value is None
    assert data.cell("targets/paper/owed").value == Mass.kg("2.4")
    assert ("T01", "targets/glass") in blocks(data)
    assert ("T01", "targets/paper") not in blocks(data)


def test_a_declaration_that_is_missing_is_not_zero(store):
    load(store)
    declare(store, MAKER, "ZZ00CIA1", placed(GLASS, "10"))
    targets(store)
    data = report(store)
    assert blocks(data).count(("T02", "placed")) == 2
    assert data.cell("placed/glass/mass").code == "T02"
    assert data.cell("targets/glass/attained").value is None
    assert (data.cell("targets/glass/owed").value, data.cell("targets/glass/owed").code) == (
        Mass.kg("2"),
        "T02",
    )
    # Nothing was proved: what falls short of a part falls short of the whole.
    assert data.cell("targets/glass/met").value is False


def test_enough_for_a_part_is_not_enough_for_the_whole(store):
    load(store)
    declare(store, MAKER, "ZZ00CIA1", placed(GLASS, "10"))
    targets(store)
    store.post([lot(1, 2_000_000)], request="a")
    store.homologate(
        ENTITY, verifier=cnpj("VER1"), year=YEAR, lots=None, request="h", happened_on=date(2026, 7, 1)
    )
    used(store, GLASS, "2", MAKER, "r")
    assert report(store).cell("targets/glass/met").value is None


def test_a_material_without_a_group_is_said_and_blocks(store):
    load(store)
    declare(store, None, "ZZ00CIA1", placed(GLASS, "10"), placed(TYRE, "99"))
    declare(store, None, "ZZ00CIA2", placed(PAPER, "10"))
    targets(store)
    data = report(store)
    assert data.cell("placed/tyre/group").code == "T03"
    assert mg(data, "placed/total/mass") == Mass.kg("20").mg
    assert ("T03", "placed") in blocks(data)


def test_the_countrys_mass_without_the_states_part_is_not_told(store):
    load(store)
    declare(store, None, "ZZ00CIA1", placed(GLASS, "10", uf="BR"))
    declare(store, None, "ZZ00CIA2", placed(PAPER, "10"))
    targets(store)
    data = report(store)
    assert (data.cell("placed/glass/mass").value, data.cell("placed/glass/mass").code) == (None, "T01")
    assert ("T01", "targets/glass") in blocks(data)


def test_an_establishment_that_changed_entity_is_told_by_the_last(store):
    moved = [member(MAKER, end="2026-06-30"), member(MAKER, entity=OTHER, start="2026-07-01"), member(BAKER)]
    load(store, members=moved)
    declare(store, MAKER, "ZZ00CIA1", placed(GLASS, "10"))
    declare(store, BAKER, "ZZ00CIA2", placed(GLASS, "7"))
    data = report(store)
    assert [row.key for row in data.section("members").rows] == [f"{MAKER}.2025-08-01", f"{BAKER}.2025-08-01"]
    assert mg(data, "placed/total/mass") == Mass.kg("7").mg
    assert any("outra entidade" in note for note in data.section("members").notes)


def test_a_member_of_another_year_is_not_listed(store):
    load(store, members=[member(MAKER, end="2025-12-31"), member(BAKER, start="2027-01-01")])
    data = report(store)
    assert data.section("members").rows == ()
    assert ("T02", "members") in blocks(data)


@pytest.mark.parametrize(("end", "listed"), [("2025-12-31", False), ("2026-01-01", True)])
def test_the_first_day_of_the_year_is_of_the_year(store, end, listed):
    load(store, members=[member(MAKER, end=end)])
    assert bool(report(store).section("members").rows) is listed


def test_a_whole_companys_declaration_is_not_split_between_two_entities(store):
    load(store, members=[member(MAKER), member(BRANCH, entity=OTHER), member(BAKER)])
    declare(store, None, "ZZ00CIA1", placed(GLASS, "10"))
    declare(store, None, "ZZ00CIA2", placed(PAPER, "1"))
    data = report(store)
    assert ("T03", "placed") in blocks(data)
    assert mg(data, "placed/total/mass") == Mass.kg("1").mg


def test_what_is_known_later_is_not_known_on_the_day(store):
    load(store)
    declare(store, None, "ZZ00CIA1", placed(GLASS, "10"), on=date(2027, 3, 15))
    declare(store, None, "ZZ00CIA1", placed(GLASS, "11"), on=date(2027, 3, 16))
    assert mg(report(store), "placed/glass/mass") == Mass.kg("10").mg
    assert mg(report(store, on=date(2027, 3, 16)), "placed/glass/mass") == Mass.kg("11").mg


def test_the_basis_is_the_worst_of_all_it_leans_on(world):
    data = report(world, basis=Basis.OFFICIAL)
    assert (data.basis, data.bases) == (Basis.ILLUSTRATIVE, (Basis.ILLUSTRATIVE,))
    data = report(world)
    assert (data.basis, data.bases) == (Basis.TEST, (Basis.ILLUSTRATIVE, Basis.TEST))


def test_the_digest_is_of_what_is_said_not_of_the_day(world):
    data = report(world)
    assert report(world, on=date(2027, 7, 30)).digest == data.digest
    used(world, PAPER, "0.000001", BAKER, "a little")
    assert report(world).digest != data.digest


def test_what_happens_elsewhere_in_the_chain_changes_nothing(world):
    data = report(world)
    world.post([lot(77, 5, year=2025)], request="other year")
    assert report(world).digest == data.digest


def test_moved_mass_of_another_year_or_entity_is_not_told(world):
    data = report(world)
    answer = world.retire_lots(
        OTHER, establishment=MAKER, year=YEAR, materials=[Material.GLASS], mass=Mass(1), request="x",
        happened_on=date(2027, 1, 1),
    )  # fmt: skip
    assert isinstance(answer, Refusal)
    assert report(world).digest == data.digest


def test_tables_of_the_world_are_what_the_registry_takes(store):
    load(store)
    assert {row["establishment"] for row in tables()["members"]} == {MAKER, BRANCH, BAKER}
