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
be written on one line of one note and on two of the other. And whatever their masses and values, two notes
of one material are, as wholes, where they name one weighing slip within a week, or where one lorry can hardly
have gone twice: see `_one_trip`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import product

from lastro.custody.chain import Flow, Party, Sale
from lastro.ids import Material
from lastro.units import MG_PER_KG, Mass, portuguese

NEAR_MG = MG_PER_KG
NEAR_DAYS = 3
HABIT_DAYS = 45
WHOLE_DAYS = 7
"""How many days apart two notes may be dated that are compared as wholes: a slip is written down late."""
_NIGHT = 1
_LADDER = 1800
_TRIP = Fraction(1, 20)
_NEXT_DAY = Fraction(1, 50)
_HOUR = 3600
_HABIT = 3
_PART = 100
_NEAR_CENTS = 100


@dataclass(frozen=True, slots=True)
class Sold:
    """What one line of an authentic note says was moved, by whom it was written, and what stands of it.

    `at` is its second, `day` its day as written; parties are companies (root of the CNPJ) or persons.
    `claimed`: some answer admits it. `collects`: the seller collects itself, by the registry. `waits`: people
    have not said yet whether it is a load of its own. `plates` and `slips` (of a weighing) are those that the
    note names.
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
    plates: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()

    @property
    def by_buyer(self) -> bool:
        """Whether the buyer wrote the note (an entry note)."""
        return self.writer == self.buyer

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
    """Each load that looks like others, with those, by key and line. A function of the set of loads.

    Of two that are claimed each looks like the other; of others only one does: see `_who_asks`.
    """
    shelves: defaultdict[tuple[object, ...], list[Sold]] = defaultdict(list)
    for load in loads:
        if load.value_cents is not None:
            shelves[*load.pair, load.mass_mg // NEAR_MG, load.day].append(load)
    habits = _habits(shelves)
    found: defaultdict[Sale, list[Sold]] = defaultdict(list)
    for one, other in _near(shelves):
        if _alike(one, other) and not _usual(one, other, habits):
            for mine, theirs in _who_asks(one, other):
                found[mine.sale].append(theirs)
    return {sale: tuple(sorted(others, key=lambda o: o.sale)) for sale, others in found.items()}


def _who_asks(one: Sold, other: Sold) -> Iterator[tuple[Sold, Sold]]:
    """Of two that are alike, which looks like which.

    A note that nobody claims asks nothing of one that is claimed: it is the one that may be the copy. Of two
    that nobody claims it is the later one.
    """
    if one.claimed and other.claimed:
        yield from ((one, other), (other, one))
        return
    copy = max(one, other, key=lambda load: (not load.claimed, load.at, load.sale))
    yield copy, other if copy is one else one


def similar_notes(loads: Iterable[Sold]) -> dict[Sale, tuple[Sold, ...]]:
    """Each line of a note that, of its material, looks like others as a whole, with those others as one load.

    Of two notes with one line each of the material `similar` compares the masses.
    """
    notes: defaultdict[tuple[object, ...], list[Sold]] = defaultdict(list)
    for load in loads:
        notes[load.access_key, *load.pair].append(load)
    wholes: list[Sold] = []
    lines: dict[tuple[str, Material], list[Sold]] = {}
    for found in notes.values():
        whole = _whole(found)
        lines[whole.access_key, whole.material] = found
        wholes.append(whole)
    alike: defaultdict[Sale, set[Sold]] = defaultdict(set)
    for one, other in (*_split(wholes, lines), *_one_trip(wholes)):
        for mine, theirs in _who_asks(one, other):
            for line in lines[mine.access_key, mine.material]:
                alike[line.sale].add(theirs)
    return {sale: tuple(sorted(others, key=lambda o: o.sale)) for sale, others in alike.items()}


def _split(
    wholes: Iterable[Sold], lines: Mapping[tuple[str, Material], list[Sold]]
) -> Iterator[tuple[Sold, Sold]]:
    """Two notes of which one tells on several lines what the other tells."""
    shelves: defaultdict[tuple[object, ...], list[Sold]] = defaultdict(list)
    for whole in wholes:
        if whole.value_cents is not None:
            shelves[*whole.pair, whole.mass_mg // NEAR_MG, whole.day].append(whole)
    for one, other in _near(shelves, _NIGHT):
        several = max(len(lines[each.access_key, each.material]) for each in (one, other)) > 1
        if several and _alike(one, other) and (one.day == other.day or _at_once(one, other)):
            yield one, other


def _one_trip(wholes: Iterable[Sold]) -> Iterator[tuple[Sold, Sold]]:
    """Two notes of what one lorry brought once, by what they name beside the mass.

    They name one weighing slip; or one plate, within half an hour, with masses a twentieth apart (no lorry
    unloads and comes again by then); or the buyer wrote both, of plates that do not differ, on one day with
    masses a twentieth apart, or on the next with masses a fiftieth apart, and they do not trade as a habit:
    on three other days within six of these.
    """
    shelves: defaultdict[tuple[object, ...], list[Sold]] = defaultdict(list)
    for whole in wholes:
        for slip in whole.slips:
            shelves[*whole.pair, "slip", slip].append(whole)
        for plate in whole.plates[:1]:
            shelves[*whole.pair, "plate", plate].append(whole)
        if whole.by_buyer:
            shelves[*whole.pair, "entry", ""].append(whole)
    for (*_, what, _name), here in shelves.items():
        fits, days = _TRIPS[str(what)], sorted({load.day for load in here if load.claimed})
        for one, other in _of_a_week(here):
            if fits(one, other) and (what != "entry" or not _trade(days, one.day, other.day)):
                yield one, other


def _trade(days: list[date], first: date, last: date) -> bool:
    """Whether there is trade on so many other days about two that it is a habit."""
    near = timedelta(WHOLE_DAYS - 1)
    about = days[bisect_left(days, last - near) : bisect_right(days, first + near)]
    return len(set(about) - {first, last}) >= _HABIT


def _of_a_week(loads: Iterable[Sold]) -> Iterator[tuple[Sold, Sold]]:
    known = sorted(loads, key=lambda load: (load.day, load.sale))
    for at, one in enumerate(known):
        for other in known[at + 1 :]:
            if (other.day - one.day).days > WHOLE_DAYS:
                break
            yield one, other


def _one_slip(one: Sold, other: Sold) -> bool:
    return bool({*one.slips} & {*other.slips})


def _ladder(one: Sold, other: Sold) -> bool:
    return abs(one.at - other.at) <= _LADDER and _apart(one, other) <= _TRIP


def _two_entries(one: Sold, other: Sold) -> bool:
    if one.plates and other.plates and not {*one.plates} & {*other.plates}:
        return False
    days = abs((one.day - other.day).days)
    return days <= 1 and _apart(one, other) <= (_NEXT_DAY if days else _TRIP)


def _apart(one: Sold, other: Sold) -> Fraction:
    """How far two masses are apart, as a part of the greater."""
    return Fraction(abs(one.mass_mg - other.mass_mg), max(one.mass_mg, other.mass_mg))


_TRIPS: Mapping[str, Callable[[Sold, Sold], bool]] = {
    "slip": _one_slip,
    "plate": _ladder,
    "entry": _two_entries,
}


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
        found[*pair, kilos] += [(day, load.mass_mg) for load in here if load.claimed]
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
    said = [_mass_apart(other.mass_mg - one.mass_mg)]
    if one.value_cents is not None and other.value_cents is not None:
        said.append(_value_apart(other.value_cents - one.value_cents))
    said.append(_time_apart(one, other))
    said += [f"mesmo tíquete de balança {slip}" for slip in sorted({*one.slips} & {*other.slips})]
    said += [f"mesma placa {plate}" for plate in sorted({*one.plates} & {*other.plates})]
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
