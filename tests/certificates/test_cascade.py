"""What dies takes with it what leans on it, with the reason; what lives again gives it back, by adding."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from lastro.cascade import cascade, mark
from lastro.custody.decide import decide
from lastro.delivery import case_of, preview_report
from lastro.stores.postgres import falls
from lastro.stores.postgres.certificates import Certificates
from lastro.stores.postgres.custody import PostgresCustody
from lastro.stores.postgres.reports import reports
from lastro.units import Mass
from tests.certificates.test_life import cancel
from tests.certificates.worlds import NORM, ON, authorise, issue, prepare, retire
from tests.custody.test_settle import TODAY, A, B, cancellation, give, key, note, returned
from tests.ledger.worlds import COMPANY


@pytest.fixture
def used(store, ready, data):
    """A certificate of note 1, used by a company that owes 200 g; and a report that was submitted."""
    book = Certificates(store)
    assert isinstance(prepare(book, grams=60, entity=A), dict)
    for move in (authorise, issue, retire):
        assert isinstance(move(book), dict)
    case = case_of(data, norm=NORM, entity=A, year=2026, today=ON)
    _, made = preview_report(store, case)
    with reports(store) as memory:
        memory.write_version(made, version=1, number="1", files={}, on=ON, by="ana", reason="", mark="")
    assert cascade(store, data=data, today=ON) == []
    return store


def struck_off(store):
    """What a new answer over the registry says once the operator's vetting or the CDF is gone."""
    give(store, A, replace(note(1, mass=60_000, outcome="refused"), known="k2"))


def collision_upheld(store):
    give(store, B, note(1, mass=60_000))
    decided(store, B)


def decided(store, whom):
    for by in ("ana", "bia"):
        with store.transaction() as db:
            memory = PostgresCustody(db)
            decide(memory, key(1), 1, entity=whom, content="", reason="prova", by=by, on=TODAY)


@pytest.mark.parametrize(
    ("die", "reason"),
    [
        (lambda s: give(s, A, cancellation(1)), "N10"),
        (lambda s: give(s, A, returned(1)), "N16"),
        (struck_off, "verdict"),
        (lambda s: give(s, B, note(1, mass=60_000)), "C02"),
        (collision_upheld, "decided"),
    ],
)
def test_whatever_dies_reaches_lot_certificate_position_and_report(used, data, die, reason):
    die(used)
    (fall,) = cascade(used, data=data, today=ON)
    assert (fall.name, fall.reason, fall.entity) == (f"{key(1)}/1", reason, A)
    assert [one.id for one in fall.certificates] == ["c1"]
    (position,) = fall.positions
    assert (position.company, position.material, position.year) == (COMPANY[:8], "glass", 2026)
    assert position.deficit == Mass(200_000)
    assert position.until == date(2027, 12, 31)
    assert "art. 49" in position.article
    assert [(r.entity, r.year, r.version) for r in fall.reports] == [(A, 2026, 1)]
    assert cascade(used, data=data, today=ON, company=COMPANY[:8]) == [fall]
    assert cascade(used, data=data, today=ON, company="ZZOUTRA0") == []
    assert cascade(used, data=data, today=ON, entity=B) == []


@pytest.mark.parametrize(
    ("die", "revive"),
    [
        (struck_off, lambda s: give(s, A, replace(note(1, mass=60_000), known="k3"))),
        (lambda s: give(s, B, note(1, mass=60_000)), lambda s: decided(s, A)),
    ],
)
def test_what_lives_again_gives_all_of_it_back_and_both_turns_are_kept(used, data, die, revive):
    die(used)
    first = mark(used, data=data, today=ON)
    assert {one.kind for one in first} == {"certificate", "position", "report"}
    assert all(one.stale and key(1) in one.reason for one in first)
    assert mark(used, data=data, today=ON) == []
    revive(used)
    assert cascade(used, data=data, today=ON) == []
    again = mark(used, data=data, today=ON)
    assert {(one.kind, one.name, one.stale) for one in again} == {(m.kind, m.name, False) for m in first}
    assert len(falls.since(used, ON)) == len(first) + len(again)
    assert mark(used, data=data, today=ON) == []
    assert not Certificates(used).find("c1").stale


def test_a_cancelled_certificate_opens_the_deficit_of_who_had_used_it(used, data):
    assert isinstance(cancel(Certificates(used)), dict)
    (fall,) = cascade(used, data=data, today=ON)
    assert (fall.cause, fall.reason) == ("cancelled", "laudo falso")
    assert [p.deficit for p in fall.positions] == [Mass(200_000)]
    assert [(r.entity, r.year) for r in fall.reports] == [(A, 2026)]
    marks = mark(used, data=data, today=ON)
    (position,) = [one for one in marks if one.kind == "position"]
    assert (position.deficit_mg, position.until) == (200_000, date(2027, 12, 31))
    assert COMPANY in position.parties


def test_what_is_certified_and_not_used_opens_no_deficit(store, ready, data):
    book = Certificates(store)
    prepare(book, grams=60, entity=A)
    for move in (authorise, issue):
        assert isinstance(move(book), dict)
    give(store, A, cancellation(1))
    (fall,) = cascade(store, data=data, today=ON)
    assert [one.id for one in fall.certificates] == ["c1"]
    assert fall.positions == fall.reports == ()
