"""Several notes of one mass: written by both sides, billed before delivery, returned (M15, N16)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from decimal import Decimal

from lastro.sample.bench import Bench
from lastro.sample.faults import Fault
from lastro.sample.note import Note
from lastro.sample.people import Party
from lastro.sample.plants.identity import exact_note
from lastro.sample.plants.registry import mutation
from lastro.sample.trade import MARKET, line_of

_KG = 5000


def _sale(bench: Bench, entity: Party) -> Note:
    """A sale of cardboard by an operator that sells nothing else, early enough in the year to be followed."""
    note = exact_note(bench, entity, bench.newcomer(entity), _KG)
    month, day = bench.rnd.randrange(2, 10), bench.rnd.randrange(1, 28)
    issued = note.issued.replace(month=month, day=day)
    return replace(note, issued=issued, authorised=issued + dt.timedelta(minutes=1))


def _later(bench: Bench, note: Note, *, days: int, kg: int, cfop: str, writer: Party, to: Party) -> Note:
    """Another note about the same goods, some days after."""
    issued = note.issued + dt.timedelta(days=days)
    return replace(
        note,
        issuer=writer,
        recipient=to,
        number=bench.trader.number(writer),
        code=bench.rnd.randrange(10**7, 10**8),
        issued=issued,
        authorised=issued + dt.timedelta(minutes=2),
        lines=(line_of(MARKET["paper"][0], Decimal(kg), 72, cfop=cfop),),
        remarks="",
        reform=False,
    )


@mutation
def both_wrote(bench: Bench, fault: Fault) -> None:
    """The seller wrote a note, and the buyer one of its own when the load was weighed or long after."""
    entity, params = bench.entity(), fault.params
    sold = _sale(bench, entity)
    bought = _later(
        bench, sold, days=params["days"], kg=params["kg"], cfop="1102", writer=sold.recipient, to=sold.issuer
    )
    bought = replace(bought, entry=True, operation="COMPRA PARA INDUSTRIALIZAÇÃO")
    role = "support" if fault.kind == "fault" else ""
    bench.put(fault, entity, sold, bench.seal(sold).data(), role=role, codes=(), verdict="admitted")
    bench.note(fault, entity, bought)


@mutation
def entered_in_one(bench: Bench, fault: Fault) -> None:
    """Two deliveries, each with a note of the seller, and one entry note of the buyer some days later."""
    entity = bench.entity()
    first = _sale(bench, entity)
    ends = {"writer": first.issuer, "to": first.recipient}
    second = _later(bench, first, days=2, kg=4200, cfop="5102", **ends)
    ends = {"writer": first.recipient, "to": first.issuer}
    entry = _later(bench, first, days=4, kg=fault.params["kg"], cfop="1102", **ends)
    entry = replace(entry, entry=True, operation="COMPRA PARA INDUSTRIALIZAÇÃO")
    role = "support" if fault.kind == "fault" else ""
    for one in (first, second):
        bench.put(fault, entity, one, bench.seal(one).data(), role=role, codes=(), verdict="admitted")
    bench.note(fault, entity, entry)


@mutation
def billed_first(bench: Bench, fault: Fault) -> None:
    """Billed now and delivered later, under two notes; `bill` says whether the first is handed in."""
    entity = bench.entity()
    bill = _sale(bench, entity)
    bill = replace(
        bill,
        lines=(replace(bill.lines[0], cfop="5922"),),
        operation="SIMPLES FATURAMENTO DE VENDA PARA ENTREGA FUTURA",
    )
    sent = _later(bench, bill, days=9, kg=_KG, cfop="5117", writer=bill.issuer, to=bill.recipient)
    sent = replace(sent, operation="VENDA ORIGINADA DE ENTREGA FUTURA", references=(bill.key,))
    if fault.params["bill"]:
        bench.note(fault, entity, bill)
    role = "support" if fault.kind == "fault" else ""
    bench.put(fault, entity, sent, bench.seal(sent).data(), role=role, codes=(), verdict="admitted")


@mutation
def came_back(bench: Bench, fault: Fault) -> None:
    """The buyer, or a stranger, sends back so many kilograms of a sale that its note names."""
    entity, params = bench.entity(), fault.params
    sold = _sale(bench, entity)
    others = [r for r in bench.cast.recyclers if r.place.uf == "MT" and r.cnpj != sold.recipient.cnpj]
    writer = others[0] if params.get("stranger") else sold.recipient
    back = _later(bench, sold, days=4, kg=params["kg"], cfop="5202", writer=writer, to=sold.issuer)
    back = replace(back, purpose=4, operation="DEVOLUÇÃO DE COMPRA", references=(sold.key,))
    left = None if params.get("stranger") else (_KG - params["kg"]) * 10**6
    bench.put(fault, entity, sold, bench.seal(sold).data(), part_mg=left)
    item = bench.put(
        fault, entity, back, bench.seal(back).data(), role="support", codes=("M09",), verdict="refused"
    )
    item.tolerate = ("P03", "P07")  # by its roles a return sells to the operator
