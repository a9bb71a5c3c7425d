"""One seed from its beginning to its end, and many of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg

from tests.simulation.actors import People
from tests.simulation.base import undone
from tests.simulation.faults import Fault, planted
from tests.simulation.invariants import broken
from tests.simulation.network import Network
from tests.simulation.world import drawn


@dataclass(frozen=True)
class Ended:
    """How a seed ended: what happened, in order, and what does not hold."""

    seed: int
    history: tuple[str, ...]
    wrong: tuple[str, ...]


def play(seed: int, connection: psycopg.Connection[Any], *, fault: Fault | None = None) -> Ended:
    """Play one seed on a connection of the application's role; nothing of it is kept."""
    with undone(connection) as store:
        network = Network(seed, transaction=store.transaction)
        people = People(drawn(network.chance), store, network)
        people.begin()
        with planted(fault, people):
            network.run()
        return Ended(seed, tuple(network.history), tuple(broken(people)))


def take_base(free: Any, fault: Fault | None) -> None:
    """A process begins: one of the free bases is its own."""
    global _connection, _fault
    _connection, _fault = psycopg.connect(free.get(), autocommit=True), fault


def play_part(seeds: range) -> list[Ended]:
    """Play some seeds one after another on the base of this process."""
    assert _connection is not None
    return [play(seed, _connection, fault=_fault) for seed in seeds]


_connection: psycopg.Connection[Any] | None = None
_fault: Fault | None = None
