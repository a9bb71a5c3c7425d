"""From custody to the hub and back: what collides waits for people, what is withdrawn lets go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lastro.custody.count import LotState
from lastro.custody.port import For
from lastro.custody.settle import hand_in
from lastro.custody.withdraw import withdraw
from lastro.hub.dossier import Case, CaseOpened, check_opened, open_cases
from lastro.hub.member import Member
from lastro.hub.people import HubMember
from lastro.hub.proof import NotProved
from lastro.hub.words import public_of
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.hub_custody import enter_found, statements
from lastro.stores.postgres.hub_member import PostgresMember
from lastro.units import Mass
from tests.custody.test_settle import BODIES, NORM, A, B, key, note
from tests.hub.worlds import World, secret

if TYPE_CHECKING:
    from lastro.stores.postgres import Store
    from tests.conftest import Base


def _world() -> World:
    """Two entities whose notes are those of the custody tests."""
    world = World(members=2, size=4, pace=1, keepers=1)
    members = tuple(HubMember(one, public_of(secret(one)).hex()) for one in (A, B))
    world.roster = replace(world.roster, members=members)
    world.entities = [A, B]
    world.hub.roster = world.roster
    for keeper in world.keepers.values():
        keeper.roster = world.roster
    return world


def _claim(store: Store, entity: str, *, mass: Mass | None, content: str = "c1") -> None:
    given = note(1, content=content)
    with custody(store) as memory:
        hand_in(
            memory, [given], whom=For(entity, NORM, 2026), files={given.sha256: BODIES[given.sha256]},
            claims=[(key(1), 1, mass)], on=world_day(),
        )  # fmt: skip


def world_day():  # type: ignore[no-untyped-def]
    from tests.hub.worlds import DAY

    return DAY


def _state(store: Store) -> tuple[str, str]:
    with custody(store) as memory:
        ((state, reason, _),) = memory.states([key(1)])[key(1)].values()
    return state, reason


@pytest.fixture
def stores(base: Base, pg_server: object):  # type: ignore[no-untyped-def]
    """Two bases, one of each entity."""
    from lastro.stores.postgres import Store
    from tests.conftest import fresh_base

    with fresh_base(pg_server) as other:
        made = Store(base.conninfo()), Store(other.conninfo())
        yield dict(zip((A, B), made, strict=True))
        for one in made:
            one.close()


def _day(world: World, stores: dict[str, Store]) -> dict[str, list[CaseOpened]]:
    """A day at the hub; what each entity's verifier opens for it is entered into its base."""
    world.members = [
        Member(world.roster, entity=e, secret=secret(e), shelf=PostgresMember(stores[e], e), draw=world.draw)
        for e in (A, B)
    ]
    name = world.verifiers[0]
    world.days({e: list(statements(stores[e], entity=e, verifier=name)) for e in (A, B)})
    opened = {}
    for entity, store in stores.items():
        met = list(PostgresMember(store, entity).meetings())
        cases = [Case(line, opens, tuple(held)) for line, opens, held in met]
        sent = [Case.of_json(case.to_json()) for case in cases]
        back = open_cases(world.roster, sent, verifier=name, key=secret(f"seals {name}"))
        checked = [
            check_opened(world.roster, one.to_json(), secret=opens, known=held)
            for one, (_, opens, held) in zip(back, met, strict=True)
        ]
        assert checked == back
        enter_found(store, checked, verifier=name, on=world.day)
        assert enter_found(store, checked, verifier=name, on=world.day) == 0
        opened[entity] = checked
    return opened


def test_claims_that_do_not_fit_are_contested_in_both_bases_until_one_withdraws(
    stores: dict[str, Store],
) -> None:
    world = _world()
    for entity, store in stores.items():
        _claim(store, entity, mass=None if entity == A else Mass(1))
        assert _state(store) == (LotState.COUNTED.value, "")
    _day(world, stores)
    for store in stores.values():
        assert _state(store) == (LotState.CONTESTED.value, "C02")
    with custody(stores[B]) as memory:
        (doubt,) = memory.key_views([key(1)])[key(1)].doubts[1]
    assert doubt.found.count("ZZ") == 2
    assert doubt.expected == "juntas, até 0,001 kg"
    with custody(stores[B]) as memory:
        withdraw(memory, key(1), 1, entity=B, reason="é da outra", by="ana", on=world.day)
    _day(world, stores)
    assert _state(stores[A]) == (LotState.COUNTED.value, "")


def test_claims_that_fit_stand_in_both_bases(stores: dict[str, Store]) -> None:
    world = _world()
    for entity, store in stores.items():
        _claim(store, entity, mass=Mass(400 if entity == A else 600))
    opened = _day(world, stores)
    for entity, store in stores.items():
        assert _state(store) == (LotState.COUNTED.value, "")
        assert opened[entity][0].judged.asked == {A: Mass(400), B: Mass(600)}


def test_what_was_opened_is_checked_against_what_met(stores: dict[str, Store]) -> None:
    world = _world()
    for entity, store in stores.items():
        _claim(store, entity, mass=Mass(400))
    opened = _day(world, stores)[A][0]
    ((_, opens, held),) = PostgresMember(stores[A], A).meetings()
    told = opened.to_json()
    wrong = [
        ({**told, "entries": told["entries"][:1]}, "não são as que"),
        ({**told, "entries": [*told["entries"], told["entries"][0]]}, "não são as que"),
        ({**told, "entries": [{**e, "salt": "00" * 16} for e in told["entries"]]}, "enviado"),
        ({}, "verificador"),
    ]
    for bent, says in wrong:
        with pytest.raises(NotProved, match=says):
            check_opened(world.roster, bent, secret=opens, known=held)
