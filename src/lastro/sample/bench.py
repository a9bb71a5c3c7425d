"""The workbench for planting faults: it hands out people and drafts, and takes files with their truth."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lastro.sample.faults import Fault
from lastro.sample.note import Note
from lastro.sample.people import ALWAYS, Cast, Party, Span
from lastro.sample.pki import Signer, Wallet
from lastro.sample.places import MATO_GROSSO, Place
from lastro.sample.seal import PLAIN, Dress, Sealed, seal
from lastro.sample.trade import Trader, at


@dataclass
class Item:
    """One file of the world, and what a careful reader must say of it."""

    entity: str
    name: str
    data: bytes
    role: str
    month: int = 1
    key: str = ""
    fault: str = ""
    codes: tuple[str, ...] = ()
    verdict: str = ""
    stage: str = "file"
    tolerate: tuple[str, ...] = ()
    zipped: bool | None = None
    counted: tuple[tuple[str, int], ...] = ()  # material and milligrams that reach the entity's pool


@dataclass(frozen=True)
class LotRow:
    """A row of an entity's `lote.csv`."""

    key: str
    line: int
    municipality: str = ""
    origin: str = ""
    mass_kg: str = ""


@dataclass
class Bench:
    """All that a mutation needs."""

    cast: Cast
    wallet: Wallet
    trader: Trader
    rnd: random.Random
    items: list[Item] = field(default_factory=list)
    lots: dict[str, list[LotRow]] = field(default_factory=dict)
    _turn: int = 0
    _shared: dict[tuple[int, ...], Party] = field(default_factory=dict)

    def entity(self, number: int | None = None) -> Party:
        """A managing entity: a given one, or the next in turn."""
        if number is None:
            self._turn += 1
            number = self._turn
        return self.cast.entities[number % len(self.cast.entities)]

    def recycler(self, family: str) -> Party:
        """A recycler of MT that takes the family."""
        fits = [r for r in self.cast.recyclers if family in r.families and r.place.uf == "MT"]
        return self.rnd.choice(fits)

    def newcomer(
        self,
        *entities: Party,
        origin: str = "picker_entity",
        spans: Sequence[Span] = ALWAYS,
        licence_to: str = "",
        place: Place | None = None,
        capacity_kg_month: str = "",
        closed_on: str = "",
        located: bool = True,
        root: str = "",
    ) -> Party:
        """An operator made for one fault alone; with `root`, the second branch of one."""
        place = place or self.rnd.choice(MATO_GROSSO)
        made = self.cast.operator(origin, place, *entities, spans=tuple(spans), root=root)
        made = replace(made, capacity_kg_month=capacity_kg_month, closed_on=closed_on, located=located)
        if licence_to:
            made = replace(made, licence_to=licence_to)
        self.cast.others.append(made)
        return made

    def shared(self, *numbers: int) -> tuple[Party, tuple[Party, ...]]:
        """An operator that several entities vetted, each by itself, and those entities."""
        entities = tuple(self.entity(number) for number in numbers)
        if numbers not in self._shared:
            self._shared[numbers] = self.newcomer(*entities)
        return self._shared[numbers], entities

    def draft(
        self,
        entity: Party,
        *,
        operator: Party | None = None,
        recipient: Party | None = None,
        issued: dt.datetime | None = None,
        family: str = "",
        count: int = 1,
        entry: bool = False,
    ) -> Note:
        """A note on which nothing is wrong yet."""
        rnd = self.rnd
        family = family or self.trader.family(rnd)
        operator = operator or rnd.choice(self.cast.operators[entity.cnpj])
        recycler = recipient or self.recycler(family)
        day = dt.date(2026, 1, 12) + dt.timedelta(days=rnd.randrange(340))
        when = issued or at(day, f"{rnd.randrange(8, 18):02d}:{rnd.randrange(60):02d}:00", operator)
        return self.trader.draft(rnd, (operator, recycler), when, family=family, count=count, entry=entry)

    def signer(self, note: Note) -> Signer:
        """The issuer's own certificate on the day."""
        return self.wallet.signer(note.issuer, note.authorised)

    def seal(self, note: Note, dress: Dress = PLAIN) -> Sealed:
        """The note, signed by its issuer and authorised."""
        return seal(note, self.signer(note), dress)

    def put(
        self,
        fault: Fault,
        entity: Party,
        note: Note | None,
        data: bytes,
        *,
        name: str = "",
        role: str = "",
        codes: tuple[str, ...] | None = None,
        verdict: str | None = None,
        counted: bool = True,
        zipped: bool | None = None,
        part_mg: int | None = None,
    ) -> Item:
        """Lays a file on the entity's shelf, with the truth about it."""
        judged = fault.verdict if verdict is None else verdict
        item = Item(
            entity=entity.cnpj,
            name=name or (f"{note.key}-procNFe.xml" if note else "arquivo.xml"),
            data=data,
            role=role or fault.kind,
            month=min(12, note.issued.month) if note else self.rnd.randrange(1, 13),
            key=note.key if note else "",
            fault=fault.id,
            codes=fault.codes if codes is None else codes,
            verdict=judged,
            stage=fault.stage,
            tolerate=fault.tolerate,
            zipped=zipped,
        )
        if note and judged == "admitted" and counted and item.role != "event":
            item.counted = masses(note, part_mg)
        self.items.append(item)
        return item

    def note(self, fault: Fault, entity: Party, note: Note, dress: Dress = PLAIN) -> Item:
        """Seals a note and lays it on the shelf."""
        return self.put(fault, entity, note, self.seal(note, dress).data())

    def lot(self, entity: Party, row: LotRow) -> None:
        """Adds a row to the entity's `lote.csv`."""
        self.lots.setdefault(entity.cnpj, []).append(row)


def masses(note: Note, part_mg: int | None = None) -> tuple[tuple[str, int], ...]:
    """What a note brings to a pool: by line, or one part of its first line."""
    if part_mg is not None:
        return ((note.lines[0].material or "other", part_mg),)
    return tuple((line.material, line.mass_mg) for line in note.lines if line.material and line.mass_mg)
