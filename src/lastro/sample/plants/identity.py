"""What a note says it is: its key, its environment, its year, its twin (N03, N04, N06, N14, N15)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from decimal import Decimal

from lastro.sample.bench import Bench, LotRow
from lastro.sample.digits import cnpj, key_digit, key_digit_base36, key_rest
from lastro.sample.faults import Fault
from lastro.sample.note import Line, Note
from lastro.sample.people import Party
from lastro.sample.plants.registry import mutation
from lastro.sample.seal import Dress
from lastro.sample.trade import MARKET, at, line_of


@mutation
def key_digit_wrong(bench: Bench, fault: Fault) -> None:
    """The last digit of the key does not close it, wherever the key is written."""
    entity = bench.entity()
    note = bench.draft(entity)
    right = key_digit(note.key_body)
    if fault.params["way"] == "off_by_one":
        wrong = str((int(right) + 1) % 10)
    elif fault.params["way"] == "letters_as_base36":
        # The two readings differ by the letters alone: where they agree, another issuer is needed.
        while (wrong := key_digit_base36(note.key_body)) == key_digit(note.key_body):
            note = bench.draft(entity)
    else:  # the number was corrected, the digit forgotten
        later = replace(note, number=note.number + 40)
        while later.key[-1] == right:
            later = replace(later, number=later.number + 1)
        note, wrong = later, right
    bench.note(fault, entity, replace(note, digit=wrong))


@mutation
def key_digit_zero(bench: Bench, fault: Fault) -> None:
    """A key whose sum leaves 0 or 1, which both give the digit 0."""
    entity = bench.entity()
    note = bench.draft(entity)
    while key_rest(note.key_body) != fault.params["rest"]:
        note = replace(note, code=note.code + 1)
    assert note.key.endswith("0")
    bench.note(fault, entity, note)


@mutation
def key_part_wrong(bench: Bench, fault: Fault) -> None:
    """The key closes, yet one of its parts is not what the note says."""
    entity = bench.entity()
    note = bench.draft(entity)
    parts = {
        "number": f"{note.number + 1:09d}",
        "month": f"{note.issued.replace(day=1) - dt.timedelta(days=1):%y%m}",
        "uf": "52",
        "cnpj": cnpj(note.issuer.root, 2),
        "series": "002",
        "code": f"{note.code + 1:08d}",
    }
    part = fault.params["part"]
    bench.note(fault, entity, replace(note, key_parts={part: parts[part]}))


@mutation
def issued_at(bench: Bench, fault: Fault) -> None:
    """A note written at a given moment, in its own offset, and authorised soon or late."""
    entity = bench.entity()
    issued = dt.datetime.fromisoformat(fault.params["issued"])
    note = bench.draft(entity, issued=issued)
    received = fault.params.get("authorised")
    authorised = dt.datetime.fromisoformat(received) if received else issued + dt.timedelta(seconds=40)
    bench.note(fault, entity, replace(note, authorised=authorised))


@mutation
def environment(bench: Bench, fault: Fault) -> None:
    """A note made in SEFAZ's test environment, as the note or its protocol tells."""
    entity = bench.entity()
    where = fault.params["where"]
    note = replace(bench.draft(entity), environment=1 if where == "protocol" else 2)
    sealed = bench.seal(note)
    assert sealed.protocol is not None
    shown = 1 if where == "note" else 2
    sealed = replace(sealed, protocol=replace(sealed.protocol, environment=shown))
    bench.put(fault, entity, note, sealed.data())


@mutation
def remark(bench: Bench, fault: Fault) -> None:
    """A right note whose free text might alarm a hasty reader."""
    entity = bench.entity()
    bench.note(fault, entity, replace(bench.draft(entity), remarks=fault.params["text"]))


def exact_line(kg: int) -> Line:
    """A line of so many kilograms of cardboard."""
    return line_of(MARKET["paper"][0], Decimal(kg), 72, cfop="5102")


def exact_note(bench: Bench, entity: Party, operator: Party | None, kg: int) -> Note:
    """A note of one line of so many kilograms of cardboard."""
    return replace(bench.draft(entity, operator=operator, family="paper"), lines=(exact_line(kg),))


@mutation
def twins(bench: Bench, fault: Fault) -> None:
    """Two contents, each signed and authorised, under one key."""
    way = fault.params["way"]
    if way == "recipient":
        operator, entities = bench.shared(0, 1)
        first = bench.draft(entities[0], operator=operator, family="plastic")
    else:
        entities = (bench.entity(),) * 2
        first = bench.draft(entities[0], family="plastic")
    if way == "quantity":
        heavier = line_of(MARKET["plastic"][0], Decimal(4321), 230, cfop=first.lines[0].cfop)
        second = replace(first, lines=(heavier,))
    elif way == "recipient":
        others = [r for r in bench.cast.recyclers if "plastic" in r.families and r.place.uf == "MT"]
        second = replace(first, recipient=next(r for r in others if r.cnpj != first.recipient.cnpj))
    else:
        second = replace(first, remarks=first.remarks + " Retificada.")
    for number, (entity, note) in enumerate(zip(entities, (first, second), strict=True)):
        name = f"{note.key}-procNFe.xml" if number == 0 else f"{note.key}-2a-procNFe.xml"
        bench.put(
            fault, entity, note, bench.seal(note).data(), name=name, zipped=way == "remark" and number == 1
        )


@mutation
def twin_wrappings(bench: Bench, fault: Fault) -> None:
    """One signed content in two wrappings, of which two entities claim parts that fit."""
    operator, entities = bench.shared(0, 1)
    note = exact_note(bench, entities[0], operator, 1000)
    dresses = (Dress(), Dress(**fault.params["dress"]))
    for entity, dress, part in zip(entities, dresses, ("450", "550"), strict=True):
        bench.put(fault, entity, note, bench.seal(note, dress).data(), part_mg=int(part) * 10**6)
        bench.lot(entity, LotRow(note.key, 1, mass_kg=part))


@mutation
def month_turns_elsewhere(bench: Bench, fault: Fault) -> None:
    """Issued in the last hour of a month; in UTC the month is over."""
    entity = bench.entity()
    operator = bench.rnd.choice(bench.cast.operators[entity.cnpj])
    issued = at(dt.date.fromisoformat(fault.params["day"]), "23:30:00", operator)
    note = bench.draft(entity, operator=operator, issued=issued)
    assert f"{issued.astimezone(dt.UTC):%y%m}" != note.key[2:6]
    bench.note(fault, entity, note)
