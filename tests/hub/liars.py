"""Hubs that lie, each in one way; all of them sign what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from lastro.hub.batch import Batch, Held
from lastro.hub.closing import Closing, Receipt, receipt
from lastro.hub.hub import Hub
from lastro.hub.tagmap import TagMap
from tests.hub.shelves import HubMemory
from tests.hub.worlds import World, secret


def lying(world: World, kind: type[Hub]) -> Hub:
    """The world's hub, replaced by a liar over the same shelf."""
    world.hub = kind(world.roster, secret=secret("hub"), shelf=world.shelf)
    return world.hub


class HidesMeetings(Hub):
    """Knows that tags meet, binds itself to it, and says that nothing met."""

    def _met(self, name: str, tags: Sequence[bytes], closing: Closing) -> list[Held]:
        return []


class HidesOne(Hub):
    """Shows all that met but one."""

    def _met(self, name: str, tags: Sequence[bytes], closing: Closing) -> list[Held]:
        return super()._met(name, tags, closing)[1:]


class Invents(Hub):
    """Shows an entry bent so that it would stand for another claim."""

    def _met(self, name: str, tags: Sequence[bytes], closing: Closing) -> list[Held]:
        return [
            replace(one, entry=one.entry[:40] + bytes([one.entry[40] ^ 1]) + one.entry[41:])
            for one in super()._met(name, tags, closing)
        ]


class Forgets(Hub):
    """Gives a receipt and keeps another leaf in the place."""

    def _keep(self, batch: Batch, day: date) -> Receipt:
        given = super()._keep(batch, day)
        log = self._shelf.log  # type: ignore[attr-defined]
        log[given.index] = b"lastro hub batch " + b"0" * 64
        return given


class DropsFromTheMap(HubMemory):
    """A shelf that leaves one batch out of map and answers, though the batch is in the log."""

    dropped: str = ""

    def keep(self, batch: Batch, given: Receipt) -> None:
        super().keep(batch, given)
        if not self.dropped:
            self.dropped = batch.header.batch

    def references(self, size: int) -> Iterable[tuple[bytes, bytes]]:
        kept = [batch for batch, _ in self.batches.values() if batch.header.batch != self.dropped]
        return [(held.tag, held.reference) for batch in kept for held in batch.all_held]

    def under(self, tags: Sequence[bytes], size: int) -> list[Held]:
        return [held for held in super().under(tags, size) if held.header.batch != self.dropped]


class ProvesWhatItHas(TagMap):
    """A map that proves, of the tags asked for, those that it has."""

    def prove(self, tags: Sequence[bytes]) -> bytes:
        return super().prove([tag for tag in tags if tag in set(self._tags)])


def forged_receipt(batch: Batch) -> Receipt:
    """A receipt that somebody else signed."""
    name = batch.header.digest.hex()
    return receipt(secret("somebody"), batch=batch.header.batch, digest=name, index=0, day="2026-12-01")
