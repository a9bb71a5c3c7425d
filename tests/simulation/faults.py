"""Faults that a careless change could bring into the base, put in on purpose: the seeds must find each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import StrEnum
from typing import Any
from unittest import mock

from lastro.custody import settle
from lastro.custody.count import KeyView, count_once
from tests.simulation.actors import People
from tests.simulation.network import Network


class Fault(StrEnum):
    """What goes wrong."""

    SKIPPED_CHECK = "skipped-check"
    REUSED_ID = "reused-id"
    LOST_WRITE = "lost-write"
    FORGOTTEN_REQUEST = "forgotten-request"


@contextmanager
def planted(fault: Fault | None, people: People) -> Iterator[None]:
    """While this lasts, the base has the fault."""
    with ExitStack() as stack:
        if fault is not None:
            for patch in _PATCHES[fault](people):
                stack.enter_context(patch)
        yield


def _skipped_check(people: People) -> list[Any]:
    """The count takes each claim for the only one, so that a line is counted for everybody who claims it."""

    def each_alone(view: KeyView) -> Any:
        alone = [count for one in view.claims for count in count_once(replace(view, claims=(one,)))]

        def of(line: int, what: str) -> dict[str, Any]:
            return {who: said for c in alone if c.line == line for who, said in getattr(c, what).items()}

        return [
            replace(c, claims={**c.claims, **of(c.line, "claims")}, shares=of(c.line, "shares"))
            for c in count_once(view)
        ]

    return [mock.patch.object(settle, "count_once", each_alone)]


def _reused_id(people: People) -> list[Any]:
    """A counter of request ids that starts again: two wishes under one name."""
    turns = iter(range(1_000_000))

    def again() -> str:
        return f"r{next(turns) % 3}"

    return [mock.patch.object(people, "_request", again)]


def _lost_write(people: People) -> list[Any]:
    """One answer in eight is given for work that was not kept."""
    chance, arrive = people.network.chance, Network._arrive

    def forgetful(network: Network, call: Any) -> None:
        if chance.random() < 1 / 8:
            work = call.work
            call.work = _undone(people, work)
            arrive(network, call)
            call.work = work
        else:
            arrive(network, call)

    return [mock.patch.object(Network, "_arrive", forgetful)]


def _undone(people: People, work: Callable[[], Any]) -> Callable[[], Any]:
    def call() -> Any:
        with people.store.transaction() as db, db.transaction(force_rollback=True):
            return work()

    return call


def _forgotten_request(people: People) -> list[Any]:
    """The base does not remember what it was asked: a message that comes twice is done twice."""
    turns, retire = iter(range(1_000_000)), people.store.retire_lots

    def anew(entity: str, **asked: Any) -> Any:
        return retire(entity, **{**asked, "request": f"{asked['request']}/{next(turns)}"})

    return [mock.patch.object(people.store, "retire_lots", anew)]


_PATCHES: dict[Fault, Callable[[People], list[Any]]] = {
    Fault.SKIPPED_CHECK: _skipped_check,
    Fault.REUSED_ID: _reused_id,
    Fault.LOST_WRITE: _lost_write,
    Fault.FORGOTTEN_REQUEST: _forgotten_request,
}
