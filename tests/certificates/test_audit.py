"""Whatever is changed in a certificate's rows behind the functions' back, the audit finds it and names it."""

from __future__ import annotations

import pytest

from lastro.certificates.audit import audit
from lastro.stores.postgres import auditing
from lastro.stores.postgres.certificates import audit_rows
from lastro.stores.postgres.view import LedgerView
from tests.certificates.test_life import EVERY as EVERY_MOVE
from tests.certificates.test_life import offer, sell, split
from tests.certificates.worlds import authorise, filled, issue, walk
from tests.ledger.worlds import OTHER

EVERY = ["certificate_masses", "certificate_rows", "certificate_states", "certificate_papers"]


@pytest.fixture
def walked(store):
    """One certificate in every state that is kept."""
    walk(store)
    return store


def failing(store):
    with store.transaction() as db:
        checks = audit(LedgerView(db).links(), audit_rows(db))
    assert [c.name for c in checks] == EVERY
    return {c.name for c in checks if c.failed}


def test_a_walked_store_is_sound_and_all_of_it_was_looked_at(walked):
    checks = auditing.run(walked)
    assert [f for c in checks for f in c.failures] == []
    assert {c.name: c.counted for c in checks if c.name in EVERY} == dict.fromkeys(EVERY, 5)


MASSES, ROWS, STATES, PAPERS = EVERY
CHANGES = {
    "the mass of a certificate": (
        "UPDATE certificate SET mass_mg = mass_mg + 1000 WHERE id = 'p'",
        {MASSES, ROWS},
    ),
    "the holder of one that was used": (
        f"UPDATE certificate SET holder = '{OTHER}' WHERE id = 'r'",
        {MASSES, ROWS},
    ),
    "the year": ("UPDATE certificate SET year = 2025 WHERE id = 'p'", {MASSES, ROWS}),
    "the materials": ("UPDATE certificate SET materials = '{paper}' WHERE id = 'p'", {MASSES, ROWS}),
    "the investment": ("UPDATE certificate SET investment_cents = 1 WHERE id = 'i'", {ROWS}),
    "who prepared": ("UPDATE certificate SET prepared_by = 'bia' WHERE id = 'a'", {ROWS, STATES}),
    "who authorised": (
        "UPDATE certificate_move SET by_user = 'ANA ' WHERE certificate = 'a'",
        {ROWS, STATES},
    ),
    "the day of a move": (
        "UPDATE certificate_move SET happened_on = '2026-01-01' WHERE certificate = 'r'",
        {ROWS},
    ),
    "a use that is taken away": (
        "DELETE FROM certificate_move WHERE certificate = 'r' AND move = 'retire'",
        {MASSES, ROWS},
    ),
    "an authorisation that is taken away": (
        "DELETE FROM certificate_move WHERE certificate = 'i' AND move = 'authorise'",
        {ROWS, STATES},
    ),
    "a refusal that never was": (
        "INSERT INTO certificate_move SELECT 'p', 'refuse', entity, height, 'c', '2027-03-15', '' "
        "FROM certificate WHERE id = 'p'",
        {MASSES, ROWS, STATES},
    ),
    "a certificate that is taken away": ("DELETE FROM certificate WHERE id = 'p'", {MASSES, ROWS}),
    "the number": (
        "UPDATE certificate_number SET number = translate(number, 'ABCDEF', 'BCDEFG') "
        "WHERE certificate = 'i'",
        {PAPERS},
    ),
    "the bytes of a paper": (
        "UPDATE certificate_paper SET pdf = 'other' WHERE certificate = 'i'",
        {ROWS, PAPERS},
    ),
    "bytes and digest of a paper": (
        "UPDATE certificate_paper SET pdf = 'other', sha256 = encode(sha256('other'), 'hex') "
        "WHERE certificate = 'i'",
        {ROWS},
    ),
    "what a paper says": ("UPDATE certificate_paper SET fields = '{}' WHERE certificate = 'i'", {ROWS}),
    "the last day": ("UPDATE certificate_paper SET valid_to = '2030-01-01' WHERE certificate = 'i'", {ROWS}),
    "a paper that is taken away": ("DELETE FROM certificate_paper WHERE certificate = 'i'", {STATES}),
    "mass that leaves an unused certificate": (
        "UPDATE entry SET debit = 'certificate/i' WHERE debit = 'certificate/r'",
        {MASSES},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_found(walked, base, change):
    statement, expected = CHANGES[change]
    with base.connect() as admin:
        for table in ("certificate", "certificate_move", "certificate_number", "certificate_paper", "entry"):
            admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        for table in ("certificate_paper", "certificate_move", "certificate_number"):
            for (name,) in admin.execute(
                "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('c', 'f')",
                [table],
            ).fetchall():
                admin.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        done = admin.execute(statement)
        assert done.rowcount > 0
    assert failing(walked) == expected


def test_every_field_of_what_stands_in_the_place_of_another_is_held_to_it(store, base):
    book = filled(store, 300)
    assert isinstance(offer(book, "o1", allows=EVERY_MOVE), dict)
    for move in (sell, authorise, issue, split):
        assert isinstance(move(book), dict)
    assert failing(store) == set()
    changes = (
        "year = 2025", "norm = 'x'", "kind = 'CMF'", "allows = '{issue}'", "materials = '{glass,paper}'",
        "prepared_by = 'zeca'", "prepared_on = '2027-01-01'", "begins = 'prepared'",
    )  # fmt: skip
    for change in changes:
        with base.connect() as db, db.transaction(force_rollback=True):
            db.execute("SET LOCAL session_replication_role = replica")
            db.execute("ALTER TABLE certificate DISABLE TRIGGER ALL")
            db.execute(f"UPDATE certificate SET {change} WHERE id = 'c1.a'")
            checks = audit(LedgerView(db).links(), audit_rows(db))
            assert ROWS in {c.name for c in checks if c.failed}, change
