"""The people and programs of a seed: each asks for one thing after another and knows only its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lastro.certificates.port import Part
from lastro.certificates.states import Move, State
from lastro.custody.decide import decide
from lastro.custody.port import For, Handed
from lastro.custody.settle import hand_in
from lastro.errors import LastroError
from lastro.facts import Refusal
from lastro.ids import Material
from lastro.stores.postgres.certificates import Certificates
from lastro.stores.postgres.custody import PostgresCustody
from lastro.units import Mass, Money
from tests.simulation.base import Rolled
from tests.simulation.hub import HubPart
from tests.simulation.network import Network
from tests.simulation.world import (
    COMPANY,
    LAST,
    NORM,
    ON,
    VERIFIER,
    YEAR,
    Claim,
    Note,
    World,
    number_of,
    reaches,
)


@dataclass
class Told:
    """What the people were told: what they may rely on from then on."""

    states: dict[str, State] = field(default_factory=dict)
    masses: dict[str, int] = field(default_factory=dict)
    direct: dict[str, int] = field(default_factory=dict)
    entered: set[str] = field(default_factory=set)


class People:
    """Everybody of a seed, over one network and one base."""

    def __init__(self, world: World, store: Rolled, network: Network) -> None:
        self.world, self.store, self.network, self.told = world, store, network, Told()
        self.book = Certificates(store)
        self.hub = HubPart(world, network)
        self._requests = 0

    def begin(self) -> None:
        """Everybody's plans, spread over the first days."""
        self.hub.begin()
        chance, at = self.network.chance, self.network.at
        for claim in self.world.claims:
            for _ in range(chance.choice((1, 1, 2))):
                at(chance.randint(0, 120), lambda claim=claim: self._enter(claim))
        for note in self.world.notes:
            if note.cancelled:
                at(chance.randint(0, 350), lambda note=note: self._cancel(note))
            if chance.random() < 0.4:
                whom = chance.choice(self.world.entities)
                for by in ("ana", chance.choice(("bia", "ana"))):
                    at(chance.randint(40, 300), lambda n=note, w=whom, b=by: self._decide(n, w, b))
        for entity in self.world.entities:
            for when in sorted(chance.sample(range(30, 250), 2)):
                at(when, lambda entity=entity: self._homologate(entity))
            for turn in range(chance.randint(1, 3)):
                offered = chance.random() < 0.3
                at(
                    chance.randint(40, 330),
                    lambda e=entity, t=turn, o=offered: self._set_apart(f"{e}-{t}", e, o),
                )
            if chance.random() < 0.5:
                at(chance.randint(60, 330), lambda e=entity: self._retire_lots(e))

    # ── evidence and custody ─────────────────────────────────────────────────────────────────────────

    def _enter(self, claim: Claim) -> None:
        note = claim.note
        mine = [(note.key, 1, None if claim.mass_mg is None else Mass(claim.mass_mg))]
        self._hand(f"enter {claim.name}", claim.entity, note.handed(), note.body, mine)

    def _cancel(self, note: Note) -> None:
        entity = self.network.chance.choice(self.world.entities)
        self._hand(f"cancel {note.number}", entity, note.cancellation(), note.cancellation_body, [])

    def _hand(self, name: str, entity: str, handed: Handed, body: bytes, claims: Sequence[Any]) -> None:
        def work() -> str:
            with self.store.transaction() as db:
                files = {handed.sha256: body}
                whom = For(entity, NORM, YEAR)
                hand_in(PostgresCustody(db), [handed], whom=whom, files=files, claims=claims, on=ON)
            return "in"

        self.network.ask(name, work, lambda _: self.told.entered.add(name))

    def _decide(self, note: Note, whom: str, by: str) -> None:
        def work() -> str:
            try:
                with self.store.transaction() as db:
                    memory = PostgresCustody(db)
                    done = decide(memory, note.key, 1, entity=whom, content="", reason="prova", by=by, on=ON)
            except LastroError:
                return "nothing to decide"
            return "decided" if done else "proposed"

        self.network.ask(f"decide {note.number} {by}", work)

    def _homologate(self, entity: str) -> None:
        request = self._request()
        self.network.ask(
            f"homologate {request}",
            lambda: self.store.homologate(
                entity, verifier=VERIFIER, year=YEAR, lots=None, request=request, happened_on=ON
            ),
        )

    def _retire_lots(self, entity: str) -> None:
        request, mg = self._request(), self.network.chance.randint(1, 40_000)

        def heard(answer: Any) -> None:
            if not isinstance(answer, Refusal):
                self.told.direct[request] = mg

        self.network.ask(
            f"retire lots {request}",
            lambda: self.store.retire_lots(
                entity,
                establishment=COMPANY,
                year=YEAR,
                materials=[Material.GLASS],
                mass=Mass(mg),
                request=request,
                happened_on=ON,
            ),
            heard,
        )

    # ── certificates ─────────────────────────────────────────────────────────────────────────────────

    def _set_apart(self, name: str, entity: str, offered: bool) -> None:
        mass = Mass(self.network.chance.choice((2, 20, 100, 400)) * 1_000)

        def work() -> Any:
            return self.book.prepare(
                name, entity=entity, holder=None if offered else COMPANY, year=YEAR, norm=NORM,
                materials=[Material.GLASS], mass=mass, investment=Money(100), by="ana", on=ON,
                request=f"prepare {name}",
            )  # fmt: skip

        def heard(answer: Any) -> None:
            if not isinstance(answer, Refusal):
                self._stands(name, mass, State.OFFERED if offered else State.PREPARED)

        self.network.ask(f"set apart {name}", work, heard)

    def _stands(self, name: str, mass: Mass, state: State) -> None:
        """A certificate is there: the next one acts on it."""
        self.told.masses[name] = mass.mg
        self._moved(name, state)
        chance = self.network.chance.random()
        if state is State.OFFERED:
            self._next(name, self._sell if chance < 0.8 else self._withdraw)
        else:
            self._next(name, self._authorise if chance < 0.8 else self._refuse)

    def _sell(self, name: str) -> None:
        """A part to a buyer, and the rest stays on offer in a certificate of its own."""
        sold, rest = Mass(1_000), Mass(self.told.masses[name] - 1_000)
        parts = [Part(f"{name}s", sold, COMPANY), *([Part(f"{name}r", rest)] if rest.mg else [])]

        def sell(certificate: str, **more: Any) -> Any:
            return self.book.divide(certificate, Move.SELL, parts, **more)

        def stand(_: str) -> None:
            for part in parts:
                self._stands(part.id, part.mass, State.PREPARED if part.holder else State.OFFERED)

        self._move(name, "ana", sell, State.REPLACED, None, at_once=stand)
        if self.network.chance.random() < 0.2:
            self._withdraw(name)

    def _authorise(self, name: str) -> None:
        self._move(name, "bia", self.book.authorise, State.AUTHORISED, self._issue)
        if self.network.chance.random() < 0.2:
            self._refuse(name)
        if self.network.chance.random() < 0.1:
            self._withdraw(name)

    def _issue(self, name: str) -> None:
        def issue(certificate: str, **more: Any) -> Any:
            given = self.book.allot(certificate, number=number_of(certificate), on=ON)
            if isinstance(given, Refusal):
                return given
            return self.book.issue(
                certificate, number=given["number"], issued_on=ON, valid_to=LAST, fields={"VII": "x"},
                pdf=f"%PDF {certificate}".encode(), by=more["by"], request=more["request"],
            )  # fmt: skip

        self._move(name, "bia", issue, State.ISSUED, self._retire)

    def _retire(self, name: str) -> None:
        for by in ("duda", "eva")[: self.network.chance.choice((0, 1, 1, 2))]:
            self._move(name, by, self.book.retire, State.RETIRED, None)
        if self.network.chance.random() < 0.2:
            self._move(name, "órgão", self._because(self.book.cancel), State.CANCELLED, None)

    def _refuse(self, name: str) -> None:
        self._move(name, "caio", self._because(self.book.refuse), State.REFUSED, None)

    def _withdraw(self, name: str) -> None:
        self._move(name, "ana", self._because(self.book.withdraw), State.WITHDRAWN, None)

    @staticmethod
    def _because(move: Callable[..., Any]) -> Callable[..., Any]:
        return lambda certificate, **more: move(certificate, reason="desistência", **more)

    def _move(
        self,
        name: str,
        by: str,
        move: Callable[..., Any],
        after: State,
        then: Callable[[str], None] | None,
        *,
        at_once: Callable[[str], None] = lambda _: None,
    ) -> None:
        request = self._request()

        def heard(answer: Any) -> None:
            if not isinstance(answer, Refusal):
                self._moved(name, after)
                at_once(name)
                if then is not None:
                    self._next(name, then)

        self.network.ask(f"{after} {name} {by}", lambda: move(name, by=by, on=ON, request=request), heard)

    def _moved(self, name: str, state: State) -> None:
        """Answers arrive late: what was heard of an earlier state says nothing against a later one."""
        known = self.told.states.get(name)
        if known is None or state in reaches(known):
            self.told.states[name] = state

    def _next(self, name: str, what: Callable[[str], None]) -> None:
        self.network.at(self.network.now + self.network.chance.randint(1, 30), lambda: what(name))

    def _request(self) -> str:
        self._requests += 1
        return f"r{self._requests}"
