"""What nobody can do to certificates but by their moves: not the application, not the owner."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors

from lastro.stores.postgres import Store
from tests.certificates.worlds import authorise, filled, issue, prepare

TABLES = {
    "certificate": "year",
    "certificate_move": "reason",
    "certificate_number": "number",
    "certificate_paper": "number",
    "certificate_step": "state",
}


@pytest.fixture(scope="module")
def made(module_base):
    """Each table holds something, so that a change would have something to change."""
    store = Store(module_base.conninfo())
    book = filled(store, 1_000)
    for move in (prepare, authorise, issue):
        assert isinstance(move(book), dict)
    store.close()
    return module_base


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("role", ["lastro_app", "lastro_owner"])
def test_rows_are_neither_changed_nor_removed(made, role, table):
    refused = (errors.InsufficientPrivilege, errors.RestrictViolation)
    with made.connect(role) as connection:
        for statement in (
            f"UPDATE {table} SET {TABLES[table]} = {TABLES[table]}",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
        ):
            with pytest.raises(refused):
                connection.execute(statement)


@pytest.mark.parametrize("table", TABLES)
def test_the_application_adds_no_row_by_itself(made, table):
    with made.connect("lastro_app") as app, pytest.raises(errors.InsufficientPrivilege):
        app.execute(f"INSERT INTO {table} SELECT * FROM {table}")


def test_the_functions_behind_the_moves_are_not_the_applications(made):
    with made.connect("lastro_app") as app:
        for call in (
            "SELECT certificate_moved('c1', 'retire', 'retire', 'x', '2027-01-01', '', 'r', 'a', '{}', '{}')",
            "SELECT certificate_refusal('c1', 'retire', '2027-01-01')",
        ):
            with pytest.raises(errors.InsufficientPrivilege):
                app.execute(call)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "a/b"},
        {"name": "CRE-1"},
        {"name": ""},
        {"holder": "123"},
        {"by": ""},
    ],
)
def test_a_certificate_that_makes_no_sense_is_a_callers_mistake(store, wrong):
    book = filled(store, 100)
    with pytest.raises(psycopg.errors.CheckViolation):
        prepare(book, **{"name": "c1", **wrong})
    assert book.certificates() == []
    assert sum(lot.mass.mg for lot in store.lots()) == 100_000


def test_a_mass_between_grams_is_refused_by_the_table_too(store):
    from lastro.units import Mass

    book = filled(store, 100)
    with pytest.raises(psycopg.errors.CheckViolation):
        prepare(book, mass=Mass(1_500))


def test_a_certificate_that_does_not_exist_takes_no_move(store):
    book = filled(store, 100)
    with pytest.raises(psycopg.errors.NoDataFound):
        authorise(book, "none")
    assert book.find("none") is None
