"""What the application's own role cannot do to the ledger, and what not even the owner can."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors

from lastro.stores.postgres import Store
from tests.ledger.worlds import DAY, ENTITY, VERIFIER, enter

TABLES = ("link", "entry", "answered", "statement", "statement_lot")
CACHES = ("chain", "balance")


@pytest.fixture
def app(module_base):
    with module_base.connect("lastro_app") as connection:
        yield connection


@pytest.fixture
def owner(module_base):
    with module_base.connect("lastro_owner") as connection:
        yield connection


@pytest.fixture(scope="module")
def filled(module_base):
    """Each table holds something, so that a change would have something to change."""
    store = Store(module_base.conninfo())
    store.post([enter(1, 100)], request="r1")
    store.homologate(ENTITY, verifier=VERIFIER, year=2026, lots=None, request="h1", happened_on=DAY)
    store.close()
    return module_base


def column(table):
    return {"chain": "height", "answered": "answer", "statement": "year", "link": "kind"}.get(
        table, "mass_mg"
    )


@pytest.mark.parametrize("table", TABLES + CACHES)
@pytest.mark.parametrize(
    "attempt",
    [
        "UPDATE {t} SET {c} = {c}",
        "DELETE FROM {t}",
        "TRUNCATE {t} CASCADE",
        "INSERT INTO {t} OVERRIDING SYSTEM VALUE SELECT * FROM {t}",
        "ALTER TABLE {t} DISABLE TRIGGER ALL",
        "ALTER TABLE {t} DISABLE TRIGGER USER",
        "ALTER TABLE {t} ADD COLUMN more int",
        "ALTER TABLE {t} OWNER TO lastro_app",
        "ALTER TABLE {t} DISABLE ROW LEVEL SECURITY",
        "DROP TABLE {t} CASCADE",
        "CREATE TRIGGER mine BEFORE INSERT ON {t} FOR EACH ROW EXECUTE FUNCTION forbid_change()",
        "CREATE RULE mine AS ON INSERT TO {t} DO INSTEAD NOTHING",
        "COPY {t} FROM PROGRAM 'echo'",
        "MERGE INTO {t} USING {t} AS o ON true WHEN MATCHED THEN DELETE",
        "SELECT * FROM {t} FOR UPDATE",
    ],
)
def test_the_application_cannot_touch_the_ledgers_tables(filled, app, table, attempt):
    refused = (errors.InsufficientPrivilege, errors.InvalidGrantOperation)
    with pytest.raises(refused):
        app.execute(attempt.format(t=table, c=column(table)))


@pytest.mark.parametrize(
    "attempt",
    [
        "SET session_replication_role = replica",
        "SET LOCAL session_replication_role = replica",
        "SELECT set_config('session_replication_role', 'replica', false)",
        "SET ROLE lastro_owner",
        "SET ROLE lastro_admin",
        "SET SESSION AUTHORIZATION lastro_owner",
        "DROP TRIGGER only_add_rows ON entry",
        "DROP TRIGGER only_add_all ON entry",
        "ALTER TRIGGER only_add_rows ON entry RENAME TO gone",
        "CREATE OR REPLACE FUNCTION lastro.forbid_change() RETURNS trigger LANGUAGE plpgsql "
        "AS 'BEGIN RETURN NEW; END'",
        "CREATE OR REPLACE FUNCTION lastro.post(jsonb, text) RETURNS jsonb LANGUAGE sql AS 'SELECT $1'",
        "ALTER FUNCTION lastro.forbid_change() RENAME TO gone",
        "ALTER FUNCTION lastro.post(jsonb, text) SECURITY INVOKER",
        "DROP FUNCTION lastro.forbid_change() CASCADE",
        "DROP SCHEMA lastro CASCADE",
        "CREATE TABLE lastro.mine (n int)",
        "CREATE TABLE public.mine (n int)",
        "CREATE TEMP TABLE balance (n int)",
        "CREATE SCHEMA mine",
        "CREATE ROLE mine",
        "ALTER ROLE lastro_app SUPERUSER",
        "ALTER SYSTEM SET fsync = off",
        "ALTER DEFAULT PRIVILEGES FOR ROLE lastro_owner GRANT ALL ON TABLES TO lastro_app",
        "GRANT lastro_owner TO lastro_app",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('store', '9999', now())",
        "SELECT only_add('django_migrations')",
        "SELECT add_link('ZZ', 'post', 'x', '{}', '{}')",
        "SELECT remember('x', 'x', '{}')",
        "SELECT pg_read_file('postgresql.conf')",
        "LOAD 'auto_explain'",
        "DO LANGUAGE plpgsql $$BEGIN UPDATE lastro.entry SET mass_mg = 1; END$$",
    ],
)
def test_the_application_cannot_go_around_the_guards(filled, app, attempt):
    with pytest.raises((errors.InsufficientPrivilege, errors.InvalidGrantOperation)):
        app.execute(attempt)


def test_settings_that_other_trigger_tools_obey_change_nothing(filled, owner):
    """Some trigger libraries can be told by a setting to look away; these triggers read no setting."""
    for name in ("pgtrigger.ignore", "lastro.ignore", "audit.skip"):
        owner.execute("SELECT set_config(%s, 'lastro.entry:only_add_rows', false)", [name])
    with pytest.raises(errors.RestrictViolation):
        owner.execute("UPDATE entry SET mass_mg = 1")


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("attempt", ["UPDATE {t} SET {c} = {c}", "DELETE FROM {t}", "TRUNCATE {t} CASCADE"])
def test_not_even_the_owner_changes_what_was_added(filled, owner, table, attempt):
    with pytest.raises(errors.RestrictViolation, match="only ever added"):
        owner.execute(attempt.format(t=table, c=column(table)))


def test_a_session_that_plays_a_replica_is_held_too(filled):
    with filled.connect("lastro_admin") as admin:
        admin.execute("SET session_replication_role = replica")
        with pytest.raises(errors.RestrictViolation):
            admin.execute("DELETE FROM entry")


@pytest.mark.parametrize("table", TABLES + CACHES)
def test_the_application_grants_itself_nothing(filled, app, table):
    app.execute(f"GRANT ALL ON {table} TO lastro_app")  # PostgreSQL warns, and grants nothing
    rights = app.execute(
        "SELECT r FROM unnest('{INSERT,UPDATE,DELETE,TRUNCATE,TRIGGER,REFERENCES,MAINTAIN}'::text[]) r "
        "WHERE has_table_privilege(%s, r)",
        [table],
    ).fetchall()
    assert rights == []


def test_the_roles_are_no_superusers_and_the_connection_is_the_applications(store, base):
    with base.connect("lastro_admin") as admin:
        rows = admin.execute(
            "SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls "
            "FROM pg_roles WHERE rolname IN ('lastro_app', 'lastro_owner') ORDER BY 1"
        ).fetchall()
    assert rows == [(name, False, False, False, False, False) for name in ("lastro_app", "lastro_owner")]
    with store.transaction() as db:
        assert db.execute("SELECT current_user, session_user").fetchone() == ("lastro_app", "lastro_app")


def test_every_function_that_acts_as_the_owner_has_a_fixed_search_path(base):
    with base.connect("lastro_admin") as admin:
        loose = admin.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'lastro'::regnamespace AND prosecdef "
            "AND NOT coalesce(array_to_string(proconfig, ','), '') LIKE '%search_path=lastro, pg_temp%'"
        ).fetchall()
        public = admin.execute(
            "SELECT proname FROM pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) a "
            "WHERE pronamespace = 'lastro'::regnamespace AND a.grantee = 0"
        ).fetchall()
    assert (loose, public) == ([], [])


def test_a_later_table_is_read_and_added_to_and_no_more(base):
    with base.connect("lastro_owner") as owner, base.connect("lastro_app") as app:
        owner.execute("CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, word text)")
        owner.execute("SELECT only_add('later')")
        app.execute("INSERT INTO later (word) VALUES ('a')")
        assert app.execute("SELECT word FROM later").fetchall() == [("a",)]
        for attempt in ("UPDATE later SET word = 'b'", "DELETE FROM later", "TRUNCATE later"):
            with pytest.raises(errors.InsufficientPrivilege):
                app.execute(attempt)
            with pytest.raises(errors.RestrictViolation):
                owner.execute(attempt)


def test_the_other_databases_of_the_server_are_closed_to_the_application(base):
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(base.server.conninfo(database="postgres"))
