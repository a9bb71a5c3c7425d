"""The custody hub of a seed: the entities tell it the same claims, over a wire that keeps no promise."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from lastro.hub.lines import Line
from lastro.hub.match import Fit
from lastro.hub.member import Member, Statement
from lastro.units import Mass, total
from tests.hub.worlds import DAY, BrokenWire, statement
from tests.hub.worlds import World as HubWorld
from tests.simulation.network import HEALED, Network
from tests.simulation.world import World

_DAY = HEALED // 3
"""How much of the network's time is a day of the hub."""
_DAYS_AFTER = 4


class HubPart:
    """Hub, keepers, verifiers and members of a seed; each entity of the world is one member."""

    def __init__(self, world: World, network: Network) -> None:
        self.network = network
        self.world = HubWorld(
            members=len(world.entities), size=4, pace=1, keepers=1, seed=network.chance.getrandbits(32)
        )
        named = dict(zip(world.entities, self.world.entities, strict=True))
        self.said: dict[str, list[Statement]] = defaultdict(list)
        for claim in world.claims:
            entity = named[claim.entity]
            one = statement(claim.note.number, entity, asks=claim.mass_mg, holds=claim.note.mass_mg)
            self.said[entity].append(one)

    def begin(self) -> None:
        """Days on which messages are lost and a member may hear nobody; then days on which all is heard."""
        for day in range(3):
            for member in self.world.members:
                if self.network.chance.random() < 0.8:
                    when = day * _DAY + self.network.chance.randint(0, _DAY - 2)
                    self.network.at(when, lambda m=member: self._work(m))
            self.network.at((day + 1) * _DAY - 1, self._close)
        self.network.at(HEALED, lambda: self.world.days(self.said, days=_DAYS_AFTER))

    def _work(self, member: Member) -> None:
        chance = self.network.chance
        wire = BrokenWire(self.world, chance, down=chance.random() < 0.1)
        told = member.work(wire, self.said[member.entity], day=self.world.day)
        self.network.history.append(f"{self.network.now} hub {member.entity}: {told!r}")

    def _close(self) -> None:
        self.world.hub.close(day=self.world.day)
        self.world.day += timedelta(days=1)

    def broken(self) -> Iterator[str]:
        """What a member found that is not what all claims in the open give, or did not find."""
        if self.world.day != DAY + timedelta(days=3 + _DAYS_AFTER):
            yield "hub: not all days came"
        asked: defaultdict[Line, dict[str, Mass]] = defaultdict(dict)
        holds: dict[Line, Mass] = {}
        for one in itertools.chain.from_iterable(self.said.values()):
            asked[one.line][one.claim.entity] = one.claim.asked
            holds[one.line] = one.claim.line_mass
        for member in self.world.members:
            wanted = {line: by for line, by in asked.items() if len(by) > 1 and member.entity in by}
            found = self.world.judged(member)
            if {line: judged.asked for line, judged in found.items()} != wanted:
                yield f"hub: {member.entity} met {sorted(found)}, and should {sorted(wanted)}"
                continue
            for line, judged in found.items():
                fits = total(wanted[line].values()) <= holds[line]
                if judged.fit is not (Fit.FITS if fits else Fit.EXCEEDS):
                    yield f"hub: {line.key}: {judged.fit}, of {wanted[line]} on {holds[line]}"
