"""Rows of others: the database itself shows a row to whom it concerns, whatever is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastro.web import rows
from lastro.web.models import ApiKey, Binding, Delegation, Job, JobFile, Person, Trail
from lastro.web.scopes import FOR_PARTIES, Role, Scope
from tests.web.conftest import TODAY, World, browser_of, people_of

PARTIES = ("ZZAAA111000175", "ZZBBB222000120", "ZZCCC333000166")
EMAILS = ("um@exemplo.org", "dois@exemplo.org", "tres@exemplo.org", "quatro@exemplo.org")

_HIDDEN = (
    *("web_job", "web_jobfile", "web_binding", "web_delegation", "web_apikey", "web_trail"),
    *("web_notice", "web_hook", "web_call", "web_apianswer"),
)
"""The tables whose rows the database hides."""

_who = st.integers(0, len(EMAILS) - 1)
_party = st.sampled_from(PARTIES)
_bindings = st.sets(st.tuples(_who, _party), max_size=6)
_delegations = st.lists(
    st.tuples(_who, _who, _party, st.sampled_from(["alive", "over", "revoked"])), max_size=6
)
_jobs = st.lists(st.tuples(_who, st.sampled_from([*PARTIES, ""])), max_size=8)
_roles = st.tuples(*[st.sampled_from([Role.COMPANY, Role.ACCOUNTANT, Role.AGENCY])] * len(EMAILS))
_active = st.tuples(*[st.booleans()] * len(EMAILS))


@contextmanager
def _undone() -> Iterator[None]:
    """What is done within is not there afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _people(roles: Any, active: Any) -> list[Person]:
    return [
        Person.objects.create(email=email, name=email, role=role.value, is_active=alive)
        for email, role, alive in zip(EMAILS, roles, active, strict=True)
    ]


def _delegated(people: list[Person], given_: Any) -> None:
    for giver, taker, party, state in given_:
        Delegation.objects.create(
            party=party,
            by=people[giver],
            to=people[taker],
            scopes=[Scope.COMPANY_READ.value],
            until=TODAY - timedelta(days=1) if state == "over" else TODAY,
            revoked_at=timezone.now() if state == "revoked" else None,
        )


def _expected(me: int, roles: Any, active: Any, bindings: Any, given_: Any) -> set[str]:
    """For whom a person may act, said once more and in another way."""
    found = {party for who, party in bindings if who == me}
    if roles[me] is Role.AGENCY:
        return found
    for giver, taker, party, state in given_:
        lends = active[giver] and roles[giver] in FOR_PARTIES and (giver, party) in bindings
        if taker == me and state == "alive" and lends:
            found.add(party)
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(roles=_roles, active=_active, bindings=_bindings, given_=_delegations, jobs=_jobs)
def test_a_row_is_visible_exactly_to_whom_it_concerns(
    module_world: World, roles: Any, active: Any, bindings: Any, given_: Any, jobs: Any
) -> None:
    with _undone():
        people = _people(roles, active)
        for who, party in bindings:
            Binding.objects.create(person=people[who], party=party)
        _delegated(people, given_)
        made = [
            (Job.objects.create(kind="upload", party=party, person=people[who], title="x"), who, party)
            for who, party in jobs
        ]
        for job, _, _ in made:
            JobFile.objects.create(job=job, name="x", body=b"x")
        for me, person in enumerate(people):
            fresh = Person.objects.get(pk=person.pk)
            assert set(fresh.parties) == _expected(me, roles, active, bindings, given_)
            for acting in [*fresh.parties, ""]:
                _check(me, person, acting, made=made, bindings=bindings, people=people, given_=given_)


def _check(me: int, person: Person, acting: str, **world: Any) -> None:
    """What the database shows to one person who acts for one party, or for none."""
    visible = {
        job.pk
        for job, who, party in world["made"]
        if (party and party == acting) or (not party and who == me)
    }
    people = world["people"]
    bound = {(people[who].pk, party) for who, party in world["bindings"] if who == me or party == acting}
    lent = [one for one in world["given_"] if one[1] == me or one[2] == acting]
    with rows.seen(acting, rows.person_word(person.pk)):
        assert set(Job.objects.values_list("pk", flat=True)) == visible
        assert set(JobFile.objects.values_list("job_id", flat=True)) == visible
        assert set(Binding.objects.values_list("person_id", "party")) == bound
        assert Delegation.objects.count() == len(lent)


def test_a_stranger_sees_no_row_and_a_program_of_ours_all(module_world: World) -> None:
    with _undone():
        people = _people([Role.COMPANY] * 4, [True] * 4)
        Binding.objects.create(person=people[0], party=PARTIES[0])
        Job.objects.create(kind="upload", party=PARTIES[0], person=people[0], title="x")
        with rows.seen():
            assert not Job.objects.exists()
            assert not Binding.objects.exists()
        assert Job.objects.exists()
        with connection.cursor() as cursor:
            cursor.execute(
                "select relname from pg_class where relrowsecurity and relname like 'web\\_%%' order by 1", []
            )
            assert {name for (name,) in cursor.fetchall()} == set(_HIDDEN)
    with psycopg.connect(module_world.base.conninfo()) as db:  # a connection that was told nothing
        for table in _HIDDEN:
            row = db.execute(f"select count(*) from lastro.{table}").fetchone()  # type: ignore[call-overload]
            assert row == (0,), table


def test_nobody_writes_a_row_of_another(module_world: World) -> None:
    with _undone():
        people = _people([Role.COMPANY] * 4, [True] * 4)
        me = rows.person_word(people[0].pk)
        tries = (
            lambda: Job.objects.create(kind="upload", party=PARTIES[1], person=people[0], title="x"),
            lambda: Binding.objects.create(person=people[0], party=PARTIES[0]),
            lambda: Delegation.objects.create(party=PARTIES[1], by=people[1], to=people[0], until=TODAY),
            lambda: Trail.objects.create(person=people[1].pk, email="x", party=PARTIES[1], act="x", status=1),
            lambda: ApiKey.objects.create(
                public="x" * 12, digest="x", person=people[1], party=PARTIES[1], name="x", expires_on=TODAY
            ),
        )
        for write in tries:
            with rows.seen(PARTIES[0], me), pytest.raises(DatabaseError), transaction.atomic():
                write()
            with rows.seen(rows.EVERYTHING):
                write()


def test_a_request_leaves_the_connection_as_it_was(module_world: World) -> None:
    people = people_of(module_world)
    browser_of(people["company"]).get("/empresa/")
    browser_of().get("/conferir/")
    with connection.cursor() as cursor:
        cursor.execute("select current_setting('lastro.sees')")
        assert cursor.fetchone() == (rows.EVERYTHING,)


def test_a_new_connection_within_a_request_knows_whose_rows_to_show(module_world: World) -> None:
    with rows.seen(PARTIES[0]):
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("select current_setting('lastro.sees')")
            assert cursor.fetchone() == (PARTIES[0],)
