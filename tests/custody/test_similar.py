"""A load written twice is seen whatever little was changed; honest series of equal loads stay quiet."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from lastro.custody.similar import Sold, similar, similar_notes, told, told_whole
from lastro.ids import Material

KG = 1_000_000
DAY = date(2026, 5, 14)
FIRST = Sold("1" * 44, 1, 36_000, DAY, "C", "R", "C", Material.PAPER, 1_355_900_000, 94_913, claimed=True)


def second(**changes: object) -> Sold:
    return replace(FIRST, access_key="2" * 44, **changes)


def later(days: int, **changes: object) -> Sold:
    return second(day=DAY + timedelta(days), at=FIRST.at + 86_400 * days, **changes)


EDITED = [
    second(),
    second(mass_mg=FIRST.mass_mg + 1000),
    second(mass_mg=FIRST.mass_mg - KG),
    second(value_cents=94_914),
    second(at=FIRST.at + 1),
    second(value_cents=120_000),  # another price within the hour
    later(1),
    later(-1, mass_mg=FIRST.mass_mg - 1000, value_cents=94_912),
    second(seller="R", buyer="C"),
    later(3, writer="R"),
]


@pytest.mark.parametrize("other", EDITED)
def test_an_edit_hides_nothing(other):
    assert similar([FIRST, other]) == {FIRST.sale: (other,), other.sale: (FIRST,)}
    assert similar([other, FIRST]) == similar([FIRST, other])


def split(*kilos: int, **changes: object) -> list[Sold]:
    """A second note of the load of 1,355.9 kg, on several lines."""
    cents = [FIRST.value_cents * kg // 13559 for kg in kilos]
    return [
        second(line=n, mass_mg=kg * KG // 10, value_cents=of, **changes)
        for n, (kg, of) in enumerate(zip(kilos, cents, strict=True), start=1)
    ]


@pytest.mark.parametrize("changes", [{}, {"at": FIRST.at + 7200}, {"seller": "R", "buyer": "C"}])
def test_a_load_split_over_lines_is_the_same_load(changes):
    halves = split(8000, 5559, **changes)
    alike = similar_notes([FIRST, *halves])
    assert set(alike) == {FIRST.sale, *(half.sale for half in halves)}
    assert [(one.access_key, one.line, one.mass_mg) for one in alike[FIRST.sale]] == [
        (halves[0].access_key, 0, FIRST.mass_mg)
    ]
    assert similar_notes([*reversed(halves), FIRST]) == alike
    assert similar([FIRST, *halves]) == {}
    assert "a nota inteira: mesmas partes e material; mesma massa" in told_whole(
        FIRST, [FIRST], alike[FIRST.sale][0]
    )


def test_two_ways_of_splitting_a_load_are_seen_and_other_loads_are_not():
    third = [replace(half, access_key="3" * 44) for half in split(7000, 6559)]
    assert len(similar_notes([*split(8000, 5559), *third])) == 4
    for other in (
        split(8000, 5500),
        split(8000, 5559, day=DAY + timedelta(1), at=FIRST.at + 86_400),
        split(8000, 5559, seller="D"),
        [second()],  # lines are compared by `similar`
    ):
        assert similar_notes([FIRST, *other]) == {}


TON = 1000 * KG
TRUCK = replace(FIRST, mass_mg=5 * TON, value_cents=350_000, plates=("ZZA1B23",), slips=("4213",))


def other_note(kg: int, **changes: object) -> Sold:
    """Another note of the truck's parties, of so many kilograms, at its price."""
    said = {"access_key": "2" * 44, "mass_mg": kg * KG, "value_cents": kg * 70, "slips": ()}
    return replace(TRUCK, **{**said, **changes})


ENTRY = {"writer": "R", "plates": ()}
ONE_TRIP = {
    "a ladder of masses": [TRUCK, other_note(5060, at=TRUCK.at + 540)],
    "the other way round": [TRUCK, other_note(4750, at=TRUCK.at - 1800)],
    "one slip": [TRUCK, other_note(900, day=DAY + timedelta(7), slips=("9", "4213"), plates=())],
    "two entries of a day": [replace(TRUCK, writer="R"), other_note(4751, at=TRUCK.at + 9000, **ENTRY)],
    "two entries overnight": [
        replace(TRUCK, writer="R"),
        other_note(5100, day=DAY + timedelta(1), at=TRUCK.at + 86_400, **ENTRY),
    ],
    "no price": [TRUCK, other_note(5060, at=TRUCK.at + 540, value_cents=None)],
}
TWO_TRIPS = {
    "half an hour and a second": [TRUCK, other_note(5060, at=TRUCK.at + 1801)],
    "more than a twentieth": [TRUCK, other_note(4749)],
    "another lorry": [TRUCK, other_note(5060, plates=("ZZA1B24",))],
    "another slip": [TRUCK, other_note(5060, at=TRUCK.at + 7200, slips=("4214",))],
    "another week": [TRUCK, other_note(900, day=DAY + timedelta(8), slips=("4213",))],
    "other parties": [TRUCK, other_note(5060, buyer="Q", slips=("4213",))],
    "another material": [TRUCK, other_note(5060, material=Material.GLASS, slips=("4213",))],
    "entries of two lorries": [
        replace(TRUCK, writer="R"),
        other_note(4900, at=TRUCK.at + 9000, writer="R", plates=("ZZA1B24",)),
    ],
    "entries a fiftieth and more apart": [
        replace(TRUCK, writer="R"),
        other_note(5103, day=DAY + timedelta(1), at=TRUCK.at + 86_400, **ENTRY),
    ],
    "notes of the seller": [replace(TRUCK, plates=()), other_note(5060, at=TRUCK.at + 540, plates=())],
}


@pytest.mark.parametrize("notes", ONE_TRIP.values(), ids=ONE_TRIP)
def test_notes_of_what_a_lorry_brought_once_are_alike_whatever_they_weigh(notes):
    first, second = notes
    alike = similar_notes(notes)
    assert {sale: [one.access_key for one in of] for sale, of in alike.items()} == {
        first.sale: [second.access_key],
        second.sale: [first.access_key],
    }
    assert similar_notes(notes[::-1]) == alike


@pytest.mark.parametrize("notes", TWO_TRIPS.values(), ids=TWO_TRIPS)
def test_notes_of_two_trips_stay_quiet(notes):
    assert similar_notes(notes) == {}


def test_by_what_two_notes_are_of_one_trip_is_told():
    said = told(TRUCK, other_note(5060, at=TRUCK.at + 540, slips=("4213",)))
    assert said.endswith("massa 60 kg maior; valor R$ 42,00 maior; 9 min depois; "
                         "mesmo tíquete de balança 4213; mesma placa ZZA1B23")  # fmt: skip
    assert "valor" not in told(TRUCK, other_note(5060, value_cents=None))


DIFFERENT = [
    replace(FIRST, line=2),
    second(mass_mg=FIRST.mass_mg + KG + 1),
    second(value_cents=96_000, at=FIRST.at + 3601),
    second(value_cents=None),
    second(seller="D"),
    second(material=Material.GLASS),
    later(2),
    later(4, writer="R"),
]


@pytest.mark.parametrize("other", DIFFERENT)
def test_what_is_another_load_stays_quiet(other):
    assert similar([FIRST, other]) == {}


def test_a_copy_that_nobody_claims_looks_like_the_claimed_one_and_not_the_other_way_round():
    copy = second(claimed=False)
    assert similar([FIRST, copy]) == similar([copy, FIRST]) == {copy.sale: (FIRST,)}
    first, last = replace(FIRST, claimed=False), second(at=FIRST.at + 1, claimed=False)
    assert similar([first, last]) == similar([last, first]) == {last.sale: (first,)}
    halves = split(8000, 5559, claimed=False)
    assert set(similar_notes([FIRST, *halves])) == {half.sale for half in halves}
    trip = other_note(5060, at=TRUCK.at + 540, claimed=False)
    assert set(similar_notes([TRUCK, trip])) == {trip.sale}


def test_what_nobody_claims_makes_no_habit():
    bales = series([0, 1, 7, 14, 21])
    unclaimed = [*bales[:4], replace(bales[4], claimed=False)]
    assert len(similar(unclaimed)) == 2


def test_small_loads_are_compared_by_their_hundredth():
    small = replace(FIRST, mass_mg=20 * KG, value_cents=1400)
    assert similar([small, replace(small, access_key="2" * 44, mass_mg=20 * KG + KG // 5)])
    assert not similar([small, replace(small, access_key="2" * 44, mass_mg=21 * KG)])


def series(days: list[int], **changes: object) -> list[Sold]:
    return [
        later(day, **changes) if not day else replace(later(day, **changes), access_key=f"{day + 500:044d}")
        for day in days
    ]


def test_a_bale_of_one_size_every_day_is_a_habit_and_its_copy_on_the_day_is_seen():
    bales = series(list(range(20)))
    assert similar(bales) == {}
    copy = replace(bales[7], access_key="3" * 44, at=bales[7].at + 1)
    assert set(similar([*bales, copy])) == {copy.sale, bales[7].sale}


def test_three_other_days_make_a_habit_and_two_do_not():
    assert similar(series([0, 1, 7, 14, 21])) == {}
    assert len(similar(series([0, 1, 7, 14]))) == 2
    assert len(similar(series([0, 1, 2, 14, 21]))) == 3
    assert len(similar(series([0, 1, 47, 54, 61]))) == 2


def test_what_equals_and_what_differs_is_told():
    assert told(FIRST, EDITED[0]).endswith("mesmas partes e material; mesma massa; mesmo valor; mesma hora")
    assert told(FIRST, EDITED[7]).endswith("massa 0,001 kg menor; valor R$ 0,01 menor; 1 dia antes")
    assert told(FIRST, later(3, writer="R")).endswith("3 dias depois; escrita pela outra parte")
    assert told(FIRST, second(at=FIRST.at + 1, mass_mg=FIRST.mass_mg + 1)).endswith("; 1 s depois")
    assert told(FIRST, second(at=FIRST.at - 600)).endswith("; 10 min antes")
    assert told(FIRST, second(at=FIRST.at + 7200)).endswith("; 2 h depois")


def test_of_a_year_of_honest_lorries_few_ask_a_person_by_plate_or_slip():
    """Each pair has one lorry, and each load a slip of its own; of a tenth of the pairs the buyer writes."""
    town = Town(seed=5)
    loads = [
        replace(
            load,
            plates=(f"P{load.seller}",),
            slips=(load.access_key[-6:],),
            writer=load.buyer if load.seller.endswith("7") else load.seller,
        )
        for load in town.loads
    ]
    alarms = similar_notes(loads)
    by_buyer = {load.sale for load in loads if load.by_buyer}
    assert len(alarms) * 1000 < 10 * len(loads)
    assert len(by_buyer & set(alarms)) * 1000 < 10 * len(by_buyer)
    assert len(by_buyer) > 1000


def test_entries_of_two_that_trade_on_most_days_are_no_second_telling():
    two = ONE_TRIP["two entries overnight"]
    others = [
        other_note(3000 + 200 * day, day=DAY + timedelta(day), access_key=f"{day + 60:044d}", **ENTRY)
        for day in (-5, 3, 5)
    ]
    assert similar_notes([*two, *others]) == {}
    assert len(similar_notes([*two, *others[1:]])) == 2


class Town:
    """A year of honest sales by pairs of four habits, and copies planted among them."""

    def __init__(self, *, seed: int) -> None:
        self.rnd, self.loads = random.Random(seed), list[Sold]()
        for number in range(60):
            pair = f"C{number}", f"R{number % 9}"
            (self.weekly, self.bales, self.lorries, self.small)[number % 4](*pair)

    def add(self, seller: str, buyer: str, day: int, mass_mg: int) -> None:
        when = date(2026, 1, 1) + timedelta(day)
        at, value = day * 86_400 + self.rnd.randrange(28_800, 64_800), mass_mg * 7 // (KG * 10)
        key = f"{len(self.loads):044d}"
        said = seller, buyer, seller, Material.PAPER, mass_mg, value
        self.loads.append(Sold(key, 1, at, when, *said, claimed=True))

    def weekly(self, seller: str, buyer: str) -> None:
        """A container a week, weighed to the kilogram."""
        for day in range(self.rnd.randrange(7), 365, 7):
            self.add(seller, buyer, day, self.rnd.randrange(900, 1400) * KG)

    def bales(self, seller: str, buyer: str) -> None:
        """The same bale of 500 kg on every working day."""
        for day in range(365):
            if day % 7 < 5:
                self.add(seller, buyer, day, 500 * KG)

    def lorries(self, seller: str, buyer: str) -> None:
        """One or two lorries a day over a scale that shows tens of kilograms."""
        for day in range(365):
            for _ in range(self.rnd.randrange(1, 3) if day % 7 < 6 else 0):
                self.add(seller, buyer, day, self.rnd.randrange(800, 1400) * 10 * KG)

    def small(self, seller: str, buyer: str) -> None:
        """Two or three small loads a week, weighed to ten grams."""
        for day in range(0, 365, 3):
            self.add(seller, buyer, day, self.rnd.randrange(5_000, 60_000) * KG // 100)

    def copies(self, amount: int) -> list[tuple[Sold, Sold]]:
        """Second notes of loads, with a gram, a cent, a second or a day changed, or nothing."""
        planted = []
        for number, load in enumerate(self.rnd.sample(self.loads, amount)):
            day = self.rnd.choice([-1, 0, 0, 1])
            copy = replace(
                load,
                access_key=f"9{number:043d}",
                at=load.at + day * 86_400 + self.rnd.choice([0, 1, 60]),
                day=load.day + timedelta(day),
                mass_mg=load.mass_mg + self.rnd.choice([-1000, 0, 1000]),
                value_cents=(load.value_cents or 0) + self.rnd.choice([-1, 0, 1]),
            )
            planted.append((load, copy))
        return planted


def test_of_a_year_of_honest_sales_few_ask_a_person_and_copies_do():
    town = Town(seed=4)
    alarms = similar(town.loads)
    assert len(town.loads) > 12_000
    assert len(alarms) * 1000 < 10 * len(town.loads)
    by_key = {load.access_key: load for load in town.loads}
    assert {by_key[key].mass_mg % (10 * KG) for key, _ in alarms} == {0}
    planted = town.copies(400)
    found = similar([*town.loads, *(copy for _, copy in planted)])
    missed = [load for load, copy in planted if copy.sale not in found]
    # What is missed are copies, moved to a Sunday, of a bale that the two move every working day.
    assert {load.mass_mg for load in missed} <= {500 * KG}
    assert len(missed) * 20 < len(planted)
