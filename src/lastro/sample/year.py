"""An ordinary year of sales: every note right, some cancelled afterwards, written in many hands."""

from __future__ import annotations

import datetime as dt
import random

from lastro.sample.bench import Bench, Item, masses
from lastro.sample.events import Event, event_file
from lastro.sample.note import Note
from lastro.sample.people import Party
from lastro.sample.seal import Dress
from lastro.sample.trade import at

_XSI = (
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://www.portalfiscal.inf.br/nfe procNFe_v4.00.xsd"'
)
_DRESSES = (
    (Dress(), 60),
    (Dress(repeat_namespace=False), 6),
    (Dress(id_last=True), 6),
    (Dress(bom=True), 6),
    (Dress(declaration=""), 5),
    (Dress(cdata=True), 4),
    (Dress(references=True), 4),
    (Dress(prefix="nfe"), 3),
    (Dress(wrapper=_XSI), 3),
    (Dress(gap="\n"), 3),
)
_DAYS = 365


def _calendar(bench: Bench, notes: int) -> list[tuple[dt.date, Party, Party]]:
    """On which days each operator sells: about evenly, never twice a day while the year has room."""
    rnd = bench.rnd
    everyone = [
        (operator, entity) for entity in bench.cast.entities for operator in bench.cast.operators[entity.cnpj]
    ]
    weights = [1 + rnd.random() * 2 for _ in everyone]
    counts = [0] * len(everyone)
    for number in range(notes):
        chosen = number if number < len(everyone) else rnd.choices(range(len(everyone)), weights)[0]
        counts[chosen] += 1
    sales = []
    for (operator, entity), count in zip(everyone, counts, strict=True):
        for number in range(count):
            share = (number * 1000 + rnd.randrange(150, 850)) * _DAYS // (count * 1000)
            sales.append((dt.date(2026, 1, 1) + dt.timedelta(days=share), operator, entity))
    return sorted(sales, key=lambda sale: (sale[0], sale[1].cnpj))


def _draft(bench: Bench, day: dt.date, operator: Party) -> Note:
    rnd = bench.rnd
    family = bench.trader.family(rnd)
    entry = rnd.random() < 0.04
    buyers = [r for r in bench.cast.recyclers if family in r.families and (not entry or r.place.uf == "MT")]
    clock = f"{rnd.randrange(7, 18):02d}:{rnd.randrange(60):02d}:{rnd.randrange(60):02d}"
    pair = operator, rnd.choice(buyers)
    issuer = pair[1] if entry else operator
    count = rnd.choices((1, 2, 3, 4), (55, 25, 13, 7))[0]
    return bench.trader.draft(rnd, pair, at(day, clock, issuer), family=family, count=count, entry=entry)


def _afterwards(bench: Bench, note: Note) -> Event | None:
    """One note in a hundred is cancelled, one in two hundred gets a harmless correction letter."""
    draw = bench.rnd.random()
    later = note.authorised + dt.timedelta(hours=bench.rnd.randrange(1, 20))
    if draw < 0.01:
        return Event(note, 110111, later, "Erro no preenchimento da nota fiscal")
    if draw < 0.015:
        return Event(note, 110110, later, "Placa do veiculo transportador corrigida")
    return None


def ordinary_year(bench: Bench, notes: int) -> None:
    """Lays so many notes on the shelves, with the events that some of them have."""
    dresses, weights = zip(*_DRESSES, strict=True)
    chooser = random.Random(f"dress {bench.trader.seed}")
    for day, operator, entity in _calendar(bench, notes):
        note = _draft(bench, day, operator)
        dress = chooser.choices(dresses, weights)[0]
        event = _afterwards(bench, note)
        cancelled = event is not None and event.kind == 110111
        item = Item(
            entity=entity.cnpj,
            name=f"{note.key}-procNFe.xml",
            data=bench.seal(note, dress).data(),
            role="plain",
            month=day.month,
            key=note.key,
            codes=("N10",) if cancelled else (),
            verdict="refused" if cancelled else "admitted",
            stage="batch" if event else "file",
            counted=() if cancelled else masses(note),
        )
        bench.items.append(item)
        if event:
            bench.items.append(_event_item(bench, entity, event))


def _event_item(bench: Bench, entity: Party, event: Event) -> Item:
    return Item(
        entity=entity.cnpj,
        name=f"{event.note.key}-{event.kind}-{event.sequence:02d}-procEventoNFe.xml",
        data=event_file(event, bench.wallet.signer(event.note.issuer, event.when)),
        role="event",
        month=event.note.issued.month,
        key=event.note.key,
        stage="batch",
        tolerate=("N01",),
    )
