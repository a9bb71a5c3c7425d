"""A clock that is a number, and a network between callers and the base that keeps no promise until it heals.

A call may be lost on its way, come twice, come late; the base may die while it works (nothing of that call
stands) or after it worked (the answer is lost). A caller knows only that no answer came, and calls again with
the same words. After `HEALED` nothing is lost any more, so that every call ends.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from lastro.facts import Refusal

HEALED = 400
_QUIET = HEALED + 100
_PATIENCE = 60


class Died(Exception):
    """The base died while it worked: what this call did is undone."""


@dataclass
class Call:
    """One thing that somebody wants done, once, however often it has to be asked.

    `work` does it and may be tried many times; `told` hears the first answer that arrives.
    """

    name: str
    work: Callable[[], Any]
    told: Callable[[Any], None]
    ended: bool = False
    refused: str = ""


class Network:
    """Whatever is to happen, in the order of its time; what happens at one time, in the order it was said."""

    def __init__(self, seed: int, *, transaction: Callable[[], AbstractContextManager[Any]]) -> None:
        self.chance = random.Random(seed)
        self.now = 0
        self.calls: list[Call] = []
        self.history: list[str] = []
        self._transaction = transaction
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._said = 0

    def at(self, when: int, what: Callable[[], None]) -> None:
        """Do this at a time, which is not over."""
        assert when >= self.now
        heapq.heappush(self._queue, (when, self._said, what))
        self._said += 1

    def ask(self, name: str, work: Callable[[], Any], told: Callable[[Any], None] = lambda _: None) -> None:
        """Ask the base for something until it answers, sometimes with two clicks instead of one."""
        call = Call(name, work, told)
        self.calls.append(call)
        for _ in range(2 if self.chance.random() < 0.15 else 1):
            self._send(call)

    def run(self) -> None:
        """Let everything happen."""
        while self._queue:
            self.now, _, what = heapq.heappop(self._queue)
            what()

    def _send(self, call: Call) -> None:
        for delay in self._journeys():
            self.at(self.now + delay, lambda: self._arrive(call))
        self.at(self.now + _PATIENCE, lambda: self._again(call))

    def _again(self, call: Call) -> None:
        if not call.ended and not (call.refused and self.now < _QUIET):
            self._send(call)

    def _journeys(self) -> Iterator[int]:
        """How long each copy of a message travels: none when it is lost, two when it comes twice."""
        copies = 1 if self._healed else self.chance.choices((0, 1, 2), weights=(2, 7, 1))[0]
        for _ in range(copies):
            yield self.chance.randint(1, 4) if self.chance.random() < 0.8 else self.chance.randint(5, 60)

    def _arrive(self, call: Call) -> None:
        dies = not self._healed and self.chance.random() < 0.06
        try:
            with self._transaction():
                answer = call.work()
                if dies:
                    raise Died
        except Died:
            self.history.append(f"{self.now} {call.name}: died")
            return
        self.history.append(f"{self.now} {call.name}: {answer!r}")
        for delay in self._journeys():
            self.at(self.now + delay, lambda: self._hear(call, answer))

    def _hear(self, call: Call, answer: Any) -> None:
        """The first answer counts. But who was told no, while calls still travel, asks once more when all is
        quiet: a refusal leaves no trace, so that a late copy of the same words may yet have been done."""
        if call.ended:
            return
        if isinstance(answer, Refusal) and self.now < _QUIET:
            if not call.refused:
                call.refused = answer.code
                self.at(_QUIET, lambda: self._send(call))
            return
        call.ended = True
        call.told(answer)

    @property
    def _healed(self) -> bool:
        return self.now >= HEALED
