"""The trade in scrap of an ordinary year: what is sold, how heavy, how dear, in which words."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass, field
from decimal import Decimal

from lastro.sample.note import Line, Note
from lastro.sample.people import Party


@dataclass(frozen=True)
class Scrap:
    """A kind of scrap: heading, words, material, cents of real a kilogram and kilograms a line, from–to."""

    ncm: str
    text: str
    material: str
    cents: tuple[int, int]
    kg: tuple[int, int]


MARKET: dict[str, tuple[Scrap, ...]] = {
    "paper": (
        Scrap("47071000", "APARAS DE PAPELÃO ONDULADO II", "paper", (55, 95), (1500, 9000)),
        Scrap("47071000", "PAPELÃO ONDULADO PÓS-CONSUMO PRENSADO", "paper", (50, 90), (1500, 9000)),
        Scrap("47072000", "APARAS DE PAPEL BRANCO I", "paper", (110, 170), (600, 4000)),
        Scrap("47073000", "APARAS DE JORNAIS E REVISTAS", "paper", (45, 80), (600, 5000)),
        Scrap("47079000", "APARAS DE PAPEL MISTO III", "paper", (30, 55), (800, 6000)),
    ),
    "plastic": (
        Scrap("39151000", "SUCATA DE PEAD COLORIDO ENFARDADO", "plastic", (180, 280), (500, 4000)),
        Scrap("39151000", "FILME DE PEBD CRISTAL - APARAS & FARDOS", "plastic", (150, 260), (500, 4000)),
        Scrap("39159000", "SUCATA PET CRISTAL PRENSADA PÓS-CONSUMO", "plastic", (290, 420), (500, 5000)),
        Scrap("39159000", "SUCATA DE PP (TAMPAS E POTES)", "plastic", (170, 270), (300, 2500)),
        Scrap("39152000", "SUCATA DE POLIESTIRENO PÓS-CONSUMO", "plastic", (90, 160), (200, 1200)),
    ),
    "glass": (
        Scrap("70010000", "CACO DE VIDRO MISTO P/ RECICLAGEM", "glass", (12, 24), (2500, 12000)),
        Scrap("70010000", "CACO DE VIDRO ÂMBAR", "glass", (15, 28), (2000, 9000)),
        Scrap("70010000", "CACO DE VIDRO INCOLOR", "glass", (18, 32), (2000, 9000)),
    ),
    "metals": (
        Scrap("72043000", "SUCATA DE AÇO ESTANHADO PRENSADA", "steel", (70, 115), (1000, 7000)),
        Scrap("72044900", "SUCATA FERROSA MISTA PÓS-CONSUMO", "steel", (75, 125), (1500, 9000)),
        Scrap("76020000", 'SUCATA DE ALUMÍNIO PRENSADA "UBC"', "aluminium", (720, 980), (200, 2500)),
        Scrap("76020000", "ALUMÍNIO PÓS-CONSUMO EM FARDOS", "aluminium", (700, 950), (200, 2500)),
        Scrap("74040000", "SUCATA DE COBRE MISTA", "other_metal", (3200, 4600), (50, 400)),
    ),
}
_WEIGHTS = {"paper": 38, "plastic": 28, "glass": 15, "metals": 19}
_UNITS = (("KG", 1), ("KG", 1), ("KG", 1), ("kg", 1), ("Kg", 1), ("TON", 1000), ("T", 1000), ("ton", 1000))
_REMARKS = (
    "Material proveniente da coleta seletiva, embalagens pós-consumo. Ticket de balança {ticket}.",
    "ICMS diferido nos termos do RICMS/MT. Pesagem conferida no destino, ticket {ticket}.",
    "Suspensão de PIS/COFINS: arts. 47 e 48 da Lei 11.196/2005. Pedido {ticket}.",
    "Empresa optante pelo Simples Nacional; não gera direito a crédito. Romaneio nº {ticket} <1ª via>.",
    "Carga enfardada, lacre {ticket}; peso sujeito à conferência no destino.",
    "",
)


def mg(kilograms: Decimal | str | int) -> int:
    """Whole milligrams of so many kilograms."""
    exact = Decimal(kilograms) * 10**6
    assert exact == int(exact)
    return int(exact)


def line_of(
    scrap: Scrap, kg: Decimal, cents: int, *, cfop: str, unit: tuple[str, int] = ("KG", 1), remark: str = ""
) -> Line:
    """A line that says a mass in a unit; the taxable unit is the kilogram."""
    name, factor = unit
    quantity = f"{kg / factor:.4f}"
    price = f"{Decimal(cents) * factor / 100:.10f}" if factor > 1 else f"{Decimal(cents) / 100:.4f}"
    return Line(
        ncm=scrap.ncm,
        text=scrap.text,
        cfop=cfop,
        unit=name,
        quantity=quantity,
        price=price,
        tax_unit="KG",
        tax_quantity=f"{kg:.4f}",
        material=scrap.material,
        mass_mg=mg(kg),
        remark=remark,
    )


@dataclass
class Trader:
    """Writes plausible notes; numbers run on for each issuer."""

    seed: int
    _last: dict[str, int] = field(default_factory=dict)

    def number(self, issuer: Party) -> int:
        """The next number of an issuer's series."""
        start = 100 + sum(issuer.cnpj.encode()) % 4000
        self._last[issuer.cnpj] = self._last.get(issuer.cnpj, start) + 1
        return self._last[issuer.cnpj]

    def family(self, rnd: random.Random) -> str:
        """A family of materials, as often as the market trades it."""
        return rnd.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]

    def lines(self, rnd: random.Random, family: str, count: int, cfop: str) -> tuple[Line, ...]:
        """Different goods of one family."""
        made = []
        for scrap in rnd.sample(MARKET[family], min(count, len(MARKET[family]))):
            unit = rnd.choice(_UNITS)
            ceiling = scrap.kg[1] if count == 1 else scrap.kg[0] + (scrap.kg[1] - scrap.kg[0]) // 2
            kg = Decimal(rnd.randrange(scrap.kg[0], ceiling))
            if unit[1] == 1 and rnd.random() < 0.15:
                kg += Decimal(rnd.randrange(1, 1000)) / 1000
            remark = (
                f"Fardos {rnd.randrange(1, 60)}; classificação {rnd.choice('ABC')}"
                if rnd.random() < 0.3
                else ""
            )
            cents = rnd.randrange(*scrap.cents)
            made.append(line_of(scrap, kg, cents, cfop=cfop, unit=unit, remark=remark))
        return tuple(made)

    def draft(
        self,
        rnd: random.Random,
        pair: tuple[Party, Party],
        when: dt.datetime,
        *,
        family: str,
        count: int = 1,
        entry: bool = False,
    ) -> Note:
        """A sale of an operator to a recycler; an entry note is written by the recycler."""
        operator, recycler = pair
        issuer, recipient = (recycler, operator) if entry else (operator, recycler)
        inside = issuer.place.uf == recipient.place.uf
        tail = "101" if entry or rnd.random() < 0.5 else "102"
        head = ("1" if inside else "2") if entry else ("5" if inside else "6")
        operation = "COMPRA PARA INDUSTRIALIZAÇÃO" if entry else "VENDA DE MATERIAL RECICLÁVEL"
        return Note(
            issuer=issuer,
            recipient=recipient,
            number=self.number(issuer),
            code=rnd.randrange(10**7, 10**8),
            issued=when,
            authorised=when + dt.timedelta(seconds=rnd.randrange(4, 900)),
            lines=self.lines(rnd, family, count, head + tail),
            entry=entry,
            operation=operation,
            remarks=rnd.choice(_REMARKS).format(ticket=f"{rnd.randrange(10**6):06d}"),
            reform=issuer.regime == 3 and rnd.random() < 0.6,
            plate=rnd.choice(operator.plates),
        )


def at(when: dt.date, clock: str, party: Party) -> dt.datetime:
    """A moment on the clock of a party's own wall."""
    zone = dt.timezone(dt.timedelta(hours=party.place.offset))
    return dt.datetime.combine(when, dt.time.fromisoformat(clock), zone)
