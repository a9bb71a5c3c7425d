"""What hub, keepers and members keep in PostgreSQL: the same promises, over restarts and in one database."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from lastro.hub.batch import Batch
from lastro.hub.hub import Hub
from lastro.hub.keeper import Keeper, key_of
from lastro.hub.member import Member
from lastro.hub.watch import replay
from lastro.stores.postgres.hub import PostgresHub, PostgresKeeper
from lastro.stores.postgres.hub_member import PostgresMember
from tests.hub.test_reconcile import _claims, _plain, _same
from tests.hub.worlds import BrokenWire, World, secret, statement

if TYPE_CHECKING:
    from lastro.stores.postgres import Store
    from tests.conftest import Base


def restart(world: World, store: Store) -> None:
    """Everybody begins anew, knowing nothing but what is kept. One keeper stands for the two."""
    world.shelf = PostgresHub(store)
    world.hub = Hub(world.roster, secret=secret("hub"), shelf=world.shelf)
    world.keepers = {
        name: Keeper(
            world.roster, signs=secret(f"signs {name}"), shelf=PostgresKeeper(store), draw=world.draw,
            secrets={era: key_of(secret(f"seed {name}"), era) for era in ("2025", "2026")},
        )
        for name in world.keepers
    }  # fmt: skip
    world.members = [
        Member(world.roster, entity=e, secret=secret(e), shelf=PostgresMember(store, e), draw=world.draw)
        for e in world.entities
    ]


@pytest.mark.parametrize("seed", range(2))
def test_restarts_and_losses_change_nothing(store: Store, seed: int) -> None:
    world, rnd = World(members=3, size=8, pace=3, keepers=1, seed=seed), random.Random(seed)
    said = _claims(world, rnd, each=20, shared=6)
    for _ in range(8):
        restart(world, store)
        wire = BrokenWire(world, rnd)
        for member in world.members:
            member.work(wire, said[member.entity], day=world.day)
        world.hub.close(day=world.day)
        world.day += timedelta(days=1)
    for _ in range(3):
        restart(world, store)
        world.days(said)
    for member in world.members:
        _same(world.judged(member), _plain(said), member.entity)


def test_the_map_in_the_database_is_that_of_the_batches(store: Store) -> None:
    world = World(members=2, size=8, pace=1, keepers=1)
    restart(world, store)
    world.days({e: [statement(1, e)] for e in world.entities})
    batches: list[Batch] = [b for m in world.members for b, *_ in _sent(m)]
    closing = world.hub.close(day=world.day)
    assert replay(batches) == closing.tags
    assert closing.size == 4  # two batches, and the two answers that told of the meeting


def _sent(member: Any) -> list[tuple[Batch, Any]]:
    return [(one.batch, one.receipt) for one in member.shelf.sent()]


def test_what_is_kept_is_only_added_to(base: Base, store: Store) -> None:
    world = World(members=1, size=2, pace=1, keepers=1)
    restart(world, store)
    world.days({world.entities[0]: [statement(1, world.entities[0])]})
    for table in (
        "leaf",
        "batch",
        "held",
        "closing",
        "own_line",
        "own_batch",
        "own_said",
        "own_met",
        "found",
    ):
        with base.connect("lastro_app") as app, pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(f"delete from hub.{table}")
        with base.connect("lastro_owner") as owner, pytest.raises(psycopg.errors.DatabaseError, match="only"):
            owner.execute(f"truncate hub.{table} cascade")
