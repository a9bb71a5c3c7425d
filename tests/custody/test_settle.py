"""Handing in to a real store: the same balances in any order, and contests wait for two people."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from datetime import date

import pytest

from lastro.custody.count import Decided
from lastro.custody.decide import decide
from lastro.custody.port import Bears, For, Handed
from lastro.custody.settle import hand_in, settle
from lastro.errors import LastroError
from lastro.ids import cnpj_check_digits, mod11
from lastro.stores.postgres.custody import PostgresCustody
from lastro.units import Mass

TODAY = date(2026, 12, 31)
NORM = "mt/decreto_1455_2025"


def cnpj(name: str) -> str:
    base = f"ZZ{name:0>6}0001"
    return base + cnpj_check_digits(base)


A, B, SELLER, BUYER = cnpj("A"), cnpj("B"), cnpj("COOP"), cnpj("REC")


BODIES: dict[str, bytes] = {}


def digest(body: str) -> str:
    """The digest of an invented file, whose bytes are remembered."""
    made = hashlib.sha256(body.encode()).hexdigest()
    BODIES[made] = body.encode()
    return made


def key(number: int) -> str:
    body = f"512606{SELLER}55001{number:09d}1{number:08d}"
    return body + mod11(body)


def note(
    number: int, *, mass: int = 1000, content: str = "c1", outcome: str = "admitted", file: str = ""
) -> Handed:
    line = {
        "line": 1,
        "material": "glass",
        "mass_mg": mass,
        "verdict": outcome,
        "counts": outcome == "admitted",
        "collection": {"municipality": "5103403", "source": "operator", "origin": "picker_entity"},
    }
    return Handed(
        sha256=digest(file or f"{number} {content}"),
        ordinal=0,
        access_key=key(number),
        content_digest=content,
        kind="nfe",
        document={},
        authentic=True,
        outcome=outcome,
        verdict={"findings": [], "lines": [line]},
        known="k",
        issued_on=date(2026, 6, number % 100),
        issuer=SELLER,
        recipient=BUYER,
    )


def cancellation(number: int) -> Handed:
    return Handed(
        sha256=digest(f"{number} cancelled"),
        ordinal=0,
        access_key=key(number),
        content_digest="",
        kind="event",
        document={},
        authentic=True,
        outcome="admitted",
        verdict={"findings": [], "lines": []},
        known="k",
        bears=(Bears(key(number), "N10"),),
    )


def returned(number: int, *, by: str = BUYER) -> Handed:
    """Another note, between the seller and `by`, that returns the one of this number."""
    bears = Bears(key(number), "N16", tuple(sorted((SELLER, by))))
    return replace(note(number + 100, outcome="refused"), bears=(bears,), issued_on=date(2026, 6, 20))


def give(store, whom: str, *handed: Handed, mass: int | None = None) -> None:
    claims = [(h.access_key, 1, Mass(mass) if mass else None) for h in handed if h.kind == "nfe"]
    files = {h.sha256: BODIES[h.sha256] for h in handed}
    with store.transaction() as db:
        hand_in(PostgresCustody(db), handed, whom=For(whom, NORM, 2026), files=files, claims=claims, on=TODAY)


def balances(store) -> dict[tuple[str, str], int]:
    return {(lot.lot.access_key, lot.lot.claimant): lot.mass.mg for lot in store.lots() if lot.mass}


def test_one_note_is_one_lot_however_often_it_is_handed_in(store):
    for _ in range(3):
        give(store, A, note(1))
    give(store, A, note(1, file="other wrapping"))
    assert balances(store) == {(key(1), A): 1000}
    assert len(list(store.entries())) == 1


def test_claims_that_do_not_fit_freeze_the_lot_for_both(store):
    give(store, A, note(1))
    give(store, B, note(1))
    assert balances(store) == {}
    give(store, A, note(1))
    assert balances(store) == {}


def test_parts_that_fit_stand_side_by_side(store):
    give(store, A, note(1), mass=400)
    give(store, B, note(1), mass=600)
    assert balances(store) == {(key(1), A): 400, (key(1), B): 600}


def test_a_cancellation_counts_before_or_after_its_note(store):
    give(store, A, note(1))
    give(store, A, cancellation(1))
    give(store, A, cancellation(2))
    give(store, A, note(2))
    assert balances(store) == {}


def test_a_return_counts_against_the_note_of_its_own_two_parties_only(store):
    give(store, A, note(1), note(2))
    give(store, A, returned(1), returned(2, by=cnpj("ALHEIO")))
    assert balances(store) == {(key(2), A): 1000}


def test_two_contents_under_one_key_freeze_it(store):
    give(store, A, note(1))
    give(store, A, note(1, content="c2"))
    assert balances(store) == {}


def test_a_later_refusal_takes_the_mass_back_and_a_later_admission_brings_it_again(store):
    give(store, A, note(1))
    give(store, A, note(1, outcome="refused"))
    assert balances(store) == {}
    give(store, A, note(1))
    assert balances(store) == {(key(1), A): 1000}


def test_two_people_end_a_contest_and_one_cannot(store):
    give(store, A, note(1))
    give(store, B, note(1))
    for by, expected in (("ana", {}), ("ana", {}), ("rui", {(key(1), A): 1000})):
        with store.transaction() as db:
            memory = PostgresCustody(db)
            memory.lock_keys([key(1)])
            view = memory.key_views([key(1)])[key(1)]
            decided = Decided(1, A, "c1", frozenset([A, B]), frozenset(["c1"]))
            memory.propose(view, decided, reason="a nota é da cooperativa de A", by=by)
            settle(memory, [key(1)], on=TODAY)
        assert balances(store) == expected


@pytest.mark.parametrize("same", ["ana", "Ana", " ANA ", "ana  "])
def test_one_person_under_two_spellings_is_one_person(store, same):
    give(store, A, note(1))
    give(store, B, note(1))
    for by in ("Ana", same):
        with store.transaction() as db:
            done = decide(
                PostgresCustody(db), key(1), 1, entity=A, content="", reason="prova", by=by, on=TODAY
            )
        assert not done
    assert balances(store) == {}


@pytest.mark.parametrize(("reason", "by"), [("", "ana"), ("  ", "ana"), ("prova", " ")])
def test_a_decision_has_a_reason_and_a_name(store, reason, by):
    give(store, A, note(1))
    give(store, B, note(1))
    with store.transaction() as db, pytest.raises(LastroError, match="em branco"):
        decide(PostgresCustody(db), key(1), 1, entity=A, content="", reason=reason, by=by, on=TODAY)


@pytest.mark.parametrize("seed", range(6))
def test_order_never_matters(store, seed):
    acts = [(A, note(n), None) for n in range(1, 7)]
    acts += [(B, note(2), None), (B, note(3), 400), (A, note(3), 600), (B, cancellation(4), None)]
    acts += [(B, note(5, content="c2"), None), (A, note(6, outcome="review", file="r"), None)]
    expected = {(key(1), A): 1000, (key(6), A): 1000}
    random.Random(seed).shuffle(acts)
    for whom, handed, mass in acts + acts[:4]:
        give(store, whom, handed, mass=mass)
    assert balances(store) == expected
