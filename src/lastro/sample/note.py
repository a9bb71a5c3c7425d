"""An invoice as its writer sees it: parties, lines, dates, and the key that names it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from lastro.sample.digits import key_digit
from lastro.sample.people import Party

CENT = Decimal("0.01")


@dataclass(frozen=True)
class Line:
    """One line of goods. Quantities and prices are the very characters that the note shows."""

    ncm: str
    text: str
    cfop: str
    unit: str
    quantity: str
    price: str
    tax_unit: str
    tax_quantity: str
    material: str | None
    mass_mg: int | None
    remark: str = ""

    @property
    def value(self) -> Decimal:
        """Reais, in cents, half a cent up."""
        exact = Decimal(self.quantity) * Decimal(self.price)
        return exact.quantize(CENT, ROUND_HALF_UP)

    @property
    def tax_price(self) -> str:
        """Reais a taxable unit, with ten decimals."""
        quantity = Decimal(self.tax_quantity)
        if quantity == 0 or self.tax_quantity == self.quantity:
            return self.price
        return str((self.value / quantity).quantize(Decimal("1E-10"), ROUND_HALF_UP))


@dataclass(frozen=True)
class Note:
    """An invoice of scrap, before anyone signs it."""

    issuer: Party
    recipient: Party
    number: int
    code: int
    issued: dt.datetime
    authorised: dt.datetime
    lines: tuple[Line, ...]
    entry: bool = False
    series: int = 1
    operation: str = "VENDA DE MATERIAL RECICLÁVEL"
    purpose: int = 1
    environment: int = 1
    emission: int = 1
    remarks: str = ""
    gross: bool = True
    gross_mg: int | None = (
        None  # what the scale is said to have shown, where it is not the goods and some wrapping
    )
    reform: bool = False
    plate: str = ""
    references: tuple[str, ...] = ()
    issuer_cnpj: str = ""
    recipient_cnpj: str = ""
    key_parts: Mapping[str, str] = field(default_factory=dict)
    digit: str = ""

    @property
    def key_body(self) -> str:
        """The first 43 characters of the access key; `key_parts` puts a lie in its place."""
        parts = {
            "uf": self.issuer.place.uf_code,
            "month": f"{self.issued:%y%m}",
            "cnpj": self.issuer_cnpj or self.issuer.cnpj,
            "model": "55",
            "series": f"{self.series:03d}",
            "number": f"{self.number:09d}",
            "emission": str(self.emission),
            "code": f"{self.code:08d}",
        }
        return "".join({**parts, **self.key_parts}.values())

    @property
    def key(self) -> str:
        """The 44 characters that name the note."""
        return self.key_body + (self.digit or key_digit(self.key_body))

    @property
    def value(self) -> Decimal:
        """Reais, all lines together."""
        return sum((line.value for line in self.lines), Decimal(0))

    @property
    def operator(self) -> Party:
        """Who sells the sorted material: on an entry note it is the recipient."""
        return self.recipient if self.entry else self.issuer

    @property
    def mass_mg(self) -> int:
        """Milligrams of recyclables on the note, lines of unknown mass left out."""
        return sum(line.mass_mg or 0 for line in self.lines if line.material)
