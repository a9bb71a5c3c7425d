"""The facts of a quarter as one JSON document: money, coefficients, organisations with their proofs of sale.

Of people the document has only counts: a key with a name of a member or of a child is refused as unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from lastro import jsonfile
from lastro.ids import bare, is_cnpj
from lastro.jsonfile import Node, once_each
from lastro.lawkit.grants import Coefficient, Organisation, Quarter, Requirement, Sale
from lastro.quarters import quarter_start
from lastro.units import ZERO, Mass, Money

NOTHING = Money(0)
NEVER = date.min
DAY = "uma data, como 2026-03-31"
COUNT = "um número inteiro, zero ou mais"
STATES = ("draft", "submitted", "in_analysis", "analysed", "validated", "rejected", "suspended")
MONTHS = 3


def parse(text: str) -> Quarter:
    """Read the facts of a quarter. Raises JsonRefused naming every place that has to be mended."""
    return jsonfile.read_document(text, _quarter)


def _quarter(top: Node) -> Quarter:
    organisations = top.each("organisations", _organisation)
    if not organisations:
        top.wrong("organisations", None, "uma lista com ao menos uma organização")
    once_each(top, "organisations", [one.cnpj for one in organisations])
    requirements = top.each("requirements", _requirement)
    once_each(top, "requirements", [one.act for one in requirements])
    coefficients = top.each("coefficients", _coefficient)
    once_each(top, "coefficients", [(c.name, c.decided_on) for c in coefficients])
    made = Quarter(
        year=top.need("year", jsonfile.year, 0, "o ano, como 2026"),
        number=top.need("quarter", _number, 1, "o trimestre, de 1 a 4"),
        annual=top.need("annual_brl", jsonfile.money, NOTHING, jsonfile.MONEY),
        budget=top.need("budget_brl", jsonfile.money, NOTHING, jsonfile.MONEY),
        donations=top.may("donations_brl", jsonfile.money, NOTHING, jsonfile.MONEY),
        other=top.may("other_brl", jsonfile.money, NOTHING, jsonfile.MONEY),
        closed=top.may("closed", _days, (), "uma lista de datas sem expediente, como 2026-10-30"),
        admitted=top.may("admitted", _admitted, None, COUNT),
        by_tonne=top.may("reading", _reading, False, "“weights” (padrão) ou “unit_values”"),
        organisations=organisations,
        coefficients=coefficients,
        requirements=requirements,
    )
    _of_the_quarter(top, made)
    top.close()
    return made


def _of_the_quarter(top: Node, made: Quarter) -> None:
    """Data is brought up to date by a day that has come: not after the last one for the quarter's proofs."""
    if not made.year:
        return
    following = quarter_start(made.year, made.number + 1) + timedelta(days=31)
    last = following.replace(day=1) - timedelta(days=1)
    for number, one in enumerate(made.organisations):
        if one.updated_on > last:
            top.wrong(
                f"organisations[{number}].data_updated_on", one.updated_on,
                f"um dia até {last.isoformat()}, o fim do mês seguinte ao trimestre",
            )  # fmt: skip


def _coefficient(row: Node) -> Coefficient:
    material = row.need("material", _word, "", "o material, como glass")
    subclass = row.may("subclass", _word, "", "a subclasse, como pet")
    return Coefficient(
        name=f"{material}/{subclass}" if subclass else material,
        value=row.need("k", jsonfile.factor, Fraction(0), 'um número como texto, como "1.5"'),
        decided_on=row.need("decided_on", jsonfile.day, NEVER, DAY),
        act=row.need("act", jsonfile.text, "", "o número do ato do Comitê"),
    )


def _requirement(row: Node) -> Requirement:
    return Requirement(
        act=row.need("act", jsonfile.text, "", "o número do ato do Comitê"),
        what=row.need("what", jsonfile.text, "", "o que o ato pede"),
        since=row.need("since", jsonfile.day, NEVER, DAY),
        until=row.may("until", _maybe_day, None, DAY),
    )


def _organisation(row: Node) -> Organisation:
    made = Organisation(
        cnpj=row.need("cnpj", _cnpj, "", "um CNPJ válido (14 caracteres)"),
        name=row.need("name", jsonfile.text, "", "o nome da organização"),
        kind=row.need("kind", jsonfile.text, "", "cooperative ou association"),
        constituted_on=row.need("constituted_on", jsonfile.day, NEVER, DAY),
        members=row.need("members", jsonfile.count, 0, COUNT),
        capable=row.need("members_capable", jsonfile.count, 0, COUNT),
        active=row.need("members_active", jsonfile.count, 0, COUNT),
        school_age=row.need("children_of_school_age", jsonfile.count, 0, COUNT),
        in_school=row.need("children_in_school", jsonfile.count, 0, COUNT),
        updated_on=row.need("data_updated_on", jsonfile.day, NEVER, DAY),
        state=row.need("registration", jsonfile.one_of(STATES), "", f"um de {', '.join(STATES)}"),
        recognised=row.need("recognised", jsonfile.flag, None, "true ou false") is True,
        earlier_grant=row.need("granted_before", jsonfile.flag, None, "true ou false") is True,
        list_delivered=row.need("transfer_list_delivered", jsonfile.flag, None, "true ou false") is True,
        place=row.may("place", jsonfile.count, 0, COUNT),
        measured=row.need(
            "measured_kg", _measured, (None,) * MONTHS, "três medições em kg, null se não houve"
        ),
        sales=row.each("sales", _sale),
        meets=row.may("requirements_met", _acts, (), "uma lista de números de atos"),
    )
    _sold_once(row, made.sales)
    if made.in_school > made.school_age:
        row.wrong("children_in_school", made.in_school, f"até os {made.school_age} em idade escolar")
    for key, part in (("members_capable", made.capable), ("members_active", made.active)):
        if part > made.members:
            row.wrong(key, part, f"até os {made.members} de “members”")
    return made


def _sold_once(row: Node, sales: Sequence[Sale]) -> None:
    """The same sale written twice would be paid twice; two alike are told apart by their papers' numbers."""
    for number, one in enumerate(sales):
        first = sales.index(one)
        if first < number:
            row.wrong(
                f"sales[{number}]", f"{one.name}, {one.mass}",
                f"outra venda: esta já está em sales[{first}]; se são dois documentos, dê em “proof” o "
                "número de cada um",
            )  # fmt: skip


def _sale(row: Node) -> Sale:
    """A proof without kind of waste, kilograms or reais is no proof of sale."""
    made = Sale(
        material=row.need("material", _word, "", "o material, como glass"),
        subclass=row.may("subclass", _word, "", "a subclasse, como pet"),
        mass=row.need("mass_kg", jsonfile.mass, ZERO, jsonfile.MASS),
        value=row.need("value_brl", jsonfile.money, NOTHING, jsonfile.MONEY),
        invoice=row.need("invoice", jsonfile.flag, None, "true para nota fiscal, false para outro papel")
        is True,
        sold_on=row.need("sold_on", jsonfile.day, NEVER, DAY),
        delivered_on=row.need("delivered_on", jsonfile.day, NEVER, DAY),
        recognised_on=row.may("recognised_on", _maybe_day, None, DAY),
        proof=row.may("proof", jsonfile.text, "", "o número da nota ou do comprovante"),
    )
    if NEVER < made.delivered_on < made.sold_on:
        row.wrong(
            "delivered_on", made.delivered_on, f"um dia não anterior à venda, {made.sold_on.isoformat()}"
        )
    if made.mass == ZERO:
        row.wrong("mass_kg", "0", "mais que zero quilogramas")
    return made


def _number(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 4:
        raise ValueError
    return value


def _word(value: Any) -> str:
    """A name without a slash, which divides a material from its subclass."""
    read = jsonfile.text(value)
    if "/" in read:
        raise ValueError
    return read


def _reading(value: Any) -> bool:
    return jsonfile.one_of(("weights", "unit_values"))(value) == "unit_values"


def _days(value: Any) -> tuple[date, ...]:
    if not isinstance(value, list):
        raise ValueError
    return tuple(jsonfile.day(one) for one in value)


def _acts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError
    return tuple(jsonfile.text(one) for one in value)


def _maybe_day(value: Any) -> date | None:
    return jsonfile.day(value)


def _admitted(value: Any) -> int | None:
    return jsonfile.count(value)


def _measured(value: Any) -> tuple[Mass | None, ...]:
    if not isinstance(value, list) or len(value) != MONTHS:
        raise ValueError
    return tuple(None if one is None else jsonfile.mass(one) for one in value)


def _cnpj(value: Any) -> str:
    read = bare(jsonfile.text(value))
    if not is_cnpj(read):
        raise ValueError
    return read
