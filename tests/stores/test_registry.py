"""What is loaded is only added to; the latest row holds, and a past day can be had again."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import psycopg
import pytest

from lastro.errors import LastroError
from lastro.facts import Basis, Placement, TargetRow
from lastro.ids import Material, cnpj_check_digits
from lastro.stores.postgres import registry as kept
from lastro.units import Mass

DAY = date(2026, 3, 1)


def cnpj(base: str) -> str:
    base = base.ljust(8, "0") + "0001"
    return base + cnpj_check_digits(base)


COOP, ENTITY = cnpj("ZZCOOP01"), cnpj("ZZENT001")


def party(**facts):
    names = ("address", "municipality", "uf", "contact", "licence_number", "licence_issuer")
    body = dict.fromkeys((*names, "licence_valid_to", "closed_on"))
    return {"cnpj": COOP, "name": "Coop", **body, **facts}


def glass(mass: int, returnable: int = 0, *, uf: str = "MT") -> Placement:
    return Placement(2025, Material.GLASS, uf, Mass(mass), Mass(returnable), national=uf == "BR")


def test_the_latest_row_of_a_key_holds_and_the_same_file_adds_nothing(store):
    first = {"parties": [party()]}
    assert kept.load(store, first, source="a.json", on=DAY)["parties"] == {"new": 1, "changed": 0, "same": 0}
    version = kept.registry(store).version
    assert kept.load(store, first, source="b.json", on=DAY)["parties"] == {"new": 0, "changed": 0, "same": 1}
    assert kept.registry(store).version == version
    closed = {"parties": [party(closed_on="2026-02-01")]}
    assert kept.load(store, closed, source="c.json", on=DAY)["parties"]["changed"] == 1
    assert kept.registry(store).closed(COOP, DAY)
    assert kept.load(store, first, source="a.json", on=DAY)["parties"]["changed"] == 1
    assert kept.registry(store).version == version


@pytest.mark.parametrize("change", ["update {} set id = id", "delete from {}", "truncate {} cascade"])
@pytest.mark.parametrize("table", ["registry_row", "registry_load", "declaration", "target_row"])
def test_the_application_only_adds(store, change, table):
    kept.load(store, {"parties": [party()]}, source="a", on=DAY)
    with pytest.raises(psycopg.Error), store.transaction() as db:
        db.execute(change.format(f"lastro.{table}"))


def test_the_latest_declaration_supersedes_and_the_same_adds_nothing(store):
    parts = {(None, 2025): [glass(1000, 100), glass(7, uf="BR")]}
    assert kept.declare(store, "ZZMAKE01", parts, source="a", on=DAY) == 1
    assert kept.declare(store, "ZZMAKE01", parts, source="a", on=DAY) == 0
    assert kept.placed(store)["ZZMAKE01"] == (glass(7, uf="BR"), glass(1000, 100))
    later = date(2026, 4, 1)
    assert kept.declare(store, "ZZMAKE01", {(None, 2025): [glass(900)]}, source="b", on=later) == 1
    assert kept.placed(store, company="ZZMAKE01")["ZZMAKE01"] == (glass(900),)
    assert kept.placed(store, as_of=DAY)["ZZMAKE01"] == (glass(7, uf="BR"), glass(1000, 100))
    assert kept.placed(store, as_of=date(2026, 2, 28)) == {}
    assert kept.placed(store, company="ZZOTHER1") == {}


def test_establishments_stand_side_by_side_and_the_whole_supersedes_them(store):
    one, two = "ZZMAKE01" + "000100", "ZZMAKE01" + "000200"
    kept.declare(store, "ZZMAKE01", {(one, 2025): [glass(5)]}, source="a", on=DAY)
    kept.declare(store, "ZZMAKE01", {(two, 2025): [glass(6)]}, source="b", on=DAY)
    assert kept.placed(store)["ZZMAKE01"] == (glass(5), glass(6))
    kept.declare(store, "ZZMAKE01", {(None, 2025): [glass(9)]}, source="c", on=DAY)
    assert kept.placed(store)["ZZMAKE01"] == (glass(9),)
    with pytest.raises(LastroError, match="duas vezes"):
        kept.declare(store, "ZZMAKE01", {(one, 2025): [glass(5)]}, source="a", on=DAY)
    assert kept.placed(store)["ZZMAKE01"] == (glass(9),)


def test_targets_are_added_and_a_past_day_can_be_had_again(store):
    row = TargetRow("embalagens_em_geral", "glass", 2026, "25%", "Portaria inventada 1", Basis.TEST)
    norm, later = "mt/decreto_1455_2025", date(2026, 6, 1)
    assert kept.add_targets(store, norm, [row], on=DAY) == 1
    assert kept.add_targets(store, norm, [row], on=later) == 0
    changed = TargetRow("embalagens_em_geral", "glass", 2026, "26%", "Portaria inventada 1", Basis.TEST)
    assert kept.add_targets(store, norm, [changed], on=later) == 1
    assert [r.share for r in kept.targets(store, norm)] == ["25%", "26%"]
    assert [r.share for r in kept.targets(store, norm, as_of=date(2026, 5, 31))] == ["25%"]
    assert kept.targets(store, norm)[0].loaded_on == DAY
    assert kept.targets(store, "mt/outra") == ()


def test_two_loads_at_once_add_each_row_once(store):
    def once(_):
        return kept.load(store, {"parties": [party()]}, source="a", on=DAY)["parties"]["new"]

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(once, range(8))) == 1
