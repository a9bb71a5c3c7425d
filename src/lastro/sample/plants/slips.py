"""Slips of the pen: quantities, words and weights that do not agree, and parties that should not be there."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from decimal import Decimal

from lastro.sample.bench import Bench, LotRow
from lastro.sample.faults import Fault
from lastro.sample.people import ALWAYS, Span
from lastro.sample.plants.registry import mutation
from lastro.sample.trade import MARKET, at, line_of

_KG = 10**6


@mutation
def two_quantities(bench: Bench, fault: Fault) -> None:
    """A line that says its mass twice, in the commercial and in the taxable unit."""
    entity, params = bench.entity(), fault.params
    note = bench.draft(entity, family="paper")
    line = line_of(MARKET["paper"][0], Decimal(params["kg"]), 70, cfop=note.lines[0].cfop)
    line = replace(line, tax_unit=params["unit"], tax_quantity=params["quantity"])
    bench.note(fault, entity, replace(note, lines=(line,)))


@mutation
def on_the_scale(bench: Bench, fault: Fault) -> None:
    """The gross weight of the note is so many kilograms more, or less, than its goods."""
    entity = bench.entity()
    note = bench.draft(entity, family="plastic", count=2)
    bench.note(fault, entity, replace(note, gross_mg=note.mass_mg + fault.params["more_kg"] * _KG))


@mutation
def part_of_a_line(bench: Bench, fault: Fault) -> None:
    """The batch's `lote.csv` claims of a line what it weighs, or so many grams more."""
    entity = bench.entity()
    note = bench.draft(entity, family="glass")
    mass_mg = note.mass_mg + fault.params["more_g"] * 1000
    bench.note(fault, entity, note)
    bench.lot(entity, LotRow(note.key, 1, mass_kg=f"{Decimal(mass_mg).scaleb(-6):f}"))


@mutation
def two_branches(bench: Bench, fault: Fault) -> None:
    """An operator has two branches: one sells to the other, or both sell to a recycler."""
    entity = bench.entity()
    first = bench.newcomer(entity)
    second = bench.newcomer(entity, root=first.root)
    if fault.params["inside"]:
        bench.note(fault, entity, bench.draft(entity, operator=first, recipient=second, family="paper"))
        return
    for number, branch in enumerate((first, second)):
        issued = at(dt.date(2026, 5, 6 + 20 * number), "09:40:00", branch)
        bench.note(fault, entity, bench.draft(entity, operator=branch, issued=issued, family="paper"))


@mutation
def closed(bench: Bench, fault: Fault) -> None:
    """The seller was closed on a day, and the note is of that day or of the one before."""
    entity = bench.entity()
    operator = bench.newcomer(entity, closed_on="2026-06-30")
    issued = at(dt.date(2026, 6, fault.params["day"]), "14:10:00", operator)
    bench.note(fault, entity, bench.draft(entity, operator=operator, issued=issued))


@mutation
def vetted_twice(bench: Bench, fault: Fault) -> None:
    """One entity vetted the operator for the year, and again for a quarter of it."""
    entity = bench.entity()
    operator = bench.newcomer(entity, spans=(*ALWAYS, Span("2026-04-01", "2026-06-30")))
    issued = at(dt.date(2026, fault.params["month"], 17), "10:25:00", operator)
    bench.note(fault, entity, bench.draft(entity, operator=operator, issued=issued))


@mutation
def somewhere(bench: Bench, fault: Fault) -> None:
    """An operator of which the registry knows, or does not know, where it stands."""
    entity = bench.entity()
    operator = bench.newcomer(entity, located=fault.params["known"])
    bench.note(fault, entity, bench.draft(entity, operator=operator, family="glass"))
