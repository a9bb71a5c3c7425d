"""Loads that no lorry could have carried, and a buyer whose branch is on no list (G05 to G09, P06)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from decimal import Decimal

from lastro.sample.bench import Bench
from lastro.sample.faults import Fault
from lastro.sample.note import Note
from lastro.sample.people import Party
from lastro.sample.places import GOIAS, MATO_GROSSO, NORTHERNMOST, SOUTHERNMOST
from lastro.sample.plants.identity import exact_note
from lastro.sample.plants.registry import mutation
from lastro.sample.trade import MARKET, at, line_of


@mutation
def weighed_on_one_lorry(bench: Bench, fault: Fault) -> None:
    """A load of so many kilograms on the one lorry that the note names."""
    entity = bench.entity()
    bench.note(fault, entity, exact_note(bench, entity, bench.newcomer(entity), fault.params["kg"]))


@mutation
def one_lorry_two_states(bench: Bench, fault: Fault) -> None:
    """On one day one lorry leaves two states, at the ends of the country or next to each other."""
    entity = bench.entity()
    far = fault.params["far"]
    places = (SOUTHERNMOST, NORTHERNMOST) if far else (MATO_GROSSO[9], GOIAS[0])
    buyer, plate = bench.recycler("paper"), ""
    for place, clock in zip(places, ("06:20:00", "17:40:00"), strict=True):
        operator = bench.newcomer(entity, place=place)
        issued = at(dt.date(2026, 8, 12), clock, operator)
        note = bench.draft(entity, operator=operator, recipient=buyer, issued=issued, family="paper")
        plate = plate or note.plate
        bench.note(fault, entity, replace(note, plate=plate))


@mutation
def busy_month(bench: Bench, fault: Fault) -> None:
    """Two sales in a month by an operator whose licence says how much it can handle."""
    entity, params = bench.entity(), fault.params
    operator = bench.newcomer(entity, capacity_kg_month=params["capacity"])
    for number, kg in enumerate(params["kg"]):
        issued = at(dt.date(2026, 7, 3 + 14 * number), "11:30:00", operator)
        note = bench.draft(entity, operator=operator, issued=issued, family="paper")
        note = replace(note, lines=(line_of(MARKET["paper"][0], Decimal(kg), 72, cfop="5102"),))
        within = sum(params["kg"][: number + 1]) <= Decimal(params["capacity"])
        role = "support" if fault.kind == "fault" and within else ""
        codes, verdict = ((), "admitted") if within else (fault.codes, fault.verdict)
        data = bench.seal(note).data()
        bench.put(fault, entity, note, data, role=role, codes=codes, verdict=verdict)


@mutation
def no_lorry(bench: Bench, fault: Fault) -> None:
    """The note names no lorry, and the buyer is in a given state."""
    entity = bench.entity()
    buyer = next(
        r for r in bench.cast.recyclers if "paper" in r.families and r.place.uf == fault.params["to"]
    )
    note = bench.draft(entity, operator=bench.newcomer(entity), recipient=buyer, family="paper")
    bench.note(fault, entity, replace(note, plate=""))


@mutation
def both_ways(bench: Bench, fault: Fault) -> None:
    """Two firms, each an operator and a recycler, sell each other a material within the month."""
    entity = bench.entity()
    pair = [bench.newcomer(entity) for _ in range(2)]
    bench.cast.second_roles += [replace(one, role="recycler", origin="") for one in pair]
    families = ("glass", fault.params["back"])
    for number, family in enumerate(families):
        seller, buyer = pair[number], pair[1 - number]
        bench.note(fault, entity, _trade(bench, entity, seller, buyer, family, day=4 + 16 * number))


def _trade(bench: Bench, entity: Party, seller: Party, buyer: Party, family: str, *, day: int) -> Note:
    issued = at(dt.date(2026, 9, day), "14:05:00", seller)
    return bench.draft(entity, operator=seller, recipient=buyer, issued=issued, family=family)


@mutation
def to_a_branch(bench: Bench, fault: Fault) -> None:
    """Sold to the second establishment of a recycler; `listed` says whether the registry has it."""
    entity = bench.entity()
    first = bench.cast.party("{} PAPÉIS RECICLADOS LTDA", "recycler", MATO_GROSSO[4])
    second = bench.cast.party(first.name, "recycler", MATO_GROSSO[7], branch=2, root=first.root)
    bench.cast.others += [first, replace(second, listed=fault.params["listed"])]
    operator = bench.newcomer(entity)
    bench.note(fault, entity, bench.draft(entity, operator=operator, recipient=second, family="paper"))
