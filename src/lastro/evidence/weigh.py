"""How much a line weighs, in whole milligrams, from the numbers as written; never guessed.

Order: the commercial quantity where its unit is a mass; else the taxable one; else, in a note of a single
line, the net weight of all its volumes. Else the mass cannot be told (M01): the gross weight holds pallets
and bales too, and the net weight of several lines would have to be shared out, which nobody weighed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from lastro import tables
from lastro.facts import Finding, Invoice, Line, Severity
from lastro.findings import finding
from lastro.ids import Material
from lastro.units import MG_PER_KG, Mass, decimal_text, exact, scaled

_GRAM_MG = 1_000
_THOUSAND = 1_000
_MOST_MG = 10**15
"""A million tonnes: no line weighs that, and sums of lines must fit in 64 bits."""


_MAY_ADD_NOTHING = frozenset({"2", "3", "5", "6"})
"""Complementary, adjustment, credit and debit notes may correct a value alone: their quantity is then 0."""


@dataclass(frozen=True)
class Weighed:
    """The mass of a line (None: cannot be told) and what was seen on the way."""

    mass: Mass | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class _Quantity:
    """A quantity of a mass unit: `number` / `scale` milligrams; `decimals` is how many were written.

    It is kept in whole numbers, since nearly every line is weighed and found plain with these alone.
    """

    number: int
    scale: int
    unit_mg: int
    decimals: int
    where: str

    @property
    def mg(self) -> Fraction:
        return Fraction(self.number, self.scale)

    @property
    def last_digit_mg(self) -> Fraction:
        return Fraction(self.unit_mg, 10**self.decimals)


def weigh(invoice: Invoice, line: Line, material: Material | None) -> Weighed:
    """Weigh one line. Codes: M01, M02, M03, M04, M05, M10; of a line that is no material, nothing is said."""
    where = f"/NFe/infNFe/det[{line.number}]/prod"
    commercial = _quantity(line.commercial_unit, line.commercial_quantity, f"{where}/qCom")
    taxable = _quantity(line.taxable_unit, line.taxable_quantity, f"{where}/qTrib")
    wrong = _not_positive(line, where)
    if wrong is not None and invoice.purpose in _MAY_ADD_NOTHING and _is_zero(wrong.found):
        return Weighed(Mass(0), ())
    if wrong is not None:
        return Weighed(None, (wrong,) if material else ())
    told = commercial or taxable or _net_weight(invoice)
    if told is None:
        units = f"{line.commercial_unit or 'sem unidade'} / {line.taxable_unit or 'sem unidade'}"
        found = f"{units}; {_net_weight_in_words(invoice)}"
        seen = finding(
            "M01", where=f"{where}/uCom", found=found, expected="KG, TON ou outra unidade de massa"
        )
        return Weighed(None, (seen,) if material else ())
    mg, finer = divmod(told.number, told.scale)
    if finer:
        found = f"{decimal_text(told.mg / MG_PER_KG)} kg"
        seen = finding("M04", where=told.where, found=found, expected="miligramas inteiros")
        return Weighed(None, (seen,) if material else ())
    if mg > _MOST_MG:
        found = f"{decimal_text(told.mg / MG_PER_KG)} kg"
        seen = finding("M03", where=told.where, found=found, expected="a massa de uma carga")
        return Weighed(None, (seen,) if material else ())
    mass = Mass(mg)
    if material is None:
        return Weighed(mass, ())
    return Weighed(mass, tuple(_doubts(invoice, line, material, mass, commercial, taxable)))


def _quantity(unit: str, written: str, where: str) -> _Quantity | None:
    unit_mg = tables.unit_mg(unit)
    if unit_mg is None:
        return None
    try:
        number, decimals = scaled(written)
    except ValueError:
        return None
    return _Quantity(number * unit_mg, 10**decimals, unit_mg, decimals, where)


def _not_positive(line: Line, where: str) -> Finding | None:
    """M02: the quantity that tells the mass must be a number above zero."""
    by_tax = tables.unit_mg(line.commercial_unit) is None and tables.unit_mg(line.taxable_unit) is not None
    written, name = (line.taxable_quantity, "qTrib") if by_tax else (line.commercial_quantity, "qCom")
    try:
        if scaled(written)[0] > 0:
            return None
    except ValueError:
        pass
    return finding("M02", where=f"{where}/{name}", found=written or "vazio", expected="número maior que zero")


def _is_zero(written: str) -> bool:
    """Whether a quantity is written and is nought: what is missing is no zero."""
    try:
        return scaled(written)[0] == 0
    except ValueError:
        return False


def _net_weight(invoice: Invoice) -> _Quantity | None:
    """The net weight of all volumes, which speaks for the line only where the note has just one."""
    if len(invoice.lines) != 1:
        return None
    where = "/NFe/infNFe/transp/vol/pesoL"
    parts = [p for p in (_quantity("KG", w, where) for w in invoice.net_weights) if p is not None]
    total = sum((p.mg for p in parts), Fraction(0))
    if len(parts) != len(invoice.net_weights) or total <= 0:
        return None
    decimals = min(p.decimals for p in parts)
    return _Quantity(total.numerator, total.denominator, MG_PER_KG, decimals, where)


def _net_weight_in_words(invoice: Invoice) -> str:
    """Why the net weight tells nothing: there is none, it is zero, or it speaks for several lines."""
    if not invoice.net_weights:
        return "sem pesoL"
    if len(invoice.lines) != 1:
        return f"pesoL de {len(invoice.lines)} itens juntos"
    return f"pesoL {' + '.join(invoice.net_weights)}"


def _doubts(
    invoice: Invoice,
    line: Line,
    material: Material,
    mass: Mass,
    commercial: _Quantity | None,
    taxable: _Quantity | None,
) -> Iterable[Finding]:
    """M03, or else M05 and M10: a slip of a thousand explains the other two."""
    band = tables.band_of(material, invoice.issued_on)
    if band is None or not _within(line, mass, band):
        price = _price(line, mass)
        slip = _thousandfold(line, mass, price, band) or _against_net(invoice, line, mass)
        if slip is not None:
            yield slip
            return
        yield _odd_price(line, price, band)
    if (
        commercial
        and taxable
        and commercial.number * taxable.scale != taxable.number * commercial.scale
        and abs(commercial.mg - taxable.mg) > max(commercial.last_digit_mg, taxable.last_digit_mg)
    ):
        found = f"{decimal_text(commercial.mg / MG_PER_KG)} kg e {decimal_text(taxable.mg / MG_PER_KG)} kg"
        yield finding("M05", where=taxable.where, found=found, expected="a mesma massa")


def _odd_price(line: Line, price: Fraction | None, band: tables.Band | None) -> Finding:
    """M10: the price is outside its band; where there is none to judge by, that is said and no more."""
    if price is None or band is None:
        found = "sem preço na nota" if price is None else _reais(price)
        expected = "preço não julgado" if band else "sem faixa de preço para a data: não julgado"
        return finding("M10", where=_value(line), found=found, expected=expected, severity=Severity.INFO)
    return finding("M10", where=_value(line), found=_reais(price), expected=_range(band))


def _within(line: Line, mass: Mass, band: tables.Band) -> bool:
    """Whether the price is inside the band, told in whole numbers; a line without a price is not."""
    try:
        value, decimals = scaled(line.value)
    except ValueError:
        return False
    price, per = value * MG_PER_KG, 10**decimals * mass.mg
    low, high = band.low, band.high
    return (
        price > 0
        and low.numerator * per <= price * low.denominator
        and price * high.denominator <= high.numerator * per
    )


def _thousandfold(line: Line, mass: Mass, price: Fraction | None, band: tables.Band | None) -> Finding | None:
    """M03: the price is outside the band, and a thousand times more or less mass brings it inside."""
    if price is None or band is None:
        return None
    for other in (price / _THOUSAND, price * _THOUSAND):
        if band.low <= other <= band.high:
            return _slip(line, f"{mass}, a {_reais(price)}", _range(band))
    return None


def _against_net(invoice: Invoice, line: Line, mass: Mass) -> Finding | None:
    """M03: no usual price speaks for the mass, and the net weight is a thousand times more or less."""
    net = _net_weight(invoice)
    if net is None or net.mg not in (Fraction(mass.mg * _THOUSAND), Fraction(mass.mg, _THOUSAND)):
        return None
    return _slip(line, str(mass), f"pesoL de {decimal_text(net.mg / MG_PER_KG)} kg")


def _slip(line: Line, found: str, expected: str) -> Finding:
    return finding("M03", where=f"/NFe/infNFe/det[{line.number}]/prod/uCom", found=found, expected=expected)


def _price(line: Line, mass: Mass) -> Fraction | None:
    """Reais a kilogram; None without a value to tell it by."""
    try:
        value = exact(line.value)
    except ValueError:
        return None
    return value * MG_PER_KG / mass.mg if value > 0 and mass.mg > 0 else None


def _value(line: Line) -> str:
    return f"/NFe/infNFe/det[{line.number}]/prod/vProd"


def _reais(price: Fraction) -> str:
    return f"R$ {decimal_text(price, most=4)} por kg"


def _range(band: tables.Band) -> str:
    return f"de R$ {decimal_text(band.low)} a R$ {decimal_text(band.high)} por kg"


def exceeds_gross(invoice: Invoice, masses: Iterable[Mass | None]) -> Finding | None:
    """M12: the lines weigh more than the note's gross weight, beyond its last gram for each volume."""
    where = "/NFe/infNFe/transp/vol/pesoB"
    parts = [_quantity("KG", w, where) for w in invoice.gross_weights]
    total = sum(m.mg for m in masses if m is not None)
    if len(parts) == 1 and parts[0] is not None and total * parts[0].scale <= parts[0].number:
        return None
    gross = sum((p.mg for p in parts if p is not None), Fraction(0))
    if any(p is None for p in parts) or gross <= 0 or total <= gross + _GRAM_MG * len(parts):
        return None
    return finding(
        "M12",
        where=where,
        found=f"itens somam {Mass(total)}",
        expected=f"até {decimal_text(gross / MG_PER_KG)} kg de peso bruto",
    )
