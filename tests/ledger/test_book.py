"""The canonical text, written twice: once by the database, once here."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from lastro.ledger.book import Link, link_hash, lots_digest, spelled
from tests.ledger.worlds import ENTITY, enter

FIELDS = st.lists(st.none() | st.text(max_size=8), max_size=5)


@given(FIELDS, FIELDS)
def test_no_two_lists_of_fields_read_alike(one, other):
    assert (spelled(*one) == spelled(*other)) == (one == other)


def test_the_text_is_what_it_was():
    """A pinned text: a chain made today must still check in many years."""
    assert spelled("a,1:b", None, 12, "çã") == "5:a,1:b,-,2:12,2:çã,"
    link = Link(ENTITY, 1, bytes(32), b"", "post", "r1", "{}", datetime(2026, 6, 1, 12, tzinfo=UTC), ())
    text = f"13:lastro-link-1,14:{ENTITY},1:1,4:post,2:r1,2:{{}},27:2026-06-01T12:00:00.000000Z,"
    assert link_hash(link) == hashlib.sha256(bytes(32) + text.encode()).digest()
    assert link_hash(link).hex() == "28c23f5172a18e59dc63b30a617058a7c776aa9125e994b3677c60b9a3b53a00"


def test_the_moment_is_the_same_in_any_time_zone():
    link = Link(ENTITY, 1, bytes(32), b"", "post", "r1", "{}", datetime(2026, 6, 1, 12, tzinfo=UTC), ())
    cuiaba = link.recorded_at.astimezone(timezone(timedelta(hours=-4)))
    assert link_hash(replace(link, recorded_at=cuiaba)) == link_hash(link)


def test_the_order_of_a_statements_lots_does_not_matter():
    assert lots_digest((("b", 1), ("a", 2))) == lots_digest((("a", 2), ("b", 1)))
    assert lots_digest((("a", 1), ("b", 2))) != lots_digest((("a", 2), ("b", 1)))


@given(
    st.lists(
        st.none() | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
    )
)
def test_the_database_spells_as_we_do(module_base, fields):
    with module_base.connect() as db:
        row = db.execute("SELECT spelled(VARIADIC %s::text[])", [fields]).fetchone()
    assert (row[0] or "") == spelled(*fields)


def test_awkward_words_are_chained_alike(store):
    """Accents, quotes, line ends and emoji in a free text reach the same hash on both sides."""
    posting = replace(enter(1, 7), reference='a,1:"b"\n\tção 🫙 \\ %s {}')
    store.post([posting], request="pedido nº 1 — ‘x’")
    with store.book() as book:
        (link,) = book.links()
    assert link.hash == link_hash(link)
    assert link.entries[0].reference == posting.reference
