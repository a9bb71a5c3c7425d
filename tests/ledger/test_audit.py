"""Whatever is changed behind the functions' back, the audit finds it and names it."""

from __future__ import annotations

import pytest

from lastro.ids import Material
from lastro.ledger import Reason
from lastro.ledger.audit import audit
from lastro.stores.postgres.view import LedgerView
from lastro.units import Mass
from tests.ledger.worlds import COMPANY, DAY, ENTITY, OTHER, VERIFIER, back, enter, lot

EVERY = [
    "chains", "entries", "ways", "sums", "never_negative", "facts", "balances", "homologated",
    "statements", "requests",
]  # fmt: skip


@pytest.fixture
def walked(store):
    """A small ledger in which every kind of move was made."""
    store.post([enter(1, 100), enter(2, 50), enter(3, 30, claimant=OTHER)], request="r1")
    store.post([back(2, 20, Reason.CONTESTED)], request="r2")
    store.homologate(ENTITY, verifier=VERIFIER, year=2026, lots=None, request="h1", happened_on=DAY)
    store.retire_lots(
        ENTITY, establishment=COMPANY, year=2026, materials=[Material.GLASS], mass=Mass(110), request="t1",
        happened_on=DAY,
    )  # fmt: skip
    return store


def failing(store):
    with store.transaction() as db:
        checks = audit(LedgerView(db))
    assert [c.name for c in checks] == EVERY
    assert all((c.failed > 0) == bool(c.failures) for c in checks)
    return {c.name for c in checks if c.failed}


def test_a_walked_ledger_is_sound_and_all_of_it_was_looked_at(walked):
    assert failing(walked) == set()
    with walked.book() as book:
        counted = {c.name: c.counted for c in audit(book)}
    assert counted == dict.fromkeys(EVERY, 0) | {
        "chains": 5, "entries": 6, "ways": 6, "sums": 5, "never_negative": 6, "facts": 6, "balances": 3,
        "homologated": 2, "statements": 1, "requests": 5,
    }  # fmt: skip


def test_an_empty_ledger_is_sound_and_says_that_nothing_was_there(store):
    assert failing(store) == set()
    with store.book() as book:
        assert {c.counted for c in audit(book)} == {0}


COPIED = (
    "INSERT INTO entry SELECT entity, height, {n}, debit, credit, mass_mg, reason, access_key, line, "
    "claimant, material, issued_on, issuer, recipient, municipality, municipality_source, origin, year, "
    "norm, book, happened_on, reference FROM entry WHERE {which}"
)
CHANGES = {
    "an entry's mass": (
        "UPDATE entry SET mass_mg = mass_mg + 1 WHERE reason = 'enter' AND n = 1",
        {"chains", "sums", "balances"},
    ),
    "an entry's place": (
        "UPDATE entry SET municipality = '5108402' WHERE reason = 'enter' AND n = 1",
        {"chains", "facts", "balances"},
    ),
    "an entry's reference": ("UPDATE entry SET reference = 'x' WHERE reason = 'contested'", {"chains"}),
    "an entry's day": ("UPDATE entry SET happened_on = '2026-01-01' WHERE reason = 'retire'", {"chains"}),
    "who it was retired for": (
        f"UPDATE entry SET credit = replace(credit, '{COMPANY}', '{OTHER}') WHERE reason = 'retire'",
        {"chains"},
    ),
    "a reason": ("UPDATE entry SET reason = 'withdrawn' WHERE reason = 'contested'", {"chains"}),
    "a reason that its accounts do not allow": (
        "UPDATE entry SET reason = 'enter' WHERE reason = 'contested'",
        {"chains", "ways"},
    ),
    "an entry gone": (
        "DELETE FROM entry WHERE reason = 'contested'",
        {"chains", "sums", "balances"},
    ),
    "an entry more": (
        COPIED.format(n=3, which=f"reason = 'enter' AND n = 1 AND entity = '{ENTITY}'"),
        {"chains", "sums", "balances"},
    ),
    "an entry more, out of order": (
        COPIED.format(n=9, which="reason = 'contested'"),
        {"chains", "entries", "sums", "balances"},
    ),
    "a link's answer": ("UPDATE link SET answer = '{}' WHERE kind = 'retire'", {"chains"}),
    "a link's moment": ("UPDATE link SET recorded_at = recorded_at - interval '1 microsecond'", {"chains"}),
    "a link's request": (
        "UPDATE link SET request = 'r9' WHERE kind = 'retire'",
        {"chains", "requests"},
    ),
    "a link's hash": ("UPDATE link SET hash = sha256('x') WHERE kind = 'retire'", {"chains"}),
    "the last link gone, with its entries": (
        "DELETE FROM entry WHERE reason = 'retire'; DELETE FROM link WHERE kind = 'retire'",
        {"chains", "sums", "balances", "requests"},
    ),
    "the last link gone, its entries left": (
        "DELETE FROM link WHERE kind = 'retire'",
        {"chains", "entries", "sums", "balances", "requests"},
    ),
    "a link in the middle gone": (
        "DELETE FROM entry WHERE reason = 'contested'; "
        f"DELETE FROM link WHERE entity = '{ENTITY}' AND height = 2",
        {"chains", "sums", "balances", "requests"},
    ),
    "a chain's head": ("UPDATE chain SET head = sha256('x')", {"chains"}),
    "a chain's height": ("UPDATE chain SET height = height + 1", {"chains"}),
    "a chain gone": (f"DELETE FROM chain WHERE entity = '{OTHER}'", {"chains"}),
    "a cached balance up": ("UPDATE balance SET mass_mg = mass_mg + 1", {"balances", "sums"}),
    "a cached balance moved to another lot": (
        f"UPDATE balance SET mass_mg = CASE account WHEN '{lot(2).account}' THEN 0 ELSE mass_mg + 20 END "
        f"WHERE account IN ('{lot(1).account}', '{lot(2).account}')",
        {"balances"},
    ),
    "a cached year": ("UPDATE balance SET year = 2027", {"balances"}),
    "a cached balance gone": (
        f"DELETE FROM balance WHERE account = '{lot(3, claimant=OTHER).account}'",
        {"balances", "sums"},
    ),
    "a lot homologated by nobody": (
        f"UPDATE balance SET homologated = true WHERE claimant = '{OTHER}'",
        {"balances"},
    ),
    "a statement's lot gone": (
        f"DELETE FROM statement_lot WHERE account = '{lot(1).account}'",
        {"statements", "balances", "homologated"},
    ),
    "a statement's mass": ("UPDATE statement_lot SET mass_mg = mass_mg + 1", {"statements"}),
    "a statement gone": (
        "DELETE FROM statement_lot; DELETE FROM statement",
        {"statements", "balances", "homologated"},
    ),
    "a statement put before the retirement's time": (
        "UPDATE statement SET height = 1",
        {"statements"},
    ),
    "a statement put after it": ("UPDATE statement SET height = 4", {"statements", "homologated"}),
    "an answer gone": ("DELETE FROM answered WHERE request = 'r2'", {"requests"}),
    "an answer more": ("INSERT INTO answered VALUES ('r9', '', '{}', now())", {"requests"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_behind_the_functions_back_is_found(walked, base, change):
    statements, expected = CHANGES[change]
    with base.connect() as admin:
        for table in ("entry", "link", "statement", "statement_lot", "answered"):
            admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        admin.execute("SET session_replication_role = replica")  # foreign keys look away too
        admin.execute(statements)
    assert failing(walked) == expected


def test_a_retirement_above_what_there_was_is_found(walked, base):
    with base.connect() as admin:
        admin.execute("ALTER TABLE entry DISABLE TRIGGER ALL")
        admin.execute("UPDATE entry SET mass_mg = 500 WHERE reason = 'retire' AND n = 1")
    assert failing(walked) == {"chains", "sums", "never_negative", "balances"}


def test_a_hash_that_was_made_anew_does_not_hide_a_change(walked, base):
    """Who rewrites an entry and its link's hash must rewrite every later link and the head as well."""
    with base.connect() as admin:
        for table in ("entry", "link"):
            admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        admin.execute("UPDATE entry SET happened_on = '2026-01-01' WHERE reason = 'contested'")
        admin.execute(
            """UPDATE link l SET hash = sha256(l.previous || convert_to(spelled_link(l) || (
                   SELECT string_agg(spelled_entry(e), '' ORDER BY n) FROM entry e
                   WHERE e.entity = l.entity AND e.height = l.height), 'UTF8')) WHERE height = 2"""
        )
    assert failing(walked) == {"chains"}
