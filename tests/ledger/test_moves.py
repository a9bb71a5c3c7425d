"""The moves of the ledger, as the application makes them."""

from __future__ import annotations

from datetime import date

import psycopg
import pytest

from lastro.facts import Refusal
from lastro.ids import Material
from lastro.ledger import Reason
from lastro.stores.postgres import Store
from lastro.units import Mass
from tests.ledger.worlds import COMPANY, DAY, ENTITY, OTHER, VERIFIER, back, cnpj, enter, key, lot


def balances(store: Store) -> dict[str, int]:
    with store.transaction() as connection:
        return dict(connection.execute("SELECT account, mass_mg FROM balance").fetchall())


def homologate(store: Store, request: str = "h1", **more):
    asked = {"verifier": VERIFIER, "year": 2026, "lots": None, "request": request, "happened_on": DAY} | more
    return store.homologate(ENTITY, **asked)


def retire(store: Store, mg: int, request: str, **more):
    asked = {"establishment": COMPANY, "year": 2026, "materials": [Material.GLASS], "happened_on": DAY} | more
    return store.retire_lots(ENTITY, mass=Mass(mg), request=request, **asked)


def test_mass_enters_goes_back_and_the_request_counts_once(store):
    first = store.post([enter(1, 100), enter(2, 50, claimant=OTHER)], request="r1")
    assert first == {
        "links": [
            {"entity": ENTITY, "entries": 1, "entered_mg": 100, "returned_mg": 0, "height": 1},
            {"entity": OTHER, "entries": 1, "entered_mg": 50, "returned_mg": 0, "height": 1},
        ]
    }
    again = store.post([enter(1, 100), enter(2, 50, claimant=OTHER)], request="r1")
    assert again == first | {"repeated": "K09"}
    store.post([back(1, 30, Reason.CONTESTED)], request="r2")
    assert balances(store) == {lot(1).account: 70, lot(2, claimant=OTHER).account: 50}


def test_a_request_id_used_for_something_else_is_refused(store):
    store.post([enter(1, 100)], request="r1")
    assert store.post([enter(1, 101)], request="r1").code == "K09"
    assert balances(store) == {lot(1).account: 100}


def test_one_post_over_several_lots_of_one_entity_is_one_link(store):
    store.post([enter(n, 10 * n) for n in (3, 1, 2)], request="r1")
    entries = list(store.entries())
    assert [(e.lot, e.mass.mg) for e in entries] == [(lot(3), 30), (lot(1), 10), (lot(2), 20)]
    assert {e.debit for e in entries} == {"source"}
    with store.book() as book:
        assert [(k.height, k.kind, len(k.entries)) for k in book.links()] == [(1, "post", 3)]


def test_a_lot_keeps_the_facts_it_was_first_entered_with(store):
    store.post([enter(1, 10)], request="r1")
    store.post([enter(1, 5, day=date(2026, 9, 9), material=Material.PAPER)], request="r2")
    (held,) = store.lots()
    assert (held.mass, held.material, held.issued_on) == (Mass(15), Material.GLASS, DAY)


@pytest.mark.parametrize("taken", [101, 1_000])
def test_no_more_than_a_lot_holds_goes_back(store, taken):
    store.post([enter(1, 100)], request="r1")
    with pytest.raises(psycopg.errors.CheckViolation, match="would hold"):
        store.post([back(1, taken, Reason.CONTESTED)], request="r2")
    assert balances(store) == {lot(1).account: 100}
    assert len(list(store.entries())) == 1


def test_all_that_a_lot_holds_goes_back(store):
    store.post([enter(1, 100)], request="r1")
    store.post([back(1, 100, Reason.CANCELLED)], request="r2")
    assert balances(store) == {lot(1).account: 0}


def test_a_lot_may_not_hold_less_than_nothing_even_on_the_way(store):
    store.post([enter(1, 100)], request="r1")
    with pytest.raises(psycopg.errors.CheckViolation):
        store.post([back(1, 150, Reason.CONTESTED), enter(1, 100)], request="r2")
    store.post([enter(1, 100), back(1, 150, Reason.CONTESTED)], request="r3")
    assert balances(store) == {lot(1).account: 50}


def test_mass_goes_back_only_from_lots_that_were_entered(store):
    with pytest.raises(psycopg.errors.RaiseException, match="never entered"):
        store.post([back(1, 1, Reason.CONTESTED)], request="r1")


def test_a_post_that_fails_leaves_the_other_entities_alone(store):
    store.post([enter(1, 100)], request="r1")
    with pytest.raises(psycopg.errors.CheckViolation):
        store.post([enter(2, 5, claimant=OTHER), back(1, 101, Reason.CONTESTED)], request="r2")
    assert balances(store) == {lot(1).account: 100}


def test_moves_inside_one_transaction_stand_or_fall_together(store):
    def interrupted():
        with store.transaction():
            store.post([enter(1, 100)], request="r1")
            raise KeyError

    with pytest.raises(KeyError):
        interrupted()
    assert balances(store) == {}
    assert "repeated" not in store.post([enter(1, 100)], request="r1")


def test_reasons_of_other_moves_cannot_be_posted(store):
    store.post([enter(1, 100)], request="r1")
    for reason in (Reason.RETIRE, Reason.ISSUE, Reason.REVERSE):
        with pytest.raises(psycopg.errors.RaiseException, match="is not one"):
            store.post([back(1, 1, reason)], request=f"r-{reason}")


def test_only_another_party_homologates(store):
    store.post([enter(1, 100)], request="r1")
    for verifier in (ENTITY, cnpj("ENT1", branch="0002")):
        assert homologate(store, verifier=verifier).code == "K02"
    assert store.pools()[0].homologated == Mass(0)


def test_a_statement_makes_verified_lots_of_its_year_usable(store):
    store.post([enter(1, 100), enter(2, 50), enter(3, 7, year=2025)], request="r1")
    answer = homologate(store)
    assert (answer["lots"], answer["mass_mg"]) == (2, 150)
    assert [(p.year, p.verified.mg, p.homologated.mg) for p in store.pools()] == [
        (2025, 7, 0),
        (2026, 150, 150),
    ]
    assert homologate(store)["repeated"] == "K09"
    assert homologate(store, "h2")["lots"] == 0


def test_a_statement_may_name_its_lots_and_only_known_ones(store):
    store.post([enter(1, 100), enter(2, 50), enter(3, 7, year=2025)], request="r1")
    for unknown in (lot(9), lot(1, line=2), lot(3)):
        refused = homologate(store, lots=[lot(1), unknown])
        assert refused.code == "K08"
        assert refused.detail["unknown"] == [{"access_key": unknown.access_key, "line": unknown.line}]
    assert homologate(store, lots=[lot(1)])["lots"] == 1
    assert [p.homologated.mg for p in store.pools(year=2026)] == [100]


def test_a_homologated_lot_stays_so_when_its_mass_returns(store):
    store.post([enter(1, 100)], request="r1")
    homologate(store)
    store.post([back(1, 100, Reason.CONTESTED)], request="r2")
    store.post([enter(1, 60)], request="r3")
    assert store.pools()[0].homologated == Mass(60)


def test_mass_that_is_not_homologated_cannot_be_retired(store):
    store.post([enter(1, 100)], request="r1")
    assert retire(store, 1, "t1").detail == {"available_mg": 0, "asked_mg": 1}


def test_retirement_takes_the_oldest_note_first_and_a_part_of_the_last(store):
    store.post(
        [
            enter(1, 40, day=date(2026, 3, 2)),
            enter(2, 40, day=date(2026, 3, 1)),
            enter(3, 40, line=2, day=date(2026, 3, 2)),
            enter(3, 40, line=1, day=date(2026, 3, 2)),
        ],
        request="r1",
    )
    homologate(store)
    answer = retire(store, 130, "t1")
    taken = [(row["access_key"], row["line"], row["mass_mg"]) for row in answer["lots"]]
    assert taken == [(key(2), 1, 40), (key(1), 1, 40), (key(3), 1, 40), (key(3), 2, 10)]
    (row,) = store.retired(company=COMPANY[:8], year=2026)
    assert (row.establishment, row.fact.mass.mg, row.fact.uf, row.fact.municipality) == (
        COMPANY,
        130,
        "MT",
        "5103403",
    )
    assert store.retired(company=COMPANY, year=2025) == []
    assert store.retired(company=OTHER) == []


@pytest.mark.parametrize(("asked", "refused"), [(99, False), (100, False), (101, True)])
def test_retirement_below_at_and_above_what_there_is(store, asked, refused):
    store.post([enter(1, 100)], request="r1")
    homologate(store)
    answer = retire(store, asked, "t1")
    assert isinstance(answer, Refusal) is refused
    if refused:
        assert (answer.code, answer.detail) == ("K01", {"available_mg": 100, "asked_mg": 101})
        assert balances(store) == {lot(1).account: 100}


def test_a_refused_retirement_may_be_asked_again(store):
    store.post([enter(1, 100)], request="r1")
    homologate(store)
    assert retire(store, 150, "t1").code == "K01"
    store.post([enter(1, 50)], request="r2")
    assert retire(store, 150, "t1")["mass_mg"] == 150
    assert retire(store, 150, "t1")["repeated"] == "K09"
    assert retire(store, 149, "t1").code == "K09"


def test_other_years_materials_books_and_entities_are_not_touched(store):
    store.post(
        [
            enter(1, 100, year=2025),
            enter(2, 100, material=Material.PAPER),
            enter(3, 100, book="INCENTIVE"),
            enter(4, 100, claimant=OTHER),
            enter(5, 10),
        ],
        request="r1",
    )
    homologate(store)
    assert retire(store, 11, "t1").detail["available_mg"] == 10
    assert retire(store, 110, "t2", materials=[Material.GLASS, Material.PAPER])["mass_mg"] == 110
    by_material = {row.fact.material: row.fact.mass.mg for row in store.retired()}
    assert by_material == {Material.GLASS: 10, Material.PAPER: 100}


def test_who_holds_a_chain_keeps_its_lots_as_they_were_read(store, base):
    store.post([enter(1, 100)], request="r1")
    homologate(store)
    with store.transaction():
        store.hold([OTHER, ENTITY])
        with base.connect("lastro_app") as another:
            another.execute("SET lock_timeout = '50ms'")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                another.execute("SELECT lock_chains(%s)", [[ENTITY]])
        store.post([back(1, 100, Reason.CONTESTED)], request="r2")
    assert retire(store, 1, "t1").code == "K01"
