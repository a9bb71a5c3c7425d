"""Filings: only added, one after the other, and nobody sees another's."""

from __future__ import annotations

from datetime import date

import psycopg
import pytest

from lastro.errors import LastroError
from lastro.filings import LABELS, Kind, Subject
from lastro.stores.postgres import Store
from lastro.stores.postgres.filings import EVERYBODY, NOBODY, ChangedMeanwhile, Filings

MINE, OTHERS = "ZZ000000000191", "ZZ000000000272"
DAY = date(2026, 12, 1)
PLAN = Subject(Kind.DOCUMENT, MINE, norm="mt/decreto_1455_2025", period="2026", name="plano")


def test_versions_follow_each_other_and_the_last_stands(store: Store) -> None:
    mine = Filings(store, sees=MINE)
    first = mine.add(PLAN, {"titulo": "Plano"}, by="ana", on=DAY, files=[("plano.pdf", b"%PDF")])
    second = mine.add(PLAN, {"titulo": "Plano revisto"}, by="bia", on=DAY, after=first.version)
    assert (first.version, second.version) == (1, 2)
    assert [f.version for f in mine.versions(PLAN)] == [2, 1]
    assert mine.latest(PLAN) == second
    assert mine.standing(Kind.DOCUMENT, period="2026") == [second]
    assert mine.file(first.id, "plano.pdf") == b"%PDF"
    assert mine.file(second.id, "plano.pdf") is None


def test_who_looked_at_an_older_version_files_nothing(store: Store) -> None:
    mine = Filings(store, sees=MINE)
    mine.add(PLAN, {"a": 1}, by="ana", on=DAY)
    with pytest.raises(ChangedMeanwhile):
        mine.add(PLAN, {"a": 2}, by="bia", on=DAY)
    with pytest.raises(ChangedMeanwhile):
        mine.add(PLAN, {"a": 2}, by="bia", on=DAY, after=5)
    assert [f.body for f in mine.versions(PLAN)] == [{"a": 1}]


def test_others_see_what_is_theirs_addressed_to_them_or_public(store: Store) -> None:
    mine, others = Filings(store, sees=MINE), Filings(store, sees=OTHERS)
    kept = mine.add(PLAN, {}, by="ana", on=DAY, files=[("x", b"x")])
    asked = mine.add(Subject(Kind.REQUEST, MINE, name="1"), {}, by="ana", on=DAY, addressee=OTHERS)
    shown = mine.add(Subject(Kind.ACT, MINE, name="1"), {}, by="ana", on=DAY, public=True)
    assert others.one(kept.id) is None
    assert others.file(kept.id, "x") is None
    assert others.one(asked.id) == asked
    assert others.standing(Kind.REQUEST, addressee=OTHERS) == [asked]
    stranger = Filings(store, sees=NOBODY)
    assert [stranger.one(f.id) for f in (kept, asked, shown)] == [None, None, shown]
    everybody = Filings(store, sees=EVERYBODY)
    assert [everybody.one(f.id) for f in (kept, asked, shown)] == [kept, asked, shown]
    assert Filings(store, sees=[OTHERS, MINE]).one(kept.id) == kept


def test_nobody_files_in_the_name_of_another(store: Store) -> None:
    with pytest.raises(LastroError, match="em nome de outro"):
        Filings(store, sees=OTHERS).add(PLAN, {}, by="eva", on=DAY)
    assert Filings(store, sees=EVERYBODY).versions(PLAN) == []


def test_the_database_itself_hides_them_and_lets_nobody_change_one(store: Store) -> None:
    kept = Filings(store, sees=MINE).add(PLAN, {}, by="ana", on=DAY)
    with store.transaction() as db:
        assert db.execute("select count(*) from filing").fetchone() == (0,)
    with store.transaction() as db:
        db.execute("select set_config('lastro.sees', %s, true)", [MINE])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            db.execute("update filing set body = '{}' where id = %s", [kept.id])


def test_a_withdrawn_one_stands_no_more_but_is_kept(store: Store) -> None:
    mine = Filings(store, sees=MINE)
    mine.add(PLAN, {}, by="ana", on=DAY)
    gone = mine.add(PLAN, {"why": "erro"}, by="ana", on=DAY, after=1, withdrawn=True)
    assert mine.standing(Kind.DOCUMENT) == []
    assert mine.standing(Kind.DOCUMENT, withdrawn=True) == [gone]
    assert mine.latest(PLAN) == gone


def test_every_kind_has_words() -> None:
    assert set(LABELS) == set(Kind)


def test_the_versions_before_the_one_that_stands_are_given_when_asked_for(store: Store) -> None:
    mine = Filings(store, sees=MINE)
    first = mine.add(PLAN, {"a": 1}, by="ana", on=DAY)
    second = mine.add(PLAN, {"a": 2}, by="ana", on=DAY, after=first.version)
    assert mine.standing(Kind.DOCUMENT) == [second]
    assert mine.standing(Kind.DOCUMENT, earlier=True) == [second, first]
    assert Filings(store, sees=OTHERS).standing(Kind.DOCUMENT, earlier=True) == []
