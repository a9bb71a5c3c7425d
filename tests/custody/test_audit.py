"""The custody part of the audit finds what someone with all rights changed behind the functions."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from lastro.cli import app
from lastro.stores.postgres.auditing import custody_checks
from tests.custody.test_settle import A, B, give, note

CORRUPTIONS = {
    "a claim taken away": ("claim", "delete from claim where entity = %(a)s", {"recounted", "lot_states"}),
    "a verdict turned": (
        "verdict",
        "update verdict set outcome = 'refused' where entity = %(a)s",
        {"recounted", "lot_states"},
    ),
    "a note that never was": (
        "document",
        "update document set kind = 'event' where issued_on = '2026-06-01'",
        {"recounted", "counted_once", "lot_states"},
    ),
    "a heavier line": (
        "verdict",
        """update verdict set record = jsonb_set(record, '{lines,0,mass_mg}', '900')""",
        {"recounted", "counted_once"},
    ),
    "a state": ("lot_state", "update lot_state set state = 'contested' where reason = ''", {"lot_states"}),
    "a file": (
        "evidence_file",
        "update evidence_file set body = '\\x789ccb2fc9482d020006740223'",
        {"evidence"},
    ),
}


@pytest.fixture
def walked(store):
    give(store, A, note(1), note(2))
    give(store, B, note(2))
    return store


def failing(store) -> set[str]:
    return {check.name for check in custody_checks(store) if check.failed}


def test_a_sound_store_has_nothing_against_it_and_everything_was_looked_at(walked):
    checks = custody_checks(walked)
    assert [c.failures for c in checks] == [[], [], [], []]
    assert [(c.name, c.counted) for c in checks] == [
        ("recounted", 2),
        ("counted_once", 2),
        ("lot_states", 2),
        ("evidence", 2),
    ]


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_change_behind_the_functions_is_found(walked, base, name):
    table, statement, found = CORRUPTIONS[name]
    with base.connect() as admin:
        admin.execute(f"alter table {table} disable trigger all")
        done = admin.execute(statement.replace("%(a)s", f"'{A}'"))
        assert done.rowcount
    assert found <= failing(walked)


def test_the_command_says_what_it_checked_and_fails_when_something_does(data, walked, base):
    sound = CliRunner().invoke(app, ["--data", str(data), "audit"])
    assert sound.exit_code == 0, sound.output
    assert "Tudo confere." in sound.output
    assert "Cadeias de elos sem quebra" in sound.output

    with base.connect() as admin:
        admin.execute("UPDATE balance SET mass_mg = mass_mg + 1")
    broken = CliRunner().invoke(app, ["--data", str(data), "audit", "--json"])
    assert broken.exit_code == 1, broken.output
    answer = json.loads(broken.stdout)
    assert answer["ok"] is False
    failed = {c["check"]: c["failed"] for c in answer["checks"] if c["failed"]}
    assert failed == {"balances": 2, "sums": 1}
    assert "recontado" in CliRunner().invoke(app, ["--data", str(data), "audit"]).output
