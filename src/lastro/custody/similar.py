"""Loads written twice: another key, the same content (C03).

Whoever wants one load counted twice writes a second note for it and changes a gram, a cent, a second or a
day; or seller and buyer each write one. Comes in: the loads that notes tell of. Goes out: those that look
like one another, for a person to decide; nothing is refused by it.

Two loads are alike when they have different keys, the same two companies (either way round), the same
material, masses no more than 1 kg and 1 % apart, values no more than R$ 1,00 or 1 % apart (or any, where both
were written within an hour), and

- were written on the same day; or
- on consecutive days, unless equal loads are a habit of the two: the same mass on three other days within 45
  days, none of them next to these (a bale of one size every week, or every day); or
- up to three days apart by different writers, one by the seller and one by the buyer.

Two notes of one day, or within an hour, are alike too where all that they tell of a material is: a load may
be written on one line of one note and on two of the other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import product

from lastro.custody.chain import Flow, Party, Sale
from lastro.ids import Material
from lastro.units import MG_PER_KG, Mass, portuguese

NEAR_MG = MG_PER_KG
NEAR_DAYS = 3
HABIT_DAYS = 45
WHOLE_DAYS = 1
"""How many days apart two notes may be dated that are compared as wholes: within an hour, over midnight."""
_HOUR = 3600
_HABIT = 3
_PART = 100
_NEAR_CENTS = 100


@dataclass(frozen=True, slots=True)
class Sold:
    """What one line of an authentic note says was moved, by whom it was written, and what stands of it.

    `at` is its second, `day` its day as written; parties are companies (root of the CNPJ) or persons.
    `claimed`: some answer admits it. `collects`: the seller collects itself, by the registry. `waits`: people
    have not said yet whether it is a load of its own.
    """

    access_key: str
    line: int
    at: int
    day: date
    seller: Party
    buyer: Party
    writer: Party
    material: Material
    mass_mg: int
    value_cents: int | None
    claimed: bool = False
    collects: bool = False
    credited_mg: int = 0
    waits: bool = False

    @property
    def sale(self) -> Sale:
        return self.access_key, self.line

    @property
    def pair(self) -> tuple[Party, Party, Material]:
        return min(self.seller, self.buyer), max(self.seller, self.buyer), self.material

    @property
    def flow(self) -> Flow:
        parties = self.seller, self.buyer, self.material
        return Flow(self.access_key, self.line, self.at, *parties, self.mass_mg, self.credited_mg, self.waits)


@dataclass(frozen=True)
class Twin:
    """A line of another note that looks like this one, and what is equal and what differs, in Portuguese.

    Line 0: the whole of the other note looks like the whole of this one.
    """

    access_key: str
    line: int
    said: str


def similar(loads: Iterable[Sold]) -> dict[Sale, tuple[Sold, ...]]:
    """Each load that looks like others, with those, by key and line. A function of the set of loads."""
    shelves: defaultdict[tuple[object, ...], list[Sold]] = defaultdict(list)
    for load in loads:
        if load.claimed and load.value_cents is not None:
            shelves[*load.pair, load.mass_mg // NEAR_MG, load.day].append(load)
    habits = _habits(shelves)
    found: defaultdict[Sale, list[Sold]] = defaultdict(list)
    for one, other in _near(shelves):
        if _alike(one, other) and not _usual(one, other, habits):
            found[one.sale].append(other)
            found[other.sale].append(one)
    return {sale: tuple(sorted(others, key=lambda o: o.sale)) for sale, others in found.items()}


def similar_notes(loads: Iterable[Sold]) -> dict[Sale, tuple[Sold, ...]]:
    """Each line of a note that, of its material, looks like others as a whole, with those others as one load.

    Of two notes with one line each of the material nothing is said here: `similar` compares these.
    """
    notes: defaultdict[tuple[object, ...], list[Sold]] = defaultdict(list)
    for load in loads:
        notes[load.access_key, *load.pair].append(load)
    shelves: defaultdict[tuple[object, ...], list[Sold]] = defaultdict(list)
    lines: dict[tuple[str, Material], list[Sold]] = {}
    for found in notes.values():
        whole = _whole(found)
        if whole.claimed and whole.value_cents is not None:
            shelves[*whole.pair, whole.mass_mg // NEAR_MG, whole.day].append(whole)
            lines[whole.access_key, whole.material] = found
    alike: defaultdict[Sale, list[Sold]] = defaultdict(list)
    for one, other in _near(shelves, WHOLE_DAYS):
        pair = [lines[each.access_key, each.material] for each in (one, other)]
        if max(map(len, pair)) > 1 and _alike(one, other) and (one.day == other.day or _at_once(one, other)):
            for mine, theirs in zip(pair, (other, one), strict=True):
                for line in mine:
                    alike[line.sale].append(theirs)
    return {sale: tuple(sorted(others, key=lambda o: o.sale)) for sale, others in alike.items()}


def _whole(lines: list[Sold]) -> Sold:
    """All that a note tells of a material, as one load on line 0."""
    values = [line.value_cents for line in lines]
    known = [value for value in values if value is not None]
    return replace(
        min(lines, key=lambda line: line.line),
        line=0,
        mass_mg=sum(line.mass_mg for line in lines),
        value_cents=sum(known) if len(known) == len(values) else None,
        claimed=any(line.claimed for line in lines),
        credited_mg=0,
        waits=False,
    )


def _near(
    shelves: Mapping[tuple[object, ...], list[Sold]], apart: int = NEAR_DAYS
) -> Iterator[tuple[Sold, Sold]]:
    """Pairs on the same or a neighbouring shelf of mass and day, so many days apart at most, each once."""
    for (*pair, kilos, day), here in list(shelves.items()):
        assert isinstance(kilos, int)
        assert isinstance(day, date)
        for step, days in product((-1, 0, 1), range(apart + 1)):
            there = shelves.get((*pair, kilos + step, day + timedelta(days)), ())
            for one, other in product(here, there):
                if days or one.sale < other.sale:
                    yield one, other


def _alike(one: Sold, other: Sold) -> bool:
    if one.access_key == other.access_key or not _same_mass(one, other.mass_mg):
        return False
    assert one.value_cents is not None
    assert other.value_cents is not None
    apart, more = abs(one.value_cents - other.value_cents), max(one.value_cents, other.value_cents)
    if apart > _NEAR_CENTS and apart * _PART > more and not _at_once(one, other):
        return False
    return abs((one.day - other.day).days) <= (1 if one.writer == other.writer else NEAR_DAYS)


def _at_once(one: Sold, other: Sold) -> bool:
    """Whether two were written within an hour: then another price makes no other load."""
    return abs(one.at - other.at) <= _HOUR


def _same_mass(one: Sold, mass_mg: int) -> bool:
    apart = abs(one.mass_mg - mass_mg)
    return apart <= NEAR_MG and apart * _PART <= max(one.mass_mg, mass_mg)


_Habits = Mapping[tuple[object, ...], list[tuple[date, int]]]


def _habits(shelves: Mapping[tuple[object, ...], list[Sold]]) -> _Habits:
    """The days and masses on which two companies moved so many kilograms, in order."""
    found: defaultdict[tuple[object, ...], list[tuple[date, int]]] = defaultdict(list)
    for (*pair, kilos, day), here in shelves.items():
        assert isinstance(day, date)
        found[*pair, kilos] += [(day, load.mass_mg) for load in here]
    for days in found.values():
        days.sort()
    return found


def _usual(one: Sold, other: Sold, habits: _Habits) -> bool:
    """Whether equal loads on consecutive days say nothing, since the two do that anyway."""
    if one.day == other.day or one.writer != other.writer:
        return False
    first, last = min(one.day, other.day), max(one.day, other.day)
    low, high = first - timedelta(HABIT_DAYS), last + timedelta(HABIT_DAYS + 1)
    earlier = min(one, other, key=lambda load: (load.at, load.sale))
    days = set()
    for step in (-1, 0, 1):
        moved = habits.get((*one.pair, earlier.mass_mg // NEAR_MG + step), [])
        for day, mass in moved[bisect_left(moved, (low, 0)) : bisect_right(moved, (high, 0))]:
            if not first - timedelta(1) <= day <= last + timedelta(1) and _same_mass(earlier, mass):
                days.add(day)
    return len(days) >= _HABIT


def told(one: Sold, other: Sold) -> str:
    """In Portuguese, the other load's key, and what is equal and what differs."""
    assert one.value_cents is not None
    assert other.value_cents is not None
    said = [
        _mass_apart(other.mass_mg - one.mass_mg),
        _value_apart(other.value_cents - one.value_cents),
        _time_apart(one, other),
    ]
    if one.writer != other.writer:
        said.append("escrita pela outra parte")
    where = f"item {other.line}" if other.line else "a nota inteira"
    return f"{other.access_key}, {where}: mesmas partes e material; " + "; ".join(said)


def told_whole(line: Sold, lines: Iterable[Sold], other: Sold) -> str:
    """In Portuguese, how the whole of another note compares with the whole of the note of a line."""
    own = [one for one in lines if one.access_key == line.access_key and one.pair == line.pair]
    return told(_whole(own), other)


def _mass_apart(mg: int) -> str:
    return f"massa {Mass(abs(mg))} {'maior' if mg > 0 else 'menor'}" if mg else "mesma massa"


def _value_apart(cents: int) -> str:
    if not cents:
        return "mesmo valor"
    reais = portuguese(f"{abs(cents) // 100}.{abs(cents) % 100:02d}")
    return f"valor R$ {reais} {'maior' if cents > 0 else 'menor'}"


def _time_apart(one: Sold, other: Sold) -> str:
    days, seconds = (other.day - one.day).days, other.at - one.at
    if days:
        return f"{abs(days)} dia{'s' if abs(days) > 1 else ''} {'depois' if days > 0 else 'antes'}"
    if not seconds:
        return "mesma hora"
    minutes = abs(seconds) // 60
    amount = (
        f"{abs(seconds)} s" if minutes < 2 else f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
    )
    return f"{amount} {'depois' if seconds > 0 else 'antes'}"
