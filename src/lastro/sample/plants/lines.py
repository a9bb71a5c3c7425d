"""What a line says was sold, how much of it and why (M01 to M14)."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from lastro.sample.bench import Bench, LotRow
from lastro.sample.digits import key_digit
from lastro.sample.faults import Fault
from lastro.sample.note import Line, Note
from lastro.sample.people import Party
from lastro.sample.plants.registry import mutation
from lastro.sample.trade import MARKET, line_of, mg


def _note_of(bench: Bench, entity: Party, *lines: Line, family: str, gross: bool = True) -> Note:
    """A right sale whose lines are replaced."""
    base = bench.draft(entity, family=family)
    cfop = base.lines[0].cfop
    kept = tuple(line if line.cfop != "0000" else replace(line, cfop=cfop) for line in lines)
    return replace(base, lines=kept, gross=gross)


def _plain(family: str, kg: int, *, at: int = 0) -> Line:
    scrap = MARKET[family][at]
    return line_of(scrap, Decimal(kg), (scrap.cents[0] + scrap.cents[1]) // 2, cfop="0000")


def _both(line: Line, unit: str, quantity: str, mass_mg: int | None) -> Line:
    """The line with one unit and one quantity, commercial and taxable, at the same total value."""
    exact = Decimal(quantity)
    price = (
        (line.value / exact).quantize(Decimal("1E-10"), ROUND_HALF_UP) if exact > 0 else Decimal(line.price)
    )
    return replace(
        line,
        unit=unit,
        quantity=quantity,
        price=str(price),
        tax_unit=unit,
        tax_quantity=quantity,
        mass_mg=mass_mg,
    )


@mutation
def no_mass_unit(bench: Bench, fault: Fault) -> None:
    """Counted in something that is no mass, and the note weighs nothing."""
    entity = bench.entity()
    family = fault.params["family"]
    line = _both(_plain(family, 2400), fault.params["unit"], fault.params["quantity"], None)
    bench.note(fault, entity, _note_of(bench, entity, line, family=family, gross=False))


@mutation
def bales_weighed(bench: Bench, fault: Fault) -> None:
    """Sold by the piece, and the taxable quantity says the kilograms."""
    entity = bench.entity()
    family = fault.params["family"]
    line = _plain(family, 2400)
    count = Decimal(fault.params["quantity"])
    price = (line.value / count).quantize(Decimal("0.0001"))
    line = replace(line, unit=fault.params["unit"], quantity=f"{count:.4f}", price=str(price))
    bench.note(fault, entity, _note_of(bench, entity, line, family=family))


@mutation
def quantity(bench: Bench, fault: Fault) -> None:
    """A line of a given quantity of kilograms, alone or after a right one."""
    entity = bench.entity()
    text = fault.params["quantity"]
    line = replace(_plain("glass", 3000, at=1), quantity=text, tax_quantity=text)
    good = Decimal(text) > 0
    line = replace(line, mass_mg=mg(text) if good else None)
    lines = (_plain("glass", 4100), line) if fault.params.get("second") else (line,)
    bench.note(fault, entity, _note_of(bench, entity, *lines, family="glass", gross=good))


@mutation
def thousandfold(bench: Bench, fault: Fault) -> None:
    """Kilograms under the name of tonnes, or tonnes under that of kilograms; only the price tells."""
    entity = bench.entity()
    family = fault.params["family"]
    scrap = MARKET[family][0]
    cents = (scrap.cents[0] + scrap.cents[1]) // 2
    line = line_of(scrap, Decimal(7350), cents, cfop="0000")
    if fault.params["way"] == "tonnes_as_kilograms":
        price = f"{Decimal(cents) * 10:.4f}"
        line = replace(line, unit="KG", quantity="7.3500", price=price, tax_quantity="7.3500", mass_mg=None)
    else:
        line = replace(line, unit="TON", tax_unit="TON", mass_mg=None)
    lines = (_plain(family, 2130, at=1), line) if fault.params.get("second") else (line,)
    bench.note(fault, entity, _note_of(bench, entity, *lines, family=family, gross=False))


@mutation
def priced(bench: Bench, fault: Fault) -> None:
    """A right line at an unusual price, in cents of real a kilogram."""
    entity = bench.entity()
    family = fault.params["family"]
    scrap = next(s for s in MARKET[family] if s.ncm == fault.params["ncm"])
    unit = (fault.params["unit"], fault.params["factor"])
    line = line_of(scrap, Decimal(fault.params["kg"]), fault.params["cents"], cfop="0000", unit=unit)
    bench.note(fault, entity, _note_of(bench, entity, line, family=family))


_IN_GRAMS = {"G": Decimal("0.001"), "KG": Decimal(1), "TON": Decimal(1000)}


@mutation
def fine(bench: Bench, fault: Fault) -> None:
    """A right line, and one whose quantity has many decimals."""
    entity = bench.entity()
    unit, text = fault.params["unit"], fault.params["quantity"]
    exact = Decimal(text) * _IN_GRAMS[unit] * 10**6
    mass = int(exact) if exact == int(exact) else None
    value = line_of(MARKET["plastic"][0], Decimal(1250), 230, cfop="0000")
    second = _both(value, unit, text, mass)
    note = _note_of(
        bench, entity, _plain("plastic", 1840, at=2), second, family="plastic", gross=mass is not None
    )
    bench.note(fault, entity, note)


@mutation
def other_goods(bench: Bench, fault: Fault) -> None:
    """A right line, and one of goods that are not scrap for recycling."""
    entity = bench.entity()
    params = fault.params
    kg = Decimal(params["kg"])
    other = line_of(MARKET["paper"][0], kg, params["cents"], cfop="0000")
    other = replace(other, ncm=params["ncm"], text=params["text"], material=None)
    note = _note_of(bench, entity, _plain("paper", 3120), other, family="paper", gross=False)
    bench.note(fault, entity, note)


@mutation
def scrap_in_words(bench: Bench, fault: Fault) -> None:
    """Scrap under a recyclable heading, in words that might mislead."""
    entity = bench.entity()
    params = fault.params
    line = replace(_plain(params["family"], 2210), ncm=params["ncm"], text=params["text"])
    line = replace(line, material=params["material"])
    bench.note(fault, entity, _note_of(bench, entity, line, family=params["family"]))


@mutation
def operation(bench: Bench, fault: Fault) -> None:
    """Scrap that changes place under a given operation."""
    entity = bench.entity()
    params = fault.params
    line = replace(_plain("paper", 5230), cfop=params["cfop"])
    note = replace(_note_of(bench, entity, line, family="paper"), operation=params["text"])
    purpose = params.get("purpose", 1)
    if purpose == 4:
        body = bench.draft(entity, operator=note.issuer).key_body
        note = replace(note, references=(body + key_digit(body),))
    bench.note(fault, entity, replace(note, purpose=purpose))


@mutation
def lot_row(bench: Bench, fault: Fault) -> None:
    """A right note about which the batch's `lote.csv` says something of one line."""
    entity = bench.entity()
    params = fault.params
    number = params.get("line", 1)
    note = bench.draft(entity, family="paper", count=2 if number == 2 else 1)
    bench.note(fault, entity, note)
    municipality, origin = params.get("municipality", ""), params.get("origin", "")
    bench.lot(entity, LotRow(note.key, number, municipality, origin))
