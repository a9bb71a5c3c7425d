"""Whatever happened, the report equals the recount, and a report that says the same has the same digest."""

from __future__ import annotations

import random
from datetime import date

import pytest

from lastro.facts import Refusal
from lastro.ids import Origin
from lastro.ledger import Posting, Reason
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass
from tests.certificates.worlds import authorise, issue, prepare, refuse, retire
from tests.ledger.worlds import ENTITY, VERIFIER
from tests.reports.recount import recount
from tests.reports.worlds import (
    BAKER,
    BRANCH,
    CARTON,
    GLASS,
    MAKER,
    ON,
    PAPER,
    STEEL,
    YEAR,
    declare,
    load,
    lot,
    placed,
    report,
)

TOWNS = ("5103403", "5107909", "5208707", "5100250")
PARTS = ("placed", "recovered", "origins", "geography", "beside", "fallen")


def wander(store, chance: random.Random, steps: int) -> None:
    """Enter, take back, homologate, retire, certify, refuse: at random, as the ledger allows."""
    book, entered = Certificates(store), dict[int, Posting]()
    for step in range(steps):
        move = chance.choice(("enter", "enter", "enter", "back", "homologate", "retire", "certify"))
        if move == "enter":
            posting = lot(
                step + 1, chance.randint(1, 10**9), municipality=chance.choice(TOWNS),
                material=chance.choice((GLASS, PAPER, CARTON, STEEL)), origin=chance.choice(list(Origin)[:4]),
                municipality_source=chance.choice(("operator", "invoice", "lots_file")),
                year=chance.choice((YEAR, YEAR, YEAR, YEAR - 1)),
            )  # fmt: skip
            store.post([posting], request=f"e{step}")
            entered[step + 1] = posting
        elif move == "back" and entered:
            taken = entered.pop(chance.choice(list(entered)))
            held = next(one.mass for one in store.lots(entity=ENTITY) if one.lot == taken.lot)
            if held:
                out = Posting(taken.lot, Mass(chance.randint(1, held.mg)), Reason.CANCELLED, ON)
                store.post([out], request=f"b{step}")
        elif move == "homologate":
            store.homologate(
                ENTITY, verifier=VERIFIER, year=YEAR, lots=None, request=f"h{step}", happened_on=ON
            )
        elif move == "retire":
            store.retire_lots(
                ENTITY, establishment=chance.choice((MAKER, BRANCH, BAKER)), year=YEAR,
                materials=[chance.choice((GLASS, PAPER, STEEL))], mass=Mass(chance.randint(1, 10**8)),
                request=f"r{step}", happened_on=ON,
            )  # fmt: skip
        elif move == "certify":
            made = prepare(book, f"c{step}", chance.randint(1, 100), holder=chance.choice((MAKER, BAKER)))
            if not isinstance(made, Refusal):
                moves = chance.choice(((), (refuse,), (authorise, issue), (authorise, issue, retire)))
                for one in moves:
                    one(book, f"c{step}")


@pytest.mark.parametrize("seed", range(4))
def test_a_random_year_equals_its_recount(store, base, seed):
    chance = random.Random(seed)
    load(store)
    for who, company in ((MAKER, "ZZ00CIA1"), (BRANCH, "ZZ00CIA1"), (None, "ZZ00CIA2")):
        for day in (date(2026, 2, 1), date(2026, 3, 1)):
            rows = [
                placed(m, f"{chance.randint(1, 10**6)}.{chance.randint(0, 999_999):06d}")
                for m in (GLASS, PAPER)
            ]
            declare(store, who, company, *rows, on=day)
    wander(store, chance, 120)
    data = report(store)
    told = {
        path: cell.value.mg
        for path, cell in data.cells()
        if cell.unit == "kg" and path.split("/")[0] in PARTS and isinstance(cell.value, Mass)
    }
    counted = recount(base.conninfo("lastro_app"), ENTITY, YEAR)
    assert {path: n for path, n in told.items() if n} == {path: n for path, n in counted.items() if n}
    assert told["recovered/total/total"] == told["geography/total/total"] == told["origins/total/total"] > 0
    assert report(store).digest == data.digest
