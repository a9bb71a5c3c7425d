"""Twins and resales in a real store: the same lots in any order of arrival, and when a purchase falls."""

from __future__ import annotations

import itertools
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta

import pytest

from lastro.custody.answers import answer
from lastro.custody.chain import Upstream, World, upstream
from lastro.custody.count import count_once
from lastro.custody.decide import decide
from lastro.custody.port import Bears, For, Handed
from lastro.custody.settle import hand_in
from lastro.evidence import record
from lastro.evidence.mentions import SLIP
from lastro.facts import Collection, Document, Invoice, Kind, Line, LineVerdict, Outcome, Severity, Verdict
from lastro.ids import Material, Origin, mod11
from lastro.stores.postgres import Store
from lastro.stores.postgres.auditing import comparison_checks, custody_checks
from lastro.stores.postgres.custody import PostgresCustody
from lastro.units import Mass
from tests.conftest import fresh_base
from tests.custody.test_settle import BODIES, NORM, TODAY, cancellation, cnpj, digest
from tests.ledger.worlds import COMPANY, VERIFIER

A, B = cnpj("A"), cnpj("B")
COOP, DEALER, OTHER, MILL = cnpj("COOP"), cnpj("DEAL"), cnpj("DEAR"), cnpj("REC")
KG, PAPER = 1_000_000, Material.PAPER


def key(number: int) -> str:
    body = f"512606{COOP}55001{number:09d}1{number:08d}"
    return body + mod11(body)


def sale(
    number: int,
    day: int,
    seller: str,
    buyer: str,
    kg: int,
    *,
    admitted: bool = True,
    collects: bool = False,
    mg: int = 0,
    cents: int = 0,
    clock: str = "10:00:00",
    slip: str = "",
    plate: str = "",
    entry: bool = False,
) -> Handed:
    """A note of one line of paper, of so many days after 1 June 2026, at R$ 0,70 a kilogram.

    `entry`: the buyer wrote it.
    """
    on, mass = date(2026, 6, 1) + timedelta(day), kg * KG + mg
    value = f"{kg * 7 // 10}.{kg * 7 % 10}{cents}"
    goods = Line(1, "APARAS", "47071000", "5102", "KG", str(kg), "KG", str(kg), value)
    said = f"{on}T{clock}-04:00", on, "1", "0" if entry else "1", "1", "VENDA"
    writer, other = (buyer, seller) if entry else (seller, buyer)
    parties = writer, "", "5103403", "MT", other, "", "5103403", "MT"
    named = {"plates": (plate,) if plate else (), "mentions": (SLIP + slip,) if slip else ()}
    invoice = Invoice(key(number), "55", "4.00", *said, *parties, (goods,), **named)
    document = Document("n.xml", None, digest(f"{number}"), Kind.NFE, "nfeProc", key(number), invoice=invoice)
    outcome = Outcome.ADMITTED if admitted else Outcome.REVIEW
    place = Collection("5103403", "operator", Origin.PICKER_ENTITY)
    line = LineVerdict(1, "47071000", "5102", "KG", PAPER, Mass(mass), outcome, admitted, (), place)
    verdict = record.verdict_to_json(Verdict(outcome, (), (line,)), document)
    return Handed(
        sha256=digest(f"{number}"),
        ordinal=0,
        access_key=key(number),
        content_digest=f"c{number}",
        kind="nfe",
        document=record.to_json(document),
        authentic=True,
        outcome=outcome.value,
        verdict={**verdict, "collects": collects},
        known="k",
        issued_on=on,
        issuer=writer,
        recipient=other,
    )


def give(store, whom: str, *handed: Handed, mass: int | None = None) -> None:
    claims = [(h.access_key, 1, Mass(mass) if mass else None) for h in handed if h.kind == "nfe"]
    files = {h.sha256: BODIES[h.sha256] for h in handed}
    with store.transaction() as db:
        hand_in(PostgresCustody(db), handed, whom=For(whom, NORM, 2026), files=files, claims=claims, on=TODAY)


def lots(store) -> dict[tuple[int, str], int]:
    """Kilograms by number of the note and claimant."""
    return {
        (int(lot.lot.access_key[25:34]), lot.lot.claimant): lot.mass.mg // KG
        for lot in store.lots()
        if lot.mass
    }


def states(store) -> dict[int, tuple[str, str]]:
    with store.transaction() as db:
        rows = PostgresCustody(db).standing()
    return {int(row.access_key[25:34]): (row.state, row.reason) for row in rows}


def sound(store) -> None:
    checks = custody_checks(store) + comparison_checks(store)
    assert [check.failures for check in checks if check.failed] == []


def died(number: int) -> Handed:
    return replace(cancellation(1), access_key=key(number), bears=(Bears(key(number), "N10"),))


CHAIN = [
    (A, sale(1, 0, COOP, DEALER, 40)),
    (A, sale(2, 0, COOP, DEALER, 60, admitted=False)),
    (B, sale(3, 2, DEALER, MILL, 100)),
]
"""Of 100 kg that the dealer sells, 40 kg were counted for another entity when it bought them."""


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_dealer_is_not_credited_again_through_another_entity_in_any_order(store, order):
    for at in order:
        give(store, *CHAIN[at])
    assert lots(store) == {(1, A): 40, (3, B): 60}
    assert states(store)[3] == ("counted", "C04")
    sound(store)


def test_notes_that_come_at_once_see_one_another(pg_server, base):
    """Three desks hand in at the same moment; whoever comes second reads what the first wrote."""
    ready = threading.Barrier(3)

    def enter(at: int) -> None:
        store = Store(base.conninfo())
        ready.wait()
        give(store, *CHAIN[at])
        store.close()

    with ThreadPoolExecutor(3) as desks:
        list(desks.map(enter, range(3)))
    store = Store(base.conninfo())
    assert lots(store) == {(1, A): 40, (3, B): 60}
    sound(store)
    store.close()


def test_the_answer_on_a_resale_says_how_much_of_it_counts(store):
    for one in CHAIN:
        give(store, *one)
    with store.transaction() as db:
        view = PostgresCustody(db).key_views([key(3)])[key(3)]
    own = record.verdict_from_json(CHAIN[2][1].verdict)
    (line,) = answer(own, entity=B, authentic=True, counts=count_once(view), view=view).lines
    (seen,) = line.findings
    assert (seen.code, seen.severity, line.limited) == ("C04", Severity.WARN, Mass(60 * KG))
    assert seen.found == "40 kg contados em venda anterior da mesma massa"


def test_the_answer_on_a_resale_of_which_nothing_is_left_asks_a_person(store):
    give(store, A, sale(1, 0, COOP, DEALER, 40))
    give(store, B, sale(3, 2, DEALER, MILL, 40))
    with store.transaction() as db:
        view = PostgresCustody(db).key_views([key(3)])[key(3)]
    (limit,) = view.limits[1]
    assert (limit.mass, limit.finding.code, limit.finding.severity) == (Mass(0), "C04", Severity.REVIEW)


SPOILT = {
    "a part counted before": "update sold set upstream_mg = upstream_mg + 1 where upstream_mg > 0",
    "a twin": "update sold set twins = '[]' where twins <> '[]'",
    "what stands": "update sold set credited_mg = credited_mg - 1 where credited_mg > 0",
    "a sale": "delete from sold",
    "a buyer": "update sold set buyer = 'ZZ000000'",
}


@pytest.mark.parametrize("what", SPOILT)
def test_an_audit_compares_again(store, base, what):
    for one in (*CHAIN, (A, sale(7, 0, COOP, MILL, 900)), (B, sale(8, 0, COOP, MILL, 900))):
        give(store, *one)
    sound(store)
    with base.connect() as admin:
        assert admin.execute(SPOILT[what]).rowcount
    assert any(check.failed for check in comparison_checks(store))


def test_one_batch_ends_as_one_by_one(store):
    give(store, A, CHAIN[0][1], CHAIN[1][1])
    give(store, A, CHAIN[2][1])
    assert lots(store) == {(1, A): 40, (3, A): 60}


def test_a_purchase_that_falls_gives_the_sale_its_mass_back(store):
    for one in CHAIN:
        give(store, *one)
    give(store, A, died(1))
    assert lots(store) == {(3, B): 100}
    assert states(store)[3] == ("counted", "")
    sound(store)


def test_a_purchase_whose_mass_was_used_weighs_on_the_sale_even_when_corrected(store):
    give(store, *CHAIN[0])
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    store.retire_lots(
        A,
        establishment=COMPANY,
        year=2026,
        materials=[PAPER],
        mass=Mass(30 * KG),
        request="r",
        happened_on=TODAY,
    )
    give(store, A, replace(died(1), bears=(Bears(key(1), "N11"),)))
    give(store, *CHAIN[1])
    give(store, *CHAIN[2])
    assert lots(store) == {(3, B): 70}
    sound(store)


def test_a_sale_that_was_used_before_its_purchase_is_known_is_stale(store):
    give(store, B, CHAIN[2][1])
    store.homologate(B, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    store.retire_lots(
        B,
        establishment=COMPANY,
        year=2026,
        materials=[PAPER],
        mass=Mass(90 * KG),
        request="r",
        happened_on=TODAY,
    )
    give(store, *CHAIN[0])
    with store.transaction() as db:
        (row,) = [r for r in PostgresCustody(db).standing() if r.access_key == key(3)]
    assert row.stale == [B]
    assert lots(store) == {(1, A): 40}
    sound(store)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_collector_that_also_buys_what_was_counted_asks_two_people(store, order):
    notes = (A, sale(1, 0, DEALER, COOP, 40)), (B, sale(2, 1, COOP, MILL, 100, collects=True))
    for at in order:
        give(store, *notes[at])
    assert lots(store) == {(1, A): 40}
    assert states(store)[2] == ("contested", "C04")
    sound(store)
    for who in ("Ana", "Beto"):
        with store.transaction() as db:
            decide(PostgresCustody(db), key(2), 1, entity=B, content="", reason="coleta", by=who, on=TODAY)
    assert lots(store) == {(1, A): 40, (2, B): 100}
    sound(store)


def test_a_collector_that_buys_what_nobody_counted_sells_what_it_collects(store):
    give(store, A, sale(1, 0, DEALER, COOP, 40, admitted=False))
    give(store, B, sale(2, 1, COOP, MILL, 100, collects=True))
    assert lots(store) == {(2, B): 100}
    with store.transaction() as db:
        (kept,) = PostgresCustody(db).sold([key(2)])
    assert kept.upstream == Upstream()
    sound(store)


def test_the_question_goes_where_the_purchase_is_cancelled_and_is_new_at_another_mass(store):
    give(store, A, sale(1, 0, DEALER, COOP, 40))
    give(store, B, sale(2, 2, COOP, MILL, 100, collects=True))
    for who in ("Ana", "Beto"):
        with store.transaction() as db:
            decide(PostgresCustody(db), key(2), 1, entity=B, content="", reason="coleta", by=who, on=TODAY)
    give(store, A, sale(3, 1, DEALER, COOP, 30))
    assert lots(store) == {(1, A): 40, (3, A): 30}
    give(store, A, died(1), died(3))
    assert lots(store) == {(2, B): 100}
    sound(store)


def test_what_was_counted_comes_through_two_dealers(store):
    notes = [
        (A, sale(1, 0, COOP, DEALER, 100)),
        (A, sale(2, 1, DEALER, OTHER, 100, admitted=False)),
        (B, sale(3, 2, OTHER, DEALER, 100, admitted=False)),
        (A, sale(4, 3, DEALER, OTHER, 99, admitted=False)),
        (B, sale(5, 4, OTHER, MILL, 99)),
    ]
    for order in (notes, notes[::-1]):
        for whom, note in order:
            give(store, whom, note)
    assert lots(store) == {(1, A): 100}
    assert states(store)[5] == ("counted", "C04")
    give(store, A, died(3))
    # Without the way back the first dealer had nothing left to sell, and the second's stock is the 100 kg.
    assert lots(store) == {(1, A): 100}
    give(store, A, died(4), died(2))
    # Nobody is left who sold to the second dealer, so his sale is where mass begins, as far as is known.
    assert lots(store) == {(1, A): 100, (5, B): 99}
    sound(store)


def tangled(rnd: random.Random, size: int) -> list[tuple[str, Handed]]:
    """Notes in rings of five companies, some admitted, some cancelled, handed in by two.

    One of them collects besides. No two of them sell each other: that asks people (G09), and nothing would
    stand for the chain to follow.
    """
    ring, papers = [COOP, DEALER, OTHER, MILL, cnpj("D3")], []
    for number in range(1, size):
        first = rnd.randrange(5)
        seller, buyer = ring[first], ring[(first + rnd.choice([1, 2])) % 5]
        mass, admitted = rnd.randrange(50, 400), rnd.random() < 0.6
        on, collects = rnd.randrange(40), seller == OTHER
        papers.append(sale(number, on, seller, buyer, mass, admitted=admitted, collects=collects))
    papers += [died(number) for number in rnd.sample(range(1, size), size // 8)]
    return [(rnd.choice([A, B]), paper) for paper in papers]


@pytest.mark.parametrize("seed", [11, 12])
def test_a_tangle_ends_alike_in_any_order_and_batch(pg_server, seed):
    papers, ends = tangled(random.Random(seed), 60), []
    for order, size in ((1, 1), (2, 7)):
        random.Random(order).shuffle(papers)
        with fresh_base(pg_server) as base:
            store = Store(base.conninfo())
            for start in range(0, len(papers), size):
                for whom in (A, B):
                    give(store, whom, *(paper for who, paper in papers[start : start + size] if who == whom))
            sound(store)
            with store.transaction() as db:
                kept = PostgresCustody(db).sold([key(n) for n in range(1, 60)])
            ends.append((lots(store), states(store)))
            store.close()
        # By one look at all that is kept, as by looking again whenever something came.
        found = upstream((one.sold.flow for one in kept), world=World(mixed=frozenset({(OTHER[:8], PAPER)})))
        assert {one.sold.sale: one.upstream for one in kept if one.upstream != Upstream()} == found
    assert ends[0] == ends[1]
    assert sum(reason == "C04" for _, reason in ends[0][1].values()) > 3


def of_two(papers: list[tuple[str, Handed]], rnd: random.Random) -> list[tuple[str, Handed]]:
    """The papers with copies of some notes: a gram less, a second later, under another key; and with notes of
    any mass that name one weighing slip, some days apart."""
    sold = [paper for _, paper in papers if paper.kind == "nfe"]
    copies = []
    for at, paper in enumerate(rnd.sample(sold, len(sold) // 3)):
        day = (paper.issued_on - date(2026, 6, 1)).days
        (line,) = paper.verdict["lines"]
        kg, collects = line["mass_mg"] // KG, paper.verdict["collects"]
        parties, clock = (paper.issuer, paper.recipient), "10:00:01"
        copies.append(
            sale(500 + at, day, *parties, kg, mg=-1000, clock=clock, collects=collects, admitted=at % 3 > 0)
        )
    for at in range(4):
        seller, buyer = rnd.sample([COOP, DEALER, MILL], 2)
        for number in (600 + 2 * at, 601 + 2 * at):
            day, kg = 30 + rnd.randrange(8), rnd.randrange(50, 400)
            copies.append(sale(number, day, seller, buyer, kg, slip=f"77{at}"))
    return papers + [(rnd.choice([A, B]), copy) for copy in copies]


@pytest.mark.parametrize("seed", [21, 22])
def test_a_tangle_with_copies_ends_alike_in_any_order_and_no_copy_makes_stock(pg_server, seed):
    rnd = random.Random(seed)
    papers, ends = of_two(tangled(rnd, 40), rnd), []
    for order, size in ((1, 1), (2, 9)):
        random.Random(order).shuffle(papers)
        with fresh_base(pg_server) as base:
            store = Store(base.conninfo())
            for start in range(0, len(papers), size):
                for whom in (A, B):
                    give(store, whom, *(paper for who, paper in papers[start : start + size] if who == whom))
            sound(store)
            with store.transaction() as db:
                kept = PostgresCustody(db).every_sold()
            ends.append((lots(store), states(store), {one.sold.sale: one for one in kept}))
            store.close()
    assert ends[0] == ends[1]
    asked = {sale for sale, one in ends[0][2].items() if one.twins}
    assert len(asked) > 8
    assert {sale for sale, one in ends[0][2].items() if one.sold.waits} == asked
    assert {one.sold.claimed for one in ends[0][2].values() if one.twins} == {True, False}


# ── purchases that wait, or come after the sale ──────────────────────────────────────────────────────

COPIED = [
    (A, sale(1, 0, COOP, DEALER, 1355)),
    (A, sale(2, 0, COOP, DEALER, 1355, mg=-1000, clock="10:00:01")),
    (B, sale(3, 2, DEALER, MILL, 1354)),
]
"""A load that the cooperative's notes tell twice, and the dealer's sale of it."""


def decided(store, number: int, who: str) -> None:
    for person in ("Ana", "Beto"):
        with store.transaction() as db:
            decide(
                PostgresCustody(db), key(number), 1, entity=who, content="", reason="t", by=person, on=TODAY
            )


def asked_of(store, number: int) -> list[tuple[str, str]]:
    with store.transaction() as db:
        (view,) = PostgresCustody(db).key_views([key(number)]).values()
    return [(doubt.code, doubt.found) for doubt in view.doubts.get(1, ())]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_of_notes_that_wait_nothing_is_sold_on_until_people_say(store, order):
    for at in order:
        give(store, *COPIED[at])
    assert lots(store) == {}
    assert states(store)[3] == ("contested", "C04")
    said = f"1.354 kg vêm de compra que espera decisão ({key(1)}); no dia, não os tinha"
    assert asked_of(store, 3) == [("C04", said)]
    sound(store)
    decided(store, 1, A)
    # The first is counted; of the second nothing is handed on, so the dealer sells what was counted before.
    assert lots(store) == {(1, A): 1355}
    assert states(store)[3] == ("counted", "C04")
    decided(store, 2, A)
    assert lots(store) == {(1, A): 1355, (2, A): 1354}
    sound(store)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_copy_that_nobody_claims_makes_no_stock(store, order):
    """Else what was counted would be sold on as what the copy tells, which no entity need ever claim."""
    copy = sale(2, 0, COOP, DEALER, 1355, mg=-1000, clock="10:00:01", admitted=False)
    notes = (COPIED[0], (A, copy), COPIED[2])
    for at in order:
        give(store, *notes[at])
    assert lots(store) == {(1, A): 1355}
    assert states(store)[3] == ("counted", "C04")
    assert asked_of(store, 2) == []
    sound(store)
    give(store, A, died(1))
    # Of the two, the copy is what is left: it moved, uncounted, and is sold on once.
    assert lots(store) == {(3, B): 1354}
    sound(store)


def test_a_copy_decided_to_be_a_load_feeds_what_nobody_claims_of_it(store):
    give(store, A, COPIED[0][1])
    give(store, A, COPIED[1][1], mass=1000 * KG)
    give(store, *COPIED[2])
    decided(store, 1, A)
    decided(store, 2, A)
    # 354,999 kg of the second load were claimed by nobody when the dealer bought it.
    assert lots(store) == {(1, A): 1355, (2, A): 1000, (3, B): 354}
    sound(store)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_sale_dated_before_its_purchase_asks_people_and_says_which_purchase(store, order):
    notes = (A, sale(1, 12, COOP, DEALER, 5000)), (B, sale(2, 11, DEALER, MILL, 4800))
    for at in order:
        give(store, *notes[at])
    assert lots(store) == {(1, A): 5000}
    said = f"4.800 kg vendidos antes da compra ({key(1)}); no dia, não os tinha"
    assert asked_of(store, 2) == [("C04", said)]
    sound(store)
    decided(store, 2, B)
    assert lots(store) == {(1, A): 5000, (2, B): 4800}
    give(store, A, died(1))
    assert lots(store) == {(2, B): 4800}
    sound(store)


def test_a_purchase_of_months_later_explains_nothing(store):
    give(store, A, sale(1, 80, COOP, DEALER, 5000))
    give(store, B, sale(2, 11, DEALER, MILL, 4800))
    assert lots(store) == {(1, A): 5000, (2, B): 4800}
    assert asked_of(store, 2) == []


# ── twins ────────────────────────────────────────────────────────────────────────────────────────────

FIRST = (A, sale(1, 0, COOP, MILL, 1355))
SECOND = (B, sale(2, 0, COOP, MILL, 1355, mg=-1000, cents=1, clock="10:00:01"))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_both_of_two_like_notes_wait_for_people_whoever_came_first(store, order):
    for at in order:
        give(store, *(FIRST, SECOND)[at])
    assert lots(store) == {}
    assert states(store) == {1: ("contested", "C03"), 2: ("contested", "C03")}
    sound(store)


def test_two_people_say_that_a_load_is_one_of_its_own(store):
    give(store, *FIRST)
    give(store, *SECOND)
    for who in ("Ana", "Beto"):
        with store.transaction() as db:
            decide(PostgresCustody(db), key(1), 1, entity=A, content="", reason="tíquete 9", by=who, on=TODAY)
    assert lots(store) == {(1, A): 1355}
    assert states(store)[2] == ("contested", "C03")
    give(store, A, sale(3, 1, COOP, MILL, 1355))
    assert lots(store) == {}
    sound(store)


ONE_TRIP = {
    "one slip": [sale(1, 0, COOP, MILL, 5000, slip="4213"), sale(2, 6, COOP, MILL, 900, slip="4213")],
    "one lorry within minutes": [
        sale(1, 0, COOP, MILL, 5000, plate="ZZA1B23"),
        sale(2, 0, COOP, MILL, 5060, plate="zza-1b23", clock="10:09:00"),
    ],
    "two entries of one truck": [
        sale(1, 0, COOP, MILL, 5000, entry=True),
        sale(2, 1, COOP, MILL, 4900, entry=True, plate="ZZA1B23"),
    ],
}


@pytest.mark.parametrize("notes", ONE_TRIP.values(), ids=ONE_TRIP)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_notes_of_one_trip_wait_for_people_whoever_came_first(store, notes, order):
    for at in order:
        give(store, (A, B)[at], notes[at])
    assert lots(store) == {}
    assert states(store) == {1: ("contested", "C03"), 2: ("contested", "C03")}
    sound(store)
    decided(store, 1, A)
    assert sum(lots(store).values()) == 5000
    sound(store)


def test_entries_wait_until_so_many_come_that_the_two_trade_as_a_habit(store):
    pair = ONE_TRIP["two entries of one truck"]
    others = [
        sale(number, day, COOP, MILL, 3000 + number, entry=True) for number, day in ((3, -5), (4, 4), (5, 6))
    ]
    for note in (*pair, *others[:2]):
        give(store, A, note)
    assert {number for number, (state, _) in states(store).items() if state == "contested"} == {1, 2}
    sound(store)
    give(store, A, others[2])
    assert lots(store) == {(1, A): 5000, (2, A): 4900, (3, A): 3003, (4, A): 3004, (5, A): 3005}
    sound(store)


def test_a_twin_that_is_cancelled_is_none(store):
    give(store, *FIRST)
    give(store, *SECOND)
    give(store, B, died(2))
    assert lots(store) == {(1, A): 1355}
    sound(store)


def test_a_note_that_no_answer_admits_is_nobodys_twin(store):
    give(store, *FIRST)
    give(store, B, replace(sale(2, 0, COOP, MILL, 1355, admitted=False)))
    assert lots(store) == {(1, A): 1355}


def test_a_weekly_bale_becomes_a_habit_and_its_neighbours_are_let_go(store):
    for number, day in enumerate((0, 1), 1):
        give(store, A, sale(number, day, COOP, MILL, 500))
    assert lots(store) == {}
    for number, day in enumerate((8, 15, 22), 3):
        give(store, A, sale(number, day, COOP, MILL, 500))
    assert lots(store) == {(number, A): 500 for number in range(1, 6)}
    sound(store)
