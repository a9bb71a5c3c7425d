"""One load told twice, or sold on: near-duplicates (C03) and resales of what was counted (C04)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from decimal import Decimal

from lastro.sample.bench import Bench, LotRow
from lastro.sample.events import Event, event_file
from lastro.sample.faults import Fault
from lastro.sample.note import Note
from lastro.sample.people import Party
from lastro.sample.plants.identity import exact_note
from lastro.sample.plants.registry import mutation
from lastro.sample.trade import MARKET, at, line_of


@mutation
def written_twice(bench: Bench, fault: Fault) -> None:
    """Two notes of one operator to one recycler, so many grams, minutes and days apart, from one lorry.

    `slip`: both name one weighing slip.
    """
    entity, params = bench.entity(), fault.params
    said = f"Ticket de balança nº {params['slip']}." if "slip" in params else ""
    first = exact_note(bench, entity, bench.newcomer(entity), 3200)
    began = first.issued.replace(hour=9)
    first = replace(first, issued=began, authorised=began + dt.timedelta(minutes=1), remarks=said)
    issued = began + dt.timedelta(days=params.get("days", 0))
    kg = Decimal(3200) + Decimal(params["grams"]) / 1000
    second = replace(
        first,
        number=bench.trader.number(first.issuer),
        code=bench.rnd.randrange(10**7, 10**8),
        issued=issued + dt.timedelta(minutes=params["minutes"]),
        authorised=issued + dt.timedelta(minutes=params["minutes"] + 1),
        lines=(line_of(MARKET["paper"][0], kg, 72, cfop=first.lines[0].cfop),),
    )
    bench.note(fault, entity, first)
    bench.note(fault, entity, second)


@mutation
def sold_on(bench: Bench, fault: Fault) -> None:
    """A cooperative sells to a dealer, the dealer to a recycler; the batch calls both loads the pickers'.

    `bought` and `sold` are kilograms. `cancelled`: the first sale was cancelled, and so counted for nobody.
    `day` is that of the dealer's sale.
    """
    entity, params = bench.entity(), fault.params
    dealer = bench.newcomer(entity, origin="dealer")
    bench.cast.second_roles.append(replace(dealer, role="recycler", origin=""))
    first = _sale(bench, entity, bench.newcomer(entity), dealer, params["bought"], "2026-05-06")
    second = _sale(
        bench, entity, dealer, bench.recycler("paper"), params["sold"], params.get("day", "2026-05-20")
    )
    gone = bool(params.get("cancelled"))
    codes, verdict = (("N10",), "refused") if gone else ((), "admitted")
    bench.put(fault, entity, first, bench.seal(first).data(), role="support", codes=codes, verdict=verdict)
    if gone:
        _cancel(bench, fault, entity, first)
    left = params["sold"] - (0 if gone else params["bought"])
    bench.put(fault, entity, second, bench.seal(second).data(), part_mg=max(0, left) * 10**6)
    bench.lot(entity, LotRow(second.key, 1, origin="picker_entity"))


def _sale(bench: Bench, entity: Party, seller: Party, buyer: Party, kg: int, day: str) -> Note:
    issued = at(dt.date.fromisoformat(day), "10:15:00", seller)
    note = bench.draft(entity, operator=seller, recipient=buyer, issued=issued, family="paper")
    return replace(note, lines=(line_of(MARKET["paper"][0], Decimal(kg), 72, cfop="5102"),), reform=False)


def _cancel(bench: Bench, fault: Fault, entity: Party, note: Note) -> None:
    event = Event(note, 110111, note.authorised + dt.timedelta(hours=3), "Carga recusada pelo comprador")
    data = event_file(event, bench.wallet.signer(note.issuer, event.when))
    name = f"{note.key}-110111-01-procEventoNFe.xml"
    item = bench.put(fault, entity, note, data, name=name, role="event", codes=(), verdict="")
    item.tolerate = ("N01",)
