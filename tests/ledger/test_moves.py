"""The moves of the ledger, as the application makes them."""

from __future__ import annotations

from ledger_worlds import COMPANY, DAY, ENTITY, OTHER, VERIFIER, back, enter, lot

from lastro.ids import Material
from lastro.ledger import Reason
from lastro.stores.postgres import Store
from lastro.units import Mass


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
