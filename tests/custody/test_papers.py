"""Manifests and certificates in a real store: the same balances in any order, and what falls later falls."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

import pytest

from lastro.custody.count import Decided
from lastro.custody.lots import LotRow
from lastro.custody.port import Bears, For, Handed
from lastro.custody.settle import hand_in, settle
from lastro.evidence.record import to_json
from lastro.facts import Document, Kind
from lastro.stores.postgres.auditing import custody_checks
from lastro.stores.postgres.custody import PostgresCustody, custody
from tests.custody.test_settle import NORM, TODAY, A, B, balances, digest, give, key, note
from tests.custody.waste_papers import KG, OTHER, cdf, mtr, mtr_number, residue
from tests.ledger.worlds import COMPANY, VERIFIER


def paper(said) -> Handed:
    """A manifest or certificate, as handed in."""
    body = repr(said)
    kind = "manifest" if hasattr(said, "shipped_on") else "destination"
    of = Kind.MTR if kind == "manifest" else Kind.CDF
    document = Document("p", None, digest(body), of, of.value, content_digest=digest(body), **{kind: said})
    return Handed(
        sha256=digest(body),
        ordinal=0,
        access_key="",
        content_digest=digest(body),
        kind=of.value,
        document=to_json(document),
        authentic=False,
        outcome="admitted",
        verdict={"findings": [], "lines": []},
        known="k",
    )


def load(number: int, kg: int = 1000, *, named: tuple[int, ...] = (), plates: tuple[str, ...] = ()) -> Handed:
    """A note of glass on the tenth of June that names manifests."""
    made = note(number, mass=kg * KG)
    made.verdict["lines"][0]["findings"] = []
    invoice = {"mentions": [mtr_number(n) for n in named], "plates": list(plates)}
    return replace(made, document={"invoice": invoice}, issued_on=date(2026, 6, 10))


def cancelled(number: int) -> Handed:
    return replace(
        paper(mtr(900 + number)),
        sha256=digest(f"event {number}"),
        access_key=key(number),
        content_digest="",
        kind="event",
        document={},
        authentic=True,
        bears=(Bears(key(number), "N10"),),
    )


def kilograms(store) -> dict[int, float]:
    return {int(at[0][25:34]): mg // KG for at, mg in balances(store).items()}


def reasons(store) -> dict[int, tuple[str, str]]:
    with custody(store) as memory:
        return {int(s.access_key[25:34]): (s.state, s.reason) for s in memory.standing()}


def sound(store) -> bool:
    return not [failure for check in custody_checks(store) for failure in check.failures]


def test_a_manifest_that_comes_later_leaves_what_was_received_and_one_that_comes_before_too(store):
    give(store, A, load(1, named=(1,)))
    assert kilograms(store) == {1: 1000}
    give(store, A, paper(mtr(1, residue("900"))))
    give(store, A, paper(mtr(2, residue("800"))))
    give(store, A, load(2, named=(2,)))
    assert kilograms(store) == {1: 900, 2: 800}
    assert reasons(store) == {1: ("counted", "C08"), 2: ("counted", "C08")}
    assert sound(store)


def test_the_paper_of_one_entity_weighs_on_the_claim_of_another(store):
    give(store, A, load(1, named=(1,)))
    give(store, B, paper(mtr(1, residue("900"))))
    assert kilograms(store) == {1: 900}


def test_a_cancelled_manifest_gives_back_what_it_took(store):
    give(store, A, load(1, named=(1,)), paper(mtr(1, residue("900"))))
    assert kilograms(store) == {1: 900}
    give(store, A, paper(mtr(1, residue("900"), situation="Cancelado")))
    assert kilograms(store) == {1: 1000}


def test_a_cancelled_note_leaves_its_part_to_the_others_of_its_manifest(store):
    give(store, A, load(1, 600, named=(1,)), load(2, 400, named=(1,)), paper(mtr(1, residue("500"))))
    assert kilograms(store) == {1: 300, 2: 200}
    give(store, A, cancelled(2))
    assert kilograms(store) == {1: 500}
    assert sound(store)


def test_a_certificate_reaches_every_note_of_its_manifests(store):
    give(store, A, load(1, named=(1,)), load(2, named=(2,)), paper(mtr(1)), paper(mtr(2)))
    assert kilograms(store) == {1: 1000, 2: 1000}
    give(store, A, paper(cdf(7, residue("1500"), of=(1, 2))))
    assert kilograms(store) == {1: 750, 2: 750}
    assert reasons(store)[1] == ("counted", "C07")


def test_a_manifest_that_names_a_note_by_key_or_number_is_its_own(store):
    give(store, A, load(1), load(2), load(3))
    give(store, A, paper(mtr(1, residue("900"), mentions=(key(1),))))
    give(store, A, paper(mtr(2, residue("850"), mentions=("2",))))
    assert kilograms(store) == {1: 900, 2: 850, 3: 1000}


def test_a_manifest_that_nobody_handed_in_is_told_whatever_else_is_asked_at_the_same_time(store):
    """Note 1 has no paper near it, note 2 names one that is there: what is said of 1 does not lean on 2."""
    give(store, A, load(1, named=(1,)), load(2, named=(2,)), paper(mtr(2, generator=OTHER)))
    with custody(store) as memory:
        for asked in ([key(1)], [key(1), key(2)]):
            told = memory.key_views(asked)[key(1)].notices
            assert [seen.code for seen in told[0]] == ["C05"]


def test_a_candidate_asks_people_until_the_paper_is_named_or_two_people_say_so(store):
    give(store, A, load(1), load(2, 500))
    give(store, A, paper(mtr(1, residue("960"))))
    assert kilograms(store) == {2: 500}
    assert reasons(store)[1] == ("contested", "C05")
    for by in ("ana", "rui"):
        with store.transaction() as db:
            memory = PostgresCustody(db)
            view = memory.key_views([key(1)])[key(1)]
            decided = Decided(1, A, "c1", frozenset([A]), view.questions(1))
            memory.propose(view, decided, reason="outra carga", by=by)
            settle(memory, [key(1)], on=TODAY)
    assert kilograms(store) == {1: 1000, 2: 500}
    give(store, A, paper(mtr(3, residue("960"), plate="ZZZ0A01")))
    assert kilograms(store) == {2: 500}, "another candidate asks another question"


def test_the_manifest_of_another_note_is_no_candidate_once_that_note_is_there(store):
    give(store, A, load(1), paper(mtr(1, residue("960"))))
    assert kilograms(store) == {}
    give(store, A, load(2, 950, named=(1,)))
    assert kilograms(store) == {1: 1000, 2: 950}


def test_mass_that_was_used_and_is_certified_no_more_is_stale(store):
    give(store, A, load(1, named=(1,)))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    with store.transaction() as db:
        db.execute("select retire_lots(%s, %s, 2026, '{glass}', %s, 'r', %s)", [A, COMPANY, 950 * KG, TODAY])
    give(store, A, paper(mtr(1, residue("900"))))
    with custody(store) as memory:
        (line,) = memory.standing()
    assert (line.state, line.reason, list(line.stale)) == ("counted", "C08", [A])
    assert sound(store)


@pytest.mark.parametrize("seed", range(8))
def test_order_never_matters(store, seed):
    acts = [
        *[(A, load(n, 1000, named=(n,))) for n in (1, 2, 3)],
        (B, load(4, 500, named=(3,))),
        (A, load(5, 700)),
        (A, load(6, 400)),
        *[(A, paper(mtr(n, residue(kg)))) for n, kg in ((1, "900"), (2, "1000"), (3, "1200"))],
        (B, paper(mtr(1, residue(None), situation="Salvo", received_on=None))),
        (A, paper(mtr(5, residue("690")))),
        (A, paper(mtr(6, residue("390"), mentions=(key(6),)))),
        (A, paper(cdf(7, residue("2000"), of=(1, 2)))),
        (A, paper(cdf(8, residue("1"), of=(1, 2), situation="Cancelado"))),
        (A, load(9, 300, named=(9,))),
        (A, paper(mtr(9, residue("1")))),
        (B, paper(mtr(9, residue("1"), situation="Cancelado"))),
        (A, load(10, 300, named=(1,))),
        (A, cancelled(10)),
    ]
    random.Random(seed).shuffle(acts)
    for whom, handed in acts + acts[:3]:
        give(store, whom, handed)
    assert kilograms(store) == {1: 900, 2: 1000, 3: 800, 4: 400, 6: 390, 9: 300}
    assert reasons(store)[5] == ("contested", "C05")
    assert sound(store)


def test_a_store_without_papers_is_asked_nothing_more(store):
    give(store, A, load(1))
    with store.transaction() as db:
        memory = PostgresCustody(db)
        view = memory.key_views([key(1)])[key(1)]
        assert (view.limits, view.doubts, view.notices, view.papers) == ({}, {}, {}, ())
        hand_in(memory, [], whom=For(A, NORM, 2026), files={}, claims=[], on=TODAY)


def test_a_manifest_that_is_named_is_missed_where_none_was_ever_handed_in(store):
    give(store, A, load(1, named=(1,)), load(2, 500))
    with custody(store) as memory:
        memory.say_lots(A, {(key(2), 1): LotRow(None, None, None, mtr_number(2))})
        views = memory.key_views([key(1), key(2)])
    for number in (1, 2):
        (missed,) = views[key(number)].notices[0]
        assert (missed.code, missed.found) == ("C05", f"MTR {mtr_number(number)}: não foi entregue")
    assert kilograms(store) == {1: 1000, 2: 500}
    assert sound(store)


def test_who_claims_a_line_may_say_under_which_manifest_it_travelled(store):
    give(store, A, load(1), paper(mtr(1, residue("960"))), paper(mtr(2, residue("970"))))
    assert reasons(store)[1] == ("contested", "C05")
    with custody(store) as memory:
        memory.say_lots(A, {(key(1), 1): LotRow(None, None, None, mtr_number(2))})
        assert memory.lots_said(A)[key(1), 1].manifest == mtr_number(2)
    give(store, A, load(1))
    assert kilograms(store) == {1: 970}
    assert sound(store)
